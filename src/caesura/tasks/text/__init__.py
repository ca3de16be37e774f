"""Tokens and sentences in a text, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.task import Made, Parts, Task
from caesura.tasks.text.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors


def _options() -> type[Options]:
    from caesura.tasks.text.options import TextTaskOptions

    return TextTaskOptions


def _errors() -> Errors[Any]:
    from caesura.tasks.text.errors import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.tasks.text.counting import TextErrors
    from caesura.tasks.text.report import text_readings

    return {"errors": (TextErrors, text_readings)}


def _load() -> Parts:
    from caesura.tasks.text.counting import TextTask
    from caesura.tasks.text.score import score_text, summary_of
    from caesura.tasks.text.tables import text_page

    return Parts(
        counter=TextTask,
        score=partial(score_text, TEXT),
        summary=summary_of,
        page=text_page,
        errors=_errors,
        kept=_kept,
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
