"""Discourse units and connectives, as the DISRPT shared tasks score them."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile

SCRIPTS = (("seg_eval", "seg_eval", "f1"), ("disrpt_eval", "disrpt_eval", ""), ("nb", "-nb", ""))
"""The programs, with their names and the score that the table has, if any."""

PROFILE = Profile(
    about="discourse units and connectives, as seg_eval.py of the DISRPT shared tasks scores",
    task="transcript",
    item="token",
    unit="unit",
    scored="discourse units",
    beside="Boundaries between units: above, the start of the first unit counts as well",
    options={"input": "disrpt", "also": ("discourse", "spans", "seg_eval")},
    takes={
        "align": "",
        "also": f"{OWN_TABLES} or a measure of transcripts, such as starts. Repeatable.",
        "encoding": "",
    },
    measures={
        "seg_eval": "caesura.communities.disrpt.measure:SegEval",
    },
    examples=("ours.tok --gold gold.tok",),
    scores={
        "precision": Named("discourse_precision_mean", "P"),
        "recall": Named("discourse_recall_mean", "R"),
        "f1": Named("discourse_f1_mean", "F"),
        "unit_f1": Named("span_f1_mean", "F units"),
        "pk": Named("pk_mean", "Pk"),
        "windowdiff": Named("windowdiff_mean", "WD"),
        "boundary_similarity": Named("boundary_similarity_mean", "B"),
        **{
            f"{key}_{name}": Named(f"{key}_{name}_mean", f"{label} ({program})", key == shown)
            for name, program, shown in SCRIPTS
            for key, label in {"precision": "P", "recall": "R", "f1": "F"}.items()
        },
    },
)
