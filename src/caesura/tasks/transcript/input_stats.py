"""Sources: what was read of each version of a transcript, and signs of a misreading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from caesura.align.versions import Versions
from caesura.core.row import SourceCounts
from caesura.core.segmentation import BoolArray, Document, IntArray, Segmentation

if TYPE_CHECKING:
    from caesura.align.words import Edits

ALIKE = 0.5
"""The share of aligned words that are equal below which a text is probably another: in transcripts
of the same speech it is .79 or more, in texts of different speech .47 or less."""
STRETCH, SHORTEST = 0.05, 5
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
    if not sums.size or (sums - lowest).max() < max(SHORTEST, STRETCH * which.size):
        return ()
    last = int((sums - lowest).argmax())
    first = int(np.append(0, sums[:last]).argmin())
    return first + 1, last + 1


SLIPPED = 20
"""The number of boundaries that fit one word off and do not fit where they are."""
TIMES = 3
"""How much better they must fit: this many times as many."""
SHARE = 0.3
"""The share of the boundaries of the stretch that must fit one word off."""
SIDES = {"late": 1, "early": -1}

Votes = npt.NDArray[np.integer[Any]]


class Slip(NamedTuple):
    """A stretch, from one word to another, whose boundaries look one word late or early."""

    side: str
    start: int
    end: int

    @property
    def signs(self) -> dict[str, int]:
        """The words, counted from 1, as signs of a document."""
        return {f"{self.side}_from": self.start + 1, f"{self.side}_to": self.end + 1}


def slips(
    systems: Mapping[str, Segmentation], references: Mapping[str, Segmentation]
) -> Iterator[tuple[str, Slip]]:
    """The slip of each version, on one axis, against all references, or all others if it is one.

    >>> gold = Segmentation.from_masses([3] * 30)
    >>> late = Segmentation.from_masses([4, *[3] * 28, 2])
    >>> dict(slips({"ours": late}, {"gold": gold}))["ours"]
    Slip(side='late', start=3, end=87)
    """
    everyone = {**systems, **references}
    if not everyone or max(each.boundaries.size for each in everyone.values()) <= SLIPPED:
        return
    length = next(iter(everyone.values())).length
    votes = np.zeros(length + 2, np.int32)
    for each in references.values():
        votes[each.boundaries[:-1] + 1] += 1
    for name, each in everyone.items():
        own = each.boundaries[:-1]
        votes[own + 1] -= name in references
        found = _slip(own, votes) if own.size >= SLIPPED else None
        votes[own + 1] += name in references
        if found is not None:
            yield name, found


def _slip(own: IntArray, votes: Votes) -> Slip | None:
    """The stretch of the most boundaries that fit one word off; `votes` begin one word early."""
    here = votes[own + 1] > 0  # (boundaries,) those that fit where they are
    for side, by in SIDES.items():
        there = votes[own + 1 - by] > 0
        if np.count_nonzero(there & ~here) < SLIPPED:
            continue
        start, end = _best(there.astype(np.int64) - here)
        hits, misses = (int(np.count_nonzero(each[start:end])) for each in (there, here))
        if hits - misses >= SLIPPED and hits >= max(TIMES * misses, SHARE * (end - start)):
            return Slip(side, int(own[start]), int(own[end - 1]))
    return None


def _best(gains: IntArray) -> tuple[int, int]:
    """The range with the largest sum, the shortest of several."""
    sums = np.concatenate(([0], np.cumsum(gains)))
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    start = end - int(np.argmin(sums[end::-1]))
    return start, end
