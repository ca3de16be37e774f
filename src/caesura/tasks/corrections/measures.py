"""Corrections against gold ones, even if sentences and tokens are cut differently.

Bryant, Felice & Briscoe (2017), ERRANT; Dahlmeier & Ng (2012), M2. An edit is two edges in the text
that is corrected, and what stands between them afterwards. Both texts are put on one axis of
characters; edges that are the same point there are equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from typing import ClassVar, Literal

import numpy as np

from caesura.align.points import Points
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import GroupMeasure, Measure
from caesura.core.score import Score, View
from caesura.core.segmentation import IntArray
from caesura.measures.breakdown import BreakdownCounts, most_frequent
from caesura.measures.joint import AlignedTexts
from caesura.tasks.corrections.format import UNKNOWN, CorrectedText, Edit

Match = Literal["correction", "type", "span", "token"]
Choice = Literal["best", "errant"]
Key = tuple[object, ...]
Edits = Mapping[Key, Sequence[Edit]]
"""The edits of an annotator in a block, by what is compared."""
DIGITS, EXACT = 4, 12
"""The digits of the figures that ERRANT compares, and of those that are equal but for rounding."""
MAIN: tuple[View, ...] = ("unit", "compare", "headline", "correlate")


@dataclass(frozen=True, slots=True)
class CorrectionCounts(Matches):
    """Edits that both have, that only the system has, and that only the gold has."""

    def f(self, beta: float) -> float:
        """The weighted harmonic mean of precision and recall."""
        square = beta * beta
        weighted = (1 + square) * self.tp
        return ratio(weighted, weighted + square * self.fn + self.fp)

    @property
    def f05(self) -> float:
        """F0.5, in which precision counts more."""
        return self.f(0.5)

    @property
    def f2(self) -> float:
        """F2, in which recall counts more."""
        return self.f(2)

    @property
    def score(self) -> float:
        """F0.5, the main score."""
        return self.f05


@dataclass(frozen=True, slots=True)
class Corrections(Measure):
    """Precision, recall and F of edits."""

    name: ClassVar[str] = "corrections"
    kind: ClassVar[str] = "corrections"
    counts: ClassVar[type[Counts]] = CorrectionCounts
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "match": ("correction", "type", "span", "token"),
        "annotators": ("best", "errant"),
    }
    scores: ClassVar[tuple[Score, ...]] = (
        Score("edit_tp", "TP", "Edits that both have.", None, ("unit",), take="tp", group="edits",
              short="tp", is_count=True),
        Score("edit_fp", "FP", "Edits that only the system has.", None, ("unit",), take="fp",
              group="edits", short="fp", is_count=True),
        Score("edit_fn", "FN", "Edits that only the gold has.", None, ("unit",), take="fn",
              group="edits", short="fn", is_count=True),
        Score("edit_precision", "P", "TP / (TP + FP).", views=("unit", "compare"),
              take="precision", group="edits", short="precision"),
        Score("edit_recall", "R", "TP / (TP + FN).", views=("unit", "compare"),
              take="recall", group="edits", short="recall"),
        Score("edit_f05", "F0.5", "1.25·TP / (1.25·TP + 0.25·FN + FP).", views=MAIN, take="f05",
              group="edits", short="f05"),
        Score("edit_f1", "F1", "2·TP / (2·TP + FN + FP).", views=("unit",), take="f1",
              group="edits", short="f1"),
        Score("edit_f2", "F2", "5·TP / (5·TP + 4·FN + FP).", take="f2", group="edits", short="f2"),
    )  # fmt: skip

    match: Match = "correction"
    annotators: Choice = "best"
    beta: float = 0.5

    def count(self, system: CorrectedText, gold: CorrectedText) -> CorrectionCounts:
        """Count one system's edits against the gold ones."""
        texts = AlignedTexts.from_texts(system.text, gold.text)
        blocks = blocks_of(system, gold, texts, self)
        return sum((block.counts for block in blocks), CorrectionCounts.zero())


