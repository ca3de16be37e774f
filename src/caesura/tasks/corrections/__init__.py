"""Edits of sentences, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.format import Format
from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.corrections.options import CorrectionsOptions

    return CorrectionsOptions


def _command() -> Command:
    from caesura.tasks.corrections.options import COMMAND

    return COMMAND


def _load() -> Parts:
    from caesura.tasks.against_gold import score_against_gold, summary_of
    from caesura.tasks.corrections.counting import CorrectionsTask, EditErrors, as_corrections
    from caesura.tasks.corrections.format import PROBLEMS
    from caesura.tasks.corrections.measures import Types
    from caesura.tasks.corrections.output import ERRORS, corrections_page, corrections_readings

    return Parts(
        counter=CorrectionsTask,
        score=partial(score_against_gold, CORRECTIONS, as_corrections),
        summary=partial(summary_of, problems=PROBLEMS, groups=Types),
        page=corrections_page,
        errors=lambda: ERRORS,
        kept=lambda: {"edit_errors": (EditErrors, corrections_readings)},
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
