"""Labelled intervals, as sed_eval (sounds) and MS-TCN (actions) score them."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

WAYS = {
    "segment": "segments",
    "event": "events, by onset and offset",
    "onset": "events, by onset",
}
"""How events are counted, and what is counted then: segments are of equal length."""
SCORES = {
    "f1": "F1", "precision": "P", "recall": "R", "er": "ER",
    "substitution_rate": "S", "deletion_rate": "D", "insertion_rate": "I",
    "label_f1": "F1 by label", "label_f1_sed_eval": "F1 by label (sed_eval)",
    "label_er": "ER by label",
}  # fmt: skip
"""The scores of each of these ways, with their labels."""
COLUMNS = ("segment_f1", "segment_er", "event_f1", "event_er")
"""Those that the table has."""

PROFILE = Profile(
    about="labelled intervals: sounds as sed_eval, actions as MS-TCN scores them",
    task="transcript",
    item="event",
    unit="event",
    scored="events",
    main="segment_f1",
    beside="Edges of events, whatever their labels, with the tolerance of the signature",
    options={"axis": "time", "input": "labels", "also": ("events", "actions")},
    takes={
        "input": "The input format: labels or times.",
        "axis": "Compare times or, of a label per frame, samples.",
        "rate": "",
        "tolerance": "The collar: onsets may be this far apart, such as 0.2s.",
        "percentage": "",
        "step": "The length of a segment, such as 1s.",
        **as_in_task("background", "duration", "n", "lengths", "edges", "consensus"),
        **ALSO_AND_ENCODING,
    },
    measures={
        "events": "caesura.communities.events.measures:LabelledEvents",
        "actions": "caesura.communities.events.measures:Actions",
    },
    examples=("ours.txt --gold gold.txt",),
    scores={
        **{
            f"{way}_{key}": Named(f"{way}_{key}_mean", f"{way} {label}", f"{way}_{key}" in COLUMNS)
            for way in WAYS
            for key, label in SCORES.items()
        },
        "segment_accuracy": Named("segment_accuracy_mean", "segment accuracy"),
        "edit": Named("action_edit_mean", "edit"),
        "f1_10": Named("action_f1_10_mean", "F1@10"),
        "f1_25": Named("action_f1_25_mean", "F1@25"),
        "f1_50": Named("action_f1_50_mean", "F1@50"),
        "frame_accuracy": Named("frame_accuracy_mean", "frame accuracy"),
    },
)
