"""Where probabilities are cut: fixed, or where the expected F1 is highest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.detect import is_network
from caesura.detect.detector import STEPS, ExpectedF1, Threshold
from caesura.detect.sentences import load, network, segmenter
from caesura.errors import UsageError

CHANCES = st.lists(st.floats(0, 1, width=32), max_size=40).map(
    lambda drawn: np.array(drawn, np.float32)
)


def decided(cut, *pieces):
    return [end for _, ends in cut.decide(pieces) for end in ends.tolist()]


def expected(chances, ends):
    """The expected F1 of some ends, the end of the text among them."""
    right = 1 + chances[ends].sum(dtype=np.float64)
    return 2 * right / (2 + ends.sum() + chances.sum(dtype=np.float64))


@given(CHANCES)
def test_no_threshold_has_a_higher_expected_f1(chances):
    ends = np.array(decided(ExpectedF1(), chances), np.bool_)
    steps = (chances * np.float32(STEPS)).astype(np.int64)
    highest = max(expected(chances, steps >= least) for least in range(1, STEPS + 1))
    assert expected(chances, ends) == pytest.approx(highest)
    assert not ends.size or not (ends.any() and chances[ends].min() < chances[~ends].max(initial=0))


@given(CHANCES, st.lists(st.integers(0, 40)), st.integers(1, 50))
def test_pieces_change_nothing(chances, cuts, block):
    pieces = np.split(chances, sorted(min(cut, chances.size) for cut in cuts))
    for cut in (ExpectedF1(block), Threshold(0.4)):
        assert decided(cut, *pieces) == decided(cut, chances)
        kept = np.concatenate([chances[:0], *(each for each, _ in cut.decide(pieces))])
        assert kept.tolist() == chances.tolist()


@given(CHANCES, st.integers(1, 50))
def test_later_words_change_nothing_before_their_block(chances, block):
    cut = ExpectedF1(block)
    for first in range(0, chances.size, block):
        seen = decided(cut, chances[: first + block])
        assert decided(cut, chances)[: len(seen)] == seen


@pytest.mark.parametrize(
    ("chances", "ends"),
    [
        ([], []),
        ([0.1] * 10, [False] * 10),
        ([0.02, 0.95], [False, True]),
        ([0.9, 0.3, 0.9, 0.0], [True, False, True, False]),
        ([0.3] * 9 + [0.5, 1.0], [False] * 9 + [True, True]),
    ],
)
def test_by_hand(chances, ends):
    assert decided(ExpectedF1(), np.array(chances, np.float32)) == ends


def test_best_decides_so_by_default():
    assert load("best").cut == network("best").cut == ExpectedF1()
    assert network("best:0.2").cut == Threshold(0.2)
    assert isinstance(load("s1").cut, Threshold)
    assert is_network("s2:0.5")
    assert not is_network("every:5")


@pytest.mark.parametrize("given", ["", "x", "2", "-1", "nan", "0.5x"])
def test_a_threshold_that_is_none(given):
    with pytest.raises(UsageError, match=r"give a threshold between 0 and 1, such as best:0\.5"):
        segmenter(f"best:{given}")
