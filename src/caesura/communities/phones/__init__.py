"""Boundaries of phones and words in time."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile, as_in_task

PROFILE = Profile(
    about="phone and word boundaries in time, with over-segmentation and the R-value",
    task="transcript",
    item="phone",
    unit="interval",
    scored="phone boundaries",
    options={
        "axis": "time",
        "tolerance": "20ms",
        "step": "20ms",
        "tier": "phones?",
        "units": "intervals",
        "also": ("deviation", "unsupseg"),
    },
    takes={
        **as_in_task("tier", "rate"),
        "tolerance": "Match boundaries up to this far apart, such as 20ms.",
        **as_in_task("final", "uem"),
        "also": f"{OWN_TABLES}, strgar (harsh and lenient hits), tokens (intervals with a "
        "tolerance) or kamper (vqwordseg's figures). Repeatable.",
        "encoding": "",
    },
    measures={
        "deviation": "caesura.communities.phones.measures:Deviation",
        "unsupseg": "caesura.communities.phones.measures:UnsupSeg",
        "strgar": "caesura.communities.phones.measures:Strgar",
        "tokens": "caesura.communities.phones.measures:IntervalTokens",
        "kamper": "caesura.communities.phones.measures:Kamper",
    },
    examples=(
        "ours/ --gold gold/ --tier phones --tolerance 20ms",
        "ours/ --gold timit/ --rate 16000",
    ),
    scores={
        "precision": Named("precision_mean", "P"),
        "recall": Named("recall_mean", "R"),
        "f1": Named("f1_mean", "F"),
        "over_segmentation": Named("over_segmentation_mean", "OS"),
        "r_value": Named("r_value_mean", "R-value"),
        "deviation": Named("deviation_mean", "mean ms"),
        "deviation_absolute": Named("deviation_absolute_mean", "mean |ms|"),
        "deviation_sd": Named("deviation_sd_mean", "SD ms"),
        "precision_unsupseg": Named("precision_unsupseg_mean", "P (UnsupSeg)", is_column=False),
        "recall_unsupseg": Named("recall_unsupseg_mean", "R (UnsupSeg)", is_column=False),
        "f1_unsupseg": Named("f1_unsupseg_mean", "F (UnsupSeg)", is_column=False),
        "r_value_unsupseg": Named("r_value_unsupseg_mean", "R-value (UnsupSeg)"),
        "precision_harsh": Named("precision_harsh_mean", "P (harsh)", is_column=False),
        "recall_harsh": Named("recall_harsh_mean", "R (harsh)", is_column=False),
        "f1_harsh": Named("f1_harsh_mean", "F (harsh)", is_column=False),
        "r_value_harsh": Named("r_value_harsh_mean", "R-value (harsh)"),
        "precision_lenient": Named("precision_lenient_mean", "P (lenient)", is_column=False),
        "recall_lenient": Named("recall_lenient_mean", "R (lenient)", is_column=False),
        "f1_lenient": Named("f1_lenient_mean", "F (lenient)", is_column=False),
        "r_value_lenient": Named("r_value_lenient_mean", "R-value (lenient)"),
        "token_precision": Named("interval_precision_mean", "P tokens"),
        "token_recall": Named("interval_recall_mean", "R tokens"),
        "token_f1": Named("interval_f1_mean", "F tokens"),
        "precision_kamper": Named("precision_kamper_mean", "P (Kamper)", is_column=False),
        "recall_kamper": Named("recall_kamper_mean", "R (Kamper)", is_column=False),
        "f1_kamper": Named("f1_kamper_mean", "F (Kamper)", is_column=False),
        "r_value_kamper": Named("r_value_kamper_mean", "R-value (Kamper)"),
        "over_segmentation_kamper": Named(
            "over_segmentation_kamper_mean", "OS (Kamper)", is_column=False
        ),
        "precision_tokens_kamper": Named(
            "precision_tokens_kamper_mean", "P (Kamper, tokens)", is_column=False
        ),
        "recall_tokens_kamper": Named(
            "recall_tokens_kamper_mean", "R (Kamper, tokens)", is_column=False
        ),
        "f1_tokens_kamper": Named("f1_tokens_kamper_mean", "F (Kamper, tokens)"),
        "over_segmentation_tokens_kamper": Named(
            "over_segmentation_tokens_kamper_mean", "OS (Kamper, tokens)", is_column=False
        ),
    },
)
