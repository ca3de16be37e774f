"""TASKS: what is read and counted for one document. One module for each."""

from typing import Any

from caesura.core.registry import Registry

TASKS: Registry[type[Any]] = Registry(
    {
        "transcript": "caesura.tasks.transcript:Transcript",
        "agreement": "caesura.tasks.transcript:Transcript",
        "text": "caesura.tasks.text:TextTask",
        "trees": "caesura.tasks.trees:TreesTask",
        "corrections": "caesura.tasks.corrections:CorrectionsTask",
        "morphemes": "caesura.tasks.morphemes:MorphemesTask",
        "sentences": "caesura.tasks.sentences:SentencesTask",
        "terms": "caesura.tasks.terms:TermsTask",
    }
)
