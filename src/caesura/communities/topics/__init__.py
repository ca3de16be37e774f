"""Topic segmentation, as segeval, NLTK and Choi's C99 score it."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile

PROFILE = Profile(
    about="topic segmentation: Choi's files, segeval's files of coders, masses",
    task="transcript",
    item="item",
    unit="segment",
    scored="topics",
    main="pk",
    options={"also": ("conventions", "choi", "ghd", "coders", "coder_pairs")},
    takes={
        "input": "The input format, such as choi, segeval or masses.  [default: detected]",
        "k": "The window size of Pk and WindowDiff, but for Choi's.  "
        "[default: as each convention has it]",
        "near": "B and S: boundaries less than N apart may count as a near miss (n_t).",
        "final": "",
        "costs": "What inserting, deleting and shifting a boundary by one cost in GHD.",
        "align": "",
        "axis_from": "With --align, the annotator to align to, by name.",
        **ALSO_AND_ENCODING,
    },
    measures={
        "conventions": "caesura.communities.topics.measures:Conventions",
        "choi": "caesura.communities.topics.measures:Choi",
        "coders": "caesura.communities.topics.measures:Coders",
        "coder_pairs": "caesura.communities.topics.measures:CoderPairs",
    },
    examples=(
        "out/ --gold choi/",
        "ours.masses --gold coders.json",
    ),
    scores={
        "pk": Named("pk_mean", "Pk"),
        "windowdiff": Named("windowdiff_mean", "WD"),
        "boundary_similarity": Named("boundary_similarity_mean", "B"),
        "segmentation_similarity": Named("segmentation_similarity_mean", "S"),
        "precision": Named("precision_mean", "P"),
        "recall": Named("recall_mean", "R"),
        "f1": Named("f1_mean", "F1"),
        "pk_nltk": Named("pk_nltk_mean", "Pk (NLTK)"),
        "windowdiff_nltk": Named("windowdiff_nltk_mean", "WD (NLTK)"),
        "pk_segeval": Named("pk_segeval_mean", "Pk (segeval)"),
        "windowdiff_segeval": Named("windowdiff_segeval_mean", "WD (segeval)"),
        "pk_choi": Named("pk_choi_mean", "Pk (Choi)"),
        "ghd": Named("ghd_mean", "GHD"),
    },
)
