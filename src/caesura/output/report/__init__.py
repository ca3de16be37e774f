"""The report: a summary, and the data behind it, as one self-contained HTML page."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.output.report.edits import corrections_readings
from caesura.output.report.morphs import morphs_readings
from caesura.output.report.page import html
from caesura.output.report.patterns import text_readings
from caesura.output.report.payload import Reading, page_data
from caesura.output.report.saved import CLOCK, taken
from caesura.output.report.sentences import sentences_readings
from caesura.output.report.trees import trees_readings
from caesura.output.tables import Page
from caesura.tasks.corrections import EditErrors
from caesura.tasks.morphemes import MorphPairs
from caesura.tasks.segment_pairs import SegmentPairs
from caesura.tasks.text import TextErrors
from caesura.tasks.tree_errors import TreeErrors

MADE: dict[str, tuple[type[Any], Callable[[Iterable[Any]], Iterator[Reading]]]] = {
    "errors": (TextErrors, text_readings),
    "tree_errors": (TreeErrors, trees_readings),
    "segment_pairs": (SegmentPairs, sentences_readings),
    "edit_errors": (EditErrors, corrections_readings),
    "morph_pairs": (MorphPairs, morphs_readings),
}
"""What a run keeps that the page shows in another way, by kind, and how it is made."""


def readings(found: Iterable[Mapping[str, Any]]) -> Iterator[Reading]:
    """The data behind the scores, as a run kept them: transcripts, errors, trees and so on."""
    rest = iter(found)
    first = next(rest, None)
    if first is None:
        return iter(())
    kind, every = first["kind"], chain([first], rest)
    if kind == CLOCK:
        return iter(())
    if kind not in MADE:
        return map(taken, every)
    kept, make = MADE[kind]
    return make(typed(kept, each) for each in every if each["kind"] == kind)


def report(summary: Summary, page: Page, kept: Iterable[Reading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, kept))
