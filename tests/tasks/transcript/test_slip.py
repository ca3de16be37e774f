"""Slips: stretches whose boundaries fit much better one word off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.segmentation import Segmentation
from caesura.tasks.transcript.counting import SHARE, SLIPPED, TIMES, slips

MASSES = st.lists(st.integers(3, 9), min_size=80, max_size=200)


def positions(masses):
    return np.cumsum(masses) - 1


def shifted(masses, start, by):
    """The same boundaries, those from a word on shifted."""
    found = positions(masses)
    length = int(found[-1]) + 1
    moved = np.where((found >= start) & (found < length - 1), found + by, found)
    return Segmentation.from_positions(moved[moved < length], length)


@given(MASSES, st.sampled_from([("late", 1), ("early", -1)]), st.data())
def test_a_slip_is_found_where_it_begins(masses, side, data):
    name, by = side
    gold = Segmentation.from_masses(masses)
    at = data.draw(st.integers(0, len(masses) - SLIPPED - 4))
    start = int(gold.boundaries[at])
    found = dict(slips({"ours": shifted(masses, start, by)}, {"gold": gold}))
    assert found["ours"][f"{name}_from"] == start + by + 1
    assert "gold" not in found


@given(MASSES)
def test_none_where_boundaries_are_right(masses):
    gold = Segmentation.from_masses(masses)
    assert dict(slips({"ours": gold}, {"gold": gold, "other": gold})) == {}


@given(st.data(), st.integers(30, 400))
def test_none_by_chance(data, length):
    """Boundaries anywhere: what is found holds to what is promised."""
    every = st.sets(st.integers(0, length - 1), max_size=length)
    ours, gold = (Segmentation.from_positions(sorted(data.draw(every)), length) for _ in range(2))
    for name, found in slips({"ours": ours}, {"gold": gold}):
        own, other = (ours, gold) if name == "ours" else (gold, ours)
        by = 1 if "late_from" in found else -1
        first, last = found.values()
        inner = [j for j in own.boundaries[:-1].tolist() if first <= j + 1 <= last]
        wanted = set(other.boundaries[:-1].tolist())
        there, here = sum(j - by in wanted for j in inner), sum(j in wanted for j in inner)
        assert there - here >= SLIPPED
        assert there >= TIMES * here
        assert there >= SHARE * len(inner)


def test_one_of_three_references_slips():
    masses = [5] * 60
    gold = Segmentation.from_masses(masses)
    slipped = shifted(masses, 150, 1)
    references = {"anna": gold, "ben": slipped, "carla": gold}
    assert [name for name, _ in slips({"ours": gold}, references)] == ["ben"]


@pytest.mark.parametrize("masses", [[], [1], [2, 3], [4] * SLIPPED])
def test_short_documents_have_none(masses):
    gold = Segmentation.from_masses(masses)
    assert dict(slips({"ours": gold}, {"gold": gold})) == {}
