"""Result: the counts of one call, their measure, and the scores computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from caesura import __version__
from caesura.core.arrays import Numeric
from caesura.core.counts import Counts
from caesura.core.json_values import JsonObject
from caesura.core.measure import Measure
from caesura.core.score import Column, Score, values
from caesura.errors import UsageError, number
from caesura.measures.geometry import WORDS
from caesura.output.tables import Cell, Page, Table, make_table, shown
from caesura.steps.notebook import frame, html, unknown

if TYPE_CHECKING:
    from pandas import DataFrame

C = TypeVar("C", bound=Counts)
MOST = 6
"""The most rates, and the most counts, of a short line."""


@dataclass(frozen=True, slots=True, repr=False)
class Result(Generic[C]):
    """What a call returns: counts that can be added with `+`, and every score as an attribute.

    `headline` is the key of the main score.
    """

    measure: Measure
    counts: C
    headline: str
    references: int = 1
    documents: int = 1
    align: bool = False

    @property
    def score(self) -> float:
        """The main score of the function."""
        return float(self.value_of(self.counts))

    def value_of(self, counts: object) -> Numeric:
        """The main score of the function, for other counts."""
        return self._declared[self.headline].value(counts)

    @property
    def scores(self) -> dict[str, float]:
        """Every rate that the measure declares but special ones, by key; the main score first."""
        known = self._declared.values()
        every = [each for each in known if not (each.is_count or each.is_special)]
        kept = [each for each in every if each.of != "references" or each.key == self.headline]
        return values(sorted(kept, key=lambda each: each.key != self.headline), self.counts)

    @property
    def signature(self) -> str:
        """Every option that can change the score."""
        every = {field.name: getattr(self.measure, field.name) for field in fields(self.measure)}
        options = {name: value for name, value in every.items() if value not in (WORDS, None)}
        options |= {name: "auto" for name in ("k", "least") if options.get(name) == 0}
        options |= {"align": "words/medoid"} if self.align else {}
        what = [f"caesura:{__version__}", f"measure:{self.measure.name}"]
        what += [f"{name}:{value}" for name, value in options.items()]
        return "|".join([*what, f"refs:{self.references}", f"docs:{self.documents}"])

    def to_dict(self) -> JsonObject:
        """Scores and counts by their keys in JSON; undefined is nan."""
        declared = values(self._declared.values(), self.counts)
        return self.scores | declared | self.counts.to_dict() | declared

    def to_frame(self, library: str = "pandas") -> DataFrame:
        """One row with all scores and counts, as a DataFrame of pandas or polars."""
        return frame([{"measure": self.measure.name} | self.to_dict()], library)

    def __getattr__(self, name: str) -> Any:
        """A score under its key in JSON, or what `counts` has under a name."""
        if name.startswith("_") or name in Result.__slots__:
            raise AttributeError(name)
        if name in self._declared:
            return self._declared[name].value(self.counts)
        if name not in dir(self.counts):
            raise unknown(self.measure.name, name, [*self.to_dict()])
        return getattr(self.counts, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self.to_dict()})

    def __float__(self) -> float:
        return self.score

    def __add__(self, other: Result[C]) -> Result[C]:
        if not isinstance(other, Result):
            return NotImplemented
        if (self.measure, self.headline) != (other.measure, other.headline):
            raise UsageError(f"results of {self.measure} and {other.measure} cannot be added")
        if self.references != other.references:
            raise UsageError("results with different numbers of references cannot be added")
        if self.align != other.align:
            raise UsageError("results with and without align=True cannot be added")
        counts, documents = self.counts + other.counts, self.documents + other.documents
        return replace(self, counts=counts, documents=documents)

    def __radd__(self, other: int) -> Result[C]:
        return self if other == 0 else NotImplemented

    def __str__(self) -> str:
        rates = [f"{name} {shown(value)}" for name, value in self.scores.items()]
        return f"{'  '.join(rates)}\n{self.signature}"

    def __repr__(self) -> str:
        parts = [_line(self._main), _line(self._counted)]
        for many, noun in ((self.references, "reference"), (self.documents, "document")):
            parts += [number(many, noun)] if many > 1 else []
        return f"<{self.measure.name}: {'; '.join(filter(None, parts))}>"

    def _repr_html_(self) -> str:
        """Tables for a notebook: what stands alone, and a row for each group of scores."""
        return html(Page(tuple(self._tables()), signature=self.signature))

    @property
    def _declared(self) -> dict[str, Score]:
        return {score.key: score for score in self.measure.scores}

    @property
    def _main(self) -> JsonObject:
        """The rates of a short line; of a group, its F1."""
        declared = self._declared
        return {
            key: value
            for key, value in self.scores.items()
            if not declared[key].group or declared[key].short == "f1"
        }

    @property
    def _counted(self) -> JsonObject:
        """The counts behind the headline: those declared beside it, else all if they are few."""
        group = self._declared[self.headline].group
        beside = [each for each in self.measure.scores if each.is_count and each.group == group]
        every = values(beside, self.counts) or self.counts.to_dict()
        found = {key: value for key, value in every.items() if isinstance(value, int)}
        return found if len(found) <= MOST else {}

    def _tables(self) -> list[Table]:
        """Scores that several groups have, with a row for each group; and all others."""
        known, declared = self.to_dict(), self._declared
        headed = [each for each in declared.values() if each.group and each.heading]
        names = Counter(each.short for each in headed)
        shared = [each for each in headed if names[each.short] > 1]
        rates = [declared[key] for key in self.scores if declared[key] not in shared]
        rates = [each for each in rates if each.views or len(rates) <= MOST]
        counts = [each for each in declared.values() if each.is_count and each not in shared]
        columns = [_column(each, each.key, each.label) for each in (*rates, *counts)]
        if not counts and not shared:
            columns += [Column(key, key, is_count=True) for key in self._counted]
        tables = [_grouped(self.measure.name, shared, known)] if shared else []
        title = "" if shared else self.measure.name
        alone = [make_table("scores", title, [], columns, [((), known)])] if columns else []
        return tables + alone


def _grouped(title: str, scores: list[Score], known: Mapping[str, object]) -> Table:
    columns = {each.short: _column(each, each.short, each.heading) for each in scores}
    rows: dict[str, JsonObject] = {each.group: dict.fromkeys(columns) for each in scores}
    for each in scores:
        rows[each.group][each.short] = known[each.key]
    labelled = [((group,), row) for group, row in rows.items()]
    return make_table("groups", title, [""], [*columns.values()], labelled)


def _line(every: Mapping[str, Cell]) -> str:
    some = [f"{key} {shown(value)}" for key, value in list(every.items())[:MOST]]
    return ", ".join(some) + (" …" if len(every) > MOST else "")


def _column(score: Score, key: str, title: str) -> Column:
    return Column(title, key, score.better, score.help, score.is_count, score.scale)
