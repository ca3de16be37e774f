"""Versions: one transcript as all references and systems have it, put on one axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from caesura.align.same_words import require_one_axis
from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.batch import UNSCORED
from caesura.core.format import AxisName
from caesura.core.line_breaks import BREAKS
from caesura.core.marks import with_kin
from caesura.core.segmentation import (
    Document,
    Edges,
    Final,
    IntArray,
    Panel,
    ScoreArray,
    Segmentation,
    Track,
    WordNames,
    within_regions,
)
from caesura.errors import FormatError, LabelsError, TimesError, UnknownNameError, number, option

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
                where = document.axis if document.is_signal else "time"
                cure = f"compare the times, with {option('axis', where)}"
                raise FormatError(document.source, "segments without words", cure)
        chosen = self._axis(axis if align else FIRST)
        everyone = self.everyone
        others = {key: document for key, document in everyone.items() if key != chosen}
        if not align:
            require_one_axis(everyone[chosen], list(others.values()))
            return replace(self, axis=chosen), {}
        from caesura.align.words import project

        projected = {key: project(each, everyone[chosen]) for key, each in others.items()}
        documents = {key: each.document for key, each in projected.items()}
        counts = {key: each.counts for key, each in projected.items()}
        misheard = {
            key: (others[key], each.edits)
            for key, each in projected.items()
            if each.edits is not None
        }
        on_axis = self._with({chosen: everyone[chosen]} | documents)
        return replace(on_axis, axis=chosen, misheard=misheard), counts

    def _axis(self, wanted: str) -> str:
        if wanted in self.references:
            return wanted
        if wanted not in {MEDOID, FIRST, ""}:
            raise UnknownNameError("reference", wanted, [*self.references, MEDOID, FIRST])
        if wanted != FIRST:
            from caesura.align.words import medoid

            return medoid(self.references)
        worded = (key for key, each in self.references.items() if each.text is not None)
        return next(worded, next(iter(self.references)))

    def with_open_ends(self) -> Versions:
        """Add an item that stands for what follows, so that a last break counts if it is there.

        The end of a text without a break there is no boundary then.
        """
        return self.each(_opened)

    def on_clock(
        self, final: Final = "drop", edges: Edges = "trim", axis: AxisName = "time"
    ) -> Versions:
        """Replace every boundary by its time: when its word ends, or the edge of an interval.

        Those that do not count are left out already: the last of a transcript, unless it is kept,
        the edges of a signal, unless they are, and what is not in the regions to score. So the end
        that is added to all, one past their extent, has to be dropped.
        """
        self._require_one_recording()
        end = extent_of(self.everyone.values(), axis)

        def timed(document: Document) -> Document:
            if document.is_signal:
                moments, scores = _points(document, end, edges), _scores(document, end, edges)
            else:
                moments, scores = _moments(document, final, axis), None
            if document.regions is not None:
                moments = moments[within_regions(moments, document.regions)]
            own = Segmentation(end + 2, np.append(moments, end + 1), scores=scores)
            return replace(document, segmentation=own)

        return self.each(timed)

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
        documents = everyone[self.axis], *everyone.values()
        known = (document.track.labels(kind) for document in documents)
        labels = next((each for each in known if each is not None), None)
        if labels is None:
            raise LabelsError(everyone[self.axis].source, kind)
        for name in labels.names:
            which = labels.has(name)
            parts = {
                key: replace(document, segmentation=document.segmentation.some(which))
                for key, document in everyone.items()
            }
            yield name, self._with(parts)


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
    inner = own.boundaries[:-1] if is_open else own.boundaries
    marks = None if own.marks is None else np.append(own.marks[: inner.size], "")
    scores = None if own.scores is None else np.append(own.scores, np.float32(np.nan))
    ends = np.append(inner, own.length)
    longer = Segmentation(own.length + 1, ends, marks, is_open=True, scores=scores)
    return replace(document, segmentation=longer)


def _labels(document: Document, kind: str) -> WordNames:
    labels = document.track.labels(kind)
    if labels is None or (labels.codes == WordNames.NOBODY).any():
        raise LabelsError(document.source, kind)
    return labels


def extent_of(documents: Iterable[Document], axis: AxisName) -> int:
    """The extent of all versions: the largest that is known, or that any of them needs.

    A point needs one more than itself, as something follows it; intervals end where they end.
    """
    known = needed = 0
    for document in documents:
        if document.is_signal and document.axis != axis:
            cure = f"give {option('axis', document.axis)}, or read it otherwise"
            raise FormatError(document.source, f"holds {document.axis}", cure)
        track = document.track
        ends = track.end if track.edges is None else track.edges
        needed = max(needed, 0 if ends is None else int(ends.max(initial=0)))
        if document.is_signal and track.start is not None:
            needed = max(needed, int(track.start.max(initial=-1)) + 1)
        known = max(known, document.extent)
    return known or needed


def _scores(document: Document, extent: int, edges: Edges) -> ScoreArray | None:
    """The scores of samples at which a segment may begin; the edges, if they count, are certain."""
    own = document.segmentation.scores
    if own is None:
        return None
    scores = np.full(extent + 2, UNSCORED)
    scores[1:extent] = np.nan
    scores[1 : min(own.size, extent)] = own[1:extent]
    scores[[0, extent]] = 1 if edges == "keep" else UNSCORED
    if document.regions is not None:
        scores[~within_regions(np.arange(scores.size), document.regions)] = UNSCORED
    return scores


def _points(document: Document, extent: int, edges: Edges) -> IntArray:
    """The boundaries of a signal within its extent, and its edges if these count."""
    places = document.track.edges
    assert places is not None
    if not extent:
        ways = ("lengths",) if document.axis == "samples" else ("duration", "lengths")
        cure = f"say how long it is, with {' or '.join(option(each, '…') for each in ways)}"
        raise FormatError(document.source, "a length of 0", cure)
    if places.size and int(places[-1]) > extent:
        last = int(places[-1])
        at, length = (
            number(value, "sample") if document.axis == "samples" else f"{value / 1e6:g} s"
            for value in (last, extent)
        )
        start, end = document.track.start, document.track.end
        assert start is not None
        assert end is not None
        place = document.place(int(np.flatnonzero((start == last) | (end == last))[0]))
        problem = f"a boundary at {at}, beyond the length of {length}"
        raise FormatError(place, problem, "give a length that holds all boundaries")
    inner = places[(places > 0) & (places < extent)]
    return np.concatenate(([0], inner, [extent])) if edges == "keep" else inner


def _moments(document: Document, final: Final, axis: AxisName) -> IntArray:
    """When the units of a transcript end, and the edges of its intervals, if it has some."""
    if axis == "samples":
        raise FormatError(document.source, "words, not samples", "compare words or times")
    edges = document.track.edges
    moments = _unit_ends(document) if edges is None else edges
    return moments[edges is not None : -1] if final == "drop" else moments


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
