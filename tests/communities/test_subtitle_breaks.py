"""Line breaks and block breaks, each type by itself; and lines that correspond."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align.versions import with_line_ends
from caesura.communities.subtitles.measures import BreakCounts, Breaks
from caesura.formats.plain import parse
from support import reference_subtitles as twin

GAPS = st.sampled_from([[], [], ["<eol>"], ["<eob>"]])


@st.composite
def versions(draw):
    """Two segmentations of the same words, on lines."""
    size = draw(st.integers(1, 12))

    def version():
        gaps = draw(st.lists(GAPS, min_size=size, max_size=size))
        return [" ".join(token for at, gap in enumerate(gaps) for token in (f"w{at}", *gap))]

    return version(), version()


@given(versions())
def test_the_twin_agrees(pair):
    ours, theirs = (parse("\n".join(each), "breaks").segmentation for each in pair)
    counts = Breaks(final="keep").count(ours, theirs)
    for kind, found in (("<eol>", counts.eol), ("<eob>", counts.eob)):
        wanted = twin.by_type(*pair, kind)
        assert (found.precision, found.recall, found.f1) == pytest.approx(wanted, nan_ok=True)


def test_segmentations_without_types_have_no_breaks():
    plain, typed = caesura.masses([2, 1]), parse("a b <eol> c <eob>").segmentation
    assert Breaks().count(plain, typed) == BreakCounts(0, 0, 1, 0, 0, 0)


def test_lines_that_correspond_are_aligned_by_themselves():
    """The same words in another line do not count, and ends of lines meet."""
    ref = ["it rained <eol> all night <eob>", "then we left <eob>", "so <eob>"]
    ours = ["rain <eob>", "it rained <eol> all night then they went <eob>", "so <eob>"]
    found = caesura.evaluate({"ours": ours}, gold={"ref": ref}, profile="subtitles")
    scores = found.systems["ours"].micro
    assert scores["eob_f1"] == 1
    assert scores["recall"] == 3 / 4


def test_the_end_of_a_block_is_the_end_of_its_last_line():
    """Breaks that are projected onto one word."""
    ref, ours = (
        ["it rained <eob>", "so <eob>"],
        ["it <eol> rained hard <eol> all night <eob>", "so"],
    )
    found = caesura.evaluate({"ours": ours}, gold={"ref": ref}, profile="subtitles")
    assert found.systems["ours"].micro["eob_f1"] == 2 / 3


def test_ends_of_lines_land_at_ends_of_lines():
    edges = np.array([0, 2, 2, 5]), np.array([0, 3, 4, 6])
    landed = with_line_ends(np.array([0, 1, 4]), np.array([0, 1, 3]), *edges)
    assert landed.tolist() == [0, 2, 4]
