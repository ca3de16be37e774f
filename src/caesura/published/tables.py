"""Published tables: what is printed, what caesura computes, and whether every digit agrees."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caesura.communities import FOLDERS as FOLDERS_OF_COMMUNITIES
from caesura.core.registry import imported
from caesura.errors import UnknownNameError
from caesura.sets import named_sets

if TYPE_CHECKING:
    from caesura.core.json_values import Json, JsonObject

FOLDERS = (Path(__file__).parent, *FOLDERS_OF_COMMUNITIES)
EXACT = 9
"""Figures with more decimals are what a program printed in full: compared as doubles."""
MOST = 12
"""The decimals of such figures that are compared."""
Number = float | Fraction
Figure = tuple[str, str, Number | str, Number]
"""A row, a column, what is printed there, and what is computed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure: where it is, what is printed, what is computed, and why they differ, if they do."""

    row: str
    column: str
    printed: str
    computed: str
    why: str = ""

    @property
    def is_right(self) -> bool:
        """Whether what is computed is what is printed, to its last digit."""
        return self.printed == self.computed


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One table of a publication, as its JSON describes it."""

    about: JsonObject
    data: Json
    """The figures as printed."""

    @property
    def title(self) -> str:
        """Which table it is."""
        return str(self.about["title"])

    @property
    def missing(self) -> list[str]:
        """The sets that it needs and that are not on this machine."""
        known, needed = named_sets.names(), self.about.get("sets", ())
        return [one for one in needed if one not in known or not named_sets.test_set(one).is_here]

    def cells(self) -> Iterator[Cell]:
        """Every figure, computed again; one that differs has to be explained."""
        explained = self.about.get("explained", {})
        if "function" in self.about:
            compute: Callable[[Json], Iterable[Figure]] = imported(self.about["function"])
            figures = compute(self.data)
        else:
            figures = _evaluated(self.about)
        for row, column, printed, value in figures:
            text = _printed(printed, self.about.get("digits", 3))
            computed, why = shown(value, text), ""
            if computed != text:
                known = explained.get(f"{row} {column}", {})
                why = known.get("why", "") if known.get("computed") == computed else ""
            yield Cell(row, column, text, computed, why)


@dataclass(frozen=True)
class Paper:
    """A publication, with its tables."""

    name: str

    @cached_property
    def about(self) -> JsonObject:
        """Its JSON."""
        if self.name not in names():
            raise UnknownNameError("published table", self.name, names())
        return dict(json.loads(_files()[self.name].read_text(encoding="utf-8")))

    @property
    def tables(self) -> list[PublishedTable]:
        """Its tables, in their order."""
        data = self.about.get("data")
        return [PublishedTable(table, data) for table in self.about["tables"]]


def names() -> list[str]:
    """The names of all publications, sorted."""
    return sorted(_files())


def _files() -> dict[str, Path]:
    return {path.stem: path for folder in FOLDERS for path in folder.glob("*.json")}


def _printed(value: Number | str, digits: int) -> str:
    """A figure with at least `digits` decimals, and more if it has them."""
    if isinstance(value, str | int):
        return str(value)
    text = repr(float(value))
    given = MOST if "e" in text else min(len(text.partition(".")[2]), MOST)
    return f"{float(value):.{max(given, digits)}f}"


def shown(value: Number, printed: str) -> str:
    """A number with the digits of a printed one; a tie may be rounded either way.

    >>> shown(Fraction(5, 16), "0.313"), shown(0.25, "0.2"), shown(0.2499, "0.3")
    ('0.313', '0.2', '0.2')
    """
    if isnan(value):
        return "nan"
    exact = Fraction(value)
    digits = len(printed.partition(".")[2])
    number = Decimal(exact.numerator) / Decimal(exact.denominator)
    if digits > EXACT:
        is_near = abs(float(value) - float(printed)) <= 10.0**-digits
        return printed if is_near else f"{float(value):.{digits}f}"
    step = Decimal(1).scaleb(-digits)
    rounded = [str(number.quantize(step, how)) for how in (ROUND_HALF_UP, ROUND_HALF_EVEN)]
    return printed if printed in rounded else rounded[0]


def _evaluated(about: JsonObject) -> Iterator[Figure]:
    """The figures of a table that is one call of `evaluate`: rows, and where columns are."""
    from caesura.api.evaluate import evaluate

    result = evaluate(**about["evaluate"]).to_dict()
    result["systems"] = {system["name"]: system for system in result.get("systems", ())}
    for row, cells in about["rows"].items():
        for column, printed in cells.items():
            path = about["columns"][column].format(row=row).split("/")
            value: Any = result
            for key in path:
                value = value[key]
            scale = about.get("scale", {}).get(column, 1)
            yield row, column, printed, float("nan") if value is None else value * scale
