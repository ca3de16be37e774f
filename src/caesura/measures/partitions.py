"""Two partitions of the same items: pairs, Rand indices, mutual information, entropies."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma

import numpy as np
import numpy.typing as npt

from caesura.core.counts import NAN, ratio
from caesura.core.segmentation import IntArray

Floats = npt.NDArray[np.float64]
Three = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Partitions:
    """How many items have each label of the reference (rows) and of the system (columns)."""

    table: IntArray

    @classmethod
    def from_labels(cls, reference: IntArray, system: IntArray) -> Partitions:
        """Count items by both labels; the shorter side says how many there are."""
        size = min(reference.size, system.size)
        rows, one = np.unique(reference[:size], return_inverse=True)
        columns, other = np.unique(system[:size], return_inverse=True)
        counts = np.bincount(one * columns.size + other, minlength=rows.size * columns.size)
        return cls(counts.reshape(rows.size, columns.size))

    @property
    def _sums(self) -> tuple[IntArray, IntArray, int]:
        return self.table.sum(axis=1), self.table.sum(axis=0), int(self.table.sum())

    @property
    def _pairs(self) -> tuple[int, int, int, int]:
        """Pairs of items with one label in both, in the reference, in the system; and all."""
        rows, columns, n = self._sums
        both, ours, theirs = (
            int((each * (each - 1)).sum()) // 2 for each in (self.table, columns, rows)
        )
        return both, theirs, ours, n * (n - 1) // 2

    @property
    def pairwise(self) -> Three:
        """Precision, recall and F1 of pairs with one label; undefined without such pairs."""
        both, theirs, ours, _ = self._pairs
        precision, recall = ratio(both, ours), ratio(both, theirs)
        return precision, recall, _f(precision, recall)

    @property
    def rand(self) -> float:
        """Pairs on which both agree / pairs."""
        both, theirs, ours, every = self._pairs
        return (every + 2 * both - ours - theirs) / every if every else NAN

    @property
    def adjusted_rand(self) -> float:
        """The Rand index beyond chance; 1 if both are trivial."""
        both, theirs, ours, every = self._pairs
        if self._are_trivial:
            return 1.0
        chance, most = ours * theirs / every, (ours + theirs) / 2
        return (both - chance) / (most - chance)

    @property
    def _are_trivial(self) -> bool:
        """Whether both have one label only, or another one for each item."""
        rows, columns = self.table.shape
        return rows == columns and rows in (1, 0, int(self.table.sum()))

    @property
    def mutual_information(self) -> Three:
        """Mutual information in nats; adjusted for chance; normalised by the geometric mean."""
        rows, columns, n = self._sums
        filled = self.table > 0
        joint = self.table[filled] / n
        chance = np.outer(rows, columns)[filled] / n**2
        mutual = float((joint * np.log(joint / chance)).sum())
        one, other = (_entropy(each / n) for each in (rows, columns))
        is_one = self.table.size == 1  # one label on either side: perfect
        normal = 1.0 if is_one else mutual / max(float(np.sqrt(one * other)), 1e-10)
        if self._are_trivial:
            return mutual, 1.0, normal
        expected = _expected(rows, columns, n)
        return mutual, (mutual - expected) / (max(one, other) - expected), normal

    def conditional_entropies(self, *, marginal: bool) -> Three:
        """1 - entropy of the one given the other, normalised: over, under, and their F1.

        With `marginal`, by the entropy of the labels (V-measure); else by that of equal labels.
        Those of no items are undefined.
        """
        rows, columns, n = self._sums
        if not n:
            return NAN, NAN, NAN
        joint = self.table / n
        given_system = sum(_entropy(each / each.sum()) * each.sum() for each in joint.T)
        given_reference = sum(_entropy(each / each.sum()) * each.sum() for each in joint)
        if marginal:
            most = _entropy(columns / n), _entropy(rows / n)
        else:
            most = float(np.log(columns.size)), float(np.log(rows.size))
        over = 1 - given_reference / most[0] if most[0] > 0 else 0.0
        under = 1 - given_system / most[1] if most[1] > 0 else 0.0
        return over, under, _f(over, under)


def _f(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def _entropy(shares: Floats) -> float:
    """In nats."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def _expected(rows: IntArray, columns: IntArray, n: int) -> float:
    """The mutual information that is expected by chance, if labels keep their numbers of items."""
    log = np.array([lgamma(each + 1) for each in range(n + 1)])  # of the factorials
    total = 0.0
    for a in rows.tolist():
        for b in columns.tolist():
            both = np.arange(max(1, a + b - n), min(a, b) + 1)
            chance = (
                log[a] + log[b] + log[n - a] + log[n - b] - log[n] - log[both]
                - log[a - both] - log[b - both] - log[n - a - b + both]
            )  # fmt: skip
            total += float((both / n * np.log(n * both / (a * b)) * np.exp(chance)).sum())
    return total
