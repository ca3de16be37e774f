"""Diarization and Jaccard error rates."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.speakers.measures import PART, Diarization, DiarizationCounts
from caesura.core.segmentation import Document, Segmentation, Track, WordNames
from caesura.errors import FormatError
from support import reference_speakers as twin
from support.interval_files import EIGHTH, speakers, spoken, turns

GOLD = [(0, 80, "A"), (80, 144, "B"), (160, 200, "A")]
OURS = [(0, 83, "x"), (83, 112, "y"), (112, 200, "x")]


def regions_of(edges):
    edges = sorted(edges)[: len(edges) // 2 * 2]
    return list(zip(edges[::2], edges[1::2], strict=True))


REGIONS = st.none() | st.sets(st.integers(0, 80), min_size=2, max_size=4).map(regions_of)


def count(ours, theirs, regions=None, collar=0, skip_overlap=False):
    array = None if regions is None else np.array(regions) * EIGHTH
    sides = (caesura_document(side, array) for side in (ours, theirs))
    return Diarization(collar * EIGHTH, skip_overlap).count(*sides)


def caesura_document(side, regions):
    document = spoken(side)
    return Document(document.segmentation, track=document.track, regions=regions)


@given(turns(), turns(), REGIONS, st.integers(0, 4), st.booleans())
def test_errors_are_those_of_the_definition(ours, theirs, regions, collar, skip):
    found = count(ours, theirs, regions, collar, skip)
    wanted = twin.diarization(ours, theirs, regions, collar, skip)
    for name in ("speech", "missed", "false_alarm", "confusion", "mistaken"):
        assert getattr(found, name) == wanted[name] * EIGHTH, name
    assert found.speakers == wanted["speakers"]
    assert found.error == pytest.approx(float(PART * min(wanted["errors"])), abs=3)


@given(turns(), turns(), REGIONS)
def test_frames_are_those_of_dscore(ours, theirs, regions):
    found = count(ours, theirs, regions)
    fine = [[(on * 125, off * 125, who) for on, off, who in side] for side in (ours, theirs)]
    edges = None if regions is None else [(on * 125, off * 125) for on, off in regions]
    number, error = twin.dscore(*fine, edges, 10)
    assert found.frame_speakers == number
    assert found.frame_error == pytest.approx(float(PART * error), abs=3)


def test_by_hand():
    found = count(OURS, GOLD)
    # Of 23 s of speech, .375 + 4 s are of another speaker; 2 s are silent in the reference
    assert (found.speech, found.missed, found.false_alarm) == (184 * EIGHTH, 0, 16 * EIGHTH)
    assert found.confusion == (3 + 32) * EIGHTH
    assert found.der == found.der_md_eval == 100 * (16 + 3 + 32) / 184
    # A and x have 120 of 171 eighths in common, B and y 29 of 64
    errors = Fraction(51, 171) + Fraction(35, 64)
    assert found.jer == pytest.approx(float(50 * errors), abs=1e-9)
    assert count(OURS, GOLD, collar=3).confusion == (32 - 3) * EIGHTH


def test_one_speaker_speaks_once():
    """Segments of a speaker that overlap are one, in all counts."""
    twice = [(0, 60, "A"), (40, 80, "A")]
    once = [(0, 80, "A")]
    assert count(once, twice) == count(once, once)
    assert count(once, twice, skip_overlap=True).speech == 80 * EIGHTH
    # But each has its edges, as in md-eval and pyannote.metrics
    assert count(once, twice, collar=2).speech == (80 - 12) * EIGHTH


def test_md_eval_maps_speakers_over_all_time():
    """By all of the time x is A, by what is scored it is B, as in pyannote.metrics."""
    theirs = [(0, 8, "A"), (8, 16, "A"), (16, 24, "A"), (32, 46, "B")]
    ours = [(0, 24, "x"), (32, 46, "x")]
    found = count(ours, theirs, collar=3)
    assert found.speech == (2 + 2 + 2 + 8) * EIGHTH
    assert (found.confusion, found.mistaken) == (6 * EIGHTH, 8 * EIGHTH)
    assert found.der < found.der_md_eval


def test_nothing_to_find_is_undefined():
    nothing = count([(0, 8, "x")], [(0, 8, "A")], collar=8)
    assert nothing.speech == nothing.speakers == 0
    assert math.isnan(nothing.der)
    assert math.isnan(nothing.jer)
    assert DiarizationCounts.zero() + nothing == nothing


def test_too_many_speakers():
    size = 1001
    start = np.arange(size, dtype=np.int64) * 10
    names = WordNames(tuple(map(str, range(size))), np.arange(size))
    own = Document(
        Segmentation.from_masses(np.ones(size, np.int64)), track=Track(start, start + 9, names)
    )
    with pytest.raises(FormatError, match="1,001 speakers, more than 1,000 to map"):
        Diarization().count(own, own)


def test_many_segments():
    size = 200_000
    start = np.arange(size, dtype=np.int64) * 10
    names = WordNames(("a", "b", "c"), np.arange(size) % 3)
    own = Document(
        Segmentation.from_masses(np.ones(size, np.int64)), track=Track(start, start + 12, names)
    )
    found = Diarization().count(own, own)
    assert (found.speech, found.confusion, found.error) == (12 * size, 0, 0)


@pytest.fixture
def files(folder):
    one, other = [(0, 4, "A"), (4, 9, "B")], [(0, 2, "A"), (2, 3, "B"), (3, 5, "A")]
    folder(
        **{
            "gold.rttm": speakers(*one) + speakers(*other, recording="other"),
            "ours.rttm": speakers((0, 9, "x")) + speakers((1, 5, "x"), recording="other"),
        }
    )


def test_recordings_add_up(files, run):
    status, out, _ = run("score", "speakers", "ours.rttm", "--gold", "gold.rttm", "-f", "json")
    (system,) = json.loads(out)["systems"]
    assert status == 0
    errors = {key: system["micro"][key] for key in ("missed", "false_alarm", "confusion", "speech")}
    assert errors == {"missed": 1, "false_alarm": 0, "confusion": 5, "speech": 14}
    assert system["micro"]["der"] == pytest.approx(100 * 6 / 14)
    # x against B in the first recording, against A in the second
    assert system["micro"]["jer"] == pytest.approx(100 * (1 + 4 / 9 + 2 / 5 + 1) / 4)
    first, second = (system["by_document"][name]["der"] for name in ("talk", "other"))
    assert system["macro"]["der"] == pytest.approx((first + second) / 2)


def test_options(files, run):
    command = ("score", "speakers", "ours.rttm", "--gold", "gold.rttm")
    for value in ("0.25", ".25", "250ms", "0.25s"):
        status, out, _ = run(*command, "--collar", value, "--skip-overlap")
        assert (status, "collar:0.25s|overlap:skip" in out) == (0, True)
    status, _, error = run(*command, "--collar", "x")
    assert (status, error) == (2, "error: --collar: 'x' is not a time (0.25, 0.25s, 200ms)\n")
    status, _, error = run(*command, "--fail-over", "der=40")
    assert (status, error) == (3, "error: ours: der 42.857 is over 40\n")
    found = caesura.evaluate("ours.rttm", gold="gold.rttm", profile="speakers", collar=0.25)
    assert found.systems["ours"].speech == pytest.approx(14 - 1 - 1.5)


def test_the_figures_of_the_programs(shared, run):
    """What md-eval, pyannote.metrics and dscore print of dscore's own example."""
    folder = shared / "data" / "events" / "speakers"
    command = ("score", "speakers", str(folder / "sys.rttm"), "--gold", str(folder / "ref.rttm"))
    expected = {
        (): (26.39309, 33.21709),
        ("--skip-overlap",): (23.35586, 33.65065),
        ("--collar", "0.25"): (24.01136, 32.02404),
        ("--collar", "0.25", "--skip-overlap"): (21.53287, 33.55759),
    }
    for more, figures in expected.items():
        _, out, _ = run(*command, "--uem", str(folder / "all.uem"), *more, "-f", "json")
        micro = json.loads(out)["systems"][0]["micro"]
        assert (micro["der"], micro["jer"]) == pytest.approx(figures, abs=5e-6)
        assert micro["jer_dscore"] == pytest.approx(33.24631, abs=5e-6)
        assert micro["der_md_eval"] == micro["der"]
