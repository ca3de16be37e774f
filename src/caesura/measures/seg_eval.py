"""Discourse units and connectives as DISRPT's own scripts count them, with what they misread.

seg_eval.py 1.0.1 (2019 to 2023), and disrpt_eval_2024.py (2024 and 2025) with its option -nb, which
does not count units that start with a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.core.counts import NAN, Counts, harmonic, of_arrays, ratio
from caesura.core.score import Score
from caesura.core.segmentation import OUTSIDE, BoolArray, Document, IntArray, ScriptUnits
from caesura.measures.base import Cut, LineMeasure, PlacedCounts

PROGRAMS = {
    "seg_eval": "units as seg_eval.py 1.0.1 reads them",
    "disrpt_eval": "units as disrpt_eval_2024.py reads them",
    "nb": "units that start inside a sentence, as with -nb of disrpt_eval_2024.py",
}
"""The programs, or options of them, and what each counts."""
_LABELS = {"precision": "P", "recall": "R", "f1": "F1"}
Column = tuple[IntArray, IntArray, IntArray]
"""Units that are right, wrong and missed at each place."""


@dataclass(frozen=True, slots=True)
class ScriptMatches:
    """Precision, recall and F1 of one program; `empty` is what it has for 0/0."""

    tp: Any
    fp: Any
    fn: Any
    unlike: Any
    empty: float = 0.0

    @property
    def precision(self) -> Any:
        """TP / (TP + FP)."""
        return self._known(ratio(self.tp, self.tp + self.fp, self.empty))

    @property
    def recall(self) -> Any:
        """TP / (TP + FN)."""
        return self._known(ratio(self.tp, self.tp + self.fn, self.empty))

    @property
    def f1(self) -> Any:
        """2·P·R / (P + R)."""
        return harmonic(self.precision, self.recall)

    def _known(self, value: Any) -> Any:
        """The value, unless the numbers of tokens differ."""
        if isinstance(value, np.ndarray):
            return np.where(np.equal(self.unlike, 0), value, NAN)
        return NAN if self.unlike else value


@dataclass(frozen=True, slots=True)
class SegEvalCounts(Counts):
    """Units that are right, wrong and missed, by program; and by how many tokens sides differ."""

    seg_eval_tp: int
    seg_eval_fp: int
    seg_eval_fn: int
    disrpt_eval_tp: int
    disrpt_eval_fp: int
    disrpt_eval_fn: int
    nb_tp: int
    nb_fp: int
    nb_fn: int
    unlike: int

    @property
    def seg_eval(self) -> ScriptMatches:
        """Version 1.0.1."""
        return ScriptMatches(self.seg_eval_tp, self.seg_eval_fp, self.seg_eval_fn, self.unlike)

    @property
    def disrpt_eval(self) -> ScriptMatches:
        """Version 2.0.0, as of 2025."""
        counts = self.disrpt_eval_tp, self.disrpt_eval_fp, self.disrpt_eval_fn
        return ScriptMatches(*counts, self.unlike)

    @property
    def nb(self) -> ScriptMatches:
        """Version 2.0.0 with -nb; undefined without sentences."""
        return ScriptMatches(self.nb_tp, self.nb_fp, self.nb_fn, self.unlike, NAN)

    @property
    def score(self) -> Any:
        """F1 of version 1.0.1."""
        return self.seg_eval.f1


@dataclass(frozen=True, slots=True)
class SegEval(LineMeasure):
    """Precision, recall and F1 of discourse units or connectives, as DISRPT's scripts have them."""

    name: ClassVar[str] = "seg_eval"
    cut: ClassVar[Cut] = "whole"
    counts: ClassVar[type[Counts]] = SegEvalCounts
    scores: ClassVar[tuple[Score, ...]] = tuple(
        Score(f"{key}_{name}", f"{label} ({name})", f"{label} of {what}.", take=f"{name}.{key}")
        for name, what in PROGRAMS.items()
        for key, label in _LABELS.items()
    )

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each unit of either side, at its first token."""
        lengths = [each.segmentation.length for each in (candidate, reference)]
        ours, theirs = units_of(candidate), units_of(reference)
        places = np.append(np.union1d(ours.starts, theirs.starts), 0)
        unlike = np.zeros_like(places)
        unlike[-1] = abs(lengths[0] - lengths[1])
        sides = ours, theirs
        first = _matched(places, *sides, [~each.is_lost for each in sides])
        later = _matched(places, *sides, [each.starts >= 0 for each in sides])
        inner = _matched(places, *sides, [~each.is_first & each.has_sentences for each in sides])
        counts = of_arrays(SegEvalCounts, *first, *later, *inner, unlike)
        return PlacedCounts(counts, np.minimum(places, max(0, lengths[1] - 1)))


def units_of(document: Document) -> ScriptUnits:
    """The units as the script reads them or, if that is not known, as they are."""
    if document.units is not None:
        return document.units
    own = document.segmentation
    starts = np.append(0, own.boundaries + 1)[:-1]
    kept = np.ones(starts.size, np.bool_) if own.marks is None else own.marks != OUTSIDE
    none = np.zeros(int(np.count_nonzero(kept)), np.bool_)
    return ScriptUnits(starts[kept], own.boundaries[kept], none, none)


def _matched(
    places: IntArray, ours: ScriptUnits, theirs: ScriptUnits, kept: list[BoolArray]
) -> Column:
    """Which units of some are right, wrong and missed; the last place is that of none."""
    (has_ours, our_ends), (has_theirs, their_ends) = (
        _at(places[:-1], side, which) for side, which in zip((ours, theirs), kept, strict=True)
    )
    right = has_ours & has_theirs & (our_ends == their_ends)
    found = (right, has_ours & ~right, has_theirs & ~right)
    tp, fp, fn = (np.append(each, False).astype(np.int64) for each in found)
    return tp, fp, fn


def _at(places: IntArray, units: ScriptUnits, which: BoolArray) -> tuple[BoolArray, IntArray]:
    """At which places units start, and where those end."""
    at = np.searchsorted(places, units.starts[which])
    has, ends = np.zeros(places.size, np.bool_), np.zeros(places.size, np.int64)
    has[at], ends[at] = True, units.ends[which]
    return has, ends
