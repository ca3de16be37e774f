import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.measures.edit import Edit, EditCounts
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import at, counted, masses, pairs, room

NEAR = st.integers(1, 8)


@MANY
@given(pairs(), NEAR)
def test_equals_its_twin(pair, near):
    counts = Edit(near).count(*pair)
    expected = reference.edits(*(counted(each, "drop") for each in pair), near)
    distance = expected.pop("distance")
    assert (counts.matches, counts.additions, counts.transpositions) == tuple(expected.values())
    assert counts.cost == near * counts.additions + distance
    assert counts.pairs == near * sum(expected.values())
    assert counts.room == near * room(pair[0], "drop")
    rates = reference.edit_scores(expected | {"distance": distance}, room(pair[0], "drop"), near)
    assert scores(counts) == pytest.approx(rates, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("candidate", "wanted", "b", "s"),
    [
        ((2, 3, 6), (2, 2, 7), 0.75, 0.95),
        ((2, 3, 6), (5, 6), 0.5, 0.9),
        ((13,), (4, 4, 5), 0, 10 / 12),
    ],
)
def test_worked_examples(candidate, wanted, b, s):
    counts = Edit().count(masses(*candidate), masses(*wanted))
    assert counts.boundary_similarity == pytest.approx(b, rel=1e-12)
    assert counts.segmentation_similarity == pytest.approx(s, rel=1e-12)


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        (1, EditCounts(0, 2, 0, 2, 2, 11)),
        (3, EditCounts(0, 2, 0, 6, 6, 33)),
        (4, EditCounts(0, 0, 1, 3, 4, 44)),
    ],
)
def test_a_near_miss_is_less_than_near_words_apart(near, expected):
    assert Edit(near).count(masses(3, 9), masses(6, 6)) == expected


def test_shorter_near_misses_come_first_and_then_those_further_left():
    # 5-6 is paired first, so that 3 is left over; then, of 0-1-2, 0-1.
    assert Edit(3).count(at(20, 3, 6), at(20, 5)).transpositions == 1
    counts = Edit(2).count(at(20, 1), at(20, 0, 2))
    assert (counts.transpositions, counts.additions) == (1, 1)
    assert Edit(4).count(at(20, 3, 6), at(20, 5)).cost == 4 + 1
