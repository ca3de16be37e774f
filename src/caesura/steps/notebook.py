"""What a notebook shows: tables as HTML, pandas DataFrames, and valid attribute names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from html import escape
from typing import Any

from caesura.errors import MissingPackageError, UnknownNameError
from caesura.output.tables import Page, Table
from caesura.removed import removal

STYLE = (
    ".caesura{overflow-x:auto}"
    ".caesura table{border-collapse:collapse;margin:.25em 0 .9em;font-size:13px;border:0}"
    ".caesura caption{caption-side:top;text-align:left;font-weight:600;padding:.2em .6em;"
    "color:inherit;white-space:nowrap}"
    ".caesura th,.caesura td{padding:.2em .7em;text-align:right;white-space:nowrap;border:0;"
    "font-variant-numeric:tabular-nums;background:none}"
    ".caesura thead th{border-bottom:1px solid currentColor;font-weight:600}"
    ".caesura .label{text-align:left}"
    ".caesura th[title]{cursor:help}"
    ".caesura tbody tr{background:none}"
    ".caesura p{margin:.25em .6em;max-width:60em;font-size:13px}"
    ".caesura .warning{border-left:3px solid #c77700;padding-left:.6em}"
    ".caesura .signature{font:11px monospace;opacity:.65;overflow-wrap:anywhere}"
)


def html(page: Page, warnings: Iterable[str] = ()) -> str:
    """A page as HTML, warnings first; columns say what they are when the mouse is over them."""
    warned = "".join(f'<p class="warning"><b>Warning:</b> {escape(each)}</p>' for each in warnings)
    tables = "".join(map(_table, page.tables))
    notes = "".join(f"<p>{escape(note)}</p>" for note in page.notes)
    signature = f'<p class="signature">{_breakable(page.signature)}</p>'
    return f'<div class="caesura"><style>{STYLE}</style>{warned}{tables}{notes}{signature}</div>'


def _breakable(signature: str) -> str:
    return escape(signature).replace("|", "|<wbr>")


def _table(table: Table) -> str:
    heads = "".join(
        f"<th{_class(column.key)}{_title(column.help)}>{escape(column.title)}</th>"
        for column in table.columns
    )
    rows = "".join(f"<tr>{_cells(table, row)}</tr>" for row in range(len(table.rows)))
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(table: Table, row: int) -> str:
    found = []
    for at, column in enumerate(table.columns):
        text = escape(table.text(row, at))
        text = f"<b>{text}</b>" if table.is_best(row, at) else text
        found.append(f"<td{_class(column.key)}>{text}</td>")
    return "".join(found)


def _class(key: str) -> str:
    return "" if key else ' class="label"'


def _title(help: str) -> str:
    return f' title="{escape(help)}"' if help else ""


def frame(records: Iterable[Mapping[str, object]], library: str = "pandas") -> Any:
    """Records as a DataFrame of pandas or of polars."""
    if library not in ("pandas", "polars"):
        raise UnknownNameError("library of data frames", library, ["pandas", "polars"])
    try:
        if library == "polars":
            from polars import from_dicts

            return from_dicts(list(records), infer_schema_length=None)
        from pandas import DataFrame
    except ImportError:
        raise MissingPackageError(library, "to_frame()", f"pip install {library}") from None
    return DataFrame.from_records(list(records))


def unknown(owner: str, name: str, known: Collection[str]) -> AttributeError:
    """The error for a score that there is not, or what was removed; it lists similar names."""
    longer = sorted((each for each in known if name in each), key=len)
    close = longer[:3] or get_close_matches(name, known, 3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return AttributeError(removal("option", name) or f"{owner} has no score '{name}'{hint}")
