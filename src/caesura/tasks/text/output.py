"""What `caesura text` shows: tables, UD's figures, lists of errors, and the report's view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from caesura.core.counts import Matches, ratio
from caesura.core.escapes import printable
from caesura.core.results import System
from caesura.core.score import Scores
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.measures.treebank import METRICS, OF_CONTENT
from caesura.output.tables import (
    UNDEFINED,
    Errors,
    Found,
    Labelled,
    Page,
    Table,
    counted_columns,
    document_records,
    document_rows,
    errors_by_system,
    frequent,
    make_table,
    passage,
    shared_columns,
    system_rows,
    unit_columns,
)
from caesura.scores.catalog import catalog
from caesura.tasks.against_gold import unaligned_notes
from caesura.tasks.text.counting import MERGE, Error, TextErrors

if TYPE_CHECKING:
    from caesura.output.report.views import Direction, ErrorCase, TextReading

CLASSIC = "classic"
UNITS = {"sentences": "sentence", "tokens": "token"}
EDGE = 6
"""The tokens that are shown of a long sentence, at its beginning and at its end."""
COLUMNS = (
    "system", "unit", "document", "system_place", "gold_place", "system_text", "gold_text",
)  # fmt: skip
WrongBlock = tuple[str, Error]
"""The system, and what is not right."""
Unit = Literal["token", "sentence"]
Key = tuple[Unit, "Direction", str, str]
"""The unit, and what goes wrong: the tokens on both sides, or after which token a sentence ends."""


def text_page(summary: Summary, *, by_document: bool = False, errors: Found | None = None) -> Page:
    """What `caesura text` shows."""
    tables = _unit_tables(summary, ("system",), system_rows(summary))
    tables += _tree_tables(summary)
    tables += _classic_tables(summary)
    tables += [] if summary.profile else _titled_tables(summary)
    if by_document:
        tables += _unit_tables(summary, ("document", "system"), document_rows(summary))
    lists = errors or Found()
    if any(has_units(summary.task, system, "tokens") for system in summary.systems):
        tables += lists.tables
    notes = unaligned_notes(summary)
    if summary.options["algorithm"] == "literal":
        notes = ("The paper's algorithm as printed, fixed to terminate; see --algorithm blocks.",)
    records = document_records(summary)
    return Page(tuple(tables), notes, summary.signature, records, lists.passages)


def _unit_tables(
    summary: Summary, labels: tuple[str, ...], rows: Sequence[Labelled]
) -> list[Table]:
    """Sentences and tokens of the systems that have them, as a whole or document by document."""
    tables, is_whole = [], len(labels) == 1
    for unit in UNITS:
        names = [each.name for each in summary.systems if has_units(summary.task, each, unit)]
        having = [row for row in rows if row[0][-1] in names]
        title = "Sentences" if unit == "sentences" else summary.options["units"].capitalize()
        table = make_table(
            unit if is_whole else f"{unit}-document",
            title if is_whole else f"{title}, document by document",
            labels,
            unit_columns(summary.task, unit),
            having,
        )
        tables += [table.in_groups(len(names))] if having else []
    return tables


def has_units(task: Task, system: System, unit: str) -> bool:
    """Whether a system was scored on sentences or tokens; a detector has no tokens."""
    return not any(math.isnan(system.micro[each.key]) for each in counted_columns(task, unit))


def conll_text(summary: Summary) -> str:
    """The figures laid out as UD's evaluation script prints them, in per cent."""
    lines = []
    for system in summary.systems:
        lines += [f"# {printable(system.name)}"] if len(summary.systems) > 1 else []
        lines.append("Metric     | Precision |    Recall |  F1 Score | AligndAcc")
        lines.append("-----------+-----------+-----------+-----------+-----------")
        # Words of a treebank are those that are aligned.
        trees = {label: name for name, label in METRICS.items() if f"{name}_f1" in system.micro}
        units = summary.options["units"].capitalize()
        has_tokens = units not in trees and has_units(summary.task, system, "tokens")
        rows = ({units: "token"} if has_tokens else {}) | {"Sentences": "sentence"} | trees
        lines += [_conll_line(label, name, system.micro) for label, name in rows.items()]
    return "\n".join(lines) + "\n"


def _conll_line(label: str, name: str, scores: Scores) -> str:
    """A line from counts alone: the script compares empty columns like others."""
    matches = Matches(*(scores[f"{name}_{count}"] for count in ("tp", "fp", "fn")))
    cells = [f"{_per_cent(rate)} " for rate in (matches.precision, matches.recall, matches.f1)]
    if name not in METRICS or name == "words":
        return f"{label:<11}|{'|'.join(cells)}|"
    aligned = scores["words_tp"]
    if name in OF_CONTENT:  # how many, or 0 where none is right in CLAS, nor in what rests on it
        aligned = scores["clas_tp"] and round(scores["clas_tp"] / scores["clas_aligned_accuracy"])
    return f"{label:<11}|{'|'.join(cells)}|{_per_cent(ratio(matches.tp, aligned))}"


