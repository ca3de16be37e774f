"""Aligned trees: the constituents of two sides on one axis, and which of them match."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from caesura.align.points import Points
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.matching.brackets import Nest, Partners, combined, paired_rows, pieces
from caesura.measures.joint import AlignedTexts
from caesura.tasks.trees.data import Trees

TreeAlgorithm = Literal["blocks", "jp"]
_INT: Any = np.int32


@dataclass(frozen=True)
class Placed:
    """The constituents of one side: where their edges are on the axis.

    `edges` are the places of all edges of tokens, `label` and `tag` numbers that both sides share;
    `starts` and `stops` are points, -1 where an edge is none.
    """

    trees: Trees
    edges: Points
    label: IntArray
    tag: IntArray
    starts: IntArray
    stops: IntArray

    @property
    def is_shared(self) -> BoolArray:
        """Which brackets have edges that are both points."""
        shared: BoolArray = (self.starts >= 0) & (self.stops >= 0)
        return shared

    @cached_property
    def sentence(self) -> IntArray:
        """The sentence of each bracket."""
        ends, first = self.trees.text.sentence_ends, self.trees.brackets.first
        return np.searchsorted(ends.astype(first.dtype), first, side="right").astype(_INT)


@dataclass(frozen=True)
class AlignedTrees:
    """The trees of a system and of the gold, on one axis.

    With the algorithm `jp`, an edge of a bracket inside a block of tokens that is not 1:1 moves to
    the block's edge, tokens that one side lacks are joined to the token after them, and of equal
    brackets of a side only the first can match. Tags are those of tokens, which do not move; and
    whether a bracket crosses others is decided before it moves.
    """

    system: Trees
    gold: Trees
    texts: AlignedTexts
    algorithm: TreeAlgorithm = "blocks"

    @classmethod
    def from_trees(cls, system: Trees, gold: Trees, algorithm: TreeAlgorithm) -> AlignedTrees:
        """Align the texts of two sides."""
        return cls(system, gold, AlignedTexts.from_texts(system.text, gold.text), algorithm)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The labels and tags of both sides."""
        return tuple(dict.fromkeys((*self.gold.names, *self.system.names)))

    @cached_property
    def ours(self) -> Placed:
        """The system's constituents."""
        return self._placed(self.system, self.texts.system, is_a=True)

    @cached_property
    def theirs(self) -> Placed:
        """The gold's constituents."""
        return self._placed(self.gold, self.texts.gold, is_a=False)

    def _placed(self, trees: Trees, text: Text, *, is_a: bool) -> Placed:
        number = {name: at for at, name in enumerate(self.names)}
        shared: IntArray = np.array([number[name] for name in trees.names], _INT)
        offsets = np.append(np.zeros(1, text.token_ends.dtype), text.token_ends)
        edges = Points.from_offsets(offsets, self.texts.runs, is_a=is_a)
        first, last = trees.brackets.first, trees.brackets.last
        if self.algorithm == "jp":
            tokens = self.texts.tokens
            blocks = (tokens.system if is_a else tokens.gold)[_is_joined_edge(self.texts)]
            starts = np.searchsorted(blocks, first, side="right") - 1
            stops = np.searchsorted(blocks, last, side="left")
        else:
            starts, stops = edges.point[first], edges.point[last]
        label, tag = shared[trees.brackets.label], shared[trees.leaves.tag]
        return Placed(trees, edges, label, tag, starts, stops)

    @cached_property
    def labelled(self) -> Partners:
        """Which brackets have a partner with the same edges and label."""
        return self._pairing(labelled=True)

    @cached_property
    def unlabelled(self) -> Partners:
        """Which brackets have a partner with the same edges."""
        return self._pairing(labelled=False)

    def _pairing(self, *, labelled: bool) -> Partners:
        sides = self.ours, self.theirs
        kept = [np.flatnonzero(self._can_pair(side, labelled=labelled)) for side in sides]
        rows = [
            [side.starts[own], side.stops[own] - side.starts[own], side.label[own]]
            for side, own in zip(sides, kept, strict=True)
        ]
        found = paired_rows(*(columns[: 3 if labelled else 2] for columns in rows))
        ours, theirs = (np.zeros(side.label.size, np.bool_) for side in sides)
        ours[kept[0]], theirs[kept[1]] = found.ours, found.theirs
        return Partners(ours, theirs)

    def _can_pair(self, side: Placed, *, labelled: bool) -> BoolArray:
        if self.algorithm == "blocks":
            return side.is_shared
        return _first_of_equal(side.starts, side.stops, side.label, labelled)

    @cached_property
    def tags(self) -> Partners:
        """Which tokens have a partner with the same edges and the same tag."""
        if np.array_equal(self.ours.edges.point, self.theirs.edges.point) and not self.texts.runs:
            same: BoolArray = self.ours.tag == self.theirs.tag
            return Partners(same, same)
        ours, theirs = (_token_keys(side) for side in (self.ours, self.theirs))
        found = paired_rows(ours[1:], theirs[1:])
        mine, yours = (np.zeros(side.tag.size, np.bool_) for side in (self.ours, self.theirs))
        mine[ours[0]], yours[theirs[0]] = found.ours, found.theirs
        return Partners(mine, yours)

    def empty(self, ours_at: IntArray, theirs_at: IntArray) -> IntArray:
        """How many sentences without tokens lie between neighbouring points, in three rows.

        Those of both sides at one point, those of the system, those of the gold.
        """
        ours, theirs = self.system.empty, self.gold.empty
        sides = (self._both_empty, theirs_at), (ours, ours_at), (theirs, theirs_at)
        return np.stack([_numbers(*each) for each in sides])

    @cached_property
    def _both_empty(self) -> IntArray:
        """The gold's sentences without tokens that the system has, too, as `Trees.empty`."""
        blocks = self.texts.sentences
        ours, theirs = (Counter(each.empty.tolist()) for each in (self.system, self.gold))
        both: list[int] = []
        if not (ours and theirs):
            return np.array(both, np.int64)
        for mine, yours in zip(blocks.system.tolist(), blocks.gold.tolist(), strict=True):
            size = min(ours[mine], theirs[yours])
            ours[mine] -= size
            theirs[yours] -= size
            both += [yours] * size
        return np.array(both, np.int64)

    @cached_property
    def is_crossing(self) -> BoolArray:
        """Which of the system's brackets cross one of the gold's, by the edges that they have.

        None does that has a partner with the same edges.
        """
        crossing = np.zeros(self.ours.label.size, np.bool_)
        left = np.arange(crossing.size)
        if self.algorithm == "blocks":
            left = np.flatnonzero(~self.unlabelled.ours)
        spans, order = self.gold.brackets, self.theirs.edges.order
        if left.size and spans.first.size:
            nest = Nest.from_spans(spans.first, spans.last, order)
            ours, own = self.ours.edges.order, self.system.brackets
            crossing[left] = nest.crossed_by(ours[own.first[left]], ours[own.last[left]])
        return crossing


