"""Brackets of constituency trees, even if tokens and sentences differ.

Jo, Park & Park (2024), A novel alignment-based approach for PARSEVAL measures. A bracket is a label
and two edges. Both texts are put on one axis of characters; edges that are the same point there are
equal, however the text between them is cut into tokens and sentences. Brackets match one to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from caesura.align.points import Points
from caesura.core.segmentation import BoolArray, IntArray
from caesura.measures.joint import AlignedTexts
from caesura.tasks.trees.format import Trees

TreeAlgorithm = Literal["blocks", "jp"]
LARGEST = 1 << 62
PIECE = 1 << 16
"""The brackets that are paired together."""
_INT: Any = np.int32


@dataclass(frozen=True, slots=True)
class Partners:
    """Which rows of either side have a partner on the other; of equal rows, the first ones."""

    ours: BoolArray
    theirs: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The brackets of one side on the axis of both.

    `edges` are the places of its tokens' edges there; `start` and `stop` are the points of its
    brackets as they are compared, -1 where an edge is none; `label` and `tag` are numbers that both
    sides share; `sentence` is the sentence of each bracket.
    """

    trees: Trees
    edges: Points
    label: IntArray
    tag: IntArray
    start: IntArray
    stop: IntArray
    sentence: IntArray

    @property
    def is_shared(self) -> BoolArray:
        """Which brackets have edges that are both points."""
        shared: BoolArray = (self.start >= 0) & (self.stop >= 0)
        return shared


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTrees:
    """Trees of a system and of the gold: which brackets, and which tokens with their tags, match.

    `is_crossing` says which of the system's brackets cross one of the gold's; `both_empty` are the
    gold's sentences without tokens that the system has, too, as in `Trees.empty`.
    """

    names: tuple[str, ...]
    texts: AlignedTexts
    ours: Side
    theirs: Side
    labelled: Partners
    unlabelled: Partners
    tags: Partners
    is_crossing: BoolArray
    both_empty: IntArray


def match(
    system: Trees,
    gold: Trees,
    algorithm: TreeAlgorithm = "blocks",
    texts: AlignedTexts | None = None,
) -> MatchedTrees:
    """Match the brackets and tags of a system with those of the gold.

    With the algorithm `jp`, an edge of a bracket inside a block of tokens that is not 1:1 moves to
    the block's edge, tokens that one side lacks are joined to the token after them, and of equal
    brackets of a side only the first can match. Tags are those of tokens, which do not move; and
    whether a bracket crosses others is decided before it moves.
    """
    texts = texts or AlignedTexts.from_texts(system.text, gold.text)
    names = tuple(dict.fromkeys((*gold.names, *system.names)))
    is_jp = algorithm == "jp"
    our_blocks, their_blocks = _joined_blocks(texts) if is_jp else (None, None)
    ours = _side(system, texts, names, our_blocks, is_a=True)
    theirs = _side(gold, texts, names, their_blocks, is_a=False)
    sides = ours, theirs
    labelled = paired_rows(*((side.start, side.stop, side.label) for side in sides), once=is_jp)
    unlabelled = paired_rows(*((side.start, side.stop) for side in sides), once=is_jp)

    # Tokens match whose edges are points, and that are not empty there.
    if not texts.runs and np.array_equal(ours.edges.point, theirs.edges.point):
        tags = Partners(ours.tag == theirs.tag, ours.tag == theirs.tag)
    else:
        edges = ((side.edges.point[:-1], side.edges.point[1:], side.tag) for side in sides)
        tags = paired_rows(
            *((np.where(start < stop, start, -1), stop, tag) for start, stop, tag in edges)
        )

    # None crosses a bracket that has a partner with the same edges, unless edges were moved.
    left = np.arange(ours.label.size) if is_jp else np.flatnonzero(~unlabelled.ours)
    is_crossing = np.zeros(ours.label.size, np.bool_)
    our_order, their_order = ours.edges.order, theirs.edges.order
    is_crossing[left] = crossing(
        our_order[system.first[left]], our_order[system.last[left]],
        their_order[gold.first], their_order[gold.last],
    )  # fmt: skip
    both_empty = _both_empty(system.empty, gold.empty, texts)
    return MatchedTrees(
        names, texts, ours, theirs, labelled, unlabelled, tags, is_crossing, both_empty
    )


