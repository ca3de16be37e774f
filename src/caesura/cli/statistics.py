"""Intervals, comparisons and the gate that commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from caesura.run.rows import Row
    from caesura.stats.confidence import Resampling
    from caesura.tasks.transcript import Transcript

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

    def needs_blocks(self, documents: int) -> bool:
        """Whether documents have to be counted in blocks."""
        from caesura.stats.sample import FEW

        few = self.how.unit == "auto" and documents < FEW
        return self.is_asked and (few or self.how.unit == "block")

    def cut(self, task: Transcript, documents: int) -> Transcript:
        """The task, with blocks where they are needed and there can be any."""
        blocks = self.needs_blocks(documents)
        if blocks and self.how.unit == "block" and not task.has_blocks:
            raise click.UsageError("--axis time, --streams and --su know no blocks")
        return replace(task, blocks=blocks and task.has_blocks)

    def add(self, summary: dict[str, Any], rows: list[Row]) -> None:
        """Add intervals and comparisons to a summary."""
        from caesura.stats.compare import compare_summary
        from caesura.stats.confidence import add_confidence
        from caesura.stats.contest import Contest

        contest = Contest.of(summary, rows)
        if self.compare:
            summary["comparison"] = compare_summary(contest, self.how, contest.systems[0])
            summary["signature"] = summary["comparison"]["signature"]
        if self.confidence:
            add_confidence(summary, rows, self.how)

    def check(self, summary: dict[str, Any], rows: list[Row]) -> None:
        """Raise an error if a system is worse than before."""
        if self.baseline is not None:
            from caesura.output.gate import check_no_worse

            check_no_worse(self.baseline, summary, rows, self.how)
