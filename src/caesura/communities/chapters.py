"""Chapters of talks, podcasts and videos, as chunkseg scores them."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

PROFILE = Profile(
    about="chapters of talks, podcasts and videos, as chunkseg scores them",
    task="transcript",
    item="bin",
    unit="chapter",
    scored="chapters",
    beside="Boundaries with a collar: above, they are counted in bins",
    options={
        "axis": "time",
        "tolerance": "3s",
        "step": "6s",
        "also": ("ghd",),
        "whole_cells": True,
    },
    takes={
        "input": "The input format: times or labels.  [default: detected]",
        "tolerance": "The collar: match boundaries up to this far apart, such as 3s.",
        "step": "The size of a bin, such as 6s.",
        "k": "The window size of Pk and WindowDiff, in bins.  [default: half the mean chapter]",
        **as_in_task("near", "duration", "lengths", "edges"),
        **ALSO_AND_ENCODING,
    },
    examples=("ours.txt --gold gold.txt --duration 3750s",),
    scores={
        "f1": Named("cell_f1_mean", "F1"),
        "precision": Named("cell_precision_mean", "P"),
        "recall": Named("cell_recall_mean", "R"),
        "pk": Named("pk_mean", "Pk"),
        "windowdiff": Named("windowdiff_mean", "WD"),
        "boundary_similarity": Named("boundary_similarity_mean", "B"),
        "ghd": Named("ghd_mean", "GHD"),
        "collar_f1": Named("f1_mean", "collar F1"),
    },
)
