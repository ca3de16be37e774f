"""The summary of saved rows."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.core.json_values import plain, typed
from caesura.core.option import Options
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.run.rows_file import AGAIN, Header, RowsFile
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize, with_skipped
from caesura.stats.saved_runs import Contest, Saved, put_together


def summary_of(texts: Sequence[str], files: Sequence[RowsFile]) -> tuple[Summary, CountTable]:
    """The summary of files of rows, one or several combined, as they were named, and the counts."""
    first = files[0]
    counter = counter_of(first)
    if not first.task.has_systems:
        if len(texts) > 1:
            raise UsageError(f"rows of {first.task.name} cannot be combined; give one file")
        if not first.table:
            raise FormatError(first.path, "a header without rows", AGAIN, line=1)
        contest = Contest(first.table, (), first.header.references, catalog(*first.kind))
    else:
        pairs = zip(texts, files, strict=True)
        contest = put_together([Saved.from_file(text, file) for text, file in pairs])
    names = contest.systems, contest.references
    summary = summarize(first.task, contest.table, *names, counter, profile=first.profile)
    every = {name: why for file in files for name, why in file.header.skipped.items()}
    skipped = {name: why for name, why in every.items() if name not in summary.documents}
    return with_skipped(summary, skipped), contest.table


def counter_of(file: RowsFile) -> Options:
    """The options with which rows were counted; invalid ones are an error of the file."""
    try:
        counter: Options = typed(file.task.counter_class, file.header.options)
    except (CaesuraError, ValueError) as problem:
        raise FormatError(file.path, f"bad options ({problem})", AGAIN, line=1) from None
    return counter


def header_of(summary: Summary) -> Header:
    """The header of the rows of a summary."""
    names = ("caesura", "task", "profile", "signature", "references", "documents")
    told = {name: plain(getattr(summary, name)) for name in names}
    told["profile"] = summary.profile.name if summary.profile else ""
    return Header(**told, options=dict(summary.options), skipped=dict(summary.skipped))
