"""Saved rows into what a page is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from caesura.core.typed import typed
from caesura.errors import FormatError
from caesura.output.report.edits import CorrectionsReading
from caesura.output.report.patterns import TextReading
from caesura.output.report.payload import Reading
from caesura.output.report.sentences import (
    SentencesReading,
    joined_segments,
    require_segments,
)
from caesura.output.report.trees import TreesReading, joined, require_trees
from caesura.run.cases import Source
from caesura.run.rows import CURE, RowsFile
from caesura.tasks.clusters import GoldReading, TermsReading
from caesura.tasks.readings import TranscriptReading

T = TypeVar("T")
CLOCK = "clock"
"""The kind of what is kept of documents on the axis of time, which the page does not show."""
LONGEST = 1 << 53
"""The most words that a reading can have: the largest whole number that a browser counts to."""
KINDS: dict[str, type[Reading]] = {
    "transcript": TranscriptReading,
    "text": TextReading,
    "trees": TreesReading,
    "sentences": SentencesReading,
    "corrections": CorrectionsReading,
    "gold": GoldReading,
    "terms": TermsReading,
}

NAMED = (TextReading, TreesReading, SentencesReading, CorrectionsReading, TermsReading)
"""Readings of one system."""


def readings_of(texts: Sequence[str], files: Sequence[RowsFile]) -> list[Reading]:
    """The readings that are saved with rows; `texts` is how the files were named."""
    parts = [_renamed(text, _readings(file)) for text, file in zip(texts, files, strict=True)]
    return _together([reading for part in parts for reading in part])


def _readings(file: RowsFile) -> list[Reading]:
    """The readings of a file; one that cannot be is an error with its line."""
    found = []
    for line, values in file.readings.items():
        if values.get("kind") == CLOCK:
            continue
        try:
            found.append(taken(values))
        except ValueError as problem:
            raise FormatError(file.path, f"not a reading ({problem})", CURE, line=line) from None
    return found


def taken(values: Mapping[str, Any]) -> Reading:
    """A reading as it was saved; a ValueError if it is not valid."""
    if "kind" not in values:
        values = _from_0_1(values)
    kind = KINDS.get(str(values["kind"]))
    if kind is None:
        raise ValueError("it is of an unknown kind")
    found = typed(kind, values)
    if isinstance(found, TranscriptReading):
        _require_inside(found)
    if isinstance(found, TreesReading):
        require_trees(found)
    if isinstance(found, SentencesReading):
        require_segments(found)
    return found


def _require_inside(reading: TranscriptReading) -> None:
    """Raise a ValueError if a boundary is not among the words."""
    for each in (*reading.references.values(), *reading.systems.values()):
        if not 0 <= sum(each) <= reading.length <= LONGEST or min(each, default=0) < 0:
            raise ValueError(f"it has boundaries beyond its {_size(reading.length)} words")


def _size(length: int) -> str:
    """A number of words, which may have thousands of digits where a file is damaged."""
    return f"{length:,}" if abs(length) <= LONGEST else "countless"


def _from_0_1(values: Mapping[str, Any]) -> dict[str, Any]:
    """A reading of version 0.1, in which patterns of errors had a kind and readings had none."""
    found = {**values, "kind": _kind_of_0_1(values)}
    patterns = values.get("patterns")
    if isinstance(patterns, list):
        found["patterns"] = [_direction_for_kind(each) for each in patterns]
    return found


def _direction_for_kind(pattern: Any) -> Any:
    if not isinstance(pattern, dict):
        return pattern
    return {("direction" if key == "kind" else key): value for key, value in pattern.items()}


def _kind_of_0_1(values: Mapping[str, Any]) -> str:
    """What a reading of version 0.1 is, which did not say so itself."""
    signs = {"references": "transcript", "patterns": "text", "clusters": "terms", "words": "gold"}
    return next((kind for field, kind in signs.items() if field in values), "")


def _renamed(text: str, readings: list[Reading]) -> list[Reading]:
    """Let NAME=PATH rename the only system, in the readings as it does in the rows."""
    source = Source.parse(text)
    if text == source.path:
        return readings
    return [_with_name(reading, source.name) for reading in readings]


def _with_name(reading: Reading, name: str) -> Reading:
    if isinstance(reading, NAMED):
        return replace(reading, system=name)
    if isinstance(reading, GoldReading) or not reading.systems:
        return reading
    (old,) = reading.systems
    return replace(
        reading,
        systems={name: reading.systems[old]},
        marks=_with_key(reading.marks, old, name),
        heard=_with_key(reading.heard, old, name),
    )


def _with_key(values: Mapping[str, T], old: str, new: str) -> dict[str, T]:
    return {new if key == old else key: value for key, value in values.items()}


def _together(readings: list[Reading]) -> list[Reading]:
    """One reading for each document, with the systems of all files, or one for each system."""
    result: dict[tuple[str, str], Reading] = {}
    for reading in readings:
        key = reading.kind, _name(reading)
        both = result.get(key)
        if isinstance(both, TranscriptReading) and isinstance(reading, TranscriptReading):
            result[key] = replace(
                both,
                systems={**both.systems, **reading.systems},
                marks={**both.marks, **reading.marks},
                heard={**both.heard, **reading.heard},
            )
        elif isinstance(both, TreesReading) and isinstance(reading, TreesReading):
            result[key] = joined(both, reading)
        elif isinstance(both, SentencesReading) and isinstance(reading, SentencesReading):
            result[key] = joined_segments(both, reading)
        else:
            result.setdefault(key, reading)
    return list(result.values())


def _name(reading: Reading) -> str:
    if isinstance(reading, TranscriptReading):
        return reading.document
    return "" if isinstance(reading, GoldReading) else reading.system
