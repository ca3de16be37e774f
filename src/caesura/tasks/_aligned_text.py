"""How text, trees and corrections are counted alike: in blocks of texts that can be aligned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from caesura.core.arrays import MAX_BLOCKS
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.errors import CaesuraError, option
from caesura.measures.joint import AlignedTexts
from caesura.run.inputs import Case

Columns = tuple[Sequence[int], dict[str, Sequence[Any]]]
"""How many gold sentences lie before the end of each block, and the counts of each measure."""
SHOWN = 40
SENTENCES = 10


def require_one_text(texts: AlignedTexts, *, force: bool) -> None:
    """Raise an error if less than half of two texts can be aligned."""
    sides = texts.system, texts.gold
    size = sum(len(text.stream) for text in sides)
    if force or not all(text.stream for text in sides) or 4 * texts.aligned >= size:
        return
    ours, theirs = (" ".join(text.tokens(0, 8))[:SHOWN] for text in sides)
    raise CaesuraError(
        f"{texts.system.source}: only {2 * texts.aligned / size:.0%} of the characters can be "
        f"aligned with {texts.gold.source}: this one begins “{ours}”, that one “{theirs}”; "
        f"check that they are the same text, or use {option('force')}"
    )


def source_of(text: Text, noticed: Mapping[str, int] | None = None) -> SourceCounts:
    """What was read of a text, and noticed of it."""
    size = text.token_ends.size, text.sentence_ends.size + text.signs.get("empty_trees", 0)
    return SourceCounts(1, *size, (text.form,), {**text.signs, **(noticed or {})})


def system_rows(case: Case, system: str, read: SourceCounts, counted: Columns) -> Iterator[Row]:
    """What was read of a system, and the counts of its blocks, against the only reference."""
    (gold,) = case.references
    ends, columns = counted
    yield Row(system, case.document, SOURCE, None, read)
    for measure, blocks in columns.items():
        for end, counts in zip(ends, blocks, strict=True):
            yield Row(system, case.document, measure, gold, counts, block=end)


def block_ends(alignment: AlignedTexts, sentences: int = SENTENCES) -> IntArray:
    """Sync points of sentences that are some gold sentences apart, 1,000 blocks at most.

    From one to the next there are gold sentences; the first point is the beginning, the last the
    end.
    """
    gold = alignment.sentences.gold
    size = int(gold[-1])
    number = min(MAX_BLOCKS, max(1, round(size / sentences)))
    step = np.round(gold * number / max(1, size)).astype(np.int64)
    first = np.searchsorted(step, np.arange(1, number))
    inner = np.unique(first[(gold[first] > 0) & (gold[first] < size)])
    inner = inner[np.diff(gold[inner], prepend=0) > 0]
    return np.concatenate(([0], inner, [gold.size - 1]))
