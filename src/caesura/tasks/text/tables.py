"""What `caesura text` shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from caesura.core.counts import Matches, ratio
from caesura.core.escapes import printable
from caesura.core.results import System
from caesura.core.score import Scores
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.measures.treebank import METRICS, OF_CONTENT
from caesura.output.tables import (
    Labelled,
    Page,
    Table,
    document_records,
    document_rows,
    make_table,
    system_rows,
)
from caesura.output.tables.error_lists import Found
from caesura.output.tables.unit_columns import counted_columns, shared_columns, unit_columns
from caesura.scores.catalog import catalog
from caesura.tasks._aligned_text.notes import unaligned_notes
from caesura.tasks.text.counting import CLASSIC

UNITS = {"sentences": "sentence", "tokens": "token"}


def text_page(summary: Summary, *, by_document: bool = False, errors: Found | None = None) -> Page:
    """What `caesura text` shows."""
    tables = _unit_tables(summary, ("system",), system_rows(summary))
    tables += _tree_tables(summary)
    tables += _classic_tables(summary)
    tables += [] if summary.profile else _titled_tables(summary)
    if by_document:
        tables += _unit_tables(summary, ("document", "system"), document_rows(summary))
    found = errors or Found()
    if any(has_units(summary.task, system, "tokens") for system in summary.systems):
        tables += found.tables
    return Page(
        tuple(tables), _notes(summary), summary.signature, document_records(summary), found.passages
    )


def _unit_tables(
    summary: Summary, labels: tuple[str, ...], rows: Sequence[Labelled]
) -> list[Table]:
    """Sentences and tokens, each of the systems that have them."""
    tables = []
    for unit in UNITS:
        names = [each.name for each in summary.systems if has_units(summary.task, each, unit)]
        own = [row for row in rows if row[0][-1] in names]
        tables += [_unit_table(summary, unit, labels, own).in_groups(len(names))] if own else []
    return tables


def has_units(task: Task, system: System, unit: str) -> bool:
    """Whether a system was scored on sentences or tokens; a detector has no tokens."""
    return not any(math.isnan(system.micro[each.key]) for each in counted_columns(task, unit))


def _unit_table(
    summary: Summary, unit: str, labels: tuple[str, ...], rows: Sequence[Labelled]
) -> Table:
    """Sentences or tokens, of the whole or document by document."""
    title = "Sentences" if unit == "sentences" else summary.options["units"].capitalize()
    is_whole = len(labels) == 1
    return make_table(
        unit if is_whole else f"{unit}-document",
        title if is_whole else f"{title}, document by document",
        labels,
        unit_columns(summary.task, unit),
        rows,
    )


def conll_text(summary: Summary) -> str:
    """The figures laid out as UD's evaluation script prints them, in per cent."""
    lines = []
    for system in summary.systems:
        lines += [f"# {printable(system.name)}"] if len(summary.systems) > 1 else []
        lines.append("Metric     | Precision |    Recall |  F1 Score | AligndAcc")
        lines.append("-----------+-----------+-----------+-----------+-----------")
        rows = _conll_rows(summary.task, system, summary.options["units"].capitalize())
        lines += [_conll_line(label, name, system.micro) for label, name in rows.items()]
    return "\n".join(lines) + "\n"


def _conll_rows(task: Task, system: System, units: str) -> dict[str, str]:
    """The scores of each line; words of a treebank are those that are aligned."""
    rows = {units: "token"} if has_units(task, system, "tokens") else {}
    trees = {label: name for name, label in METRICS.items() if f"{name}_f1" in system.micro}
    if units in trees:
        rows = {}
    return rows | {"Sentences": "sentence"} | trees


def _conll_line(label: str, name: str, scores: Scores) -> str:
    """A line from counts alone: the script compares empty columns like others."""
    found = Matches(*(scores[f"{name}_{count}"] for count in ("tp", "fp", "fn")))
    cells = [f"{_per_cent(rate)} " for rate in (found.precision, found.recall, found.f1)]
    if name not in METRICS or name == "words":
        return f"{label:<11}|{'|'.join(cells)}|"
    aligned = scores["words_tp"]
    if name in OF_CONTENT:  # how many, or 0 where none is right in CLAS, nor in what rests on it
        aligned = scores["clas_tp"] and round(scores["clas_tp"] / scores["clas_aligned_accuracy"])
    return f"{label:<11}|{'|'.join(cells)}|{_per_cent(ratio(found.tp, aligned))}"


def _per_cent(value: float) -> str:
    """A share as the script writes it; what is undefined is 0 there."""
    return f"{0 if math.isnan(value) else 100 * value:10.2f}"


def _tree_tables(summary: Summary) -> list[Table]:
    """Words, tags and trees of CoNLL-U: one row for each metric and system that has it."""
    have = [system for system in summary.systems if "words_f1" in system.micro]
    if not have:
        return []
    columns = shared_columns(summary.task, "treebank.words", "words")
    rows: list[Labelled] = [
        ((label, each.name), {c.key: each.micro[f"{name}_{c.key}"] for c in columns})
        for name, label in METRICS.items()
        for each in have
    ]
    made = make_table("treebank", "Treebank", ("metric", "system"), columns, rows)
    return [made.in_groups(len(have))]


def _classic_tables(summary: Summary) -> list[Table]:
    """Older scores by characters: one row for each kind of unit and system."""
    have = [system for system in summary.systems if f"{CLASSIC}_token_f1" in system.micro]
    columns = [
        replace(column, key=column.key.removeprefix(f"{CLASSIC}_sentence_"))
        for column in catalog(*summary.task_kind).columns("other")
        if column.key.startswith(f"{CLASSIC}_sentence_")
    ]
    rows: list[Labelled] = [
        ((unit, system.name), {c.key: system.micro[f"{CLASSIC}_{short}_{c.key}"] for c in columns})
        for unit, short in UNITS.items()
        for system in have
        if has_units(summary.task, system, unit)
    ]
    made = make_table(CLASSIC, "By characters, as in older work", ("unit", "system"), columns, rows)
    return [made] if rows else []


def _titled_tables(summary: Summary) -> list[Table]:
    """A table of each further measure that has a title for one, with the systems that have it."""
    scores, tables = catalog(*summary.task_kind), []
    for measure in scores.measures:
        if title := getattr(measure, "title", ""):
            keys = {key for key, each in scores.systems.items() if each.measure is measure}
            columns = [column for column in scores.columns("other") if column.key in keys]
            have = [each for each in summary.systems if columns[0].key in each.micro]
            rows: list[Labelled] = [((each.name,), each.micro) for each in have]
            made = make_table(measure.name, title, ("system",), columns, rows)
            tables += [made] if rows else []
    return tables


def _notes(summary: Summary) -> tuple[str, ...]:
    if summary.options["algorithm"] == "literal":
        return ("The paper's algorithm as printed, fixed to terminate; see --algorithm blocks.",)
    return unaligned_notes(summary)
