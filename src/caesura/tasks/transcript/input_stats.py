"""Sources: what was read of each version of a transcript, and signs of a misreading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from caesura.align.versions import Versions
from caesura.core.row import SourceCounts
from caesura.core.segmentation import BoolArray, Document
from caesura.tasks.transcript.slip import slips

if TYPE_CHECKING:
    from caesura.align.words import Edits

ALIKE = 0.5
"""The share of aligned words that are equal below which a text is probably another: in transcripts
of the same speech it is .79 or more, in texts of different speech .47 or less."""
STRETCH, LEAST = 0.05, 5
"""The share of the words, and the number, from which on a stretch that the other side lacks is no
error of a recogniser: their longest are below .01 of the words."""
STRAY = 10
"""How many words of a stretch make up for one that was aligned by chance."""


def sources_of(documents: Mapping[str, Document], on: Versions | None) -> dict[str, SourceCounts]:
    """What was read of each version; with slips, if all are `on` one axis of words."""
    found = {name: SourceCounts.from_document(each) for name, each in documents.items()}
    if on is None:
        return found
    systems, references = (
        {name: each.segmentation for name, each in side.items()}
        for side in (on.systems, on.references)
    )
    for name, slip in slips(systems, references):
        found[name] = replace(found[name], signs={**found[name].signs, **slip.signs})
    for name, (_, edits) in on.misheard.items():
        signs = alignment_signs(edits, on.everyone[on.axis].segmentation.length)
        found[name] = replace(found[name], signs={**found[name].signs, **signs})
    return found


def alignment_signs(edits: Edits, length: int) -> dict[str, int]:
    """What is odd about words aligned with an axis of some length: none alike, or a part missing.

    `unlike` is 1 if too few aligned words are equal, `alike` their percentage; `lacks` is the
    stretch of the axis, and `adds` that of the version, that the other side does not have.
    """
    aligned = edits.hits + edits.substitutions
    if edits.hits < ALIKE * aligned or not aligned:
        return {"unlike": 1, "alike": 100 * edits.hits // max(1, aligned)}
    is_missing = np.ones(length, np.bool_)  # words of the axis that no word is aligned with
    is_missing[edits.landing[edits.is_aligned]] = False
    stretches = {"lacks": _longest(is_missing), "adds": _longest(~edits.is_aligned)}
    return {
        f"{kind}_{end}": place
        for kind, places in stretches.items()
        for end, place in zip(("from", "to"), places, strict=False)
    }


def _longest(which: BoolArray) -> tuple[int, ...]:
    """The first and the last word of the longest stretch, from 1 on; none if it is short.

    A stray word that is not in it costs as much as STRAY that are: the largest sum of neighbours,
    as the largest difference of running sums.
    """
    sums = np.cumsum(np.where(which, 1, -STRAY))
    lowest = np.minimum.accumulate(np.append(0, sums[:-1]))  # before each word, the least so far
    if not sums.size or (sums - lowest).max() < max(LEAST, STRETCH * which.size):
        return ()
    last = int((sums - lowest).argmax())
    first = int(np.append(0, sums[:last]).argmin())
    return first + 1, last + 1
