"""Shots of videos, as TransNetV2 and AutoShot score them."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

PROFILE = Profile(
    about="shots of videos, as TransNetV2 and AutoShot score them",
    task="transcript",
    item="frame",
    unit="shot",
    scored="shots",
    beside="Edges of shots, one to one: above, a transition is right if it is near one",
    options={"axis": "samples", "tolerance": 2, "input": "scenes", "also": ("shots",)},
    takes={
        "input": "The input format: scenes (first and last frames), labels or times.",
        "tolerance": "Match transitions up to N frames apart.",
        **as_in_task("threshold", "scores", "n", "lengths", "step", "edges", "consensus"),
        **ALSO_AND_ENCODING,
    },
    measures={
        "shots": "caesura.communities.shots.measure:Shots",
        "shot_ranking": "caesura.communities.shots.measure:ShotRanking",
    },
    examples=("ours.txt --gold gold.txt",),
    scores={
        "tp": Named("shot_tp_mean", "TP"),
        "fp": Named("shot_fp_mean", "FP"),
        "fn": Named("shot_fn_mean", "FN"),
        "precision": Named("shot_precision_mean", "P"),
        "recall": Named("shot_recall_mean", "R"),
        "f1": Named("shot_f1_mean", "F1"),
        "best_f1": Named("shot_best_f1", "best F1"),
        "best_threshold": Named("shot_best_threshold", "at"),
    },
)
