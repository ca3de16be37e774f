"""Rows into the summary of a task: what is printed, drawn and written as JSON."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol

from caesura import __version__
from caesura.align.axis import ALIGNMENT, AlignmentCounts
from caesura.core.counts import NAN, mean, pearson
from caesura.core.results import (
    Ceiling,
    Corpus,
    ReferenceAgreement,
    Spread,
    Streams,
    Summary,
    System,
    TaskName,
    Version,
)
from caesura.core.row import Row, SourceCounts
from caesura.core.score import Scores, values
from caesura.run.cases import natural
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.ledger import (
    Ledger,
    against,
    ceiling_scores,
    reference_pairs,
    reference_scores,
    system_scores,
)

SPREADS = {"part": "parts", "talker": "within_talker"}
Names = Sequence[str]


class Signed(Protocol):
    """A task, as far as a summary has to know it: its signature."""

    def signature(
        self, command: str, forms: Sequence[str], references: int, documents: int
    ) -> dict[str, object]:
        """Every option that can change a number."""
        ...


def summarize(
    command: TaskName, rows: Sequence[Row], systems: Names, references: Names, task: Signed
) -> Summary:
    """The summary of `caesura COMMAND`, from rows alone."""
    scores = catalog(command)
    whole = [row for row in rows if row.is_whole]
    documents = _by_document(whole)
    ledger = Ledger.from_rows(whole)
    names = [name for name in (*references, *systems) if ledger.named("source", name)]
    summary = Summary(
        caesura=__version__,
        task=command,
        signature=_signature(command, task, ledger, len(references), len(documents)),
        options=asdict(task),  # type: ignore[call-overload]
        references=tuple(references),
        documents=tuple(documents),
        sources={name: _version(ledger, name) for name in names},
        systems=tuple(_system(name, ledger, documents, references, scores) for name in systems),
    )
    further = FURTHER.get(command)
    return further(summary, rows, ledger, documents, scores) if further else summary


def _signature(command: str, task: Signed, ledger: Ledger, references: int, documents: int) -> str:
    read = [each for each in ledger.counts.values() if isinstance(each, SourceCounts)]
    forms = sum(read, SourceCounts.zero()).forms
    fields = {"caesura": __version__, "task": command}
    told = fields | task.signature(command, forms, references, documents)
    return "|".join(f"{name}:{value}" for name, value in told.items())


def _by_document(rows: Sequence[Row]) -> dict[str, Ledger]:
    parts: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        parts[row.document].append(row)
    return {name: Ledger.from_rows(part) for name, part in parts.items()}


def _version(ledger: Ledger, name: str) -> Version:
    read = sum(ledger.named("source", name), SourceCounts.zero())
    return Version(words=read.words, units=read.units, alignment=_alignment(name, ledger))


def _alignment(name: str, ledger: Ledger) -> Scores:
    """Word errors against the axis; with several documents the axes may be several."""
    found = ledger.named("alignment", name)
    return values(ALIGNMENT, sum(found, AlignmentCounts.zero())) if found else {}


def _system(
    name: str, ledger: Ledger, documents: dict[str, Ledger], references: Names, scores: Catalog
) -> System:
    each = {
        document: system_scores(part, name, references, scores)
        for document, part in documents.items()
    }
    micro = system_scores(ledger, name, references, scores)
    kept = [key for key in micro if all(key in one for one in each.values())]
    by_document = {document: {key: one[key] for key in kept} for document, one in each.items()}
    has_pairs = any(measure.kind == "pair" for measure in scores.measures)
    return System(
        name=name,
        micro={key: micro[key] for key in kept},
        macro=mean_scores(list(by_document.values())),
        macro_undefined=undefined(list(by_document.values())),
        by_document=by_document,
        by_reference={
            reference: against(ledger, name, reference, scores)
            for reference in (references if has_pairs else ())
        },
        alignment=_alignment(name, ledger),
    )


def mean_scores(each: Sequence[Scores]) -> Scores:
    """The mean of every score where it is defined."""
    return _over(each, mean)


def undefined(each: Sequence[Scores]) -> dict[str, int]:
    """How often scores are undefined, for those that are."""
    counted = _over(each, lambda values: sum(math.isnan(value) for value in values))
    return {name: number for name, number in counted.items() if number}


def _over(each: Sequence[Scores], reduce: Callable[[list[float]], Any]) -> Scores:
    return {name: reduce([scores[name] for scores in each]) for name in each[0]} if each else {}


Further = Callable[[Summary, Sequence[Row], Ledger, dict[str, Ledger], Catalog], Summary]


def _with_references(
    summary: Summary,
    rows: Sequence[Row],
    ledger: Ledger,
    documents: dict[str, Ledger],
    scores: Catalog,
) -> Summary:
    """Add the agreement of the references, the human ceiling, axes and streams."""
    references, systems = summary.references, [system.name for system in summary.systems]
    return replace(
        summary,
        axes=_axes(documents) if summary.options["align"] else {},
        agreement=_agreement(ledger, documents, references, scores),
        ceiling=_ceiling(ledger, references, systems, scores) if len(references) > 2 else None,
        streams=_streams(summary, rows, scores),
    )


def _axes(documents: dict[str, Ledger]) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    return {
        document: key.reference or ""
        for document, ledger in documents.items()
        for key in ledger.counts
        if key.measure == "alignment"
    }


def _agreement(
    ledger: Ledger, documents: dict[str, Ledger], references: Names, scores: Catalog
) -> ReferenceAgreement:
    by_document = {
        name: reference_scores(each, references, scores) for name, each in documents.items()
    }
    each = list(by_document.values())
    return ReferenceAgreement(
        micro=reference_scores(ledger, references, scores),
        macro=mean_scores(each),
        by_document=by_document,
        pairs=reference_pairs(ledger, references, scores),
        pearson_rgar_fleiss_kappa=pearson(
            [one["rgar"] for one in each], [one["fleiss_kappa"] for one in each]
        ),
    )


def _ceiling(ledger: Ledger, references: Names, systems: Names, scores: Catalog) -> Ceiling:
    people = {name: ceiling_scores(ledger, name, references, scores) for name in references}
    return Ceiling(
        human=mean_scores(list(people.values())),
        annotators=people,
        systems={name: ceiling_scores(ledger, name, references, scores) for name in systems},
    )


def _streams(summary: Summary, rows: Sequence[Row], scores: Catalog) -> Streams | None:
    """Every system's scores by speaker or channel, where these were requested."""
    kind = summary.options["streams"] or summary.options["by"]
    if not kind or not summary.systems:
        return None
    apart: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.stream is not None:
            apart[row.stream].append(row)
    by_name = sorted(apart.items(), key=lambda item: natural(item[0]))
    ledgers = {stream: Ledger.from_rows(part) for stream, part in by_name}
    return Streams(
        kind=kind,
        by_stream={
            stream: {
                system.name: system_scores(ledger, system.name, summary.references, scores)
                for system in summary.systems
            }
            for stream, ledger in ledgers.items()
        },
    )


