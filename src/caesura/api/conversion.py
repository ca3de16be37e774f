"""Conversion between formats, and what it changes.

What changes is measured, not assumed: the output is read back and compared with the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from caesura.align.versions import word_edits
from caesura.core.arrays import isin_sorted
from caesura.core.format import Format, FormatOptions, Units
from caesura.core.marks import MARKS
from caesura.core.segmentation import Document, WordNames
from caesura.errors import FormatError, UnknownNameError, UsageError, number
from caesura.formats.detection import by_suffix, detect, signs_of_plain
from caesura.formats.plain import parse
from caesura.formats.registry import PLAIN, TIMED, useless
from caesura.formats.script import UNKNOWN, Script, seconds, to_document, to_units, to_words
from caesura.formats.topics import HELD
from caesura.formats.transcripts import (
    in_tokens,
    one_recording,
    parse_scripts,
    read_scripts,
    write_scripts,
)
from caesura.io.files import read_text
from caesura.io.paths import PART, recording_of

TARGETS = {name: each for name, each in (PLAIN | TIMED).items() if each.is_written}
WORDLESS = ("binary", *(name for name, each in TARGETS.items() if not each.has_words))
"""The output formats that hold boundaries only."""
TXT = ".txt"
Change = tuple[Literal["lost", "added", "changed"], str]
"""What happened to something of the input, and to what."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording of a file: its document and, of a timed format, its script."""

    name: str
    document: Document
    script: Script | None = None


@dataclass(frozen=True, slots=True)
class Conversion:
    """How files are read, and what they become."""

    to: str
    input: str = "auto"
    units: Units = "auto"
    marks: str = MARKS
    tier: str | None = None
    rate: int | None = None
    force: bool = False
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.to not in TARGETS:
            raise UnknownNameError("output format", self.to, TARGETS)

    def read(self, path: str) -> list[Recording]:
        """Every recording that a file holds, or the one that is named."""
        place, wanted = recording_of(path)
        form = detect(place, self.encoding) if self.input == "auto" else self.input
        for problem in useless({**self.of_format, "units": self.units}, [form]):
            raise UsageError(f"{place}: {problem}; drop it")
        if form not in TIMED:
            text = read_text(place, self.encoding)
            counted = in_tokens(text, "auto")[0] if self.to in WORDLESS else text
            document = parse(counted, form, marks=self.marks, source=place)
            signs = signs_of_plain(place, text) if self.input == "auto" else {}
            return [Recording("", replace(document, signs={**document.signs, **signs}))]
        units = TIMED[form].units if self.units == "auto" else self.units
        scripts = read_scripts(place, form, self.encoding, **self.of_format)
        return [
            Recording(each.label, to_document(each, units=units, marks=self.marks), each.filled())
            for each in ([one_recording(scripts, wanted, place)] if wanted else scripts)
        ]

    @property
    def of_format(self) -> FormatOptions:
        """The options of some formats."""
        return {"tier": self.tier or "", "rate": self.rate or 0, "force": self.force}

    def write(self, recordings: list[Recording]) -> str:
        """The output as one text."""
        for each in recordings:
            wordless = ("rttm",) if each.document.track.end is not None else WORDLESS
            if each.document.text is None and self.to not in (*wordless, *WORDLESS):
                problem = "gives boundaries without words"
                cure = f"convert it to {' or '.join(wordless)}"
                raise FormatError(each.document.source, problem, cure)
            length = each.document.segmentation.length
            if each.document.text is None and length > HELD:
                problem = f"{number(length, 'item')} without words, too many to convert"
                raise FormatError(each.document.source, problem, "score the file as it is")
        target = TARGETS[self.to]
        if len(recordings) > 1 and not target.holds_many:
            raise FormatError(
                recordings[0].document.source,
                f"{number(len(recordings), 'recording')} where {self.to} holds one",
                f"name one, as FILE{PART}{recordings[0].name}, or convert to a folder",
            )
        return write_scripts([self._script(each, target) for each in recordings], self.to)

    def _script(self, recording: Recording, target: Format) -> Script:
        """Words, or segments: the input's own, unless others are requested.

        The intervals of a tier stay what they are.
        """
        if target.is_plain:
            return to_words(recording.document)
        own = recording.script
        name = recording.name if own is None else own.recording
        words = replace(to_words(recording.document), recording=name)
        if own is not None and own.is_tier:
            return own
        if target.pieces == "words":
            return words
        if own is not None and self.units == "auto" and len(own) < len(words):
            return own
        return words if target.pieces == "both" and _last(words) else to_units(words)

    def changes(self, recordings: list[Recording], text: str) -> list[Change]:
        """How the output, read again, differs from the input."""
        try:
            again = self._again(text)
        except FormatError:
            if any(each.isalnum() for one in recordings for each in one.document.text or ""):
                raise
            return [("lost", "the words")]  # only marks, which are words to some formats
        more = len(again) - len(recordings)
        if more:
            return [("added" if more > 0 else "lost", number(abs(more), "recording"))]
        found = (
            change
            for recording, after in zip(recordings, again, strict=True)
            for change in changes(recording.document, after)
        )
        return list(dict.fromkeys(found))

    def _again(self, text: str) -> list[Document]:
        """The documents of the output."""
        if self.to in PLAIN:
            return [parse(text, self.to, marks=self.marks)]
        return [
            to_document(script, units=TIMED[self.to].units, marks=self.marks)
            for script in parse_scripts(text, "<output>", self.to)
        ]


