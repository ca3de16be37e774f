"""Whole sentences: other alignments of blocks of sentences that are not 1:1.

"no no ." can be aligned with "no . no no . yes ." in many ways that leave as many characters over,
and most of them tear the sentence that both texts have. So chains of equal sentences are tried; the
one that costs least, and of these has most sentences 1:1, counts if it costs no more than what is
there. What one text lacks here and the other there can be cheaper to replace than to leave out, so
the alignment with most equal characters is tried, too. What has most sentences 1:1 is taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from operator import itemgetter

import numpy as np

from caesura.align.anchors import ANCHOR_CHARACTERS
from caesura.align.characters import Runs, equal_runs, levenshtein, slide
from caesura.align.points import sync_points
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text

Place = tuple[int, int]
"""A number of sentences of both texts, or of characters."""
Texts = tuple[Text, Text]
Chain = tuple[int, int, tuple[Place, ...]]
"""What it costs, minus the sentences that are 1:1, and which of them are equal in both texts."""
NEAR, LARGEST = 256, 1024
"""The most characters of several blocks that are taken together, and of one, on either side."""
MOST = 32
"""The most pairs of equal sentences in a stretch."""
APART = 64
"""Characters of an equal run that separates stretches."""


def keep_whole(runs: Runs, a: Text, b: Text) -> Runs:
    """The runs with more sentences 1:1 where others have them, else the same object."""
    texts, edges = (a, b), sync_points(a.sentence_offsets, b.sentence_offsets, runs)
    rows, start = list[IntArray](), (0, 0)
    for first, last in _promising(runs, texts, edges):
        begin, end = _place(texts, first), _place(texts, last)
        stretch = _between(texts, first, last)
        own = _inside(runs, begin, end)
        own[:2] -= np.array(begin)[:, None]
        if better := _better(_as_runs([own], *stretch), *stretch):
            rows += [_inside(runs, start, begin), _moved(better, begin)]
            start = end
    if not rows:
        return runs
    return _as_runs([*rows, _inside(runs, start, (runs.size_a, runs.size_b))], a, b)


def _better(runs: Runs, a: Text, b: Text) -> Runs | None:
    """Runs with more sentences 1:1, if there are some."""
    from rapidfuzz.distance import Indel

    # The distance without replacements leaves the fewest characters over.
    blocks = Indel.opcodes(a.stream, b.stream).as_matching_blocks()
    rows = np.array([(block.a, block.b, block.size) for block in blocks]).T
    best, most = None, _one_to_one(runs, a, b)
    for others in (_through_equal(runs, a, b), slide(_as_runs([rows], a, b), a, b)):
        sentences = _one_to_one(others, a, b) if others else 0
        if sentences > most:
            best, most = others, sentences
    return best


def _one_to_one(runs: Runs, a: Text, b: Text) -> int:
    """The number of sentences that are 1:1."""
    edges = sync_points(a.sentence_offsets, b.sentence_offsets, runs)
    return int(np.count_nonzero((np.diff(edges) == 1).all(axis=0)))


def _through_equal(runs: Runs, a: Text, b: Text) -> Runs | None:
    """Runs through equal sentences that cost no more, if there are some.

    These sentences are whole, and what lies between is aligned as usual.
    """
    texts = a, b
    ours, theirs = (_cut(text.stream, [0, *text.sentence_offsets.tolist()]) for text in texts)
    where = defaultdict(list)
    for at, sentence in enumerate(theirs):
        where[sentence].append(at)
    equal = ((i, j) for i, sentence in enumerate(ours) for j in where.get(sentence, ()))
    pairs = list(islice(equal, MOST + 1))
    if not 0 < len(pairs) <= MOST:
        return None
    cost, _, chain = _best_chain(pairs, texts)
    if cost > (most := _cost(runs)):
        return None
    rows, start = list[IntArray](), (0, 0)
    for place in (*chain, None):
        stop = place or (a.sentence_ends.size, b.sentence_ends.size)
        before, beside = _between(texts, start, stop)
        aligned = slide(equal_runs(before.stream, beside.stream), before, beside)
        rows.append(_moved(aligned, _place(texts, start)))
        if place:
            start = place[0] + 1, place[1] + 1
            i, j = _place(texts, place)
            rows.append(np.array([[i], [j], [_place(texts, start)[0] - i]]))
    through = _as_runs(rows, a, b)
    return through if _cost(through) <= most else None


def _promising(
    runs: Runs, texts: Texts, edges: tuple[IntArray, IntArray]
) -> Iterator[tuple[Place, Place]]:
    """Where more sentences may be 1:1, between two points.

    Both texts have more equal sentences than are right, or ends of sentences that are loose. A
    stretch goes from one long run to the next, or if that is too much, over a block that is not
    1:1. Only stretches are looked at one by one; texts have millions of points. The slow twin is
    `most_whole` of tests/support/reference_text.py.
    """
    offsets = [np.append(0, text.sentence_offsets) for text in texts]
    # (2, points) where the sync points of sentences lie in a and in b
    places = np.stack([each[own] for each, own in zip(offsets, edges, strict=True)])
    odd = _torn(np.diff(edges), places, runs)
    if not odd.size:
        return
    run = np.maximum(np.searchsorted(runs.a, places[0], side="right") - 1, 0)
    is_long = (runs.length[run] >= APART) & (places[0] <= runs.a[run] + runs.length[run])
    is_long[[0, -1]] = True  # the first point and the last count as within a long run
    apart = np.flatnonzero(is_long)
    number = np.searchsorted(apart, odd, side="right")
    # (2, odd blocks) the first and the last point of the stretch of each block
    whole = np.stack((apart[number - 1], apart[number]))
    is_whole = _longest(places, whole) <= NEAR
    spans = np.where(is_whole, whole, np.stack((odd, odd + 1)))
    is_new = np.diff(spans[0], prepend=-1) > 0
    is_small = _longest(places, spans) <= LARGEST
    spans = spans[:, is_new & is_small]
    are_loose = _are_loose(spans, edges, offsets, runs)
    for (first, last), is_loose in zip(spans.T.tolist(), are_loose.tolist(), strict=True):
        own = [each[first : last + 1].tolist() for each in edges]
        sides = zip(texts, offsets, own, strict=True)
        a, b = (_cut(text.stream, each[at[0] : at[-1] + 1].tolist()) for text, each, at in sides)
        if is_loose or (Counter(a) & Counter(b)).total() > _kept(a, b, own):
            yield (own[0][0], own[1][0]), (own[0][-1], own[1][-1])


def _longest(places: IntArray, spans: IntArray) -> IntArray:
    """How many characters spans of points have, on the side that has more."""
    first, last = spans
    longest: IntArray = (places[:, last] - places[:, first]).max(axis=0)
    return longest


def _torn(sizes: IntArray, places: IntArray, runs: Runs) -> IntArray:
    """The blocks with sentences on both sides that are not 1:1 and not within one run.

    `sizes` has the sentences of each block and `places` its edges, in a and in b.
    """
    odd = np.flatnonzero((sizes.sum(axis=0) > 2) & (sizes.min(axis=0) > 0))
    start, stop = places[:, odd], places[:, odd + 1]
    at = np.maximum(np.searchsorted(runs.a, start[0], side="right") - 1, 0)
    shift = runs.b[at] - runs.a[at]
    is_along = (start[1] - start[0] == shift) & (stop[1] - stop[0] == shift)
    is_within = is_along & (stop[0] <= runs.a[at] + runs.length[at])
    torn: IntArray = odd[~is_within]
    return torn


def _are_loose(
    spans: IntArray, edges: tuple[IntArray, IntArray], offsets: Sequence[IntArray], runs: Runs
) -> BoolArray:
    """Which spans of points have ends of sentences on both sides that other runs may put together.

    These are no points, and not inside of a run that is too long to be a coincidence.
    """
    are_loose = np.ones(spans.shape[1], np.bool_)
    for points, ends, begins in zip(edges, offsets, (runs.a, runs.b), strict=True):
        at = np.maximum(np.searchsorted(begins, ends, side="right") - 1, 0)
        is_inside = (begins[at] < ends) & (ends < begins[at] + runs.length[at])
        is_sure = is_inside & (runs.length[at] >= ANCHOR_CHARACTERS)
        is_sure[points] = True
        before = np.append(0, np.cumsum(~is_sure))  # loose ends before each number of sentences
        first, last = before[points[spans]]
        are_loose &= first < last
    return are_loose


def _kept(a: list[str], b: list[str], edges: Sequence[list[int]]) -> int:
    """How many equal sentences are 1:1, given the points between them."""
    ours, theirs = edges
    blocks = zip(pairwise(ours), pairwise(theirs), strict=True)
    return sum(
        (i + 1, j + 1) == (to_i, to_j) and a[i - ours[0]] == b[j - theirs[0]]
        for (i, to_i), (j, to_j) in blocks
    )


def _between(texts: Texts, start: Place, stop: Place) -> Texts:
    """The sentences of both texts from some numbers up to others."""

    def part(text: Text, first: int, last: int) -> Text:
        start, stop = (int(text.sentence_ends[at - 1]) if at else 0 for at in (first, last))
        begin, end = (int(text.token_ends[at - 1]) if at else 0 for at in (start, stop))
        ends = text.token_ends[start:stop] - begin, text.sentence_ends[first:last] - start
        return Text(text.stream[begin:end], *ends, text.lines[:0])

    a, b = map(part, texts, start, stop)
    return a, b


def _place(texts: Texts, sentences: Place) -> Place:
    """Where some numbers of sentences end in both streams."""
    a, b = (
        int(text.token_ends[text.sentence_ends[at - 1] - 1]) if at else 0
        for text, at in zip(texts, sentences, strict=True)
    )
    return a, b


def _cut(stream: str, places: list[int]) -> list[str]:
    return [stream[start:stop] for start, stop in pairwise(places)]


def _best_chain(pairs: list[Place], texts: Texts) -> Chain:
    """The chain of pairs in order that costs least and, of these, has most sentences 1:1.

    These are its pairs, and sentences of which one in each text lies between two of them.
    """
    distance, (a, b) = levenshtein().distance, (text.stream for text in texts)
    chains: list[Chain] = []
    ends: list[Place] = []
    for i, j in pairs:
        at, other = _place(texts, (i, j))
        before: list[Chain] = [(distance(a[:at], b[:other]), -((i, j) == (1, 1)), ())]
        for (cost, right, chain), (start, begin) in zip(chains, ends, strict=True):
            if chain[-1][0] < i and chain[-1][1] < j:
                total = cost + distance(a[start:at], b[begin:other])
                before.append((total, right - (chain[-1] == (i - 2, j - 2)), chain))
        cost, right, chain = min(before, key=itemgetter(0, 1))
        chains.append((cost, right - 1, (*chain, (i, j))))
        ends.append(_place(texts, (i + 1, j + 1)))
    i, j = (text.sentence_ends.size for text in texts)
    whole = [
        (cost + distance(a[start:], b[begin:]), right - (chain[-1] == (i - 2, j - 2)), chain)
        for (cost, right, chain), (start, begin) in zip(chains, ends, strict=True)
    ]
    return min(whole, key=itemgetter(0, 1))


def _inside(runs: Runs, start: Place, stop: Place) -> IntArray:
    """What runs have between two points: rows of places in a, places in b and lengths."""
    low = max(0, int(np.searchsorted(runs.a, start[0], side="right")) - 1)
    high = int(np.searchsorted(runs.a, stop[0]))
    a, b, length = (each[low:high] for each in (runs.a, runs.b, runs.length))
    first, last = np.maximum(0, start[0] - a), np.minimum(length, stop[0] - a)
    return np.stack((a + first, b + first, last - first))


def _moved(runs: Runs, by: Place) -> IntArray:
    """Runs from another place on, as rows."""
    return np.stack((runs.a + by[0], runs.b + by[1], runs.length))


def _as_runs(pieces: Sequence[IntArray], a: Text, b: Text) -> Runs:
    return Runs.from_rows(np.concatenate(pieces, axis=1), len(a.stream), len(b.stream))


def _cost(runs: Runs) -> int:
    """How many edits of characters lie between runs."""
    gaps = (
        np.append(own, size) - np.append(0, own + runs.length)
        for own, size in ((runs.a, runs.size_a), (runs.b, runs.size_b))
    )
    return int(np.maximum(*gaps).sum())
