"""Scores from outside, matched with the documents and systems of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

import numpy as np

from caesura.core.counts import NAN
from caesura.core.segmentation import IntArray
from caesura.errors import COMPARED, FormatError, number, option
from caesura.formats._shared.score_columns import OutsideScore, read_outside
from caesura.io.files import stem
from caesura.stats.draws import FloatArray

Missing = Literal["error", "skip"]
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outside:
    """One score: systems × documents; one row or column where it has no systems or documents.

    `skipped` counts the lines of documents or systems that the rows lack.
    """

    name: str
    path: str
    values: FloatArray
    has_documents: bool
    has_systems: bool
    skipped: int = 0

    @property
    def noun(self) -> str:
        """What one point of a correlation is: a document or a system."""
        return "document" if self.has_documents else "system"

    @property
    def known(self) -> IntArray:
        """The documents that have a value, or the systems if it is a score of these."""
        return np.flatnonzero((~np.isnan(self.values)).any(axis=0 if self.has_documents else 1))

    def require(self, least: int) -> None:
        """Raise an error if there are too few to correlate."""
        if self.known.size < least:
            problem = f"'{self.name}' has values for {number(self.known.size, self.noun)}"
            raise FormatError(self.path, problem, f"a correlation needs at least {least}")

    @property
    def coverage(self) -> str:
        """A note on what is left out: documents without a value, lines of unknown documents."""
        every = self.values.shape[1 if self.has_documents else 0]
        missing = number(every - self.known.size, self.noun)
        told = [f"{missing} without a value"] if self.known.size < every else []
        told += [f"{number(self.skipped, 'line')} of others skipped"] if self.skipped else []
        return f"{self.name}: {', '.join(told)}." if told else ""


def outside_scores(
    paths: Iterable[str],
    documents: Sequence[str],
    systems: Sequence[str],
    missing: Missing = "error",
) -> list[Outside]:
    """The scores of all files, for these documents and systems."""
    found: dict[str, Outside] = {}
    for path in paths:
        for score in read_outside(path):
            if score.name in found:
                problem = f"'{score.name}' is also in {found[score.name].path}"
                raise FormatError(path, problem, "rename one of the columns", line=1)
            found[score.name] = _matched(score, documents, systems, missing)
    return list(found.values())


def _matched(
    score: OutsideScore, documents: Sequence[str], systems: Sequence[str], missing: Missing
) -> Outside:
    if score.has_systems and not systems:
        cure = "remove the column 'system'"
        raise FormatError(score.path, "the rows have no systems", cure, line=1)
    columns: Sequence[str | None] = documents if score.has_documents else (None,)
    rows: Sequence[str | None] = systems if score.has_systems else (None,)
    if missing == "error":
        _require_known(score, "document", columns, 0)
        _require_known(score, "system", rows, 1)
    row, column = ({name: at for at, name in enumerate(names)} for names in (rows, columns))
    values = np.full((len(rows), len(columns)), NAN)
    known = {place for place in score.values if place[0] in column and place[1] in row}
    for document, system in known:
        values[row[system], column[document]] = score.values[document, system]
    kinds, skipped = (score.has_documents, score.has_systems), len(score.values) - len(known)
    return Outside(score.name, score.path, _scaled(values), *kinds, skipped)


def _scaled(values: FloatArray) -> FloatArray:
    """Divide values by a power of 2, so that they have the scale of scores."""
    largest = np.nanmax(np.abs(values), initial=0.0)
    scaled: FloatArray = np.ldexp(values, -int(np.frexp(largest)[1]))
    return scaled


def _require_known(
    score: OutsideScore, kind: str, known: Sequence[str | None], at: Literal[0, 1]
) -> None:
    """Raise an error for names that the rows do not have: the first, and how many there are."""
    have = set(known)
    unknown: dict[str | None, int] = {}
    for place, line in score.lines.items():
        if place[at] not in have:
            unknown.setdefault(place[at], line)
    if not unknown:
        return
    first, line = next(iter(unknown.items()))
    others = f", nor {number(len(unknown) - 1, 'other')} of this file" if len(unknown) > 1 else ""
    problem = f"the rows have no {kind} '{first}'{others}"
    cure = f"{_hint(str(first), kind, [str(each) for each in known])}, or skip such lines with "
    raise FormatError(score.path, problem, cure + option("missing", "skip"), line=line)


def _hint(name: str, kind: str, known: Sequence[str]) -> str:
    """How to fix an unknown name; it may be that of the file of a document."""
    close = [stem(name)] if stem(name) in known else get_close_matches(name, known[:COMPARED], n=1)
    if close:
        return f"write '{close[0]}' if that is meant"
    shown = ", ".join(known[:SHOWN]) + " …" * (len(known) > SHOWN)
    return f"name a {kind} of the rows ({shown})"
