"""Results of comparing and correlating systems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from caesura.core.results import Resampled, System
from caesura.core.task import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One system minus another on one score; `better`, `equal` and `worse` count units."""

    difference: float
    low: float
    high: float
    p: float
    effect_size: float
    better: int
    equal: int
    worse: int
    p_holm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """All about the differences of two systems: the first minus the second."""

    systems: tuple[str, str]
    micro: dict[str, Difference]
    macro: dict[str, Difference] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Systems with intervals, and what differs between them."""

    systems: tuple[System, ...]
    comparisons: tuple[Contrast, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons:
    """The result of `caesura compare`."""

    caesura: str
    of: Kind
    signature: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    confidence: Resampled
    baseline: str | None
    systems: tuple[System, ...]
    comparisons: tuple[Contrast, ...]
    ceiling: Compared | None = None
    task: Literal["compare"] = "compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A correlation and its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedPair:
    """The correlations of two scores over documents and their systems, or over systems."""

    measures: tuple[str, str]
    over: Literal["documents", "systems"] = "documents"
    points: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlations:
    """The result of `caesura correlate`."""

    caesura: str
    of: Kind
    signature: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    systems: tuple[str, ...]
    confidence: Resampled
    pairs: tuple[CorrelatedPair, ...]
    task: Literal["correlate"] = "correlate"
