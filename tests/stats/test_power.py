"""Power: against scipy's t, against theory, and the search for a number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.stats.power import (
    annotators_needed,
    least,
    power,
    pseudo_values,
    t_quantile,
    units_needed,
)

HOW = {"level": 0.95, "resamples": 2000, "seed": 1}


@pytest.mark.slow
@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 9, 30, 1000])
@pytest.mark.parametrize("share", [0.9, 0.975, 0.995])
def test_quantiles_of_t(freedom, share):
    stats = pytest.importorskip("scipy.stats")
    tolerance = 0.05 if freedom == 3 else 0.005
    assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), rel=tolerance)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=20))
def test_pseudo_values_of_a_mean_are_the_values(values):
    each = np.array(values)
    left_out = (each.sum() - each) / (each.size - 1)
    assert pseudo_values(each.mean(), left_out) == pytest.approx(each, abs=1e-9)


@pytest.mark.slow
def test_power_is_that_of_a_t_test():
    """Differences of .5 standard deviations: 34 pairs have a power of .80 (Cohen 1988)."""
    draw = np.random.default_rng(2)
    values = draw.normal(size=5000)
    values = (values - values.mean()) / values.std() + 0.5
    assert power(values, 34, **HOW) == pytest.approx(0.808, abs=0.03)
    assert units_needed(values, **HOW) == pytest.approx(34, abs=3)
    assert power(values - 0.5, 34, **HOW) == pytest.approx(0.05, abs=0.02)


def test_what_cannot_be_told():
    nan = float("nan")
    assert math.isnan(power(np.array([0.5]), 10, **HOW))
    assert math.isnan(power(np.array([0.5, nan]), 10, **HOW))
    assert units_needed(np.array([0.5, nan]), **HOW) is None
    assert units_needed(np.array([-1.0, 1.0]), **HOW) is None, "no difference is never shown"
    assert annotators_needed(np.ones((5, 1)), **HOW) is None
    assert annotators_needed(np.full((5, 2), nan), **HOW) is None
    assert units_needed(np.full(4, 0.3), **HOW) == 2


def test_annotators_help_where_they_differ_and_not_where_documents_do():
    draw = np.random.default_rng(3)
    people = 0.2 + draw.normal(size=(1, 8)) * 0.4 + np.zeros((40, 1))
    people += 0.2 - people.mean()
    assert 20 < annotators_needed(people, **HOW) < 60
    documents = 0.2 + draw.normal(size=(40, 1)) * 2 + np.zeros((1, 8))
    assert annotators_needed(documents, **HOW) is None


@given(st.integers(2, 500), st.integers(2, 500))
def test_the_least_that_is_enough(answer, high):
    found = least(lambda size: size >= answer, 2, high)
    assert found == (answer if answer <= high else None)
