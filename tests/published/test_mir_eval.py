"""The structure of music as mir_eval.segment scores it, on random tracks."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caesura import labels
from caesura.communities.music import SCORES
from caesura.communities.music.measure import Music


@pytest.fixture(scope="module")
def segment():
    return pytest.importorskip("mir_eval.segment")


lengths = st.lists(st.integers(1, 80), min_size=1, max_size=8)
"""The lengths of sections in eighths of a second, which floats hold exactly."""


@st.composite
def tracks(draw):
    """Sections one after another from 0 on, with the same label in upper and lower case."""
    edges = [0, *itertools.accumulate(draw(lengths))]
    names = draw(st.lists(st.sampled_from("abcA"), min_size=len(edges), max_size=len(edges)))
    return [
        (on / 8, off / 8, name)
        for (on, off), name in zip(itertools.pairwise(edges), names, strict=False)
    ]


def as_mir_eval(track):
    return np.array([each[:2] for each in track]), [name for *_, name in track]


def is_taken(ours, theirs):
    """Whether mir_eval takes both: no boundary of ours is where theirs end."""
    return theirs[-1][1] not in {end for _, end, _ in ours[:-1]}


@given(ours=tracks(), theirs=tracks())
def test_all_scores(segment, ours, theirs):
    """If a side has one label, its NMI is a rounding error divided by 10⁻¹⁰, and caesura's 0."""
    assume(is_taken(ours, theirs))
    counts = Music().count(labels(ours), labels(theirs))
    with np.errstate(all="ignore"):
        wanted = segment.evaluate(*as_mir_eval(theirs), *as_mir_eval(ours))
    for _, name, _, field in SCORES:
        near = 1e-4 if name.startswith("Normalized") and not counts.value(field) else 1e-9
        assert counts.value(field) == pytest.approx(wanted[name], abs=near, nan_ok=True), name


def test_it_refuses_an_estimate_with_a_boundary_at_the_end_of_the_reference(segment):
    ours, theirs = [(0, 2, "a"), (2, 4, "b"), (4, 9, "a")], [(0, 4, "a")]
    with pytest.raises(ValueError, match="durations must be strictly positive"):
        segment.evaluate(*as_mir_eval(theirs), *as_mir_eval(ours))
    counts = Music().count(labels(ours), labels(theirs))
    assert (counts.value("precision_05"), counts.value("recall_05")) == pytest.approx((2 / 3, 1))


@pytest.mark.filterwarnings("ignore:.* intervals are empty:UserWarning")
@given(ours=tracks(), theirs=tracks())
def test_boundaries_without_edges(segment, ours, theirs):
    util = pytest.importorskip("mir_eval.util")
    assume(is_taken(ours, theirs))
    counts = Music(edges="trim").count(labels(ours), labels(theirs))
    other, one = as_mir_eval(theirs)[0], as_mir_eval(ours)
    fitted, _ = util.adjust_intervals(one[0], labels=one[1], t_min=0.0, t_max=other.max())
    for window, name in ((0.5, "05"), (3.0, "3")):
        wanted = segment.detection(other, fitted, window=window, trim=True)
        found = [counts.value(f"{each}_{name}") for each in ("precision", "recall", "f")]
        assert found == pytest.approx(wanted, abs=1e-9)
    wanted = segment.deviation(other, fitted, trim=True)
    found = [float(counts.value(each)) for each in ("ref_to_est", "est_to_ref")]
    assert [math.isnan(each) for each in found] == [math.isnan(each) for each in wanted]
    assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True)
