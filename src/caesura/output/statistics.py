"""Tables of statistics: intervals, and what `caesura compare` and `caesura correlate` show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from caesura.core.comparisons import Comparisons, Contrast, Correlations, Difference
from caesura.core.results import Interval, Mean, System
from caesura.core.score import Column, Scores
from caesura.core.summary import Summary
from caesura.errors import UsageError
from caesura.output.tables import (
    CEILING,
    DAGGER,
    HUMAN,
    Cell,
    Labelled,
    Page,
    Records,
    Table,
    ceiling_rows,
    columns,
    make_table,
    pointed,
    shown,
)
from caesura.scores.catalog import Catalog, catalog
from caesura.stats.samples import scorer
from caesura.stats.significance import TIE

MEANS: tuple[Mean, ...] = ("micro", "macro")
SUMS: dict[str, Mean] = {"(micro)": "micro", "(macro)": "macro"}
END_COLUMNS = (Column("score", "value"), Column("low", "low"), Column("high", "high"))
DIFFERENCE_COLUMNS = (
    *(Column(name, name) for name in ("difference", "low", "high", "p")),
    Column("p Holm", "p_holm"),
    Column("d", "effect_size"),
    *(Column(name, name, is_count=True) for name in ("better", "equal", "worse")),
)
Scored = tuple[tuple[str, str], float, Interval]
"""A score by its two labels, and the ends of its interval."""


def with_statistics(page: Page, summary: Summary) -> Page:
    """The page with intervals and comparisons, where the summary has them."""
    if summary.confidence is not None:
        notes = (*page.notes, *summary.confidence.notes)
        if summary.task.resampled != "document":
            notes += ("No intervals for types, groups and NED, which span several recordings.",)
        page = replace(
            page,
            tables=(*page.tables, *_interval_tables(summary)),
            notes=notes,
            records=_extended(page.records, summary),
        )
    if summary.comparison is not None:
        other = compare_page(summary.comparison)
        added = [note for note in other.notes if not note.startswith(DAGGER)]
        page = replace(
            page,
            tables=(*page.tables, *other.tables[1:]),
            notes=tuple(dict.fromkeys((*page.notes, *added))),
        )
    return page


def _interval_tables(summary: Summary) -> Iterator[Table]:
    """The intervals of the systems for each mean, of the agreement and of the ceiling."""
    known = scorer(catalog(*summary.kind), summary.references).labels
    scored: list[Scored]
    for mean in MEANS if len(summary.documents) > 1 else MEANS[:1]:
        labels = defined_labels(known, summary.systems, mean)
        scored = [
            ((label, system.name), getattr(system, mean)[key], ends[key])
            for key, label in labels.items()
            for system in summary.systems
            for ends in [(system.confidence or {}).get(mean, {})]
            if key in ends and key in getattr(system, mean)
        ]
        if scored:
            yield _interval_table(summary, mean, f"{mean} scores", ("measure", "system"), scored)
    agreement, ceiling = summary.agreement, summary.ceiling
    if agreement and agreement.confidence:
        scored = [
            ((column.title, mean), getattr(agreement, mean)[column.key], ends[column.key])
            for mean, ends in agreement.confidence.items()
            for column in columns(summary, "agreement")
            if not math.isnan(getattr(agreement, mean).get(column.key, math.nan))
        ]
        title, pair = "the references' agreement", ("coefficient", "mean")
        if scored:
            yield _interval_table(summary, "agreement", title, pair, scored)
    if ceiling and ceiling.confidence:
        found = ceiling.confidence
        people = {f"{name} (person)": ends for name, ends in found.annotators.items()}
        every = {**found.systems, **people, HUMAN: found.human}
        scored = [
            ((column.title, name), values[column.key], every[name][column.key])
            for column in columns(summary, "ceiling")
            for name, values in ceiling_rows(summary)
        ]
        yield _interval_table(summary, "ceiling", "the human ceiling", ("measure", "who"), scored)


def _interval_table(
    summary: Summary, kind: str, what: str, labels: tuple[str, str], scored: Iterable[Scored]
) -> Table:
    level = summary.confidence.level if summary.confidence else math.nan
    rows: list[Labelled] = [
        (names, {"value": float(value), "low": low, "high": high})
        for names, value, (low, high) in scored
    ]
    title = f"{level:.0%} intervals of {what}"
    return make_table(f"intervals-{kind}", title, labels, END_COLUMNS, rows)


def _extended(records: Iterable[Mapping[str, Cell]], summary: Summary) -> Records:
    """The lines of CSV with the ends of the intervals; documents have none."""
    known, references = catalog(*summary.kind), len(summary.references)

    def extended(record: Mapping[str, Cell]) -> Scores:
        mean = SUMS.get(str(record["document"]))
        if "system" in record:
            (owner,) = [own.confidence for own in summary.systems if own.name == record["system"]]
        else:
            owner = summary.agreement.confidence if summary.agreement else None
        every = owner or {}
        ends = known.with_short_names(every.get(mean, {}) if mean else {}, references)
        result: Scores = dict(record)
        for key in known.with_short_names(every.get("micro", {}), references):
            if key in record or key not in known.systems:
                result[f"{key}_low"], result[f"{key}_high"] = ends.get(key, (None, None))
        return result

    return Records(lambda: map(extended, records))


def defined_labels(
    labels: dict[str, str], systems: Sequence[System], mean: Mean = "micro"
) -> dict[str, str]:
    """The scores, with their labels, that some system has."""
    return {
        key: label
        for key, label in labels.items()
        if any(not math.isnan(getattr(each, mean).get(key, math.nan)) for each in systems)
    }


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
    scores = how.catalog
    keys = [scores.find(name, found.systems[0].micro) for name in measures]
    labels = {key: scores.systems[key].label for key in keys}
    labels = labels or defined_labels(how.labels, found.systems, mean)
    main = {key: labels[key] for key in keys or scores.shown("headline") if key in labels}
    tables = [_score_table(found, labels, mean, scores)]
    tables += _difference_tables(found.comparisons, labels, mean, found)
    notes = list(_sentences(found.comparisons, main, mean, found.confidence.level, scores))
    if found.ceiling is not None:
        people = scorer(catalog(*found.of), found.references, is_ceiling=True)
        reached = defined_labels(people.labels, found.ceiling.systems)
        reached = {key: label for key, label in reached.items() if key in keys or not keys}
        contrasts, first = found.ceiling.comparisons, dict(list(reached.items())[:1])
        others = _difference_tables(contrasts, reached, "micro", found)
        tables += [replace(table, id="differences-ceiling", title=CEILING) for table in others]
        notes += _sentences(contrasts, first, "micro", found.confidence.level, people.catalog)
    if mean == "macro":
        notes += _pairing_notes(found, labels)
    if any(table.daggers for table in tables):
        alpha = shown(round(1 - found.confidence.level, 6)).rstrip("0")
        corrected = ", after Holm's correction" if len(found.comparisons) > 1 else ""
        notes.append(f"{DAGGER} differs from {found.baseline}: p < {alpha}{corrected}.")
    notes += found.confidence.notes
    return Page(tuple(tables), tuple(notes), found.signature, _records(found, keys))


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
    """One row for each score and pair, with p-values as they are written in print."""
    rows: list[Labelled] = []
    for key, label in labels.items():
        for contrast in contrasts:
            values = getattr(contrast, mean).get(key)
            if values is not None:
                cells = asdict(values)
                for p in ("p", "p_holm"):
                    cells[p] = p_words(cells[p]).removeprefix("p ").removeprefix("= ")
                rows.append(((label, *contrast.systems), cells))
    several = len(contrasts) > 1
    columns = [column for column in DIFFERENCE_COLUMNS if several or column.key != "p_holm"]
    title = f"Differences, {mean}, with {found.confidence.level:.0%} intervals"
    labelled = ("score", "system", "minus")
    return [make_table("differences", title, labelled, columns, rows)] if rows else []


def _sentences(
    contrasts: Sequence[Contrast],
    labels: Mapping[str, str],
    mean: Mean,
    level: float,
    scores: Catalog,
) -> Iterator[str]:
    """What the differences on some scores say."""
    for key, label in labels.items():
        lower = scores.is_lower_better(key)
        for contrast in contrasts:
            values = getattr(contrast, mean).get(key)
            if values is not None:
                yield in_words(contrast.systems, label, values, level, lower=lower)


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


def _records(found: Comparisons, keys: Sequence[str]) -> tuple[dict[str, Cell], ...]:
    """Every comparison in full, with annotators too, of all scores or of those requested."""
    people = found.ceiling.comparisons if found.ceiling else ()
    return tuple(
        {"system": one, "minus": other, "mean": mean, "score": key, **asdict(values)}
        for each in (*found.comparisons, *people)
        for one, other in [each.systems]
        for mean in MEANS
        for key, values in getattr(each, mean).items()
        if (key in keys or not keys) and not math.isnan(values.difference)
    )


def is_significant(values: Difference, level: float) -> bool:
    """Whether a difference is significant."""
    return bool(values.p_holm < 1 - level)


def in_words(
    pair: tuple[str, str], label: str, values: Difference, level: float, *, lower: bool
) -> str:
    """One comparison as a sentence; its numbers point to where its word does."""
    one, other = pair
    gap = values.difference
    if math.isnan(gap):
        return f"{one} and {other} cannot be compared on {label}: it is undefined."
    if abs(gap) < TIE:
        return f"{one} and {other} are equal on {label}."
    word = "worse" if (gap < 0) != lower else "better"
    ends = (values.low, values.high) if gap > 0 else (-values.high, -values.low)
    low, high = (pointed(end) for end in ends)
    verdict = "significant" if is_significant(values, level) else "not significant"
    return (
        f"{one} is {word} than {other} on {label} by {pointed(abs(gap))}, "
        f"{level:.0%} {low} to {high}, {p_words(values.p_holm)}: {verdict}."
    )


def p_words(value: float) -> str:
    """A p-value as printed.

    >>> p_words(0.5512), p_words(0.0002)
    ('p = .551', 'p < .001')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 0.001:
        return "p < .001"
    return f"p = {pointed(value, digits=4 if round(value, 3) == 0.05 else 3)}"


