"""Passes: how far annotators agree with themselves, where they have done a document again."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from caesura.core.segmentation import Document
from caesura.core.table import CountTable
from caesura.scores.summarize import summarize
from caesura.studio.project import Project
from caesura.studio.store import Person
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents

FIRST, AGAIN = "first", "again"
FIGURES = {
    "cohen_kappa": "cohen_kappa_mean",
    "f1": "pairwise_f1_mean",
    "boundary_similarity": "pairwise_boundary_similarity_mean",
}
"""What is shown of two passes, and how `caesura agreement` calls it."""


def self_agreement(project: Project) -> list[dict[str, object]]:
    """The agreement of the last two finished blind passes of each annotator with such documents."""
    return [found for each in project.annotators if (found := _of_person(project, each))]


def _of_person(project: Project, who: Person) -> dict[str, object] | None:
    task = Transcript()
    every = [
        count_documents(each.name, {}, own, task)
        for each in project.listed
        if (own := dict(_last_two(project, each.id, who.id)))
    ]
    if not every:
        return None
    table = CountTable.from_tables(every)
    found = summarize(TASKS["agreement"], table, (), [FIRST, AGAIN], task).agreement
    values = found.micro if found else {}
    figures = {key: _known(values.get(name)) for key, name in FIGURES.items()}
    return {"name": who.name, "documents": len(every), **figures}


def _last_two(project: Project, document: int, person: int) -> Iterator[tuple[str, Document]]:
    """The last two finished blind passes of a document; nothing if there are not two."""
    layers = [
        layer
        for key, layer in project.board.of_document(document)
        if key[1] == person and layer.is_blind and layer.is_done
    ]
    if len(layers) > 1:
        pinned = project.pinned(document)
        for name, layer in zip((FIRST, AGAIN), layers[-2:], strict=True):
            yield name, pinned.document(layer.first.segmentation())


def _known(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value
