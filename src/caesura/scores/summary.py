"""Rows into the summary of a task: what is printed, drawn and written as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol

from caesura import __version__
from caesura.core.counts import NAN, Matches, mean
from caesura.core.profiles import SCORE, kind_of
from caesura.core.results import (
    UNIT_FIELDS,
    Corpus,
    Spread,
    Summary,
    TaskName,
    Version,
)
from caesura.core.row import Key, Row, SourceCounts
from caesura.core.rows import Rows
from caesura.core.score import Scores, values
from caesura.measures.brackets import LENGTH_NAMES, Breakdown, BreakdownCounts
from caesura.measures.corrections import CorrectionCounts, Types, main_type
from caesura.measures.morphs import Categories, CategoryCounts
from caesura.scores.book import Book, by_document
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.ceiling import ceiling
from caesura.scores.ledger import Ledger, system_scores
from caesura.scores.notes import UNIT, left_out, notes
from caesura.scores.pairs import Pairs
from caesura.scores.reading import Place
from caesura.scores.streams import streams_of
from caesura.scores.systems import (
    alignment,
    alignment_of_each,
    scored_references,
    scored_systems,
)

UNITS = {
    "text": "sentence",
    "trees": "sentence",
    "corrections": "sentence",
    "morphemes": "line",
    "sentences": "segment",
}
"""What units are called, where not that."""
SPREADS = {"part": "parts", "talker": "within_talker"}
Names = Sequence[str]


class Signed(Protocol):
    """A task, as far as a summary has to know it: its signature."""

    def signature(
        self, command: str, forms: Sequence[str], references: int, documents: int
    ) -> dict[str, object]:
        """Every option that can change a score."""
        ...


def summarize(  # noqa: PLR0913
    command: TaskName,
    rows: Sequence[Row],
    systems: Names,
    references: Names,
    task: Signed,
    *,
    place: Place | None = None,
    profile: str = "",
) -> Summary:
    """The summary of `caesura COMMAND`, from rows alone; `place` names files in warnings."""
    scores, kept = catalog(kind_of(profile, command)), Rows.from_rows(rows)
    book = Book.from_rows(kept, by_document)
    ledger = Ledger(book.counts)
    names = [name for name in (*references, *systems) if ledger.named("source", name)]
    keeps_end = getattr(task, "final", "") == "keep"
    told = notes(book.sheet, references, place, UNITS.get(command, UNIT), keeps_end=keeps_end)
    summary = Summary(
        caesura=__version__,
        task=command,
        profile=profile,
        signature=_signature(command, task, book, references, profile),
        options=_options(task),
        references=tuple(references),
        documents=book.labels,
        sources={name: _version(book, ledger, name) for name in names},
        systems=scored_systems(book, ledger, systems, references, scores),
        notes=told.read,
        warnings=(*told.warnings, *_warned(task, _forms(book))),
    )
    further = FURTHER.get(command)
    return further(summary, kept, book, scores) if further else summary


def with_skipped(
    summary: Summary, missing: Mapping[str, str], failed: Mapping[str, str] | None = None
) -> Summary:
    """The summary with the documents that are left out, and with warnings of those missing.

    Those that failed are reported one by one, as errors are.
    """
    skipped = {**missing, **(failed or {})}
    told = left_out(missing, len(summary.documents) + len(skipped) - len(missing))
    return replace(summary, skipped=skipped, warnings=(*told, *summary.warnings))


def _options(task: Signed) -> dict[str, Any]:
    """The options of a task, without what users do not give."""
    found: dict[str, Any] = asdict(task)  # type: ignore[call-overload]
    return {name: value for name, value in found.items() if name not in UNIT_FIELDS}


def _signature(command: str, task: Signed, book: Book, references: Names, profile: str) -> str:
    fields = {"caesura": __version__, "task": SCORE if profile else command}
    fields |= {"profile": profile} if profile else {}
    told = fields | task.signature(command, _forms(book), len(references), len(book))
    return "|".join(f"{name}:{value}" for name, value in told.items())


def _forms(book: Book) -> Sequence[str]:
    """The forms in which files came."""
    read = book.total.tallies.get(SourceCounts)
    every: Any = sum(read.each() if read else (), SourceCounts.zero())
    forms: Sequence[str] = every.forms
    return forms


def _warned(task: Signed, forms: Sequence[str]) -> Sequence[str]:
    """What a task says of its options, given the forms of the files."""
    warnings: Callable[[Sequence[str]], Sequence[str]] = getattr(task, "warnings", lambda _: ())
    return warnings(forms)


def _version(book: Book, ledger: Ledger, name: str) -> Version:
    read = sum(ledger.named("source", name), SourceCounts.zero())
    return Version(
        words=read.words,
        units=read.units,
        alignment=alignment(name, ledger),
        by_document=alignment_of_each(name, book),
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


Further = Callable[[Summary, Rows, Book, Catalog], Summary]


def _with_references(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:
    """Add the agreement of the references, the human ceiling, axes and streams."""
    references, systems = summary.references, [system.name for system in summary.systems]
    pairs = Pairs.from_layout(book.sheet.layout, references, references)
    axes = _axes(rows, book) if summary.options["align"] or summary.options.get("su") else {}
    return replace(
        summary,
        words=_words(book, axes, references[0]),
        axes=axes,
        agreement=scored_references(book, pairs, scores),
        ceiling=ceiling(book.total, pairs, systems, scores) if len(references) > 2 else None,
        streams=streams_of(summary, rows, scores),
    )


def _with_words(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add how many words the reference has."""
    return replace(summary, words=_words(book, {}, summary.references[0]))


