"""What `caesura transcript` and `caesura agreement` show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from caesura.errors import number
from caesura.output.tables import Cell, Column, Labelled, Page, Table, make_table

TOGETHER_COLUMNS = (
    Column("WiSeBE", "wisebe", "high"),
    Column("F1 RW", "window_f1", "high"),
    Column("P RW", "window_precision", "high"),
    Column("R RW", "window_recall", "high"),
    Column("consensus F1", "consensus_f1", "high"),
    Column("SER either", "ser_either", "low"),
)
MEAN_COLUMNS = (
    Column("F1", "f1_mean", "high"),
    Column("P", "precision_mean", "high"),
    Column("R", "recall_mean", "high"),
    Column("SER", "ser_mean", "low"),
    Column("CER", "cer_mean", "low"),
    Column("Pk", "pk_mean", "low"),
    Column("WD", "windowdiff_mean", "low"),
    Column("B", "boundary_similarity_mean", "high"),
)
REFERENCE_COLUMNS = (
    Column("TP", "tp"),
    Column("FP", "fp"),
    Column("FN", "fn"),
    Column("P", "precision", "high"),
    Column("R", "recall", "high"),
    Column("F1", "f1", "high"),
    Column("SER", "ser", "low"),
    Column("CER", "cer", "low"),
    Column("Pk", "pk", "low"),
    Column("WD", "windowdiff", "low"),
    Column("B", "boundary_similarity", "high"),
    Column("S", "segmentation_similarity", "high"),
)
MARK_COLUMNS = (
    Column("TP", "tp"),
    Column("FP", "fp"),
    Column("FN", "fn"),
    Column("P", "precision"),
    Column("R", "recall"),
    Column("F1", "f1"),
)
AGREEMENT_COLUMNS = (
    Column("RGAR", "rgar"),
    Column("Fleiss κ", "fleiss_kappa"),
    Column("κ at boundaries", "fleiss_kappa_boundaries"),
    Column("Krippendorff α", "krippendorff_alpha"),
    Column("Cohen κ", "cohen_kappa_mean"),
    Column("pairwise F1", "pairwise_f1_mean"),
    Column("pairwise B", "pairwise_boundary_similarity_mean"),
)
PAIR_COLUMNS = (
    Column("Cohen κ", "cohen_kappa"),
    Column("F1", "f1"),
    Column("B", "boundary_similarity"),
)
SU_COLUMNS = (
    Column("Nref", "reference"),
    Column("Ndel", "exact_deletions"),
    Column("Nins", "exact_insertions"),
    Column("Nsub", "exact_substitutions"),
    Column("error", "su_error_rate", "low"),
    Column("event Ndel", "deletions"),
    Column("event Nins", "insertions"),
    Column("event Nsub", "substitutions"),
    Column("event error", "su_event_error_rate", "low"),
)
ALIGNMENT_COLUMNS = (
    Column("words", "words"),
    Column("units", "units"),
    Column("WER", "word_error_rate", "low"),
    Column("coverage", "coverage", "high"),
    Column("merged", "merged"),
    Column("lost", "lost"),
)
CEILING_COLUMNS = (
    Column("WiSeBE", "wisebe", "high"),
    Column("F1 RW", "window_f1", "high"),
    Column("F1", "f1_mean", "high"),
)


def transcript_page(
    summary: dict[str, Any], *, by_document: bool = False, by_mark: bool = False
) -> Page:
    """What `caesura transcript` shows."""
    systems, several = summary["systems"], len(summary["documents"]) > 1
    labels, scored = _scored(systems, several=several)
    each = [
        ((reference, system["name"]), system["by_reference"][reference])
        for reference in summary["references"]
        for system in systems
    ]
    n, labels_each = len(systems), ("reference", "system")
    tables = [
        _agreement_table(summary),
        make_table("Against all references together", labels, TOGETHER_COLUMNS, scored, n),
        make_table("Mean over the references", labels, mean_columns(summary), scored, n),
        make_table("Against each reference", labels_each, reference_columns(summary), each, n),
        *_ceiling_tables(summary),
        *_su_tables(summary),
        *_alignment_tables(summary),
        *_stream_tables(summary),
        *(_mark_tables(systems) if by_mark else []),
        *([_document_table(summary)] if by_document else []),
    ]
    return Page(tuple(tables), _notes(summary), summary["signature"], _records(systems))


def agreement_page(summary: dict[str, Any], *, by_document: bool = False) -> Page:
    """What `caesura agreement` shows."""
    agreement = summary["agreement"]
    pairs = [(tuple(pair["references"]), pair) for pair in agreement["pairs"]]
    each = [((name,), values) for name, values in agreement["by_document"].items()]
    tables = [_agreement_table(summary)]
    tables += [make_table("Pair by pair", ("one", "other"), PAIR_COLUMNS, pairs)] if pairs else []
    tables += [*_ceiling_tables(summary), *_alignment_tables(summary)]
    if by_document:
        tables.append(make_table("Document by document", ("document",), AGREEMENT_COLUMNS, each))
    overall = {column.key: agreement[column.key] for column in AGREEMENT_COLUMNS}
    rows = {"(micro)": overall, "(macro)": agreement["macro"], **agreement["by_document"]}
    records = tuple({"document": name, **values} for name, values in rows.items())
    return Page(tuple(tables), _notes(summary), summary["signature"], records)


def mean_columns(summary: dict[str, Any]) -> tuple[Column, ...]:
    """Leave out what a clock has not: slots, and words to slide a window over."""
    options = summary["options"]
    if options["axis"] == "time":
        return MEAN_COLUMNS[:4]
    tolerance = Column(f"F1 ±{options['tolerance']}", "tolerant_f1_mean", "high")
    return (*MEAN_COLUMNS, tolerance)


def reference_columns(summary: dict[str, Any]) -> tuple[Column, ...]:
    """The same for the table of each reference."""
    return REFERENCE_COLUMNS[:7] if summary["options"]["axis"] == "time" else REFERENCE_COLUMNS


def _scored(
    systems: list[dict[str, Any]], *, several: bool
) -> tuple[tuple[str, ...], list[Labelled]]:
    if not several:
        return ("system",), [((system["name"],), system["micro"]) for system in systems]
    rows: list[Labelled] = [
        ((kind, system["name"]), system[kind]) for kind in ("micro", "macro") for system in systems
    ]
    return ("mean", "system"), rows


def _records(systems: list[dict[str, Any]]) -> tuple[dict[str, Cell], ...]:
    return tuple(
        {"system": system["name"], "document": document, **scores}
        for system in systems
        for document, scores in (
            ("(micro)", system["micro"]),
            ("(macro)", system["macro"]),
            *system["by_document"].items(),
        )
    )


def _agreement_table(summary: dict[str, Any]) -> Table:
    agreement, references = summary["agreement"], summary["references"]
    documents, first = len(summary["documents"]), summary["sources"][references[0]]
    title = f"{number(len(references), 'reference')} on {number(first['words'], 'word')}"
    if documents == 1:
        return make_table(title, (), AGREEMENT_COLUMNS, [((), agreement)])
    rows = [(("micro",), agreement), (("macro",), agreement["macro"])]
    title += f" in {number(documents, 'document')}"
    return make_table(title, ("mean",), AGREEMENT_COLUMNS, rows)


def _mark_tables(systems: list[dict[str, Any]]) -> list[Table]:
    """One table, if both sides have marks anywhere."""
    rows = [
        ((reference, system["name"], mark), scores)
        for system in systems
        for reference, against in system["by_reference"].items()
        for mark, scores in against.get("typed", {}).get("by_mark", {}).items()
    ]
    labels = ("reference", "system", "mark")
    rows.sort(key=lambda row: row[0])
    return [make_table("Mark by mark", labels, MARK_COLUMNS, rows)] if rows else []


def _document_table(summary: dict[str, Any]) -> Table:
    columns = (*TOGETHER_COLUMNS[:2], Column("RGAR", "rgar"), *MEAN_COLUMNS[:4])
    rows = [
        ((document, system["name"]), system["by_document"][document])
        for document in summary["documents"]
        for system in summary["systems"]
    ]
    labels, n = ("document", "system"), len(summary["systems"])
    return make_table("Document by document", labels, columns, rows, n)


def _su_tables(summary: dict[str, Any]) -> list[Table]:
    rows = [
        ((reference, system["name"]), {**against, **against["su"]})
        for reference in summary["references"]
        for system in summary["systems"]
        for against in [system["by_reference"][reference]]
        if "su" in against
    ]
    title, n = "Sentence units as NIST counts them", len(summary["systems"])
    return [make_table(title, ("reference", "system"), SU_COLUMNS, rows, n)] if rows else []


def _alignment_tables(summary: dict[str, Any]) -> list[Table]:
    """Word errors and what became of the boundaries, where words were aligned."""
    rows = [
        ((name,), source)
        for name, source in summary["sources"].items()
        if "word_error_rate" in source
    ]
    axes = sorted(set(summary.get("axes", {}).values()))
    title = f"Words aligned with {' or '.join(axes)}, and boundaries carried over"
    return [make_table(title, ("version",), ALIGNMENT_COLUMNS, rows)] if rows else []


def _stream_tables(summary: dict[str, Any]) -> list[Table]:
    if "streams" not in summary:
        return []
    kind, by_stream = summary["streams"]["kind"], summary["streams"]["by_stream"]
    rows = [
        ((stream, name), scores)
        for stream, systems in by_stream.items()
        for name, scores in systems.items()
    ]
    columns = (*TOGETHER_COLUMNS[:2], Column("RGAR", "rgar"), *MEAN_COLUMNS[:4])
    title, n = f"{kind.capitalize()} by {kind}", len(summary["systems"])
    return [make_table(title, (kind, "system"), columns, rows, n)]


def _ceiling_tables(summary: dict[str, Any]) -> list[Table]:
    if "ceiling" not in summary:
        return []
    ceiling = summary["ceiling"]
    systems = [((name,), scores) for name, scores in ceiling.get("systems", {}).items()]
    people = [((f"{name} (person)",), scores) for name, scores in ceiling["annotators"].items()]
    rows = [*systems, *people, (("people, on the mean",), ceiling["human"])]
    title = "The human ceiling: each against the references but one, a person against the others"
    table = make_table(title, ("who",), CEILING_COLUMNS, rows)
    return [replace(table, groups=(tuple(range(len(systems))),))]


def _notes(summary: dict[str, Any]) -> tuple[str, ...]:
    notes: list[str] = []
    if len(summary["references"]) < 2:
        return ("One reference only: agreement, and so WiSeBE, needs at least two.",)
    for system in summary.get("systems", []):
        left_out = system["macro_undefined"].get("wisebe", 0)
        if left_out and len(summary["documents"]) > 1:
            documents = number(left_out, "document")
            notes.append(f"{system['name']}: macro WiSeBE leaves out {documents}, undefined there.")
    return tuple(notes)
