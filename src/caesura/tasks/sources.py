"""Sources: what was read of each version of a transcript, and signs of a misreading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from caesura.align.versions import Versions
from caesura.core.row import SourceCounts
from caesura.core.segmentation import Document
from caesura.measures.slip import slips

Signs = Mapping[str, int]


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
    return found


def joined_signs(
    each: Sequence[Mapping[str, Signs]], words: Sequence[int]
) -> dict[str, dict[str, int]]:
    """The signs of each version, given those of parts of some words: sums, and stretches joined."""
    before = np.cumsum([0, *words[:-1]]).tolist()
    return {
        name: _joined([part[name] for part in each], before) for name in (each[0] if each else ())
    }


def _joined(parts: Sequence[Signs], before: Sequence[int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for signs, words in zip(parts, before, strict=True):
        for kind, number in signs.items():
            if kind.endswith("_from"):
                found.setdefault(kind, words + number)
            elif kind.endswith("_to"):
                found[kind] = words + number
            else:
                found[kind] = found.get(kind, 0) + number
    return found
