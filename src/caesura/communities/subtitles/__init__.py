"""Breaks of lines and blocks, as EvalSub scores them."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile, as_in_task

PROFILE = Profile(
    about="line and block breaks of subtitles, as EvalSub scores them (Sigma)",
    task="transcript",
    item="word",
    unit="line",
    scored="subtitle breaks",
    main="sigma",
    options={
        "also": ("breaks", "sigma", "reading"),
        "units": "breaks",
        "align": True,
        "final": "keep",
    },
    takes={
        **as_in_task("max_cpl", "max_cps", "max_lines"),
        "also": f"{OWN_TABLES} or a measure of transcripts, such as rand. Repeatable.",
        "encoding": "",
    },
    measures={
        "breaks": "caesura.communities.subtitles.measures:Breaks",
        "sigma": "caesura.communities.subtitles.measures:Sigma",
        "reading": "caesura.communities.subtitles.measures:ReadingLoad",
    },
    examples=("nmt.srt --gold human.srt",),
    scores={
        "sigma": Named("sigma_mean", "Sigma"),
        "bleu_br": Named("bleu_br_mean", "BLEU_br"),
        "bleu_nb": Named("bleu_nb_mean", "BLEU_nb"),
        "alpha": Named("alpha_mean", "alpha"),
        "precision": Named("precision_mean", "P"),
        "recall": Named("recall_mean", "R"),
        "f1": Named("f1_mean", "F1"),
        "eol_f1": Named("eol_f1_mean", "F1 <eol>"),
        "eob_f1": Named("eob_f1_mean", "F1 <eob>"),
        "pk": Named("pk_mean", "Pk"),
        "windowdiff": Named("windowdiff_mean", "WindowDiff"),
        "segmentation_similarity": Named("segmentation_similarity_mean", "S"),
        "boundary_similarity": Named("boundary_similarity_mean", "B"),
        "cpl_conformity": Named("cpl_conformity_mean", "CPL"),
        "cps_conformity": Named("cps_conformity_mean", "CPS"),
        "lpb_conformity": Named("lpb_conformity_mean", "LPB"),
    },
)
