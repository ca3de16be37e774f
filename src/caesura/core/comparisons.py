"""Results of comparing and correlating systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from caesura.core.results import Resampled, System
from caesura.core.score import Scores
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
class Power:
    """The power to detect the observed difference, and the sample size for 80% power."""

    units: int
    power: float
    units_needed: int | None
    annotators: int
    annotators_needed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """All about the differences of two systems: the first minus the second."""

    systems: tuple[str, str]
    micro: dict[str, Difference]
    macro: dict[str, Difference] = field(default_factory=dict)
    power: dict[str, Power] = field(default_factory=dict)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptSystem:
    """One system at each value of an option: one score, its rank, and all scores."""

    name: str
    score: tuple[float, ...]
    rank: tuple[int, ...]
    micro: tuple[Scores, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The values between which two systems change ranks."""

    systems: tuple[str, str]
    between: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The result of `caesura transcript --sweep`."""

    caesura: str
    of: Kind
    signature: str
    option: str
    values: tuple[int, ...]
    score: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    systems: tuple[SweptSystem, ...]
    crossings: tuple[Crossing, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    task: Literal["sweep"] = "sweep"
