"""Paired tests: cases by hand, scipy's permutation test, and p-values under the null."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from caesura.stats.resampling import effect_size, flips, holm, is_exact, p_value, tally
from support.hypothesis_settings import FEW

PROBABILITIES = st.lists(st.floats(0, 1), max_size=8)


def p_of_mean(differences, *, resamples=10_000, seed=1):
    """The p-value of the mean of paired differences."""
    n = len(differences)
    permuted = np.concatenate([(1 - 2 * f) @ differences for f in flips(n, resamples, seed)]) / n
    return p_value(differences.mean(), permuted, exact=is_exact(n, resamples))


def test_ten_documents_that_all_agree():
    """Only two of 1,024 orders are as extreme: .00195, not the .0001 of a strict inequality."""
    differences = np.full(10, 0.011)
    assert p_of_mean(differences) == 2 / 1024
    random = p_of_mean(differences, resamples=1000)
    assert 1 / 1001 <= random < 0.008


def test_by_hand():
    """Differences 1, 2, 4: of eight sums ±1 ±2 ±4 those of at least 5 are 7, 5, −5 and −7."""
    assert p_of_mean(np.array([1.0, 2.0, 4.0])) == 2 / 8
    assert p_of_mean(np.array([-1.0, 2.0, 4.0])) == 4 / 8
    assert p_of_mean(np.zeros(3)) == 1
    assert p_of_mean(np.array([1.0, 0.0, 0.0])) == 1
    assert math.isnan(p_value(float("nan"), np.zeros(4), exact=True))


def test_what_is_undefined_counts_as_great():
    permuted = np.array([0.1, float("nan"), 0.3, 0.0])
    assert p_value(0.2, permuted, exact=True) == 2 / 4
    assert p_value(0.2, permuted, exact=False) == 3 / 5


@given(arrays(np.float64, st.integers(2, 8), elements=st.integers(-9, 9).map(float)))
def test_scipy_has_the_same_exact_p_value(differences):
    stats = pytest.importorskip("scipy.stats")
    theirs = stats.permutation_test(
        (differences, np.zeros(len(differences))), lambda a, b: np.mean(a - b),
        permutation_type="samples", vectorized=False, n_resamples=np.inf,
    )  # fmt: skip
    assert p_of_mean(differences) == pytest.approx(theirs.pvalue)


def test_p_values_are_uniform_where_there_is_no_difference():
    """Kolmogorov–Smirnov over 1,000 pairs of systems that differ by chance alone, on F1."""
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(11)
    wanted = draw.poisson(20, (1000, 40, 1)) + 1 + np.zeros((1, 1, 2), int)
    right = draw.binomial(wanted, draw.beta(6, 3, (1000, 40, 1)))
    placed = right + draw.poisson(0.4 * wanted)
    (drawn,) = flips(40, 999, 3)
    values = []
    for tp, both in zip(right, placed + wanted, strict=True):
        shifts = drawn @ np.stack((tp[:, 1] - tp[:, 0], both[:, 1] - both[:, 0]), axis=1)
        mine, yours = (np.array([tp[:, at].sum(), both[:, at].sum()]) for at in (0, 1))
        ours, theirs = mine + shifts, yours - shifts
        permuted = ours[:, 0] / ours[:, 1] - theirs[:, 0] / theirs[:, 1]
        values.append(p_value(mine[0] / mine[1] - yours[0] / yours[1], permuted, exact=False))
    assert stats.kstest(values, "uniform").pvalue > 0.01
    assert np.mean(np.array(values) <= 0.05) == pytest.approx(0.05, abs=0.02)


def test_holm_by_hand():
    assert holm([0.01, 0.02, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([]) == []
    corrected = holm([0.01, float("nan"), 0.04])
    assert corrected[0::2] == [0.02, 0.04]
    assert math.isnan(corrected[1])


@pytest.mark.slow
@FEW  # theirs looks for garbage each time
@given(PROBABILITIES)
def test_holm_is_what_statsmodels_has(values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    assume(values)
    theirs = multitest.multipletests(values, method="holm")[1]
    assert holm(values) == pytest.approx(theirs.tolist())


@given(arrays(np.float64, st.integers(2, 20), elements=st.integers(-20, 20).map(float)))
def test_the_effect_of_means_is_cohens_d_of_pairs(differences):
    left_out = (differences.sum() - differences) / (len(differences) - 1)
    found = effect_size(differences.mean(), left_out)
    if np.ptp(differences) == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(differences.mean() / differences.std(ddof=1))


def test_tally():
    assert tally(np.array([0.1, 0.2, 0.0, -0.3, float("nan")])) == (2, 1, 1)