def _per_cent(value: float) -> str:
    """A share as the script writes it; what is undefined is 0 there."""
    return f"{0 if math.isnan(value) else 100 * value:10.2f}"


def _tree_tables(summary: Summary) -> list[Table]:
    """Words, tags and trees of CoNLL-U: one row for each metric and system that has it."""
    have = [system for system in summary.systems if "words_f1" in system.micro]
    columns = shared_columns(summary.task, "treebank.words", "words")
    rows: list[Labelled] = [
        ((label, each.name), {c.key: each.micro[f"{name}_{c.key}"] for c in columns})
        for name, label in METRICS.items()
        for each in have
    ]
    made = make_table("treebank", "Treebank", ("metric", "system"), columns, rows)
    return [made.in_groups(len(have))] if have else []


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


def shown_errors(errors: Iterable[WrongBlock], most: int) -> Found:
    """The most frequent patterns of token errors, and the first sentence errors."""
    patterns: Counter[tuple[str, ...]] = Counter()
    sentences: list[WrongBlock] = []
    for system, error in errors:
        if error.unit == "token":
            patterns[system, error.system or UNDEFINED, error.gold or UNDEFINED] += 1
        else:
            sentences.append((system, error))
    labels = "system", "its tokens", "gold tokens"
    table = frequent(patterns, most, "Token errors", labels, "pattern")
    head = f"Sentence errors: the first {min(most, len(sentences))} of {len(sentences):,} blocks\n"
    passages = []
    for system, error in sentences[:most]:
        sides = (system, _shortened(error.system)), ("gold", _shortened(error.gold))
        passages.append(passage(f"{error.system_place} | {error.gold_place}", *sides))
    return Found((table,), (head, *passages) if sentences else ())


def _shortened(text: str) -> str:
    """The sentences of a block, each with its first and last tokens only."""
    sentences = [sentence.split(" ") for sentence in text.split(MERGE)] if text else []
    short = [
        tokens if len(tokens) <= 2 * EDGE + 1 else [*tokens[:EDGE], "…", *tokens[-EDGE:]]
        for tokens in sentences
    ]
    return MERGE.join(" ".join(tokens) for tokens in short) or UNDEFINED


def _cells(wrong: WrongBlock) -> tuple[str, ...]:
    system, error = wrong
    return system, *astuple(error)[: len(COLUMNS) - 1]


ERRORS = Errors(
    partial(errors_by_system, kept=TextErrors, kind="errors"), shown_errors, COLUMNS, _cells
)


def text_readings(kept: Iterable[TextErrors]) -> Iterator[TextReading]:
    """For each system the patterns of its errors, the most frequent first."""
    from caesura.output.report.views import MOST_CASES, MOST_PATTERNS, Pattern, TextReading

    systems: dict[str, tuple[Counter[Key], dict[Key, list[Error]]]] = {}
    for document in kept:
        for system, errors in document.errors.items():
            times, first = systems.setdefault(system, (Counter(), {}))
            for error in errors:
                key = _key(error)
                times[key] += 1
                if times[key] <= MOST_CASES:
                    first.setdefault(key, []).append(error)
    for system, (times, first) in systems.items():
        order = sorted(times, key=lambda key: (-times[key], key[0], *key[2:]))
        yield TextReading(
            system=system,
            blocks=times.total(),
            kinds=len(times),
            patterns=tuple(
                Pattern(
                    unit=key[0],
                    direction=key[1],
                    system=key[2],
                    gold=key[3],
                    times=times[key],
                    cases=tuple(map(_case, first[key])),
                )
                for key in order[:MOST_PATTERNS]
            ),
        )


def _key(error: Error) -> Key:
    """What goes wrong: one of the gold's units is split, several are merged, or neither."""
    ours, theirs = (side.split(MERGE) if side else [] for side in (error.system, error.gold))
    direction: Direction = "other"
    if len(theirs) == 1 < len(ours):
        direction = "split"
    elif len(ours) == 1 < len(theirs):
        direction = "merged"
    if error.unit == "token":
        return "token", direction, error.system, error.gold
    if direction == "other":
        return "sentence", direction, f"{len(ours)}", f"{len(theirs)}"
    longer = ours if direction == "split" else theirs
    return "sentence", direction, longer[0].rsplit(" ", 1)[-1], ""


def _case(error: Error) -> ErrorCase:
    from caesura.output.report.views import ErrorCase

    is_sentence = error.unit == "sentence"
    return ErrorCase(
        document=error.document,
        system_place=PurePath(error.system_place).name,
        gold_place=PurePath(error.gold_place).name,
        before=error.before,
        after=error.after,
        system=error.system if is_sentence else "",
        gold=error.gold if is_sentence else "",
    )
