"""TASKS: the tasks by name. The only list of them; each is one object."""

from caesura.core.registry import Registry
from caesura.core.task import Task

TASKS: Registry[Task] = Registry(
    {
        "transcript": "caesura.tasks.objects:TRANSCRIPT",
        "agreement": "caesura.tasks.objects:AGREEMENT",
        "text": "caesura.tasks.objects:TEXT",
        "trees": "caesura.tasks.objects:TREES",
        "corrections": "caesura.tasks.objects:CORRECTIONS",
        "morphemes": "caesura.tasks.objects:MORPHEMES",
        "sentences": "caesura.tasks.objects:SENTENCES",
        "terms": "caesura.tasks.objects:TERMS",
        "utterances": "caesura.tasks.objects:UTTERANCES",
    }
)
