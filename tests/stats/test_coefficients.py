"""Correlations: scipy's, of points as they are and drawn again."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.stats.correlation import COEFFICIENTS
from caesura.stats.resampling import weights

POINTS = st.lists(
    st.tuples(st.integers(-5, 5).map(float), st.integers(-5, 5).map(float)), min_size=3, max_size=15
)
PEERS = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


def expected(stats, name, x, y):
    if len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    return getattr(stats, PEERS[name])(x, y).statistic


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(points=POINTS)
def test_scipy_has_the_same_of_what_was_drawn(name, points):
    stats = pytest.importorskip("scipy.stats")
    x, y = np.array(points).T
    (drawn,) = weights(len(x), 4, 1)
    drawn = np.concatenate((np.ones((1, len(x))), drawn))
    found = COEFFICIENTS[name](x, y, drawn)
    for value, times in zip(found, drawn.astype(int), strict=True):
        wanted = expected(stats, name, np.repeat(x, times), np.repeat(y, times))
        assert value == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_what_does_not_vary_has_no_correlation():
    flat, other = np.full(4, 0.3), np.arange(4.0)
    for coefficient in COEFFICIENTS.values():
        assert math.isnan(coefficient(flat, other, np.ones((1, 4)))[0])


def test_a_resample_without_any_of_the_points_has_no_correlation():
    x = np.arange(3.0)
    for coefficient in COEFFICIENTS.values():
        assert math.isnan(coefficient(x, x, np.zeros((1, 3)))[0])