def correlate_page(found: Correlations) -> Page:
    """One row for each pair of scores; those over systems have a table of their own."""
    from caesura.stats.correlation import COEFFICIENTS

    columns = [Column("points", "points", is_count=True)]
    for name in COEFFICIENTS:
        columns += [Column(name.capitalize(), name)]
        columns += [Column(end, f"{name}_{end}") for end in ("low", "high")]
    scores = catalog(*found.of)
    labels = {key: entry.label for key, entry in {**scores.references, **scores.systems}.items()}
    rows: dict[str, list[Labelled]] = {pair.over: [] for pair in found.pairs} or {"documents": []}
    records = []
    for pair in found.pairs:
        cells: dict[str, Cell] = {"points": pair.points}
        for name in COEFFICIENTS:
            value = getattr(pair, name)
            cells |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        rows[pair.over].append((tuple(labels.get(key, key) for key in pair.measures), cells))
        score, other = pair.measures
        records.append({"score": score, "with": other, "over": pair.over, **cells})
    ids = {"documents": "correlations", "systems": "system-correlations"}
    tables = tuple(
        make_table(ids[over], f"Correlations over {over}", ("score", "with"), columns, own)
        for over, own in rows.items()
    )
    return Page(tables, found.confidence.notes, found.signature, records)
