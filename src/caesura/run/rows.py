"""Rows: (system, document, measure, reference, counts), the only thing that leaves a worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from sys import intern
from typing import Any

from caesura.align.axis import AlignmentCounts
from caesura.core.counts import Counts
from caesura.core.segmentation import Document
from caesura.errors import FormatError, UnknownNameError
from caesura.io.files import read_text, replacing
from caesura.measures import MEASURES

READING = '{"reading": '


@dataclass(frozen=True, slots=True)
class SourceCounts(Counts):
    """What was read: documents, words, units, and the forms they came in."""

    documents: int
    words: int
    units: int
    forms: tuple[str, ...]

    @classmethod
    def zero(cls) -> SourceCounts:
        """The counts of nothing."""
        return cls(0, 0, 0, ())

    @classmethod
    def from_document(cls, document: Document) -> SourceCounts:
        """Count one document."""
        axis = document.segmentation
        forms = (document.form,) if document.form else ()
        return cls(1, axis.length, axis.boundaries.size, forms)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> SourceCounts:
        """Take back what `to_dict` gave."""
        return cls(**(values | {"forms": tuple(values["forms"])}))

    def __add__(self, other: Counts) -> SourceCounts:
        if not isinstance(other, SourceCounts):
            return NotImplemented
        return SourceCounts(
            self.documents + other.documents,
            self.words + other.words,
            self.units + other.units,
            tuple(sorted({*self.forms, *other.forms})),
        )

    def scores(self) -> dict[str, float]:
        """Nothing is scored here."""
        return {}


COUNTS: dict[str, type[Counts]] = {
    "source": SourceCounts,
    "alignment": AlignmentCounts,
    **{name: measure.counts for name, measure in MEASURES.items()},
}


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one measure for one system on one document.

    `reference` is one reference's name, None for all of them together, or `-name` for all but one.
    `system` is None for what concerns the references alone; a reference that is scored like a
    system stands there under its own name. `stream` is a speaker or channel, None for all. `block`
    is where a part of the document ends that is counted alone; 0 is the whole document.
    """

    system: str | None
    document: str
    measure: str
    reference: str | None
    counts: Counts
    stream: str | None = None
    block: int = 0

    def __reduce__(self) -> tuple[Callable[..., Row], tuple[Any, ...]]:
        """Travel as plain values."""
        who = self.system, self.document, self.measure, self.reference
        return _arrived, (*who, self.counts, self.stream, self.block)

    def to_json(self) -> str:
        """One line of JSON."""
        fields: dict[str, Any] = {
            "system": self.system,
            "document": self.document,
            "measure": self.measure,
            "reference": self.reference,
            "counts": self.counts.to_dict(),
        }
        if self.stream is not None:
            fields["stream"] = self.stream
        fields |= {"block": self.block} if self.block else {}
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Row:
        """Take back what `to_json` gave."""
        fields = json.loads(line)
        measure = fields["measure"]
        if measure not in COUNTS:
            raise UnknownNameError("measure", measure, COUNTS)
        counts = COUNTS[measure].from_dict(fields["counts"])
        who = fields["system"], fields["document"], measure, fields["reference"]
        part = fields.get("stream"), int(fields.get("block", 0))
        return cls(*who, counts, *part)


def _arrived(
    system: str | None,
    document: str,
    measure: str,
    reference: str | None,
    counts: Counts,
    *part: Any,
) -> Row:
    """A row that has travelled; its names are those of all rows, not copies of them."""
    who = system and intern(system), document, intern(measure), reference and intern(reference)
    return Row(*who, counts, *part)


def write_rows(
    path: str,
    header: dict[str, Any],
    rows: Iterable[Row],
    readings: Iterable[dict[str, Any]] = (),
) -> None:
    """Save rows as JSON lines, after a first line that says what they are.

    Readings, what the report shows beside the scores, come last.
    """
    with replacing(path) as file:
        file.write(json.dumps(header, ensure_ascii=False) + "\n")
        file.writelines(row.to_json() + "\n" for row in rows)
        for reading in readings:
            file.write(READING + json.dumps(reading, ensure_ascii=False) + "}\n")


def read_rows(path: str) -> tuple[dict[str, Any], list[Row]]:
    """Read what `write_rows` saved: the header and the rows."""
    lines = read_text(path).split("\n")
    header = _header(path, lines)
    return header, list(_rows(path, lines))


def read_readings(path: str) -> list[dict[str, Any]]:
    """The readings that were saved with rows; none if there are none."""
    found = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.startswith(READING):
            try:
                found.append(dict(json.loads(line)["reading"]))
            except (ValueError, TypeError) as problem:
                raise _no_row(path, problem, number) from None
    return found


def _header(path: str, lines: list[str]) -> dict[str, Any]:
    try:
        header = json.loads(lines[0])
        known = isinstance(header, dict) and "caesura" in header
    except (IndexError, ValueError):
        known = False
    if not known:
        raise FormatError(path, "no rows of caesura", "make them with --rows FILE", line=1)
    return dict(header)


def _rows(path: str, lines: list[str]) -> Iterator[Row]:
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith(READING) or (not line and number == len(lines)):
            continue
        try:
            yield Row.from_json(line)
        except (ValueError, KeyError, TypeError) as problem:
            raise _no_row(path, problem, number) from None


def _no_row(path: str, problem: Exception, line: int) -> FormatError:
    cure = "remove the line or make the rows anew"
    return FormatError(path, f"no row ({problem})", cure, line=line)
