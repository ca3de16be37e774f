"""Plots of scores as SVG, for a notebook or a file; drawn without any library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePath

from caesura.core.escapes import printable
from caesura.core.results import ReferenceAgreement, System
from caesura.core.summary import Summary
from caesura.errors import UsageError
from caesura.io.writing import replacing
from caesura.output.tables import shown
from caesura.scores.catalog import catalog

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
INK = "#2b2622"
WIDTH, MARGIN, ROW, LEFT, RIGHT, TOP = 640, 12, 22, 170, 70, 40
"""Of bars; what is left and right of them are labels and values."""
DEEP, FIRST, LAST, BOTTOM = 400, 60, 520, 350
"""The height of a chart of lines, and where its axes begin and end."""
STEPS, TICKS = 4, 12
"""The lines across a chart, and the most values named below it."""
FONT = 'font-family="Georgia, serif"'


@dataclass(frozen=True, slots=True)
class Bar:
    """A score with its label, the number of its colour, and an interval where one is known.

    `scale` is 100 for a score from 0 to 100.
    """

    label: str
    value: float
    color: int = 0
    interval: tuple[float, float] | None = None
    scale: int = 1

    @property
    def end(self) -> float:
        """Where the bar ends."""
        return self.value / self.scale

    @property
    def ends(self) -> list[float]:
        """Where the interval begins and ends, if there is one."""
        return [each / self.scale for each in self.interval or ()]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing; a notebook shows it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        """Write it to a file."""
        require_svg(path)
        with replacing(path) as file:
            file.write(self.svg)


def require_svg(path: str) -> None:
    """Raise an error unless a file is named as SVG."""
    suffix = PurePath(path).suffix
    if suffix.lower() not in {"", ".svg"}:
        better = PurePath(path).with_suffix(".svg")
        raise UsageError(f"{path}: plots are written as SVG; name the file {better}")


def bars(title: str, groups: Sequence[tuple[str, Sequence[Bar]]], note: str = "") -> Plot:
    """Draw groups of bars on one scale from 0, or from the lowest value below it."""
    drawn, y = [], TOP
    low, high = _scale([bar for _, own in groups for bar in own])
    for heading, own in groups:
        if heading:
            drawn.append(_text(0, y + 14, heading, weight="bold"))
            y += ROW
        for bar in own:
            drawn.append(_bar(bar, y, low, high))
            y += ROW
        y += ROW // 2
    zero = _x(0, low, high)
    axis = f'<line x1="{zero}" x2="{zero}" y1="{TOP - 4}" y2="{y - 6}" stroke="{INK}"/>'
    foot = _text(0, y + 12, note, size=9) if note else ""
    parts = _text(0, 22, title, size=15), axis, *drawn, foot
    return _picture(title, y + (24 if note else 4), parts)


def _picture(title: str, height: int, parts: Iterable[str]) -> Plot:
    """Parts on a ground with a margin on both sides."""
    width = WIDTH + 2 * MARGIN
    return Plot(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{MARGIN} 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{_safe(title)}">'
        f'<rect x="-{MARGIN}" width="{width}" height="{height}" fill="#fffdf8"/>'
        f"{''.join(parts)}</svg>\n"
    )


@dataclass(frozen=True, slots=True)
class LineChart:
    """One line for each name over whole numbers; what is undefined is left out of its line."""

    title: str
    label: str
    values: tuple[int, ...]
    lines: Mapping[str, tuple[float, ...]]

    def plot(self) -> Plot:
        """Draw it."""
        return _picture(self.title, DEEP, (*self._axes(), *self._drawn()))

    @property
    def _range(self) -> tuple[float, float]:
        known = [score for line in self.lines.values() for score in line if not math.isnan(score)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        margin = (high - low) * 0.08 or 0.05
        return low - margin, high + margin

    def _x(self, value: int) -> float:
        first, last = self.values[0], self.values[-1]
        return round(FIRST + (LAST - FIRST) * (value - first) / max(1, last - first), 1)

    def _y(self, score: float) -> float:
        low, high = self._range
        return round(TOP + (BOTTOM - TOP) * (high - score) / (high - low), 1)

    def _axes(self) -> Iterator[str]:
        low, high = self._range
        yield _text(FIRST, 22, self.title, size=15)
        yield _text((FIRST + LAST) / 2, DEEP - 10, self.label, anchor="middle")
        for value in self.values[:: math.ceil(len(self.values) / TICKS)]:
            yield _text(self._x(value), BOTTOM + 20, str(value), anchor="middle")
        for at in range(STEPS + 1):
            score = low + (high - low) * at / STEPS
            y = self._y(score)
            yield f'<line x1="{FIRST}" x2="{LAST}" y1="{y}" y2="{y}" stroke="#dddddd"/>'
            yield _text(FIRST - 8, y + 4, shown(score), anchor="end")

    def _drawn(self) -> Iterator[str]:
        for at, (name, scores) in enumerate(self.lines.items()):
            color = COLORS[at % len(COLORS)]
            points = [
                (self._x(value), self._y(score))
                for value, score in zip(self.values, scores, strict=True)
                if not math.isnan(score)
            ]
            path = " ".join(f"{x},{y}" for x, y in points)
            yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            yield from (f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>' for x, y in points)
            yield _text(LAST + 12, TOP + 12 + 18 * at, name, color=color)


def plot_summary(summary: Summary) -> Plot:
    """Draw the main scores of a summary, with intervals where it has them."""
    scores = catalog(*summary.kind)
    if not summary.task.has_systems and summary.agreement:
        own = summary.agreement
        labels = {key: each.label for key, each in scores.shown("plot").items() if key in own.micro}
        drawn = [_scored(label, own, key) for key, label in labels.items()]
        groups = [("", drawn)]
    else:
        groups = [
            (each.label, _of_systems(summary, key, each.score.scale))
            for key, each in scores.shown("plot", references=len(summary.references)).items()
            if key in scores.systems and _is_known(summary, key)
        ]
    return bars(f"caesura {summary.kind}", groups, summary.signature)


def _is_known(summary: Summary, key: str) -> bool:
    """Whether any system has a score that is defined; metrics may not have been asked for."""
    return any(not math.isnan(system.micro.get(key, math.nan)) for system in summary.systems)


def _of_systems(summary: Summary, key: str, scale: int) -> list[Bar]:
    systems = enumerate(summary.systems)
    return [_scored(each.name, each, key, at, scale) for at, each in systems]


def _scored(
    label: str, owner: System | ReferenceAgreement, key: str, color: int = 0, scale: int = 1
) -> Bar:
    ends = (owner.confidence or {}).get("micro", {}).get(key)
    return Bar(label, float(owner.micro[key]), color, ends, scale)


def _scale(every: Sequence[Bar]) -> tuple[float, float]:
    ends = [end for bar in every for end in (bar.end, *bar.ends)]
    known = [end for end in ends if math.isfinite(end)]
    return min([0.0, *known]), max([1.0, *known])


def _x(value: float, low: float, high: float) -> float:
    return round(LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT), 2)


def _bar(bar: Bar, y: int, low: float, high: float) -> str:
    zero, end = _x(0, low, high), _x(bar.end, low, high) if math.isfinite(bar.value) else 0.0
    parts = [_text(LEFT - 8, y + 14, bar.label, anchor="end")]
    if math.isfinite(bar.value):
        color, width = COLORS[bar.color % len(COLORS)], round(abs(end - zero), 2)
        parts.append(
            f'<rect x="{min(zero, end)}" y="{y + 4}" width="{width}" height="13" fill="{color}"/>'
        )
    if bar.interval and all(map(math.isfinite, bar.interval)):
        a, b = (_x(each, low, high) for each in bar.ends)
        parts.append(f'<path d="M{a} {y + 10.5}H{b}M{a} {y + 6}v9M{b} {y + 6}v9" stroke="{INK}"/>')
    parts.append(_text(WIDTH, y + 14, shown(bar.value), anchor="end"))
    return "".join(parts)


def _text(x: float, y: float, text: str, **how: object) -> str:
    told = {"size": 12, "weight": "normal", "anchor": "start", "color": INK} | how
    return (
        f'<text x="{x}" y="{y}" {FONT} font-size="{told["size"]}" font-weight="{told["weight"]}" '
        f'fill="{told["color"]}" text-anchor="{told["anchor"]}">{_safe(text)}</text>'
    )


def _safe(text: str) -> str:
    """The text as XML can hold it."""
    return escape(printable(text))
