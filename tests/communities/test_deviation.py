"""Boundaries matched nearest first, and how far they are apart."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura import matching
from caesura.communities.phones.measures import Deviation, DeviationCounts
from caesura.core.segmentation import Segmentation
from caesura.errors import UnknownNameError, UsageError
from caesura.matching import nearest_first
from caesura.measures.boundary import Boundary
from caesura.measures.geometry import ClockAxis
from caesura.tasks.transcript.counting import Transcript
from support import reference_times

MOMENTS = st.lists(st.integers(0, 40), max_size=9)
SORTED = st.sets(st.integers(0, 90), max_size=9).map(sorted)
TOLERANCES = st.integers(0, 12)


def ints(values):
    return np.array(values, dtype=np.int64)


def clocked(*members, end=10**9):
    return [Segmentation(end + 1, ints([*each, end])) for each in members]


@pytest.mark.parametrize("rounds", [0, 1, 24])
@given(rows=MOMENTS, columns=MOMENTS, tolerance=TOLERANCES)
def test_nearest_first_equals_its_twin(rounds, rows, columns, tolerance):
    expected = sorted(reference_times.nearest_first(rows, columns, tolerance))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROUNDS", rounds)
        found = nearest_first(ints(rows), ints(columns), tolerance)
    assert sorted(np.stack(found, axis=1).tolist()) == expected


@given(SORTED, SORTED, TOLERANCES)
def test_counts_equal_those_of_the_twin(ours, theirs, tolerance):
    pairs = reference_times.nearest_first(theirs, ours, tolerance)
    late = [ours[j] - theirs[i] for i, j in pairs]
    found = Deviation(tolerance).count(*clocked(ours, theirs))
    assert (found.matches, found.shift) == (len(late), sum(late))
    assert found.distance == sum(map(abs, late))
    assert found.squares == sum(each * each for each in late)
    largest = Boundary(axis=ClockAxis(tolerance)).count(*clocked(ours, theirs)).tp
    assert largest / 2 <= found.matches <= largest


@given(st.lists(st.integers(-20_000, 20_000), min_size=1, max_size=20))
def test_mean_and_spread_are_those_of_numpy(late):
    theirs = ints(range(1, len(late) + 1)) * 100_000
    found = Deviation().count(*clocked(theirs + late, theirs))
    assert found.matches == len(late)
    assert found.mean == pytest.approx(np.mean(late) / 1000, abs=1e-12)
    assert found.absolute == pytest.approx(np.mean(np.abs(late)) / 1000)
    assert found.spread == pytest.approx(np.std(late) / 1000, abs=1e-6)
    assert found.share(10) == pytest.approx(np.mean(np.abs(late) <= 10_000))


def test_by_hand():
    theirs, ours = [100_000, 200_000, 300_000], [104_000, 188_000, 300_000, 330_000]
    found = Deviation().count(*clocked(ours, theirs))
    assert found == DeviationCounts(3, -8_000, 16_000, 160_000_000, 2, 2, 3, 3)
    assert found.mean == pytest.approx(-8 / 3)
    assert found.absolute == pytest.approx(16 / 3)
    assert found.spread == pytest.approx((160 / 3 - (8 / 3) ** 2) ** 0.5)


def test_fewer_matches_than_the_largest_matching():
    ours, theirs = [2, 4], [0, 2]
    assert Deviation(2).count(*clocked(ours, theirs)).matches == 1
    assert Boundary(axis=ClockAxis(2)).count(*clocked(ours, theirs)).tp == 2


def test_nothing_matches():
    found = Deviation(5).count(*clocked([1], [10]))
    assert found == DeviationCounts.zero()
    assert all(map(math.isnan, (found.mean, found.absolute, found.spread, found.share(5))))


def test_squares_beyond_64_bits():
    far = 4 * 10**9
    found = Deviation(far).count(*clocked([far, 4 * far], [0, 3 * far], end=5 * far))
    assert found.squares == 2 * far**2 > 2**63 / 2


def test_it_is_of_time():
    with pytest.raises(UnknownNameError, match="unknown measure to add 'deviation'"):
        Transcript(also=("deviation",))
    assert Transcript(axis="time", also=("deviation",)).also == ("deviation",)
    with pytest.raises(UsageError, match="tolerance cannot be -1"):
        Deviation(-1)
