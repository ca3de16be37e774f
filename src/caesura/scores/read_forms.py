"""ReadTable: what was read of each version and document, from the source rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caesura.core.arrays import Array
from caesura.core.row import SOURCE
from caesura.core.segmentation import BoolArray
from caesura.core.table import CountTable
from caesura.errors import number

Table = Array
"""A number for each version and document."""
Place = Callable[[str, str], str]
"""The name of the file in which a version has a document."""
Problems = Mapping[str, tuple[str, str]]
"""Signs of what is wrong with lines: what is counted, and what is said of it."""
OF_FORMATS: Problems = {
    "left_out": ("line", "without the columns that the first line names, left out"),
}
"""The problems that files of any task may have."""
UNIT = "unit"
"""What is counted in transcripts; elsewhere it has another name, and there are tokens inside."""
NAMED = 3
"""How many files a line names."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadTable:
    """A table of what was read: words, units, forms and signs of each version and document."""

    versions: tuple[str, ...]
    documents: tuple[str, ...]
    references: int
    items: Mapping[Any, Table]
    place: Place
    unit: str
    problems: Problems = field(default_factory=dict)
    keeps_end: bool = False

    @classmethod
    def from_table(
        cls,
        documents: CountTable,
        references: Sequence[str],
        place: Place,
        unit: str = UNIT,
        problems: Problems | None = None,
        *,
        keeps_end: bool = False,
    ) -> ReadTable:
        """Take the sources of a table whose units are documents; the references come first."""
        own = documents.measures[SOURCE]
        names = [str(key.system) for key in documents.names.keys(own.keys)]
        order = sorted(range(len(names)), key=lambda at: names[at] not in references)
        values = own.grid()
        items = {item: values[at][order] for at, item in enumerate(own.fields)}
        versions = tuple(names[at] for at in order)
        known = sum(name in references for name in versions)
        every, warned = tuple(documents.documents), {**OF_FORMATS, **(problems or {})}
        return cls(versions, every, known, items, place, unit, warned, keeps_end)

    @property
    def words(self) -> Table:
        """The numbers of words."""
        return self.items["words"]

    @property
    def units(self) -> Table:
        """The numbers of units."""
        return self.items["units"]

    def sign(self, kind: str) -> Table:
        """The numbers of a sign."""
        found: Table = self.items.get(("sign", kind), np.zeros_like(self.words))
        return found

    def forms(self) -> Iterator[tuple[str, BoolArray]]:
        """The forms in the order in which they were read, and which files have each."""
        every = ((item, each > 0) for item, each in self.items.items() if isinstance(item, tuple))
        found = [(item[1], has) for item, has in every if item[0] == "form"]
        yield from sorted(found, key=lambda each: int(each[1].T.argmax()))

    def files(self, which: BoolArray, most: int = NAMED) -> list[str]:
        """The names of the first files of some versions and documents, each once."""
        found: dict[str, None] = {}
        for version, document in np.argwhere(which)[: 4 * most].tolist():
            found[self.place(self.documents[document], self.versions[version])] = None
        return list(found)[:most]

    def at(self, version: int, document: int) -> str:
        """The file in which a version has a document."""
        return self.place(self.documents[document], self.versions[version])

    def named(self, which: BoolArray) -> str:
        """Some files: their names if they are few, otherwise their number."""
        names, size = self.files(which), int(np.count_nonzero(which))
        return ", ".join(names) if size <= len(names) else number(size, "file")


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
