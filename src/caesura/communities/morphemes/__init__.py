"""Morphs of words and sentences, as in the SIGMORPHON 2022 shared task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.format import Format
from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile
from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.option import Options

PROFILE = Profile(
    about="morphs of words and sentences, as in the SIGMORPHON 2022 shared task",
    task="morphemes",
    item="morph",
    unit="line",
    scored="morphs",
    takes={
        "force": "",
        **ALSO_AND_ENCODING,
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


def _load() -> Parts:
    from caesura.communities.morphemes import morphs, task
    from caesura.tasks.against_gold import score_against_gold, summary_of

    return Parts(
        counter=task.MorphemesTask,
        score=partial(score_against_gold, MORPHEMES, morphs.as_morphs),
        summary=partial(summary_of, problems=task.PROBLEMS, groups=morphs.Categories),
        page=task.page_of,
        errors=lambda: task.ERRORS,
        kept=lambda: {"morph_pairs": (task.MorphPairs, task.morphs_readings)},
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
            "morphs": "caesura.communities.morphemes.morphs:Morphs",
            "categories": "caesura.communities.morphemes.morphs:Categories",
        }
    ),
    options=_options,
    load=_load,
)
