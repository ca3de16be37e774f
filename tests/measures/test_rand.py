import math

import numpy as np
import pytest
from hypothesis import given

from caesura.core.segmentation import Segmentation
from caesura.errors import SegmentationError
from caesura.measures.units import Rand, RandCounts
from support import reference_units
from support.strategies import at, masses, pairs


def clusters(segmentation):
    return reference_units.clusters(segmentation.masses.tolist())


@given(pairs())
def test_equals_its_twin(pair):
    ours, theirs = map(clusters, pair)
    counts = Rand().count(*pair)
    assert counts == RandCounts(*reference_units.rand(ours, theirs), len(ours))
    expected = reference_units.adjusted_rand_index(ours, theirs)
    assert counts.adjusted_rand_index == pytest.approx(expected, rel=1e-15, nan_ok=True)


@pytest.mark.slow
@given(pairs().filter(lambda pair: len(pair[0])))
def test_equals_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    expected = metrics.adjusted_rand_score(*map(clusters, pair[::-1]))
    assert Rand().count(*pair).adjusted_rand_index == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(pairs(), pairs())
def test_documents_add_up_to_one_text(one, other):
    joined = [
        Segmentation.from_masses([*a.masses, *b.masses]) for a, b in zip(one, other, strict=True)
    ]
    assert Rand().count(*one) + Rand().count(*other) == Rand().count(*joined)


def test_by_hand():
    counts = Rand().count(masses(2, 2), masses(3, 1))
    assert counts == RandCounts(both=1, placed=2, wanted=3, length=4)
    assert counts.adjusted_rand_index == 0


def test_undefined_without_items():
    assert math.isnan(RandCounts.zero().adjusted_rand_index)


def test_large_numbers_do_not_overflow():
    n = 300_000
    counts = Rand().count(masses(*[3] * n), masses(*[1] * n, 2 * n))
    every = np.array([2**40]), np.array([2**41]), np.array([2**42]), np.array([2**31])
    assert -1 < counts.adjusted_rand_index < 1
    (one,) = RandCounts(*every).adjusted_rand_index
    assert one == RandCounts(*(int(each[0]) for each in every)).adjusted_rand_index


def test_many_at_once_are_as_each_alone():
    fields = np.array([3, 0, 0]), np.array([5, 0, 0]), np.array([4, 0, 0]), np.array([9, 1, 0])
    found = RandCounts(*fields).adjusted_rand_index
    alone = [RandCounts(*each).adjusted_rand_index for each in np.transpose(fields).tolist()]
    assert found.tolist() == pytest.approx(alone, nan_ok=True)


def test_lengths_that_differ():
    with pytest.raises(SegmentationError):
        Rand().count(at(3), at(4))
