"""Points and intervals without words: every measure against a slow twin, and whole runs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align.versions import Versions
from caesura.core.batch import SegmentationBatch
from caesura.core.segmentation import Segmentation
from caesura.errors import CaesuraError
from caesura.measures.geometry import CellGrid
from support.reference_matching import matches_within
from support.reference_signals import counting, on_grid
from support.results import result

EXTENT = 40
points = st.lists(st.integers(0, EXTENT), max_size=12)
pairs = st.tuples(points, points)


@given(pairs, st.integers(0, 5), st.sampled_from(["trim", "keep"]))
def test_boundaries_are_matched_one_to_one(sides, tolerance, edges):
    one, other = (caesura.times(np.array(each, int), n=EXTENT) for each in sides)
    ours, theirs = (counting(each, EXTENT, edges) for each in sides)
    counts = caesura.boundary(one, other, tolerance=tolerance, edges=edges).counts
    tp = matches_within(ours, theirs, tolerance)
    assert (counts.tp, counts.fp, counts.fn) == (tp, len(ours) - tp, len(theirs) - tp)


@given(pairs, st.integers(1, 9), st.booleans())
def test_a_grid_is_an_axis_of_cells(sides, step, of_samples):
    how = {"n": EXTENT} if of_samples else {"duration": EXTENT}
    one, other = (caesura.times(each, **how) for each in sides)
    cells = step if of_samples else f"{step}s"
    scale = 1 if of_samples else 10**6
    ours, theirs = (
        on_grid([at * scale for at in each], EXTENT * scale, step * scale, of_samples=of_samples)
        for each in sides
    )
    for score in (caesura.pk, caesura.windowdiff, caesura.boundary_similarity):
        assert score(one, other, step=cells).counts == score(ours, theirs).counts
    found, wanted = caesura.agreement([one, other], step=cells), caesura.agreement([ours, theirs])
    for key in ("fleiss_kappa", "krippendorff_alpha"):
        assert getattr(found, key) == pytest.approx(getattr(wanted, key), nan_ok=True)
    kappa = caesura.cohen_kappa(one, other, step=cells).score
    assert kappa == pytest.approx(caesura.cohen_kappa(ours, theirs).score, nan_ok=True)


@given(st.lists(points, min_size=1, max_size=4), st.integers(1, 7))
def test_many_documents_on_a_grid(documents, step):
    each = [
        Segmentation(EXTENT + 2, np.array([*sorted(set(own)), EXTENT + 1])) for own in documents
    ]
    batch = CellGrid(step).batch(SegmentationBatch.from_segmentations(each))
    for at, own in enumerate(documents):
        cells = on_grid(own, EXTENT, step, of_samples=False)
        assert batch.segmentation(at) == Segmentation.from_binary(cells)


@given(st.lists(st.integers(1, EXTENT - 1), unique=True, max_size=12), st.data())
def test_samples_are_items_without_words(own, data):
    other = data.draw(st.lists(st.integers(1, EXTENT - 1), unique=True, max_size=12))
    one, two = (caesura.times(sorted(each), n=EXTENT) for each in (own, other))
    masses = [
        caesura.masses([b - a for a, b in pairwise([0, *sorted(each), EXTENT])])
        for each in (own, other)
    ]
    assert caesura.pk(one, two).counts == caesura.pk(*masses).counts
    assert (
        caesura.wisebe(one, [two, one], tolerance=0).counts
        == caesura.wisebe(masses[0], [masses[1], masses[0]]).counts
    )


@pytest.fixture
def series(folder):
    people = '{"apple": {"6": [319], "7": [53, 319]}, "bank": {"6": [100], "8": []}}'
    system = '{"apple": [320], "bank": [99, 400]}'
    folder(**{"people.json": people, "lengths.tsv": "bank\t581\n", "system.json": system})


@pytest.mark.usefixtures("series")
def test_series_whose_annotators_vary_in_one_command(run):
    command = ("--axis", "samples", "--lengths", "lengths.tsv", "--missing", "vary")
    found = result(run, "agreement", "people.json", *command)
    assert found["references"] == ["6", "7", "8"]
    assert "|axis:samples|step:1|edges:trim|lengths:lengths" in found["signature"]
    assert found["agreement"]["rgar"] == pytest.approx(2 / 6)
    assert found["agreement"]["cohen_kappa_mean"] is not None
    _, _, notes = run("agreement", "people.json", *command, notes=True)
    assert "ending at the last end of any version, since no length is given: 1 document" in notes
    ours = ("transcript", "system.json", "--ref", "people.json", "--tolerance", "1")
    against = result(run, *ours, *command)["systems"][0]["by_reference"]["6"]
    assert (against["tp"], against["slots"]) == (2, 320 + 580)


@pytest.mark.usefixtures("series")
def test_what_does_not_fit_is_one_line(run):
    cases = {
        ("--axis", "words"): "segments without words; compare the times, with --axis",
        ("--axis", "samples", "--n", "300"): "beyond the length of 300 samples",
        ("--axis", "samples", "--duration", "9s"): "--duration needs --axis time",
        ("--axis", "samples", "--step", "0"): "--step: '0' is too small",
        ("--step", "2"): "--step needs --axis time or --axis samples",
        ("--axis", "samples", "--align"): "--align has no effect with --axis samples",
    }
    command = ("agreement", "people.json", "--input", "times", "--missing", "vary")
    for options, message in cases.items():
        status, out, error = run(*command, *options)
        assert (status in (1, 2), out) == (True, "")
        assert message in error
        assert error.count("\n") == 1 or "warning" in error


def test_python_takes_lists_on_an_axis():
    found = caesura.evaluate(
        {"s": [120.5, 300.0]}, {"r": [125.0, 310.0]}, axis="time", tolerance="5s"
    )
    assert found.systems["s"].f1_mean == 0.5
    with pytest.raises(CaesuraError, match=r"caesura.times\(\[1.5, 4\]\)"):
        caesura.boundary([120.5, 300.0], [125.0, 310.0])
    with pytest.raises(CaesuraError, match="'-1' is not a time"):
        caesura.times([-1])
    with pytest.raises(CaesuraError, match="length of 0"):
        caesura.times([], duration=0)
    with pytest.raises(CaesuraError, match=r"a length of 0; .* with duration=… or lengths=…"):
        caesura.boundary(caesura.times([]), caesura.times([]))


def test_the_extent_of_versions():
    sides = caesura.labels([(0, 9, "a")]), caesura.times([4, 9])
    on = Versions({"one": sides[0]}, {"two": sides[1]}).on_clock()
    assert on.systems["two"].segmentation.positions().tolist() == [4 * 10**6, 9 * 10**6]
    assert on.references["one"].segmentation.positions().tolist() == [9 * 10**6]


@pytest.mark.parametrize(("axis", "tolerance"), [("time", "0.5s"), ("samples", 5)])
def test_a_copy_of_the_references_is_perfect(axis, tolerance):
    times = (0, 1, 1.3, 5) if axis == "time" else (0, 10, 13, 50)
    length = {} if axis == "time" else {"n": 50}
    copy = caesura.labels([(on, off, "A") for on, off in pairwise(times)], **length)
    found = caesura.evaluate({"s": copy}, {"q": copy, "r": copy}, axis=axis, tolerance=tolerance)
    own = found.systems["s"]
    assert (own.consensus_f1, own.ser_either, own.rgar) == (1, 0, 1)
