"""`caesura.compare`: documents' scores or results, and the paper's Table 5."""

import math

import numpy as np
import pytest

import caesura
from caesura.errors import UsageError
from support.published import figures

PAPER = figures("wisebe")
TABLE5 = PAPER["table5"]


def table5(column):
    return caesura.compare(TABLE5[column]["S2"], TABLE5[column]["S1"])


@pytest.mark.parametrize("column", ["F1mean", "F1RW", "WiSeBE"])
def test_table_5_shows_no_difference_of_wisebe(column):
    """The p-values are those of all 1,024 permutations, found here one by one."""
    found = table5(column)
    gaps = np.array(TABLE5[column]["S2"]) - np.array(TABLE5[column]["S1"])
    signs = 1 - 2 * (np.arange(1024)[:, None] >> np.arange(10) & 1)
    expected = np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9)
    assert found.p == expected
    assert found.difference == pytest.approx(gaps.mean(), abs=1e-9)
    assert found.low < found.difference < found.high
    assert found.effect_size == pytest.approx(gaps.mean() / gaps.std(ddof=1))
    assert not found.is_significant


def test_the_papers_conclusion():
    found = table5("WiSeBE")
    assert round(found.theirs, 3) == 0.344
    assert round(found.ours, 3) == 0.355
    assert round(found.difference, 3) == 0.011
    assert found.p > 0.3
    assert found.low < 0
    assert str(found).endswith("over 10 documents: not significant")


def results(seed, chance, documents=12):
    draw = np.random.default_rng(seed)
    wanted = [draw.random(80) < 0.15 for _ in range(documents)]
    noise = np.random.default_rng([seed, int(chance * 100)])
    return [
        caesura.boundary((each & (noise.random(80) > chance)).astype(int), each.astype(int))
        for each in wanted
    ]


def test_results_are_compared_on_the_score_of_their_sum():
    good, poor = results(1, 0.1), results(1, 0.6)
    found = caesura.compare(poor, good)
    assert found.difference == pytest.approx(sum(poor).score - sum(good).score)
    assert found.p == 2 / 4096
    assert found.is_significant
    assert found.high < 0
    assert found == caesura.compare(poor, good)
    assert "significant" in str(found)


def test_marks_that_only_some_documents_have():
    ours = [caesura.marks("a. b? c", "a. b. c"), caesura.marks("a! b. c", "a! b. c")]
    theirs = [caesura.marks("a. b. c", "a. b. c"), caesura.marks("a b. c", "a! b. c")]
    found = caesura.compare(ours, theirs)
    assert found.difference == pytest.approx(sum(ours).score - sum(theirs).score)


def test_undefined_scores_are_left_out():
    nan = float("nan")
    found = caesura.compare([0.5, nan, 0.7, 0.4], [0.4, 0.6, nan, 0.4])
    assert (found.ours, found.theirs, found.units) == (pytest.approx(0.45), pytest.approx(0.4), 2)
    nothing = caesura.compare([nan, nan], [0.5, 0.5])
    assert math.isnan(nothing.p)
    assert math.isnan(nothing.low)
    assert not nothing.is_significant
    alone = caesura.compare([0.5], [0.1])
    assert alone.p == 1
    assert math.isnan(alone.low)


def test_what_cannot_be_compared():
    one, other = caesura.pk([0, 1, 0], [0, 1, 0]), caesura.windowdiff([0, 1, 0], [0, 1, 0])
    with pytest.raises(UsageError, match="only results of one measure"):
        caesura.compare([one], [other])
    with pytest.raises(UsageError, match="only results of one measure"):
        caesura.compare([one], [0.5])
    with pytest.raises(UsageError, match="1 against 2 documents"):
        caesura.compare([0.5], [0.5, 0.6])
    with pytest.raises(UsageError, match="0 against 0 documents"):
        caesura.compare([], [])
