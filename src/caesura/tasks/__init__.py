"""TASKS: the tasks by name. The only list of them; each is one object."""

from caesura.core.registry import Registry
from caesura.core.task import Task

TASKS: Registry[Task] = Registry(
    {
        "transcript": "caesura.tasks.transcript:TRANSCRIPT",
        "agreement": "caesura.tasks.transcript:AGREEMENT",
        "text": "caesura.tasks.text:TEXT",
        "trees": "caesura.tasks.trees:TREES",
        "corrections": "caesura.tasks.corrections:CORRECTIONS",
        "morphemes": "caesura.tasks.morphemes:MORPHEMES",
        "chunks": "caesura.tasks.chunks:CHUNKS",
        "sentences": "caesura.tasks.sentences:SENTENCES",
        "terms": "caesura.tasks.terms:TERMS",
        "utterances": "caesura.tasks.utterances:UTTERANCES",
    },
    plugged="tasks",
)
