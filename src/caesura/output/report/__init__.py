"""The report: a summary, and the data behind it, as one self-contained HTML page."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.output.report.edits import corrections_readings
from caesura.output.report.page import html
from caesura.output.report.patterns import text_readings
from caesura.output.report.payload import Reading, page_data
from caesura.output.report.saved import taken
from caesura.output.report.sentences import sentences_readings
from caesura.output.report.trees import trees_readings
from caesura.output.tables import Page
from caesura.tasks.corrections import EditErrors
from caesura.tasks.segment_pairs import SegmentPairs
from caesura.tasks.text import TextErrors
from caesura.tasks.tree_errors import TreeErrors


def readings(found: Iterable[Mapping[str, Any]]) -> Iterator[Reading]:
    """The data behind the scores, as a run kept them: transcripts, errors, trees and so on."""
    rest = iter(found)
    first = next(rest, None)
    if first is None:
        return iter(())
    kind, every = first["kind"], chain([first], rest)
    if kind == "errors":
        return text_readings(typed(TextErrors, each) for each in every)
    if kind == "tree_errors":
        own = (each for each in every if each["kind"] == kind)
        return trees_readings(typed(TreeErrors, each) for each in own)
    if kind == "segment_pairs":
        return sentences_readings(typed(SegmentPairs, each) for each in every)
    if kind == "edit_errors":
        return corrections_readings(typed(EditErrors, each) for each in every)
    return map(taken, every)


def report(summary: Summary, page: Page, kept: Iterable[Reading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, kept))
