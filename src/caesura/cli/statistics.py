"""Intervals, comparisons and the regression gate that commands share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caesura.api.evaluation import Evaluation
    from caesura.core.results import Summary
    from caesura.core.row import Row
    from caesura.stats.confidence import Resampling

RESAMPLING = ("level", "resamples", "method", "unit", "seed")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Which intervals and comparisons are asked for, and how they are made."""

    how: Resampling
    confidence: bool
    compare: bool = False
    baseline: str | None = None

    @classmethod
    def take(cls, given: dict[str, Any]) -> Statistics:
        """Take the options of statistics out of those given."""
        from caesura.stats.confidence import Resampling

        how = Resampling(**{name: given.pop(name) for name in RESAMPLING})
        asked = ("confidence", "compare", "fail_if_worse_than")
        confidence, compare, baseline = (given.pop(name, None) for name in asked)
        return cls(how, bool(confidence), bool(compare), baseline)

    @property
    def is_asked(self) -> bool:
        """Whether anything will be resampled."""
        return self.confidence or self.compare or self.baseline is not None

    @property
    def arguments(self) -> dict[str, Any]:
        """The same as arguments of `evaluate`."""
        return {
            "resampling": self.how,
            "confidence": self.confidence,
            "compare": self.compare,
            "blocks": self.baseline is not None,
        }

    def add(self, summary: Summary, rows: list[Row]) -> Summary:
        """A summary of saved rows with intervals and comparisons."""
        from caesura.api.evaluate import with_statistics

        return with_statistics(
            summary, rows, self.how, confidence=self.confidence, compare=self.compare
        )

    def check(self, found: Evaluation) -> None:
        """Raise an error if a system is significantly worse than before."""
        if self.baseline is not None:
            from caesura.output.gate import check_no_worse

            check_no_worse(self.baseline, found.summary, found.rows, self.how)
