"""Word columns: a segment of the reference and what a system has there, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from caesura.align.wording import Compared, Wording
from caesura.core.segmentation import IntArray

Units = Literal["words", "characters"]
Columns = list[tuple[str, str, str]]
"""An operation, and what the reference and the system have written there."""
MOST_CELLS = 1 << 20
"""The most pairs of words that are looked at to pair those that are alike."""
SAME, EDIT = 100, 1 << 32


def columns(reference: str, system: str, tokens: Compared, units: Units) -> Columns:
    """The words of both sides, aligned: `=` equal, `s` substituted, `d` deleted, `i` inserted.

    White space before a word is part of it, and so is punctuation that is not compared.

    >>> columns("Well, we left.", "we have left", "lower", "words")
    [('d', 'Well,', ''), ('=', ' we', 'we'), ('i', '', ' have'), ('s', ' left.', ' left')]
    """
    other, own = (_SegmentSide.from_line(line, tokens, units) for line in (reference, system))
    return [
        (operation, other.written[b] if b >= 0 else "", own.written[a] if a >= 0 else "")
        for operation, a, b in _aligned(own.compared, other.compared)
    ]


@dataclass(frozen=True, slots=True)
class _SegmentSide:
    """The words of a line as they are compared and as they are written."""

    compared: list[str]
    written: list[str]

    @classmethod
    def from_line(cls, line: str, tokens: Compared, units: Units) -> _SegmentSide:
        found = Wording.from_lines([line], tokens, units)
        every = np.arange(len(found))
        written = found.pieces(every + 1, every)
        is_apart = [True] * len(found) if found.is_apart is None else found.is_apart[found.first]
        parts = enumerate(zip(written, is_apart, strict=True))
        return cls(found.compared, [f" {w}" if apart and at else w for at, (w, apart) in parts])


Step = tuple[str, int, int]
"""An operation, and the numbers of the system's word and of the reference's; -1 is none."""


def _aligned(own: Sequence[str], other: Sequence[str]) -> list[Step]:
    """Steps with the fewest edits; among these, words that are paired are the most alike."""
    if not 0 < len(own) * len(other) <= MOST_CELLS:
        return _aligned_somehow(own, other)
    alike = _similarities(own, other)
    costs = _costs(alike)
    at, to, found = len(own), len(other), []
    while at or to:
        here = costs[at, to]
        if at and to and here == costs[at - 1, to - 1] + _cost(alike[at - 1, to - 1]):
            at, to = at - 1, to - 1
            found.append(("=" if own[at] == other[to] else "s", at, to))
        elif to and here == costs[at, to - 1] + EDIT:
            to -= 1
            found.append(("d", -1, to))
        else:
            at -= 1
            found.append(("i", at, -1))
    return found[::-1]


def _similarities(own: Sequence[str], other: Sequence[str]) -> IntArray:
    """How alike words are in their characters, in percent; only equal ones wholly."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    found = cdist(own, other, scorer=Indel.normalized_similarity, score_multiplier=SAME)
    known = {word: at for at, word in enumerate(dict.fromkeys((*own, *other)))}
    ours, theirs = (np.array([known[word] for word in side]) for side in (own, other))
    is_same = ours[:, None] == theirs
    return np.where(is_same, SAME, np.minimum(found, SAME - 1)).astype(np.int64)


def _cost(alike: object) -> Any:
    """What a pair of words costs: an edit, unless they are equal, less how alike they are."""
    return np.where(alike == SAME, 0, EDIT) - alike


def _costs(alike: IntArray) -> IntArray:
    """The least cost of the first words of one side with the first ones of the other."""
    slope = EDIT * np.arange(alike.shape[1] + 1)
    rows = [slope]
    for paired in _cost(alike):
        least = rows[-1] + EDIT
        np.minimum(least[1:], rows[-1][:-1] + paired, out=least[1:])
        rows.append(np.minimum.accumulate(least - slope) + slope)
    return np.array(rows)


def _aligned_somehow(own: Sequence[str], other: Sequence[str]) -> list[Step]:
    """Steps with the fewest edits, where there are very many words or none."""
    from rapidfuzz.distance import Levenshtein

    found: list[Step] = []
    for each in Levenshtein.opcodes(other, own):
        tag = each.tag
        theirs, ours = range(each.src_start, each.src_end), range(each.dest_start, each.dest_end)
        if tag == "delete":
            found += [("d", -1, b) for b in theirs]
        elif tag == "insert":
            found += [("i", a, -1) for a in ours]
        else:
            sign = "=" if tag == "equal" else "s"
            found += [(sign, a, b) for a, b in zip(ours, theirs, strict=True)]
    return found
