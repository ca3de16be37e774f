"""Versions: one transcript as all references and systems have it, put on one axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from caesura.align.same_words import require_one_axis
from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.line_breaks import BREAKS
from caesura.core.marks import with_kin
from caesura.core.segmentation import (
    Document,
    Final,
    IntArray,
    Labels,
    Panel,
    Segmentation,
    Track,
    within_regions,
)
from caesura.errors import FormatError, LabelsError, TimesError, UnknownNameError, option

if TYPE_CHECKING:
    from caesura.align.words import Edits

MEDOID, FIRST = "medoid", "first"
QUESTIONS = list(with_kin("?"))
_ONE = np.dtype("<U1").itemsize


@dataclass(frozen=True, slots=True)
class Versions:
    """The references and systems of one transcript by name; `axis` is the one with the words.

    `misheard` are the versions whose words differ from the axis's, as they were before they were
    put on it, each with how its words were aligned.
    """

    references: Mapping[str, Document]
    systems: Mapping[str, Document]
    axis: str = ""
    misheard: Mapping[str, tuple[Document, Edits]] = field(default_factory=dict)

    @property
    def everyone(self) -> dict[str, Document]:
        """All of them."""
        return {**self.references, **self.systems}

    @property
    def panel(self) -> Panel:
        """The references together."""
        return Panel(tuple(each.segmentation for each in self.references.values()))

    def each(self, change: Callable[[Document], Document]) -> Versions:
        """The same with every document changed in one way."""
        return self._with({key: change(document) for key, document in self.everyone.items()})

    def _with(self, documents: Mapping[str, Document]) -> Versions:
        references, systems = (
            {key: documents[key] for key in side} for side in (self.references, self.systems)
        )
        return replace(self, references=references, systems=systems)

    def with_common_types(self) -> Versions:
        """Marks as types of units where some versions have types and others marks.

        `?` is a question then, any other mark a statement.
        """
        marks = [each.segmentation.marks for each in self.everyone.values()]
        if not any(each is not None and each.dtype.itemsize > _ONE for each in marks):
            return self
        return self.each(_typed)

    def on_words(self, *, align: bool, axis: str) -> tuple[Versions, dict[str, AlignmentCounts]]:
        """Put all on the words of one reference: the one named, the medoid, or the first."""
        for document in self.everyone.values():
            if document.text is None and document.track.end is not None:
                cure = f"compare the times, with {option('axis', 'time')}"
                raise FormatError(document.source, "segments without words", cure)
        chosen = self._axis(axis if align else FIRST)
        everyone = self.everyone
        others = {key: document for key, document in everyone.items() if key != chosen}
        if not align:
            require_one_axis(everyone[chosen], list(others.values()))
            return replace(self, axis=chosen), {}
        from caesura.align.projection import carry

        carried = {key: carry(each, everyone[chosen]) for key, each in others.items()}
        moved = {chosen: everyone[chosen]} | {key: each.document for key, each in carried.items()}
        counts = {key: each.counts for key, each in carried.items()}
        misheard = {
            key: (others[key], each.edits)
            for key, each in carried.items()
            if each.edits is not None
        }
        return replace(self._with(moved), axis=chosen, misheard=misheard), counts

    def _axis(self, wanted: str) -> str:
        if wanted in self.references:
            return wanted
        if wanted not in {MEDOID, FIRST, ""}:
            raise UnknownNameError("reference", wanted, [*self.references, MEDOID, FIRST])
        if wanted != FIRST:
            from caesura.align.projection import medoid

            return medoid(self.references)
        worded = (key for key, each in self.references.items() if each.text is not None)
        return next(worded, next(iter(self.references)))

    def with_open_ends(self) -> Versions:
        """Add an item that stands for what follows, so that a last break counts if it is there.

        The end of a text without a break there is no boundary then.
        """
        return self.each(_opened)

    def on_clock(self, final: Final = "drop") -> Versions:
        """Replace every boundary by its time: when its word ends, or the edge of an interval.

        Those that do not count are left out already: the last, unless it is kept, and what is not
        in the regions to score. So the end that is added to all, past everything and not before the
        recording ends, has to be dropped.
        """
        self._require_one_recording()
        moments = {key: _moments(each, final) for key, each in self.everyone.items()}
        last = [int(each[-1]) + 1 for each in moments.values() if each.size]
        end = max([*last, *map(_duration, self.everyone.values())], default=0)
        on_clock = {
            key: replace(each, segmentation=Segmentation(end + 1, np.append(moments[key], end)))
            for key, each in self.everyone.items()
        }
        return self._with(on_clock)

    def _require_one_recording(self) -> None:
        """Raise an error for segments without words of another recording."""
        named = [each for each in self.everyone.values() if each.text is None and each.recording]
        for each in named[1:]:
            if each.recording != named[0].recording:
                problem = f"the recording '{each.recording}', where {named[0].source} has"
                cure = "give the same recording, or rename one"
                raise FormatError(each.source, f"{problem} '{named[0].recording}'", cure)

    def streams(self, kind: str) -> Iterator[tuple[str, Versions]]:
        """Split all versions by speaker or channel, whose names must be the same in all."""
        labels = {key: _labels(each, kind) for key, each in self.everyone.items()}
        first, names = next((key, sorted(each.names)) for key, each in labels.items())
        for key, each in labels.items():
            if sorted(each.names) != names:
                here, there = self.everyone[key].source, self.everyone[first].source
                raise LabelsError(here, kind, sorted(each.names), there, names)
        for name in names:
            parted = {key: each.some(labels[key].has(name)) for key, each in self.everyone.items()}
            yield name, self._with(parted)

    def by(self, kind: str) -> Iterator[tuple[str, Versions]]:
        """Split the axis by who speaks, according to the axis's own document, or another."""
        everyone = self.everyone
        ranked = [everyone[self.axis], *everyone.values()]
        found = (each.track.labels(kind) for each in ranked)
        labels = next((each for each in found if each is not None), None)
        if labels is None:
            raise LabelsError(everyone[self.axis].source, kind)
        for name in labels.names:
            which = labels.has(name)
            parted = {
                key: replace(each, segmentation=each.segmentation.some(which))
                for key, each in everyone.items()
            }
            yield name, self._with(parted)


