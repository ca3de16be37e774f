"""Result: the counts of one call, the measure that made them, and a readable line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any, Generic, TypeVar

from caesura import __version__
from caesura.core.counts import Counts
from caesura.core.score import values
from caesura.errors import UsageError
from caesura.measures.axis import WORDS
from caesura.measures.base import Measure
from caesura.output.plot import Bar, Plot, bars
from caesura.output.tables import shown

C = TypeVar("C", bound=Counts)


@dataclass(frozen=True, slots=True)
class Result(Generic[C]):
    """What a call returns: counts that add with `+`, and every rate as an attribute."""

    measure: Measure
    counts: C
    headline: str
    references: int = 1
    documents: int = 1

    @property
    def score(self) -> float:
        """The number the function is named after."""
        return float(getattr(self.counts, self.headline))

    @property
    def signature(self) -> str:
        """Every option that can change the number."""
        every = {field.name: getattr(self.measure, field.name) for field in fields(self.measure)}
        options = {name: value for name, value in every.items() if value != WORDS}
        options |= {name: "auto" for name in ("k", "least") if options.get(name) == 0}
        what = [f"caesura:{__version__}", f"measure:{self.measure.name}"]
        what += [f"{name}:{value}" for name, value in options.items()]
        return "|".join([*what, f"refs:{self.references}", f"docs:{self.documents}"])

    def __getattr__(self, name: str) -> Any:
        """Return the counts and rates of `counts` under their own names."""
        if name.startswith("_") or name in Result.__slots__:
            raise AttributeError(name)
        return getattr(self.counts, name)

    def __float__(self) -> float:
        return self.score

    def __add__(self, other: Result[C]) -> Result[C]:
        if not isinstance(other, Result):
            return NotImplemented
        if (self.measure, self.headline) != (other.measure, other.headline):
            raise UsageError(f"results of {self.measure} and {other.measure} do not add up")
        if self.references != other.references:
            raise UsageError("results with different numbers of references do not add up")
        counts, documents = self.counts + other.counts, self.documents + other.documents
        return Result(self.measure, counts, self.headline, self.references, documents)

    def __radd__(self, other: int) -> Result[C]:
        return self if other == 0 else NotImplemented

    def __str__(self) -> str:
        label = self._label
        rates = [f"{name} {shown(value)}" for name, value in self.scores.items() if name != label]
        return f"{label} {shown(self.score)}  {'  '.join(rates)}\n{self.signature}"

    def _repr_html_(self) -> str:
        """A table for a notebook."""
        rows = {self._label: self.score, **self.scores}
        cells = "".join(
            f"<tr><th>{escape(name)}</th><td>{shown(value)}</td></tr>"
            for name, value in rows.items()
        )
        return f"<div><table>{cells}</table><code>{escape(self.signature)}</code></div>"

    def plot(self) -> Plot:
        """The rates, drawn; a notebook shows them, and `save(path)` writes a file."""
        rates = {self._label: self.score, **self.scores}
        drawn = [Bar(name, float(value)) for name, value in rates.items()]
        return bars(self.measure.name, [("", drawn)], self.signature)

    @property
    def scores(self) -> dict[str, float]:
        """Every rate that the measure declares, by key."""
        kept = [score for score in self.measure.scores if not score.is_count]
        return values([score for score in kept if score.of != "references"], self.counts)

    @property
    def _label(self) -> str:
        return self.measure.name if self.headline == "score" else self.headline
