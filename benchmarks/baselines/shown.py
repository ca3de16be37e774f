"""What a page shows, whatever the structure of the data in it: scores, tables, charts, readings.

A page is compared by this. There is one extractor for each version of the data; all give the same
shape, so that every number of the old page is still compared.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from baselines.tabular import by_label

Data = dict[str, Any]
Scores = dict[str, Any]
Group = tuple[str, Scores]
"""Whose scores these are, as `micro s1` or `pair anna ben`, and the scores by key."""

OF_SYSTEMS = ("units", "other")
"""Ids of tables with the scores of systems, where the page does not fill them itself."""
BY_LABELS = {"each": "reference", "mark": "mark", "pair": "pair"}
"""Ids of tables whose scores version 1 has in the summary only: how they are called here."""
BESIDE = ("alignment",)
"""Ids of tables that version 1 does not have; what they show is in the summary, too."""


def shown(data: Data) -> Data:
    """The summary, scores that are shown, titles by key, tables; notes, charts and readings."""
    version = data.get("version") if isinstance(data, dict) else None
    if version not in EXTRACTORS:
        return {"problem": f"no extractor for version {version} of the page's data"}
    return EXTRACTORS[version](data)


def _page(data: Data, groups: Iterable[Group], titles: Scores, tables: Data, charts: Data) -> Data:
    scores: dict[str, Scores] = {}
    for whose, own in groups:
        scores[whose] = scores.get(whose, {}) | own
    return {
        "scores": scores,
        "titles": titles,
        "tables": tables,
        "notes": data["notes"],
        "charts": charts,
        "readings": data["readings"],
    }


def _title(columns: list[Data]) -> Scores:
    return {column["key"]: column["title"] for column in columns if column["key"]}


def _chosen(columns: list[Data], scores: Scores) -> Scores:
    return {key: scores.get(key) for key in _title(columns)}


def _of_systems(columns: list[Data], summary: Data) -> Iterator[Group]:
    """Micro and macro scores with their intervals, and those of each document."""
    for system in summary.get("systems") or []:
        name, ends = system["name"], system.get("confidence") or {}
        for mean in ("micro", "macro"):
            if system.get(mean):
                yield f"{mean} {name}", _chosen(columns, system[mean])
                yield f"{mean} {name}, intervals", _chosen(columns, ends.get(mean) or {})
        for document, scores in system.get("by_document", {}).items():
            yield f"document {document} {name}", _chosen(columns, _flat(scores))


def _of_ceiling(columns: list[Data], ceiling: Data) -> Iterator[Group]:
    for kind, own in (("", ceiling), (", intervals", ceiling.get("confidence") or {})):
        yield f"ceiling human{kind}", _chosen(columns, own.get("human") or {})
        for side in ("systems", "annotators"):
            for name, scores in (own.get(side) or {}).items():
                yield f"ceiling {name}{kind}", _chosen(columns, scores)


def _of_agreement(columns: list[Data], micro: Scores, ends: Data | None) -> Iterator[Group]:
    yield "agreement", _chosen(columns, micro)
    yield "agreement, intervals", _chosen(columns, (ends or {}).get("micro") or {})


def _flat(scores: Data) -> Data:
    """Scores of text: `sentences.f1` is `sentence_f1`."""
    if "sentences" not in scores:
        return scores
    units = ("sentence", "token")
    flat = {f"{unit}_{name}": x for unit in units for name, x in scores[f"{unit}s"].items()}
    return {**flat, "aligned": scores["aligned"]}


# --- Version 1: a summary, and columns whose keys are looked up in it --------------------


def _first(data: Data) -> Data:
    summary, columns = data["summary"], data["columns"]
    known = [each["columns"] for each in data["sections"]]
    if summary.get("agreement"):
        known.append(columns["agreement"])
    tables = {
        table["title"]: by_label([head["title"] for head in table["heads"]], table["rows"])
        for table in data["tables"]
    }
    titles = {key: title for each in known for key, title in _title(each).items()}
    charts = _first_charts(data["charts"])
    return {"summary": summary, **_page(data, _first_groups(data, summary), titles, tables, charts)}


def _first_groups(data: Data, summary: Data) -> Iterator[Group]:
    columns, own = data["columns"], summary.get("agreement")
    for section in data["sections"]:
        yield from _of_systems(section["columns"], summary)
    if own:
        yield from _of_agreement(columns["agreement"], own, own.get("confidence"))
        is_shown = len(own["pairs"]) > 1 or summary["task"] == "agreement"
        for pair in own["pairs"] if is_shown else ():
            yield _named("pair", " ".join(pair["references"])), _chosen(columns["pairs"], pair)
    if "ceiling" in summary:
        yield from _of_ceiling(columns["ceiling"], summary["ceiling"])
    if summary["task"] == "transcript":
        yield from _by_reference(columns, summary["systems"])


def _by_reference(columns: Data, systems: list[Data]) -> Iterator[Group]:
    for system in systems:
        for reference, against in system["by_reference"].items():
            whose = f"{reference} {system['name']}"
            yield _named("reference", whose), _chosen(columns["references"], against)
            for mark, scores in against.get("typed", {}).get("by_mark", {}).items():
                yield _named("mark", f"{whose} {mark}"), _chosen(columns["marks"], scores)


def _named(kind: str, labels: str) -> str:
    return " ".join((kind, *sorted(labels.split(" "))))


def _first_charts(charts: Data) -> Data:
    titles = {"wisebe": "WiSeBE", "window_f1": "F1 RW"}
    windows = charts.get("windows")
    if windows is None:
        return charts
    scores = {titles[key]: windows[key] for key in titles if _is_defined(windows.get(key))}
    return charts | {"windows": {"limits": windows["limits"], "scores": scores}}


def _is_defined(by_system: Data | None) -> bool:
    """Whether a curve is anywhere; WiSeBE of one reference is not."""
    values = (by_system or {}).values()
    return any(value is not None for own in values for value in own)


# --- Version 2: typed results, and tables with ids ---------------------------------------


def _second(data: Data) -> Data:
    known = [each["columns"] for each in data["sections"]]
    known += [data["agreement"], data["ceiling"]]
    known += [_unit_columns(table) for table in _tables(data, OF_SYSTEMS)]
    tables = {
        table["title"]: by_label([column["title"] for column in table["columns"]], table["rows"])
        for table in data["tables"]
        if table["id"] not in (*OF_SYSTEMS, *BY_LABELS, *BESIDE)
    }
    titles = {key: title for each in known for key, title in _title(each).items()}
    charts = _second_charts(data["charts"])
    summary = _as_printed(data["summary"])
    return {"summary": summary, **_page(data, _second_groups(data), titles, tables, charts)}


def _as_printed(summary: Data) -> Data:
    """The summary as `-f json` prints it, which is what version 1 has in the page."""
    from caesura.api.saved import KNOWN
    from caesura.core.comparisons import Comparisons
    from caesura.core.json_values import typed
    from caesura.core.summary import Summary
    from caesura.output.json import summary_json

    task, profile = KNOWN.find(summary["task"], summary.get("profile") or "")
    named = {name: value for name, value in summary.items() if name != "profile"}
    # `typed` looks up all names of Summary's module; it imports this one for type checkers only.
    vars(sys.modules[Summary.__module__])["Comparisons"] = Comparisons
    return summary_json(replace(typed(Summary, named), task=task, profile=profile))


def _tables(data: Data, ids: Iterable[str]) -> list[Data]:
    return [table for table in data["tables"] if table["id"] in ids]


def _unit_columns(table: Data) -> list[Data]:
    """The columns of a table; where its rows are units, one of each unit."""
    columns = [column for column in table["columns"] if column["key"]]
    if table["id"] != "units":
        return columns
    units = dict.fromkeys(row[0] for row in table["rows"])
    return [{**each, "key": f"{unit}_{each['key']}"} for unit in units for each in columns]


def _second_groups(data: Data) -> Iterator[Group]:
    summary = data["summary"]
    for section in data["sections"]:
        yield from _of_systems(section["columns"], summary)
    for table in _tables(data, OF_SYSTEMS):
        yield from _of_systems(_unit_columns(table), summary)
        yield from _drawn(table)
    if "agreement" in summary:
        own = summary["agreement"]
        yield from _of_agreement(data["agreement"], own["micro"], own.get("confidence"))
    if "ceiling" in summary:
        yield from _of_ceiling(data["ceiling"], summary["ceiling"])
    for table in _tables(data, BY_LABELS):
        labels = sum(not column["key"] for column in table["columns"])
        for row in table["rows"]:
            whose = _named(BY_LABELS[table["id"]], " ".join(row[:labels]))
            keys = [column["key"] for column in table["columns"][labels:]]
            yield whose, dict(zip(keys, row[labels:], strict=True))


def _drawn(table: Data) -> Iterator[Group]:
    """The scores of systems as a table itself has them; they override those of the summary."""
    columns = table["columns"]
    for row in table["rows"]:
        of_unit = table["id"] == "units"
        start = 2 if of_unit else 1
        prefix = f"{row[0]}_" if of_unit else ""
        keys = [f"{prefix}{column['key']}" for column in columns[start:]]
        yield f"micro {row[start - 1]}", dict(zip(keys, row[start:], strict=True))


def _second_charts(charts: Data) -> Data:
    """Charts without what is drawn with them that version 1 takes from elsewhere."""
    beside = ("name", "is_reference", "tolerance")

    def own(chart: Data) -> Data:
        return {name: value for name, value in chart.items() if name not in beside}

    found = {"lengths": {each["name"]: own(each) for each in charts["lengths"]}}
    found |= {"offsets": own(charts.get("offsets", {})), **_windows(charts)}
    return {name: chart for name, chart in found.items() if chart}


def _windows(charts: Data) -> Data:
    if "windows" not in charts:
        return {}
    scores = {each["title"]: each["by_system"] for each in charts["windows"]["scores"]}
    return {"windows": {"limits": charts["windows"]["limits"], "scores": scores}}


EXTRACTORS: dict[Any, Callable[[Data], Data]] = {1: _first, 2: _second}