def _axes(rows: Rows, book: Book) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    found: dict[str, tuple[int, str]] = {}
    for sheet in rows.sheets:
        axes = [key.reference or "" for key in sheet.layout.keys if key.measure == "alignment"]
        units = zip(sheet.documents, sheet.portions, sheet.order.tolist(), strict=True)
        for document, portion, order in units if axes else ():
            if portion.is_whole:
                found[document] = max((order, axes[-1]), found.get(document, (-1, "")))
    return {document: found[document][1] for document in book.labels if document in found}


def _words(book: Book, axes: Mapping[str, str], first: str) -> int:
    """The words of all documents: of the reference that is the axis, or of the first."""
    names, layout = [axes.get(document, first) for document in book.labels], book.sheet.layout
    read = book.sheet.tallies.get(SourceCounts)
    places = {name: layout.place(Key(name, "source", None)) for name in {*names}}
    if read is None or not all(places.values()):
        return 0
    numbers = [place[1] for name in names if (place := places[name])]
    return int(read.values[read.items.index("words"), numbers, range(len(book))].sum())


def _of_corpus(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:
    """Add the gold's size, and the scores of parts and talkers; a corpus is one document."""
    gold: Any = next(book.total.tallies[SourceCounts].each())
    corpus = Corpus(recordings=gold.documents, words=gold.words, phones=gold.units)
    spreads = _spreads(rows, scores)
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


def _with_groups(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of brackets by label, the most frequent first, and by length."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = tuple(
        replace(system, groups=_groups(ledger.get(Breakdown, system.name, gold)))
        for system in summary.systems
    )
    return replace(summary, systems=systems)


def _with_types(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of edits by type, the most frequent first, by operation and by main type."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = []
    for system in summary.systems:
        counts: BreakdownCounts = ledger.get(Types, system.name, gold)
        kinds = {kind: counts.of(kind) for kind in ("type", "operation")}
        main: dict[str, Matches] = {}
        for name, each in kinds["type"].items():
            main[main_type(name)] = main.get(main_type(name), Matches(0, 0, 0)) + each
        groups = {f"by_{kind}": _edits(own) for kind, own in (kinds | {"main": main}).items()}
        systems.append(replace(system, groups=groups))
    return replace(summary, systems=tuple(systems))


def _edits(groups: Mapping[str, Matches]) -> dict[str, Scores]:
    """The scores of groups of edits, the most frequent first."""
    frequent = sorted(groups.items(), key=lambda own: -own[1].tp - own[1].fn)
    return {
        name: values(Types.of_group, CorrectionCounts(each.tp, each.fp, each.fn))
        for name, each in frequent
    }


def _with_categories(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of morphs by category, if lines have any, in the order of their names."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = []
    for system in summary.systems:
        counts: CategoryCounts = ledger.get(Categories, system.name, gold)
        every = counts.each_category()
        own = {name: values(Categories.of_group, each) for name, each in every.items()}
        systems.append(replace(system, groups={"by_category": own} if own else {}))
    return replace(summary, systems=tuple(systems))


def _groups(counts: BreakdownCounts) -> dict[str, dict[str, Scores]]:
    labels = sorted(counts.of("label").items(), key=lambda each: -each[1].tp - each[1].fn)
    lengths = counts.of("length")
    by_length = [(name, lengths[name]) for name in LENGTH_NAMES if name in lengths]
    return {
        "by_label": {name: values(Breakdown.of_group, each) for name, each in labels},
        "by_length": {name: values(Breakdown.of_group, each) for name, each in by_length},
    }


def _spreads(rows: Rows, scores: Catalog) -> dict[str | None, dict[str, Spread]]:
    """For each system the scores of parts and talkers."""
    found: dict[str | None, dict[str, dict[str, Scores]]] = {}
    for row in rows:
        if row.system is not None and row.scope in SPREADS:
            each = system_scores(Ledger.from_rows([row]), row.system, (), scores)
            rates = {key: value for key, value in each.items() if not is_count(key, scores)}
            own = found.setdefault(row.system, {})
            own.setdefault(SPREADS[row.scope], {})[row.document] = rates
    return {
        system: {name: _spread(each) for name, each in own.items()} for system, own in found.items()
    }


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
    "trees": _with_groups,
    "corrections": _with_types,
    "morphemes": _with_categories,
    "sentences": _with_words,
    "terms": _of_corpus,
}
"""What a task's summary has besides the scores of systems."""
