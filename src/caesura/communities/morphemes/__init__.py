"""Morphs of words and sentences, as in the SIGMORPHON 2022 shared task."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile

PROFILE = Profile(
    about="morphs of words and sentences, as in the SIGMORPHON 2022 shared task",
    task="morphemes",
    item="morph",
    unit="line",
    scored="morphs",
    takes={
        "force": "",
        "also": f"{OWN_TABLES}.",
        "encoding": "",
    },
    examples=("ours.tsv --gold gold.tsv --show-errors 10",),
    scores={
        "precision": Named("morph_precision", "P"),
        "recall": Named("morph_recall", "R"),
        "f1": Named("morph_f1", "F"),
        "distance": Named("morph_distance", "distance"),
        "accuracy": Named("morph_accuracy", "accuracy"),
        "boundary_precision": Named("morph_boundary_precision", "boundary P"),
        "boundary_recall": Named("morph_boundary_recall", "boundary R"),
        "boundary_f1": Named("morph_boundary_f1", "boundary F"),
        "left_out": Named("morph_boundary_left_out", "left out"),
    },
)
