"""Resegmentation: a text put into the segments of a reference, at the least edit cost.

An alignment of the fewest errors of the whole, cut where segments end, has the fewest errors in
all segments together. Many alignments have as few; of these one is taken by what its cuts are like.
Only what lies around a cut is looked at, between runs of equal words: many small matrices are
filled at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from caesura.align.wording import Compared, CutPlaces, Level, Wording, are_full, level_of, stretches
from caesura.align.words import Edits, edits, numbered
from caesura.core.arrays import offsets_of, runs, stretched
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import number

Span = tuple[int, int]
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
STRANGE, FAR = 0.9, 1.3
"""The word error rate from which on a document looks like another, and how far above others."""


def looks_strange(rate: float, usual: float) -> bool:
    """Whether a document with a word error rate may be another; `usual` is the median of all."""
    return rate >= max(STRANGE, FAR * usual)


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a text is cut, as numbers of words, and what its alignment comes to."""

    cuts: IntArray
    errors: int
    is_certain: bool


@dataclass(frozen=True, repr=False)
class Resegmented:
    """A text and a reference in words, and where the text is cut to fit the segments.

    `given` are its lines, if these are the segments.
    """

    text: Wording
    reference: Wording
    fit: Fit
    given: Sequence[str] | None = None

    @classmethod
    def from_lines(
        cls, lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
    ) -> Resegmented:
        """Put lines, however they are cut, into segments."""
        text, reference = _wordings(lines, segments, tokens, level)
        own, other = numbered(text.compared, reference.compared)
        alike = partial(_similarities, text.compared, reference.compared)
        return cls(text, reference, fitted(own, other, reference.line_ends, text.places, alike))

    @classmethod
    def as_they_are(
        cls, lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
    ) -> Resegmented:
        """Take each line for the segment of its number."""
        text, reference = _wordings(lines, segments, tokens, level)
        return cls(text, reference, Fit(text.line_ends, -1, is_certain=True), lines)

    def __repr__(self) -> str:
        errors = int(self.full_edits.sum())
        about = f"{number(len(self.text), 'word')} in {number(self.fit.cuts.size, 'segment')}"
        return f"<Resegmented: {about}, {number(errors, 'edit')}>"

    @property
    def spans(self) -> list[Span]:
        """The first word of the text in each segment, and where it ends."""
        return list(pairwise([0, *self.fit.cuts.tolist()]))

    @property
    def segments(self) -> list[Span]:
        """The same of the reference."""
        return list(pairwise([0, *self.reference.line_ends.tolist()]))

    @cached_property
    def full(self) -> IntArray:
        """The numbers of the segments where either side has text; of blank ones there may be many.

        The first is always one of them: it gets a text of which nothing is compared.
        """
        is_full = are_full(self.fit.cuts) if self.given is None else self.text.has_words.copy()
        is_full |= self.reference.has_words
        is_full[:1] = True
        return np.flatnonzero(is_full)

    @cached_property
    def full_lines(self) -> list[str]:
        """The text of each segment that is not blank."""
        if self.given is None:
            return self.text.pieces(self.fit.cuts, self.full)
        return [" ".join(self.given[at].split()) for at in self.full.tolist()]

    @cached_property
    def lines(self) -> list[str]:
        """The text, one line for each segment."""
        lines = [""] * self.fit.cuts.size
        for at, line in zip(self.full.tolist(), self.full_lines, strict=True):
            lines[at] = line
        return lines

    @cached_property
    def edits(self) -> IntArray:
        """The word errors of each segment."""
        edits = np.zeros(self.fit.cuts.size, np.int64)
        edits[self.full] = self.full_edits
        return edits

    @cached_property
    def full_edits(self) -> IntArray:
        """The word errors of each segment that is not blank."""
        from rapidfuzz.distance import Levenshtein

        own, other = self.text.compared, self.reference.compared
        pairs = zip(*self.full_spans(), strict=True)
        errors = [Levenshtein.distance(own[a:b], other[c:d]) for (a, b), (c, d) in pairs]
        return np.array(errors, np.int64)

    @cached_property
    def character_edits(self) -> tuple[IntArray, IntArray]:
        """The character errors of each segment that is not blank, and its reference's size."""
        from rapidfuzz.distance import Levenshtein

        ours = self.text.compared_pieces(self.fit.cuts, self.full)
        theirs = self.reference.compared_pieces(self.reference.line_ends, self.full)
        errors = list(map(Levenshtein.distance, ours, theirs))
        return np.array(errors, np.int64), np.array([len(each) for each in theirs], np.int64)

    def full_spans(self) -> tuple[list[Span], list[Span]]:
        """Where the words of each segment that is not blank begin and end: text and reference."""
        ours, theirs = self.fit.cuts, self.reference.line_ends
        return stretches(ours, self.full), stretches(theirs, self.full)

    def slack(self) -> list[tuple[int, int]]:
        """How many words each cut could move left and right at no cost, while the others stay.

        That of the last cut, at the end of the text, is none.
        """
        own, other = self.text.compared, self.reference.compared
        slack: list[Span] = []
        ours, theirs = pairwise(self.spans), pairwise(self.segments)
        for ((start, cut), (_, stop)), ((begin, middle), (_, end)) in zip(
            ours, theirs, strict=True
        ):
            before = _distances(own[start:stop], other[begin:middle])
            after = _distances(own[start:stop][::-1], other[middle:end][::-1])[::-1]
            at = cut - start
            wrong = np.flatnonzero(before + after != before[at] + after[at])
            low = wrong[wrong < at].max(initial=-1) + 1
            high = wrong[wrong > at].min(initial=before.size) - 1
            slack.append((int(at - low), int(high - at)))
        return [*slack, (0, 0)] if self.fit.cuts.size else []


