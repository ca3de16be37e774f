"""What `caesura transcript --sweep` shows: a table of scores, one of ranks, and a chart."""

from __future__ import annotations

from caesura.core.comparisons import Swept
from caesura.core.score import Better
from caesura.output.svg import LineChart, Plot
from caesura.output.tables import Cell, Column, Labelled, Page, make_table
from caesura.scores.catalog import catalog


def sweep_page(found: Swept) -> Page:
    """Scores and ranks of systems, a column for each value."""
    better: Better = "low" if catalog(*found.of).is_lower_better(found.score) else "high"
    values = list(map(str, found.values))
    scores: list[Labelled] = [
        ((system.name,), dict(zip(values, system.score, strict=True))) for system in found.systems
    ]
    ranks: list[Labelled] = [
        ((system.name,), dict(zip(values, system.rank, strict=True))) for system in found.systems
    ]
    title = f"{_label(found)} by {found.option}, micro"
    columns = [Column(value, value, better) for value in values]
    tables = [make_table("sweep", title, ("system",), columns, scores).in_groups(len(scores))]
    if len(scores) > 1:
        columns = [Column(value, value, is_count=True) for value in values]
        tables.append(make_table("ranks", "Ranks", ("system",), columns, ranks))
    return Page(tuple(tables), _notes(found), found.signature, _records(found))


def _label(found: Swept) -> str:
    return catalog(*found.of).systems[found.score].label


def _notes(found: Swept) -> tuple[str, ...]:
    if len(found.systems) < 2:
        return ()
    crossings = tuple(
        f"{each.systems[0]} and {each.systems[1]} cross between {found.option} "
        f"{each.between[0]} and {each.between[1]}."
        for each in found.crossings
    )
    return crossings or ("No two systems cross.",)


def _records(found: Swept) -> tuple[dict[str, Cell], ...]:
    """One line for each system and value, all scores in full."""
    named = catalog(*found.of).with_short_names
    references = len(found.references)
    return tuple(
        {"system": system.name, found.option: value, "rank": rank, **named(scores, references)}
        for system in found.systems
        for value, rank, scores in zip(found.values, system.rank, system.micro, strict=True)
    )


def sweep_chart(found: Swept) -> Plot:
    """The score by value of the option, a line for each system."""
    lines = {system.name: system.score for system in found.systems}
    title = f"{_label(found)} by {found.option}"
    return LineChart(title, found.option, found.values, lines).plot()