def _is_joined_edge(texts: AlignedTexts) -> BoolArray:
    """Which edges of blocks of tokens stay where a block that one side lacks joins the next one.

    The last block of a sentence joins the one before it.
    """
    blocks, sentences = texts.tokens, texts.sentences
    lacks: BoolArray = (np.diff(blocks.system) == 0) | (np.diff(blocks.gold) == 0)
    ours, theirs = (
        np.append(0, text.sentence_ends)[numbers]
        for text, numbers in ((texts.system, sentences.system), (texts.gold, sentences.gold))
    )
    wall = np.isin(blocks.system, ours) & np.isin(blocks.gold, theirs)
    stays = np.append(True, ~lacks) | wall
    edges = np.flatnonzero(stays)
    last = np.flatnonzero(wall[edges[1:]] & lacks[edges[1:] - 1])
    before = edges[last]
    stays[before[~wall[before]]] = False
    return stays


def _numbers(places: IntArray, edges: IntArray) -> IntArray:
    """How many of some places lie between neighbouring edges; those at the end are the last's."""
    part = np.searchsorted(edges[1:-1], places, side="right")
    return np.bincount(part, minlength=edges.size - 1)


def _first_of_equal(
    starts: IntArray,
    stops: IntArray,
    label: IntArray,
    labelled: bool,  # noqa: FBT001
) -> BoolArray:
    """Which brackets are the first with their edges and, if that matters, their label."""
    columns = (starts, stops, label) if labelled else (starts, stops)
    first = np.zeros(starts.size, np.bool_)
    for (own,) in pieces(starts):
        keys = combined(*(column[own] for column in columns))
        first[own.start + np.unique(keys, return_index=True)[1]] = True
    return first


def _token_keys(side: Placed) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """The tokens whose edges are points and that are not empty there; their edges and tags."""
    starts, stops = side.edges.point[:-1], side.edges.point[1:]
    kept = np.flatnonzero((starts >= 0) & (stops > starts))
    return kept, starts[kept], stops[kept] - starts[kept], side.tag[kept]
