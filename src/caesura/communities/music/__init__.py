"""Sections of music, as mir_eval.segment scores them."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

SCORES = (
    ("hit_precision@0.5s", "Precision@0.5", "P@0.5", "precision_05"),
    ("hit_recall@0.5s", "Recall@0.5", "R@0.5", "recall_05"),
    ("hit_f_measure@0.5s", "F-measure@0.5", "F@0.5", "f_05"),
    ("hit_precision@3s", "Precision@3.0", "P@3", "precision_3"),
    ("hit_recall@3s", "Recall@3.0", "R@3", "recall_3"),
    ("hit_f_measure@3s", "F-measure@3.0", "F@3", "f_3"),
    ("ref_to_est_deviation", "Ref-to-est deviation", "ref to est", "ref_to_est"),
    ("est_to_ref_deviation", "Est-to-ref deviation", "est to ref", "est_to_ref"),
    ("pairwise_precision", "Pairwise Precision", "pairwise P", "pairwise_precision"),
    ("pairwise_recall", "Pairwise Recall", "pairwise R", "pairwise_recall"),
    ("pairwise_f_measure", "Pairwise F-measure", "pairwise F", "pairwise_f"),
    ("rand_index", "Rand Index", "Rand", "rand"),
    ("adjusted_rand_index", "Adjusted Rand Index", "ARI", "adjusted_rand"),
    ("mutual_information", "Mutual Information", "MI", "mutual"),
    ("adjusted_mutual_information", "Adjusted Mutual Information", "AMI", "adjusted_mutual"),
    ("normalized_mutual_information", "Normalized Mutual Information", "NMI", "normalized_mutual"),
    ("nce_over", "NCE Over", "NCE over", "nce_over"),
    ("nce_under", "NCE Under", "NCE under", "nce_under"),
    ("nce_f_measure", "NCE F-measure", "NCE F", "nce_f"),
    ("v_precision", "V Precision", "V P", "v_precision"),
    ("v_recall", "V Recall", "V R", "v_recall"),
    ("v_measure", "V-measure", "V", "v_f"),
)
"""The scores by row: our name, that of mir_eval.segment, the label, and that of the measure."""

PROFILE = Profile(
    about="structure of music: boundaries and labels, as mir_eval.segment scores them",
    task="transcript",
    item="section",
    unit="section",
    scored="sections",
    main="hit_f_measure@0.5s",
    beside="Boundaries of sections, with the tolerance and the edges of the signature",
    mean="macro",
    options={"axis": "time", "edges": "keep", "also": ("music",)},
    takes={
        "input": "The input format: labels or times.  [default: detected]",
        "edges": "Count the beginning and the end as boundaries (keep, as mir_eval does) or "
        "not (trim).",
        "tolerance": "caesura's own F1: match boundaries up to this far apart.",
        **as_in_task("step", "rate"),
        **ALSO_AND_ENCODING,
    },
    measures={"music": "caesura.communities.music.measure:Music"},
    examples=("ours/ --gold salami/",),
    scores={
        **{name: Named(f"music_{key}_mean", label) for name, _, label, key in SCORES},
        **{name: Named(f"music_{key}_mean", name, is_column=False) for _, name, _, key in SCORES},
    },
)
