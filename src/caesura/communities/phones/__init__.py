"""Boundaries of phones and words in time."""

from __future__ import annotations

from collections.abc import Iterable

from caesura.core.profile import OWN_TABLES, Named, Profile, as_in_task

LABELS = {
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "r_value": "R-value",
    "over_segmentation": "OS",
}
"""The scores of hits, with their labels."""
HITS = ("precision", "recall", "f1", "r_value")
TOKENS = ("precision", "recall", "f1", "over_segmentation")


def _hits(
    name: str, program: str, keys: Iterable[str] = HITS, shown: str = "r_value"
) -> dict[str, Named]:
    """The scores of hits under the name of a program; the table shows one of them."""
    return {
        f"{key}_{name}": Named(f"{key}_{name}_mean", f"{LABELS[key]} ({program})", key == shown)
        for key in keys
    }


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
        **_hits("unsupseg", "UnsupSeg"),
        **_hits("harsh", "harsh"),
        **_hits("lenient", "lenient"),
        "token_precision": Named("interval_precision_mean", "P tokens"),
        "token_recall": Named("interval_recall_mean", "R tokens"),
        "token_f1": Named("interval_f1_mean", "F tokens"),
        **_hits("kamper", "Kamper", LABELS),
        **_hits("tokens_kamper", "Kamper, tokens", TOKENS, shown="f1"),
    },
)
