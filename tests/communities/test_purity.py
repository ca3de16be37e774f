"""Purity and coverage of segments, and changes of speaker."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.speakers.measures import Changes, Purity, PurityCounts, turns_of
from caesura.core.segmentation import Document, Segmentation, Track
from caesura.errors import TimesError
from caesura.formats.plain import parse
from support import reference_times
from support.interval_files import EIGHTH, speakers, spoken, turns

TOLERANCES = st.integers(0, 20)
REFERENCE = [(0, 80, "A"), (96, 160, "B"), (192, 216, "A"), (240, 320, "C")]
"""The example of pyannote-metrics issue 40, in eighths of a second."""


@given(turns(), turns(), TOLERANCES)
def test_purity_equals_its_twin(ours, theirs, tolerance):
    found = Purity(tolerance * EIGHTH).count(spoken(ours), spoken(theirs))
    expected = reference_times.purity(ours, theirs, tolerance)
    assert (found.speech, found.pure, found.covered) == tuple(each * EIGHTH for each in expected)


@given(turns(), turns(), TOLERANCES)
def test_changes_equal_their_twin(ours, theirs, tolerance):
    sides = [
        [end for _, end in sorted({(on, off) for on, off, _ in side})][:-1]
        for side in (theirs, ours)
    ]
    right = len(reference_times.nearest_first(*sides, tolerance))
    found = len(reference_times.nearest_first(*sides[::-1], tolerance))
    expected = Changes.counts(right, len(sides[1]), found, len(sides[0]))
    assert Changes(tolerance * EIGHTH).count(spoken(ours), spoken(theirs)) == expected


@given(turns())
def test_a_system_that_is_the_reference(theirs):
    found = Purity().count(spoken(theirs), spoken(theirs))
    assert found.pure == found.speech > 0
    in_turn = [(10 * at, 10 * at + 9, who) for at, (_, _, who) in enumerate(theirs)]
    found = Purity(0).count(spoken(in_turn), spoken(in_turn))
    assert found.covered == found.speech
    assert found.f1 == 1


def test_by_hand():
    theirs, ours = [(0, 40, "A"), (40, 80, "B")], [(0, 50, "x"), (50, 80, "y")]
    found = Purity().count(spoken(ours), spoken(theirs))
    assert (found.purity, found.coverage) == (70 / 80, 70 / 80)
    one = Purity().count(spoken([(0, 80, "x")]), spoken(theirs))
    assert (one.purity, one.coverage, one.f1) == (0.5, 1, 2 / 3)
    halves = [(at, at + 10, "x") for at in range(0, 80, 10)]
    many = Purity().count(spoken(halves), spoken(theirs))
    assert (many.purity, many.coverage) == (1, 0.25)


def test_one_segment_is_pure_where_the_reference_pauses():
    one = Purity().count(spoken([(0, 320, "x")]), spoken(REFERENCE))
    assert (one.purity, one.coverage) == (1, 1)


def test_nothing_in_common_is_undefined():
    found = Purity().count(spoken([(0, 8, "x")]), spoken([(16, 24, "A")]))
    assert found == PurityCounts.zero()
    assert all(map(math.isnan, (found.purity, found.coverage, found.f1)))
    alone = Changes().count(spoken([(0, 8, "x")]), spoken(REFERENCE))
    assert alone == Changes.counts(0, 0, 0, 3)
    assert math.isnan(alone.precision)
    assert (alone.recall, alone.f1) == (0, 0)


@pytest.mark.parametrize(("pause", "is_filled"), [(3, True), (4, False), (0, True)])
def test_short_pauses_of_a_speaker_are_filled(pause, is_filled):
    theirs = [(0, 40, "A"), (40 + pause, 80, "A")]
    found = Purity(4 * EIGHTH).count(spoken([(0, 40, "x"), (40, 80, "y")]), spoken(theirs))
    assert (found.coverage < 1) == is_filled
    assert found.speech == (80 if is_filled else 80 - pause) * EIGHTH


@given(turns(), turns(), st.sets(st.integers(0, 80), min_size=2, max_size=6))
def test_regions_cut_both_sides(ours, theirs, edges):
    edges = sorted(edges)[: len(edges) // 2 * 2]
    regions = list(zip(edges[::2], edges[1::2], strict=True))

    def cut(side):
        return [
            (max(on, start), min(off, end), who)
            for on, off, who in side
            for start, end in regions
            if max(on, start) < min(off, end)
        ]

    array = np.array(regions) * EIGHTH
    documents = [spoken(side) for side in (ours, theirs)]
    inside = [turns_of(each).within(array) for each in documents]
    for found, side in zip(inside, (ours, theirs), strict=True):
        starts, ends = (np.array(found.start) // EIGHTH, np.array(found.end) // EIGHTH)
        spans = sorted((on, off) for on, off, _ in cut(side))
        assert sorted(zip(starts.tolist(), ends.tolist(), strict=True)) == spans


def test_units_of_words_are_segments():
    start, end = np.array([0, 1, 5]) * 10**6, np.array([1, 4, 9]) * 10**6
    words = Document(Segmentation.from_masses([2, 1]), "a b c", track=Track(start, end))
    found = turns_of(words)
    assert (found.start.tolist(), found.end.tolist()) == ([0, 5 * 10**6], [4 * 10**6, 9 * 10**6])


def test_times_are_needed():
    with pytest.raises(TimesError):
        Purity().count(parse("a b."), spoken(REFERENCE))
    start = np.array([0, -1])
    unknown = Document(Segmentation.from_masses([1, 1]), track=Track(start, start + 1))
    with pytest.raises(TimesError):
        Changes().count(unknown, spoken(REFERENCE))


def test_recordings_add_up(folder):
    one, other = [(0, 4, "A"), (4, 9, "B")], [(0, 2, "A"), (2, 3, "B"), (3, 5, "A")]
    gold = speakers(*one) + speakers(*other, recording="other")
    ours = speakers((0, 9, "x")) + speakers((0, 2, "x"), (2, 5, "y"), recording="other")
    folder(**{"gold.rttm": gold, "ours.rttm": ours})
    found = caesura.evaluate("ours.rttm", gold="gold.rttm", profile="speakers").systems["ours"]
    assert (found.precision, found.recall, found.f1) == (1, 1 / 3, 0.5)
    assert (found.purity, found.coverage) == ((5 + 2 + 2) / 14, 1)
    assert found.purity_coverage_f1 == pytest.approx(2 * 9 / 14 / (1 + 9 / 14))


def test_regions_of_purity(folder):
    folder(
        **{
            "gold.rttm": speakers((0, 4, "A"), (4, 9, "B")),
            "ours.rttm": speakers((0, 9, "x")),
            "gold.uem": "talk 1 3 5\n",
        }
    )
    found = caesura.evaluate("ours.rttm", gold="gold.rttm", profile="speakers", uem="gold.uem")
    assert (found.systems["ours"].purity, found.systems["ours"].recall) == (0.5, 0)


def test_many_segments():
    size = 200_000
    start = np.arange(size, dtype=np.int64) * 10
    document = Document(
        Segmentation.from_masses(np.ones(size, np.int64)), track=Track(start, start + 9)
    )
    found = Purity(0).count(document, document)
    assert found.pure == found.covered == found.speech == 9 * size
    assert Changes(3).count(document, document).precision == 1
