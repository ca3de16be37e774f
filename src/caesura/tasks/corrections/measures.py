"""Corrections against gold ones, even if sentences and tokens are cut differently.

Bryant, Felice & Briscoe (2017), ERRANT; Dahlmeier & Ng (2012), M2. An edit is two edges in the text
that is corrected, and what stands between them afterwards. Both texts are put on one axis of
characters; edges that are the same point there are equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
from caesura.tasks.corrections.data import UNKNOWN, CorrectedText

Match = Literal["correction", "type", "span", "token"]
Choice = Literal["best", "errant"]
Key = tuple[object, ...]
About = tuple[str, str, int]
"""The type of an edit, its operation, and its number in the file."""
Edits = Mapping[Key, Sequence[About]]
"""The edits of an annotator in a block, by what is compared."""
DIGITS, EXACT = 4, 12
"""The digits of the figures that ERRANT compares, and of those that are equal but for rounding."""
MAIN: tuple[View, ...] = ("unit", "compare", "headline", "correlate")


@dataclass(frozen=True, slots=True)
class CorrectionCounts(Counts):
    """Edits that both have, that only the system has, and that only the gold has."""

    tp: int
    fp: int
    fn: int

    @property
    def edits(self) -> Matches:
        """The edits as matches, which have precision and recall."""
        return Matches(self.tp, self.fp, self.fn)

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
        """F0.5."""
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
              take="edits.precision", group="edits", short="precision"),
        Score("edit_recall", "R", "TP / (TP + FN).", views=("unit", "compare"),
              take="edits.recall", group="edits", short="recall"),
        Score("edit_f05", "F0.5", "1.25·TP / (1.25·TP + 0.25·FN + FP).", views=MAIN, take="f05",
              group="edits", short="f05"),
        Score("edit_f1", "F1", "2·TP / (2·TP + FN + FP).", views=("unit",), take="edits.f1",
              group="edits", short="f1"),
        Score("edit_f2", "F2", "5·TP / (5·TP + 4·FN + FP).", take="f2", group="edits", short="f2"),
    )  # fmt: skip

    match: Match = "correction"
    annotators: Choice = "best"
    beta: float = 0.5

    def count(self, system: CorrectedText, gold: CorrectedText) -> CorrectionCounts:
        """Count one system's edits against the gold ones."""
        texts = AlignedTexts.from_texts(system.text, gold.text)
        found = AlignedCorrections(system, gold, texts, self).blocks()
        return sum((each.counts for each in found), CorrectionCounts.zero())


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
        how = Corrections(self.match, self.annotators, self.beta)
        found = AlignedCorrections(system, gold, texts, how).blocks()
        return sum((each.types for each in found), BreakdownCounts.zero())


@dataclass(frozen=True, slots=True)
class CorrectedBlock:
    """What is counted in a block of sentences, with the annotators that were chosen.

    `extra` and `missing` are the numbers of edits, of the system's and of the gold's.
    """

    number: int
    extra: tuple[int, ...]
    missing: tuple[int, ...]
    counts: CorrectionCounts
    types: BreakdownCounts


