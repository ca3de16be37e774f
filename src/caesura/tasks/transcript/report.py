"""Transcripts for the report: what is kept of a document, and of that, wrong boundaries.

A document is on the axis of words or of time. A boundary is wrong if only a system or only a
reference has it.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import Any, Literal

import numpy as np

from caesura.align.versions import Versions
from caesura.align.words import Edits, word_ids
from caesura.core.escapes import printable
from caesura.core.json_values import typed
from caesura.core.labels import Labels
from caesura.core.segmentation import (
    NO_BREAK,
    Document,
    Final,
    IntArray,
    ScoreArray,
    Segmentation,
    Track,
    WordNames,
)
from caesura.formats.plain import surfaces
from caesura.output.report.views import (
    ClockReading,
    Heard,
    PackedSpans,
    Speakers,
    TranscriptReading,
    packed,
    packed_places,
    places,
    positions,
    steps,
)
from caesura.output.tables import Errors, Found, Readings, frequent

KeptTranscript = TranscriptReading | ClockReading
Clock = Literal["time", "samples"]
PAST_END = 2
"""How much longer a segmentation on a clock is than its extent."""
LONGEST_UNIT = 80
"""The most characters of the words of a unit on a clock."""
AROUND, LONGEST = 6, 60
"""How many words are shown on each side of a wrong boundary, and how many characters at most."""
SECOND = 1_000_000
COLUMNS = ("system", "reference", "document", "error", "place", "before", "after")


def clock_reading(document: str, versions: Versions, tolerance: int, axis: Clock) -> ClockReading:
    """What the page shows of a document whose versions are on a clock, or on samples."""
    everyone = versions.everyone
    kept = {name: packed_places(each.segmentation.positions()) for name, each in everyone.items()}
    length = next(each.segmentation.length - PAST_END for each in everyone.values())
    spans = {name: _spans(each, length) for name, each in everyone.items()}
    scores = {name: each.segmentation.scores for name, each in everyone.items()}
    return ClockReading(
        document=document,
        tolerance=tolerance,
        references={name: kept[name] for name in versions.references},
        systems={name: kept[name] for name in versions.systems},
        length=length,
        axis=axis,
        spans={name: each for name, each in spans.items() if each is not None},
        scores={name: _bytes(each[:length]) for name, each in scores.items() if each is not None},
    )


def _spans(document: Document, length: int) -> PackedSpans | None:
    """The units with their words, or labelled intervals; None where nothing has a name."""
    track = document.track
    if track.start is None or track.end is None:
        return None
    if document.text is not None:
        labels = _spoken(document, track.start, track.end)
    elif track.speaker is not None:
        labels = Labels.from_document(document, length)
    else:
        return None
    return PackedSpans(
        starts=packed_places(labels.starts),
        lengths=packed(np.maximum(labels.ends - labels.starts, 0)),
        codes=packed(labels.codes + 1),
        names=tuple(labels.names),
    )


def _spoken(document: Document, start: IntArray, end: IntArray) -> Labels:
    """The units, labelled with their words, from the start of the first to the end of the last."""
    timed = np.flatnonzero((start != Track.UNKNOWN) & (end != Track.UNKNOWN))
    unit = np.searchsorted(document.segmentation.positions(), end[timed])
    first = np.flatnonzero(np.diff(unit, prepend=-1))  # (units,) into timed
    words = surfaces(document.raw) if document.raw is not None else []
    words = words if len(words) == end.size else document.words
    pieces = np.split(np.array(words, object)[timed], first[1:]) if timed.size else []
    names = WordNames.from_names([" ".join(words)[:LONGEST_UNIT] for words in pieces])
    if names is None:
        return Labels(start[:0], end[:0], start[:0], ())
    last = np.append(first[1:], timed.size) - 1
    starts, ends = start[timed[first]], end[timed[last]]
    order = np.argsort(starts, kind="stable")
    return Labels(starts[order], ends[order], names.codes[order], tuple(names.names))


def _bytes(scores: ScoreArray) -> str:
    """Scores as bytes in base64: 254 for 1, 255 where there is none."""
    known = np.isfinite(scores) & (scores >= 0)
    places = np.where(known, np.rint(np.where(known, scores, 0) * 254), 255).astype(np.uint8)
    return b64encode(places.tobytes()).decode()


def reading_of(document: str, versions: Versions, final: Final) -> TranscriptReading:
    """What the page shows of a document whose versions are on one axis of words."""
    everyone = versions.everyone
    axis = everyone[versions.axis]
    kept = {name: steps(each.segmentation.positions(final)) for name, each in everyone.items()}
    marks = {name: _marks(each.segmentation, final) for name, each in everyone.items()}
    return TranscriptReading(
        document=document,
        length=axis.segmentation.length,
        words=None if axis.text is None else _joined(written(axis)),
        references={name: kept[name] for name in versions.references},
        systems={name: kept[name] for name in versions.systems},
        marks={name: each for name, each in marks.items() if each.strip()},
        heard={name: heard(*each, axis) for name, each in versions.misheard.items()},
        speakers=_speakers(axis.track.speaker),
    )


def written(document: Document) -> list[str]:
    """The words as they were written, where that is known; else as they are compared.

    Of words that were normalised, one that became several stands at the first; one that was dropped
    stands with the word before it, or, at the beginning, with the word after it.
    """
    before = document.written
    raw = document.raw if before is None else before.raw
    words = [] if raw is None else surfaces(raw)
    length = document.segmentation.length
    if before is None:
        return words if len(words) == length else document.words
    offsets = before.offsets
    if len(words) != offsets.size - 1:
        return document.words
    places = np.where(np.diff(offsets) > 0, offsets[:-1], np.maximum(offsets[:-1] - 1, 0))
    written = [""] * length
    for word, at in zip(words, places.tolist(), strict=True):
        written[at] = f"{written[at]} {word}" if written[at] else word
    return written


def heard(own: Document, edits: Edits, axis: Document) -> Heard:
    """Where the words of a version differ from those of the axis, and what it has there."""
    ours, theirs = word_ids(own.text or "", axis.text or "")
    words = [word or compared for word, compared in zip(written(own), own.words, strict=True)]
    aligned = np.flatnonzero(edits.is_aligned)
    partner = np.full(theirs.size, -1)
    partner[edits.landing[aligned]] = aligned
    at = np.flatnonzero((partner < 0) | (ours[partner] != theirs))
    inserted = np.flatnonzero(~edits.is_aligned)
    return Heard(
        at=steps(at),
        words=_joined("" if word < 0 else words[word] for word in partner[at].tolist()),
        before=steps(edits.landing[inserted] + 1),
        inserted=_joined(words[word] for word in inserted.tolist()),
    )


def _joined(words: Iterable[str]) -> str:
    return " ".join(word.replace(" ", NO_BREAK) for word in words)


def _marks(segmentation: Segmentation, final: Final) -> str:
    marks = segmentation.marks_at(final)
    return "" if marks is None else "".join(mark[:1] or " " for mark in marks.tolist())


def _speakers(labels: WordNames | None) -> Speakers | None:
    if labels is None:
        return None
    starts = np.flatnonzero(np.diff(labels.codes, prepend=labels.codes[0] - 1))
    return Speakers(
        names=tuple(labels.names),
        codes=tuple(labels.codes[starts].tolist()),
        words=tuple(np.diff(starts, append=labels.codes.size).tolist()),
    )


@dataclass(frozen=True, slots=True)
class BoundaryError:
    """A boundary that only one side has: where, and the words around it.

    The place is the number of the word before it, a time or a sample.
    """

    system: str
    reference: str
    document: str
    error: str
    place: str
    before: str
    after: str


def found_boundaries(readings: Readings) -> Iterator[BoundaryError]:
    """Every boundary that only a system or only a reference has, document by document."""
    for values in readings:
        if values["kind"] == "clock":
            timed = typed(ClockReading, values)
            for who, error, at in _wrong_places(timed, places, timed.tolerance):
                place = f"sample {at}" if timed.axis == "samples" else f"{at / SECOND:.3f} s"
                yield BoundaryError(*who, error, place, "", "")
        else:
            worded = typed(TranscriptReading, values)
            words = (worded.words or "").split(" ")
            for who, error, at in _wrong_places(worded, positions, 0):
                first, last = max(0, at + 1 - AROUND), at + 1 + AROUND
                before, after = " ".join(words[first : at + 1]), " ".join(words[at + 1 : last])
                yield BoundaryError(*who, error, str(at + 1), before, after)


def _wrong_places(
    reading: KeptTranscript, unpacked: Callable[[Any], IntArray], tolerance: int
) -> Iterator[tuple[tuple[str, str, str], str, int]]:
    """Where boundaries are extra or missed, in order, for every system and reference."""
    for system, ours in reading.systems.items():
        for reference, theirs in reading.references.items():
            sides = unpacked(ours).tolist(), unpacked(theirs).tolist()
            extra, missed = unmatched(*sides, tolerance)
            wrong = [*((at, "extra") for at in extra), *((at, "missed") for at in missed)]
            for at, error in sorted(wrong):
                yield (system, reference, reading.document), error, at


def unmatched(ours: list[int], theirs: list[int], tolerance: int) -> tuple[list[int], list[int]]:
    """The moments of both sides that the largest one-to-one matching leaves, the first first.

    >>> unmatched([0, 20, 90], [10, 60], 15)
    ([20, 90], [60])
    """
    extra, missed, i, j = [], [], 0, 0
    while i < len(ours) and j < len(theirs):
        if abs(ours[i] - theirs[j]) <= tolerance:
            i, j = i + 1, j + 1
        elif ours[i] < theirs[j]:
            extra.append(ours[i])
            i += 1
        else:
            missed.append(theirs[j])
            j += 1
    return [*extra, *ours[i:]], [*missed, *theirs[j:]]


def shown_boundaries(found: Iterable[BoundaryError], most: int) -> Found:
    """The words before which most boundaries are wrong, and the first of them."""
    patterns: Counter[tuple[str, ...]] = Counter()
    first: list[BoundaryError] = []
    for error in found:
        if error.before:
            patterns[error.system, error.error, _short(error.after.split(" ")[0])] += 1
        first += [error] if len(first) < most else []
    table = frequent(patterns, most, "Wrong boundaries", ("system", "error", "before"))
    head = f"The first {len(first):,} wrong boundaries\n" if len(first) > 1 else "The error\n"
    return Found((table,) if table.rows else (), (head, *map(_passage, first)) if first else ())


def _passage(error: BoundaryError) -> str:
    place = f"{error.document}, at {error.place}"
    if error.place.isdecimal():
        place = f"{error.document}, after word {int(error.place):,}"
    who = f"{error.system}: {error.error} (against {error.reference})"
    whole = error.before.replace(NO_BREAK, " ")
    before, after = whole[-LONGEST:], _short(error.after)
    before = before if before == whole else f"… {before.partition(' ')[2] or before}"
    line = f"{before} ▮ {after}" if before else ""
    lines = [place, f"  {who}", *([f"  {line}"] if line else [])]
    return "".join(f"{printable(each)}\n" for each in lines)


def _short(text: str) -> str:
    """The beginning of a text, to the end of a word; words may have no-break spaces inside."""
    text = text.replace(NO_BREAK, " ")
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rpartition(' ')[0] or text[:LONGEST]} …"


ERRORS = Errors(found_boundaries, shown_boundaries, COLUMNS, astuple)
