"""What `caesura text` shows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any

from caesura.errors import number
from caesura.io.files import replacing
from caesura.output.tables import (
    UNDEFINED,
    Cell,
    Column,
    Labelled,
    Page,
    Table,
    make_table,
    shown,
)
from caesura.tasks.text import MERGE, Error

EDGE = 6
ERROR_COLUMNS = (
    "system",
    "unit",
    "document",
    "system_place",
    "gold_place",
    "system_text",
    "gold_text",
)

MATCH_COLUMNS = (
    Column("TP", "tp"),
    Column("FP", "fp"),
    Column("FN", "fn"),
    Column("P", "precision", "high"),
    Column("R", "recall", "high"),
    Column("F1", "f1", "high"),
)
TREE_COLUMNS = (*MATCH_COLUMNS[3:], Column("aligned accuracy", "aligned_accuracy", "high"))
TREE_NAMES = {
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
}


@dataclass(frozen=True, slots=True)
class Found:
    """Errors as they are shown: a table of token errors and passages of sentence errors."""

    tables: tuple[Table, ...] = ()
    passages: tuple[str, ...] = ()


def text_page(
    summary: dict[str, Any], *, by_document: bool = False, errors: Found | None = None
) -> Page:
    """What `caesura text` shows."""
    systems, n = summary["systems"], len(summary["systems"])
    units = {"sentences": "Sentences", "tokens": summary["options"]["units"].capitalize()}
    tables = [
        make_table(title, ("system",), MATCH_COLUMNS, [((s["name"],), s[unit]) for s in systems], n)
        for unit, title in units.items()
    ]
    tables += _tree_tables(systems)
    if by_document:
        tables += [_document_table(summary, unit, title) for unit, title in units.items()]
    records = tuple(
        {"system": system["name"], "document": document, **_flat(scores)}
        for system in systems
        for document, scores in [("(all)", system), *system["by_document"].items()]
    )
    found = errors or Found()
    shown_tables = (*tables, *found.tables)
    return Page(shown_tables, _notes(summary), summary["signature"], records, found.passages)


def shown_errors(found: Iterable[tuple[str, Error]], most: int) -> Found:
    """The most frequent patterns of token errors, and the first sentence errors."""
    patterns: Counter[tuple[str, str, str]] = Counter()
    sentences: list[tuple[str, Error]] = []
    for system, error in found:
        if error.unit == "token":
            patterns[system, error.system or UNDEFINED, error.gold or UNDEFINED] += 1
        else:
            sentences.append((system, error))
    common = sorted(patterns.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    title = f"Token errors: the {len(rows)} most frequent of {number(len(patterns), 'pattern')}"
    labels = ("system", "its tokens", "gold tokens")
    table = make_table(title, labels, (Column("times", "times"),), rows)
    head = f"Sentence errors: the first {min(most, len(sentences))} of {len(sentences):,} blocks\n"
    return Found((table,), (head, *(_passage(*each) for each in sentences[:most])))


def _passage(system: str, error: Error) -> str:
    sides = ((system, error.system_place, error.system), ("gold", error.gold_place, error.gold))
    width = max(len(name) for name, _, _ in sides)
    places = " | ".join(place for _, place, _ in sides)
    lines = [f"  {name:<{width}}  {_shortened(text)}" for name, _, text in sides]
    return "\n".join((places, *lines)) + "\n"


def _shortened(text: str) -> str:
    """The sentences of a block, each with its first and last tokens only."""
    sentences = [sentence.split(" ") for sentence in text.split(MERGE)] if text else []
    short = [
        tokens if len(tokens) <= 2 * EDGE + 1 else [*tokens[:EDGE], "…", *tokens[-EDGE:]]
        for tokens in sentences
    ]
    return MERGE.join(" ".join(tokens) for tokens in short) or UNDEFINED


def write_errors(path: str, found: Iterable[tuple[str, Error]]) -> None:
    """Write errors to a file, one a line, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(ERROR_COLUMNS) + "\n")
        for system, error in found:
            cells = astuple(error)[: len(ERROR_COLUMNS) - 1]
            file.write("\t".join((system, *cells)) + "\n")


def conll_text(summary: dict[str, Any]) -> str:
    """The figures laid out as UD's evaluation script prints them, in per cent."""
    lines = []
    for system in summary["systems"]:
        lines += [f"# {system['name']}"] if len(summary["systems"]) > 1 else []
        lines.append("Metric     | Precision |    Recall |  F1 Score | AligndAcc")
        lines.append("-----------+-----------+-----------+-----------+-----------")
        tree = system.get("treebank", {})
        rows = {"Tokens": system["tokens"], "Sentences": system["sentences"]}
        rows |= {title: tree[name] for name, title in TREE_NAMES.items() if name in tree}
        lines += [_conll_line(title, scores) for title, scores in rows.items()]
    return "\n".join(lines) + "\n"


def _conll_line(title: str, scores: dict[str, Any]) -> str:
    cells = [f"{_per_cent(scores[name])} " for name in ("precision", "recall", "f1")]
    accuracy = scores.get("aligned_accuracy") if title != "Words" else None
    last = "" if accuracy is None else _per_cent(accuracy)
    return f"{title:<11}|{'|'.join(cells)}|{last}"


def _per_cent(value: float) -> str:
    """A share as the script writes it; what is undefined is 0 there."""
    return f"{0 if math.isnan(value) else 100 * value:10.2f}"


def _tree_tables(systems: list[dict[str, Any]]) -> list[Table]:
    have = [system for system in systems if "treebank" in system]
    if not have:
        return []
    rows: list[Labelled] = [
        ((title, system["name"]), system["treebank"][name])
        for name, title in TREE_NAMES.items()
        for system in have
    ]
    return [make_table("Treebank", ("metric", "system"), TREE_COLUMNS, rows, len(have))]


def _document_table(summary: dict[str, Any], unit: str, title: str) -> Table:
    rows: list[Labelled] = [
        ((document, system["name"]), system["by_document"][document][unit])
        for document in summary["documents"]
        for system in summary["systems"]
    ]
    name = f"{title}, document by document"
    return make_table(name, ("document", "system"), MATCH_COLUMNS, rows, len(summary["systems"]))


def _flat(scores: dict[str, Any]) -> dict[str, Cell]:
    flat: dict[str, Cell] = {
        f"{unit.removesuffix('s')}_{name}": value
        for unit in ("sentences", "tokens")
        for name, value in scores[unit].items()
    }
    return {**flat, "aligned": scores["aligned"]}


def _notes(summary: dict[str, Any]) -> tuple[str, ...]:
    if summary["options"]["algorithm"] == "literal":
        return ("The paper's algorithm as printed, made to end; see --algorithm blocks.",)
    return tuple(
        f"{system['name']}: {shown(100 * (1 - system['aligned']))}% of the characters "
        "could not be aligned with the gold text."
        for system in summary["systems"]
        if system["aligned"] < 1
    )
