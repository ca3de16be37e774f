"""Words divided into morphs, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.format import Format
from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors


def _options() -> type[Options]:
    from caesura.tasks.morphemes.options import MorphemesOptions

    return MorphemesOptions


def _errors() -> Errors[Any]:
    from caesura.tasks.morphemes.errors import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.tasks.morphemes.counting import MorphPairs
    from caesura.tasks.morphemes.report import morphs_readings

    return {"morph_pairs": (MorphPairs, morphs_readings)}


def _load() -> Parts:
    from caesura.tasks.morphemes.counting import MorphemesTask
    from caesura.tasks.morphemes.score import page_of, score_morphemes, summary_of

    return Parts(
        counter=MorphemesTask,
        score=partial(score_morphemes, MORPHEMES),
        summary=summary_of,
        page=page_of,
        errors=_errors,
        kept=_kept,
    )


MORPHEMES = Task(
    name="morphemes",
    command="score morphemes",
    unit="line",
    scored="morphs",
    behind="the wrong lines",
    formats=(
        Format(
            name="morphs",
            holds="morphemes",
            about="a word or sentence, a tab, its morphs (read @@er), and a category if any",
        ),
    ),
    measures=Measures(
        {
            "morphs": "caesura.tasks.morphemes.measures:Morphs",
            "categories": "caesura.tasks.morphemes.measures:Categories",
        }
    ),
    options=_options,
    load=_load,
)
