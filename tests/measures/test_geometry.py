"""Measures on the axis of time, against slow twins that look at every pair of moments."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.phones.measures import Deviation
from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.segmentation import Panel, Segmentation
from caesura.errors import SegmentationError
from caesura.measures.agreement import Agreement
from caesura.measures.boundary import Boundary, Consensus, Either
from caesura.measures.geometry import ClockAxis
from caesura.measures.wisebe import Wisebe
from support import reference_transcript as reference
from support.reference_matching import matches_within
from support.reference_signals import consensus, either, grouped
from support.strategies import FINALS, each_of

MOMENTS = st.sets(st.integers(0, 60), min_size=1, max_size=9).map(sorted)
TOLERANCES = st.integers(0, 8)


def clocked(*members):
    return [Segmentation(100, np.array(each, dtype=np.int64)) for each in members]


def counted(each, final):
    return each if final == "keep" else each[:-1]


@given(MOMENTS, MOMENTS, TOLERANCES, FINALS)
def test_pairs(ours, theirs, tolerance, final):
    a, b = counted(ours, final), counted(theirs, final)
    tp = matches_within(a, b, tolerance)
    pair = clocked(ours, theirs)
    found = Boundary(final, ClockAxis(tolerance)).count(*pair)
    assert (found.tp, found.fp, found.fn, found.slots) == (tp, len(a) - tp, len(b) - tp, 0)
    assert np.isnan(found.cer)
    assert np.isnan(found.kappa)


@given(MOMENTS, st.lists(MOMENTS, min_size=1, max_size=4), st.integers(0, 12), TOLERANCES, FINALS)
def test_wisebe(ours, theirs, limit, tolerance, final):
    placed, references = counted(ours, final), [counted(each, final) for each in theirs]
    windows = reference.reference_windows(list(map(set, references)), limit)
    inside, hit, distance = 0, set(), 0
    for moment in placed:
        apart = [max(0, on - moment, moment - off) for on, off in windows]
        if apart and min(apart) <= tolerance:
            inside += 1
            hit.add(apart.index(min(apart)))
        elif apart:
            distance += min(apart)
    groups = grouped(references, tolerance)
    several = len(theirs) > 1
    found, samples = (
        Wisebe(limit, final, ClockAxis(tolerance, of_samples)).count(
            clocked(ours)[0], Panel(tuple(clocked(*theirs)))
        )
        for of_samples in (False, True)
    )
    assert (found.inside, found.candidates, found.windows) == (inside, len(placed), len(windows))
    assert (found.hit, found.distance, samples.distance) == (len(hit), -1, distance)
    assert found.rgpb == several * sum(len(group) for group in groups if len(group) > 1)
    assert found.rgha == several * len(theirs) * len(groups)
    agreement = Agreement(final, ClockAxis(tolerance)).count(Panel(tuple(clocked(*theirs))))
    assert (agreement.rgpb, agreement.rgha) == (found.rgpb, found.rgha)
    assert np.isnan(agreement.fleiss_kappa)


@given(MOMENTS, st.lists(MOMENTS, min_size=1, max_size=4), TOLERANCES, FINALS, st.integers(0, 4))
def test_consensus_and_either(ours, theirs, tolerance, final, least):
    placed, references = counted(ours, final), [counted(each, final) for each in theirs]
    least = min(least, len(theirs))
    panel, candidate = Panel(tuple(clocked(*theirs))), clocked(ours)[0]
    found = Consensus(least, final, ClockAxis(tolerance)).count(candidate, panel)
    needed = least or len(theirs) // 2 + 1
    assert (found.tp, found.fp, found.fn) == consensus(placed, references, tolerance, needed)
    fp, fn = either(placed, references, tolerance)
    counts = Either(final, ClockAxis(tolerance)).count(candidate, panel)
    assert (counts.fp, counts.fn, counts.boundaries) == (fp, fn, sum(map(len, references)))
    assert counts.errors == len(theirs) * (fp + fn)


DOCUMENTS = st.lists(st.lists(st.sets(st.integers(0, 60)).map(sorted), min_size=4, max_size=4))


def ended(document):
    """The versions of a document on a clock, with the end that all of them share."""
    end = max([moment for each in document for moment in each], default=0) + 1
    return [Segmentation(end + 1, np.array([*each, end])) for each in document]


@given(DOCUMENTS.filter(bool), TOLERANCES | st.just(200), st.integers(0, 12) | st.just(200))
def test_many_documents_are_counted_as_each_alone(drawn, tolerance, window):
    found, axis = list(map(ended, drawn)), ClockAxis(tolerance)
    ours, *theirs = (
        SegmentationBatch.from_segmentations(each) for each in zip(*found, strict=True)
    )
    panel = PanelBatch.from_members(theirs)
    for measure, batch in (
        (Boundary(axis=axis), (ours, theirs[0])),
        (Wisebe(window, axis=axis), (ours, panel)),
        (Consensus(axis=axis), (ours, panel)),
        (Either(axis=axis), (ours, panel)),
        (Agreement(axis=axis), (panel,)),
        (Deviation(tolerance), (ours, theirs[0])),
    ):
        sides = {
            "pair": lambda each: each[:2],
            "panel": lambda each: (each[0], Panel(tuple(each[1:]))),
            "references": lambda each: (Panel(tuple(each[1:])),),
        }[measure.kind]
        alone = [measure.count(*sides(each)) for each in found]
        assert each_of(measure.count_each(*batch), len(found)) == alone


@given(st.lists(st.sets(st.integers(0, 60)).map(sorted), min_size=2, max_size=5), TOLERANCES)
def test_pairs_of_references(drawn, tolerance):
    members, measure = ended(drawn), Boundary(axis=ClockAxis(tolerance))
    rows = zip(measure.count_pairs(members), range(len(members) - 1, 0, -1), strict=True)
    found = [each for row, size in rows for each in each_of(row, size)]
    assert found == [measure.count(a, b) for a, b in combinations(members, 2)]


def test_documents_of_a_batch_end_together():
    batches = [
        SegmentationBatch.from_segmentations(ended(each)) for each in ([[1], [2]], [[1], [5]])
    ]
    with pytest.raises(SegmentationError, match="4 items cannot be compared with 7"):
        Boundary(axis=ClockAxis(2)).count_each(*batches)


@pytest.mark.parametrize(
    ("ours", "fp", "fn", "ser", "f1"),
    [
        ([8], 0, 1, 1, 0),
        ([13], 0, 1, 1, 0),
        ([9], 0, 0, 0, 1),
        ([8, 9, 10, 11, 12, 13], 5, 0, 5, 2 / 7),
    ],
)
def test_a_group_lies_at_the_exact_mean_and_excuses_one_boundary(ours, fp, fn, ser, f1):
    candidate, *references = clocked([*ours, 99], [10, 99], [11, 99])
    panel, axis = Panel(tuple(references)), ClockAxis(2)
    counts = Either(axis=axis).count(candidate, panel)
    assert (counts.fp, counts.fn, counts.ser) == (fp, fn, ser)
    assert Consensus(axis=axis).count(candidate, panel).f1 == pytest.approx(f1)


def test_groups_of_nested_spans():
    # 0 and 2 are one group, 1 another, whose span lies within that of the first
    candidate, *references = clocked([4, 99], [0, 1, 99], [2, 99])
    counts = Either(axis=ClockAxis(2)).count(candidate, Panel(tuple(references)))
    assert (counts.fp, counts.fn) == (0, 1)


def test_nothing_at_all():
    empty = Segmentation(0, np.empty(0, np.int64))
    panel = Panel((empty, empty))
    counts = Wisebe(10, axis=ClockAxis(5)).count(empty, panel)
    assert (counts.candidates, counts.windows, counts.rgha) == (0, 0, 0)
    assert Either(axis=ClockAxis(5)).count(empty, panel).errors == 0


def test_the_example_of_the_docs():
    first, second, candidate = clocked([20, 90, 99], [23, 50, 99], [26, 94, 99])
    pair = Boundary(axis=ClockAxis(5)).count(candidate, first)
    assert (pair.tp, pair.fp, pair.fn) == (1, 1, 1)
    counts = Wisebe(10, axis=ClockAxis(5)).count(candidate, Panel((first, second)))
    assert (counts.precision, counts.recall, counts.agreement) == (1, 2 / 3, 1 / 3)
    assert counts.score == pytest.approx(0.8 / 3)
