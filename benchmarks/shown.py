"""What a page shows, whatever the structure of the data in it: tables, notes, charts, readings.

A page is compared by this. There is one extractor for each version of the data; a new one gives the
same shape, so that every number of the old page is still compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

Data = dict[str, Any]
Names = tuple[str, ...]
Table = tuple[str, list[list[Any]]]


def shown(data: Data) -> Data:
    """Tables by title, a first row of headings in each; notes, charts and readings."""
    version = data.get("version") if isinstance(data, dict) else None
    if version not in EXTRACTORS:
        return {"problem": f"no extractor for version {version} of the page's data"}
    return EXTRACTORS[version](data)


# --- Version 1: a summary, and columns whose keys are looked up in it --------------------


def _first(data: Data) -> Data:
    summary = data["summary"]
    return {
        "task": summary["task"],
        "signature": summary["signature"],
        "tables": dict(_first_tables(data, summary)),
        "notes": data["notes"],
        "charts": data["charts"],
        "readings": data["readings"],
    }


def _first_tables(data: Data, summary: Data) -> Iterator[Table]:
    columns = data["columns"]
    if summary.get("agreement"):
        own = summary["agreement"]
        yield _table("agreement", columns["agreement"], [((), own)])
        yield _intervals("agreement", columns["agreement"], [((), own, "micro")])
        pairs = [(tuple(pair["references"]), pair) for pair in own["pairs"]]
        yield _table("pairs", columns["pairs"], pairs)
    systems = summary.get("systems") or []
    for section in data["sections"]:
        yield from _section(section, systems, summary["documents"])
    if "ceiling" in summary:
        yield from _ceiling(columns["ceiling"], summary["ceiling"])
    if summary["task"] == "transcript":
        yield from _by_reference(columns, systems, summary["references"])
    for table in data["tables"]:
        heads = [head["title"] for head in table["heads"]]
        yield table["title"], [heads, *table["rows"]]


def _section(section: Data, systems: list[Data], documents: list[str]) -> Iterator[Table]:
    title, columns = section["title"], section["columns"]
    for mean in ("micro", "macro"):
        have = [system for system in systems if mean in system]
        yield _table(f"{title}, {mean}", columns, [((s["name"],), s[mean]) for s in have])
        rows = [((system["name"],), system, mean) for system in have]
        yield _intervals(f"{title}, {mean}", columns, rows)
    for document in documents:
        have = [system for system in systems if document in system.get("by_document", {})]
        rows_here = [((s["name"],), _flat(s["by_document"][document])) for s in have]
        yield _table(f"{title}, document {document}", columns, rows_here)


def _ceiling(columns: list[Data], ceiling: Data) -> Iterator[Table]:
    sides = {"systems": ceiling.get("systems", {}), "annotators": ceiling["annotators"]}
    rows = [((name,), each) for side in sides.values() for name, each in side.items()]
    yield _table("ceiling", columns, [*rows, (("human",), ceiling["human"])])
    if "confidence" in ceiling:
        own = ceiling["confidence"]
        ends = [((n,), each) for side in sides for n, each in (own.get(side) or {}).items()]
        yield _table("ceiling, intervals", columns, [*ends, (("human",), own.get("human") or {})])


def _by_reference(columns: Data, systems: list[Data], references: list[str]) -> Iterator[Table]:
    rows, marks = [], []
    for reference in references:
        for system in systems:
            against = system["by_reference"][reference]
            rows.append(((reference, system["name"]), against))
            for mark, scores in against.get("typed", {}).get("by_mark", {}).items():
                marks.append(((reference, system["name"], mark), scores))
    yield _table("references", columns["references"], rows)
    yield _table("marks", columns["marks"], marks)


def _table(title: str, columns: list[Data], rows: Sequence[tuple[Names, Data]]) -> Table:
    heads = [column["title"] for column in columns]
    cells = [[*names, *(scores.get(column["key"]) for column in columns)] for names, scores in rows]
    return title, [heads, *cells]


def _intervals(title: str, columns: list[Data], rows: Sequence[tuple[Names, Data, str]]) -> Table:
    ends = [(names, (own.get("confidence") or {}).get(mean) or {}) for names, own, mean in rows]
    return _table(f"{title}, intervals", columns, ends)


def _flat(scores: Data) -> Data:
    """Scores of text: `sentences.f1` is `sentence_f1`."""
    if "sentences" not in scores:
        return scores
    units = ("sentence", "token")
    flat = {f"{unit}_{name}": x for unit in units for name, x in scores[f"{unit}s"].items()}
    return {**flat, "aligned": scores["aligned"]}


EXTRACTORS: dict[Any, Callable[[Data], Data]] = {1: _first}
