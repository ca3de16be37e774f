"""TASKS: the tasks by name. The only list of them; each is one object."""

from caesura.core.registry import Registry
from caesura.core.task import Measures, Task

TASKS: Registry[Task] = Registry(
    {
        "transcript": "caesura.tasks.transcript:TRANSCRIPT",
        "agreement": "caesura.tasks.transcript:AGREEMENT",
        "text": "caesura.tasks.text:TEXT",
        "trees": "caesura.tasks.trees:TREES",
        "corrections": "caesura.tasks.corrections:CORRECTIONS",
        "morphemes": "caesura.communities.morphemes:MORPHEMES",
        "chunks": "caesura.communities.chunks:CHUNKS",
        "sentences": "caesura.tasks.sentences:SENTENCES",
        "terms": "caesura.tasks.terms:TERMS",
        "utterances": "caesura.tasks:UTTERANCES",
    },
    plugged="tasks",
)

UTTERANCES = Task(
    name="utterances",
    command="caesura.wordseg",
    unit="unit",
    scored="words",
    behind="",
    measures=Measures({"wordseg": "caesura.tasks.utterances:Wordseg"}),
)
"""Utterances divided into words; a function of Python only."""
