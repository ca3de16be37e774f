"""Translations and recognised speech in the segments of a reference."""

from __future__ import annotations

from caesura.core.registry import Later, Registry
from caesura.core.task import Task

SENTENCES = Task(
    name="sentences",
    command="sentences",
    summary="Score translations or recognised speech in the segments of a reference.",
    called=Later("caesura.tasks.sentences.command:COMMAND"),
    unit="segment",
    scored="sentences",
    behind="the segments",
    against=("references",),
    plan=Later("caesura.tasks.sentences.plan:in_segments"),
    options=Later("caesura.tasks.sentences.options:SentencesOptions"),
    counter=Later("caesura.tasks.sentences.counting:SentencesTask"),
    measures=Registry(
        {
            "sentences": "caesura.tasks.sentences.measures:Sentences",
            "bleu": "caesura.measures.translation:Bleu",
            "chrf": "caesura.measures.translation:Chrf",
            "ter": "caesura.measures.translation:Ter",
        }
    ),
    extras=Later("caesura.tasks.sentences.extras:with_words"),
    page=Later("caesura.tasks.sentences.tables:sentences_page"),
    errors=Later("caesura.tasks.sentences.errors:ERRORS"),
    kept={
        "segment_pairs": (
            Later("caesura.output.report.views.segments:SegmentPairs"),
            Later("caesura.output.report.views.segments:segments_readings"),
        )
    },
)
