"""What `caesura corrections` shows: tables, ERRANT's figures, wrong edits, the report's view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from caesura.core.escapes import printable
from caesura.core.summary import Summary
from caesura.output.pages import plain_page
from caesura.output.tables import Errors, Found, Page, errors_by_system, frequent
from caesura.tasks.corrections.counting import EditError, EditErrors
from caesura.tasks.corrections.format import UNKNOWN
from caesura.tasks.corrections.measures import errant_rates

if TYPE_CHECKING:
    from caesura.output.report.views import CorrectionsReading, EditCase, Side

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
WrongEdit = tuple[str, EditError]
"""The system, and an edit that only it or only the gold has."""
Key = tuple["Side", str, str]
"""The side that has an edit, what it replaces and by what."""


def corrections_page(summary: Summary, *, by: Sequence[str] = (), **details: Any) -> Page:
    """What `caesura corrections` shows; groups only if they are asked for."""
    return plain_page(summary, {"unit": ("edits", "Edits")}, by=by, **details)


def errant_text(summary: Summary, *, by: Sequence[str] = (), **_: object) -> str:
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
        sums.update({(category, key): scores[key] for key in ("tp", "fp", "fn")})
    heads = ["Category", "TP", "FP", "FN", "P", "R", f"F{options['beta']}"]
    lines = ["", f"{TITLES[options['match']]:=^{TIER_WIDTH}}", _errant_row(heads)]
    for category in sorted({category for category, _ in sums}):
        tp, fp, fn = counts = [sums[category, key] for key in ("tp", "fp", "fn")]
        rates = [round(each, DIGITS) for each in errant_rates(tp, fp, fn, options["beta"])]
        lines.append(_errant_row([category, *counts, *rates]))
    return lines


def _errant_row(cells: Sequence[object]) -> str:
    first, *others, last = map(str, cells)
    return " ".join([printable(first).ljust(14), *(each.ljust(8) for each in others), last])


def shown_edits(errors: Iterable[WrongEdit], most: int) -> Found:
    """The most frequent edits that only one side has, and the first of them in their sentences."""
    patterns: Counter[tuple[str, ...]] = Counter()
    first: list[WrongEdit] = []
    for system, error in errors:
        cells = error.text or NOTHING, error.correction or NOTHING
        patterns[system, error.side, *cells] += 1
        first += [(system, error)] if len(first) < most else []
    table = frequent(patterns, most, "Wrong edits", ("system", "only in", "text", "correction"))
    passages = []
    for system, error in first:
        change = f"{{{error.text or NOTHING} → {error.correction or NOTHING}}}"
        words = " ".join(filter(None, (error.before, change, error.after)))
        who = system if error.side == "system" else "gold"
        place = f"{error.place} ({error.kind}), only in {who}"
        passages.append(f"{printable(place)}\n  {printable(words)}\n")
    return Found((table,), ("The first of them\n", *passages))


def _cells(wrong: WrongEdit) -> tuple[str, ...]:
    system, error = wrong
    return system, *astuple(error)


ERRORS = Errors(
    partial(errors_by_system, kept=EditErrors, kind="edit_errors"),
    shown_edits,
    ("system", "side", "place", "type", "before", "text", "correction", "after"),
    _cells,
)


def corrections_readings(kept: Iterable[EditErrors]) -> Iterator[CorrectionsReading]:
    """For each system the patterns of its wrong edits, the most frequent first.

    Of each type of edit in a pattern, the first are kept.
    """
    from caesura.output.report import views

    systems: dict[str, dict[Key, tuple[Counter[str], list[EditCase]]]] = {}
    for document in kept:
        for system, errors in document.errors.items():
            patterns = systems.setdefault(system, {})
            for error in errors:
                key = error.side, error.text, error.correction
                times, cases = patterns.setdefault(key, (Counter(), []))
                times[error.kind] += 1
                if times[error.kind] <= views.MOST_CASES:
                    cases.append(
                        views.EditCase(
                            document=document.document,
                            place=PurePath(error.place).name,
                            type=error.kind,
                            before=error.before,
                            after=error.after,
                        )
                    )
    for system, patterns in systems.items():
        ordered = sorted(patterns.items(), key=lambda item: (-item[1][0].total(), item[0]))
        yield views.CorrectionsReading(
            system=system,
            edits=sum(times.total() for times, _ in patterns.values()),
            kinds=len(patterns),
            patterns=tuple(
                views.EditPattern(
                    side=side,
                    text=text,
                    correction=correction,
                    times=dict(times.most_common()),
                    cases=tuple(cases),
                )
                for (side, text, correction), (times, cases) in ordered[: views.MOST_PATTERNS]
            ),
        )
