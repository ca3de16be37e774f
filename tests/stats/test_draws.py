"""Draws are reproducible and fair; sums of what was drawn are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import caesura
from caesura.errors import UsageError
from caesura.stats import resampling
from caesura.stats.resampling import Resampling, exact_sums, flips, generator, is_exact, weights


def every(pieces):
    return np.concatenate(list(pieces))


@given(st.integers(1, 30), st.integers(1, 50), st.integers(0, 2**32))
def test_a_resample_has_as_many_units_as_there_are(units, resamples, seed):
    drawn = every(weights(units, resamples, seed))
    assert drawn.shape == (resamples, units)
    assert (drawn.sum(axis=1) == units).all()
    assert (drawn >= 0).all()


@pytest.mark.parametrize("make", [weights, flips])
def test_the_same_seed_gives_the_same_draws_in_pieces_of_any_size(make, monkeypatch):
    whole = every(make(20, 100, 7))
    assert (whole == every(make(20, 100, 7))).all()
    assert (whole != every(make(20, 100, 8))).any()
    monkeypatch.setattr(resampling, "PIECE", 60)
    parts = list(make(20, 100, 7))
    assert len(parts) == 34
    assert (whole == every(parts)).all()


def test_every_unit_is_drawn_equally_often():
    drawn = every(weights(10, 20_000, 3))
    assert drawn.mean(axis=0) == pytest.approx(np.ones(10), abs=0.04)
    assert drawn.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.05)


def test_seeds_of_different_purposes_are_different():
    assert generator(1, "bootstrap").random() != generator(1, "permutation").random()


def test_all_permutations_are_tried_where_they_are_few():
    assert is_exact(13, 10_000)
    assert not is_exact(14, 10_000)
    tried = every(flips(4, 100, 1))
    assert len({tuple(row) for row in tried.tolist()}) == len(tried) == 16
    assert every(flips(14, 100, 1)).shape == (100, 14)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 30), st.just(2)), elements=st.floats(-5, 5)),
    st.randoms(use_true_random=False),
)
def test_sums_are_the_same_in_any_order(values, random):
    rounded = exact_sums(values)
    assert np.abs(rounded - values).max() < 1e-11
    order = list(range(len(values)))
    random.shuffle(order)
    assert (rounded.sum(axis=0) == np.add.reduce(rounded[order])).all()
    assert (np.cumsum(rounded[order], axis=0)[-1] == rounded.sum(axis=0)).all()


@given(arrays(np.float64, (7, 3), elements=st.integers(0, 2**40).map(float)))
def test_whole_numbers_stay_as_they_are(values):
    assert (exact_sums(values) == values).all()


@pytest.mark.parametrize("resamples", [0, -1, 1_000_001, 10**9])
def test_numbers_of_resamples_that_cannot_be(resamples):
    message = f"^resamples cannot be {resamples}; choose 1 to 1,000,000$"
    with pytest.raises(UsageError, match=message):
        Resampling(resamples=resamples)
    with pytest.raises(UsageError, match=message):
        caesura.compare([0.1, 0.2], [0.2, 0.3], resamples=resamples)
