"""The best assignment, the largest with the earliest items, and the longest common subsequence."""

import random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura import matching
from caesura.matching import FREE, best_assignment, common, most_matched
from support.hypothesis_settings import MANY
from support.reference_matching import matches_by_rank
from support.reference_speakers import best_pairs
from support.reference_text import common_subsequence

WORDS = st.lists(st.sampled_from("abcd"), max_size=30)


def tables(rows, columns, most):
    cells = st.integers(0, most)
    return st.lists(
        st.lists(cells, min_size=columns, max_size=columns), min_size=rows, max_size=rows
    )


@given(st.data(), st.integers(1, 4), st.integers(1, 4), st.sampled_from([1, 3, 10**12]))
def test_no_other_assignment_is_better(data, rows, columns, most):
    values, then = (data.draw(tables(rows, columns, each)) for each in (most, 3))
    chosen = best_assignment(np.array(values), np.array(then)).tolist()
    taken = [each for each in chosen if each != FREE]
    assert len({*taken}) == len(taken) == min(rows, columns)
    pairs = [(row, at) for row, at in enumerate(chosen) if at != FREE]
    sums = tuple(sum(table[row][at] for row, at in pairs) for table in (values, then))
    assert sums == best_pairs(values, then)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_nothing_to_assign(shape):
    nothing = np.zeros(shape, np.int64)
    assert best_assignment(nothing, nothing).tolist() == [FREE] * shape[0]


def test_as_scipy():
    optimize = pytest.importorskip("scipy.optimize")
    values = np.random.default_rng(1).integers(0, 10**6, (60, 45))
    chosen = best_assignment(values, values)
    rows = np.flatnonzero(chosen != FREE)
    expected = values[optimize.linear_sum_assignment(-values)].sum()
    assert values[rows, chosen[rows]].sum() == expected


WISHES = st.lists(st.lists(st.integers(0, 5), max_size=4, unique=True), max_size=8)


@given(WISHES)
def test_an_item_is_matched_where_it_raises_the_largest_matching(wishes):
    is_matched, is_wanted = most_matched(wishes, 6)
    assert is_matched.tolist() == matches_by_rank(wishes)
    assert is_wanted.sum() == is_matched.sum()
    assert {*np.flatnonzero(is_wanted).tolist()} <= {goal for near in wishes for goal in near}


def by_table(gold, system):
    """The same by the full table."""
    best = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(system))):
            found = best[i + 1][j + 1] + 1 if gold[i] == system[j] else 0
            best[i][j] = max(found, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(gold) and j < len(system):
        if gold[i] == system[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


@MANY
@given(WORDS, WORDS, st.sampled_from([1, 2, 4096]))
def test_equals_its_twin(gold, system, cached):
    with patch.object(matching, "CACHED", cached):
        found = list(common(gold, system))
    assert found == by_table(gold, system)
    assert len(found) == common_subsequence(gold, system)


@pytest.mark.slow
def test_a_long_region_needs_little_memory():
    """A table of 20,000 times 20,000 lengths would have 3 GB."""
    import tracemalloc

    chance = random.Random(1)
    gold, system = (chance.choices(range(3000), k=20_000) for _ in range(2))
    tracemalloc.start()
    pairs = list(common(gold, system))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(pairs) > 500
    assert all(gold[i] == system[j] for i, j in pairs)
    assert peak < 50 << 20