def _side(
    trees: Trees,
    texts: AlignedTexts,
    names: tuple[str, ...],
    blocks: IntArray | None,
    *,
    is_a: bool,
) -> Side:
    """A side on the axis; with `blocks` of tokens, edges inside one are moved to its edges."""
    number = {name: code for code, name in enumerate(names)}
    shared: IntArray = np.array([number[name] for name in trees.names], _INT)
    token_ends = trees.text.token_ends
    offsets = np.append(np.zeros(1, token_ends.dtype), token_ends)
    edges = Points.from_offsets(offsets, texts.runs, is_a=is_a)
    if blocks is None:
        start, stop = edges.point[trees.first], edges.point[trees.last]
    else:
        start = np.searchsorted(blocks, trees.first, side="right") - 1
        stop = np.searchsorted(blocks, trees.last, side="left")
    # A different integer width would copy all brackets.
    sentence_ends = trees.text.sentence_ends.astype(trees.first.dtype)
    sentence = np.searchsorted(sentence_ends, trees.first, side="right").astype(_INT)
    return Side(trees, edges, shared[trees.label], shared[trees.tag], start, stop, sentence)


def _joined_blocks(texts: AlignedTexts) -> tuple[IntArray, IntArray]:
    """Edges of blocks of tokens in jp, where a block that one side lacks joins the next one.

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
    return blocks.system[stays], blocks.gold[stays]


def _both_empty(ours: IntArray, theirs: IntArray, texts: AlignedTexts) -> IntArray:
    """The gold's sentences without tokens at points at which the system has such, too."""
    both: list[int] = []
    left, wanted = Counter(ours.tolist()), Counter(theirs.tolist())
    if left and wanted:
        blocks = texts.sentences
        for mine, yours in zip(blocks.system.tolist(), blocks.gold.tolist(), strict=True):
            size = min(left[mine], wanted[yours])
            left[mine] -= size
            wanted[yours] -= size
            both += [yours] * size
    return np.array(both, np.int64)


def paired_rows(
    ours: Sequence[IntArray], theirs: Sequence[IntArray], *, once: bool = False
) -> Partners:
    """Pair equal rows of columns one to one; `once` only the first of those that are equal.

    The first two columns are edges, -1 where a row has no partner; without such rows, the first
    column ascends. Rows are taken piece by piece: a million a side take 16 MB instead of 190.

    >>> ours, theirs = [np.array([1, 3]), np.array([5, 6])], [np.array([3]), np.array([6])]
    >>> partners = paired_rows(ours, theirs)
    >>> partners.ours.tolist(), partners.theirs.tolist()
    ([False, True], [True])
    """
    partners = Partners(*(np.zeros(side[0].size, np.bool_) for side in (ours, theirs)))
    our_rows, their_rows = (
        np.flatnonzero((side[0] >= 0) & (side[1] >= 0)) for side in (ours, theirs)
    )
    our_starts, their_starts = ours[0][our_rows], theirs[0][their_rows]
    # A different integer width would copy the whole column.
    cuts = their_starts[PIECE::PIECE].astype(our_starts.dtype)
    our_edges = [0, *np.searchsorted(our_starts, cuts).tolist(), our_starts.size]
    cuts = cuts.astype(their_starts.dtype)
    their_edges = [0, *np.searchsorted(their_starts, cuts).tolist(), their_starts.size]
    for our_piece, their_piece in zip(pairwise(our_edges), pairwise(their_edges), strict=True):
        mine, yours = our_rows[slice(*our_piece)], their_rows[slice(*their_piece)]
        columns = zip(ours, theirs, strict=True)
        keys = combined(*(np.concatenate((one[mine], other[yours])) for one, other in columns))
        piece = paired(keys[: mine.size], keys[mine.size :], once=once)
        partners.ours[mine], partners.theirs[yours] = piece.ours, piece.theirs
    return partners


