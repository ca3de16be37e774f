"""The summary of saved rows."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.core.results import Summary, TaskName
from caesura.core.row import Row
from caesura.core.typed import typed
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.run.cases import Source
from caesura.run.rows import AGAIN, Header, RowsFile, read_rows
from caesura.scores.summary import Signed, summarize, with_skipped
from caesura.stats.contest import Contest, Saved, put_together
from caesura.tasks import TASKS


def saved_summary(texts: Sequence[str]) -> tuple[Summary, Sequence[Row], list[RowsFile]]:
    """The summary of one file of rows, or of several combined, the rows, and the files."""
    files = [read_rows(Source.parse(text).path) for text in texts]
    first = files[0].header
    task = task_of(files[0])
    if first.task == "agreement":
        if len(texts) > 1:
            raise UsageError("rows of agreement cannot be combined; give one file")
        if not len(files[0].rows):
            raise FormatError(files[0].path, "a header without rows", AGAIN, line=1)
        contest = Contest(files[0].rows, (), first.references, "agreement")
    else:
        pairs = zip(texts, files, strict=True)
        contest = put_together([Saved.from_file(text, file) for text, file in pairs])
    name: TaskName = first.task  # type: ignore[assignment]
    names = contest.systems, contest.references
    summary = summarize(name, contest.rows, *names, task, profile=first.profile)
    every = {name: why for file in files for name, why in file.header.skipped.items()}
    skipped = {name: why for name, why in every.items() if name not in summary.documents}
    return with_skipped(summary, skipped), contest.rows, files


def task_of(file: RowsFile) -> Signed:
    """The task that rows were made with; what its options cannot be is an error of the file."""
    header = file.header
    if header.task not in TASKS:
        raise FormatError(file.path, f"rows of an unknown task '{header.task}'", AGAIN, line=1)
    try:
        task: Signed = typed(TASKS[header.task], header.options)
    except (CaesuraError, ValueError) as problem:
        raise FormatError(file.path, f"bad options ({problem})", AGAIN, line=1) from None
    return task


def header_of(summary: Summary) -> Header:
    """The header of the rows of a summary."""
    names = ("caesura", "task", "profile", "signature", "references", "documents")
    told = {name: getattr(summary, name) for name in names}
    return Header(**told, options=dict(summary.options), skipped=dict(summary.skipped))
