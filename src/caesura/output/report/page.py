"""The page: data, script and style in one self-contained HTML file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from caesura.core.json_values import plain
from caesura.core.summary import Summary
from caesura.output.report.payload import PageData, page_data
from caesura.output.report.readings import AnyReading
from caesura.output.tables import Page

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