@dataclass(frozen=True, slots=True)
class Types(GroupMeasure):
    """Edits by type and by operation: missing, unnecessary or replaced."""

    name: ClassVar[str] = "types"
    kind: ClassVar[str] = "corrections"
    counts: ClassVar[type[Counts]] = BreakdownCounts
    titles: ClassVar[Mapping[str, str]] = {
        "type": "Edits by type",
        "operation": "Edits by operation",
        "main": "Edits by type without operation",
    }
    of_group: ClassVar[tuple[Score, ...]] = tuple(
        replace(score, key=score.short) for score in Corrections.scores if "unit" in score.views
    )

    match: Match = "correction"
    annotators: Choice = "best"
    beta: float = 0.5

    @classmethod
    def groups(cls, counts: BreakdownCounts) -> dict[str, dict[str, CorrectionCounts]]:
        """Edits by type, by operation and by main type, each the most frequent first."""
        types, main = counts.of("type"), dict[str, Matches]()
        for name, each in types.items():
            main[main_type(name)] = main.get(main_type(name), Matches(0, 0, 0)) + each
        kinds = {"type": types, "operation": counts.of("operation"), "main": main}
        return {
            kind: {
                name: CorrectionCounts(each.tp, each.fp, each.fn)
                for name, each in most_frequent(groups).items()
            }
            for kind, groups in kinds.items()
        }

    def count(self, system: CorrectedText, gold: CorrectedText) -> BreakdownCounts:
        """Count one system's edits against the gold ones."""
        texts = AlignedTexts.from_texts(system.text, gold.text)
        measure = Corrections(self.match, self.annotators, self.beta)
        blocks = blocks_of(system, gold, texts, measure)
        return sum((block.types for block in blocks), BreakdownCounts.zero())


@dataclass(frozen=True, slots=True)
class CorrectedBlock:
    """The edits of a block of sentences that both sides have, as the gold has them, or only one."""

    number: int
    right: Sequence[Edit]
    extra: Sequence[Edit]
    missing: Sequence[Edit]

    @classmethod
    def from_edits(cls, number: int, ours: Edits, theirs: Edits) -> CorrectedBlock:
        """Compare two annotators; where an edit occurs twice, it counts as in ERRANT."""
        right = [edit for key in ours if key in theirs for edit in theirs[key]]
        extra = [edit for key, same in ours.items() if key not in theirs for edit in same]
        missing = [edit for key, same in theirs.items() if key not in ours for edit in same]
        return cls(number, right, extra, missing)

    @property
    def counts(self) -> CorrectionCounts:
        """How many edits are right, extra and missing."""
        return CorrectionCounts(len(self.right), len(self.extra), len(self.missing))

    @property
    def types(self) -> BreakdownCounts:
        """Edits by type and by operation: right, the system's, the gold's."""
        sums: Counter[object] = Counter()
        for edits, fields in ((self.right, (0, 1, 2)), (self.extra, (1,)), (self.missing, (2,))):
            for edit in edits:
                for group in (("type", edit.kind), ("operation", edit.operation)):
                    sums.update({(*group, field): int(field in fields) for field in range(3)})
        return BreakdownCounts.from_items(dict(sorted(sums.items())))


def blocks_of(
    system: CorrectedText, gold: CorrectedText, texts: AlignedTexts, measure: Corrections
) -> Iterator[CorrectedBlock]:
    """Every block of aligned sentences that has edits, in order, with the annotators chosen."""
    our_edges, their_edges = texts.sentences.system, texts.sentences.gold
    our_points, their_points = (
        Points.from_offsets(np.append(0, side.text.token_ends), texts.runs, is_a=is_a).point
        for side, is_a in ((system, True), (gold, False))
    )
    our_ends = our_points[system.text.sentence_ends]
    their_ends = their_points[gold.text.sentence_ends]
    one_sided = {*np.setxor1d(our_ends, their_ends).tolist()} - {-1}
    ours = _edits(system, our_edges, ("system", our_points.tolist()), one_sided, measure.match)
    theirs = _edits(gold, their_edges, ("gold", their_points.tolist()), one_sided, measure.match)
    total = CorrectionCounts.zero()
    for number in sorted({*ours, *theirs}):
        choices = []  # the edits of each annotator, of the system and of the gold
        for side, edges, edits in ((system, our_edges, ours), (gold, their_edges, theirs)):
            sentences = side.present[edges[number] : edges[number + 1]]
            annotators = dict.fromkeys(who for present in sentences for who in present) or [0]
            choices.append([edits.get(number, {}).get(who, {}) for who in annotators])
        pairs = product(*choices)
        blocks = [CorrectedBlock.from_edits(number, mine, yours) for mine, yours in pairs]
        best = max(blocks, key=lambda block: _quality(block.counts, total, measure))
        if measure.annotators == "errant":
            total += best.counts
        yield best


