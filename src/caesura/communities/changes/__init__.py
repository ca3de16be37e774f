"""Change points of series, as TCPDBench scores them."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

PROFILE = Profile(
    about="change points of series, of several annotators, as TCPDBench scores them",
    task="transcript",
    item="sample",
    unit="segment",
    scored="change points",
    beside="Change points, as many matched one to one as possible: above, 0 is one of everyone",
    mean="macro",
    options={"axis": "samples", "tolerance": 5, "also": ("change_points",)},
    takes={
        "input": "",
        "tolerance": "The margin: match points up to N samples apart.",
        "window": "WiSeBE: gaps longer than N samples start a new window.",
        **as_in_task("n", "lengths", "step", "edges", "consensus"),
        **ALSO_AND_ENCODING,
    },
    measures={"change_points": "caesura.communities.changes.measure:ChangePoints"},
    examples=("ours.json --gold coders.json --lengths lengths.tsv",),
    scores={
        "f1": Named("change_point_f1", "F1"),
        "precision": Named("change_point_precision", "P"),
        "recall": Named("change_point_recall", "R"),
        "cover": Named("change_point_cover", "cover"),
    },
)
