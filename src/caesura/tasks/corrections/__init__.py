"""Edits of sentences, against one gold."""

from __future__ import annotations

from caesura.core.format import Format
from caesura.core.registry import Later, Registry
from caesura.core.task import Task

CORRECTIONS = Task(
    name="corrections",
    command="corrections",
    summary="Score grammatical error corrections in M2 files.",
    called=Later("caesura.tasks.corrections.command:COMMAND"),
    unit="sentence",
    scored="corrections",
    behind="the wrong edits",
    plan=Later("caesura.run.plans:against_gold"),
    options=Later("caesura.tasks.corrections.options:CorrectionsOptions"),
    counter=Later("caesura.tasks.corrections.counting:CorrectionsTask"),
    formats=(
        Format(
            name="m2",
            holds="corrections",
            about="M2, tokenized sentences (S) with their edits (A)",
            reader=Later("caesura.tasks.corrections.format:parse_m2"),
            suffixes=(".m2",),
        ),
    ),
    measures=Registry(
        {
            "corrections": "caesura.tasks.corrections.measures:Corrections",
            "types": "caesura.tasks.corrections.measures:Types",
        }
    ),
    value=Later("caesura.tasks.corrections.values:as_corrections"),
    groups={
        "type": "Edits by type",
        "operation": "Edits by operation",
        "main": "Edits by type without operation",
    },
    grouped=Later("caesura.tasks.corrections.measures:Types"),
    problems={
        "outside_edits": ("edit", "whose span the sentence does not have; ignored"),
        "overlapping_edits": (
            "edit",
            "at a place that the same annotator edits already; each counts, as in ERRANT",
        ),
        "annotators_missing": (
            "sentence",
            "without some of the annotators, who are not chosen there; write a noop for those who "
            "change nothing",
        ),
    },
    tables={"unit": ("edits", "Edits")},
    page=Later("caesura.tasks.corrections.tables:corrections_page"),
    errors=Later("caesura.tasks.corrections.errors:ERRORS"),
    kept={
        "edit_errors": (
            Later("caesura.tasks.corrections.counting:EditErrors"),
            Later("caesura.tasks.corrections.report:corrections_readings"),
        )
    },
)
