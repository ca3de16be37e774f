"""What `caesura transcript` and `caesura agreement` show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import nan
from typing import TYPE_CHECKING

from caesura.core.alignment_scores import ALIGNMENT
from caesura.core.mean import mean
from caesura.core.results import Streams
from caesura.core.score import ALSO, Column, Scores, View
from caesura.core.summary import Summary
from caesura.errors import number
from caesura.output.tables import (
    CEILING,
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
    from caesura.output.tables import Found

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
        tables = [
            _agreement_table(summary),
            _score_table(summary, "all", "Against all references together"),
            _score_table(summary, "mean", "Mean over the references"),
            _against_table(summary, "each", "Against each reference"),
        ]
    tables += [*_ceiling_tables(summary), *_alignment_tables(summary)]
    if summary.streams is not None:
        tables.append(_stream_table(summary, summary.streams))
    if by_mark:
        tables += [*mark_tables(summary), *_consensus_tables(summary)]
    if by_document:
        tables += [_document_table(summary), *_who_tables(summary)]
    tables += _further_tables(summary)
    tables += errors.tables if errors else ()
    passages = errors.passages if errors else ()
    return Page(tuple(tables), _notes(summary), summary.signature, _records(summary), passages)


def agreement_page(summary: Summary, *, by_document: bool = False) -> Page:
    """What `caesura agreement` shows."""
    agreement = summary.agreement
    assert agreement is not None
    tables = [_agreement_table(summary), *_consensus_tables(summary), *_pair_tables(summary)]
    tables += [*_ceiling_tables(summary), *_alignment_tables(summary)]
    if by_document:
        size_columns, sizes = _panel_sizes(summary)
        rows: list[Labelled] = [
            ((name,), {**scores, **sizes[name]}) for name, scores in agreement.by_document.items()
        ]
        shown = [*size_columns, *columns(summary, "agreement")]
        tables.append(make_table("document", "Document by document", ("document",), shown, rows))
        tables += _who_tables(summary)
    means = {"(micro)": agreement.micro, "(macro)": agreement.macro}
    records = Records(
        lambda: (
            {"document": name, **scores}
            for name, scores in (means | dict(agreement.by_document.items())).items()
        )
    )
    return Page(tuple(tables), _notes(summary), summary.signature, records)


def report_tables(summary: Summary, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables of the command, and those that it shows only if asked for."""
    several = _pair_tables(summary) if len(summary.references) > 2 else ()
    means: list[Table] = []
    if len(summary.references) == 1 and summary.shows_own_tables:
        means.append(_score_table(summary, "mean", f"Against {summary.references[0]}"))
    profiled = [table for table in tables if table.id == "profile"]
    return with_who(summary, (*profiled, *means, *tables, *mark_tables(summary), *several))


