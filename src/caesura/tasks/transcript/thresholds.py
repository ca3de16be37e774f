"""Thresholds of systems that give a score for each place: chosen, applied, explained, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from caesura.core.counts import ratio
from caesura.core.mean import means
from caesura.core.place_scores import HALF, short
from caesura.core.results import CalibrationBin, RankingCurve
from caesura.core.row import EXTENT
from caesura.core.segmentation import Document, Segmentation, Track
from caesura.core.table import CountTable
from caesura.errors import FormatError, SourceError, UsageError, option
from caesura.measures.ranking import BINS, RankingCounts, bins_of
from caesura.tasks.transcript.options import (
    BEST,
    FROM,
    RANKINGS,
    TranscriptOptions,
    ranked,
    threshold_rules,
)

if TYPE_CHECKING:
    from caesura.run.given import Plan
    from caesura.steps.shared import Shared

Thresholds = dict[str, float]
FloatArray = npt.NDArray[np.float64]
T = TypeVar("T", bound=TranscriptOptions)
RANKING = RANKINGS[0]
MOST = 200
"""The most thresholds that are drawn; of more, those at equal steps of rank."""


# --- Chosen ---------------------------------------------------------------------------


def with_thresholds(plan: Plan, shared: Shared) -> Plan:
    """The plan with the threshold of each system; to choose the best, scores are counted alone."""
    counter: Any = plan.counter
    if BEST in str(counter.threshold) and shared.shard:
        raise UsageError(
            f"{option('threshold', BEST)} looks at all documents, {option('shard', '…')} at some; "
            f"give a number, or {option('threshold', 'from=ROWS')}"
        )
    rules = threshold_rules(counter.threshold, plan.systems)
    chosen: Thresholds = {}
    for name, rule in rules.items():
        if rule.startswith(FROM):
            chosen[name] = _from_rows(rule.removeprefix(FROM), name, len(plan.systems), shared)
        elif rule != BEST:
            chosen[name] = short(float(rule))
    if BEST in rules.values():
        from caesura.run.run import run

        ranked_only = replace(counter, ranks_only=True, blocks=False)
        once, measures = replace(shared.running, resume=False), plan.task.measures
        table = run(plan.cases, ranked_only, once, watch=shared.watch, measures=measures).table
        left = [name for name in rules if name not in chosen]
        chosen |= best_thresholds(table, left, plan.references)
    return replace(plan, counter=replace(counter, thresholds=tuple(chosen.items())))


def _from_rows(path: str, system: str, systems: int, shared: Shared) -> float:
    """The best threshold of a system on the documents of saved rows.

    The only system of a run takes that of the only one in the rows, whatever its name.
    """
    file = shared.rows_at(path)
    names = sorted(filter(None, file.table.systems_of(ranking_of(file.table))))
    saved = names[0] if len(names) == 1 == systems else system
    if saved not in names:
        has = f"it has those of {', '.join(names)}"
        cure = has if names else "save rows of systems with scores"
        raise SourceError(path, f"no scores of the system '{system}'", cure)
    return best_thresholds(file.table, [saved], file.header.references)[saved]


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
    weights = total.counts(EXTENT, codes)[0].extent if EXTENT in total.measures else None
    counts, _ = total.counts(measure, codes)
    best = counts.best_of_mean(weights)["best_threshold"][:, 0].tolist()
    return {name: value for name, value in zip(names, best, strict=True) if not isnan(value)}


# --- Applied -------------------------------------------------------------------------


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
    asked_for = task.asked_for.values()
    track_of = next((each.above_threshold for each in asked_for if each.above_threshold), None)
    cut = dict(systems)
    for name, document in systems.items():
        scores = document.segmentation.scores
        if scores is not None and name in chosen:
            segmentation = Segmentation.from_scores(scores, chosen[name])
            cut[name] = replace(document, segmentation=segmentation)
        if scores is not None and task.axis == "samples" and document.text is None:
            threshold = chosen.get(name, HALF)
            begins = np.flatnonzero(scores >= np.float32(threshold))
            track = track_of(scores, threshold) if track_of else Track(start=begins, edges=begins)
            cut[name] = replace(cut[name], axis="samples", extent=scores.size, track=track)
    also = tuple(dict.fromkeys((*task.also, *task.rankings)))
    return cut, replace(task, also=also)


# --- Explained and drawn -------------------------------------------------------------


def threshold_notes(options: Mapping[str, Any]) -> list[str]:
    """What users should know of the thresholds of a run."""
    chosen = dict(options.get("thresholds") or ())
    if not chosen:
        return []
    rules = threshold_rules(options["threshold"], [*chosen])
    notes = []
    for name, value in chosen.items():
        rule = rules.get(name, "")
        note = f"{name} has boundaries where its score is at least {value}"
        if rule == BEST:
            note += ", the threshold with the highest F1, which was chosen on these documents: on "
            note += "others, F1 will be lower"
        elif rule.startswith(FROM):
            note += f", the threshold with the highest F1 of {rule.removeprefix(FROM)}"
        notes.append(f"{note}.")
    return notes


def ranking_curves(
    table: CountTable, systems: Sequence[str], references: Sequence[str], used: dict[str, float]
) -> tuple[RankingCurve, ...]:
    """The curve of each system that has scores; over several references the mean of each."""
    total, measure = table.total, ranking_of(table)
    known = total.systems_of(measure)
    curves = []
    for name in (system for system in systems if system in known):
        codes = total.names.grid([name], list(references))[0]
        counts = [total.counts(measure, code)[0] for code in codes[:, None]]  # of each reference
        levels = np.unique(np.concatenate([each.curve.scores for each in counts]))[::-1]
        if levels.size > MOST:
            levels = levels[np.unique(np.linspace(0, levels.size - 1, MOST).astype(np.int64))]
        rates = []  # references × 3 × thresholds
        for each in counts:
            curve, wanted = each.curve, each.right.sum()
            above: Any = np.searchsorted(-curve.scores, -levels, side="right")
            found, placed = (np.insert(sums, 0, 0)[above] for sums in (curve.found, curve.placed))
            f1 = ratio(2 * found, placed + wanted)
            rates.append([ratio(found, placed), ratio(found, wanted), f1])
        precision, recall, f1 = np.asarray(means(rates)).tolist()
        curves.append(
            RankingCurve(
                name=name,
                used=used.get(name),
                thresholds=tuple(levels.tolist()),
                precision=tuple(precision),
                recall=tuple(recall),
                f1=tuple(f1),
                bins=tuple(_bins([each for each in counts if not each.least])),
            )
        )
    return tuple(curves)


def _bins(counts: Sequence[RankingCounts]) -> Iterator[CalibrationBin]:
    """The bins that hold places: their mean score, and the share at which boundaries are."""
    sums = np.zeros((3, BINS))  # scores, hits and places, of all references
    for each in counts:
        is_scored = ~np.isnan(each.scores)
        scores, places = each.scores[is_scored], each.places[is_scored]
        columns = scores * places, each.hits[is_scored], places
        sums += [np.bincount(bins_of(scores), column, BINS) for column in columns]
    for score, hits, size in sums.T.tolist():
        if size:
            yield CalibrationBin(
                score=score / size, share=hits / size, places=round(size / len(counts))
            )
