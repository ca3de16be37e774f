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
from caesura.tasks.corrections.format import UNKNOWN, CorrectedText

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
    """What is counted in a block of sentences, with the annotators that were chosen.

    `extra` and `missing` are the numbers of edits, of the system's and of the gold's.
    """

    number: int
    extra: tuple[int, ...]
    missing: tuple[int, ...]
    counts: CorrectionCounts
    types: BreakdownCounts


def blocks_of(
    system: CorrectedText, gold: CorrectedText, texts: AlignedTexts, measure: Corrections
) -> Iterator[CorrectedBlock]:
    """Count every block of aligned sentences that has edits, in order."""
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
        mine, yours = (
            [edits.get(number, {}).get(who, {}) for who in _present(side, edges, number)]
            for side, edges, edits in ((system, our_edges, ours), (gold, their_edges, theirs))
        )
        pairs = list(product(mine, yours))
        best = pairs[0]
        if len(pairs) > 1:
            best = max(pairs, key=lambda pair: _quality(pair[0], pair[1], total, measure))
        block = _block(number, *best)
        if measure.annotators == "errant":
            total += block.counts
        yield block


def _edits(
    side: CorrectedText,
    edges: IntArray,
    axis: tuple[str, Sequence[int]],
    one_sided: Collection[int],
    match: Match,
) -> dict[int, dict[int, dict[Key, list[About]]]]:
    """The edits by block and by annotator, under what is compared.

    `axis` is the name of the side and the points of the edges of its tokens: where an edge of an
    edit is no point, its key is one that the other side cannot have. Two insertions at a point at
    which only one side ends a sentence, at the end of a sentence and at the beginning of the next,
    are two edits, not one that is doubled.
    """
    name, points = axis
    block = np.searchsorted(edges, side.sentence, side="right") - 1
    last_tokens = np.append(0, side.text.sentence_ends)[edges[block + 1]]
    rows = zip(
        block.tolist(), side.who.tolist(), side.first.tolist(), side.last.tolist(),
        side.kind, side.correction, last_tokens.tolist(), strict=True,
    )  # fmt: skip
    edits: dict[int, dict[int, dict[Key, list[About]]]] = {}
    for at, (number, who, first, last, kind, correction, end) in enumerate(rows):
        if kind == UNKNOWN and match in ("correction", "type"):
            continue
        by_key = edits.setdefault(number, {}).setdefault(who, {})
        about = kind, operation(first, last, correction), at
        for start, stop in _spans(first, last, end) if match == "token" else [(first, last)]:
            key: Key = (points[start], points[stop])
            if min(points[start], points[stop]) < 0:
                key = (name, start, stop)
            if match == "correction":
                key = (*key, correction)
            elif match == "type":
                key = (*key, correction, kind)
            if key[0] in one_sided and key[0] == key[1]:
                key = next(other for n in count() if (other := (*key, n)) not in by_key)
            by_key.setdefault(key, []).append(about)
    return edits


def _spans(first: int, last: int, end: int) -> list[tuple[int, int]]:
    """The tokens of an edit; of an insertion the token after it in the block."""
    if first == last:
        return [(first, first + (first < end))]
    return [(at, at + 1) for at in range(first, last)]


def _present(text: CorrectedText, edges: IntArray, number: int) -> list[int]:
    """Who annotated the sentences of a block, in their order."""
    start, stop = edges[number : number + 2].tolist()
    annotators = [who for sentence in text.present[start:stop] for who in sentence]
    return list(dict.fromkeys(annotators)) or [0]


def _quality(
    ours: Edits, theirs: Edits, before: CorrectionCounts, measure: Corrections
) -> tuple[float, int, int, int]:
    """How good a choice of annotators is: the best F, by more right and fewer wrong edits.

    Right, extra and missing edits are counted as ERRANT does where one occurs twice; with its
    choice of annotators F is that of all blocks up to this one.
    """
    tp = sum(len(theirs[key]) for key in ours if key in theirs)
    fp = sum(len(same) for key, same in ours.items() if key not in theirs)
    fn = sum(len(same) for key, same in theirs.items() if key not in ours)
    if measure.annotators == "best":
        score = CorrectionCounts(tp, fp, fn).f(measure.beta) if tp + fp + fn else 1.0
        return round(score, EXACT), tp, -fp, -fn
    total = before + CorrectionCounts(tp, fp, fn)
    rates = errant_rates(total.tp, total.fp, total.fn, measure.beta)
    return round(rates[2], DIGITS), tp, -fp, -fn


def _block(number: int, ours: Edits, theirs: Edits) -> CorrectedBlock:
    right = [about for key in ours if key in theirs for about in theirs[key]]
    extra = [about for key, same in ours.items() if key not in theirs for about in same]
    missing = [about for key, same in theirs.items() if key not in ours for about in same]
    sums: Counter[object] = Counter()
    for edits, fields in ((right, (0, 1, 2)), (extra, (1,)), (missing, (2,))):
        for kind, done, _ in edits:
            for group in (("type", kind), ("operation", done)):
                sums.update({(*group, field): int(field in fields) for field in range(3)})
    return CorrectedBlock(
        number,
        tuple(at for _, _, at in extra),
        tuple(at for _, _, at in missing),
        CorrectionCounts(len(right), len(extra), len(missing)),
        BreakdownCounts.from_items(dict(sorted(sums.items()))),
    )


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


def errant_rates(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    """Precision, recall and F with ERRANT's conventions: 1 where nothing is wrong."""
    precision = tp / (tp + fp) if fp else 1.0
    recall = tp / (tp + fn) if fn else 1.0
    weighted = (1 + beta**2) * precision * recall
    score = weighted / (beta**2 * precision + recall) if precision + recall else 0.0
    return precision, recall, score
