"""Utterances divided into words; a function of Python only."""

from __future__ import annotations

from caesura.core.task import Measures, Task

UTTERANCES = Task(
    name="utterances",
    command="caesura.wordseg",
    unit="unit",
    scored="words",
    behind="",
    measures=Measures({"wordseg": "caesura.tasks.utterances.measures:Wordseg"}),
)
