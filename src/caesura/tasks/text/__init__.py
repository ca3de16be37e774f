"""Tokens and sentences in a text, against one gold."""

from __future__ import annotations

from caesura.core.registry import Later, Registry
from caesura.core.task import Task

TEXT = Task(
    name="text",
    command="text",
    summary="Score tokens and sentences jointly against a gold standard.",
    unit="sentence",
    scored="tokens and sentences",
    behind="the errors",
    plan=Later("caesura.run.plans:against_gold"),
    options=Later("caesura.tasks.text.options:TextTaskOptions"),
    counter=Later("caesura.tasks.text.counting:TextTask"),
    measures=Registry(
        {
            "joint": "caesura.measures.joint:Joint",
            "treebank": "caesura.measures.treebank:Treebank",
            "classic": "caesura.tasks.text.classic:Classic",
            "words": "caesura.tasks.text.word_errors:WordErrors",
        }
    ),
    value=Later("caesura.tasks.text.values:as_text"),
    page=Later("caesura.tasks.text.tables:text_page"),
    errors=Later("caesura.tasks.text.errors:ERRORS"),
    kept={
        "errors": (
            Later("caesura.tasks.text.counting:TextErrors"),
            Later("caesura.tasks.text.report:text_readings"),
        )
    },
)
