"""The scores of systems, and of references, on the whole corpus and on each of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from caesura.align.axis import ALIGNMENT, AlignmentCounts
from caesura.core.counts import exact_means, pearson
from caesura.core.results import (
    Against,
    DocumentScores,
    ReferenceAgreement,
    System,
)
from caesura.core.row import Key
from caesura.core.score import Scores, values
from caesura.scores.book import Book
from caesura.scores.catalog import Catalog
from caesura.scores.columns import (
    Columns,
    Group,
    against_columns,
    dicts,
    groups,
    kept_columns,
    system_columns,
)
from caesura.scores.ledger import Ledger, typed
from caesura.scores.pairs import Pairs, agreement_columns, scored_pairs, shared_marks

Names = Sequence[str]


def scored_systems(
    book: Book, ledger: Ledger, systems: Names, references: Names, scores: Catalog
) -> tuple[System, ...]:
    """Every system: of summed counts, its means, each document, and against each reference."""
    found = {
        system.name: system
        for group in groups(book.sheet.layout, systems, _dropped(book, scores))
        for system in _scored(group, book, ledger, references, scores)
    }
    return tuple(found[name] for name in systems)


def _dropped(book: Book, scores: Catalog) -> frozenset[Key]:
    """The keys of optional measures that some documents lack."""
    optional = {measure.name for measure in scores.measures if measure.is_optional}
    keys = book.sheet.layout.keys if optional else ()
    return frozenset(key for key in keys if key.measure in optional and key not in book.complete)


def _scored(
    group: Group, book: Book, ledger: Ledger, references: Names, scores: Catalog
) -> Iterator[System]:
    """Every system of a group."""
    names, number = group.systems, len(group)
    micro = system_columns(book.total, group, references, scores)
    is_same = len(book) == 1 and len(group.kept) == len(group.places)
    each = micro if is_same else kept_columns(book.sheet, group, references, scores)
    each = {key: each[key] for key in micro if key in each}
    summed = dicts({key: micro[key] for key in each}, number)
    means, gaps = dicts(_means(each, book), number), _gaps(each, number)
    has_pairs = any(measure.kind == "pair" for measure in scores.measures)
    against = {
        reference: dicts(against_columns(book.total, group, reference, scores), number)
        for reference in (references if has_pairs else ())
    }
    for at, name in enumerate(names):
        yield System(
            name=name,
            micro=summed[at],
            macro=means[at],
            macro_undefined=gaps[at],
            by_document=DocumentScores(book.labels, each, at),
            by_reference={
                reference: Against(scores=own[at], typed=typed(ledger, name, reference))
                for reference, own in against.items()
            },
            alignment=alignment(name, ledger),
        )


def scores_of_each(
    book: Book, systems: Names, references: Names, scores: Catalog
) -> dict[str, DocumentScores]:
    """For each system its scores by label."""
    return {
        name: DocumentScores(book.labels, columns, at)
        for group in groups(book.sheet.layout, systems, frozenset())
        for columns in [system_columns(book.sheet, group, references, scores)]
        for at, name in enumerate(group.systems)
    }


def scored_references(book: Book, pairs: Pairs, scores: Catalog) -> ReferenceAgreement:
    """How far the references agree: of summed counts, on each document, and in pairs."""
    micro = agreement_columns(book.total, pairs, scores)
    each = micro if len(book) == 1 else agreement_columns(book.sheet, pairs, scores)
    rgar, kappa = (each[key][0].tolist() for key in ("rgar", "fleiss_kappa"))
    return ReferenceAgreement(
        micro=dicts(micro, 1)[0],
        macro=dicts(_means(each, book), 1)[0],
        by_document=DocumentScores(book.labels, each),
        pairs=scored_pairs(book.total, pairs, scores),
        pearson_rgar_fleiss_kappa=pearson(rgar, kappa),
        typed=shared_marks(book.total),
    )


def alignment(name: str, ledger: Ledger) -> Scores:
    """Word errors against the axis; with several documents the axes may be several."""
    found = ledger.named("alignment", name)
    return values(ALIGNMENT, sum(found, AlignmentCounts.zero())) if found else {}


def alignment_of_each(name: str, book: Book) -> DocumentScores:
    """The same, of each document; the rates only."""
    layout, tally = book.sheet.layout, book.sheet.tallies.get(AlignmentCounts)
    rows = [at for at in layout.measures.get("alignment", ()) if layout.keys[at].system == name]
    if tally is None or not rows:
        return DocumentScores()
    summed = tally.values[:, [layout.numbers[at] for at in rows]].sum(axis=1)
    counts = AlignmentCounts(**dict(zip(tally.items, summed, strict=True)))
    rates = {score.key: score.value(counts)[None] for score in ALIGNMENT if not score.is_count}
    return DocumentScores(book.labels, rates)


def _means(columns: Columns, book: Book) -> Columns:
    """The mean of every score over the documents where it is defined."""
    if not len(book):
        return {}
    return {key: exact_means(column.T)[:, None] for key, column in columns.items()}


def _gaps(columns: Columns, number: int) -> list[dict[str, int]]:
    """How often scores are undefined, for those that are."""
    found: list[dict[str, int]] = [{} for _ in range(number)]
    for key, column in columns.items():
        gaps = np.count_nonzero(np.isnan(column.astype(np.float64)), axis=1)
        for at in np.flatnonzero(gaps).tolist():
            found[at][key] = int(gaps[at])
    return found
