"""Words divided into morphs, against one gold."""

from __future__ import annotations

from caesura.core.format import Format
from caesura.core.registry import Later, Registry
from caesura.core.task import Task

MORPHEMES = Task(
    name="morphemes",
    command="score morphemes",
    unit="line",
    scored="morphs",
    behind="the wrong lines",
    plan=Later("caesura.run.plans:against_gold"),
    options=Later("caesura.tasks.morphemes.options:MorphemesOptions"),
    counter=Later("caesura.tasks.morphemes.counting:MorphemesTask"),
    measures=Registry(
        {
            "morphs": "caesura.tasks.morphemes.measures:Morphs",
            "categories": "caesura.tasks.morphemes.measures:Categories",
        }
    ),
    value=Later("caesura.tasks.morphemes.values:as_morphs"),
    formats=(
        Format(
            name="morphs",
            holds="morphemes",
            about="a word or sentence, a tab, its morphs (read @@er), and a category if any",
            reader=Later("caesura.tasks.morphemes.format:parse_morphs"),
        ),
    ),
    problems={
        "odd_morphs": (
            "line",
            "with an empty morph, or with @@ at the beginning; they count as written, as in "
            "evaluate.py",
        ),
        "other_words": ("line", "of other words than the gold's, paired by their numbers"),
    },
    groups={"category": "Morphs by category"},
    grouped=Later("caesura.tasks.morphemes.measures:Categories"),
    tables={
        "unit": ("morphs", "Morphs"),
        "other": ("boundaries", "Boundaries of surface morphs"),
    },
    errors=Later("caesura.tasks.morphemes.errors:ERRORS"),
    kept={
        "morph_pairs": (
            Later("caesura.tasks.morphemes.counting:MorphPairs"),
            Later("caesura.tasks.morphemes.report:morphs_readings"),
        )
    },
)