@dataclass(frozen=True)
class AlignedCorrections:
    """The edits of a system and of the gold, by blocks of aligned sentences."""

    system: CorrectedText
    gold: CorrectedText
    texts: AlignedTexts
    how: Corrections

    def blocks(self) -> Iterator[CorrectedBlock]:
        """Count every block with edits, in order."""
        ours = self._edits(self.system, self.texts.sentences.system, is_a=True)
        theirs = self._edits(self.gold, self.texts.sentences.gold, is_a=False)
        so_far = (0, 0, 0)
        for number in sorted({*ours, *theirs}):
            sides = [
                {who: found.get(number, {}).get(who, {}) for who in _present(text, edges, number)}
                for text, edges, found in (
                    (self.system, self.texts.sentences.system, ours),
                    (self.gold, self.texts.sentences.gold, theirs),
                )
            ]
            best = self._best(sides[0], sides[1], so_far)
            block = _block(number, *best)
            if self.how.annotators == "errant":
                more = block.counts
                so_far = so_far[0] + more.tp, so_far[1] + more.fp, so_far[2] + more.fn
            yield block

    def _best(
        self, ours: Mapping[int, Edits], theirs: Mapping[int, Edits], so_far: tuple[int, int, int]
    ) -> tuple[Edits, Edits]:
        """The annotators of both sides with the best F, by more right and fewer wrong edits."""
        pairs = list(product(ours.values(), theirs.values()))
        if len(pairs) == 1:
            return pairs[0]
        return max(pairs, key=lambda pair: self._quality(pair[0], pair[1], so_far))

    def _quality(
        self, ours: Edits, theirs: Edits, so_far: tuple[int, int, int]
    ) -> tuple[float, int, int, int]:
        tp, fp, fn = _counted(ours, theirs)
        if self.how.annotators == "best":
            score = CorrectionCounts(tp, fp, fn).f(self.how.beta) if tp + fp + fn else 1.0
            return round(score, EXACT), tp, -fp, -fn
        total = tp + so_far[0], fp + so_far[1], fn + so_far[2]
        return round(errant_rates(*total, self.how.beta)[2], DIGITS), tp, -fp, -fn

    def _edits(
        self, side: CorrectedText, edges: IntArray, *, is_a: bool
    ) -> dict[int, dict[int, dict[Key, list[About]]]]:
        """The edits by block and by annotator, under what is compared."""
        points = self._points(side, is_a=is_a).tolist()
        block = np.searchsorted(edges, side.sentence, side="right") - 1
        last_tokens = np.append(0, side.text.sentence_ends)[edges[block + 1]]
        rows = zip(
            block.tolist(), side.who.tolist(), side.first.tolist(), side.last.tolist(),
            side.kind, side.correction, last_tokens.tolist(), strict=True,
        )  # fmt: skip
        found: dict[int, dict[int, dict[Key, list[About]]]] = {}
        skips = self.how.match in ("correction", "type")
        for at, (number, who, first, last, kind, correction, end) in enumerate(rows):
            if kind == UNKNOWN and skips:
                continue
            own = found.setdefault(number, {}).setdefault(who, {})
            about = kind, operation(first, last, correction), at
            for span in self._spans(first, last, end):
                key = _key(span, points, side="system" if is_a else "gold")
                if self.how.match == "correction":
                    key = (*key, correction)
                elif self.how.match == "type":
                    key = (*key, correction, kind)
                if key[0] in self._inner_ends and key[0] == key[1]:
                    key = next(each for each in _numbered(key) if each not in own)
                own.setdefault(key, []).append(about)
        return found

    def _points(self, side: CorrectedText, *, is_a: bool) -> IntArray:
        """The points of the edges of all tokens."""
        offsets = np.append(0, side.text.token_ends)
        return Points.from_offsets(offsets, self.texts.runs, is_a=is_a).point

    @cached_property
    def _inner_ends(self) -> frozenset[int]:
        """The points at which only one side ends a sentence.

        Two insertions there, at the end of a sentence and at the beginning of the next, are two
        edits, not one that is doubled.
        """
        ours, theirs = (
            self._points(side, is_a=is_a)[side.text.sentence_ends]
            for side, is_a in ((self.system, True), (self.gold, False))
        )
        return frozenset(np.setxor1d(ours, theirs).tolist()) - {-1}

    def _spans(self, first: int, last: int, end: int) -> Iterator[tuple[int, int]]:
        """The span of an edit; or its tokens, of an insertion the one after it in the block."""
        if self.how.match != "token":
            yield first, last
        elif first == last:
            yield first, first + (first < end)
        else:
            yield from ((at, at + 1) for at in range(first, last))


def _numbered(key: Key) -> Iterator[Key]:
    """Different keys for what is at the same place."""
    return ((*key, number) for number in count())


def _present(text: CorrectedText, edges: IntArray, number: int) -> list[int]:
    """Who annotated the sentences of a block, in their order."""
    start, stop = edges[number : number + 2].tolist()
    every = [who for each in text.present[start:stop] for who in each]
    return list(dict.fromkeys(every)) or [0]


def _key(span: tuple[int, int], points: Sequence[int], side: str) -> Key:
    """The points of a span; where an edge is none, a key that the other side cannot have."""
    start, stop = points[span[0]], points[span[1]]
    return (start, stop) if start >= 0 and stop >= 0 else (side, *span)


def operation(first: int, last: int, correction: str) -> str:
    """M if something is missing, U if it is unnecessary, R if it is replaced."""
    if first == last:
        return "M"
    return "R" if correction else "U"


def main_type(kind: str) -> str:
    """A type without its operation, as in ERRANT's main tier.

    >>> main_type("R:NOUN:NUM"), main_type("UNK"), main_type("F/Style")
    ('NOUN:NUM', 'UNK', 'F/Style')
    """
    return kind[2:] if kind[:2] in ("M:", "U:", "R:") and kind[2:] else kind


def _counted(ours: Edits, theirs: Edits) -> tuple[int, int, int]:
    """Right, extra and missing edits, counted as ERRANT does where one occurs twice."""
    tp = sum(len(theirs[key]) for key in ours if key in theirs)
    fp = sum(len(own) for key, own in ours.items() if key not in theirs)
    fn = sum(len(own) for key, own in theirs.items() if key not in ours)
    return tp, fp, fn


def _block(number: int, ours: Edits, theirs: Edits) -> CorrectedBlock:
    right = [each for key in ours if key in theirs for each in theirs[key]]
    extra = [each for key, own in ours.items() if key not in theirs for each in own]
    missing = [each for key, own in theirs.items() if key not in ours for each in own]
    sums: Counter[object] = Counter()
    for edits, fields in ((right, (0, 1, 2)), (extra, (1,)), (missing, (2,))):
        for kind, done, _ in edits:
            for place in (("type", kind), ("operation", done)):
                sums.update({(*place, at): int(at in fields) for at in range(3)})
    return CorrectedBlock(
        number,
        tuple(at for _, _, at in extra),
        tuple(at for _, _, at in missing),
        CorrectionCounts(len(right), len(extra), len(missing)),
        BreakdownCounts.from_items(dict(sorted(sums.items()))),
    )


def errant_rates(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    """Precision, recall and F with ERRANT's conventions: 1 where nothing is wrong."""
    precision = tp / (tp + fp) if fp else 1.0
    recall = tp / (tp + fn) if fn else 1.0
    weighted = (1 + beta**2) * precision * recall
    score = weighted / (beta**2 * precision + recall) if precision + recall else 0.0
    return precision, recall, score
