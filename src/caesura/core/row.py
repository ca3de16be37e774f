"""Rows: the counts of one measure for one system on one document; the basis of all scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from caesura.core.counts import Counts, Items
from caesura.core.segmentation import Document

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

EXTENT, PANEL_EXTENT = "extent", "panel_extent"
"""The measures of how much a number is of, counted where annotators vary."""
SOURCE = "source"
"""The measure of what was read."""


@dataclass(frozen=True, slots=True)
class SourceCounts(Counts):
    """What was read: documents, words, units, the forms they came in, and signs of a misreading.

    `signs` are what readers and detectors noticed, as numbers by kind (see `Document`).
    """

    documents: int
    words: int
    units: int
    forms: tuple[str, ...]
    signs: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def zero(cls) -> SourceCounts:
        """All zero."""
        return cls(0, 0, 0, ())

    @classmethod
    def from_document(cls, document: Document) -> SourceCounts:
        """Count one document."""
        axis = document.segmentation
        forms = (document.form,) if document.form else ()
        return cls(1, axis.length, axis.boundaries.size, forms, document.signs)

    def to_dict(self) -> JsonObject:
        """The counts as plain JSON; signs only where there are some."""
        plain = {"documents": self.documents, "words": self.words, "units": self.units}
        told = plain | {"forms": self.forms}
        return told | {"signs": dict(self.signs)} if self.signs else told

    def items(self) -> dict[object, int]:
        """The counts one by one; each form counts as one."""
        flat: dict[object, int] = {
            "documents": self.documents,
            "words": self.words,
            "units": self.units,
        }
        flat |= {("form", form): 1 for form in self.forms}
        return flat | {("sign", kind): number for kind, number in self.signs.items()}

    @classmethod
    def from_items(cls, items: Items) -> SourceCounts:
        """Read what `items` returned."""
        named = [key for key in items if not isinstance(key, str)]
        forms = tuple(name for kind, name in named if kind == "form")
        signs = {name: items[kind, name] for kind, name in named if kind == "sign"}
        return cls(items["documents"], items["words"], items["units"], forms, signs)

    def __add__(self, other: Counts) -> SourceCounts:
        if not isinstance(other, SourceCounts):
            return NotImplemented
        return SourceCounts(
            self.documents + other.documents,
            self.words + other.words,
            self.units + other.units,
            tuple(sorted({*self.forms, *other.forms})),
            dict(Counter(self.signs) + Counter(other.signs)),
        )


class Portion(NamedTuple):
    """What a row counts of its document: all of it, or the portion that the fields of `Row` say."""

    scope: str | None = None
    stream: str | None = None
    block: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether it counts towards the scores of the document as a whole."""
        return self.stream is None and self.scope is None


WHOLE = Portion()


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one measure for one system on one document.

    `system` is None for what concerns the references alone; a reference that is scored like a
    system stands there under its own name. `reference` is None for all references together, of
    which `left_out` may be left out. `scope` is what the document is if it is not a whole
    one (a part, a talker, a recording of a corpus), `stream` a speaker or channel. `block` is the
    end of a part of the document that is counted alone; 0 is the whole document.
    """

    system: str | None
    document: str
    measure: str
    reference: str | None
    counts: Counts
    left_out: str | None = None
    scope: str | None = None
    stream: str | None = None
    block: int = 0

    def __reduce__(self) -> tuple[Callable[..., Row], tuple[object, ...]]:
        """Pickle plain values."""
        names: tuple[str, ...] = self.__match_args__
        return _arrived, tuple(getattr(self, name) for name in names)


def _arrived(
    system: str | None, document: str, measure: str, reference: str | None, *rest: Any
) -> Row:
    """Unpickle a row; its names are interned, not copied."""
    who = system and intern(system), document, intern(measure), reference and intern(reference)
    return Row(*who, *rest)
