"""The readings of a page: of what a run kept, or of what is saved with rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, get_args, get_type_hints

from caesura.core.escapes import as_name
from caesura.core.json_values import typed
from caesura.core.task import Task
from caesura.errors import FormatError
from caesura.output.report.segments import SentencesReading
from caesura.output.report.trees import TreesReading
from caesura.output.report.views import (
    ClockReading,
    CorrectionsReading,
    GoldReading,
    TermsReading,
    TextReading,
    TranscriptReading,
)
from caesura.run.inputs import named_path, natural
from caesura.run.rows_file import CURE, RowsFile

AnyReading = (
    TranscriptReading
    | ClockReading
    | TextReading
    | TreesReading
    | SentencesReading
    | CorrectionsReading
    | GoldReading
    | TermsReading
)
VIEWS: dict[str, type[AnyReading]] = {
    get_args(get_type_hints(view)["kind"])[0]: view for view in get_args(AnyReading)
}
"""The views by the kind of their readings."""


def readings(kept: Iterable[Mapping[str, Any]], task: Task) -> Iterator[AnyReading]:
    """The data behind the scores, as a run kept them: transcripts, errors, trees and so on."""
    rest = iter(kept)
    first = next(rest, None)
    if first is None:
        return iter(())
    kind, every = first["kind"], chain([first], rest)
    kinds = task.parts.kept()
    if kind not in kinds:
        return map(taken, every)
    what, make = kinds[kind]
    made: Iterator[AnyReading] = make(
        typed(what, values) for values in every if values["kind"] == kind
    )
    return made


def taken(values: Mapping[str, Any]) -> AnyReading:
    """A reading as it was saved; a ValueError if it is not valid."""
    view = VIEWS.get(str(values.get("kind")))
    if view is None:
        raise ValueError("it is of an unknown kind")
    reading = typed(view, values)
    reading.require_sound()
    return reading


def readings_of(texts: Sequence[str], files: Sequence[RowsFile]) -> list[AnyReading]:
    """The readings that are saved with rows; `texts` is how the files were named."""
    result: dict[tuple[str, str], Any] = {}
    for text, file in zip(texts, files, strict=True):
        name, path = named_path(text)
        for reading in _saved(file):
            named = reading if text == path else reading.renamed(as_name(name))
            key = named.kind, named.key
            result[key] = result[key].joined(named) if key in result else named
    return list(result.values())


def _saved(file: RowsFile) -> Iterator[AnyReading]:
    """The readings of a file; one that cannot be is an error with its line."""
    if file.has_kept_readings:
        yield from merged_readings([file])
        return
    for line, values in file.readings.items():
        try:
            yield taken(values)
        except ValueError as problem:
            raise FormatError(file.path, f"not a reading ({problem})", CURE, line=line) from None


def merged_readings(files: Sequence[RowsFile]) -> Iterator[AnyReading]:
    """The readings that runs have kept, as one run makes them, in the order of its documents."""
    every = [(values, file.path, at) for file in files for at, values in file.readings.items()]
    every.sort(key=lambda each: natural(str(each[0].get("document", ""))))
    place: tuple[str, int | None] = files[0].path, None

    def values_of() -> Iterator[Mapping[str, Any]]:
        nonlocal place
        for values, path, at in every:
            place = path, at
            yield values

    try:
        for reading in readings(values_of(), files[0].task):
            reading.require_sound()
            yield reading
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        raise FormatError(place[0], f"not a reading ({problem})", CURE, line=place[1]) from None
