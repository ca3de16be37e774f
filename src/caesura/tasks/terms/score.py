"""Terms from end to end: what systems find in speech, whose phones and words are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from caesura.core.option import OptionValues
from caesura.core.results import Corpus
from caesura.core.row import SOURCE
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.run.given import Plan, Sides, sources
from caesura.run.inputs import Case, require_distinct, require_one_stdin, with_distinct_names
from caesura.scores.catalog import catalog
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.terms.counting import CORPUS, TermsTask
from caesura.tasks.terms.spreads import spreads_of
from caesura.tasks.terms.values import as_clusters, as_intervals


def score_terms(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score terms that systems found in speech; all of it is one case."""
    systems = sides.systems
    if isinstance(systems, Mapping):
        systems = {n: as_clusters(v) if isinstance(v, Mapping) else v for n, v in systems.items()}
    every = with_distinct_names(
        [each for source in sources(systems, as_clusters) for each in source.each()]
    )
    tiers = {"phones": sides.phones, "words": sides.words}
    gold = {tier: as_intervals(each, tier) for tier, each in tiers.items()}
    paths = [source.path for source in every if source.value is None]
    require_one_stdin([*paths, *(each for each in gold.values() if isinstance(each, str))])
    names = [source.name for source in every]
    require_distinct(names)
    case = Case(CORPUS, {source.name: source.version for source in every}, gold)
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
    systems = tuple(
        replace(
            system,
            macro={},
            macro_undefined={},
            by_document={},
            spreads=spreads.get(system.name, {}),
        )
        for system in summary.systems
    )
    return replace(summary, systems=systems, gold=corpus, sources={}, notes=(), warnings=())
