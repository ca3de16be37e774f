"""What `caesura transcript` and `caesura agreement` show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import nan
from typing import TYPE_CHECKING

from caesura.core.alignment_scores import ALIGNMENT
from caesura.core.mean import mean
from caesura.core.results import ReferenceAgreement, Stream, Streams, System
from caesura.core.score import ALSO, Scores, View
from caesura.core.summary import Summary
from caesura.errors import number
from caesura.output.tables import (
    CEILING,
    Column,
    Labelled,
    Page,
    Records,
    Table,
    ceiling_rows,
    columns,
    document_rows,
    make_table,
)
from caesura.scores.catalog import catalog

if TYPE_CHECKING:
    from caesura.output.tables.error_lists import Found

WHO, PANEL = "who", " references"
"""The table of who has what, and the key of the number of references, which no name is."""
NOTICEABLE = 0.01
"""How far macro scores are from micro scores if they are shown without being asked for."""
NOTHING_SHARED = {"documents": 0, "slots": 0, "duration": 0.0}
"""What a system without a document of the references shares with them."""
ALIGNED = (
    Column("words", "words", help="Words that were read.", is_count=True),
    Column("units", "units", help="Units that were read.", is_count=True),
    *(
        Column(score.label, score.key, score.better, score.help, score.is_count)
        for score in ALIGNMENT
        if "alignment" in score.views
    ),
)


def transcript_page(
    summary: Summary,
    *,
    by_document: bool = False,
    by_mark: bool = False,
    errors: Found | None = None,
) -> Page:
    """What `caesura transcript` shows."""
    if len(summary.references) == 1:
        tables = _one_tables(summary, with_macro=by_document)
    else:
        labels, scored = _scored(summary.systems, several=len(summary.documents) > 1)
        tables = [
            _agreement_table(summary),
            _score_table(summary, "all", "Against all references together", labels, scored),
            mean_table(summary),
            _against_table(summary, "each", "Against each reference"),
        ]
    tables += _ceiling_tables(summary)
    tables += _alignment_tables(summary)
    if summary.streams is not None:
        tables.append(_stream_table(summary, summary.streams))
    if by_mark:
        tables += [*mark_tables(summary), *consensus_tables(summary)]
    if by_document:
        tables += [_document_table(summary), *who_tables(summary)]
    tables += _further_tables(summary)
    tables += errors.tables if errors else ()
    passages = errors.passages if errors else ()
    return Page(tuple(tables), _notes(summary), summary.signature, _records(summary), passages)


def _further_tables(summary: Summary) -> list[Table]:
    """The measures that were asked for by name, unless a profile shows them."""
    rows: list[Labelled] = [
        ((entry.label, system.name), {"value": system.micro[key]})
        for key, entry in catalog(*summary.task_kind).systems.items()
        if entry.measure.asked_by == ALSO and not (summary.profile or entry.score.is_special)
        for system in summary.systems
        if key in system.micro
    ]
    columns = (Column("score", "value"),)
    made = make_table("also", "Further scores", ("measure", "system"), columns, rows)
    return [made] if rows else []


def _one_tables(summary: Summary, *, with_macro: bool) -> list[Table]:
    """The systems against the only reference; macro scores if asked for, or if they differ."""
    tables = [_against_table(summary, "one", _title(summary))]
    if len(summary.documents) < 2:
        return tables
    macro: list[Labelled] = [((system.name,), system.macro) for system in summary.systems]
    title = f"Mean over {number(len(summary.documents), 'document')} (macro)"
    made = _score_table(summary, "mean", title, ("system",), macro)
    return [*tables, replace(made, id="macro")] if with_macro or _differ(summary) else tables


def _differ(summary: Summary) -> bool:
    """Whether some macro score is far enough from its micro score to be noticed."""
    keys = [column.key for column in columns(summary, "mean")]
    return any(
        abs(system.micro[key] - system.macro[key]) >= NOTICEABLE
        for system in summary.systems
        for key in keys
    )


def mean_table(summary: Summary) -> Table:
    """The systems against each reference, averaged over the references, or against the only one."""
    labels, scored = _scored(summary.systems, several=len(summary.documents) > 1)
    is_one = len(summary.references) == 1
    title = f"Against {summary.references[0]}" if is_one else "Mean over the references"
    return _score_table(summary, "mean", title, labels, scored)


def _against_table(summary: Summary, view: View, title: str) -> Table:
    """The systems against each reference, in groups of the same reference."""
    rows: list[Labelled] = [
        (_labels(summary, reference, system.name), {**NOTHING_SHARED, **own.scores, **own.shared})
        for reference in summary.references
        for system in summary.systems
        if (own := system.by_reference.get(reference))
    ]
    labels, shown = _labels(summary, "reference", "system"), columns(summary, view)
    made = make_table(view, title, labels, [*_shared_columns(summary), *shown], rows)
    return _in_groups(made, summary, rows)


def _score_table(
    summary: Summary, view: View, title: str, labels: Sequence[str], rows: Sequence[Labelled]
) -> Table:
    """A table of systems that compete."""
    made = make_table(view, title, labels, columns(summary, view), rows)
    return made.in_groups(len(summary.systems))


def _labels(summary: Summary, reference: str, *others: str) -> tuple[str, ...]:
    """The labels of a row, without the reference where there is only one."""
    return others if len(summary.references) == 1 else (reference, *others)


def _title(summary: Summary) -> str:
    """What was scored: the only reference, and how much there is of it."""
    (reference,), documents = summary.references, len(summary.documents)
    sizes = [number(documents, "document")] if documents > 1 else []
    item, unit = nouns(summary)
    if summary.options["axis"] == "words":
        sizes.append(number(summary.words, item))
    sizes.append(number(summary.sources[reference].units, unit))
    return f"1 reference, {reference}: {', '.join(dict.fromkeys(sizes))}"


def nouns(summary: Summary) -> tuple[str, str]:
    """What the words and the units of a transcript are called."""
    profile = summary.profile
    return (profile.item, profile.unit) if profile else ("word", "unit")


def report_tables(summary: Summary, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables of the command, and those that it shows only if asked for."""
    several = pair_tables(summary) if len(summary.references) > 2 else ()
    is_one = len(summary.references) == 1
    mean = (mean_table(summary),) if is_one and summary.shows_own_tables else ()
    own = [table for table in tables if table.id == "profile"]
    return with_who(summary, (*own, *mean, *tables, *mark_tables(summary), *several))


