"""What `caesura compare` shows: scores with daggers, differences, and sentences about them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from caesura.core.comparisons import Comparisons, Contrast, Difference
from caesura.core.results import Mean, Resampled, System
from caesura.errors import UsageError
from caesura.output.tables import CEILING, Cell, Column, Labelled, Page, Table, make_table, shown
from caesura.scores.catalog import Catalog, catalog
from caesura.stats.scorer import Scorer, scorer
from caesura.stats.significance import defined_labels, in_words, is_significant, p_words

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

DIFFERENCE_COLUMNS = (
    Column("difference", "difference"),
    Column("low", "low"),
    Column("high", "high"),
    Column("p", "p"),
    Column("p Holm", "p_holm"),
    Column("d", "effect_size"),
    Column("better", "better", is_count=True),
    Column("equal", "equal", is_count=True),
    Column("worse", "worse", is_count=True),
)
LABELS = ("score", "system", "minus")
Spoken = dict[str, tuple[str, bool]]


def compare_page(
    found: Comparisons, *, mean: Mean | None = None, measures: Sequence[str] = ()
) -> Page:
    """What `caesura compare` shows, of micro or macro scores; by default as the community prints.

    Blocks of documents have micro scores only.
    """
    mean = mean or (found.of.mean if found.systems[0].macro else "micro")
    if not getattr(found.systems[0], mean):
        raise UsageError("macro scores need documents as units; drop --mean macro")
    how = scorer(catalog(*found.of), found.references)
    keys = [how.catalog.find(name, found.systems[0].micro) for name in measures]
    labels = _labels(how, found.systems, keys, mean)
    wanted = keys or how.catalog.shown("headline")
    spoken = _spoken([key for key in wanted if key in labels], labels, how.catalog)
    tables = [_score_table(found, labels, mean, how.catalog)]
    tables += _difference_tables(found.comparisons, labels, mean, found)
    sentences = list(_sentences(found.comparisons, spoken, mean, found.confidence))
    if found.ceiling is not None:
        people = scorer(catalog(*found.of), found.references, is_ceiling=True)
        reached = _labels(people, found.ceiling.systems, [], "micro")
        reached = {key: label for key, label in reached.items() if key in keys or not keys}
        others = _difference_tables(found.ceiling.comparisons, reached, "micro", found)
        tables += [replace(table, id="differences-ceiling", title=CEILING) for table in others]
        first = _spoken(list(reached)[:1], reached, people.catalog)
        sentences += _sentences(found.ceiling.comparisons, first, "micro", found.confidence)
    if mean == "macro":
        sentences += _pairing_notes(found, labels)
    notes = (*sentences, *_dagger_note(tables, found), *found.confidence.notes)
    return Page(tuple(tables), notes, found.signature, _records(found, keys))


def _labels(
    how: Scorer, systems: Sequence[System], keys: Sequence[str], mean: Mean
) -> dict[str, str]:
    """The scores to show with their labels: those requested, or the main ones."""
    if keys:
        return {key: how.catalog.systems[key].label for key in keys}
    return defined_labels(how.labels, systems, mean)


def _score_table(found: Comparisons, labels: dict[str, str], mean: Mean, scores: Catalog) -> Table:
    columns = [
        Column(label, key, "low" if scores.is_lower_better(key) else "high")
        for key, label in labels.items()
    ]
    rows: list[Labelled] = [((each.name,), getattr(each, mean)) for each in found.systems]
    table = make_table("scores", f"Scores, {mean}", ("system",), columns, rows)
    names = [system.name for system in found.systems]
    daggers = {
        (names.index(each.systems[0]), 1 + at)
        for each in found.comparisons
        for at, key in enumerate(labels)
        if found.baseline
        and key in getattr(each, mean)
        and is_significant(getattr(each, mean)[key], found.confidence.level)
    }
    return replace(table.in_groups(len(rows)), daggers=frozenset(daggers))


def _difference_tables(
    contrasts: Sequence[Contrast], labels: dict[str, str], mean: Mean, found: Comparisons
) -> list[Table]:
    """One row for each score and pair."""
    rows: list[Labelled] = [
        ((label, *each.systems), _written(getattr(each, mean)[key]))
        for key, label in labels.items()
        for each in contrasts
        if key in getattr(each, mean)
    ]
    several = len(contrasts) > 1
    columns = [column for column in DIFFERENCE_COLUMNS if several or column.key != "p_holm"]
    title = f"Differences, {mean}, with {found.confidence.level:.0%} intervals"
    return [make_table("differences", title, LABELS, columns, rows)] if rows else []


def _written(values: Difference) -> JsonObject:
    """The values with p-values as they are written in print."""
    words = {
        key: p_words(getattr(values, key)).removeprefix("p ").removeprefix("= ")
        for key in ("p", "p_holm")
    }
    return asdict(values) | words


def _sentences(
    contrasts: Sequence[Contrast], spoken: Spoken, mean: Mean, told: Resampled
) -> Iterator[str]:
    """What the differences on the main scores say."""
    for key, (label, lower) in spoken.items():
        for each in contrasts:
            values = getattr(each, mean)
            if key in values:
                yield in_words(each.systems, label, values[key], told, lower=lower)


def _pairing_notes(found: Comparisons, labels: dict[str, str]) -> Iterator[str]:
    """On how many documents macro scores are compared, where some have the score of one only."""
    every = found.confidence.units
    for key, label in labels.items():
        for each in found.comparisons:
            values = each.macro.get(key)
            both = values.better + values.equal + values.worse if values else every
            if both < every:
                names, of = " and ".join(each.systems), f"{both:,} of {every:,} documents"
                yield f"{label} of {names} is compared on {of}, those where both are defined."


def _spoken(keys: Sequence[str], labels: dict[str, str], scores: Catalog) -> Spoken:
    return {key: (labels[key], scores.is_lower_better(key)) for key in keys}


def _dagger_note(tables: Sequence[Table], found: Comparisons) -> tuple[str, ...]:
    if not any(table.daggers for table in tables):
        return ()
    alpha = shown(round(1 - found.confidence.level, 6))
    corrected = ", after Holm's correction" if len(found.comparisons) > 1 else ""
    return (f"† differs from {found.baseline}: p < {alpha.rstrip('0')}{corrected}.",)


def _records(found: Comparisons, keys: Sequence[str]) -> tuple[dict[str, Cell], ...]:
    """Every comparison in full, with annotators too, of all scores or of those requested."""
    people = found.ceiling.comparisons if found.ceiling else ()
    means: tuple[Mean, ...] = ("micro", "macro")
    return tuple(
        {
            "system": each.systems[0],
            "minus": each.systems[1],
            "mean": mean,
            "score": key,
            **asdict(values),
        }
        for each in (*found.comparisons, *people)
        for mean in means
        for key, values in getattr(each, mean).items()
        if (key in keys or not keys) and not math.isnan(values.difference)
    )
