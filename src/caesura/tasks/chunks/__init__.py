"""Chunks of documents for retrieval, against the excerpts that answer questions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.format import Format
from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors


def _options() -> type[Options]:
    from caesura.tasks.chunks.options import ChunksOptions

    return ChunksOptions


def _errors() -> Errors[Any]:
    from caesura.tasks.chunks.errors import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.tasks.chunks.data import CutExcerpts
    from caesura.tasks.chunks.report import excerpt_readings

    return {"cut_excerpts": (CutExcerpts, excerpt_readings)}


def _load() -> Parts:
    from caesura.tasks.chunks.counting import ChunksTask
    from caesura.tasks.chunks.score import page_of, score_chunks, summary_of

    return Parts(
        counter=ChunksTask,
        score=partial(score_chunks, CHUNKS),
        summary=summary_of,
        page=page_of,
        errors=_errors,
        kept=_kept,
    )


CHUNKS = Task(
    name="chunks",
    command="score chunks",
    unit="chunk",
    scored="chunks",
    behind="the excerpts that are cut",
    formats=(
        Format(
            name="chunks",
            holds="chunks",
            about='a chunk per line, as {"document": "a", "start": 0, "end": 800}, in characters',
        ),
        Format(
            name="questions",
            holds="chunks",
            about="CSV with question, corpus_id and references: excerpts with start and end",
        ),
    ),
    measures=Measures(
        {
            "excerpts": "caesura.tasks.chunks.measures:Excerpts",
            "chunk_boundaries": "caesura.tasks.chunks.measures:ChunkBoundaries",
        }
    ),
    options=_options,
    load=_load,
)
