"""Cuts: where a text is cut so that its pieces fit a reference's segments with the fewest errors.

An alignment of the fewest errors of the whole, cut where segments end, has the fewest errors in
all segments together. Many alignments have as few; of these one is taken by what its cuts are like.
Only what lies around a cut is looked at, between runs of equal words: many small matrices are
filled at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

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
    found = edits(own, reference)
    seams = _seams(found, own, reference)
    columns, number = runs(ends)  # many segments may be blank
    number[-1:] -= 1
    inner = columns[number > 0].astype(np.int64), number
    at = np.minimum(np.searchsorted(seams[:, 1], columns), len(seams) - 1)
    cuts: IntArray = seams[at, 0]
    for batch in _batches(_boxes(seams, inner[0])):
        which, rows = _Matrices(batch, own, reference, *inner, places, alike).cuts()
        cuts[which] = rows
    number[-1:] += 1
    every = np.repeat(cuts.astype(offsets_of(own.size)), number)
    every[-1:] = own.size
    return Fit(every, found.errors, found.is_certain)


def _seams(found: Edits, own: IntArray, reference: IntArray) -> IntArray:
    """Cells through which the path stays: the first, middles of runs of equal words, the last.

    A cell is a number of own words and one of words of the reference.
    """
    words = np.flatnonzero(found.is_aligned)
    partners = found.landing[words]
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
    found: IntArray = np.column_stack((boxes, first, last))[first < last]
    return found


def _batches(boxes: IntArray) -> Iterator[IntArray]:
    """Boxes of about the same size, as many as are filled together."""
    size = boxes[:, 2:4] - boxes[:, :2] + 1
    order = np.lexsort((size[:, 0], size[:, 1]))
    while order.size:
        largest = np.maximum.accumulate(size[order], axis=0).prod(axis=1)
        some = max(1, int(np.searchsorted(largest * np.arange(1, order.size + 1), CELLS)))
        yield boxes[order[:some]]
        order = order[some:]


@dataclass(frozen=True)
class _Matrices:
    """Matrices of some boxes, filled column by column; a column is a word of the reference.

    `boxes` have their first and last cells, and their first and last columns of cuts among `ends`;
    `number` says how many cuts each of these has. All of one column are in the same row, for it is
    the cheapest for each.
    """

    boxes: IntArray
    own: IntArray
    reference: IntArray
    ends: IntArray
    number: IntArray
    places: CutPlaces
    alike: Similarities

    @cached_property
    def _size(self) -> IntArray:
        """How many own words and words of the reference each box has."""
        return self.boxes[:, 2:4] - self.boxes[:, :2]

    @cached_property
    def _price(self) -> CutPrices:
        own, reference = self._size.max(axis=0).tolist()
        before = np.append(0, np.cumsum(self.number))
        cuts = int((before[self.boxes[:, 5]] - before[self.boxes[:, 4]]).max())
        return CutPrices.from_sizes(own, reference, cuts)

    def cuts(self) -> tuple[IntArray, IntArray]:
        """The columns of the cuts in these boxes, and after how many own words each cut is."""
        layers, moves = self._filled()
        return self._traced(layers, moves)

    def _number_of_cuts(self) -> IntArray:
        """How many cuts each box has in each column."""
        height = int(self._size[:, 1].max()) + 1
        sizes = self.boxes[:, 5] - self.boxes[:, 4]
        which = np.repeat(np.arange(len(self.boxes)), sizes)
        chosen = stretched(self.boxes[:, 4], sizes)
        number = np.zeros((len(self.boxes), height), np.int64)
        number[which, self.ends[chosen] - self.boxes[which, 1]] = self.number[chosen]
        return number

    def _filled(self) -> tuple[list[tuple[int, BoolArray | None]], npt.NDArray[np.int8]]:
        """Fill layer by layer: one for each column, and one for the cuts in it.

        The layers are told by their columns and, for cuts, which boxes are cut there.
        """
        many, width = len(self.boxes), int(self._size[:, 0].max()) + 1
        prices, alike, is_same = self._prices(width), self._likeness(width), self._equal(width)
        number = self._number_of_cuts()
        edit = self._price.edit
        slope = edit * np.arange(width)
        values = np.tile(slope, (many, 1))
        layers: list[tuple[int, BoolArray | None]] = [(0, None)]
        moves = [np.full((many, width), ONLY_OWN, np.int8)]
        for column in range(number.shape[1]):
            if column:
                only = values + edit
                pair = np.full_like(values, LAST)
                pair[:, 1:] = values[:, :-1] + edit
                pair[:, 1:] -= edit * is_same[:, :, column - 1]
                pair[:, 1:] -= alike[:, :, column - 1]
                direct = np.minimum(pair, only)
                values = _with_own(direct, slope)
                move = np.where(
                    values < direct, ONLY_OWN, np.where(pair <= only, PAIR, ONLY_REFERENCE)
                )
                layers.append((column, None))
                moves.append(move.astype(np.int8))
            if number[:, column].any():
                direct = values + number[:, column, None] * prices
                values = _with_own(direct, slope)
                layers.append((column, number[:, column] > 0))
                moves.append(np.where(values < direct, ONLY_OWN, CUT).astype(np.int8))
        return layers, np.stack(moves)

    def _rows(self, width: int) -> IntArray:
        """The own words of each box; beyond its end stands whatever follows."""
        return self.boxes[:, :1] + np.arange(width)

    def _prices(self, width: int) -> IntArray:
        return self._price.cut(self.places).take(self._rows(width), mode="clip")

    def _equal(self, width: int) -> BoolArray:
        """Which words are equal: by box, own word, word of the reference."""
        height = int(self._size[:, 1].max())
        own = self.own.take(self._rows(width - 1), mode="clip")
        reference = self.reference.take(self.boxes[:, 1:2] + np.arange(height), mode="clip")
        same: BoolArray = own[:, :, None] == reference[:, None, :]
        return same

    def _likeness(self, width: int) -> npt.NDArray[np.uint8]:
        """How alike words are: by box, own word, word of the reference."""
        height = int(self._size[:, 1].max())
        found = np.zeros((len(self.boxes), width - 1, height), np.uint8)
        for at, (start, begin, stop, end) in enumerate(self.boxes[:, :4].tolist()):
            if start < stop and begin < end:
                alike = self.alike(start, stop, begin, end)
                found[at, : stop - start, : end - begin] = self._price.alike * alike
        return found

    def _traced(
        self, layers: list[tuple[int, BoolArray | None]], moves: npt.NDArray[np.int8]
    ) -> tuple[IntArray, IntArray]:
        """Follow the moves back from the ends of the boxes, and note where they are cut."""
        columns = np.array([column for column, _ in layers])
        layer = np.searchsorted(columns, self._size[:, 1], side="right") - 1
        row = self._size[:, 0].copy()
        cut = self.boxes[:, 5].copy()
        every = np.arange(len(self.boxes))
        is_cut = np.stack(
            [np.zeros(len(self.boxes), np.bool_) if each is None else each for _, each in layers]
        )
        numbers, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        while True:
            move = moves[layer, every, row]
            here = (move == CUT) & is_cut[layer, every]
            cut = cut - here
            numbers.append(cut[here])
            rows.append(self.boxes[here, 0] + row[here])
            is_over = (layer == 0) & (row == 0)
            if is_over.all():
                break
            row = row - (((move == ONLY_OWN) | (move == PAIR)) & ~is_over)
            layer = layer - ((move != ONLY_OWN) & ~is_over)
        return np.concatenate(numbers), np.concatenate(rows)


def _with_own(direct: IntArray, slope: IntArray) -> IntArray:
    """The least prices where own words may also stand alone."""
    found: IntArray = np.minimum.accumulate(direct - slope, axis=1)
    found += slope
    return found
