"""Tokens and sentences in a text, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.text.options import TextTaskOptions

    return TextTaskOptions


def _load() -> Parts:
    from caesura.tasks.against_gold import score_against_gold, summary_of
    from caesura.tasks.text.counting import TextErrors, TextTask, as_text
    from caesura.tasks.text.output import ERRORS, text_page, text_readings

    return Parts(
        counter=TextTask,
        score=partial(score_against_gold, TEXT, as_text),
        summary=summary_of,
        page=text_page,
        errors=lambda: ERRORS,
        kept=lambda: {"errors": (TextErrors, text_readings)},
    )


TEXT = Task(
    name="text",
    command="text",
    help="Score tokens and sentences jointly against a gold standard.",
    unit="sentence",
    scored="tokens and sentences",
    behind="the errors",
    measures=Measures(
        {
            "joint": "caesura.measures.joint:Joint",
            "treebank": "caesura.measures.treebank:Treebank",
            "classic": "caesura.tasks.text.measures:Classic",
        },
        of="text",
        further=("classic",),
    ),
    options=_options,
    load=_load,
)
