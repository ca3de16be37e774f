"""Tokens and sentences in a text, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.task import Parts, Task
from caesura.tasks.text.measures import MEASURES

if TYPE_CHECKING:
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.text.options import TextTaskOptions

    return TextTaskOptions


def _load() -> Parts:
    from caesura.tasks.text.counting import TextErrors, TextTask
    from caesura.tasks.text.output import ERRORS, text_page, text_readings
    from caesura.tasks.text.score import score_text, summary_of

    return Parts(
        counter=TextTask,
        score=partial(score_text, TEXT),
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
    measures=MEASURES,
    options=_options,
    load=_load,
)
