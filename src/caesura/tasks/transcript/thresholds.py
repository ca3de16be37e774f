"""Thresholds: where systems that give a score for each place have boundaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from caesura.core.place_scores import HALF
from caesura.core.row import EXTENT
from caesura.core.segmentation import Document, ScoreArray, Segmentation, Track
from caesura.core.table import CountTable
from caesura.errors import FormatError, UsageError, option
from caesura.tasks.transcript.options import (
    RANKINGS,
    TranscriptOptions,
    ranked,
)
from caesura.tasks.transcript.written_options import BEST, FROM, threshold_rules

Thresholds = dict[str, float]
T = TypeVar("T", bound=TranscriptOptions)
RANKING = RANKINGS[0]


def at_thresholds(
    systems: Mapping[str, Document], references: Mapping[str, Document], task: T
) -> tuple[dict[str, Document], T]:
    """Systems with boundaries where scores reach the threshold, and a task that counts scores."""
    for each in references.values():
        if each.segmentation.scores is not None:
            cure = "give scores as a system, and boundaries as references"
            raise FormatError(each.source, "a reference with a score for each place", cure)
    if task.normalize:
        raise UsageError(f"{option('normalize', '…')} cannot be used with scores of words; drop it")
    chosen = dict(task.thresholds)
    cut = {name: _cut(each, chosen.get(name)) for name, each in systems.items()}
    if task.axis == "samples":
        own = (each.above_threshold for each in task.asked_for.values() if each.above_threshold)
        track_of = next(own, _track_above)
        cut = {
            name: _on_samples(each, chosen.get(name, HALF), track_of) for name, each in cut.items()
        }
    also = tuple(dict.fromkeys((*task.also, *task.rankings)))
    return cut, replace(task, also=also)


def _cut(document: Document, threshold: float | None) -> Document:
    scores = document.segmentation.scores
    if scores is None or threshold is None:
        return document
    return replace(document, segmentation=Segmentation.from_scores(scores, threshold))


def _on_samples(
    document: Document, threshold: float, track_of: Callable[[ScoreArray, float], Track]
) -> Document:
    """A score for each sample as a signal, whose track is made of the scores and the threshold."""
    own = document.segmentation
    if own.scores is None or document.text is not None:
        return document
    return replace(
        document, axis="samples", extent=own.length, track=track_of(own.scores, threshold)
    )


def _track_above(scores: ScoreArray, threshold: float) -> Track:
    """A segment begins where a score reaches the threshold."""
    begins = np.flatnonzero(scores >= np.float32(threshold))
    return Track(start=begins, edges=begins)


def ranking_of(table: CountTable) -> str:
    """The measure of scores of which a threshold is chosen."""
    names = ranked(table)
    return RANKING if RANKING in names or not names else names[0]


def best_thresholds(
    table: CountTable, systems: Sequence[str], references: Sequence[str]
) -> Thresholds:
    """For each system that has scores, the threshold with the highest mean micro F1."""
    total, measure = table.by_document().total, ranking_of(table)
    names = [name for name in systems if name in total.systems_of(measure)]
    if not names:
        return {}
    codes = total.names.grid(names, list(references))
    counts, _ = total.counts(measure, codes)
    weights = None
    if EXTENT in total.measures:
        weights = total.counts(EXTENT, codes)[0].extent
    found = counts.best_of_mean(weights)["best_threshold"][:, 0]
    return {
        name: float(value) for name, value in zip(names, found, strict=True) if not np.isnan(value)
    }


def threshold_notes(options: Mapping[str, Any]) -> list[str]:
    """What users should know of the thresholds of a run."""
    chosen = dict(options.get("thresholds") or ())
    if not chosen:
        return []
    rules = threshold_rules(options["threshold"], [*chosen])
    notes = []
    for name, value in chosen.items():
        rule = rules.get(name, "")
        told = f"{name} has boundaries where its score is at least {value}"
        if rule == BEST:
            told += ", the threshold with the highest F1, which was chosen on these documents: on "
            told += "others, F1 will be lower"
        elif rule.startswith(FROM):
            told += f", the threshold with the highest F1 of {rule.removeprefix(FROM)}"
        notes.append(f"{told}.")
    return notes
