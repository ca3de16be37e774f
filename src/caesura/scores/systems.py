"""The scores of systems, and of references, on the whole corpus and on each of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from caesura.align.axis import ALIGNMENT, AlignmentCounts
from caesura.core.counts import exact_means, pearson
from caesura.core.results import (
    Against,
    DocumentScores,
    ReferenceAgreement,
    ReferencePair,
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
    groups,
    pair_columns,
    reference_columns,
    system_columns,
)
from caesura.scores.ledger import Ledger, typed

Names = Sequence[str]


def scored_systems(
    book: Book, ledger: Ledger, systems: Names, references: Names, scores: Catalog
) -> tuple[System, ...]:
    """Every system: of summed counts, its means, each document, and against each reference."""
    found = {
        system.name: system
        for group in groups(book.sheet.layout.keys, systems, _dropped(book, scores))
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
    names = group.systems
    micro = system_columns(book.total, names, group.known, references, scores)
    each = micro
    if len(book) != 1 or group.kept != group.known:
        each = system_columns(book.sheet, names, group.kept, references, scores)
    each = {key: each[key] for key in micro if key in each}
    summed = _dicts({key: micro[key] for key in each}, len(names))
    means, gaps = _dicts(_means(each, book), len(names)), _gaps(each, len(names))
    has_pairs = any(measure.kind == "pair" for measure in scores.measures)
    against = {
        reference: _dicts(
            against_columns(book.total, names, group.known, reference, scores), len(names)
        )
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
        for group in groups(book.sheet.layout.keys, systems, frozenset())
        for columns in [system_columns(book.sheet, group.systems, group.known, references, scores)]
        for at, name in enumerate(group.systems)
    }


def scored_references(book: Book, references: Names, scores: Catalog) -> ReferenceAgreement:
    """How far the references agree: of summed counts, on each document, and in pairs."""
    micro = reference_columns(book.total, references, scores)
    each = micro if len(book) == 1 else reference_columns(book.sheet, references, scores)
    pairs = pair_columns(book.total, references, scores)
    return ReferenceAgreement(
        micro=_dicts(micro, 1)[0],
        macro=_dicts(_means(each, book), 1)[0],
        by_document=DocumentScores(book.labels, each),
        pairs=_pairs(references, pairs),
        pearson_rgar_fleiss_kappa=pearson(
            each["rgar"][0].tolist(), each["fleiss_kappa"][0].tolist()
        ),
    )


def _pairs(references: Names, columns: Columns) -> tuple[ReferencePair, ...]:
    pairs = list(combinations(references, 2))
    each = zip(pairs, _dicts(columns, len(pairs)), strict=True)
    return tuple(ReferencePair(references=pair, scores=own) for pair, own in each)


def alignment(name: str, ledger: Ledger) -> Scores:
    """Word errors against the axis; with several documents the axes may be several."""
    found = ledger.named("alignment", name)
    return values(ALIGNMENT, sum(found, AlignmentCounts.zero())) if found else {}


def _dicts(columns: Columns, number: int) -> list[Scores]:
    """The scores of each system, of columns with one unit."""
    keys = tuple(columns)
    rows = zip(*(column[:, 0].tolist() for column in columns.values()), strict=True)
    return (
        [dict(zip(keys, row, strict=True)) for row in rows] if keys else [{} for _ in range(number)]
    )


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
