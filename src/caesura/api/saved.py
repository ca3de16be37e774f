"""Saved rows: the only place where the names of tasks and profiles in files become objects."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.communities import PROFILES
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Known
from caesura.output.report.readings import AnyReading, readings_of
from caesura.run.inputs import named_path
from caesura.run.rows_file import RowsFile, read_rows
from caesura.stats.saved_runs import Contest, put_together, summary_of
from caesura.tasks import TASKS

KNOWN = Known(TASKS, PROFILES)


def saved_run(text: str, *, agreement: bool = False) -> Contest:
    """Read `PATH`, or `NAME=PATH`, which gives its only system another name."""
    return Contest.from_file(text, _read(text), agreement=agreement)


def saved_runs(texts: Sequence[str], *, agreement: bool = False) -> Contest:
    """Combine the rows of one file or several, of the same task."""
    return put_together([saved_run(text, agreement=agreement) for text in texts])


def saved_report(texts: Sequence[str]) -> tuple[Summary, CountTable, list[AnyReading], list[str]]:
    """The summary of one file of rows or several, the counts, what the page shows, and notes."""
    files = [_read(text) for text in texts]
    notes = [note for file in files for note in file.notes]
    return *summary_of(texts, files), readings_of(texts, files), notes


def _read(text: str) -> RowsFile:
    return read_rows(named_path(text)[1], KNOWN)