def combined(*columns: IntArray) -> IntArray:
    """One key for each row of columns of numbers that are not negative, equal for equal rows.

    Numbers are put beside each other in 64 bits; where they need more, they are ranked first.
    """
    keys = columns[0].astype(np.int64)
    for column in columns[1:]:
        width = int(column.max(initial=0)) + 1
        if int(keys.max(initial=0)) >= LARGEST // width:
            keys = np.unique(keys, return_inverse=True)[1]
        keys *= width
        keys += column
    return keys


def paired(ours: IntArray, theirs: IntArray, *, once: bool = False) -> Partners:
    """Pair equal keys one to one; `once` only the first of those that are equal.

    All keys are sorted together, so that equal ones are neighbours, ours before theirs. A loop
    with a counter for each key takes 1.4 s for a million keys a side, this .09 s. The slow twin is
    `matched` of tests/support/reference_trees.py.

    >>> partners = paired(np.array([3, 1, 3, 3]), np.array([3, 2, 3]))
    >>> partners.ours.tolist(), partners.theirs.tolist()
    ([True, False, True, False], [True, False, True])
    """
    both = np.concatenate((ours, theirs))
    order = np.argsort(both, kind="stable")
    keys, is_theirs = both[order], order >= ours.size  # (keys of both sides,) in order
    first = np.flatnonzero(np.concatenate((np.ones(min(1, keys.size)), np.diff(keys))))
    sizes = np.diff(first, append=keys.size)  # (distinct keys,) how often each occurs
    wanted = np.add.reduceat(is_theirs, first, dtype=np.int64) if first.size else sizes
    placed = sizes - wanted
    fewest = np.minimum(np.minimum(wanted, placed), 1 if once else keys.size)
    # Which of the equal keys of its side each key is, from 0; as many as are fewest have partners.
    rank = np.arange(keys.size) - np.repeat(first, sizes)
    rank[is_theirs] -= np.repeat(placed, sizes)[is_theirs]
    has_partner = np.empty(keys.size, np.bool_)
    has_partner[order] = rank < np.repeat(fewest, sizes)
    return Partners(has_partner[: ours.size], has_partner[ours.size :])


def crossing(starts: IntArray, stops: IntArray, begins: IntArray, ends: IntArray) -> BoolArray:
    """Which spans cross a bracket, given in the order in which brackets open.

    Of the brackets that begin inside a span, one ends after it if the last end is after it; of
    those that end inside, one begins before it if the first begin is before it. A walk with a stack
    takes 1 s for the brackets of a million words, this .1 s. The slow twin is `crosses` of
    tests/support/reference_trees.py.
    """
    low, high = np.searchsorted(begins, starts, "right"), np.searchsorted(begins, stops, "left")
    is_crossing: BoolArray = _largest(ends, low, high) > stops
    order = np.argsort(ends, kind="stable")
    ends, opposite = ends[order], -begins[order]
    low, high = np.searchsorted(ends, starts, "right"), np.searchsorted(ends, stops, "left")
    is_crossing |= _largest(opposite, low, high) > -starts
    return is_crossing


def _largest(values: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """The largest of the values from `low` to `high`; the least possible number if there is none.

    The largest of 1, 2, 4 … neighbours are made of each other, and two of them cover a range.
    """
    result = np.full(low.size, np.iinfo(values.dtype).min, values.dtype)
    sizes, width = high - low, 1
    while width <= sizes.max(initial=0):
        which = np.flatnonzero((sizes >= width) & (sizes < 2 * width))
        result[which] = np.maximum(values[low[which]], values[high[which] - width])
        values = np.maximum(values[:-width], values[width:])
        width *= 2
    return result
