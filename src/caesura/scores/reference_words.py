"""The number of words on which documents are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from caesura.core.row import SOURCE
from caesura.core.table import CountTable


def reference_words(
    documents: CountTable, axes: Mapping[str, str], references: Sequence[str]
) -> int:
    """The words of all documents: of the reference that is the axis, or of the first there is."""
    names = [*dict.fromkeys((*references, *axes.values()))]
    if SOURCE not in documents.measures:
        return 0
    read, there = documents.counts(SOURCE, documents.names.grid(names)[:, 0])
    there = np.broadcast_to(there, read.words.shape)
    place = {name: at for at, name in enumerate(names)}
    which = there.argmax(axis=0)  # the first reference of each document
    for at, document in enumerate(documents.documents) if axes else ():
        which[at] = place.get(axes.get(document, ""), which[at])
    return int(read.words[which, np.arange(len(documents))].sum())
