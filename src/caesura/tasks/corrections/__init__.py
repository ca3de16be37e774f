"""Edits of sentences, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.format import Format
from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.command import Command
    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors


def _options() -> type[Options]:
    from caesura.tasks.corrections.options import CorrectionsOptions

    return CorrectionsOptions


def _command() -> Command:
    from caesura.tasks.corrections.command import COMMAND

    return COMMAND


def _errors() -> Errors[Any]:
    from caesura.tasks.corrections.errors import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.tasks.corrections.counting import EditErrors
    from caesura.tasks.corrections.report import corrections_readings

    return {"edit_errors": (EditErrors, corrections_readings)}


def _load() -> Parts:
    from caesura.tasks.corrections.counting import CorrectionsTask
    from caesura.tasks.corrections.score import score_corrections, summary_of
    from caesura.tasks.corrections.tables import corrections_page

    return Parts(
        counter=CorrectionsTask,
        score=partial(score_corrections, CORRECTIONS),
        summary=summary_of,
        page=corrections_page,
        errors=_errors,
        kept=_kept,
    )


CORRECTIONS = Task(
    name="corrections",
    command="corrections",
    help="Score grammatical error corrections in M2 files.",
    called=_command,
    unit="sentence",
    scored="corrections",
    behind="the wrong edits",
    formats=(
        Format(
            name="m2",
            holds="corrections",
            about="M2, tokenized sentences (S) with their edits (A)",
            suffixes=(".m2",),
        ),
    ),
    measures=Measures(
        {
            "corrections": "caesura.tasks.corrections.measures:Corrections",
            "types": "caesura.tasks.corrections.measures:Types",
        }
    ),
    options=_options,
    load=_load,
)
