"""Cuts: where a text is cut so that its pieces fit a reference's segments with the fewest errors.

An alignment of the fewest errors of the whole, cut where segments end, has the fewest errors in
all segments together. Many alignments have as few; of these one is taken by what its cuts are like.
Only what lies around a cut is looked at, between runs of equal words: many small matrices are
filled at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caesura.align.words import Edits, edits
from caesura.core.arrays import offsets_of, runs, stretched
from caesura.core.segmentation import BoolArray, IntArray

Similarities = Callable[[int, int, int, int], npt.NDArray[np.uint8]]
"""How alike the words of a range of one text and of a range of the other are, from 0 to SCALE."""
SCALE = 100
RUN = 4
"""The equal words in a row in whose middle a matrix may end."""
LARGEST = 1024
"""The most words of a matrix, if there is any place to divide it."""
CELLS = 1 << 22
"""Of the matrices that are filled together."""
LAST = np.iinfo(np.int64).max
PAIR, ONLY_REFERENCE, ONLY_OWN, CUT = range(4)


@dataclass(frozen=True, slots=True)
class CutPlaces:
    """Between which words a text should rather not be cut, and where it rather should."""

    is_bad: BoolArray
    is_end: BoolArray


@dataclass(frozen=True, slots=True)
class CutPrices:
    """What is compared first, as prices: errors, cuts at bad places, cuts at own ends, likeness.

    One of each outweighs all that can be of the next.
    """

    edit: int
    bad: int
    end: int
    alike: int

    @classmethod
    def from_sizes(cls, own: int, reference: int, cuts: int) -> CutPrices:
        """The prices for texts of some words; likeness has none where they would be too large."""
        for alike in (1, 0):
            end = alike * SCALE * min(own, reference) + 1
            bad = end * (cuts + 1)
            edit = bad * (cuts + 1)
            if edit < LAST // (own + reference + 2):
                break
        return cls(edit, bad, end, alike)

    def cut(self, places: CutPlaces) -> IntArray:
        """What a cut costs after each number of words."""
        return self.bad * places.is_bad.astype(np.int64) - self.end * places.is_end.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a text is cut, as numbers of words, and what its alignment comes to."""

    cuts: IntArray
    errors: int
    is_certain: bool


def fitted(
    own: IntArray, reference: IntArray, ends: IntArray, places: CutPlaces, alike: Similarities
) -> Fit:
    """Cut numbered words to fit the segments of a reference, which end after `ends` words.

    There are as many cuts as ends; the last is after all words.
    """
    alignment = edits(own, reference)
    seams = _seams(alignment, own, reference)
    columns, number = runs(ends)  # many segments may be blank
    number[-1:] -= 1  # the last cut is known
    inner = columns[number > 0].astype(np.int64)
    at = np.minimum(np.searchsorted(seams[:, 1], columns), len(seams) - 1)
    cuts: IntArray = seams[at, 0]
    for boxes in _batches(_boxes(seams, inner)):
        which, rows = _cuts_in(boxes, own, reference, (inner, number), places, alike)
        cuts[which] = rows
    number[-1:] += 1
    cuts = np.repeat(cuts.astype(offsets_of(own.size)), number)
    cuts[-1:] = own.size
    return Fit(cuts, alignment.errors, alignment.is_certain)


def _seams(alignment: Edits, own: IntArray, reference: IntArray) -> IntArray:
    """Cells through which the path stays: the first, middles of runs of equal words, the last.

    A cell is a number of own words and one of words of the reference.
    """
    words = np.flatnonzero(alignment.is_aligned)
    partners = alignment.landing[words]
    is_hit = own[words] == reference[partners]
    goes_on = (np.diff(words) == 1) & (np.diff(partners) == 1) & is_hit[1:] & is_hit[:-1]
    first = np.flatnonzero(is_hit & ~np.concatenate(([False], goes_on))[: words.size])
    size = np.diff(np.append(np.cumsum(is_hit)[first] - 1, np.count_nonzero(is_hit)))
    middle = first + size // 2
    chosen = middle[size >= RUN]
    edges = np.concatenate(([0], chosen, [words.size]))
    wide = np.flatnonzero(np.diff(edges) > LARGEST).tolist()
    more = [_divided(int(edges[at]), int(edges[at + 1]), middle, size) for at in wide]
    chosen = np.unique(np.concatenate([chosen, *more]).astype(np.int64))
    inside = np.stack((words[chosen], partners[chosen]), axis=1)
    inside = inside[(inside > 0).all(axis=1)]
    return np.vstack(([(0, 0)], inside, [(own.size, reference.size)]))


def _divided(start: int, stop: int, middle: IntArray, size: IntArray) -> list[int]:
    """Pairs at which to divide a long stretch: in long runs of equal words, or anywhere."""
    places, left = [], [(start, stop)]
    while left:
        begin, end = left.pop()
        if end - begin > LARGEST:
            third = (end - begin) // 3
            low, high = np.searchsorted(middle, (begin + third, end - third)).tolist()
            best = low + int(np.argmax(size[low:high])) if low < high else -1
            place = int(middle[best]) if best >= 0 else (begin + end) // 2
            places.append(place)
            left += [(begin, place), (place, end)]
    return places


