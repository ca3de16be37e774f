"""Saved rows: the only place where the names of tasks and profiles in files become objects."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.core.results import Summary
from caesura.core.row import Row
from caesura.core.task import Known
from caesura.output.report.payload import Reading
from caesura.output.report.saved import readings_of
from caesura.profiles import PROFILES
from caesura.run.cases import Source
from caesura.run.rows import RowsFile, read_rows
from caesura.stats.contest import Contest, Saved, put_together
from caesura.stats.saved import summary_of
from caesura.tasks import TASKS

KNOWN = Known(TASKS, PROFILES)


def saved_run(text: str, *, agreement: bool = False) -> Saved:
    """Read `PATH`, or `NAME=PATH`, which gives its only system another name."""
    return Saved.from_file(text, _read(text), agreement=agreement)


def saved_runs(texts: Sequence[str], *, agreement: bool = False) -> Contest:
    """Combine the rows of one file or several, of the same task."""
    return put_together([saved_run(text, agreement=agreement) for text in texts])


def saved_report(texts: Sequence[str]) -> tuple[Summary, Sequence[Row], list[Reading]]:
    """The summary of one file of rows or of several, the rows, and what the page shows of them."""
    files = [_read(text) for text in texts]
    summary, rows = summary_of(texts, files)
    return summary, rows, readings_of(texts, files)


def _read(text: str) -> RowsFile:
    return read_rows(Source.parse(text).path, KNOWN)
