import random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura import matching
from caesura.matching import common
from support.hypothesis_settings import MANY
from support.reference_text import common_subsequence

WORDS = st.lists(st.sampled_from("abcd"), max_size=30)


def by_table(gold, system):
    """The same by the full table."""
    best = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(system))):
            found = best[i + 1][j + 1] + 1 if gold[i] == system[j] else 0
            best[i][j] = max(found, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(gold) and j < len(system):
        if gold[i] == system[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


@MANY
@given(WORDS, WORDS, st.sampled_from([1, 2, 4096]))
def test_equals_its_twin(gold, system, cached):
    with patch.object(matching, "CACHED", cached):
        found = list(common(gold, system))
    assert found == by_table(gold, system)
    assert len(found) == common_subsequence(gold, system)


@pytest.mark.slow
def test_a_long_region_needs_little_memory():
    """A table of 20,000 times 20,000 lengths would have 3 GB."""
    import tracemalloc

    chance = random.Random(1)
    gold, system = (chance.choices(range(3000), k=20_000) for _ in range(2))
    tracemalloc.start()
    pairs = list(common(gold, system))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(pairs) > 500
    assert all(gold[i] == system[j] for i, j in pairs)
    assert peak < 50 << 20
