"""Charts: what the page draws that is in no summary, from the boundaries of its readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import IntArray, Panel, Segmentation
from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.output.report.page_tables import PageColumn
from caesura.output.report.views import Steps, TranscriptReading, positions

LIMITS = (0, 1, 2, 3, 4, 5, 6, 8, 10)
FARTHEST = 10
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
WINDOWED = ("wisebe", "window_f1")
"""The scores by window limit; WiSeBE needs several references."""
RANKED = ("f1_mean", "wisebe")
AGREED = ("fleiss_kappa", "rgar")

Two = tuple[PageColumn, PageColumn]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowScore:
    """One score of each system for each limit of the windows."""

    title: str
    help: str
    by_system: dict[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowChart:
    """Scores by window limit; `used` is the limit of the summary."""

    limits: tuple[int, ...]
    used: int
    scores: tuple[WindowScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetChart:
    """How many boundaries of each system are off by each number of words, `-farthest` first."""

    farthest: int
    tolerance: int
    counts: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLengths:
    """The units of one version: how many, their mean length and its quantiles."""

    name: str
    is_reference: bool
    units: int
    mean: float
    quantiles: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the reading view needs to know: the limit of windows, and how far off is near."""

    window: int
    tolerance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Charts:
    """What is drawn; `ranks` and `agreement` name two scores to set against each other."""

    windows: WindowChart | None = None
    offsets: OffsetChart | None = None
    lengths: tuple[UnitLengths, ...] = ()
    ranks: Two | None = None
    agreement: Two | None = None


def transcript_charts(
    readings: Sequence[TranscriptReading],
    limits: Limits,
    columns: Sequence[PageColumn],
    coefficients: Sequence[PageColumn],
) -> Charts:
    """Scores by window limit, how far boundaries are off, and how long units are."""
    has_systems = any(reading.systems for reading in readings)
    return Charts(
        windows=_windows(readings, limits) if has_systems else None,
        offsets=_offsets(readings, limits) if has_systems else None,
        lengths=_lengths(readings),
        ranks=_two(RANKED, columns),
        agreement=_two(AGREED, coefficients),
    )


def _two(keys: tuple[str, str], columns: Sequence[PageColumn]) -> Two | None:
    known = {column.key: column for column in columns}
    return (known[keys[0]], known[keys[1]]) if known.keys() >= set(keys) else None


def _windows(readings: Sequence[TranscriptReading], limits: Limits) -> WindowChart:
    """The micro scores of each system for each limit of the windows."""
    counts: dict[str, list[WisebeCounts]] = {}
    for name in dict.fromkeys(name for reading in readings for name in reading.systems):
        groups: dict[int, list[TranscriptReading]] = {}  # documents with as many references
        for reading in readings:
            if name in reading.systems:
                groups.setdefault(len(reading.references), []).append(reading)
        each = [_counts_alike(name, own) for own in groups.values()]
        counts[name] = [sum(own, WisebeCounts.zero()) for own in zip(*each, strict=True)]
    is_several = any(len(reading.references) > 1 for reading in readings)
    scores = [
        WindowScore(
            title=score.label,
            help=score.help,
            by_system={
                name: tuple(float(score.value(each)) for each in own)
                for name, own in counts.items()
            },
        )
        for score in Wisebe.scores
        if score.key in WINDOWED and (is_several or score.key != "wisebe")
    ]
    return WindowChart(limits=LIMITS, used=limits.window, scores=tuple(scores))


def _counts_alike(name: str, own: Sequence[TranscriptReading]) -> list[WisebeCounts]:
    """Count documents with as many references each, one after the other on a long axis.

    Between two of them lies more than any limit, so that no window reaches over; the end of the
    axis, which is nobody's boundary, is dropped.
    """
    sizes = np.array([reading.length + LIMITS[-1] for reading in own])
    starts, length = np.cumsum(sizes) - sizes, int(sizes.sum()) + 1

    def joined(every: Sequence[Steps]) -> Segmentation:
        pairs = zip(every, starts.tolist(), strict=True)
        moved = [positions(each) + start for each, start in pairs]
        return Segmentation.from_positions(np.concatenate(moved), length)

    candidate = joined([reading.systems[name] for reading in own])
    members = zip(*(reading.references.values() for reading in own), strict=True)
    panel = Panel(tuple(joined(each) for each in members))
    return [Wisebe(limit, "drop").count(candidate, panel) for limit in LIMITS]


def _offsets(readings: Sequence[TranscriptReading], limits: Limits) -> OffsetChart:
    """The number of boundaries of each system by distance from the nearest of any reference."""
    size = 2 * FARTHEST + 1
    totals: dict[str, IntArray] = {}
    for reading in readings:
        references = _positions(reading.references)
        wanted = np.unique(np.concatenate([np.empty(0, np.int64), *references.values()]))
        for name, placed in _positions(reading.systems).items():
            off = np.clip(_nearest(placed, wanted), -FARTHEST, FARTHEST) + FARTHEST
            found = np.bincount(off, minlength=size)
            totals[name] = totals.get(name, np.zeros(size, np.int64)) + found
    counts = {name: tuple(each.tolist()) for name, each in totals.items()}
    return OffsetChart(farthest=FARTHEST, tolerance=limits.tolerance, counts=counts)


def _positions(side: Mapping[str, Steps]) -> dict[str, IntArray]:
    return {name: positions(own) for name, own in side.items()}


def _nearest(placed: IntArray, wanted: IntArray) -> IntArray:
    """The signed distance to the nearest of the wanted positions; of two, the one before."""
    if not wanted.size:
        return np.full(placed.size, FARTHEST)
    at = np.searchsorted(wanted, placed)
    before = placed - wanted[np.maximum(at - 1, 0)]
    after = placed - wanted[np.minimum(at, wanted.size - 1)]
    return np.where(np.abs(after) < np.abs(before), after, before)


def _lengths(readings: Sequence[TranscriptReading]) -> tuple[UnitLengths, ...]:
    """The lengths of units, of references first."""
    references = dict.fromkeys(name for reading in readings for name in reading.references)
    masses: dict[str, list[IntArray]] = {}
    for reading in readings:
        for name, own in _positions({**reading.references, **reading.systems}).items():
            units = Segmentation.from_positions(own, reading.length).masses
            masses.setdefault(name, []).append(units)
    lengths = []
    for name, each in masses.items():
        units = np.concatenate(each)
        quantiles = np.quantile(units, QUANTILES, method="inverted_cdf").tolist()
        low, lower, middle, upper, high = quantiles
        lengths.append(
            UnitLengths(
                name=name,
                is_reference=name in references,
                units=units.size,
                mean=float(units.mean()),
                quantiles=(low, lower, middle, upper, high),
            )
        )
    return tuple(lengths)