def with_who(summary: Summary, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables and who has which document, if that varies and is not among them."""
    is_there = any(table.id == WHO for table in tables)
    return (*tables, *(() if is_there else who_tables(summary)))


def agreement_page(summary: Summary, *, by_document: bool = False) -> Page:
    """What `caesura agreement` shows."""
    agreement = summary.agreement
    assert agreement is not None
    tables = [_agreement_table(summary), *consensus_tables(summary), *pair_tables(summary)]
    tables += [*_ceiling_tables(summary), *_alignment_tables(summary)]
    if by_document:
        sizes = _panel_sizes(summary)
        each: list[Labelled] = [
            ((name,), {**own, **sizes[name]}) for name, own in agreement.by_document.items()
        ]
        shown = [*_size_column(summary), *columns(summary, "agreement")]
        tables.append(make_table("document", "Document by document", ("document",), shown, each))
        tables += who_tables(summary)
    return Page(tuple(tables), _notes(summary), summary.signature, _agreement_records(agreement))


def _agreement_records(agreement: ReferenceAgreement) -> Records:
    means = {"(micro)": agreement.micro, "(macro)": agreement.macro}
    return Records(
        lambda: (
            {"document": name, **scores}
            for name, scores in (means | dict(agreement.by_document.items())).items()
        )
    )


def pair_tables(summary: Summary) -> list[Table]:
    """The references against each other."""
    pairs = summary.agreement.pairs if summary.agreement else ()
    rows: list[Labelled] = [(pair.references, {**pair.scores, **pair.shared}) for pair in pairs]
    shown = [*_shared_columns(summary), *columns(summary, "pair")]
    return [make_table("pair", "Pair by pair", ("one", "other"), shown, rows)] if rows else []


def who_tables(summary: Summary) -> list[Table]:
    """Who has which document, and how many references that makes, where that varies."""
    if not summary.who:
        return []
    who = [Column(name, name, help=f"Documents of {name}.", is_count=True) for name in summary.who]
    each = zip(summary.documents, zip(*summary.who.values(), strict=True), strict=True)
    sizes, shown = _panel_sizes(summary), [*_size_column(summary), *who]
    rows: list[Labelled] = [
        ((name,), dict(zip(summary.who, map(int, own), strict=True)) | sizes[name])
        for name, own in each
    ]
    return [make_table(WHO, "Who has which document (1 or 0)", ("document",), shown, rows)]


def _panel_sizes(summary: Summary) -> dict[str, Scores]:
    """The number of references of each document, where that varies."""
    if not summary.who:
        return {name: {} for name in summary.documents}
    each = zip(*(summary.who[name] for name in summary.references), strict=True)
    return {name: {PANEL: sum(own)} for name, own in zip(summary.documents, each, strict=True)}


def _size_column(summary: Summary) -> list[Column]:
    told = "References that have the document."
    return [Column("references", PANEL, help=told, is_count=True)] if summary.who else []


def _in_groups(table: Table, summary: Summary, rows: Sequence[Labelled]) -> Table:
    """The table with systems that compete in groups, where some may be missing."""
    if not summary.who:
        return table.in_groups(len(summary.systems))
    groups = groupby(range(len(rows)), lambda at: rows[at][0][:-1])
    return replace(table, groups=tuple(tuple(own) for _, own in groups))


def _shared_columns(summary: Summary) -> list[Column]:
    """How much a number is of, where annotators vary."""
    if not summary.who:
        return []
    told = "Documents that both have."
    documents = Column("documents", "documents", help=told, is_count=True)
    if summary.options["axis"] == "time":
        return [documents, Column("seconds", "duration", help="The duration of these.")]
    return [documents, Column("slots", "slots", help="Places in these.", is_count=True)]


def consensus_tables(summary: Summary) -> list[Table]:
    """The marks that the references share, if all have marks."""
    agreement = summary.agreement
    if agreement is None or agreement.typed is None:
        return []
    found = agreement.typed
    rows: list[Labelled] = [((mark,), scores) for mark, scores in found.by_mark.items()]
    rows.append((("any",), {**agreement.micro, **asdict(found)}))
    shown = columns(summary, "consensus")
    return [make_table("consensus", "The references mark by mark", ("mark",), shown, rows)]


def _scored(systems: Sequence[System], *, several: bool) -> tuple[tuple[str, ...], list[Labelled]]:
    if not several:
        return ("system",), [((system.name,), system.micro) for system in systems]
    micro: list[Labelled] = [(("micro", system.name), system.micro) for system in systems]
    return ("mean", "system"), micro + [(("macro", each.name), each.macro) for each in systems]


def _records(summary: Summary) -> Records:
    """One record for each system and document, without what needs several references."""
    references, known = len(summary.references), catalog(*summary.kind)
    kept = [
        key
        for key, entry in known.systems.items()
        if (references > 1 or not entry.is_of_several)
        and any(key in system.micro for system in summary.systems)
    ]
    return Records(
        lambda: (
            {"system": system.name, "document": document}
            | known.with_short_names({key: scores.get(key, nan) for key in kept}, references)
            for system in summary.systems
            for document, scores in (
                ("(micro)", system.micro),
                ("(macro)", system.macro),
                *system.by_document.items(),
            )
        )
    )


def _agreement_table(summary: Summary) -> Table:
    agreement, documents = summary.agreement, len(summary.documents)
    assert agreement is not None
    title = number(len(summary.references), "reference")
    if summary.options["axis"] == "words":
        title += f" on {number(summary.words, nouns(summary)[0])}"
    shown = columns(summary, "agreement")
    if documents == 1:
        return make_table("agreement", title, (), shown, [((), agreement.micro)])
    rows: list[Labelled] = [(("micro",), agreement.micro), (("macro",), agreement.macro)]
    title += f" in {number(documents, 'document')}"
    return make_table("agreement", title, ("mean",), shown, rows)


def mark_tables(summary: Summary) -> list[Table]:
    """One table, if both sides have marks anywhere."""
    rows: list[Labelled] = [
        (_labels(summary, reference, system.name, mark), scores)
        for system in summary.systems
        for reference, against in system.by_reference.items()
        if against.typed is not None
        for mark, scores in against.typed.by_mark.items()
    ]
    labels = _labels(summary, "reference", "system", "mark")
    rows.sort(key=lambda row: row[0])
    shown = columns(summary, "mark")
    return [make_table("mark", "Mark by mark", labels, shown, rows)] if rows else []


def _document_table(summary: Summary) -> Table:
    sizes, shown = _panel_sizes(summary), [*_size_column(summary), *columns(summary, "document")]
    rows: list[Labelled] = [
        (labels, {**scores, **sizes[labels[0]]}) for labels, scores in document_rows(summary)
    ]
    labels = ("document", "system")
    made = make_table("document", "Document by document", labels, shown, rows)
    return _in_groups(made, summary, rows)


def _alignment_tables(summary: Summary) -> list[Table]:
    """Word errors and what became of the boundaries, where words were aligned."""
    rows: list[Labelled] = [
        ((name,), {"words": version.words, "units": version.units, **version.alignment})
        for name, version in summary.sources.items()
        if version.alignment
    ]
    axes = sorted(set(summary.axes.values()))
    title = f"Words aligned with {' or '.join(axes)}, and boundaries projected onto them"
    columns = [each for each in ALIGNED if any(each.key in scores for _, scores in rows)]
    return [make_table("alignment", title, ("version",), columns, rows)] if rows else []


def _stream_table(summary: Summary, streams: Streams) -> Table:
    rows: list[Labelled] = [
        ((*filter(None, (stream.document,)), stream.name, name), {**_size(stream), **scores})
        for stream in streams.each
        for name, scores in stream.systems.items()
    ]
    kind, n = streams.kind, len(summary.systems)
    labels = ("document", kind, "system")[-len(rows[0][0]) :] if rows else ()
    title = f"{kind.capitalize()} by {kind}"
    shown = [*_size_columns(summary), *columns(summary, "document")]
    return make_table("streams", title, labels, shown, rows).in_groups(n)


def _size(stream: Stream) -> Scores:
    """The words of a stream, and the boundaries that the references have on average."""
    return {"words": stream.words, "boundaries": round(mean([*stream.boundaries.values()]))}


def _size_columns(summary: Summary) -> list[Column]:
    """Words, where there are any, and boundaries."""
    words = Column("words", "words", help="Words of the axis.", is_count=True)
    told = "Boundaries of the reference, or of the references on average."
    boundaries = Column("boundaries", "boundaries", help=told, is_count=True)
    return [words, boundaries] if summary.options["axis"] == "words" else [boundaries]


def _ceiling_tables(summary: Summary) -> list[Table]:
    if summary.ceiling is None:
        return []
    rows: list[Labelled] = [((name,), scores) for name, scores in ceiling_rows(summary)]
    table = make_table("ceiling", CEILING, ("who",), columns(summary, "ceiling"), rows)
    return [replace(table, groups=(tuple(range(len(summary.ceiling.systems))),))]


def _notes(summary: Summary) -> tuple[str, ...]:
    notes = [
        f"{name}: {number(int(times), 'word alignment')} too long to verify as a whole; "
        "the word error rate may be slightly too high."
        for name, version in summary.sources.items()
        if (times := version.alignment.get("uncertain"))
    ]
    if summary.panels:
        from caesura.tasks.transcript.varying import panel_notes

        notes += panel_notes(summary)
    if summary.options.get("thresholds"):
        from caesura.tasks.transcript.thresholds import threshold_notes

        notes += threshold_notes(summary.options)
    for system in summary.systems if len(summary.references) > 1 else ():
        left_out = system.macro_undefined.get("wisebe", 0)
        if left_out and len(summary.documents) > 1:
            documents = number(left_out, "document")
            notes.append(
                f"{system.name}: macro WiSeBE excludes {documents}, where it is undefined."
            )
    return tuple(notes)