def _wordings(
    lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
) -> tuple[Wording, Wording]:
    """Both sides in words, or in characters if most of the reference is."""
    level = level_of("\n".join(segments)) if level == "auto" else level
    return Wording.from_lines(lines, tokens, level), Wording.from_lines(segments, tokens, level)


def _distances(own: Sequence[str], other: Sequence[str]) -> IntArray:
    """The edit distances of the first none, one, two … words of a text to all of another."""
    ours, theirs = numbered(own, other)
    slope = np.arange(ours.size + 1)
    row = slope.copy()
    for word in theirs:
        least = row + 1
        np.minimum(least[1:], row[:-1] + (ours != word), out=least[1:])
        row = np.minimum.accumulate(least - slope) + slope
    return row


def _similarities(own: Sequence[str], other: Sequence[str], *span: int) -> npt.NDArray[np.uint8]:
    """How alike words are in their characters, by the normalised Indel similarity."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    start, stop, begin, end = span
    found: npt.NDArray[np.uint8] = cdist(
        own[start:stop],
        other[begin:end],
        scorer=Indel.normalized_similarity,
        dtype=np.uint8,
        score_multiplier=SCALE,
    )
    return found


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
    # What lies between seams, where there is a cut: first and last cell, first and last cut.
    boxes = np.hstack((seams[:-1], seams[1:]))
    first = np.searchsorted(inner, boxes[:, 1], side="right")
    last = np.searchsorted(inner, boxes[:, 3], side="left")
    first[0], last[-1] = 0, inner.size
    for batch in _batches(np.column_stack((boxes, first, last))[first < last]):
        which, rows = _cuts_in(batch, own, reference, (inner, number), places, alike)
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
    edit, bad, end, likest = _prices(width - 1, height - 1, int(cuts_at.sum(axis=1).max()))
    # (boxes, own words,) and (boxes, words of the reference); beyond a box stands whatever follows
    rows, columns = boxes[:, :1] + np.arange(width), boxes[:, 1:2] + np.arange(height - 1)
    cut_prices = bad * places.is_bad.astype(np.int64) - end * places.is_end.astype(np.int64)
    cut_prices = cut_prices.take(rows, mode="clip")
    ours, theirs = own.take(rows[:, :-1], mode="clip"), reference.take(columns, mode="clip")
    is_same = ours[:, :, None] == theirs[:, None, :]
    likeness = np.zeros((many, width - 1, height - 1), np.uint8)
    for at, (start, first, stop, last) in enumerate(boxes[:, :4].tolist()):
        if start < stop and first < last:
            words = likest * alike(start, stop, first, last)
            likeness[at, : stop - start, : last - first] = words

    slope = edit * np.arange(width)
    values = np.tile(slope, (many, 1))  # (boxes, rows) the price of the cheapest path so far
    uncut = np.zeros(many, np.bool_)
    layers = [(0, uncut, np.full((many, width), ONLY_OWN, np.int8))]  # column, cuts, moves
    for column in range(height):
        if column:
            only = values + edit
            pair = np.full_like(values, LAST)
            pair[:, 1:] = values[:, :-1] + edit
            pair[:, 1:] -= edit * is_same[:, :, column - 1]
            pair[:, 1:] -= likeness[:, :, column - 1]
            direct = np.minimum(pair, only)
            values = _with_own(direct, slope)
            move = np.where(pair <= only, PAIR, ONLY_REFERENCE)
            move = np.where(values < direct, ONLY_OWN, move).astype(np.int8)
            layers.append((column, uncut, move))
        if cuts_at[:, column].any():
            direct = values + cuts_at[:, column, None] * cut_prices
            values = _with_own(direct, slope)
            move = np.where(values < direct, ONLY_OWN, CUT).astype(np.int8)
            layers.append((column, cuts_at[:, column] > 0, move))
    column_of, is_cut, moves = zip(*layers, strict=True)
    layer = np.searchsorted(column_of, sizes[:, 1], side="right") - 1
    return _traced(boxes, layer, np.stack(is_cut), np.stack(moves))


def _prices(own: int, reference: int, cuts: int) -> tuple[int, int, int, int]:
    """What is compared first, as prices: errors, cuts at bad places, cuts at own ends, likeness.

    One of each outweighs all that can be of the next in texts of some words; likeness has no price
    where the others would be too large.
    """
    for alike in (1, 0):
        end = alike * SCALE * min(own, reference) + 1
        bad = end * (cuts + 1)
        edit = bad * (cuts + 1)
        if edit < LAST // (own + reference + 2):
            break
    return edit, bad, end, alike


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
