"""Chunks of documents for retrieval, against the excerpts that answer questions."""

from __future__ import annotations

from caesura.core.format import Format
from caesura.core.registry import Later, Registry
from caesura.core.task import Task

CHUNKS = Task(
    name="chunks",
    command="score chunks",
    unit="chunk",
    scored="chunks",
    behind="the excerpts that are cut",
    plan=Later("caesura.tasks.chunks.plan:chunkings"),
    options=Later("caesura.tasks.chunks.options:ChunksOptions"),
    counter=Later("caesura.tasks.chunks.counting:ChunksTask"),
    measures=Registry(
        {
            "excerpts": "caesura.tasks.chunks.measures:Excerpts",
            "chunk_boundaries": "caesura.tasks.chunks.measures:ChunkBoundaries",
        }
    ),
    value=Later("caesura.tasks.chunks.values:as_chunks"),
    formats=(
        Format(
            name="chunks",
            holds="chunks",
            about='a chunk per line, as {"document": "a", "start": 0, "end": 800}, in characters',
            reader=Later("caesura.tasks.chunks.format:parse_chunks"),
        ),
        Format(
            name="questions",
            holds="chunks",
            about="CSV with question, corpus_id and references: excerpts with start and end",
            reader=Later("caesura.tasks.chunks.format:parse_questions"),
        ),
    ),
    errors=Later("caesura.tasks.chunks.errors:ERRORS"),
    kept={
        "cut_excerpts": (
            Later("caesura.tasks.chunks.data:CutExcerpts"),
            Later("caesura.tasks.chunks.report:excerpt_readings"),
        )
    },
    tables={
        "unit": ("excerpts", "Excerpts in chunks"),
        "other": ("chunk_boundaries", "Boundaries of chunks"),
    },
)
