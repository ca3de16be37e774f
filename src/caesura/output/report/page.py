"""The page: data, script and style in one self-contained HTML file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from caesura.core.json_values import plain
from caesura.core.summary import Summary
from caesura.errors import on_command_line
from caesura.output.report.charts import Charts, Limits, transcript_charts
from caesura.output.report.page_tables import (
    PageColumn,
    PageTable,
    Section,
    page_column,
    page_table,
    score_columns,
    section,
    told_apart,
)
from caesura.output.report.readings import AnyReading
from caesura.output.report.views import TranscriptReading
from caesura.output.tables import OnPage, Page, Table, group_tables
from caesura.scores.catalog import catalog

VERSION = 2
FILLED = ("profile", "all", "mean", "sentences", "tokens")
"""Tables that the page fills itself, for all documents or for one."""
OPEN = ("units", "other")
"""Tables that are drawn with bars; all that are named nowhere here are folded."""
LEFT_OUT = (
    "agreement",
    "ceiling",
    "alignment",
    "document",
    "macro",
    "sentences-document",
    "tokens-document",
    "profile-document",
)
"""Tables in whose place the page has something of its own."""
POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="caesura {version}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<noscript>This page needs JavaScript, which is included in it. {signature}</noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """All that the page shows.

    `question` is what it answers, `command` what wrote it, `behind` what it could show behind the
    scores (nothing where there is no common axis), `item` what words are called.
    `agreement`, `ceiling` and `alignment` are what is drawn of the summary's own.
    `by_document` are scores to choose from where documents are listed, besides those of sections.
    `limits` is there where boundaries are on one axis, in its unit; else there are no readings.
    """

    version: int
    question: str
    command: str
    behind: str
    has_gold: bool
    item: str
    summary: Summary
    sections: tuple[Section, ...]
    agreement: tuple[PageColumn, ...]
    ceiling: tuple[PageColumn, ...]
    by_document: tuple[PageColumn, ...]
    tables: tuple[PageTable, ...]
    notes: tuple[str, ...]
    limits: Limits | None
    readings: tuple[AnyReading, ...]
    charts: Charts
    alignment: Section | None = None


def page_data(summary: Summary, page: Page, readings: Iterable[AnyReading]) -> PageData:
    """Choose what the page draws of the tables of a command, by their ids."""
    task, profile, options = summary.task, summary.profile, summary.options
    question = "How well do the annotators agree?"
    if task.has_systems:
        question = f"How good are these {profile.scored if profile else task.scored}?"
    limits, behind = None, task.behind
    if "window" in options:  # boundaries lie on an axis, which may be one of words
        is_signal = options.get("axis", "words") != "words"
        if options.get("streams"):
            behind = ""
        else:
            limits = Limits(window=options["window"], tolerance=options["tolerance"])
            behind = "every boundary" if is_signal else behind
    tables = _tables(summary, page)
    sections = told_apart(section(each) for each in tables.values() if each.on_page == "filled")
    agreement, ceiling = (
        score_columns(tables[name]) if name in tables else () for name in ("agreement", "ceiling")
    )
    kept = tuple(readings)
    charts = transcript_charts(
        [reading for reading in kept if isinstance(reading, TranscriptReading)],
        limits or Limits(window=0, tolerance=0),
        [column for each in sections for column in each.columns],
        agreement,
    )
    return PageData(
        version=VERSION,
        question=question,
        command=f"caesura {summary.kind}",
        behind=behind,
        has_gold=task.has_gold,
        item=profile.item if profile else "word",
        summary=replace(
            summary,
            warnings=tuple(map(on_command_line, summary.warnings)),
            skipped={name: on_command_line(why) for name, why in summary.skipped.items()},
        ),
        sections=sections,
        agreement=agreement,
        ceiling=ceiling,
        by_document=() if sections else _by_document(summary),
        tables=tuple(
            page_table(table, is_folded=table.id not in OPEN)
            for table in tables.values()
            if table.on_page is None
        ),
        notes=page.notes,
        limits=limits,
        readings=kept,
        charts=charts,
        alignment=section(tables["alignment"]) if "alignment" in tables else None,
    )


def _tables(summary: Summary, page: Page) -> dict[str, Table]:
    """The tables of the command by id, and those that it shows only if asked for."""
    shown, report_tables = page.tables, summary.task.parts.report_tables
    if report_tables is not None:
        shown = report_tables(summary, shown)
    tables = {}
    for table in (*shown, *group_tables(summary)):
        on_page: OnPage | None = None
        if table.on_page == "filled" or table.id in FILLED:
            on_page = "filled"
        elif table.on_page == "left out" or table.id in LEFT_OUT:
            on_page = "left out"
        title = "Counts and scores" if table.id == "one" else table.title
        tables[table.id] = replace(table, title=title, on_page=on_page)
    return tables


def _by_document(summary: Summary) -> tuple[PageColumn, ...]:
    """The scores by document, for a task of which the page fills no table of scores itself."""
    if not any(system.by_document for system in summary.systems):
        return ()
    scores = catalog(*summary.kind)
    known = {**scores.shown("headline"), **scores.shown("other")}
    columns = (*scores.columns("headline"), *scores.columns("other"))
    return tuple(
        replace(page_column(column, ()), label=known[column.key].score.label)
        for column in columns
        if not column.is_count
    )


def report(summary: Summary, page: Page, readings: Iterable[AnyReading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    data = embedded(plain(page_data(summary, page, readings)))
    names = [system.name for system in summary.systems] or summary.references
    shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    script, style = asset("report.js"), asset("report.css")
    policy = POLICY.format(script=_hash(script), style=_hash(style))
    return TEMPLATE.format(
        policy=escape(policy),
        version=escape(summary.caesura),
        title=escape(f"caesura {summary.kind}: {shown}"),
        signature=escape(summary.signature),
        style=style,
        data=data,
        script=script,
    )


def embedded(data: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").encode("utf-8", "backslashreplace").decode()


def asset(name: str) -> str:
    """A file of the front end, as `scripts/build-report` made it."""
    return (files("caesura.output.report") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
