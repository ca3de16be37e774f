"""Chunks for retrieval, as Chroma's chunking evaluation scores them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.format import Format
from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile
from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.option import Options

PROFILE = Profile(
    about="chunks for retrieval, as Chroma's chunking evaluation scores them",
    task="chunks",
    item="character",
    unit="excerpt",
    scored="chunks",
    main="precision_omega",
    takes={"documents": "", "run": "", **ALSO_AND_ENCODING},
    examples=(
        "ours.jsonl --gold questions.csv --documents texts/",
        "--run fixed:800 --gold questions.csv --documents texts/",
    ),
    scores={
        "precision_omega": Named("precision_omega", "PrecisionΩ"),
        "precision_omega_chroma": Named("precision_omega_chroma", "PrecisionΩ (Chroma)"),
        "chunks_touched": Named("chunks_touched", "touched"),
        "chunks_touched_chroma": Named(
            "chunks_touched_chroma", "touched (Chroma)", is_column=False
        ),
        "excerpts_cut": Named("excerpts_cut", "cut"),
        "excerpts_cut_rate": Named("excerpts_cut_rate", "cut rate"),
        "size": Named("chunk_size", "size"),
        "precision": Named("chunk_boundary_precision", "P"),
        "recall": Named("chunk_boundary_recall", "R"),
        "f1": Named("chunk_boundary_f1", "F1"),
    },
)


def _options() -> type[Options]:
    from caesura.communities.chunks.options import ChunksOptions

    return ChunksOptions


def _load() -> Parts:
    from caesura.communities.chunks import task

    return Parts(
        counter=task.ChunksTask,
        score=partial(task.score_chunks, CHUNKS),
        summary=task.summary_of,
        page=task.page_of,
        errors=lambda: task.ERRORS,
        kept=lambda: {"cut_excerpts": (task.CutExcerpts, task.excerpt_readings)},
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
            "excerpts": "caesura.communities.chunks.measures:Excerpts",
            "chunk_boundaries": "caesura.communities.chunks.measures:ChunkBoundaries",
        }
    ),
    options=_options,
    load=_load,
)
