"""Discourse units and connectives, as the DISRPT shared tasks score them."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile

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
        "precision_seg_eval": Named("precision_seg_eval_mean", "P (seg_eval)", is_column=False),
        "recall_seg_eval": Named("recall_seg_eval_mean", "R (seg_eval)", is_column=False),
        "f1_seg_eval": Named("f1_seg_eval_mean", "F (seg_eval)"),
        "precision_disrpt_eval": Named(
            "precision_disrpt_eval_mean", "P (disrpt_eval)", is_column=False
        ),
        "recall_disrpt_eval": Named("recall_disrpt_eval_mean", "R (disrpt_eval)", is_column=False),
        "f1_disrpt_eval": Named("f1_disrpt_eval_mean", "F (disrpt_eval)", is_column=False),
        "precision_nb": Named("precision_nb_mean", "P (-nb)", is_column=False),
        "recall_nb": Named("recall_nb_mean", "R (-nb)", is_column=False),
        "f1_nb": Named("f1_nb_mean", "F (-nb)", is_column=False),
    },
)
