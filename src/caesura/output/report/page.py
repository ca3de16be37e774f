"""The page: data, script and style in one self-contained HTML file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
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
    page_columns,
    page_table,
    section,
    told_apart,
)
from caesura.output.report.readings import AnyReading
from caesura.output.report.views import TranscriptReading
from caesura.output.tables import Page, Table, group_tables
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
    kept = tuple(readings)
    tables = _tables(summary, page)
    sections = told_apart(section(table) for table in tables.values() if _is_filled(table))
    agreement = _columns(tables.get("agreement"))
    limits = _limits(summary)
    return PageData(
        version=VERSION,
        question=_question(summary),
        command=f"caesura {summary.kind}",
        behind=_behind(summary, limits),
        has_gold=summary.task.has_gold,
        item=summary.profile.item if summary.profile else "word",
        summary=replace(
            summary,
            warnings=tuple(map(on_command_line, summary.warnings)),
            skipped={name: on_command_line(why) for name, why in summary.skipped.items()},
        ),
        sections=sections,
        agreement=agreement,
        ceiling=_columns(tables.get("ceiling")),
        by_document=() if sections else _by_document(summary),
        tables=tuple(
            page_table(table, is_folded=table.id not in OPEN)
            for table in tables.values()
            if not (_is_filled(table) or _is_left_out(table))
        ),
        notes=page.notes,
        limits=limits,
        readings=kept,
        charts=_charts(kept, limits, sections, agreement),
        alignment=section(tables["alignment"]) if "alignment" in tables else None,
    )


def _is_filled(table: Table) -> bool:
    return table.on_page == "filled" or table.id in FILLED


def _is_left_out(table: Table) -> bool:
    return table.on_page == "left out" or table.id in LEFT_OUT


def _question(summary: Summary) -> str:
    """What the page answers."""
    if not summary.task.has_systems:
        return "How well do the annotators agree?"
    scored = summary.profile.scored if summary.profile else summary.task.scored
    return f"How good are these {scored}?"


def _tables(summary: Summary, page: Page) -> dict[str, Table]:
    """The tables of the command by id, and those that it shows only if asked for."""
    every = page.tables
    report_tables = summary.task.parts.report_tables
    if report_tables is not None:
        every = report_tables(summary, every)
    every = (*every, *group_tables(summary))
    titled = {"one": "Counts and scores"}
    return {each.id: replace(each, title=titled.get(each.id, each.title)) for each in every}


def _columns(table: Table | None) -> tuple[PageColumn, ...]:
    """The columns of scores of a table, if there is one."""
    return tuple(column for column in page_columns(table) if column.key) if table else ()


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


def _has_axis(summary: Summary) -> bool:
    """Whether boundaries lie on an axis, which may be one of words."""
    return "window" in summary.options


def _behind(summary: Summary, limits: Limits | None) -> str:
    """What the page could show behind the scores."""
    if not _has_axis(summary):
        return summary.task.behind
    is_signal = summary.options.get("axis", "words") != "words"
    return "" if limits is None else "every boundary" if is_signal else summary.task.behind


def _limits(summary: Summary) -> Limits | None:
    options = summary.options
    if not _has_axis(summary) or options.get("streams"):
        return None
    return Limits(window=options["window"], tolerance=options["tolerance"])


def _charts(
    readings: Sequence[AnyReading],
    limits: Limits | None,
    sections: Sequence[Section],
    agreement: Sequence[PageColumn],
) -> Charts:
    own = [reading for reading in readings if isinstance(reading, TranscriptReading)]
    columns = [column for each in sections for column in each.columns]
    return transcript_charts(own, limits or Limits(window=0, tolerance=0), columns, agreement)


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


def report(summary: Summary, page: Page, readings: Iterable[AnyReading]) -> str:
    """The page of a summary, its tables and its readings, as HTML."""
    return html(page_data(summary, page, readings))


def html(data: PageData) -> str:
    """The whole page."""
    summary = data.summary
    script, style = asset("report.js"), asset("report.css")
    policy = POLICY.format(script=_hash(script), style=_hash(style))
    return TEMPLATE.format(
        policy=escape(policy),
        version=escape(summary.caesura),
        title=escape(title(summary)),
        signature=escape(summary.signature),
        style=style,
        data=embedded(plain(data)),
        script=script,
    )


def title(summary: Summary) -> str:
    """What is scored, in a line."""
    names = [system.name for system in summary.systems] or summary.references
    shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    return f"caesura {summary.kind}: {shown}"


def embedded(data: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").encode("utf-8", "backslashreplace").decode()


def asset(name: str) -> str:
    """A file of the front end, as `scripts/build-report` made it."""
    return (files("caesura.output.report") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
