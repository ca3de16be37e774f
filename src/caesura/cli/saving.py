"""The files that commands write beside the result: rows, the page, the plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caesura.run.cases import Case
    from caesura.run.counting import Task
    from caesura.run.rows import Row


@dataclass(frozen=True, slots=True)
class Saving:
    """The files that are written beside the result."""

    rows: str | None
    with_text: bool
    html: str | None
    plot: str | None

    def save_rows(
        self, summary: dict[str, Any], rows: list[Row], task: Task, cases: Sequence[Case]
    ) -> None:
        """Save the rows, if asked for, after a line that says what they are."""
        if self.rows is None:
            return
        from caesura.output.report import readings
        from caesura.run.rows import write_rows

        head = ("caesura", "task", "signature", "references", "documents", "options")
        kept = readings(task, cases) if self.with_text else ()
        write_rows(self.rows, {name: summary[name] for name in head}, rows, kept)

    def save_page(self, summary: dict[str, Any], task: Task, cases: Sequence[Case]) -> None:
        """Write the page and the plot, if asked for."""
        if self.html is not None:
            from caesura.output.report import readings, report

            _write(report(summary, list(readings(task, cases))), self.html)
        if self.plot is not None:
            from caesura.output.plot import plot_summary

            _write(plot_summary(summary).svg, self.plot)


def _write(text: str, path: str) -> None:
    from caesura.io.files import replacing

    with replacing(path) as file:
        file.write(text)
