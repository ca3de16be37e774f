"""Errors of trees: the sentences whose brackets differ, as the page, lists and tables show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray
from caesura.matching.brackets import combined, paired
from caesura.output.report.views.trees import TreeError, TreeSide
from caesura.tasks.trees.constituents import AlignedTrees, Placed

NONE = "–"
"""What stands for a bracket that a side does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeErrors:
    """The sentences of a document whose brackets differ, by system."""

    document: str
    errors: dict[str, tuple[TreeError, ...]]
    kind: Literal["tree_errors"] = "tree_errors"


def tree_errors(aligned: AlignedTrees, document: str) -> Iterator[TreeError]:
    """Every block of sentences in which a bracket has no partner."""
    ours, theirs = _sides(aligned)
    partner = _partners(ours, theirs)
    names = aligned.names
    for block in np.union1d(ours.wrong_blocks(), theirs.wrong_blocks()).tolist():
        mine, yours = ours.wrong_in(block), theirs.wrong_in(block)
        known = {int(partner[at]) for at in mine.tolist()}
        labels = [
            (
                names[ours.placed.label[at]],
                names[theirs.placed.label[other]] if other >= 0 else NONE,
            )
            for at, other in zip(mine.tolist(), partner[mine].tolist(), strict=True)
        ]
        labels += [
            (NONE, names[theirs.placed.label[at]]) for at in yours.tolist() if at not in known
        ]
        yield TreeError(
            document=document,
            system=ours.shown(block),
            gold=theirs.shown(block),
            labels=tuple(labels),
        )


@dataclass(frozen=True, slots=True)
class _Side:
    """One side: which brackets and tags have no partner, and the sentences at edges of blocks."""

    placed: Placed
    is_wrong: BoolArray
    is_tag_wrong: BoolArray
    edges: IntArray

    def _tokens(self, block: int) -> tuple[int, int]:
        """The tokens before a block, and up to its end."""
        ends, edges = self.placed.trees.text.sentence_ends, self.edges[block : block + 2].tolist()
        start, stop = (int(ends[edge - 1]) if edge else 0 for edge in edges)
        return start, stop

    def wrong_blocks(self) -> IntArray:
        """The blocks in which a bracket has no partner."""
        sentences = self.placed.sentence[self.is_wrong]
        return np.unique(np.searchsorted(self.edges, sentences, side="right") - 1)

    def _brackets(self, block: int) -> tuple[int, int]:
        first = self.placed.trees.brackets.first
        # A different integer width would copy all brackets.
        low, high = np.searchsorted(first, np.array(self._tokens(block), first.dtype)).tolist()
        return low, high

    def wrong_in(self, block: int) -> IntArray:
        """The brackets of a block that have no partner."""
        low, high = self._brackets(block)
        return low + np.flatnonzero(self.is_wrong[low:high])

    def shown(self, block: int) -> TreeSide:
        """The trees of a block."""
        trees, (low, high) = self.placed.trees, self._brackets(block)
        start, stop = self._tokens(block)
        sentence, end = self.edges[block : block + 2].tolist()
        spans = trees.brackets.some(slice(low, high))
        return TreeSide(
            place=trees.text.place(start),
            words=tuple(trees.words(start, stop)),
            tags=tuple(trees.tags(start, stop)),
            ends=tuple((trees.text.sentence_ends[sentence:end] - start).tolist()),
            label=tuple(trees.names[label] for label in spans.label.tolist()),
            first=tuple((spans.first - start).tolist()),
            last=tuple((spans.last - start).tolist()),
            wrong=tuple(np.flatnonzero(self.is_wrong[low:high]).tolist()),
            tags_wrong=tuple(np.flatnonzero(self.is_tag_wrong[start:stop]).tolist()),
            points=tuple(self.placed.edges.point[start : stop + 1].tolist()),
        )


def _sides(aligned: AlignedTrees) -> tuple[_Side, _Side]:
    found, tags, blocks = aligned.labelled, aligned.tags, aligned.texts.sentences
    ours = _Side(aligned.ours, ~found.ours, ~tags.ours, blocks.system)
    theirs = _Side(aligned.theirs, ~found.theirs, ~tags.theirs, blocks.gold)
    return ours, theirs


def _partners(ours: _Side, theirs: _Side) -> IntArray:
    """For each of the system's brackets a gold one with the same edges and another label, or -1."""
    left = [np.flatnonzero(side.is_wrong & side.placed.is_shared) for side in (ours, theirs)]
    sides = zip((ours.placed, theirs.placed), left, strict=True)
    spans = [(side.starts[own], side.stops[own] - side.starts[own]) for side, own in sides]
    keys = combined(*(np.concatenate(pair) for pair in zip(*spans, strict=True)))
    mine, yours = keys[: left[0].size], keys[left[0].size :]
    found = paired(mine, yours)
    partner = np.full(ours.is_wrong.size, -1)
    order, other = (
        which[np.argsort(own, kind="stable")]
        for which, own in ((left[0][found.ours], mine[found.ours]),
                           (left[1][found.theirs], yours[found.theirs]))
    )  # fmt: skip
    # With `jp`, equal brackets that match only once can be left on both sides.
    is_other = ours.placed.label[order] != theirs.placed.label[other]
    partner[order[is_other]] = other[is_other]
    return partner


def bracketed(side: TreeSide) -> str:
    """The words of a side in brackets; square ones are those that the other side does not have.

    >>> side = TreeSide(place="", words=("it", "rained"), tags=("PRP", "VBD"), ends=(2,),
    ...     label=("S", "VP"), first=(0, 1), last=(2, 2), wrong=(1,), tags_wrong=())
    >>> bracketed(side)
    '(S it [VP rained])'
    """
    opened: list[list[str]] = [[] for _ in side.words]
    closed: list[list[str]] = [[] for _ in side.words]
    wrong = set(side.wrong)
    spans = zip(side.label, side.first, side.last, strict=True)
    for at, (label, first, last) in enumerate(spans):
        sign = "[]" if at in wrong else "()"
        opened[first].append(f"{sign[0]}{label} ")
        closed[last - 1].append(sign[1])
    words = (
        "".join((*a, word, *b[::-1])) for a, word, b in zip(opened, side.words, closed, strict=True)
    )
    return " ".join(words)