def with_who(summary: Summary, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables and who has which document, if that varies and is not among them."""
    is_there = any(table.id == WHO for table in tables)
    return (*tables, *(() if is_there else _who_tables(summary)))


# --- Systems --------------------------------------------------------------------------


def _one_tables(summary: Summary, *, with_macro: bool) -> list[Table]:
    """The systems against the only reference; macro scores if asked for, or if they differ."""
    (reference,), documents = summary.references, len(summary.documents)
    sizes = [number(documents, "document")] if documents > 1 else []
    item, unit = _nouns(summary)
    sizes += [number(summary.words, item)] if summary.options["axis"] == "words" else []
    sizes.append(number(summary.sources[reference].units, unit))
    title = f"1 reference, {reference}: {', '.join(dict.fromkeys(sizes))}"
    table = _against_table(summary, "one", title)
    if documents == 1:
        return [table]
    shown = columns(summary, "mean")
    is_noticed = any(
        abs(system.micro[column.key] - system.macro[column.key]) >= NOTICEABLE
        for system in summary.systems
        for column in shown
    )
    if not (with_macro or is_noticed):
        return [table]
    macro: list[Labelled] = [((system.name,), system.macro) for system in summary.systems]
    title = f"Mean over {number(documents, 'document')} (macro)"
    means = make_table("macro", title, ("system",), shown, macro)
    return [table, means.in_groups(len(macro))]


def _nouns(summary: Summary) -> tuple[str, str]:
    """What the words and the units of a transcript are called."""
    profile = summary.profile
    return (profile.item, profile.unit) if profile else ("word", "unit")


def _score_table(summary: Summary, view: View, title: str) -> Table:
    """The systems, which compete; of several documents, micro and macro."""
    systems = summary.systems
    labels: tuple[str, ...] = ("system",)
    rows: list[Labelled] = [((system.name,), system.micro) for system in systems]
    if len(summary.documents) > 1:
        labels = ("mean", "system")
        rows = [(("micro", system.name), system.micro) for system in systems]
        rows += [(("macro", system.name), system.macro) for system in systems]
    return make_table(view, title, labels, columns(summary, view), rows).in_groups(len(systems))


def _against_table(summary: Summary, view: View, title: str) -> Table:
    """The systems against each reference, in groups of the same reference."""
    rows: list[Labelled] = [
        (
            _labels(summary, reference, system.name),
            {**NOTHING_SHARED, **against.scores, **against.shared},
        )
        for reference in summary.references
        for system in summary.systems
        if (against := system.by_reference.get(reference))
    ]
    labels = _labels(summary, "reference", "system")
    shown = [*_shared_columns(summary), *columns(summary, view)]
    return _in_groups(make_table(view, title, labels, shown, rows))


def _labels(summary: Summary, reference: str, *others: str) -> tuple[str, ...]:
    """The labels of a row, without the reference where there is only one."""
    return others if len(summary.references) == 1 else (reference, *others)


def _in_groups(table: Table) -> Table:
    """The table with systems that compete in groups, of which some may be missing in one."""
    before = sum(not column.key for column in table.columns) - 1  # the labels before the system
    groups = groupby(range(len(table.rows)), lambda at: table.rows[at][:before])
    return replace(table, groups=tuple(tuple(group) for _, group in groups))


def _document_table(summary: Summary) -> Table:
    size_columns, sizes = _panel_sizes(summary)
    rows: list[Labelled] = [
        (labels, {**scores, **sizes[labels[0]]}) for labels, scores in document_rows(summary)
    ]
    labels, shown = ("document", "system"), [*size_columns, *columns(summary, "document")]
    return _in_groups(make_table("document", "Document by document", labels, shown, rows))


def mark_tables(summary: Summary) -> list[Table]:
    """One table, if both sides have marks anywhere."""
    rows: list[Labelled] = [
        (_labels(summary, reference, system.name, mark), scores)
        for system in summary.systems
        for reference, against in system.by_reference.items()
        if against.typed is not None
        for mark, scores in against.typed.by_mark.items()
    ]
    labels, shown = _labels(summary, "reference", "system", "mark"), columns(summary, "mark")
    rows.sort(key=lambda row: row[0])
    return [make_table("mark", "Mark by mark", labels, shown, rows)] if rows else []


def _further_tables(summary: Summary) -> list[Table]:
    """The measures that were asked for by name, unless a profile shows them."""
    rows: list[Labelled] = [
        ((entry.label, system.name), {"value": system.micro[key]})
        for key, entry in catalog(*summary.task_kind).systems.items()
        if entry.measure.asked_by == ALSO and not (summary.profile or entry.score.is_special)
        for system in summary.systems
        if key in system.micro
    ]
    labels, shown = ("measure", "system"), [Column("score", "value")]
    return [make_table("also", "Further scores", labels, shown, rows)] if rows else []


def _stream_table(summary: Summary, streams: Streams) -> Table:
    """Each speaker or channel: its words, if there are any, its boundaries, and the scores."""
    rows: list[Labelled] = []
    for stream in streams.each:
        boundaries = round(mean([*stream.boundaries.values()]))
        sizes = {"words": stream.words, "boundaries": boundaries}
        for system, scores in stream.systems.items():
            labels = (*filter(None, (stream.document,)), stream.name, system)
            rows.append((labels, {**sizes, **scores}))
    kind = streams.kind
    words = Column("words", "words", help="Words of the axis.", is_count=True)
    about = "Boundaries of the reference, or of the references on average."
    shown = [words] if summary.options["axis"] == "words" else []
    shown.append(Column("boundaries", "boundaries", help=about, is_count=True))
    shown += columns(summary, "document")
    labels = ("document", kind, "system")[-len(rows[0][0]) :] if rows else ()
    table = make_table("streams", f"{kind.capitalize()} by {kind}", labels, shown, rows)
    return table.in_groups(len(summary.systems))


def _alignment_tables(summary: Summary) -> list[Table]:
    """Word errors and what became of the boundaries, where words were aligned."""
    rows: list[Labelled] = [
        ((name,), {"words": version.words, "units": version.units, **version.alignment})
        for name, version in summary.sources.items()
        if version.alignment
    ]
    axes = sorted(set(summary.axes.values()))
    title = f"Words aligned with {' or '.join(axes)}, and boundaries projected onto them"
    shown = [column for column in ALIGNED if any(column.key in scores for _, scores in rows)]
    return [make_table("alignment", title, ("version",), shown, rows)] if rows else []


def _ceiling_tables(summary: Summary) -> list[Table]:
    if summary.ceiling is None:
        return []
    rows: list[Labelled] = [((name,), scores) for name, scores in ceiling_rows(summary)]
    table = make_table("ceiling", CEILING, ("who",), columns(summary, "ceiling"), rows)
    return [replace(table, groups=(tuple(range(len(summary.ceiling.systems))),))]


def _records(summary: Summary) -> Records:
    """One record for each system and document, without what needs several references."""
    references, scores_of_kind = len(summary.references), catalog(*summary.kind)
    keys = [
        key
        for key, entry in scores_of_kind.systems.items()
        if (references > 1 or not entry.is_of_several)
        and any(key in system.micro for system in summary.systems)
    ]
    return Records(
        lambda: (
            {"system": system.name, "document": document}
            | scores_of_kind.with_short_names(
                {key: scores.get(key, nan) for key in keys}, references
            )
            for system in summary.systems
            for document, scores in (
                ("(micro)", system.micro),
                ("(macro)", system.macro),
                *system.by_document.items(),
            )
        )
    )


# --- References -----------------------------------------------------------------------


def _agreement_table(summary: Summary) -> Table:
    agreement, documents = summary.agreement, len(summary.documents)
    assert agreement is not None
    title = number(len(summary.references), "reference")
    if summary.options["axis"] == "words":
        title += f" on {number(summary.words, _nouns(summary)[0])}"
    shown = columns(summary, "agreement")
    if documents == 1:
        return make_table("agreement", title, (), shown, [((), agreement.micro)])
    rows: list[Labelled] = [(("micro",), agreement.micro), (("macro",), agreement.macro)]
    title += f" in {number(documents, 'document')}"
    return make_table("agreement", title, ("mean",), shown, rows)


def _pair_tables(summary: Summary) -> list[Table]:
    """The references against each other."""
    pairs = summary.agreement.pairs if summary.agreement else ()
    rows: list[Labelled] = [(pair.references, {**pair.scores, **pair.shared}) for pair in pairs]
    shown = [*_shared_columns(summary), *columns(summary, "pair")]
    return [make_table("pair", "Pair by pair", ("one", "other"), shown, rows)] if rows else []


def _consensus_tables(summary: Summary) -> list[Table]:
    """The marks that the references share, if all have marks."""
    agreement = summary.agreement
    if agreement is None or agreement.typed is None:
        return []
    typed = agreement.typed
    rows: list[Labelled] = [((mark,), scores) for mark, scores in typed.by_mark.items()]
    rows.append((("any",), {**agreement.micro, **asdict(typed)}))
    shown = columns(summary, "consensus")
    return [make_table("consensus", "The references mark by mark", ("mark",), shown, rows)]


# --- Annotators that vary -------------------------------------------------------------


def _shared_columns(summary: Summary) -> list[Column]:
    """How much a number is of, where annotators vary."""
    if not summary.who:
        return []
    about = "Documents that both have."
    documents = Column("documents", "documents", help=about, is_count=True)
    if summary.options["axis"] == "time":
        return [documents, Column("seconds", "duration", help="The duration of these.")]
    return [documents, Column("slots", "slots", help="Places in these.", is_count=True)]


def _panel_sizes(summary: Summary) -> tuple[list[Column], dict[str, Scores]]:
    """The number of references of each document, and its column, where that varies."""
    if not summary.who:
        return [], {name: {} for name in summary.documents}
    has = zip(*(summary.who[name] for name in summary.references), strict=True)
    sizes = {name: {PANEL: sum(who)} for name, who in zip(summary.documents, has, strict=True)}
    about = "References that have the document."
    return [Column("references", PANEL, help=about, is_count=True)], sizes


def _who_tables(summary: Summary) -> list[Table]:
    """Who has which document, and how many references that makes, where that varies."""
    if not summary.who:
        return []
    size_columns, sizes = _panel_sizes(summary)
    who = [Column(name, name, help=f"Documents of {name}.", is_count=True) for name in summary.who]
    by_document = zip(summary.documents, zip(*summary.who.values(), strict=True), strict=True)
    rows: list[Labelled] = [
        ((name,), dict(zip(summary.who, map(int, has), strict=True)) | sizes[name])
        for name, has in by_document
    ]
    title = "Who has which document (1 or 0)"
    return [make_table(WHO, title, ("document",), [*size_columns, *who], rows)]


def _notes(summary: Summary) -> tuple[str, ...]:
    notes = [
        f"{name}: {number(int(times), 'word alignment')} too long to verify as a whole; the word "
        "error rate may be slightly too high."
        for name, version in summary.sources.items()
        if (times := version.alignment.get("uncertain"))
    ]
    if summary.panels:
        notes += _panel_notes(summary)
    if summary.options.get("thresholds"):
        from caesura.tasks.transcript.thresholds import threshold_notes

        notes += threshold_notes(summary.options)
    if len(summary.references) > 1 and len(summary.documents) > 1:
        notes += (
            f"{system.name}: macro WiSeBE excludes {number(left_out, 'document')}, where it is "
            "undefined."
            for system in summary.systems
            if (left_out := system.macro_undefined.get("wisebe", 0))
        )
    return tuple(notes)


def _panel_notes(summary: Summary) -> Iterator[str]:
    """What panels of different size mean for scores."""
    sizes = [*summary.panels]
    if len(sizes) > 1:
        yield (
            f"Documents have {sizes[0]} to {number(sizes[-1], 'reference')}: WiSeBE, RGAR, either "
            "and consensus depend on their number; κ, α and means over references hardly do."
        )
    if one := summary.panels.get(1):
        of = f"{one:,} of {number(len(summary.documents), 'document')}"
        verb = "has" if one == 1 else "have"
        yield f"{of} {verb} only one reference, which counts as consensus and adds no agreement."
