"""The report: a summary, and the data behind it, as one self-contained HTML page."""

from collections.abc import Iterable, Iterator

from caesura.core.results import Summary
from caesura.output.report.clusters import terms_readings
from caesura.output.report.page import html
from caesura.output.report.patterns import text_readings
from caesura.output.report.payload import Reading, page_data
from caesura.output.report.readings import transcript_readings
from caesura.output.tables import Page
from caesura.run.cases import Case
from caesura.run.counting import Task
from caesura.tasks.terms import TermsTask
from caesura.tasks.text import TextTask
from caesura.tasks.transcript import Transcript


def readings(task: Task, cases: Iterable[Case]) -> Iterator[Reading]:
    """The data behind the scores: transcripts, patterns of errors, or clusters."""
    if isinstance(task, Transcript):
        return transcript_readings(task, cases)
    if isinstance(task, TextTask):
        return text_readings(task, cases)
    if isinstance(task, TermsTask):
        return terms_readings(task, cases)
    raise TypeError(f"no readings of {task}")


def report(summary: Summary, page: Page, kept: Iterable[Reading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, kept))
