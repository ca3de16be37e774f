"""Evaluation: what `caesura.evaluate` returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from html import escape
from typing import TYPE_CHECKING, Any

from caesura.core.plain import plain
from caesura.core.results import Comparisons, Summary
from caesura.core.row import Row
from caesura.errors import MissingPackageError, number
from caesura.io.files import replacing
from caesura.output.render import as_json, as_text
from caesura.output.summary import agreement_json, summary_json, system_json
from caesura.output.tables import Page
from caesura.output.tables.pages import page_of
from caesura.run.cases import Case
from caesura.run.outcome import Failure
from caesura.run.run import Finished, run
from caesura.scores.catalog import catalog
from caesura.stats.resampling import Resampling

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of one system, or of the references; every key of its JSON is an attribute."""

    name: str
    values: dict[str, Any]

    def __getattr__(self, key: str) -> Any:
        """What stands under a key: `system.f1_mean`, `system.by_document`."""
        if key.startswith("_"):
            raise AttributeError(key)
        if key not in self.values:
            longer = sorted((each for each in self.values if key in each), key=len)
            close = longer[:3] or get_close_matches(key, self.values, 3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise AttributeError(f"{self.name} has no score '{key}'{hint}")
        return self.values[key]

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __dir__(self) -> list[str]:
        return ["name", *self.values]

    def __repr__(self) -> str:
        return f"<Scored {self.name}: {number(len(self.values), 'value')}>"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of systems against references: numbers, tables, an HTML report, rows."""

    summary: Summary
    rows: Sequence[Row]
    task: Any
    found: Finished
    resampling: Resampling = field(default_factory=Resampling)

    @property
    def cases(self) -> list[Case]:
        """The documents that were counted."""
        return self.found.cases

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The documents that were left out, and why."""
        return self.found.failures

    @property
    def notes(self) -> tuple[str, ...]:
        """How inputs were read where that was guessed, a line for each form."""
        return self.summary.notes

    @property
    def warnings(self) -> tuple[str, ...]:
        """What looks misread: a side without boundaries, boundaries one word off, and the like."""
        return self.summary.warnings

    @property
    def systems(self) -> dict[str, Scored]:
        """The systems by name; their scores are attributes."""
        scores = catalog(self.summary.task)
        return {
            each.name: Scored(each.name, {**system_json(each, scores), **each.micro})
            for each in self.summary.systems
        }

    @property
    def agreement(self) -> Scored | None:
        """The agreement of the references; None if there are none to compare."""
        found = self.summary.agreement
        return None if found is None else Scored("agreement", agreement_json(found))

    @property
    def signature(self) -> str:
        """Every option that can change a number."""
        return self.summary.signature

    def page(self, **details: Any) -> Page:
        """The tables, as the command prints them; details are `by_document` and the like."""
        return page_of(self.summary, **details)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the command, as plain values."""
        return summary_json(self.summary)

    def to_json(self) -> str:
        """The JSON of the command."""
        return as_json(self.summary)

    def to_frame(self) -> DataFrame:
        """One row for each system and document, as a pandas DataFrame; needs pandas."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise MissingPackageError("pandas", "to_frame()", "pip install pandas") from None
        return DataFrame.from_records(list(self.page().records))

    def compare(self, baseline: str | None = None, **resampling: Any) -> Comparisons:
        """Compare the systems with a baseline, by default the first."""
        from caesura.stats.compare import compare
        from caesura.stats.contest import Contest

        contest = Contest.from_summary(self.summary, self.rows)
        return compare(contest, Resampling(**resampling), baseline or contest.systems[0])

    def readings(self) -> Iterator[dict[str, Any]]:
        """What the run kept for the page, as plain values; files are read again if it did not."""
        if self.found.spool is not None:
            return self.found.readings()
        return run(self.cases, self.task, reads=True).readings()

    def html(self, path: str | None = None) -> str:
        """The HTML report, also written to `path` if given."""
        from caesura.output.report import readings, report

        text = report(self.summary, self.page(), readings(self.readings()))
        if path is not None:
            with replacing(path) as file:
                file.write(text)
        return text

    def save(self, path: str, *, with_text: bool = False) -> None:
        """Save the rows for `caesura compare` and `caesura report`, with the text if requested."""
        from caesura.output.report import readings
        from caesura.run.rows import write_rows
        from caesura.stats.saved import header_of

        kept = map(plain, readings(self.readings())) if with_text else ()
        write_rows(path, header_of(self.summary), self.rows, kept)

    def __str__(self) -> str:
        return as_text(self.page())

    def __repr__(self) -> str:
        names = ", ".join(self.systems) or "no systems"
        documents = number(len(self.summary.documents), "document")
        return f"<Evaluation of {self.summary.task}: {names}; {documents}>"

    def _repr_html_(self) -> str:
        """Tables for a notebook."""
        page = self.page()
        tables = "".join(_html_table(page, at) for at in range(len(page.tables)))
        return f"<div>{tables}<code>{escape(page.signature)}</code></div>"


def _html_table(page: Page, at: int) -> str:
    table = page.tables[at]
    heads = "".join(
        f'<th title="{escape(column.help)}">{escape(column.title)}</th>' for column in table.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(_html_cell(table.text(row, at), best=table.is_best(row, at)) for at in columns)
        + "</tr>"
        for columns in [range(len(table.columns))]
        for row in range(len(table.rows))
    )
    return f"<table><caption>{escape(table.title)}</caption><tr>{heads}</tr>{rows}</table>"


def _html_cell(text: str, *, best: bool) -> str:
    cell = escape(text)
    return f"<td><b>{cell}</b></td>" if best else f"<td>{cell}</td>"
