"""One mean: exact, the same bits for a list and for an array, in any order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from caesura.core.mean import mean, means, sums_by_column, sums_by_row

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, 1e16, -1e16, 1e-300, 0.1, math.nan])


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=3, max_side=9), elements=numbers))
def test_an_array_has_the_means_of_its_lists(values):
    for axis in range(values.ndim):
        rows = np.moveaxis(values, axis, -1)
        expected = [mean(row) for row in rows.reshape(-1, rows.shape[-1]).tolist()]
        np.testing.assert_array_equal(means(values, axis).ravel(), expected)


@given(arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 40)), elements=numbers))
def test_sums_by_row_and_by_column_are_the_same_bits(values):
    values = np.nan_to_num(values)
    np.testing.assert_array_equal(sums_by_row(values), sums_by_column(values))


def test_many_sums_of_rates_have_the_bits_of_fsum():
    rates = np.random.default_rng(1).random((50, 20_000)) ** 9
    np.testing.assert_array_equal(sums_by_row(rates), sums_by_column(rates))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_the_order_does_not_matter(values, random):
    shuffled = random.sample(values, len(values))
    assert mean(shuffled) == mean(values)
    assert means(np.array([shuffled, values]).T).tolist() == [mean(values)] * 2


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_nothing_has_no_mean(shape):
    assert np.isnan(means(np.zeros(shape))).all()
    assert math.isnan(mean([]))