def _of_corpus(
    summary: Summary,
    rows: Sequence[Row],
    ledger: Ledger,
    documents: dict[str, Ledger],  # noqa: ARG001
    scores: Catalog,
) -> Summary:
    """Add the gold's size, and the scores of parts and talkers; a corpus is one document."""
    gold = next(each for each in ledger.counts.values() if isinstance(each, SourceCounts))
    corpus = Corpus(recordings=gold.documents, words=gold.words, phones=gold.units)
    systems = tuple(
        replace(
            system,
            macro={},
            macro_undefined={},
            by_document={},
            spreads=_spreads(system.name, rows, scores),
        )
        for system in summary.systems
    )
    return replace(summary, systems=systems, gold=corpus, sources={})


def _spreads(system: str, rows: Sequence[Row], scores: Catalog) -> dict[str, Spread]:
    found: dict[str, dict[str, Scores]] = {}
    for row in rows:
        if row.system == system and row.scope in SPREADS:
            each = system_scores(Ledger.from_rows([row]), system, (), scores)
            rates = {key: value for key, value in each.items() if not is_count(key, scores)}
            found.setdefault(SPREADS[row.scope], {})[row.document] = rates
    return {name: _spread(each) for name, each in found.items()}


def is_count(key: str, scores: Catalog) -> bool:
    """Whether the value of a key is a count, not a rate."""
    return scores.systems[key].score.is_count


def _spread(each: dict[str, Scores]) -> Spread:
    """The mean and the standard deviation (of the population)."""
    parts = list(each.values())
    return Spread(
        mean=mean_scores(parts), std=_over(parts, _deviation), undefined=undefined(parts), each=each
    )


def _deviation(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return NAN
    middle = mean(defined)
    return math.sqrt(mean([(value - middle) ** 2 for value in defined]))


FURTHER: dict[str, Further] = {
    "transcript": _with_references,
    "agreement": _with_references,
    "terms": _of_corpus,
}
"""What a task's summary has besides the scores of systems."""
