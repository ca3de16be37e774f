"""What `caesura trees` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from caesura.core.escapes import printable
from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.output.tables import Column, Labelled, Page, Table, document_records, make_table, shown
from caesura.output.tables.errors import Errors, Found
from caesura.output.tables.groups import group_tables
from caesura.output.tables.text import shared_columns
from caesura.scores.catalog import catalog
from caesura.tasks.tree_errors import NONE, TreeError, TreeErrors, TreeSide, bracketed

UNITS = {
    "brackets": "bracket",
    "unlabelled": "unlabelled",
    "tags": "tag",
    "tokens": "token",
    "sentences": "sentence",
}
"""The kinds of units, and how the keys of their scores begin."""
ERROR_COLUMNS = (
    "system", "document", "system_place", "gold_place", "labels", "system_tree", "gold_tree",
)  # fmt: skip
LONGEST = 600
"""The characters of a tree that are shown."""


def trees_page(
    summary: Summary,
    *,
    by_document: bool = False,
    by: Sequence[str] = (),
    errors: Found | None = None,
) -> Page:
    """What `caesura trees` shows."""
    whole: list[Labelled] = [((system.name,), system.micro) for system in summary.systems]
    tables = [_unit_table(summary, ("system",), whole), *_other_tables(summary, whole)]
    tables += group_tables(summary, by)
    if by_document:
        each: list[Labelled] = [
            ((document, name), scores) for document, name, scores in summary.by_document()
        ]
        tables.append(_unit_table(summary, ("document", "system"), each))
    found = errors or Found()
    tables += found.tables
    return Page(
        tuple(tables), _notes(summary), summary.signature, document_records(summary), found.passages
    )


def _unit_table(summary: Summary, labels: tuple[str, ...], rows: Sequence[Labelled]) -> Table:
    """One row for each kind of unit and system; all kinds have the same columns."""
    columns = shared_columns(summary.task, "brackets", "bracket")
    n = len(summary.systems)
    each: list[Labelled] = [
        ((unit, *names), {c.key: scores[f"{prefix}_{c.key}"] for c in columns})
        for start in range(0, len(rows), n)
        for unit, prefix in UNITS.items()
        for names, scores in rows[start : start + n]
    ]
    is_whole = len(labels) == 1
    title = "Brackets, tags, tokens and sentences" + (", document by document" * (not is_whole))
    name = "units" if is_whole else "units-document"
    return make_table(name, title, ("unit", *labels), columns, each).in_groups(n)


def _other_tables(summary: Summary, rows: Sequence[Labelled]) -> Iterator[Table]:
    """Sentences and crossing brackets; and what evalb counts."""
    scores, n = catalog(*summary.task_kind), len(summary.systems)
    title = "Complete sentences and crossing brackets"
    yield make_table("other", title, ("system",), scores.columns("other"), rows).in_groups(n)
    lines = [row for row in rows if "evalb_sentences" in row[1]]
    if lines:
        columns = scores.columns("alignment")
        title = f"Lines, as evalb counts them with {summary.options['evalb']}"
        yield make_table("evalb", title, ("system",), columns, lines).in_groups(n)


def found_tree_errors(readings: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, TreeError]]:
    """Every sentence whose brackets differ, with the name of the system, as a run kept them."""
    for values in readings:
        if values["kind"] == "tree_errors":
            for system, errors in typed(TreeErrors, values).errors.items():
                yield from ((system, error) for error in errors)


def shown_tree_errors(found: Iterable[tuple[str, TreeError]], most: int) -> Found:
    """The most frequent confusions of labels, and the first sentences that differ."""
    pairs: Counter[tuple[str, str, str]] = Counter()
    sentences: list[tuple[str, TreeError]] = []
    size = 0
    for system, error in found:
        pairs.update((system, *pair) for pair in error.labels)
        sentences += [(system, error)] if len(sentences) < most else []
        size += 1
    common = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    title = f"Label errors: the {len(rows)} most frequent of {number(len(pairs), 'kind')}"
    labels = ("system", "its label", "gold label")
    table = make_table("errors", title, labels, (Column("times", "times", is_count=True),), rows)
    head = (
        f"Sentences with other brackets: the first {len(sentences)} of {size:,}; brackets that "
        "only one side has are square\n"
    )
    return Found((table,), (head, *(_passage(*each) for each in sentences)))


def _passage(system: str, error: TreeError) -> str:
    name = printable(system)
    width = max(len(name), len("gold"))
    sides = ((name, error.system), ("gold", error.gold))
    places = printable(" | ".join(side.place for _, side in sides))
    lines = [f"  {label:<{width}}  {printable(_line(side))}" for label, side in sides]
    return "\n".join((places, *lines)) + "\n"


def _line(side: TreeSide) -> str:
    text = bracketed(side) or NONE
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def write_tree_errors(path: str, found: Iterable[tuple[str, TreeError]]) -> None:
    """Write sentences whose brackets differ to a file, one a line, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(ERROR_COLUMNS) + "\n")
        for system, error in found:
            labels = " ".join(f"{ours}/{theirs}" for ours, theirs in error.labels)
            sides = error.system, error.gold
            cells = (system, error.document, *(side.place for side in sides), labels)
            trees = map(bracketed, sides)
            file.write("\t".join(map(printable, (*cells, *trees))) + "\n")


def _notes(summary: Summary) -> tuple[str, ...]:
    return tuple(
        f"{system.name}: {shown(100 * (1 - system.micro['aligned']))}% of the characters "
        "could not be aligned with the gold text."
        for system in summary.systems
        if system.micro["aligned"] < 1
    )


ERRORS = Errors(found_tree_errors, shown_tree_errors, write_tree_errors)
