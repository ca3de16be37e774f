"""The generalised Hamming distance."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.batch import SegmentationBatch
from caesura.measures.edit import Ghd, GhdCounts
from support import reference_topics
from support.hypothesis_settings import MANY
from support.strategies import at, counted, each_of, masses, pairs, room

COSTS = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 5))


@pytest.fixture(scope="module")
def nltk():
    return pytest.importorskip("nltk.metrics.segmentation")


@MANY
@given(pairs(), COSTS)
def test_equals_its_twin(pair, costs):
    expected = reference_topics.ghd(*(counted(each, "drop") for each in pair), costs)
    assert Ghd(costs).count(*pair) == GhdCounts(expected, room(pair[0], "drop"))


@pytest.mark.slow
@given(pair=pairs().filter(lambda pair: len(pair[0]) > 0), costs=COSTS)
def test_nltk_gives_the_same(nltk, pair, costs):
    hypothesis, wanted = (reference_topics.symbols(each, "keep") for each in pair)
    assert Ghd(costs).count(*pair).cost == nltk.ghd(wanted, hypothesis, *costs)


@given(st.lists(pairs(), min_size=1, max_size=5), COSTS)
def test_many_documents_are_counted_as_each(many, costs):
    sides = (SegmentationBatch.from_segmentations(side) for side in zip(*many, strict=True))
    found = each_of(Ghd(costs).count_each(*sides), len(many))
    assert found == [Ghd(costs).count(*pair) for pair in many]


@pytest.mark.parametrize(
    ("wanted", "hypothesis", "costs", "expected"),
    [
        ("1100100000", "1100010000", (2, 2, 1), 1),
        ("1100100000", "1100000001", (2, 2, 1), 4),
        ("011", "110", (2, 2, 1), 2),
        ("1", "0", (2, 2, 1), 2),
        ("111", "000", (2, 2, 1), 6),
        ("000", "111", (2, 4, 1), 12),
    ],
)
def test_kulyukins_examples(wanted, hypothesis, costs, expected):
    """Those of NLTK's docstring, all costs doubled; a 0 is added, as the last item is no slot."""
    sides = (at(len(each) + 1, *(j for j, one in enumerate(each) if one == "1"))
             for each in (hypothesis, wanted))  # fmt: skip
    assert Ghd(costs).count(*sides).cost == expected


def test_a_long_chain_of_boundaries_is_one_problem():
    """Every second item on one side, the others on the other: each is shifted by one."""
    length = 200_001
    ours, theirs = at(length, *range(0, length, 2)), at(length, *range(1, length, 2))
    assert Ghd().count(ours, theirs).cost == 100_000


def test_undefined_without_a_slot():
    assert math.isnan(Ghd().count(masses(1), masses(1)).score)
    assert Ghd().count(masses(2), masses(2)).score == 0
