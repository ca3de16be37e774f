"""Saved rows back into the summary that they were saved with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caesura.errors import FormatError, UsageError
from caesura.run.cases import Source
from caesura.run.rows import Row, read_rows
from caesura.scores.terms import terms_summary
from caesura.scores.text import text_summary
from caesura.scores.transcript import agreement_summary, transcript_summary
from caesura.stats.contest import File, put_together
from caesura.tasks.terms import TermsTask
from caesura.tasks.text import TextTask
from caesura.tasks.transcript import Transcript

AGREEMENT = "agreement"


def saved_summary(texts: Sequence[str]) -> tuple[dict[str, Any], list[Row]]:
    """The summary of one file of rows, or of several put together, and the rows."""
    headers = [read_rows(Source.parse(text).path)[0] for text in texts]
    options = _options(texts[0], headers[0])
    if headers[0].get("task") == AGREEMENT:
        if len(texts) > 1:
            raise UsageError("rows of agreement cannot be put together; give one file")
        _, rows = read_rows(Source.parse(texts[0]).path)
        return agreement_summary(rows, headers[0]["references"], Transcript(**options)), rows
    contest = put_together([File.read(text) for text in texts])
    rows, systems, references = list(contest.rows), contest.systems, contest.references
    if contest.task == "text":
        return text_summary(rows, systems, references[0], TextTask(**options)), rows
    if contest.task == "terms":
        return terms_summary(rows, systems, TermsTask(**options)), rows
    return transcript_summary(rows, systems, references, Transcript(**options)), rows


def _options(text: str, header: dict[str, Any]) -> dict[str, Any]:
    """The options that the rows were made with; lists are tuples there."""
    if "options" not in header:
        path = Source.parse(text).path
        raise FormatError(path, "rows of an older caesura", "make them with --rows anew", line=1)
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in header["options"].items()
    }
