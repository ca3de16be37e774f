"""What `caesura corrections` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from caesura.core.corrections import UNKNOWN
from caesura.core.escapes import printable
from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.measures.corrections import errant_rates
from caesura.output.tables import (
    Column,
    Labelled,
    Page,
    Table,
    document_records,
    make_table,
)
from caesura.output.tables.errors import Errors, Found
from caesura.output.tables.groups import group_tables
from caesura.scores.catalog import catalog
from caesura.tasks.corrections import EditError, EditErrors

ERROR_COLUMNS = ("system", "side", "place", "type", "before", "text", "correction", "after")
TITLES = {
    "correction": " Span-Based Correction ",
    "type": " Span-Based Correction + Classification ",
    "span": " Span-Based Detection ",
    "token": " Token-Based Detection ",
}
WIDTH, TIER_WIDTH, DIGITS = 46, 66, 4
TIERS = {"operation": slice(1), "main": slice(2, None), "type": slice(None)}
"""What ERRANT takes of a type for its category, with -cat 1, 2 and 3."""
NOTHING = "(nothing)"
"""What is inserted into, or what remains; a dash would be a token."""


def corrections_page(
    summary: Summary,
    *,
    by_document: bool = False,
    by: Sequence[str] = (),
    errors: Found | None = None,
) -> Page:
    """What `caesura corrections` shows."""
    whole: list[Labelled] = [((system.name,), system.micro) for system in summary.systems]
    tables = [_table(summary, "edits", ("system",), whole)]
    tables += group_tables(summary, by)
    if by_document:
        each: list[Labelled] = [
            ((document, name), scores) for document, name, scores in summary.by_document()
        ]
        tables.append(_table(summary, "edits-document", ("document", "system"), each))
    found = errors or Found()
    tables += found.tables
    records = document_records(summary)
    return Page(tuple(tables), (), summary.signature, records, found.passages)


def _table(summary: Summary, id: str, labels: tuple[str, ...], rows: list[Labelled]) -> Table:
    title = "Edits" + (", document by document" if len(labels) > 1 else "")
    columns = catalog(*summary.task_kind).columns("unit")
    return make_table(id, title, labels, columns, rows).in_groups(len(summary.systems))


def found_edits(readings: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, EditError]]:
    """Every edit that only one side has, with the name of the system."""
    for values in readings:
        for system, errors in typed(EditErrors, values).errors.items():
            yield from ((system, error) for error in errors)


def shown_edits(found: Iterable[tuple[str, EditError]], most: int) -> Found:
    """The most frequent edits that only one side has, and the first of them in their sentences."""
    patterns: Counter[tuple[str, str, str, str]] = Counter()
    first: list[tuple[str, EditError]] = []
    for system, error in found:
        cells = error.text or NOTHING, error.correction or NOTHING
        patterns[system, _who(error), *cells] += 1
        first += [(system, error)] if len(first) < most else []
    common = sorted(patterns.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    title = f"Wrong edits: the {len(rows)} most frequent of {number(len(patterns), 'kind')}"
    labels = ("system", "only in", "text", "correction")
    table = make_table("errors", title, labels, (Column("times", "times", is_count=True),), rows)
    return Found((table,), ("The first of them\n", *(_passage(*each) for each in first)))


def _who(error: EditError) -> str:
    return "system" if error.side == "system" else "gold"


def _passage(system: str, error: EditError) -> str:
    change = f"{{{error.text or NOTHING} → {error.correction or NOTHING}}}"
    words = " ".join(filter(None, (error.before, change, error.after)))
    who = printable(system) if error.side == "system" else "gold"
    return (
        f"{printable(error.place)} ({printable(error.kind)}), only in {who}\n  {printable(words)}\n"
    )


def write_edits(path: str, found: Iterable[tuple[str, EditError]]) -> None:
    """Write every edit that only one side has to a file, one a line, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(ERROR_COLUMNS) + "\n")
        for system, error in found:
            cells = (
                system, error.side, error.place, error.kind, error.before, error.text,
                error.correction, error.after,
            )  # fmt: skip
            file.write("\t".join(map(printable, cells)) + "\n")


def errant_text(summary: Summary, by: Sequence[str] = ()) -> str:
    """The figures as ERRANT prints them, and before them those of tiers (`-cat`)."""
    options, lines = summary.options, []
    for system in summary.systems:
        lines += [f"# {printable(system.name)}"] if len(summary.systems) > 1 else []
        tp, fp, fn = counts = [system.micro[f"edit_{name}"] for name in ("tp", "fp", "fn")]
        rates = [round(each, DIGITS) for each in errant_rates(tp, fp, fn, options["beta"])]
        for kind in by:
            lines += _errant_tier(system.groups["by_type"], kind, options)
        lines += [
            "",
            f"{TITLES[options['match']]:=^{WIDTH}}",
            "\t".join(["TP", "FP", "FN", "Prec", "Rec", f"F{options['beta']}"]),
            "\t".join(map(str, [*counts, *rates])),
            "=" * WIDTH,
            "",
        ]
    return "\n".join(lines) + "\n"


def _errant_tier(
    types: Mapping[str, Mapping[str, Any]], kind: str, options: Mapping[str, Any]
) -> list[str]:
    """The table of a tier: operations are first characters there, main types what follows two."""
    cut = TIERS[kind]
    sums: Counter[tuple[str, str]] = Counter()
    for name, scores in types.items():
        category = name if name == UNKNOWN else name[cut]
        sums.update({(category, each): scores[each] for each in ("tp", "fp", "fn")})
    heads = ["Category", "TP", "FP", "FN", "P", "R", f"F{options['beta']}"]
    lines = ["", f"{TITLES[options['match']]:=^{TIER_WIDTH}}", _errant_row(heads)]
    for category in sorted({category for category, _ in sums}):
        tp, fp, fn = counts = [sums[category, each] for each in ("tp", "fp", "fn")]
        rates = [round(each, DIGITS) for each in errant_rates(tp, fp, fn, options["beta"])]
        lines.append(_errant_row([category, *counts, *rates]))
    return lines


def _errant_row(cells: Sequence[Any]) -> str:
    first, *others, last = map(str, cells)
    return " ".join([printable(first).ljust(14), *(each.ljust(8) for each in others), last])


ERRORS = Errors(found_edits, shown_edits, write_edits)
