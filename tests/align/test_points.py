"""Sync points: those of the definition, and units within runs counted without all of them."""

from itertools import pairwise

import pytest
from hypothesis import given

from caesura.align import characters
from caesura.align.characters import UNITS, equal_runs, slide
from caesura.align.points import shared_spans, sync_points, within_runs
from support import reference_text as twin
from support.random_texts import any_pair, same_characters, text, triples


def slid(pair):
    ours, theirs = map(text, pair)
    return ours, theirs, slide(equal_runs(ours.stream, theirs.stream), ours, theirs)


def is_within_one(block, runs):
    (a, b), (to_a, to_b) = block
    return any(
        i <= a and to_a <= i + n and a - i == b - j and to_a - i == to_b - j for i, j, n in runs
    )


@given(any_pair())
def test_points_are_those_of_the_definition(pair):
    ours, theirs, runs = slid(pair)
    units = [twin.flat(side) for side in pair]
    expected = twin.sync_points(*units, triples(runs))
    numbers = [{end: at for at, end in enumerate(twin.edges(side))} for side in units]
    found = sync_points(ours.token_ends, theirs.token_ends, runs)
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [
        (numbers[0][a], numbers[1][b]) for a, b in expected
    ]


@pytest.mark.parametrize("size", [1, 3, UNITS])
@given(pair=any_pair())
def test_units_within_runs_and_blocks_with_gaps(pair, size):
    ours, theirs, runs = slid(pair)
    edges = [twin.edges(twin.flat(side)) for side in pair]
    points = sync_points(ours.token_ends, theirs.token_ends, runs)
    points = list(zip(*(each.tolist() for each in points), strict=True))
    simple, altered = 0, []
    for (i, j), (to_i, to_j) in pairwise(points):
        block = (edges[0][i], edges[1][j]), (edges[0][to_i], edges[1][to_j])
        if not is_within_one(block, triples(runs)):
            altered.append([i, j, to_i, to_j])
        elif (to_i - i, to_j - j) == (1, 1):
            simple += 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(characters, "UNITS", size)
        number, blocks = within_runs(ours.token_ends, theirs.token_ends, runs)
    assert (number, blocks.T.tolist()) == (simple, altered)


@given(same_characters())
def test_shared_spans(pair):
    ours, theirs = map(text, pair)
    expected = twin.same_spans(*map(twin.flat, pair))
    assert shared_spans(ours.token_ends, theirs.token_ends) == expected