def _edits(
    side: CorrectedText,
    edges: IntArray,
    axis: tuple[str, Sequence[int]],
    one_sided: Collection[int],
    match: Match,
) -> dict[int, dict[int, dict[Key, list[Edit]]]]:
    """The edits by block and by annotator, under what is compared.

    `axis` is the name of the side and the points of the edges of its tokens: where an edge of an
    edit is no point, its key is one that the other side cannot have. Two insertions at a point at
    which only one side ends a sentence, at the end of a sentence and at the beginning of the next,
    are two edits, not one that is doubled.
    """
    name, points = axis
    sentences = np.array([edit.sentence for edit in side.edits], np.int64)
    blocks = np.searchsorted(edges, sentences, side="right") - 1  # (edits,)
    ends = np.append(0, side.text.sentence_ends)[edges[blocks + 1]]  # (edits,) of their blocks
    edits: dict[int, dict[int, dict[Key, list[Edit]]]] = {}
    for edit, block, end in zip(side.edits, blocks.tolist(), ends.tolist(), strict=True):
        if edit.kind == UNKNOWN and match in ("correction", "type"):
            continue
        by_key = edits.setdefault(block, {}).setdefault(edit.who, {})
        spans = [(edit.first, edit.last)]
        if match == "token":  # of an insertion the token after it in the block
            tokens = range(edit.first, max(edit.last, edit.first + 1))
            spans = [(token, min(token + 1, end)) for token in tokens]
        for start, stop in spans:
            key: Key = (points[start], points[stop])
            if min(points[start], points[stop]) < 0:
                key = (name, start, stop)
            if match == "correction":
                key = (*key, edit.correction)
            elif match == "type":
                key = (*key, edit.correction, edit.kind)
            if key[0] in one_sided and key[0] == key[1]:
                key = next(other for n in count() if (other := (*key, n)) not in by_key)
            by_key.setdefault(key, []).append(edit)
    return edits


def _quality(
    counts: CorrectionCounts, before: CorrectionCounts, measure: Corrections
) -> tuple[float, int, int, int]:
    """How good a choice of annotators is: the best F, by more right and fewer wrong edits.

    With ERRANT's choice of annotators F is that of all blocks up to this one.
    """
    if measure.annotators == "best":
        has_edits = counts.tp + counts.fp + counts.fn > 0
        score = round(counts.f(measure.beta), EXACT) if has_edits else 1.0
    else:
        total = before + counts
        score = round(errant_rates(total.tp, total.fp, total.fn, measure.beta)[2], DIGITS)
    return score, counts.tp, -counts.fp, -counts.fn


def main_type(kind: str) -> str:
    """A type without its operation, as in ERRANT's main tier.

    >>> main_type("R:NOUN:NUM"), main_type("UNK"), main_type("F/Style")
    ('NOUN:NUM', 'UNK', 'F/Style')
    """
    return kind[2:] if kind[:2] in ("M:", "U:", "R:") and kind[2:] else kind


def errant_rates(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    """Precision, recall and F with ERRANT's conventions: 1 where nothing is wrong."""
    precision = tp / (tp + fp) if fp else 1.0
    recall = tp / (tp + fn) if fn else 1.0
    weighted = (1 + beta**2) * precision * recall
    score = weighted / (beta**2 * precision + recall) if precision + recall else 0.0
    return precision, recall, score
