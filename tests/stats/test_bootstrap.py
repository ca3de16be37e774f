"""Intervals: scipy's formulas, coverage in simulated corpora, and the odd cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from caesura.stats.resampling import acceleration, interval, standard_error, weights

METHODS = ("bca", "percentile")
VALUES = arrays(np.float64, st.integers(3, 25), elements=st.integers(-40, 40).map(lambda n: n / 8))


def of_mean(values, *, level=0.95, method="bca", resamples=500, seed=1):
    n = len(values)
    draws = np.concatenate([w @ values / n for w in weights(n, resamples, seed)])
    left_out = (values.sum() - values) / (n - 1)
    ends = interval(values.mean(), draws, left_out, level=level, method=method)
    return ends, draws


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", [0.95, 0.8])
@given(values=VALUES)
def test_scipy_makes_the_same_of_the_same_draws(method, level, values):
    stats = pytest.importorskip("scipy.stats")
    ours, draws = of_mean(values, level=level, method=method)
    share = (np.mean(draws < values.mean()) + np.mean(draws <= values.mean())) / 2
    if np.ptp(values) == 0 or not 0 < share < 1:
        return

    class Drawn:
        bootstrap_distribution = draws

    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=0, bootstrap_result=Drawn, confidence_level=level,
        method={"bca": "BCa"}.get(method, method),
    ).confidence_interval  # fmt: skip
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(VALUES)
def test_the_jackknife_of_a_mean_is_its_standard_error(values):
    left_out = (values.sum() - values) / (len(values) - 1)
    usual = values.std(ddof=1) / math.sqrt(len(values))
    assert standard_error(left_out) == pytest.approx(usual, abs=1e-9)


def test_odd_cases():
    nan = float("nan")
    one = np.array([0.5])
    assert math.isnan(interval(nan, np.ones(5), np.ones(5))[0])
    assert math.isnan(interval(0.5, one, one)[1]), "one unit does not vary"
    assert math.isnan(interval(0.5, np.full(5, nan), np.ones(5))[0])
    assert interval(0.5, np.full(9, 0.5), np.full(4, 0.5)) == (0.5, 0.5)
    some = np.array([0.2, nan, 0.4, 0.6, nan])
    ends = interval(0.4, some, np.array([0.3, nan, 0.5]), method="percentile", level=0.5)
    assert ends == pytest.approx((0.3, 0.5))
    assert acceleration(np.array([])) == 0
    assert math.isnan(standard_error(np.array([0.5, nan])))


def test_where_bias_cannot_be_told_the_interval_is_of_percentiles():
    draws = np.linspace(0, 1, 101)
    beyond = interval(2.0, draws, np.array([1.0, 2.0, 3.0]))
    assert beyond == pytest.approx((0.025, 0.975))


def corpora(number, units, seed):
    """Simulated corpora: boundaries, right ones and system's ones of each document."""
    draw = np.random.default_rng(seed)
    wanted = draw.poisson(draw.gamma(4, 10, (number, units))) + 1
    right = draw.binomial(wanted, draw.beta(8, 4, (number, units)))
    placed = right + draw.poisson(0.3 * wanted)
    return np.stack((2 * right, placed + wanted), axis=2).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["micro", "macro"])
@pytest.mark.parametrize("method", METHODS)
def test_a_95_percent_interval_covers_the_truth_in_92_to_97_percent(kind, method):
    """1,000 corpora of 40 documents: F1 from summed counts, and the mean of the documents' F1."""
    units, found = 40, corpora(1000, 40, 1)
    huge = corpora(1, 1_000_000, 2)[0]
    if kind == "macro":
        truth = (huge[:, 0] / huge[:, 1]).mean()
        f1 = found[..., 0] / found[..., 1]
        found = np.stack((f1, np.ones_like(f1)), axis=2)
    else:
        truth = huge[:, 0].sum() / huge[:, 1].sum()
    (drawn,) = weights(units, 1000, 5)
    covered = 0
    for corpus in found:
        sums, whole = drawn @ corpus, corpus.sum(axis=0)
        left_out = whole - corpus
        low, high = interval(
            whole[0] / whole[1], sums[:, 0] / sums[:, 1], left_out[:, 0] / left_out[:, 1],
            method=method,
        )  # fmt: skip
        covered += low <= truth <= high
    assert 920 <= covered <= 970
