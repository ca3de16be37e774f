"""What tables of aligned texts say below them."""

from __future__ import annotations

from caesura.core.summary import Summary
from caesura.output.tables import shown


def unaligned_notes(summary: Summary) -> tuple[str, ...]:
    """How much of each system could not be aligned."""
    return tuple(
        f"{system.name}: {shown(100 * (1 - system.micro['aligned']))}% of the characters "
        "could not be aligned with the gold text."
        for system in summary.systems
        if system.micro["aligned"] < 1
    )
