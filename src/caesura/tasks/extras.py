"""What the summaries of tasks have besides the scores of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from caesura.core.counts import NAN, mean
from caesura.core.results import Corpus, Spread, Summary
from caesura.core.row import Key, SourceCounts
from caesura.core.rows import Rows
from caesura.core.score import Scores
from caesura.scores.book import Book
from caesura.scores.catalog import Catalog
from caesura.scores.ceiling import ceiling
from caesura.scores.ledger import Ledger, system_scores
from caesura.scores.pairs import Pairs
from caesura.scores.streams import streams_of
from caesura.scores.summary import mean_scores, over, undefined
from caesura.scores.systems import scored_references

SPREADS = {"part": "parts", "talker": "within_talker"}


def with_references(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:
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


def with_words(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
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


def of_corpus(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:
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
        mean=mean_scores(parts), std=over(parts, _deviation), undefined=undefined(parts), each=each
    )


def _deviation(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return NAN
    middle = mean(defined)
    return math.sqrt(mean([(value - middle) ** 2 for value in defined]))
