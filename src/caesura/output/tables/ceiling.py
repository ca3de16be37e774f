"""Tables of the human ceiling, and columns of a view."""

from __future__ import annotations

from caesura.core.score import Scores, View
from caesura.core.summary import Summary
from caesura.output.tables import Column
from caesura.scores.catalog import catalog

HUMAN = "human average"


CEILING = "The human ceiling, leaving out one reference at a time"


def columns(summary: Summary, view: View) -> list[Column]:
    """The columns of a view, with the options that were used."""
    return catalog(*summary.task_kind).columns(view, summary.options, len(summary.references))


def ceiling_rows(summary: Summary) -> list[tuple[str, Scores]]:
    """Systems, annotators and the human average, with their scores."""
    ceiling = summary.ceiling
    if ceiling is None:
        return []
    people = [(f"{name} (person)", scores) for name, scores in ceiling.annotators.items()]
    return [*ceiling.systems.items(), *people, (HUMAN, ceiling.human)]
