"""Excerpts in chunks: how much of what a retriever returns is about the question.

PrecisionΩ: Smith and Troynikov (2024), Evaluating Chunking Strategies for Retrieval, Chroma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.communities.chunks.offsets import Chunks, Questions
from caesura.core.arrays import sums_between
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import IntArray
from caesura.measures.label_spans import LabelSpans, ranges_as_pairs

SCALE = 1 << 40
"""PrecisionΩ of a question is counted in parts of this, so that counts are whole numbers."""
MAIN: tuple[View, ...] = ("unit", "compare", "headline", "correlate")
SHOWN: tuple[View, ...] = ("unit", "compare")


@dataclass(frozen=True, slots=True)
class ExcerptCounts(Counts):
    """Questions and their excerpts; `omega` is the sum of PrecisionΩ, in parts of `SCALE`.

    `touched` are the chunks that share a character with an excerpt, summed over questions, and
    `cut` the excerpts that no chunk holds whole. Those of Chroma's program end in `_chroma`.
    """

    questions: int
    omega: int
    touched: int
    omega_chroma: int
    touched_chroma: int
    excerpts: int
    cut: int
    chunks: int
    characters: int

    @property
    def precision_omega(self) -> float:
        """The mean of PrecisionΩ over the questions."""
        return ratio(self.omega, self.questions) / SCALE

    @property
    def precision_omega_chroma(self) -> float:
        """The mean of PrecisionΩ as Chroma's program computes it."""
        return ratio(self.omega_chroma, self.questions) / SCALE

    @property
    def mean_touched(self) -> float:
        """The chunks touched by the excerpts of a question."""
        return ratio(self.touched, self.questions)

    @property
    def mean_touched_chroma(self) -> float:
        """The chunks touched by the excerpts of a question, as Chroma's program counts."""
        return ratio(self.touched_chroma, self.questions)

    @property
    def cut_rate(self) -> float:
        """The share of excerpts that are cut."""
        return ratio(self.cut, self.excerpts)

    @property
    def mean_size(self) -> float:
        """The characters of a chunk."""
        return ratio(self.characters, self.chunks)


@dataclass(frozen=True, slots=True)
class Excerpts(Measure):
    """PrecisionΩ of questions, chunks touched, excerpts cut, and the size of chunks."""

    name: ClassVar[str] = "excerpts"
    kind: ClassVar[str] = "chunks"
    counts: ClassVar[type[Counts]] = ExcerptCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("chunk_questions", "questions", "Questions about the documents.", None, ("unit",),
              take="questions", is_count=True),
        Score("precision_omega", "PrecisionΩ", "Characters of excerpts / characters of the chunks "
              "that they touch and of excerpts outside chunks; mean over the questions.", "high",
              MAIN),
        Score("precision_omega_chroma", "PrecisionΩ (Chroma)", "PrecisionΩ as Chroma's program "
              "computes it: chunks that only touch an excerpt count, and a chunk lies where its "
              "text first occurs.", "high", SHOWN),
        Score("chunks_touched", "chunks touched", "Chunks that share a character with an excerpt; "
              "mean over the questions.", "low", SHOWN, take="mean_touched"),
        Score("chunks_touched_chroma", "chunks touched (Chroma)", "Chunks touched, as Chroma's "
              "program counts them.", "low", take="mean_touched_chroma"),
        Score("chunk_excerpts", "excerpts", "Excerpts that answer the questions.", None,
              take="excerpts", is_count=True),
        Score("excerpts_cut", "excerpts cut", "Excerpts that no chunk holds whole.", None,
              ("unit",), take="cut", is_count=True),
        Score("excerpts_cut_rate", "cut rate", "Excerpts cut / excerpts.", "low", SHOWN,
              take="cut_rate"),
        Score("chunk_number", "chunks", "Chunks of the documents.", None, ("unit",), take="chunks",
              is_count=True),
        Score("chunk_size", "size", "Characters of a chunk, mean.", None, ("unit",),
              take="mean_size"),
    )  # fmt: skip

    def count(self, system: Chunks, gold: Questions, text: str) -> ExcerptCounts:
        """Count one system's chunks against the excerpts of the questions."""
        return self.count_parts(system, gold, text, np.array([0, len(gold.excerpts)]))[0]

    @staticmethod
    def count_parts(
        system: Chunks, gold: Questions, text: str, edges: IntArray
    ) -> list[ExcerptCounts]:
        """Count the questions between neighbouring edges; chunks count with the first."""
        ours = _by_question(system, gold, touching=False)
        theirs = _by_question(first_occurrences(system, text), gold, touching=True)[:2]
        sizes = np.bincount(gold.columns[0], minlength=len(gold.excerpts))
        rows = np.stack([np.ones_like(sizes), *ours[:2], *theirs, sizes, ours[2]])
        parts = sums_between(rows, edges)
        of_chunks = np.zeros((2, parts.shape[1]), np.int64)
        of_chunks[:, 0] = len(system), (system.ends - system.starts).sum()
        return [ExcerptCounts(*row) for row in np.concatenate((parts, of_chunks)).T.tolist()]


