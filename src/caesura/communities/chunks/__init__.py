"""Chunks for retrieval, as Chroma's chunking evaluation scores them."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile

PROFILE = Profile(
    about="chunks for retrieval, as Chroma's chunking evaluation scores them",
    task="chunks",
    item="character",
    unit="excerpt",
    scored="chunks",
    main="precision_omega",
    takes={"documents": "", "run": "", "also": f"{OWN_TABLES}.", "encoding": ""},
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
