"""Discourse units and connectives as DISRPT's own scripts count them, with what they misread.

seg_eval.py 1.0.1 (2019 to 2023), and disrpt_eval_2024.py (2024 and 2025) with its option -nb, which
does not count units that start with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import NAN, Counts, harmonic, of_arrays, ratio
from caesura.core.measure import LineMeasure, PlacedCounts
from caesura.core.score import Score
from caesura.core.segmentation import OUTSIDE, BoolArray, Document, ScriptUnits

PROGRAMS = {
    "seg_eval": "units as seg_eval.py 1.0.1 reads them",
    "disrpt_eval": "units as disrpt_eval_2024.py reads them",
    "nb": "units that start inside a sentence, as with -nb of disrpt_eval_2024.py",
}
"""The programs, or options of them, and what each counts."""
_LABELS = {"precision": "P", "recall": "R", "f1": "F1"}
Column = tuple[BoolArray, BoolArray, BoolArray]
"""Which of our units are right, which wrong, and which of theirs are missed."""


@dataclass(frozen=True, slots=True)
class ScriptMatches:
    """Precision, recall and F1 of one program; `empty` is what it has for 0/0."""

    tp: Any
    fp: object
    fn: object
    unlike: Any
    empty: float = 0.0

    @property
    def precision(self) -> Numeric:
        """TP / (TP + FP)."""
        return self._known(ratio(self.tp, self.tp + self.fp, self.empty))

    @property
    def recall(self) -> Numeric:
        """TP / (TP + FN)."""
        return self._known(ratio(self.tp, self.tp + self.fn, self.empty))

    @property
    def f1(self) -> object:
        """2·P·R / (P + R)."""
        return harmonic(self.precision, self.recall)

    def _known(self, value: object) -> object:
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


@dataclass(frozen=True, slots=True)
class SegEval(LineMeasure):
    """Precision, recall and F1 of discourse units or connectives, as DISRPT's scripts have them."""

    name: ClassVar[str] = "seg_eval"
    counts: ClassVar[type[Counts]] = SegEvalCounts
    scores: ClassVar[tuple[Score, ...]] = tuple(
        Score(f"{key}_{name}", f"{label} ({name})", f"{label} of {what}.", take=f"{name}.{key}")
        for name, what in PROGRAMS.items()
        for key, label in _LABELS.items()
    )

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each unit of either side, at its first token."""
        ours, theirs = units_of(candidate), units_of(reference)
        places = np.concatenate((ours.starts, theirs.starts, [0]))  # the last one is no unit's
        of_ours, of_theirs = (0, theirs.starts.size + 1), (ours.starts.size, 1)
        columns = [
            np.pad(each, others).astype(np.int64)
            for program in _matched(ours, theirs)
            for each, others in zip(program, (of_ours, of_ours, of_theirs), strict=True)
        ]
        unlike = np.zeros_like(places)
        unlike[-1] = _unlike(candidate, reference)
        counts = of_arrays(SegEvalCounts, *columns, unlike)
        return PlacedCounts(counts, np.minimum(places, max(0, reference.segmentation.length - 1)))

    def count(self, candidate: Document, reference: Document) -> SegEvalCounts:
        """Count all units of a document: the sums of `count_lines`, in a third of its time."""
        programs = _matched(units_of(candidate), units_of(reference))
        totals = [int(np.count_nonzero(each)) for columns in programs for each in columns]
        return SegEvalCounts(*[*totals, _unlike(candidate, reference)])


def _unlike(candidate: Document, reference: Document) -> int:
    """By how many tokens the sides differ."""
    return abs(candidate.segmentation.length - reference.segmentation.length)


def units_of(document: Document) -> ScriptUnits:
    """The units as the script reads them or, if that is not known, as they are."""
    if document.units is not None:
        return document.units
    own = document.segmentation
    starts = np.append(0, own.boundaries + 1)[:-1]
    kept = np.ones(starts.size, np.bool_) if own.marks is None else own.marks != OUTSIDE
    none = np.zeros(int(np.count_nonzero(kept)), np.bool_)
    return ScriptUnits(starts[kept], own.boundaries[kept], none, none)


def _matched(ours: ScriptUnits, theirs: ScriptUnits) -> Iterator[Column]:
    """Which units are right, wrong and missed, for each of the programs."""
    # (ours,) the number of the same unit of theirs, -1 where there is none
    partner = np.searchsorted(theirs.starts, ours.starts)
    is_same = np.append(theirs.starts, -1)[partner] == ours.starts
    is_same &= np.append(theirs.ends, -1)[partner] == ours.ends
    partner[~is_same] = -1
    for own, gold in (
        (~ours.is_lost, ~theirs.is_lost),
        (ours.starts >= 0, theirs.starts >= 0),
        (~ours.is_first & ours.has_sentences, ~theirs.is_first & theirs.has_sentences),
    ):
        right = own & np.append(gold, False)[partner]
        gold[partner[right]] = False
        yield right, own & ~right, gold
