"""Average precision, the best F1 and calibration of scores of places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.batch import SegmentationBatch
from caesura.core.segmentation import Segmentation
from caesura.core.table import CountTable, Names
from caesura.measures.ranking import Ranking, RankingCounts, TolerantRanking
from support import reference_ranking as twin

SCORES = [0.95, 0.8, 0.8, 0.62, 0.4, 0.35, 0.2, 0.2, 0.1, 0.07, 0.03, 0.0]
WANTED = [1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0]

few = st.sampled_from([0.0, 0.25, 0.5, 0.7, 0.9, 1.0])
places = st.lists(
    st.tuples(few | st.floats(0, 1, width=32), st.booleans()), min_size=1, max_size=14
)


def counted(scores: list[Any], wanted: list[int], measure: Ranking | None = None) -> RankingCounts:
    """The counts of places; the last word, which does not count, is added."""
    own = np.array([np.nan if each is None else each for each in [*scores, 1]], np.float32)
    reference = Segmentation.from_binary([*wanted, 1])
    return (measure or Ranking()).count(Segmentation.from_scores(own, 0.5), reference)


def exact(scores: list[Any]) -> list[Any]:
    return [None if each is None else float(np.float32(each)) for each in scores]


def test_the_worked_example() -> None:
    """The values of the docs, computed with other code, too."""
    found = counted(SCORES, WANTED)
    assert found.average_precision == pytest.approx(0.707576, abs=5e-7)
    assert found.best_f1 == pytest.approx(0.727273, abs=5e-7)
    assert found.best_threshold == 0.35
    assert found.ece == pytest.approx(0.301667, abs=5e-7)
    assert found.brier == pytest.approx(0.203767, abs=5e-7)


@given(places)
def test_equals_its_twin(drawn: list[tuple[float, bool]]) -> None:
    scores, wanted = exact([each for each, _ in drawn]), [int(each) for _, each in drawn]
    found = counted(scores, wanted)
    assert found.average_precision == pytest.approx(
        twin.average_precision(scores, wanted), nan_ok=True
    )
    f1, threshold = twin.best(scores, wanted)
    assert found.best_f1 == pytest.approx(f1)
    assert np.float32(found.best_threshold) == np.float32(threshold)
    assert found.ece == pytest.approx(twin.ece(scores, wanted), abs=1e-12)
    assert found.brier == pytest.approx(twin.brier(scores, wanted))


@given(
    st.lists(st.tuples(st.none() | few, st.booleans()), min_size=1, max_size=12), st.integers(0, 3)
)
def test_right_places_are_those_of_the_largest_matching(drawn: Any, tolerance: int) -> None:
    """At each threshold as many are right as F1 ±N says, also where some have no score."""
    scores, wanted = exact([each for each, _ in drawn]), [int(each) for _, each in drawn]
    found = counted(scores, wanted, TolerantRanking(tolerance=tolerance))
    curve = found.curve
    for threshold, right, placed in zip(curve.scores, curve.found, curve.placed, strict=True):
        assert (right, placed) == twin.at_threshold(scores, wanted, threshold, tolerance)
    assert found.average_precision == pytest.approx(
        twin.average_precision(scores, wanted, tolerance), nan_ok=True
    )
    assert found.right.sum() == sum(wanted)
    assert math.isnan(found.ece) == (None in scores)


def test_scikit_learn_agrees() -> None:
    """Ties are exact: scores with two digits."""
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(7)
    for size in (30, 3000):
        scores = np.round(draw.random(size), 2).astype(np.float32)
        wanted = (draw.random(size) < scores).astype(int)
        scores = scores.astype(np.float64)  # it would calculate with 32 bits
        found = counted(scores.tolist(), wanted.tolist())
        assert found.average_precision == pytest.approx(
            metrics.average_precision_score(wanted, scores), rel=1e-12
        )
        assert found.brier == pytest.approx(metrics.brier_score_loss(wanted, scores), rel=1e-12)


@given(st.lists(places, min_size=1, max_size=4), st.integers(0, 2**16))
def test_resamples_are_sums(documents: list[Any], seed: int) -> None:
    """A resample, a jackknife and an exchange have the scores of what they hold."""
    pairs = [([*(s for s, _ in each), 1], [*(int(y) for _, y in each), 1]) for each in documents]
    ours = SegmentationBatch.from_segmentations(
        [Segmentation.from_scores(np.array(s, np.float32), 0.5) for s, _ in pairs]
    )
    theirs = SegmentationBatch.from_segmentations([Segmentation.from_binary(y) for _, y in pairs])
    names = Names(("sys", "ref"))
    codes = names.grid(["sys"], ["ref"]).ravel()
    table = CountTable.from_counts(
        names, [str(at) for at in range(len(pairs))],
        [(codes, [("ranking", Ranking().count_each(ours, theirs))])],
    )  # fmt: skip
    each = [counted(s[:-1], y[:-1]) for s, y in pairs]

    def scores_of(made: CountTable) -> Any:
        return made.counts("ranking", codes)[0].average_precision[0]

    def expected(weights: Any) -> float:
        chosen = [own for own, times in zip(each, weights, strict=True) for _ in range(int(times))]
        return sum(chosen[1:], chosen[0]).average_precision if chosen else math.nan

    assert scores_of(table) == pytest.approx([own.average_precision for own in each], nan_ok=True)
    assert scores_of(table.total)[0] == pytest.approx(expected([1] * len(each)), nan_ok=True)
    weights = np.random.default_rng(seed).integers(0, 3, (3, len(each))).astype(np.float64)
    drawn = [expected(row) for row in weights]
    assert scores_of(table.weighted(weights)) == pytest.approx(drawn, nan_ok=True)
    left = [expected(row) for row in 1 - np.eye(len(each))]
    assert scores_of(table.without_each()) == pytest.approx(left, nan_ok=True)
    flips = np.minimum(weights, 1)
    mine, yours = table.exchanged(table, flips)
    assert scores_of(mine) == pytest.approx(scores_of(yours), nan_ok=True)
    assert CountTable.from_rows(list(table.rows())) == table


@given(places, st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_best_threshold_of_several_references(drawn: Any, number: int, random: Any) -> None:
    """It has the highest mean F1; of equals it is the highest."""
    scores = exact([each for each, _ in drawn])
    references = [[random.randint(0, 1) for _ in drawn] for _ in range(number)]
    own = np.array([*scores, 1], np.float32)
    batch = SegmentationBatch.from_segmentations([Segmentation.from_scores(own, 0.5)] * number)
    theirs = SegmentationBatch.from_segmentations(
        [Segmentation.from_binary([*each, 1]) for each in references]
    )
    found = Ranking().count_each(batch, theirs)
    shaped = RankingCounts(
        found.scores, found.right, found.places, found.hits, found.owner, (1, number, 1)
    )
    best = shaped.best_of_mean()
    f1, threshold = twin.best_of_several(scores, references)
    assert best["best_f1"][0, 0] == pytest.approx(f1, rel=1e-12)
    if f1 > max(mean for mean, each in _means(scores, references) if each != threshold) + 1e-9:
        assert np.float32(best["best_threshold"][0, 0]) == np.float32(threshold)


def _means(scores: list[Any], references: list[list[int]]) -> list[tuple[float, float]]:
    found = [(-1.0, -1.0)]
    for each in twin.thresholds(scores):
        own = [twin.at_threshold(scores, wanted, each) for wanted in references]
        sizes = zip(own, map(sum, references), strict=True)
        found.append((math.fsum(2 * r / (p + w) for (r, p), w in sizes) / len(references), each))
    return found


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"scores": [0.5], "right": [1], "places": [1]},
        {"scores": [0.5, 0.5], "right": [1, 0], "places": [1, 1], "hits": [1, 0]},
        {"scores": [2.0], "right": [1], "places": [1], "hits": [1]},
        {"scores": ["x"], "right": [1], "places": [1], "hits": [1]},
        {"scores": [0.5], "right": [-1], "places": [1], "hits": [1]},
        {"scores": [0.5], "right": [1, 2], "places": [1], "hits": [1]},
    ],
)
def test_other_counts_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"its|a score"):
        RankingCounts.from_dict(values)
