"""The report: a summary, and the data behind it, as one self-contained HTML page."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.output.report.page import html
from caesura.output.report.patterns import text_readings
from caesura.output.report.payload import Reading, page_data
from caesura.output.report.saved import taken
from caesura.output.tables import Page
from caesura.tasks.text import TextErrors


def readings(found: Iterable[Mapping[str, Any]]) -> Iterator[Reading]:
    """The data behind the scores, as a run kept them: transcripts, errors as patterns, clusters."""
    every = iter(found)
    first = next(every, None)
    if first is None:
        return iter(())
    if first["kind"] == "errors":
        return text_readings(typed(TextErrors, each) for each in chain([first], every))
    return map(taken, chain([first], every))


def report(summary: Summary, page: Page, kept: Iterable[Reading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, kept))
