"""Resampling: how units are drawn for intervals and p-values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from caesura.core.resampling_defaults import FEW, LEVEL, METHOD, RESAMPLES, SEED, UNIT
from caesura.core.results import Resampled
from caesura.errors import UsageError, number, option

if TYPE_CHECKING:
    from caesura.stats.bootstrap import Interval, Method
    from caesura.stats.matrix import Sample

MOST = 1_000_000
"""The most resamples; the scores of one system in all of them are in memory."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How units are drawn; every option that can change an interval or a p-value."""

    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL
    method: Method = METHOD
    unit: Literal["auto", "document", "block"] = UNIT

    def __post_init__(self) -> None:
        require_resamples(self.resamples, self.seed)
        if not 0 < self.level < 1:
            raise UsageError(f"level cannot be {self.level}; choose one between 0 and 1")

    def told(self, sample: Sample) -> Resampled:
        """The options and what was resampled, for the summary."""
        told = Resampled(
            level=self.level,
            method=self.method,
            unit=sample.scorer.noun if sample.unit == "document" else sample.unit,
            units=len(sample),
            documents=len(sample.documents),
            resamples=self.resamples,
            seed=self.seed,
        )
        return _noted(told)

    def interval(self, estimate: float, draws: Any, left_out: Any) -> Interval:
        """The interval of one score."""
        from caesura.stats.bootstrap import interval

        return interval(estimate, draws, left_out, level=self.level, method=self.method)


def require_resamples(resamples: int, seed: int) -> None:
    """Raise an error for a number of resamples, or a seed, with which nothing can be drawn."""
    if not 1 <= resamples <= MOST:
        raise UsageError(f"resamples cannot be {resamples}; choose 1 to {MOST:,}")
    if seed < 0:
        raise UsageError(f"{option('seed', seed)} is negative; choose 0 or more")


def _noted(told: Resampled) -> Resampled:
    """Add a note on what was resampled, and a warning if there are few units."""
    units = number(told.units, told.unit)
    if told.unit == "block":
        units += f" of {number(told.documents, 'document')}"
    method = "BCa" if told.method == "bca" else "percentile"
    said = [
        f"{told.level:.0%} intervals: bootstrap over {units}, "
        f"{number(told.resamples, 'resample')}, {method}, seed {told.seed}."
    ]
    if told.units < FEW:
        said.append(
            f"Only {units}: intervals and p-values from fewer than {FEW} units are unreliable."
        )
    return replace(told, notes=tuple(said))
