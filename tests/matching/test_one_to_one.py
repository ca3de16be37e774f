"""One-to-one matchings: the best assignment, and the largest that prefers earlier items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.matching import FREE, best_assignment, most_matched
from support.reference_matching import matches_by_rank
from support.reference_speakers import best_pairs


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
