"""Utterances divided into words; a function of Python only."""

from __future__ import annotations

from caesura.core.registry import Registry
from caesura.core.task import Task

UTTERANCES = Task(
    name="utterances",
    command="caesura.wordseg",
    unit="unit",
    scored="words",
    behind="",
    measures=Registry({"wordseg": "caesura.tasks.utterances.measures:Wordseg"}),
)
