"""Charts: lines over whole numbers, drawn in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from caesura.core.escapes import printable
from caesura.output.tables import shown

WIDTH, HEIGHT = 640, 400
LEFT, TOP, RIGHT, BOTTOM = 60, 40, 520, 350
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
STEPS = 4
TICKS = 12


@dataclass(frozen=True, slots=True)
class Chart:
    """One line for each name; what is undefined is left out of its line."""

    title: str
    label: str
    values: tuple[int, ...]
    lines: Mapping[str, tuple[float, ...]]

    def svg(self) -> str:
        """The whole picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">'
        )
        back = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
        parts = (head, f"<title>{escape(self.title)}</title>", back, *self._axes(), *self._drawn())
        return "\n".join((*parts, "</svg>")) + "\n"

    @property
    def _range(self) -> tuple[float, float]:
        known = [score for line in self.lines.values() for score in line if not math.isnan(score)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        margin = (high - low) * 0.08 or 0.05
        return low - margin, high + margin

    def _x(self, value: int) -> float:
        first, last = self.values[0], self.values[-1]
        return LEFT + (RIGHT - LEFT) * (value - first) / max(1, last - first)

    def _y(self, score: float) -> float:
        low, high = self._range
        return TOP + (BOTTOM - TOP) * (high - score) / (high - low)

    def _axes(self) -> Iterator[str]:
        low, high = self._range
        yield _text(LEFT, TOP - 16, self.title, "start")
        yield _text((LEFT + RIGHT) / 2, HEIGHT - 10, self.label, "middle")
        for value in self.values[:: math.ceil(len(self.values) / TICKS)]:
            yield _text(self._x(value), BOTTOM + 20, str(value), "middle")
        for at in range(STEPS + 1):
            score = low + (high - low) * at / STEPS
            y = f"{self._y(score):.1f}"
            yield f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}" stroke="#dddddd"/>'
            yield _text(LEFT - 8, self._y(score) + 4, shown(score), "end")

    def _drawn(self) -> Iterator[str]:
        for at, (name, scores) in enumerate(self.lines.items()):
            color = COLORS[at % len(COLORS)]
            points = [
                (f"{self._x(value):.1f}", f"{self._y(score):.1f}")
                for value, score in zip(self.values, scores, strict=True)
                if not math.isnan(score)
            ]
            path = " ".join(f"{x},{y}" for x, y in points)
            yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            yield from (f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>' for x, y in points)
            yield _text(RIGHT + 12, TOP + 12 + 18 * at, name, "start", color)


def _text(x: float, y: float, text: str, anchor: str, color: str = "#000000") -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}"'
    return f"<text {where}>{escape(printable(text))}</text>"
