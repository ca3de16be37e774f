"""What `caesura corrections` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from caesura.core.escapes import printable
from caesura.core.summary import Summary
from caesura.output.tables import Page
from caesura.output.tables.pages import plain_page
from caesura.tasks.corrections.data import UNKNOWN
from caesura.tasks.corrections.measures import errant_rates

TITLES = {
    "correction": " Span-Based Correction ",
    "type": " Span-Based Correction + Classification ",
    "span": " Span-Based Detection ",
    "token": " Token-Based Detection ",
}
WIDTH, TIER_WIDTH, DIGITS = 46, 66, 4
TIERS = {"operation": slice(1), "main": slice(2, None), "type": slice(None)}
"""What ERRANT takes of a type for its category, with -cat 1, 2 and 3."""


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
        sums.update({(category, each): scores[each] for each in ("tp", "fp", "fn")})
    heads = ["Category", "TP", "FP", "FN", "P", "R", f"F{options['beta']}"]
    lines = ["", f"{TITLES[options['match']]:=^{TIER_WIDTH}}", _errant_row(heads)]
    for category in sorted({category for category, _ in sums}):
        tp, fp, fn = counts = [sums[category, each] for each in ("tp", "fp", "fn")]
        rates = [round(each, DIGITS) for each in errant_rates(tp, fp, fn, options["beta"])]
        lines.append(_errant_row([category, *counts, *rates]))
    return lines


def _errant_row(cells: Sequence[object]) -> str:
    first, *others, last = map(str, cells)
    return " ".join([printable(first).ljust(14), *(each.ljust(8) for each in others), last])
