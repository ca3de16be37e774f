"""The report: a summary, and what lies behind it, as one page that needs nothing else."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from caesura.output.report.clusters import terms_readings
from caesura.output.report.page import html
from caesura.output.report.patterns import text_readings
from caesura.output.report.payload import payload
from caesura.output.report.readings import transcript_readings
from caesura.run.cases import Case
from caesura.run.counting import Task
from caesura.tasks.terms import TermsTask
from caesura.tasks.text import TextTask
from caesura.tasks.transcript import Transcript


def readings(task: Task, cases: Iterable[Case]) -> Iterator[dict[str, Any]]:
    """What lies behind the scores: transcripts, patterns of errors, or clusters."""
    if isinstance(task, Transcript):
        return transcript_readings(task, cases)
    if isinstance(task, TextTask):
        return text_readings(task, cases)
    if isinstance(task, TermsTask):
        return terms_readings(task, cases)
    raise TypeError(f"no readings of {task}")


def report(summary: dict[str, Any], kept: Sequence[dict[str, Any]]) -> str:
    """The page of a summary and its readings."""
    return html(payload(summary, kept))