def _typed(document: Document) -> Document:
    marks = document.segmentation.marks
    if marks is None or marks.dtype.itemsize > _ONE:
        return document
    names = np.where(marks == "", "", np.where(np.isin(marks, QUESTIONS), "question", "statement"))
    return replace(document, segmentation=replace(document.segmentation, marks=names))


def ends_open(document: Document) -> bool:
    """Whether a document is of subtitles, and does not end with a break."""
    marks = document.segmentation.marks
    return document.form.endswith(BREAKS) and marks is not None and str(marks[-1]) == ""


def _opened(document: Document) -> Document:
    own, is_open = document.segmentation, ends_open(document)
    kept = own.boundaries[:-1] if is_open else own.boundaries
    marks = None if own.marks is None else np.append(own.marks[: kept.size], "")
    longer = Segmentation(own.length + 1, np.append(kept, own.length), marks, is_open=True)
    return replace(document, segmentation=longer)


def _labels(document: Document, kind: str) -> Labels:
    labels = document.track.labels(kind)
    if labels is None or (labels.codes == Labels.NOBODY).any():
        raise LabelsError(document.source, kind)
    return labels


def _moments(document: Document, final: Final) -> IntArray:
    """The boundaries of a document that count."""
    edges = document.track.edges
    moments = _unit_ends(document) if edges is None else edges
    if final == "drop":
        moments = moments[edges is not None : -1]
    if document.regions is None:
        return moments
    return moments[within_regions(moments, document.regions)]


def _duration(document: Document) -> int:
    """When a document ends: its last interval, or its last word with a time."""
    times = document.track.end if document.track.edges is None else document.track.edges
    return 0 if times is None else int(times.max(initial=0))


def _unit_ends(document: Document) -> IntArray:
    """When the units of a document end."""
    end = document.track.end
    boundaries = document.segmentation.boundaries
    if end is None:
        raise TimesError(document.source)
    moments = end[boundaries]
    unknown = np.flatnonzero(moments == Track.UNKNOWN)
    if unknown.size:
        raise TimesError(document.place(int(boundaries[unknown[0]])))
    return np.unique(moments)
