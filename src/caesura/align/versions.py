"""Versions: one transcript as all references and systems have it, put on one axis.

On words, all have those of one reference: it is an error if they have others, unless they are to be
aligned with them, by edit distance. On a clock, every boundary is a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.batch import UNSCORED
from caesura.core.format import AxisName
from caesura.core.line_breaks import BLOCK, BREAKS
from caesura.core.marks import with_kin
from caesura.core.segmentation import (
    NO_BREAK,
    OUTSIDE,
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
from caesura.errors import (
    FormatError,
    LabelsError,
    LengthsDifferError,
    TimesError,
    UnknownNameError,
    WordsDifferError,
    number,
    option,
)

if TYPE_CHECKING:
    from caesura.align.words import Edits

MEDOID, FIRST = "medoid", "first"
QUESTIONS = list(with_kin("?"))
_ONE = np.dtype("<U1").itemsize
MASSES = frozenset(("masses", "segeval"))
"""The formats that give the lengths of units."""
CONTEXT = 4
"""The words before and after the first difference that an error shows."""


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

        def typed(document: Document) -> Document:
            own = document.segmentation
            if own.marks is None or own.marks.dtype.itemsize > _ONE:
                return document
            types = np.where(np.isin(own.marks, QUESTIONS), "question", "statement")
            types[own.marks == ""] = ""
            return replace(document, segmentation=replace(own, marks=types))

        return self.each(typed)

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
        counts: dict[str, AlignmentCounts] = {}
        misheard: dict[str, tuple[Document, Edits]] = {}
        for key, document in others.items():
            projected = project(document, everyone[chosen])
            everyone[key], counts[key] = projected.document, projected.counts
            if projected.edits is not None:
                misheard[key] = document, projected.edits
        return replace(self._with(everyone), axis=chosen, misheard=misheard), counts

    def _axis(self, wanted: str) -> str:
        if wanted in self.references:
            return wanted
        if wanted not in {MEDOID, FIRST, ""}:
            raise UnknownNameError("reference", wanted, [*self.references, MEDOID, FIRST])
        if wanted != FIRST:
            return medoid(self.references)
        worded = (key for key, each in self.references.items() if each.text is not None)
        return next(worded, next(iter(self.references)))

    def with_open_ends(self) -> Versions:
        """Add an item that stands for what follows, so that a last break counts if it is there.

        The end of a text without a break there is no boundary then.
        """

        def opened(document: Document) -> Document:
            own = document.segmentation
            inner = own.boundaries[:-1] if ends_open(document) else own.boundaries
            marks = None if own.marks is None else np.append(own.marks[: inner.size], "")
            scores = None if own.scores is None else np.append(own.scores, np.float32(np.nan))
            ends = np.append(inner, own.length)
            longer = Segmentation(own.length + 1, ends, marks, is_open=True, scores=scores)
            return replace(document, segmentation=longer)

        return self.each(opened)

    def on_clock(
        self, final: Final = "drop", edges: Edges = "trim", axis: AxisName = "time"
    ) -> Versions:
        """Replace every boundary by its time: when its word ends, or the edge of an interval.

        Those that do not count are left out already: the last of a transcript, unless it is kept,
        the edges of a signal, unless they are, and what is not in the regions to score. So the end
        that is added to all, one past their extent, has to be dropped.
        """
        named = [each for each in self.everyone.values() if each.text is None and each.recording]
        for each in named[1:]:
            if each.recording != named[0].recording:
                problem = f"the recording '{each.recording}', where {named[0].source} has"
                cure = "give the same recording, or rename one"
                raise FormatError(each.source, f"{problem} '{named[0].recording}'", cure)
        end = extent_of(self.everyone.values(), axis)

        def timed(document: Document) -> Document:
            if document.is_signal:
                moments, scores = _points(document, end, edges), _scores(document, end, edges)
            elif axis == "samples":
                raise FormatError(document.source, "words, not samples", "compare words or times")
            else:
                moments, scores = _moments(document, final), None
            if document.regions is not None:
                moments = moments[within_regions(moments, document.regions)]
            own = Segmentation(end + 2, np.append(moments, end + 1), scores=scores)
            return replace(document, segmentation=own)

        return self.each(timed)

    def streams(self, kind: str) -> Iterator[tuple[str, Versions]]:
        """Split all versions by speaker or channel, whose names must be the same in all."""
        labels = {}
        for key, document in self.everyone.items():
            own = document.track.labels(kind)
            if own is None or (own.codes == WordNames.NOBODY).any():
                raise LabelsError(document.source, kind)
            labels[key] = own
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


def require_one_axis(axis: Document, others: Sequence[Document]) -> None:
    """Raise an error that shows the first difference unless all words are the same."""
    for document in others:
        if axis.text is not None and document.text is not None and axis.text != document.text:
            raise _first_difference(document, axis)
        length, wanted = document.segmentation.length, axis.segmentation.length
        if length != wanted:
            of_masses = not MASSES.isdisjoint((document.form, axis.form))
            lengths = document.source, length, axis.source, wanted
            raise LengthsDifferError(*lengths, of_masses=of_masses)


def _first_difference(document: Document, axis: Document) -> WordsDifferError:
    from caesura.align.characters import common_prefix

    ours, theirs = document.text or "", axis.text or ""
    shared = common_prefix(ours, theirs)
    index = ours.count(" ", 0, shared)
    if {ours[shared : shared + 1], theirs[shared : shared + 1]} == {"", " "}:
        index += 1  # a word of the longer text comes after all of the other
    has_sentences = "choi" in (document.form, axis.form)
    words, place = [document.words, axis.words], index
    if has_sentences:  # the first word that differs in the sentence
        words = [side[index].split(NO_BREAK) if index < len(side) else [] for side in words]
        pairs = enumerate(zip(*words, strict=False))
        place = next((at for at, (a, b) in pairs if a != b), min(map(len, words)))
    return WordsDifferError(
        index,
        (document.place(index), _in_context(words[0], place)),
        (axis.place(index), _in_context(words[1], place)),
        "sentence" if has_sentences else "word",
    )


def _in_context(words: list[str], index: int) -> str:
    if index >= len(words):
        return f"“{' '.join(words[-CONTEXT:])}” is the end" if words else "is the end"
    before = words[max(0, index - CONTEXT) : index]
    after = words[index + 1 : index + 1 + CONTEXT]
    return f"“{' '.join([*before, f'[{words[index]}]', *after])}”"


def medoid(documents: Mapping[str, Document]) -> str:
    """The medoid: the version with the fewest word errors against the others."""
    from caesura.align.words import fewest_errors, word_ids

    texts = {name: each.text for name, each in documents.items() if each.text is not None}
    if len({*texts.values()}) < 2 or len(texts) < 3:
        return next(iter(texts or documents))
    total = dict.fromkeys(texts, 0)
    for one, other in combinations(texts, 2):
        errors = fewest_errors(*word_ids(texts[one], texts[other]))
        total[one] += errors
        total[other] += errors
    return min(total, key=total.__getitem__)


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedDocument:
    """A version on the axis, what it took to put it there, and how its own words were aligned.

    `edits` is None where its words are those of the axis.
    """

    document: Document
    counts: AlignmentCounts
    edits: Edits | None = None


def project(document: Document, axis: Document) -> ProjectedDocument:
    """Project a document's boundaries onto the words of another, aligned by edit distance.

    A boundary after a word that the axis lacks goes to the nearest aligned word before it; one
    that has none before it is lost; two that land together are merged. In a verbatim document,
    where labels say which words begin units, it goes right before the word that begins the next
    one, if that is aligned. Where lines correspond, the end of one is the end of the other.
    """
    own, length = document.segmentation, axis.segmentation.length
    if document.text is None or axis.text is None or document.text == axis.text:
        require_one_axis(axis, [document])
        size = sum(map(len, axis.words)) if axis.has_characters else 0
        return ProjectedDocument(document, AlignmentCounts(length, 0, 0, 0, 0, 0, 0, size))
    alignment, ends = word_edits(document, axis), own.positions()
    places = alignment.landing[ends]  # on the axis; -1 where there is none
    if document.is_verbatim and own.marks is not None:
        begins = alignment.is_aligned[ends + 1] & (own.marks[1:] != OUTSIDE)
        places = np.where(begins, alignment.landing[ends + 1] - 1, places)
    if edges := _edges_of_same_lines(document, axis):
        places = with_line_ends(places, ends, *edges)

    inside = (places >= 0) & (places < length - 1)
    positions, marks = np.append(places[inside], length - 1), None
    if own.marks is not None:  # of those that land together, the end of a block, else the first
        marks = np.append(own.marks[:-1][inside], own.marks[-1])
        order = np.argsort(marks != BLOCK, kind="stable")
        positions, marks = positions[order], marks[order]
    projected = Segmentation.from_positions(positions, length, marks)
    if own.scores is not None:
        scores = np.full(length, np.nan, np.float32)
        landing = alignment.landing[: own.scores.size]
        known = np.flatnonzero((landing >= 0) & ~np.isnan(own.scores))
        known = known[np.argsort(own.scores[known], kind="stable")]
        scores[landing[known]] = own.scores[known]  # the last that is written is the highest
        projected = replace(projected, scores=scores)

    lost = int((places < 0).sum())
    merged = places.size - lost - projected.positions().size
    words = (alignment.hits, alignment.substitutions, alignment.deletions, alignment.insertions)
    letters = _character_errors(document, axis, alignment) if axis.has_characters else (0, 0)
    counts = AlignmentCounts(*words, merged, lost, int(not alignment.is_certain), *letters)
    on_axis = Document(projected, axis.text, document.form, document.source)
    return ProjectedDocument(on_axis, counts, alignment)


def _character_errors(document: Document, axis: Document, alignment: Edits) -> tuple[int, int]:
    """The characters of the axis, and the errors in them, word by word as the words are aligned."""
    from rapidfuzz.distance import Levenshtein

    ours, theirs = document.words, axis.words
    partner = [""] * len(theirs)
    for word in np.flatnonzero(alignment.is_aligned).tolist():
        partner[alignment.landing[word]] = ours[word]
    added = sum(len(ours[word]) for word in np.flatnonzero(~alignment.is_aligned).tolist())
    errors = sum(map(Levenshtein.distance, partner, theirs), added)
    return sum(map(len, theirs)), errors


def word_edits(document: Document, axis: Document) -> Edits:
    """Align the words of two documents, line by line where their lines correspond."""
    from caesura.align.words import edits, edits_from_partners, word_ids

    a, b = word_ids(document.text or "", axis.text or "")
    edges = _edges_of_same_lines(document, axis)
    if not edges:
        return edits(a, b, times_a=_middles(document), times_b=_middles(axis))
    partner, is_certain = np.full(a.size, -1), True
    for (start, stop), (begin, end) in zip(*map(pairwise, edges), strict=True):
        if start < stop and begin < end:
            alignment = edits(a[start:stop], b[begin:end])
            aligned = np.flatnonzero(alignment.is_aligned)
            partner[start + aligned] = begin + alignment.landing[aligned]
            is_certain &= alignment.is_certain
    return edits_from_partners(a, b, partner, is_certain=is_certain)


def _middles(document: Document) -> IntArray | None:
    """The midpoint of each word in time, if times are known."""
    start, end = document.track.start, document.track.end
    if start is None or end is None:
        return None
    known = (start != Track.UNKNOWN) & (end != Track.UNKNOWN)
    return np.where(known, (start + end) // 2, Track.UNKNOWN)


def _edges_of_same_lines(one: Document, other: Document) -> tuple[IntArray, IntArray] | None:
    """The first word of each line, and where the last one ends, if the lines of both correspond.

    Those of subtitles as text do, a sentence per line, if both have as many.
    """
    first, second = one.line_starts, other.line_starts
    if not one.form == other.form == BREAKS or first is None or second is None:
        return None
    if first.size != second.size:
        return None
    return np.append(first, one.segmentation.length), np.append(second, other.segmentation.length)


def with_line_ends(
    places: IntArray, ends: IntArray, edges_a: IntArray, edges_b: IntArray
) -> IntArray:
    """Where boundaries landed, those at ends of lines at the ends of the corresponding lines."""
    line = np.searchsorted(edges_a[1:], ends + 1)
    is_last = edges_a[1:][line] == ends + 1
    result: IntArray = np.where(is_last, edges_b[1:][line] - 1, places)
    return result


def ends_open(document: Document) -> bool:
    """Whether a document is of subtitles, and does not end with a break."""
    marks = document.segmentation.marks
    return document.form.endswith(BREAKS) and marks is not None and str(marks[-1]) == ""


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


def _moments(document: Document, final: Final) -> IntArray:
    """When the units of a transcript end, and the edges of its intervals, if it has some."""
    track, boundaries = document.track, document.segmentation.boundaries
    if track.edges is not None:
        return track.edges[1:-1] if final == "drop" else track.edges
    if track.end is None:
        raise TimesError(document.source)
    moments = track.end[boundaries]
    unknown = np.flatnonzero(moments == Track.UNKNOWN)
    if unknown.size:
        raise TimesError(document.place(int(boundaries[unknown[0]])))
    moments = np.unique(moments)
    return moments[:-1] if final == "drop" else moments
