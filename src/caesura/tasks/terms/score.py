"""Terms from end to end: what systems find in speech, whose phones and words are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from caesura.core.counts import NAN
from caesura.core.mean import mean
from caesura.core.option import OptionValues
from caesura.core.results import Corpus, Spread
from caesura.core.row import SOURCE
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import number
from caesura.output.tables import Labelled, Page, Table, make_table, shared_columns
from caesura.run.given import Plan, Sides, sources
from caesura.run.inputs import Case, require_distinct, require_one_stdin, with_distinct_names
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.rules import system_scores
from caesura.scores.summarize import Counted, mean_scores, over, summary_of_scores, undefined
from caesura.scores.systems import dicts
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.terms.counting import CORPUS, TermsTask
from caesura.tasks.terms.measures import KINDS
from caesura.tasks.terms.speech import as_clusters, as_intervals

SPREADS = {"part": ("parts", "parts"), "talker": ("within_talker", "talkers")}
"""For each scope the key of its spread, and what it is a mean over."""


def score_terms(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score terms that systems found in speech; all of it is one case."""
    systems = sides.systems
    if isinstance(systems, Mapping):
        systems = {n: as_clusters(v) if isinstance(v, Mapping) else v for n, v in systems.items()}
    versions = with_distinct_names(
        [version for source in sources(systems, as_clusters) for version in source.each()]
    )
    tiers = {"phones": sides.phones, "words": sides.words}
    gold = {tier: as_intervals(value, tier) for tier, value in tiers.items()}
    paths = [version.path for version in versions if version.value is None]
    require_one_stdin([*paths, *(value for value in gold.values() if isinstance(value, str))])
    names = [version.name for version in versions]
    require_distinct(names)
    case = Case(CORPUS, {version.name: version.version for version in versions}, gold)
    plan = prepared(Plan(task, TermsTask.from_given(given), [case], names, ["gold"]), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of terms: with the gold's size, and scores of parts and talkers.

    A corpus is one document, of which there is no mean.
    """
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents)
    if not documents:
        return summary
    gold: Any = next(documents.total.measures[SOURCE].each())
    corpus = Corpus(recordings=gold.documents, words=gold.words, phones=gold.units)
    spreads = spreads_of(counted.table, [*counted.systems], catalog(*counted.kind))
    no_mean: dict[str, Any] = {"macro": {}, "macro_undefined": {}, "by_document": {}}
    systems = tuple(
        replace(system, **no_mean, spreads=spreads[system.name]) for system in summary.systems
    )
    return replace(summary, systems=systems, gold=corpus, sources={}, notes=(), warnings=())


def spreads_of(
    table: CountTable, systems: list[str], scores: Catalog
) -> dict[str, dict[str, Spread]]:
    """For each system the scores of parts and talkers, with their mean and standard deviation."""
    spreads: dict[str, dict[str, Spread]] = {name: {} for name in systems}
    for scope, (key, _) in SPREADS.items():
        units = table.sum(lambda name, portion: name if portion.scope == scope else None)  # noqa: B023
        if not len(units):
            continue
        columns = system_scores(units, systems, (), scores)
        rates = [key for key in columns if not scores.systems[key].score.is_count]
        for at, name in enumerate(systems):
            values = dicts({rate: columns[rate][at] for rate in rates}, len(units))
            spreads[name][key] = Spread(
                mean=mean_scores(values),
                std=over(values, _deviation),
                undefined=undefined(values),
                each=dict(zip(units.documents, values, strict=True)),
            )
    return spreads


def _deviation(values: list[float]) -> float:
    """The standard deviation of a population, of the values that are defined."""
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return NAN
    middle = mean(defined)
    return math.sqrt(mean([(value - middle) ** 2 for value in defined]))


def terms_page(summary: Summary, **_: object) -> Page:
    """What `caesura terms` shows; a corpus is one document, so there is no table by document."""
    systems, n, gold = summary.systems, len(summary.systems), summary.gold
    assert gold is not None
    title = (
        f"Against {number(gold.words, 'word')} and {number(gold.phones, 'phone')} "
        f"in {number(gold.recordings, 'recording')}, profile {summary.options['profile']}"
    )
    # One row for each kind of unit and system; all kinds have the same columns.
    first = next(iter(KINDS))
    of_units = shared_columns(summary.task, first, first)
    units: list[Labelled] = [
        ((kind, system.name), {c.key: system.micro[f"{kind}_{c.key}"] for c in of_units})
        for kind in KINDS
        for system in systems
    ]
    others: list[Labelled] = [((system.name,), system.micro) for system in systems]
    columns = catalog(*summary.task_kind).columns("other")
    tables = (
        make_table("units", title, ("measure", "system"), of_units, units).in_groups(n),
        make_table("other", "Clusters and boundaries", ("system",), columns, others).in_groups(n),
        *_spread_tables(summary),
    )
    notes = tuple(
        f"{system.name}: {number(system.micro['dropped'], 'interval')} dropped for covering too "
        "little of any phone."
        for system in systems
        if system.micro["dropped"]
    )
    records = tuple({"system": s.name, "document": "(micro)", **s.micro} for s in systems)
    return Page(tables, notes, summary.signature, records)


def _spread_tables(summary: Summary) -> list[Table]:
    """The whole corpus, and the mean over parts and over talkers."""
    rows: list[Labelled] = []
    for system in summary.systems:
        rows += [((system.name, "whole corpus"), system.micro)] if system.spreads else []
        for key, noun in SPREADS.values():
            if key in system.spreads:
                spread = system.spreads[key]
                rows.append(((system.name, f"mean over {len(spread.each)} {noun}"), spread.mean))
                rows.append(((system.name, "standard deviation"), spread.std))
    columns = catalog(*summary.task_kind).columns("spread")
    columns = [replace(column, better=None) for column in columns]
    title = "Whole corpus, parts, and within talkers"
    return [make_table("spread", title, ("system", "over"), columns, rows)] if rows else []
