"""The scores of systems, and of references, on the whole corpus and on each of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.alignment_scores import ALIGNED, ALIGNMENT, CHARACTERS, AlignmentCounts
from caesura.core.counts import pearson
from caesura.core.mean import means
from caesura.core.results import (
    Against,
    Ceiling,
    DocumentScores,
    ReferenceAgreement,
    ReferencePair,
    ReferencePairs,
    SharedMarks,
    System,
    Typed,
)
from caesura.core.row import EXTENT, PANEL_EXTENT
from caesura.core.score import Scores
from caesura.core.score import values as score_values
from caesura.core.table import CountTable, Key, coded, decoded
from caesura.measures.marks import MarkConsensus, Marks
from caesura.scores.catalog import Catalog
from caesura.scores.panels import (
    alike_in_documents,
    packed,
    shared,
    times_counted,
    varies,
)
from caesura.scores.rules import (
    Columns,
    Names,
    agreement_scores,
    ceiling_scores,
    human_means,
    in_parts,
    pair_codes,
    pair_scores,
    reference_pair_scores,
    scores_beside,
    system_scores,
)

EVERY = slice(None)


def scored_systems(
    documents: CountTable, systems: Names, references: Names, catalog: Catalog
) -> tuple[System, ...]:
    """Every system: of summed counts, its means, each document, and against each reference."""
    found = {
        system.name: system
        for some, own in alike_in_documents(documents, systems)
        for names, table in like_systems(own, some, catalog)
        for system in _scored(table, names, references, catalog)
    }
    return tuple(found[name] for name in systems)


def like_systems(
    table: CountTable, systems: Names, catalog: Catalog
) -> Iterator[tuple[list[str], CountTable]]:
    """Systems that have the same measures, and the table with those measures only.

    An optional measure counts as missing if some unit lacks it.
    """
    numbers = table.names.numbers(systems)
    optional = {measure.name for measure in catalog.measures if measure.is_optional}
    has = np.zeros((len(table.measures), len(systems)), np.bool_)
    for at, (name, own) in enumerate(table.measures.items()):
        is_full = own.units_by_key() == len(table) if name in optional else slice(None)
        has[at] = np.isin(numbers, decoded(own.keys[is_full])[0])
    groups: dict[bytes, list[int]] = {}
    for at, column in enumerate(has.T):
        groups.setdefault(column.tobytes(), []).append(at)
    for group in groups.values():
        kept = zip(table.measures.items(), has[:, group[0]].tolist(), strict=True)
        measures = dict(each for each, is_kept in kept if is_kept)
        yield [systems[at] for at in group], replace(table, measures=measures)


def _scored(
    documents: CountTable, names: Names, references: Names, catalog: Catalog
) -> Iterator[System]:
    """Systems that have the same measures."""
    total, number = documents.total, len(names)
    micro = system_scores(total, names, references, catalog, EVERY)
    each = micro if total is documents else _by_document(documents, names, references, catalog)
    macro = columns_of_means(each) if len(documents) else {}
    summed, averaged = dicts(micro, number), dicts(macro, number)
    gaps = {
        key: np.count_nonzero(np.isnan(column.astype(np.float64)), axis=1)
        for key, column in each.items()
    }
    against: dict[str, list[Scores]] = {}
    if any(measure.kind == "pair" for measure in catalog.measures):
        pairs = pair_scores(total, names, references, catalog)
        against = {
            reference: dicts({key: column[:, at] for key, column in pairs.items()}, number)
            for at, reference in enumerate(references)
        }
    of_each: dict[str, list[Scores]] = {}
    if EXTENT in documents.measures:  # what each system shares with each reference
        codes = documents.names.grid(names, references)
        of_each = {own: shared(documents, codes[:, at]) for at, own in enumerate(references)}
    for at, name in enumerate(names):
        yield System(
            name=name,
            micro=summed[at],
            macro=averaged[at],
            macro_undefined={key: int(many[at]) for key, many in gaps.items() if many[at]},
            by_document=DocumentScores(documents.documents, each, at),
            by_reference={
                reference: Against(
                    scores=own[at],
                    typed=_typed(total, name, reference),
                    shared=of_each[reference][at] if of_each else {},
                )
                for reference, own in against.items()
                if not of_each or of_each[reference][at]["documents"]
            },
            alignment=dicts(alignment_of(total, name), 1)[0],
        )


def _by_document(
    documents: CountTable, names: Names, references: Names, catalog: Catalog
) -> Columns:
    """The scores of each document; those of its references have the same weight."""
    table, numbered = packed(documents, references)

    def rule(table: CountTable, units: slice) -> Columns:
        return system_scores(table, names, numbered, catalog, units)

    return in_parts(table, rule)


def dicts(columns: Columns, number: int) -> list[Scores]:
    """The scores of each of a number of names, of columns with one unit, or none."""
    if not columns:
        return [{} for _ in range(number)]
    lists = [np.reshape(column, number).tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def columns_of_means(columns: Columns) -> Columns:
    """The mean of every score over the units where it is defined."""
    return {key: means(column, axis=-1) for key, column in columns.items()}


def _typed(total: CountTable, system: str, reference: str) -> Typed | None:
    """Counts and rates for each mark, and the slots of all; nothing where there are no marks."""
    if Marks.name not in total.measures or not total.measures[Marks.name].fields:
        return None
    marks = total.one(Marks.name, Key(system, reference))
    if marks is None or not marks.confusion:
        return None
    return Typed(
        correct=marks.correct,
        substitutions=marks.substitutions,
        deletions=marks.deletions,
        insertions=marks.insertions,
        by_mark={mark: score_values(Marks.by_mark, marks.of(mark)) for mark in marks.marks},
    )


def scored_references(
    documents: CountTable, references: Names, catalog: Catalog, *, varies: bool = False
) -> ReferenceAgreement:
    """How far the references agree: of summed counts, on each document, and in pairs.

    Where annotators vary, pairs that share no document are left out.
    """
    table, numbered = packed(documents, references)

    def rule(table: CountTable, units: slice) -> Columns:
        return agreement_scores(table, numbered, catalog, units)

    total = documents.total
    micro = agreement_scores(total, references, catalog)
    each = micro if total is documents else in_parts(table, rule)
    marks, typed = total.one(MarkConsensus.name, Key(None)), None
    if marks is not None and marks.by_mark:
        scored = MarkConsensus.by_mark
        by_mark = {name: score_values(scored, own) for name, own in marks.by_mark.items()}
        typed = SharedMarks(**marks.overall.to_dict(), by_mark=by_mark)
    return ReferenceAgreement(
        micro=dicts(micro, 1)[0],
        macro=dicts(columns_of_means(each), 1)[0] if len(documents) else {},
        by_document=DocumentScores(
            documents.documents, {key: column[None] for key, column in each.items()}
        ),
        pairs=_pairs_of(documents, references, catalog, varies=varies),
        pearson_rgar_fleiss_kappa=pearson(each["rgar"].tolist(), each["fleiss_kappa"].tolist()),
        typed=typed,
    )


def _pairs_of(
    documents: CountTable, references: Names, catalog: Catalog, *, varies: bool
) -> Sequence[ReferencePair]:
    """The references against each other; where annotators vary, those who share documents."""
    total = documents.total
    found = reference_pair_scores(total, pair_codes(total, references), catalog)
    columns = {key: column[:, 0] for key, column in found.items()}
    pairs = ReferencePairs(references, columns)
    if EXTENT not in documents.measures:
        return () if varies else pairs
    sizes = shared(documents, pair_codes(documents, references))
    both = zip(pairs, sizes, strict=True)
    return tuple(replace(pair, shared=size) for pair, size in both if size["documents"])


def scored_ceiling(
    documents: CountTable, systems: Names, references: Names, catalog: Catalog
) -> Ceiling:
    """Annotators and systems, with one reference left out at a time."""
    total = documents.total
    people = ceiling_scores(total, references, references, catalog)
    human = human_means(total, references, people)
    reached = ceiling_scores(total, systems, references, catalog) if systems else {}
    found = Ceiling(
        human={key: float(each[0]) for key, each in human.items()},
        annotators=dict(zip(references, dicts(people, len(references)), strict=True)),
        systems=dict(zip(systems, dicts(reached, len(systems)), strict=True)),
    )
    return _with_beside(found, documents, catalog) if varies(documents) else found


def _with_beside(found: Ceiling, documents: CountTable, catalog: Catalog) -> Ceiling:
    """The ceiling of those who share documents, with what systems reach on these."""
    people, systems = [*found.annotators], [*found.systems]
    number = documents.names.numbers(people)
    own = times_counted(documents, PANEL_EXTENT, coded(number, 0, number))
    times = dict(zip(people, own, strict=True))
    reached = scores_beside(documents.total, systems, people, catalog) if systems else {}
    each = {
        name: dict(zip(people, dicts({key: own[at] for key, own in reached.items()}, len(people)),
                       strict=True))
        for at, name in enumerate(systems)
    }  # fmt: skip
    kept = [name for name in people if times[name]]
    return replace(
        found,
        annotators={name: found.annotators[name] for name in kept},
        documents={name: times[name] for name in kept},
        beside={name: {one: own[one] for one in kept} for name, own in each.items()},
    )


def alignment_of(table: CountTable, name: str) -> Columns:
    """Word errors against the axis in each unit; with several documents the axes may be several."""
    own = table.measures.get(ALIGNED)
    number = table.names.number.get(name)
    keys = own.keys[decoded(own.keys)[0] == number] if own is not None and number else None
    if own is None or keys is None or not keys.size:
        return {}
    counts, _ = table.counts(ALIGNED, keys)
    summed = AlignmentCounts(*(value.sum(axis=0) for value in counts.items().values()))
    has_characters = bool(np.any(summed.characters))
    scores = [each for each in ALIGNMENT if has_characters or each.key != CHARACTERS]
    return {score.key: np.asarray(score.value(summed)) for score in scores}