def _by_question(
    chunks: Chunks, gold: Questions, *, touching: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """PrecisionΩ in parts of `SCALE`, chunks touched, and excerpts cut, of each question.

    The slow twin is `omega` of tests/support/reference_chunks.py.
    """
    number, chunk_starts, chunk_ends = len(gold.excerpts), chunks.starts, chunks.ends
    questions, starts, ends = gold.columns  # (excerpts,) index of the question, start, end
    # (pairs,) indices of excerpts and chunks that share a character or, touching, at least a place
    reach = np.maximum.accumulate(chunk_ends)  # (chunks,) ascending, so that it can be searched
    first = np.searchsorted(reach, starts, "left" if touching else "right")
    beyond = np.searchsorted(chunk_starts, ends, "right" if touching else "left")
    excerpt, chunk = ranges_as_pairs(first, beyond)
    is_near = chunk_ends[chunk] >= starts[excerpt] + (not touching)
    excerpt, chunk = excerpt[is_near], chunk[is_near]
    question, low, high = questions[excerpt], chunk_starts[chunk], chunk_ends[chunk]
    inside = np.maximum(low, starts[excerpt]), np.minimum(high, ends[excerpt])
    shared = _union_sizes(question, *inside, number)
    both = (question, questions), (low, starts), (high, ends)
    groups, lows, highs = (np.concatenate(each) for each in both)
    union = np.maximum(_union_sizes(groups, lows, highs, number), 1)
    omega = np.rint(shared / union * SCALE).astype(np.int64)
    most = max(len(chunks), 1)
    touched = np.bincount(np.unique(question * most + chunk) // most, minlength=number)
    is_cut = np.ones(starts.size, np.bool_)
    is_cut[excerpt[(low <= starts[excerpt]) & (high >= ends[excerpt])]] = False
    return omega, touched, np.bincount(questions[is_cut], minlength=number)


def _union_sizes(group: IntArray, starts: IntArray, ends: IntArray, number: int) -> IntArray:
    """How many characters the spans of each group cover together."""
    union = LabelSpans(starts, ends, group).joined()
    sizes = union.end - union.start
    return np.bincount(union.label, weights=sizes, minlength=number).astype(np.int64)


GRAM = 16
"""The characters by which the first occurrence of a chunk is looked for."""


def first_occurrences(chunks: Chunks, text: str) -> Chunks:
    """The chunks where their texts first occur, as a program that searches for them places them.

    Searching from the beginning for each would be quadratic. The first place that has the hash of
    a chunk's first characters is never behind the chunk's first occurrence: search from there.
    Chunks that are shorter than these characters are rare, and found early.
    """
    begins = _first_grams(text, chunks.starts)
    spans = []
    for start, end, begin in zip(chunks.starts.tolist(), chunks.ends.tolist(), begins, strict=True):
        chunk = text[start:end]
        place = text.find(chunk, begin if len(chunk) >= GRAM else 0)
        spans.append((place, place + len(chunk)))
    return Chunks.from_spans(spans, chunks.source)


def _first_grams(text: str, starts: IntArray) -> list[int]:
    """For each start, the first place with a gram of the same hash; 0 near the end of the text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    size = codes.size - GRAM + 1
    inside = starts < size
    if not inside.any():
        return [0] * starts.size
    hashes = np.zeros(size, np.uint64)
    for place in range(GRAM):  # a polynomial in an odd number, modulo 2**64
        hashes = hashes * np.uint64(6364136223846793005) + codes[place : place + size]
    wanted, which = np.unique(hashes[starts[inside]], return_inverse=True)
    number = np.minimum(np.searchsorted(wanted, hashes), wanted.size - 1)
    places = np.flatnonzero(wanted[number] == hashes)
    first = np.zeros(wanted.size, np.int64)
    first[number[places[::-1]]] = places[::-1]  # the last that is written is the first place
    begins = np.zeros(starts.size, np.int64)
    begins[inside] = first[which]
    return begins.tolist()


@dataclass(frozen=True, slots=True)
class ChunkBoundaryCounts(Counts):
    """Ends of chunks inside a text: on both sides, only the system's, only the gold's."""

    tp: int
    fp: int
    fn: int

    @property
    def boundaries(self) -> Matches:
        """Boundaries at the same character."""
        return Matches(self.tp, self.fp, self.fn)


@dataclass(frozen=True, slots=True)
class ChunkBoundaries(Measure):
    """Precision, recall and F1 of the ends of chunks, against the chunks of a person."""

    name: ClassVar[str] = "chunk_boundaries"
    kind: ClassVar[str] = "chunks"
    is_optional: ClassVar[bool] = True
    counts: ClassVar[type[Counts]] = ChunkBoundaryCounts
    scores: ClassVar[tuple[Score, ...]] = (
        *tallies("boundaries", "chunk_boundary", {
            "tp": ("TP", "Ends of chunks that both sides have."),
            "fp": ("FP", "Ends that only the system has."),
            "fn": ("FN", "Ends that only the gold has."),
        }, views=("other",)),
        *matches("boundaries", "chunk_boundary", "ends of chunks, at the same character",
                 views=("other", "compare"), f1_views=("headline",)),
    )  # fmt: skip

    def count(self, system: Chunks, gold: Chunks, text: str) -> ChunkBoundaryCounts:
        """Count the ends of both sides, but for the end of the text."""
        ours, theirs = (set(each.ends.tolist()) - {len(text)} for each in (system, gold))
        shared = len(ours & theirs)
        return ChunkBoundaryCounts(shared, len(ours) - shared, len(theirs) - shared)
