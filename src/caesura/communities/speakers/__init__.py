"""Diarization, as md-eval, dscore and pyannote.metrics score it."""

from __future__ import annotations

from caesura.core.profile import ALSO_AND_ENCODING, Named, Profile, as_in_task

PROFILE = Profile(
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
        **as_in_task("tier", "uem", "collar", "skip_overlap"),
        "tolerance": "Match boundaries up to this far apart, such as 20ms.",
        **ALSO_AND_ENCODING,
    },
    measures={
        "changes": "caesura.communities.speakers.measures:Changes",
        "purity": "caesura.communities.speakers.measures:Purity",
        "diarization": "caesura.communities.speakers.measures:Diarization",
    },
    examples=("ours.rttm --gold gold.rttm --uem all.uem",),
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
)