def _boxes(seams: IntArray, ends: IntArray) -> IntArray:
    """What lies between seams, where there is a cut: first and last cell, first and last cut."""
    boxes = np.hstack((seams[:-1], seams[1:]))
    first = np.searchsorted(ends, boxes[:, 1], side="right")
    last = np.searchsorted(ends, boxes[:, 3], side="left")
    first[0], last[-1] = 0, ends.size
    with_cuts: IntArray = np.column_stack((boxes, first, last))[first < last]
    return with_cuts


def _batches(boxes: IntArray) -> Iterator[IntArray]:
    """Boxes of about the same size, as many as are filled together."""
    size = boxes[:, 2:4] - boxes[:, :2] + 1
    order = np.lexsort((size[:, 0], size[:, 1]))
    while order.size:
        largest = np.maximum.accumulate(size[order], axis=0).prod(axis=1)
        some = max(1, int(np.searchsorted(largest * np.arange(1, order.size + 1), CELLS)))
        yield boxes[order[:some]]
        order = order[some:]


def _cuts_in(
    boxes: IntArray,
    own: IntArray,
    reference: IntArray,
    cuts: tuple[IntArray, IntArray],
    places: CutPlaces,
    alike: Similarities,
) -> tuple[IntArray, IntArray]:
    """Which of the columns with cuts lie in some boxes, and after how many own words each is cut.

    `boxes` have their first and last cells, and their first and last columns among those of `cuts`:
    the words of the reference before each, and how many cuts are there. A matrix is filled for each
    box, layer by layer: one for each column, which is a word of the reference, and one for the cuts
    in it, which are all in the row that is the cheapest for each.
    """
    ends, number = cuts
    many = len(boxes)
    sizes = boxes[:, 2:4] - boxes[:, :2]
    width, height = (sizes.max(axis=0) + 1).tolist()
    in_box = boxes[:, 5] - boxes[:, 4]
    box, place = np.repeat(np.arange(many), in_box), stretched(boxes[:, 4], in_box)
    cuts_at = np.zeros((many, height), np.int64)
    cuts_at[box, ends[place] - boxes[box, 1]] = number[place]
    price = CutPrices.from_sizes(width - 1, height - 1, int(cuts_at.sum(axis=1).max()))
    # (boxes, own words,) and (boxes, words of the reference); beyond a box stands whatever follows
    rows, columns = boxes[:, :1] + np.arange(width), boxes[:, 1:2] + np.arange(height - 1)
    cut_prices = price.cut(places).take(rows, mode="clip")
    is_same = (
        own.take(rows[:, :-1], mode="clip")[:, :, None]
        == reference.take(columns, mode="clip")[:, None, :]
    )
    likeness = np.zeros((many, width - 1, height - 1), np.uint8)
    for at, (start, begin, stop, end) in enumerate(boxes[:, :4].tolist()):
        if start < stop and begin < end:
            likeness[at, : stop - start, : end - begin] = price.alike * alike(
                start, stop, begin, end
            )

    slope = price.edit * np.arange(width)
    values = np.tile(slope, (many, 1))  # (boxes, rows) the price of the cheapest path so far
    column_of, is_cut = [0], [np.zeros(many, np.bool_)]  # of each layer
    moves = [np.full((many, width), ONLY_OWN, np.int8)]
    for column in range(height):
        if column:
            only = values + price.edit
            pair = np.full_like(values, LAST)
            pair[:, 1:] = values[:, :-1] + price.edit
            pair[:, 1:] -= price.edit * is_same[:, :, column - 1]
            pair[:, 1:] -= likeness[:, :, column - 1]
            direct = np.minimum(pair, only)
            values = _with_own(direct, slope)
            move = np.where(pair <= only, PAIR, ONLY_REFERENCE)
            moves.append(np.where(values < direct, ONLY_OWN, move).astype(np.int8))
            column_of.append(column)
            is_cut.append(np.zeros(many, np.bool_))
        if cuts_at[:, column].any():
            direct = values + cuts_at[:, column, None] * cut_prices
            values = _with_own(direct, slope)
            moves.append(np.where(values < direct, ONLY_OWN, CUT).astype(np.int8))
            column_of.append(column)
            is_cut.append(cuts_at[:, column] > 0)
    layer = np.searchsorted(column_of, sizes[:, 1], side="right") - 1
    return _traced(boxes, layer, np.stack(is_cut), np.stack(moves))


def _with_own(direct: IntArray, slope: IntArray) -> IntArray:
    """The least prices where own words may also stand alone."""
    prices: IntArray = np.minimum.accumulate(direct - slope, axis=1)
    prices += slope
    return prices


def _traced(
    boxes: IntArray, layer: IntArray, is_cut: BoolArray, moves: npt.NDArray[np.int8]
) -> tuple[IntArray, IntArray]:
    """Follow the moves back from the last layer of each box, and note where they are cut."""
    every_box = np.arange(len(boxes))
    row, column = boxes[:, 2] - boxes[:, 0], boxes[:, 5]
    columns, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    while True:
        move = moves[layer, every_box, row]
        here = (move == CUT) & is_cut[layer, every_box]
        column = column - here
        columns.append(column[here])
        rows.append(boxes[here, 0] + row[here])
        is_over = (layer == 0) & (row == 0)
        if is_over.all():
            return np.concatenate(columns), np.concatenate(rows)
        row = row - (((move == ONLY_OWN) | (move == PAIR)) & ~is_over)
        layer = layer - ((move != ONLY_OWN) & ~is_over)
