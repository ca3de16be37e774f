"""The same as pyannote.metrics, and where it differs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.speakers.measures import Changes, Diarization, Purity
from support import reference_speakers as twin
from support.interval_files import EIGHTH, spoken, turns

TOLERANCES = st.integers(0, 20)
ISSUE_40 = [(0, 80, "A"), (96, 160, "B"), (192, 216, "A"), (240, 320, "C")]


@pytest.fixture(scope="module")
def pyannote():
    return pytest.importorskip("pyannote.metrics.segmentation")


def annotation(spans):
    from pyannote.core import Annotation, Segment

    found = Annotation()
    for track, (on, off, who) in enumerate(spans):
        found[Segment(on / 8, off / 8), track] = who
    return found


def once(spans):
    """Segments without those that overlap another of the same speaker."""
    kept = []
    for on, off, who in spans:
        if all(off <= a or b <= on for a, b, other in kept if other == who):
            kept.append((on, off, who))
    return kept


def whole(pyannote):
    """All the time there is, as pyannote.metrics takes it."""
    from pyannote.core import Segment, Timeline

    return Timeline([Segment(0, 100)])


@given(
    ours=turns().map(once), theirs=turns().map(once), collar=st.integers(0, 4), skip=st.booleans()
)
def test_diarization(pyannote, ours, theirs, collar, skip):
    """Its collar is the whole width; of equally good mappings it has any, caesura the best."""
    from pyannote.metrics.diarization import DiarizationErrorRate, JaccardErrorRate

    how, sides = {"collar": 2 * collar / 8, "skip_overlap": skip}, (theirs, ours)
    parts = DiarizationErrorRate(**how)(*map(annotation, sides), uem=whole(pyannote), detailed=True)
    found = Diarization(collar * EIGHTH, skip).count(spoken(ours), spoken(theirs))
    names = {"speech": "total", "missed": "missed detection", "false_alarm": "false alarm"}
    for name, theirs_is in {**names, "confusion": "confusion"}.items():
        assert getattr(found, name) / 1e6 == pytest.approx(parts[theirs_is], abs=1e-9)
    if found.speech:
        assert found.der / 100 == pytest.approx(parts["diarization error rate"], abs=1e-9)
        jer = JaccardErrorRate(**how)(*map(annotation, sides), uem=whole(pyannote))
        errors = twin.diarization(ours, theirs, None, collar, skip)["errors"]
        assert found.jer / 100 == pytest.approx(float(min(errors) / found.speakers), abs=1e-9)
        rates = [float(each / found.speakers) for each in errors]
        assert min(abs(jer - each) for each in rates) < 1e-9


def test_one_speaker_twice_at_once(pyannote):
    """It counts a speaker who has two segments at once as two, and as overlap."""
    from pyannote.metrics.diarization import DiarizationErrorRate

    twice, one = [(0, 60, "A"), (40, 80, "A")], [(0, 80, "x")]
    sides = annotation(twice), annotation(one)
    parts = DiarizationErrorRate()(*sides, uem=whole(pyannote), detailed=True)
    assert (parts["total"], parts["missed detection"]) == (12.5, 2.5)
    skipped = DiarizationErrorRate(skip_overlap=True)
    assert skipped(*sides, uem=whole(pyannote), detailed=True)["total"] == 7.5
    found = Diarization().count(spoken(one), spoken(twice))
    assert (found.speech, found.missed) == (10_000_000, 0)


@given(ours=turns(), theirs=turns(), tolerance=TOLERANCES)
def test_purity_and_coverage(pyannote, ours, theirs, tolerance):
    metric = pyannote.SegmentationPurityCoverageFMeasure(tolerance=tolerance / 8)
    metric(annotation(theirs), annotation(ours))
    counts = Purity(tolerance * EIGHTH).count(spoken(ours), spoken(theirs))
    if counts.speech:
        found = counts.purity, counts.coverage, counts.f1
        assert found == pytest.approx(metric.compute_metrics(), abs=1e-12)


@given(sides=st.lists(st.tuples(turns(), turns()), min_size=1, max_size=3), tolerance=TOLERANCES)
def test_sums_over_recordings(pyannote, sides, tolerance):
    metric = pyannote.SegmentationPurity(tolerance=tolerance / 8)
    for ours, theirs in sides:
        metric(annotation(theirs), annotation(ours))
    counts = sum(
        Purity(tolerance * EIGHTH).count(spoken(ours), spoken(theirs)) for ours, theirs in sides
    )
    if counts.speech:
        assert counts.purity == pytest.approx(abs(metric), abs=1e-12)


@given(ours=turns(), theirs=turns(), tolerance=TOLERANCES)
def test_changes(pyannote, ours, theirs, tolerance):
    counts = Changes(tolerance * EIGHTH).count(spoken(ours), spoken(theirs))
    for name, own in (("Precision", counts.precision), ("Recall", counts.recall)):
        metric = getattr(pyannote, f"Segmentation{name}")(tolerance=tolerance / 8)
        found = metric(annotation(theirs), annotation(ours))
        assert math.isnan(own) if found == 1 and math.isnan(own) else own == pytest.approx(found)


def test_the_nearest_pair_may_leave_two_without_a_partner(pyannote):
    theirs, ours = [(0, 8, "A"), (8, 16, "B"), (16, 80, "A")], [(0, 15, "x"), (15, 22, "y")]
    ours += [(22, 80, "x")]
    metric = pyannote.SegmentationPrecision(tolerance=7 / 8)
    assert metric(annotation(theirs), annotation(ours)) == 0.5
    assert Changes(7 * EIGHTH).count(spoken(ours), spoken(theirs)).precision == 0.5


def test_nothing_is_perfect(pyannote):
    """Issue 24: without anything in common, pyannote.metrics has 1 where caesura has nothing."""
    metric = pyannote.SegmentationPurity()
    assert metric(annotation(ISSUE_40), annotation([])) == 1
    elsewhere = [(400, 480, "x")]
    assert metric(annotation(ISSUE_40), annotation(elsewhere)) == 1
    assert math.isnan(Purity().count(spoken(elsewhere), spoken(ISSUE_40)).purity)
    precision = pyannote.SegmentationPrecision()
    assert precision(annotation(ISSUE_40), annotation([(0, 320, "x")])) == 1
    assert math.isnan(Changes().count(spoken([(0, 320, "x")]), spoken(ISSUE_40)).precision)


def test_floats_are_a_little_apart(pyannote):
    from pyannote.core import Segment, Timeline

    from caesura.formats.nist import parse_rttm
    from caesura.formats.script import to_document
    from support.interval_files import speakers

    theirs, ours = [(0, 1, "A"), (1, 2, "B")], [(0, 1.1, "A"), (1.1, 2, "B")]
    sides = [Timeline([Segment(on, off) for on, off, _ in each]) for each in (theirs, ours)]
    assert pyannote.SegmentationPrecision(tolerance=0.1)(*sides) == 0
    documents = [to_document(parse_rttm(speakers(*each))[0]) for each in (ours, theirs)]
    assert Changes(100_000).count(*documents).precision == 1
