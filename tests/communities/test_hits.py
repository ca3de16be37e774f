"""Programs of phone and word segmentation: hits and tokens, each with a twin."""

import json
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.phones.measures import Edges, IntervalTokens, Kamper, Strgar, UnsupSeg
from caesura.core.segmentation import Document, Segmentation, Track
from caesura.errors import FormatError
from support import reference_phones as twin

FRAME = 10_000
FRAMES = st.lists(st.integers(1, 60), min_size=1, max_size=20, unique=True).map(sorted)
REACH = st.integers(0, 4)


def placed(frames):
    """Boundaries at frames, with an end that is dropped."""
    return Segmentation.from_positions([each * FRAME for each in frames], 100 * FRAME)


def timed(intervals):
    """A document of intervals in frames."""
    start, end = (np.array(side, np.int64) * FRAME for side in zip(*intervals, strict=True))
    length = len(intervals)
    return Document(Segmentation(length, np.arange(length)), track=Track(start, end))


@given(ours=FRAMES, theirs=FRAMES, reach=REACH)
def test_hits_of_the_programs(ours, theirs, reach):
    sizes, sides = (len(ours), len(theirs)), (placed(ours), placed(theirs))
    wanted = twin.scores(twin.lenient(ours, theirs, reach), *sizes, 1e-5, 1e-7)
    assert tuple(UnsupSeg(reach * FRAME).count(*sides).unsupseg) == wanted
    found = Strgar(reach * FRAME).count(*sides)
    assert tuple(found.lenient) == twin.scores(
        twin.lenient(ours, theirs, reach), *sizes, 1e-8, 1e-8
    )
    assert tuple(found.harsh) == twin.scores(twin.harsh(ours, theirs, reach), *sizes, 1e-8, 1e-8)


def test_no_gold_boundary_is_undefined():
    found = UnsupSeg().count(placed([3]), placed([]))
    assert all(map(math.isnan, found.unsupseg))
    assert UnsupSeg().count(placed([]), placed([3])).unsupseg.r_value == pytest.approx(0.2928932)


@given(ours=FRAMES, theirs=FRAMES, reach=REACH)
def test_kamper_counts_the_ends_of_intervals(ours, theirs, reach):
    sides = [timed([*zip([0, *each], each, strict=False)]) for each in (ours, theirs)]
    found = Kamper(reach * FRAME).count(*sides)
    boundaries = twin.kamper_boundaries(ours, theirs, reach)
    tokens = twin.kamper_tokens(ours, theirs, reach)
    assert (found.hits, found.placed, found.wanted) == boundaries
    assert (found.token_hits, found.token_placed, found.token_wanted) == tokens
    for own, counts in ((found.kamper, boundaries), (found.tokens_kamper, tokens)):
        expected = twin.known(*counts)
        if counts[2]:
            assert own == pytest.approx(expected, nan_ok=True, abs=1e-15)


INTERVALS = FRAMES.filter(lambda each: len(each) > 1).map(
    lambda each: (
        [(a, b) for at, (a, b) in enumerate(pairwise(each)) if at % 3] or [(each[0], each[1])]
    )
)


@given(ours=INTERVALS, theirs=INTERVALS, reach=REACH)
def test_tokens_with_gaps(ours, theirs, reach):
    found = IntervalTokens(reach * FRAME).count(timed(ours), timed(theirs))
    assert found.tp == twin.tokens(ours, theirs, reach)
    assert (found.tp + found.fp, found.tp + found.fn) == (len(ours), len(theirs))


def test_a_gap_is_part_of_the_token_after_it():
    """Gold 0–10, 20–30; the system has the second word from 10 on."""
    gold, ours = timed([(0, 10), (20, 30)]), timed([(0, 10), (10, 30)])
    assert IntervalTokens().count(ours, gold).f1 == 1 / 2
    assert Kamper().count(ours, gold).tokens_kamper.f1 == 1


def test_intervals_in_others_are_loud():
    with pytest.raises(FormatError, match="an interval inside another"):
        Edges.from_document(timed([(0, 9), (2, 5)]))
    with pytest.raises(FormatError, match="no intervals with times"):
        Edges.from_document(Document(Segmentation.from_masses([1])))


def test_an_interval_counts_if_one_region_holds_it():
    regions = np.array([[0, 3], [5, 9]]) * FRAME
    document = replace(timed([(0, 3), (3, 6), (6, 9)]), regions=regions)
    assert Edges.from_document(document).ends.tolist() == [3 * FRAME, 9 * FRAME]


def test_the_profile_has_them_under_their_names(run, folder):
    """Two boundaries beside one: both right in UnsupSeg, whose R-value is 1 then."""
    folder(
        **{
            "gold.phn": "s 0.0 0.1 a\ns 0.1 0.5 b\n",
            "ours.phn": "s 0.0 0.09 a\ns 0.09 0.11 b\ns 0.11 0.5 c\n",
        }
    )
    command = ("score", "phones", "ours.phn", "--gold", "gold.phn")
    also = [part for name in ("strgar", "tokens", "kamper") for part in ("--also", name)]
    found = json.loads(run(*command, *also, "-f", "json")[1])["systems"][0]["micro"]
    r_value = 1 - (1 + math.sqrt(0.5)) / 2
    assert found["r_value"] == found["r_value_kamper"] == pytest.approx(r_value)
    assert found["r_value_harsh"] == pytest.approx(r_value, abs=1e-7)
    assert found["r_value_unsupseg"] == 0.9999926549531682
    assert found["r_value_lenient"] == pytest.approx(1)
    assert (found["token_f1"], found["f1_tokens_kamper"]) == (0.8, 0.8)
    _, out, _ = run(*command)
    assert "R-value (UnsupSeg)" in out
    assert "harsh" not in out
