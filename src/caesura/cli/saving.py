"""The files that commands write beside the result: rows, the report, the plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caesura.api.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Saving:
    """The files that are written beside the result."""

    rows: str | None
    with_text: bool
    html: str | None
    plot: str | None

    @property
    def arguments(self) -> dict[str, Any]:
        """What `evaluate` saves itself."""
        return {"rows": self.rows, "with_text": self.with_text}

    def save(self, found: Evaluation) -> None:
        """Write the report and the plot, if asked for."""
        if self.html is not None:
            found.html(self.html)
        if self.plot is not None:
            from caesura.output.plot import plot_summary

            plot_summary(found.summary).save(self.plot)
