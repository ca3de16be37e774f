"""PROFILES: how other communities score, in their own words. One declaration for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from caesura.core.profile import Named, Profile
from caesura.core.registry import Extensible, required

PRF = {"precision": "P", "recall": "R", "f1": "F"}
R_VALUES = {**PRF, "r_value": "R-value"}
OVER = {"over_segmentation": "OS"}
TABLES = "Add boundary (caesura's own tables, below)"
"""What `--also` does in every profile."""
EVENTS = {
    "f1": "F1", "precision": "P", "recall": "R", "er": "ER",
    "substitution_rate": "S", "deletion_rate": "D", "insertion_rate": "I",
    "label_f1": "F1 by label", "label_f1_sed_eval": "F1 by label (sed_eval)",
    "label_er": "ER by label",
}  # fmt: skip
"""The scores of events in each way of counting them."""
MUSIC = {
    "hit_precision@0.5s": ("precision_05", "P@0.5", "Precision@0.5"),
    "hit_recall@0.5s": ("recall_05", "R@0.5", "Recall@0.5"),
    "hit_f_measure@0.5s": ("f_05", "F@0.5", "F-measure@0.5"),
    "hit_precision@3s": ("precision_3", "P@3", "Precision@3.0"),
    "hit_recall@3s": ("recall_3", "R@3", "Recall@3.0"),
    "hit_f_measure@3s": ("f_3", "F@3", "F-measure@3.0"),
    "ref_to_est_deviation": ("ref_to_est", "ref to est", "Ref-to-est deviation"),
    "est_to_ref_deviation": ("est_to_ref", "est to ref", "Est-to-ref deviation"),
    "pairwise_precision": ("pairwise_precision", "pairwise P", "Pairwise Precision"),
    "pairwise_recall": ("pairwise_recall", "pairwise R", "Pairwise Recall"),
    "pairwise_f_measure": ("pairwise_f", "pairwise F", "Pairwise F-measure"),
    "rand_index": ("rand", "Rand", "Rand Index"),
    "adjusted_rand_index": ("adjusted_rand", "ARI", "Adjusted Rand Index"),
    "mutual_information": ("mutual", "MI", "Mutual Information"),
    "adjusted_mutual_information": ("adjusted_mutual", "AMI", "Adjusted Mutual Information"),
    "normalized_mutual_information": ("normalized_mutual", "NMI", "Normalized Mutual Information"),
    "nce_over": ("nce_over", "NCE over", "NCE Over"),
    "nce_under": ("nce_under", "NCE under", "NCE Under"),
    "nce_f_measure": ("nce_f", "NCE F", "NCE F-measure"),
    "v_precision": ("v_precision", "V P", "V Precision"),
    "v_recall": ("v_recall", "V R", "V Recall"),
    "v_measure": ("v_f", "V", "V-measure"),
}
"""The scores of mir_eval.segment: the field, the label, and what mir_eval calls it."""


def _as_in(
    name: str, program: str, scores: Mapping[str, str], columns: tuple[str, ...]
) -> dict[str, Named]:
    """The scores of another program under its name, of which a table has some columns."""
    return {
        f"{key}_{name}": Named(f"{key}_{name}_mean", f"{label} ({program})", key in columns)
        for key, label in scores.items()
    }


_PROFILES: dict[str, Profile] = {
    "sighan": Profile(
        about="words of Chinese and Japanese, as the SIGHAN bakeoffs score them",
        task="text",
        item="word",
        unit="line",
        scored="words",
        options={"input": "segmented", "equivalences": "none", "also": ("words",)},
        takes={
            "dictionary": "The words of the training data, one per line, for OOV and IV recall.",
            "force": "",
            "also": f"{TABLES} or classic (older scores by characters). Repeatable.",
            "encoding": "",
        },
        scores={
            "precision": Named("token_precision", "P"),
            "recall": Named("token_recall", "R"),
            "f1": Named("token_f1", "F"),
            "insertions": Named("word_insertions", "ins"),
            "deletions": Named("word_deletions", "del"),
            "substitutions": Named("word_substitutions", "sub"),
            "oov_rate": Named("oov_rate", "OOV rate"),
            "oov_recall": Named("oov_recall", "R OOV"),
            "iv_recall": Named("iv_recall", "R IV"),
        },
    ),
    "disrpt": Profile(
        about="discourse units and connectives, as seg_eval.py of the DISRPT shared tasks scores",
        task="transcript",
        item="token",
        unit="unit",
        scored="discourse units",
        beside="Boundaries between units: above, the start of the first unit counts as well",
        options={"input": "disrpt", "also": ("discourse", "spans", "seg_eval")},
        takes={
            "align": "",
            "also": f"{TABLES} or a measure of transcripts, such as starts. Repeatable.",
            "encoding": "",
        },
        scores={
            "precision": Named("discourse_precision_mean", "P"),
            "recall": Named("discourse_recall_mean", "R"),
            "f1": Named("discourse_f1_mean", "F"),
            "unit_f1": Named("span_f1_mean", "F units"),
            "pk": Named("pk_mean", "Pk"),
            "windowdiff": Named("windowdiff_mean", "WD"),
            "boundary_similarity": Named("boundary_similarity_mean", "B"),
            **_as_in("seg_eval", "seg_eval", PRF, columns=("f1",)),
            **_as_in("disrpt_eval", "disrpt_eval", PRF, columns=()),
            **_as_in("nb", "-nb", PRF, columns=()),
        },
    ),
    "topics": Profile(
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
            "also": f"{TABLES}.",
            "encoding": "",
        },
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
    ),
    "phones": Profile(
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
            "tier": "",
            "rate": "",
            "tolerance": "Match boundaries up to this far apart, such as 20ms.",
            "final": "",
            "uem": "",
            "also": f"{TABLES}, strgar (harsh and lenient hits), tokens (intervals with a "
            "tolerance) or kamper (vqwordseg's figures). Repeatable.",
            "encoding": "",
        },
        scores={
            "precision": Named("precision_mean", "P"),
            "recall": Named("recall_mean", "R"),
            "f1": Named("f1_mean", "F"),
            "over_segmentation": Named("over_segmentation_mean", "OS"),
            "r_value": Named("r_value_mean", "R-value"),
            "deviation": Named("deviation_mean", "mean ms"),
            "deviation_absolute": Named("deviation_absolute_mean", "mean |ms|"),
            "deviation_sd": Named("deviation_sd_mean", "SD ms"),
            **_as_in("unsupseg", "UnsupSeg", R_VALUES, columns=("r_value",)),
            **_as_in("harsh", "harsh", R_VALUES, columns=("r_value",)),
            **_as_in("lenient", "lenient", R_VALUES, columns=("r_value",)),
            "token_precision": Named("interval_precision_mean", "P tokens"),
            "token_recall": Named("interval_recall_mean", "R tokens"),
            "token_f1": Named("interval_f1_mean", "F tokens"),
            **_as_in("kamper", "Kamper", {**R_VALUES, **OVER}, columns=("r_value",)),
            **_as_in("tokens_kamper", "Kamper, tokens", {**PRF, **OVER}, columns=("f1",)),
        },
    ),
    "subtitles": Profile(
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
            "max_cpl": "",
            "max_cps": "",
            "max_lines": "",
            "also": f"{TABLES} or a measure of transcripts, such as rand. Repeatable.",
            "encoding": "",
        },
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
    ),
    "speakers": Profile(
        about="diarization: DER and JER, changes of speaker, as md-eval and pyannote.metrics score",
        task="transcript",
        item="segment",
        unit="segment",
        scored="segments",
        beside="Boundaries of segments, one to one: above, the nearest pairs are matched first",
        options={
            "axis": "time",
            "tier": "SPEAKER*",
            "tolerance": "0.5s",
            "also": ("changes", "purity", "diarization"),
        },
        takes={
            "tier": "",
            "uem": "",
            "collar": "",
            "skip_overlap": "",
            "tolerance": "Match boundaries up to this far apart, such as 20ms.",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            "der": Named("der_mean", "DER"),
            "missed": Named("der_missed_mean", "missed, s"),
            "false_alarm": Named("der_false_alarm_mean", "FA, s"),
            "confusion": Named("der_confusion_mean", "confusion, s"),
            "speech": Named("der_speech_mean", "speech", is_column=False),
            "jer": Named("jer_mean", "JER"),
            "der_md_eval": Named("der_md_eval_mean", "DER (md-eval)", is_column=False),
            "jer_dscore": Named("jer_dscore_mean", "JER (dscore)", is_column=False),
            "precision": Named("change_precision_mean", "P"),
            "recall": Named("change_recall_mean", "R"),
            "f1": Named("change_f1_mean", "F"),
            "purity": Named("purity_mean", "purity"),
            "coverage": Named("coverage_mean", "coverage"),
            "purity_coverage_f1": Named("purity_coverage_f1_mean", "F purity, coverage"),
        },
    ),
    "changes": Profile(
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
            "n": "",
            "lengths": "",
            "step": "",
            "edges": "",
            "consensus": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            "f1": Named("change_point_f1", "F1"),
            "precision": Named("change_point_precision", "P"),
            "recall": Named("change_point_recall", "R"),
            "cover": Named("change_point_cover", "cover"),
        },
    ),
    "music": Profile(
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
            "step": "",
            "rate": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            **{
                key: Named(f"music_{field}_mean", label) for key, (field, label, _) in MUSIC.items()
            },
            **{
                name: Named(f"music_{field}_mean", name, is_column=False)
                for field, _, name in MUSIC.values()
            },
        },
    ),
    "chapters": Profile(
        about="chapters of talks, podcasts and videos, as chunkseg scores them",
        task="transcript",
        item="bin",
        unit="chapter",
        scored="chapters",
        beside="Boundaries with a collar: above, they are counted in bins",
        options={
            "axis": "time",
            "tolerance": "3s",
            "step": "6s",
            "also": ("ghd",),
            "whole_cells": True,
        },
        takes={
            "input": "The input format: times or labels.  [default: detected]",
            "tolerance": "The collar: match boundaries up to this far apart, such as 3s.",
            "step": "The size of a bin, such as 6s.",
            "k": "The window size of Pk and WindowDiff, in bins.  [default: half the mean chapter]",
            "near": "",
            "duration": "",
            "lengths": "",
            "edges": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            "f1": Named("cell_f1_mean", "F1"),
            "precision": Named("cell_precision_mean", "P"),
            "recall": Named("cell_recall_mean", "R"),
            "pk": Named("pk_mean", "Pk"),
            "windowdiff": Named("windowdiff_mean", "WD"),
            "boundary_similarity": Named("boundary_similarity_mean", "B"),
            "ghd": Named("ghd_mean", "GHD"),
            "collar_f1": Named("f1_mean", "collar F1"),
        },
    ),
    "shots": Profile(
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
            "threshold": "",
            "scores": "",
            "n": "",
            "lengths": "",
            "step": "",
            "edges": "",
            "consensus": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
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
    ),
    "events": Profile(
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
            "background": "",
            "duration": "",
            "n": "",
            "lengths": "",
            "edges": "",
            "consensus": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            **{
                f"{way}_{key}": Named(
                    f"{way}_{key}_mean", f"{way} {label}", way != "onset" and key in ("f1", "er")
                )
                for way in ("segment", "event", "onset")
                for key, label in EVENTS.items()
            },
            "segment_accuracy": Named("segment_accuracy_mean", "segment accuracy"),
            "edit": Named("action_edit_mean", "edit"),
            "f1_10": Named("action_f1_10_mean", "F1@10"),
            "f1_25": Named("action_f1_25_mean", "F1@25"),
            "f1_50": Named("action_f1_50_mean", "F1@50"),
            "frame_accuracy": Named("frame_accuracy_mean", "frame accuracy"),
        },
    ),
    "morphemes": Profile(
        about="morphs of words and sentences, as in the SIGMORPHON 2022 shared task",
        task="morphemes",
        item="morph",
        unit="line",
        scored="morphs",
        takes={
            "force": "",
            "also": f"{TABLES}.",
            "encoding": "",
        },
        scores={
            "precision": Named("morph_precision", "P"),
            "recall": Named("morph_recall", "R"),
            "f1": Named("morph_f1", "F"),
            "distance": Named("morph_distance", "distance"),
            "accuracy": Named("morph_accuracy", "accuracy"),
            "boundary_precision": Named("morph_boundary_precision", "boundary P"),
            "boundary_recall": Named("morph_boundary_recall", "boundary R"),
            "boundary_f1": Named("morph_boundary_f1", "boundary F"),
            "left_out": Named("morph_boundary_left_out", "left out"),
        },
    ),
    "chunks": Profile(
        about="chunks for retrieval, as Chroma's chunking evaluation scores them",
        task="chunks",
        item="character",
        unit="excerpt",
        scored="chunks",
        main="precision_omega",
        takes={"documents": "", "run": "", "also": f"{TABLES}.", "encoding": ""},
        scores={
            "precision_omega": Named("precision_omega", "PrecisionΩ"),
            "precision_omega_chroma": Named("precision_omega_chroma", "PrecisionΩ (Chroma)"),
            "chunks_touched": Named("chunks_touched", "touched"),
            "chunks_touched_chroma": Named(
                "chunks_touched_chroma", "touched (Chroma)", is_column=False
            ),
            "excerpts_cut": Named("excerpts_cut", "cut"),
            "excerpts_cut_rate": Named("excerpts_cut_rate", "cut rate"),
            "size": Named("chunk_size", "size"),
            "precision": Named("chunk_boundary_precision", "P"),
            "recall": Named("chunk_boundary_recall", "R"),
            "f1": Named("chunk_boundary_f1", "F1"),
        },
    ),
}


def _plugged(name: str, value: object) -> Profile:
    return replace(required(Profile, value), name=name)


PROFILES = Extensible(
    {name: replace(each, name=name) for name, each in _PROFILES.items()},
    "profiles",
    _plugged,
    ("paper", "tool", "2017"),
)
"""The profiles by name, in the order of the help, and those of plug-ins."""
