"""Morphs of words and sentences, as in the SIGMORPHON 2022 shared task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.format import Format
from caesura.core.profile import OWN_TABLES, Named, Profile
from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors

PROFILE = Profile(
    about="morphs of words and sentences, as in the SIGMORPHON 2022 shared task",
    task="morphemes",
    item="morph",
    unit="line",
    scored="morphs",
    takes={
        "force": "",
        "also": f"{OWN_TABLES}.",
        "encoding": "",
    },
    examples=("ours.tsv --gold gold.tsv --show-errors 10",),
    scores={
        "precision": Named("morph_precision", "P"),
        "recall": Named("morph_recall", "R"),
        "f1": Named("morph_f1", "F"),
        "distance": Named("morph_distance", "distance"),
        "accuracy": Named("morph_accuracy", "accuracy"),
        "boundary_precision": Named("morph_boundary_precision", "boundary P"),
        "boundary_recall": Named("morph_boundary_recall", "boundary R"),
        "boundary_f1": Named("morph_boundary_f1", "boundary F"),
        "left_out": Named("morph_boundary_left_out", "left out"),
    },
)


def _options() -> type[Options]:
    from caesura.communities.morphemes.options import MorphemesOptions

    return MorphemesOptions


def _errors() -> Errors[Any]:
    from caesura.communities.morphemes.output import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.communities.morphemes.output import MorphPairs, morphs_readings

    return {"morph_pairs": (MorphPairs, morphs_readings)}


def _load() -> Parts:
    from caesura.communities.morphemes.task import (
        MorphemesTask,
        page_of,
        score_morphemes,
        summary_of,
    )

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
            "morphs": "caesura.communities.morphemes.measures:Morphs",
            "categories": "caesura.communities.morphemes.measures:Categories",
        }
    ),
    options=_options,
    load=_load,
)