def _last(words: Script) -> bool:
    """Whether every word has times and lasts; what does not cannot be an interval."""
    if words.start is None or words.end is None:
        return False
    return bool(((words.start != UNKNOWN) & (words.end > words.start)).all())


def target_of(output: str, to: str | None) -> str:
    """The output format: the one that is named, else the one of the output's suffix."""
    if to:
        return to
    found = by_suffix(output)
    if found:
        return found
    if output.endswith(TXT):
        return "lines"
    known = ", ".join(sorted({suffix for each in TARGETS.values() for suffix in each.suffixes}))
    raise UsageError(
        f"'{output}' has no suffix of a known format; use --to, or one of: .txt, {known}"
    )


def suffix_for(form: str) -> str:
    """The suffix of a format's files; that of plain text if it has none of its own."""
    suffixes = TARGETS[form].suffixes
    return suffixes[0] if suffixes else TXT


def in_words(changes: Sequence[Change]) -> str:
    """Changes in words: `lost: speakers, times; added: 1 unit end`."""
    verbs = dict.fromkeys(verb for verb, _ in changes)
    told = {verb: ", ".join(what for each, what in changes if each == verb) for verb in verbs}
    return "; ".join(f"{verb}: {what}" for verb, what in told.items())


def changes(before: Document, after: Document) -> Iterator[Change]:
    """How one document differs from another."""
    if before.text is not None and before.text != after.text:
        if after.text is None:
            yield "lost", "the words"
        else:
            yield "changed", number(word_edits(after, before).errors, "word")
    if before.segmentation.length == after.segmentation.length:
        yield from _unit_changes(before, after)
        yield from _track_changes(before, after)


def _unit_changes(before: Document, after: Document) -> Iterator[Change]:
    had, has = before.segmentation.boundaries, after.segmentation.boundaries
    gone = had.size - int(isin_sorted(had, has).sum())
    new = has.size - int(isin_sorted(has, had).sum())
    if gone:
        yield "lost", number(gone, "unit end")
    if new:
        yield "added", number(new, "unit end")
    marks, kept = before.segmentation.marks, after.segmentation.marks
    if gone or new or marks is None or not (marks != "").any():
        return
    if kept is None or (marks != kept).any():
        yield "lost", "types of units"


def _track_changes(before: Document, after: Document) -> Iterator[Change]:
    for kind in ("speaker", "channel"):
        ours, theirs = before.track.labels(kind), after.track.labels(kind)
        if ours is not None and _names(ours) != (_names(theirs) if theirs else None):
            yield "lost", f"{kind}s"
    if before.track.start is None or before.track.end is None:
        return
    if after.track.start is None or after.track.end is None:
        yield "lost", "times"
        return
    moved = max(
        int(np.abs(before.track.start - after.track.start).max(initial=0)),
        int(np.abs(before.track.end - after.track.end).max(initial=0)),
    )
    if moved:
        yield "changed", f"word times by up to {seconds(moved)} s"


def _names(labels: WordNames) -> list[str]:
    names = (*labels.names, "")
    return [names[code] for code in labels.codes.tolist()]
