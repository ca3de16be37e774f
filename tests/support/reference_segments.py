"""Slow twins of resegmentation, by trying all cuts, and of blocks; small texts only."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement, pairwise

import numpy as np

from caesura.core.segmentation import Segmentation

CLOSING, OPENING = set(".,;:!?…)]}»”’"), set("([{«“‘¿¡„")
QUOTES = "\"'”’»)]"

Words = tuple[str, ...]
Worth = tuple[int, int, int, int]


def places(lines: Sequence[Sequence[str]]) -> tuple[set[int], set[int]]:
    """After how many words a text should not be cut, and after how many its sentences end."""
    words = [word for line in lines for word in line]
    inside = range(1, len(words))
    bad = {at for at in inside if set(words[at]) <= CLOSING or set(words[at - 1]) <= OPENING}
    ends = set(accumulate(map(len, lines)))
    for at, word in enumerate(words, 1):
        follows = words[at][0] if at < len(words) else ""
        if word.rstrip(QUOTES)[-1:] in (*".?!…",) and not follows.islower():
            ends.add(at)
    return bad, ends - {0}


def cuttings(size: int, segments: int) -> Iterator[tuple[int, ...]]:
    """Every way to put words into segments, as places where these end."""
    for inner in combinations_with_replacement(range(size + 1), segments - 1):
        yield (*inner, size)


@cache
def similarity(one: str, other: str) -> int:
    """The normalised Indel similarity of two words, in hundredths."""
    size = len(one) + len(other)
    return (400 * _common(one, other) + size) // (2 * size)


@cache
def _common(one: str, other: str) -> int:
    """The length of the longest common subsequence."""
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + _common(one[1:], other[1:])
    return max(_common(one[1:], other), _common(one, other[1:]))


@cache
def alignment(own: Words, other: Words) -> tuple[int, int]:
    """The least edits between two segments, and minus the greatest similarity at that."""
    if not own or not other:
        return len(own) + len(other), 0
    ways = [alignment(own[1:], other), alignment(own, other[1:]), alignment(own[1:], other[1:])]
    (fewer, less), (few, like), (edits, alike) = ways
    pair = edits + (own[0] != other[0]), alike - similarity(own[0], other[0])
    return min((fewer + 1, less), (few + 1, like), pair)


def worth(
    cuts: Sequence[int],
    lines: Sequence[Sequence[str]],
    segments: Sequence[Sequence[str]],
    compared: Sequence[str] | None = None,
) -> Worth:
    """Edits, cuts at bad places, minus cuts at own ends, minus similarity: less is better."""
    bad, ends = places(lines)
    words = [word for line in lines for word in line] if compared is None else compared
    spans = pairwise([0, *cuts])
    found = [
        alignment(tuple(words[a:b]), tuple(segment))
        for (a, b), segment in zip(spans, segments, strict=True)
    ]
    inner = cuts[:-1]
    return (
        sum(edits for edits, _ in found),
        sum(cut in bad for cut in inner),
        -sum(cut in ends for cut in inner),
        sum(alike for _, alike in found),
    )


def best(lines: Sequence[Sequence[str]], segments: Sequence[Sequence[str]]) -> Worth:
    """What the best cuts are worth."""
    size = sum(map(len, lines))
    return min(worth(cuts, lines, segments) for cuts in cuttings(size, len(segments)))


def slack(cuts: Sequence[int], own: Words, segments: Sequence[Words]) -> list[tuple[int, int]]:
    """How far each cut but the last could move at no cost, one word at a time."""
    every = [0, *cuts]

    def edits(at: int, cut: int) -> int:
        before = alignment(own[every[at] : cut], tuple(segments[at]))[0]
        return before + alignment(own[cut : every[at + 2]], tuple(segments[at + 1]))[0]

    found = []
    for at, cut in enumerate(cuts[:-1]):
        left = right = 0
        while cut - left > every[at] and edits(at, cut - left - 1) == edits(at, cut):
            left += 1
        while cut + right < every[at + 2] and edits(at, cut + right + 1) == edits(at, cut):
            right += 1
        found.append((left, right))
    return [*found, (0, 0)]


def part(whole: Segmentation, start: int, end: int) -> Segmentation:
    """Some words; unless they are the last, a word is added that takes the place of the end."""
    first, last = np.searchsorted(whole.boundaries, (start, end)).tolist()
    inside = whole.boundaries[first:last] - start
    marks = None if whole.marks is None else whole.marks[first:last]
    scores = None if whole.scores is None else whole.scores[start:end]
    if end == whole.length:
        return Segmentation(end - start, inside, marks, scores=scores)
    marks = None if marks is None else np.append(marks, "")
    scores = None if scores is None else np.append(scores, np.float32(np.nan))
    ends = np.append(inside, end - start)
    return Segmentation(end - start + 1, ends, marks, is_open=True, scores=scores)
