"""SUs of RTTM files, counted as NIST's md-eval does; it aligns words that differ by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.channels import Lane
from caesura.core.row import Row, SourceCounts
from caesura.formats.rttm import lanes, parse_uem
from caesura.formats.transcripts import by_suffix
from caesura.io.files import read_text, recording_of
from caesura.run.inputs import Case
from caesura.tasks.transcript.mdeval import md_eval


def are_rttm(case: Case, input: str) -> bool:
    """Whether all versions of a document are RTTM files."""
    return all(
        _is_rttm(each, input) for each in (*case.systems.values(), *case.references.values())
    )


def md_eval_rows(case: Case, uem: str, input: str, encoding: str | None) -> Iterator[Row]:
    """The counts of each system and reference that are RTTM files."""
    stretches = parse_uem(read_text(uem), uem) if uem else None
    ours, theirs = (_lanes(side, input, encoding) for side in (case.systems, case.references))
    for (system, placed), (reference, wanted) in product(ours.items(), theirs.items()):
        counts = md_eval(placed, wanted, stretches)
        yield Row(system, case.document, "su", reference, counts)


def with_md_eval(rows: Sequence[Row], exact: Iterable[Row]) -> list[Row]:
    """Rows with the counts of md-eval instead of others."""
    found = {(row.system, row.measure, row.reference): row for row in exact}
    return [
        row if row.stream else found.get((row.system, row.measure, row.reference), row)
        for row in rows
    ]


def noted(rows: Sequence[Row]) -> list[Row]:
    """Rows in which sources whose words differ from the axis are marked as aligned."""
    names = {row.system for row in rows if _differs(row)}
    return [
        replace(row, counts=replace(row.counts, signs={**row.counts.signs, "aligned": 1}))
        if row.system in names and isinstance(row.counts, SourceCounts)
        else row
        for row in rows
    ]


def _differs(row: Row) -> bool:
    return isinstance(row.counts, AlignmentCounts) and row.counts.errors > 0


def _is_rttm(version: object, input: str) -> bool:
    if not isinstance(version, str):
        return False
    return (by_suffix(recording_of(version)[0]) if input == "auto" else input) == "rttm"


def _lanes(versions: Mapping[str, Any], input: str, encoding: str | None) -> dict[str, list[Lane]]:
    places = {n: recording_of(path) for n, path in versions.items() if _is_rttm(path, input)}
    return {
        name: [
            lane
            for lane in lanes(read_text(place, encoding), place)
            if recording in {"", lane.recording}
        ]
        for name, (place, recording) in places.items()
    }
