"""What `caesura correlate` shows."""

from __future__ import annotations

from caesura.core.comparisons import CorrelatedPair, Correlations
from caesura.output.tables import Cell, Column, Labelled, Page, make_table
from caesura.scores.catalog import catalog
from caesura.stats.coefficients import COEFFICIENTS

TABLES = {"documents": "correlations", "systems": "system-correlations"}


def correlate_page(found: Correlations) -> Page:
    """One row for each pair of scores; those over systems have a table of their own."""
    columns = [Column("points", "points", is_count=True)]
    for name in COEFFICIENTS:
        columns += [
            Column(name.capitalize(), name),
            Column("low", f"{name}_low"),
            Column("high", f"{name}_high"),
        ]
    scores = catalog(*found.of)
    labels = {key: entry.label for key, entry in {**scores.references, **scores.systems}.items()}
    tables = []
    for over in dict.fromkeys(pair.over for pair in found.pairs) or ("documents",):
        rows: list[Labelled] = [
            (tuple(labels.get(key, key) for key in pair.measures), _flat(pair))
            for pair in found.pairs
            if pair.over == over
        ]
        title, key = f"Correlations over {over}", TABLES[over]
        tables.append(make_table(key, title, ("score", "with"), columns, rows))
    records = tuple(
        {"score": pair.measures[0], "with": pair.measures[1], "over": pair.over, **_flat(pair)}
        for pair in found.pairs
    )
    return Page(tuple(tables), found.confidence.notes, found.signature, records)


def _flat(pair: CorrelatedPair) -> dict[str, Cell]:
    flat: dict[str, Cell] = {"points": pair.points}
    for name in COEFFICIENTS:
        each = getattr(pair, name)
        flat |= {name: each.value, f"{name}_low": each.low, f"{name}_high": each.high}
    return flat
