"""Resampling: all scores of many documents, and one score beside scipy and a plain loop.

    python benchmarks/stats.py [--quick] [--markdown]

The rows are those of made-up transcripts with two systems and three references. Some hundred are
counted; their counts are drawn again until there are as many documents as are wanted. Before
anything is timed, the p-value of all permutations is compared with scipy's, and the interval with
what scipy makes of the same draws; a difference stops the benchmark.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from caesura.core.row import Row
from caesura.core.segmentation import Document
from caesura.core.table import CountTable
from caesura.measures.boundary import BoundaryCounts
from caesura.scores.catalog import catalog
from caesura.stats.resampling import (
    FloatArray,
    Resampling,
    flips,
    interval,
    is_exact,
    p_value,
    weights,
)
from caesura.stats.samples import sample_of, scorer
from caesura.stats.saved_runs import Contest
from caesura.stats.significance import compare, intervals
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents
from common import Clock, milliseconds, print_table, time_once, times
from transcript_peers import make_transcript

SYSTEMS, REFERENCES = ("S1", "S2"), ("r1", "r2", "r3")
COUNTED = 200


def corpus(documents: int) -> list[Row]:
    """Rows of this number of documents of some 350 words."""
    draw = random.Random(1)
    counted = []
    for number in range(min(documents, COUNTED)):
        made = make_transcript(250 + number)
        systems = dict(zip(SYSTEMS, map(Document, made.systems), strict=True))
        references = dict(zip(REFERENCES, map(Document, made.references), strict=True))
        table = count_documents("d", systems, references, Transcript())
        counted.append(list(table.rows()))
    return [
        replace(row, document=f"d{number}")
        for number in range(documents)
        for row in (counted[number] if number < len(counted) else draw.choice(counted))
    ]


def all_scores(documents: int, resamples: int, clock: Clock, *, markdown: bool) -> None:
    """Every score of two systems and of the references: from rows to intervals and p-values."""
    rows = corpus(documents)
    table = CountTable.from_rows(rows)
    how, known = Resampling(resamples=resamples), catalog(TASKS["transcript"])
    start = time.perf_counter()
    sample = sample_of(table, SYSTEMS, scorer(known, REFERENCES))
    build = time.perf_counter() - start
    measures = [own for each in sample.tables.values() for own in each.measures.values()]
    numbers = sum(len(own.fields) * own.keys.size for own in measures)
    scores = sum(len(sample.estimates(name)) for name in sample.tables)
    found = clock.best(lambda: intervals(sample, how))
    contest = Contest(table, SYSTEMS, REFERENCES, known)
    whole, _ = time_once(lambda: float(len(compare(contest, how, "S1").systems)))
    print(
        f"{documents:,} documents, {len(rows):,} rows, {numbers} columns, {scores} scores, "
        f"{resamples:,} resamples\n"
    )
    lines = [
        ["table into samples", milliseconds(build)],
        ["intervals of all scores", milliseconds(found)],
        ["caesura compare: intervals, tests, people", milliseconds(whole)],
    ]
    print_table(["", "ms"], lines, markdown=markdown)


def one_score(documents: int, resamples: int, clock: Clock, *, markdown: bool) -> None:
    """The interval of one micro F1: ours, scipy's bootstrap, and a loop over documents."""
    stats: Any = import_module("scipy.stats")
    draw = np.random.default_rng(2)
    wanted = draw.poisson(20, documents) + 1
    tp = draw.binomial(wanted, 0.7)
    fp, fn = draw.poisson(5, documents), wanted - tp
    table = np.stack((tp, fp, fn), axis=1).astype(np.float64)
    _check(stats, table[:10])

    def f1(tp: FloatArray, fp: FloatArray, fn: FloatArray, axis: int = -1) -> FloatArray:
        right, wrong = tp.sum(axis=axis), fp.sum(axis=axis) + fn.sum(axis=axis)
        result: FloatArray = 2 * right / (2 * right + wrong)
        return result

    def ours() -> object:
        return _interval(table, resamples)

    def scipy() -> object:
        return stats.bootstrap(
            tuple(table.T), f1, n_resamples=resamples, method="BCa", paired=True, vectorized=True,
            rng=np.random.default_rng(1), batch=100,
        )  # fmt: skip

    def loop() -> float:
        counts = [BoundaryCounts(int(a), int(b), int(c), 0) for a, b, c in table.tolist()]
        chance, few = random.Random(1), max(1, resamples // 100)
        found = [sum(chance.choices(counts, k=documents), BoundaryCounts.zero()).f1
                 for _ in range(few)]  # fmt: skip
        return float(np.quantile(found, 0.025))

    best = clock.best(ours)
    theirs, slow = clock.best(scipy), time_once(loop)[0] * 100
    print(f"The interval of one F1: {documents:,} documents, {resamples:,} resamples, BCa\n")
    lines = [
        ["ours", milliseconds(best), ""],
        ["scipy.stats.bootstrap, vectorized", milliseconds(theirs), times(theirs / best)],
        ["a loop that adds counts (100th part timed)", milliseconds(slow), times(slow / best)],
    ]
    print_table(["", "ms", "ours is faster"], lines, markdown=markdown)


def _f1(sums: FloatArray) -> FloatArray:
    result: FloatArray = 2 * sums[:, 0] / (2 * sums[:, 0] + sums[:, 1] + sums[:, 2])
    return result


def _interval(table: FloatArray, resamples: int) -> tuple[float, float]:
    total = table.sum(axis=0, keepdims=True)
    draws = np.concatenate([_f1(drawn @ table) for drawn in weights(len(table), resamples, 1)])
    return interval(float(_f1(total)[0]), draws, _f1(total - table))


def _check(stats: Any, table: FloatArray) -> None:
    """Stop if scipy makes something else of the same numbers."""
    x = table[:, 0]
    draws = np.concatenate([drawn @ x / len(x) for drawn in weights(len(x), 2000, 1)])

    class Drawn:
        bootstrap_distribution = draws

    ends = interval(float(x.mean()), draws, (x.sum() - x) / (len(x) - 1))
    theirs = stats.bootstrap((x,), np.mean, n_resamples=0, bootstrap_result=Drawn, method="BCa")
    assert np.allclose(ends, theirs.confidence_interval)
    gaps = x - table[:, 1] - 6
    permuted = np.concatenate([(1 - 2 * f) @ gaps / len(x) for f in flips(len(x), 1024, 1)])
    p = p_value(float(gaps.mean()), permuted, exact=is_exact(len(x), 1024))
    mean: Callable[..., Any] = lambda a, b: np.mean(a - b)  # noqa: E731
    other = stats.permutation_test(
        (gaps, np.zeros(len(x))), mean, permutation_type="samples", vectorized=False,
        n_resamples=np.inf,
    )  # fmt: skip
    assert np.isclose(p, other.pvalue)


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the documents")
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    arguments = parser.parse_args()
    documents = 1000 if arguments.quick else 10_000
    clock = Clock(runs=5, patience=1 if arguments.quick else 5)
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}\n")
    all_scores(documents, 1000, clock, markdown=arguments.markdown)
    print()
    one_score(documents, 1000, clock, markdown=arguments.markdown)
    print(f"\n{clock.noise}")


if __name__ == "__main__":
    main()
