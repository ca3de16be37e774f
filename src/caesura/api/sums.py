"""Sums of documents that are read and forgotten: counts by group, and exact means of scores.

A document is of one of 1,000 groups, by the hash of its name. Sums of groups are what intervals are
drawn from: groups are as random as documents, so that their sums vary as those of documents do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from caesura.core.counts import NAN, ratio
from caesura.core.results import DocumentScores, Intervals, Mean
from caesura.core.row import Portion
from caesura.core.segmentation import IntArray
from caesura.core.summary import Summary
from caesura.core.table import CountTable, TableBuilder
from caesura.errors import number
from caesura.run.selection import hash_of
from caesura.stats.draws import FloatArray, weights
from caesura.stats.resampling import GROUP, Resampling, noted

GROUPS = 1000
SMALLEST = 1100
"""Sums are whole numbers of 2 to the power of minus this, less than any float."""
STEP = 2.0**32
"""Scores are rounded to this many parts of 1 before they are added by group: exact in any order."""
LOW = 27
"""The bits of the lower part of a float's digits; many such parts add up in 64 bits."""


@dataclass
class _Sum:
    """The sum of one score over documents where it is defined: exact, and by group."""

    total: int = 0
    known: int = 0
    by_group: FloatArray = field(default_factory=lambda: np.zeros(GROUPS))
    known_in: FloatArray = field(default_factory=lambda: np.zeros(GROUPS))

    def add(self, values: FloatArray, groups: IntArray) -> None:
        is_known = ~np.isnan(values)
        values, groups = values[is_known], groups[is_known]
        self.total += _exact(values)
        self.known += values.size
        self.by_group += np.bincount(groups, np.rint(values * STEP), GROUPS)
        self.known_in += np.bincount(groups, minlength=GROUPS)

    @property
    def mean(self) -> float:
        """The mean, bit for bit that of `core.mean.mean`."""
        return self.total / (1 << SMALLEST) / self.known if self.known else NAN


def _intervals(sums: Mapping[str, _Sum], how: Resampling, used: IntArray) -> Intervals:
    """The intervals of means, drawn from the groups that have documents."""
    totals = np.array([own.by_group[used] for own in sums.values()])  # scores × groups
    known = np.array([own.known_in[used] for own in sums.values()])
    drawn = weights(used.size, how.resamples, how.seed)
    draws = np.concatenate([_means(each @ totals.T, each @ known.T) for each in drawn])
    left_out = _means(*(each.sum(axis=1, keepdims=True) - each for each in (totals, known)))
    every = zip(sums.items(), draws.T, left_out, strict=True)
    ends = {key: how.interval(own.mean, drawn, left) for (key, own), drawn, left in every}
    return {key: (each.low, each.high) for key, each in ends.items()}


def _means(sums: FloatArray, known: FloatArray) -> Any:
    return ratio(sums / STEP, known)  # type: ignore[arg-type]


def _exact(values: FloatArray) -> int:
    """The sum of floats as a whole number; those of one exponent are added at once."""
    mantissa, exponent = np.frexp(values)
    digits = (mantissa * 2.0**53).astype(np.int64)
    total = 0
    for power in np.unique(exponent).tolist():
        own = digits[exponent == power]
        high, low = own >> LOW, own & ((1 << LOW) - 1)
        total += ((int(high.sum()) << LOW) + int(low.sum())) << (power - 53 + SMALLEST)
    return total


@dataclass
class Sums:
    """What is kept of documents: their number, counts by group, and the sums of their scores."""

    documents: int = 0
    counts: TableBuilder = field(default_factory=TableBuilder)
    scores: dict[tuple[str | None, str], _Sum] = field(default_factory=dict)

    def add(self, table: CountTable, scored: Summary) -> None:
        """Add some documents: their counts, and the scores that were made of them."""
        group = {name: hash_of(name) % GROUPS for name in table.documents}
        self.documents += len(group)
        self.counts.add(table.sum(lambda n, part: str(group[n]) if part.is_whole else None))
        self.counts.table()
        groups = np.array([group[name] for name in scored.documents], np.int64)
        for name, scores in _by_document(scored).items():
            for key in scores.columns:
                values = np.asarray(scores.column(key), np.float64)
                self.scores.setdefault((name, key), _Sum()).add(values, groups)

    def table(self) -> CountTable:
        """One document, the sum of all, in blocks: the groups."""
        table = self.counts.table()
        order = sorted(range(len(table)), key=lambda at: int(table.documents[at]))
        table = table.ordered({table.documents[at]: place for place, at in enumerate(order)})
        blocks = [Portion(block=int(name) + 1) for name in table.documents]
        return replace(table, documents=[self.name] * len(table), portions=blocks)

    @property
    def name(self) -> str:
        """What stands for all documents."""
        return f"the sum of {number(self.documents, 'document')}"

    def told_in(self, summary: Summary) -> Summary:
        """The summary of the sums, with the means over documents and without each of them."""
        signature = summary.signature.replace("|docs:1|", f"|docs:{self.documents}|")
        systems = tuple(
            replace(each, macro=self._means(each.name), macro_undefined=self._gaps(each.name),
                    by_document={})
            for each in summary.systems
        )  # fmt: skip
        agreed = summary.agreement
        agreed = agreed and replace(agreed, macro=self._means(None), by_document={})
        return replace(
            summary, signature=signature, systems=systems, agreement=agreed, notes=(), warnings=(),
            summed=self.documents,
        )  # fmt: skip

    def _of(self, name: str | None) -> dict[str, _Sum]:
        return {key: own for (whose, key), own in self.scores.items() if whose == name}

    def _means(self, name: str | None) -> dict[str, float]:
        return {key: own.mean for key, own in self._of(name).items()}

    def _gaps(self, name: str | None) -> dict[str, int]:
        gaps = {key: self.documents - own.known for key, own in self._of(name).items()}
        return {key: gap for key, gap in gaps.items() if gap}

    def with_intervals(self, summary: Summary, how: Resampling) -> Summary:
        """The summary, whose intervals are of blocks, with those of means; they are of groups."""
        told = summary.confidence
        if told is None:
            return summary
        used = np.array(sorted(int(name) for name in self._groups), np.int64)
        told = noted(replace(told, unit=GROUP, documents=self.documents))

        def of(name: str | None, drawn: Mapping[Mean, Intervals] | None) -> Any:
            own, micro = self._of(name), (drawn or {}).get("micro", {})
            sums = {key: own[key] for key in micro}
            return {"micro": micro, "macro": _intervals(sums, how, used) if sums else {}}

        systems = tuple(
            replace(each, confidence=of(each.name, each.confidence)) for each in summary.systems
        )
        agreed = summary.agreement
        agreed = agreed and replace(agreed, confidence=of(None, agreed.confidence))
        signature = summary.signature.replace("|drawn:block/", f"|drawn:{GROUP}/")
        return replace(
            summary, confidence=told, systems=systems, agreement=agreed, signature=signature
        )

    @property
    def _groups(self) -> list[str]:
        return self.counts.table().documents


def _by_document(scored: Summary) -> dict[str | None, DocumentScores]:
    """The scores of each document, of each system and of the references."""
    every: dict[str | None, Any] = {each.name: each.by_document for each in scored.systems}
    return every | ({None: scored.agreement.by_document} if scored.agreement else {})
