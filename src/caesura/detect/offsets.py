"""Where the sentences that a tool prints end in the text it was given, whatever it altered.

Places are offsets in the text's characters without white space.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caesura.align.characters import equal_runs
from caesura.core.segmentation import IntArray


def places(text: str, sentences: Sequence[str]) -> IntArray:
    """The number of characters, without white space, before the end of each sentence.

    >>> places("Yes,  “no”. Why?", ["Yes, ``no''.", "Why?"]).tolist()
    [9, 13]
    """
    parts = [bare(each) for each in sentences]
    wanted, given = bare(text), "".join(parts)
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    if given != wanted:
        ends = _carried(wanted, given, ends)
    return np.unique(ends[(ends > 0) & (ends <= len(wanted))])


def bare(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def cut(text: str, ends: IntArray) -> list[str]:
    """The parts of a text between places, each on one line; what follows the last is a part too."""
    solid = np.flatnonzero([not character.isspace() for character in text])
    if not solid.size:
        return []
    stops = [*(solid[ends[ends < solid.size]]).tolist(), len(text)]
    starts = [0, *stops[:-1]]
    return [" ".join(text[a:b].split()) for a, b in zip(starts, stops, strict=True)]


def _carried(wanted: str, given: str, ends: IntArray) -> IntArray:
    """Project ends through the runs of characters that both have; between two runs, to the next."""
    runs = equal_runs(wanted, given)
    run = np.searchsorted(runs.b, ends, side="left") - 1
    within = ends - runs.b[run]
    return np.where(
        (run >= 0) & (within <= runs.length[run]),
        runs.a[run] + within,
        np.append(runs.a, runs.size_a)[run + 1],
    )
