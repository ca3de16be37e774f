"""The report: a summary, and the data behind it, as one self-contained HTML page."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from caesura.core.results import Summary
from caesura.core.task import Task
from caesura.core.typed import typed
from caesura.output.report.page import html
from caesura.output.report.payload import Reading, page_data
from caesura.output.report.saved import CLOCK, taken
from caesura.output.tables import Page


def readings(found: Iterable[Mapping[str, Any]], task: Task) -> Iterator[Reading]:
    """The data behind the scores, as a run kept them: transcripts, errors, trees and so on."""
    rest = iter(found)
    first = next(rest, None)
    if first is None:
        return iter(())
    kind, every = first["kind"], chain([first], rest)
    if kind == CLOCK:
        return iter(())
    if kind not in task.kept:
        return map(taken, every)
    kept, make = task.kept[kind]
    made: Iterator[Reading] = make.it(
        typed(kept.it, each) for each in every if each["kind"] == kind
    )
    return made


def report(summary: Summary, page: Page, kept: Iterable[Reading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, kept))
