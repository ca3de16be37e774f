"""Contests: the rows of systems that can be compared, from one file or several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from caesura.core.results import Summary
from caesura.core.row import Key, Row
from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.measures.boundary import Boundary, BoundaryCounts
from caesura.measures.wisebe import Wisebe
from caesura.run.cases import Source
from caesura.run.rows import AGAIN, Header, RowsFile
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.ledger import Ledger
from caesura.stats.scorer import Scorer, scorer

PEOPLE = "people"
# What may differ between rows that are compared: how many there are, what files looked like, and
# what was drawn.
INCIDENTAL = frozenset(
    {"caesura", "input", "docs", "confidence", "interval", "drawn", "resamples", "seed"}
)
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Contest:
    """Systems that are compared: rows, who made them, and against what."""

    rows: Sequence[Row]
    systems: tuple[str, ...]
    references: tuple[str, ...]
    of: Catalog
    signature: str = ""
    is_ceiling: bool = False

    @classmethod
    def from_summary(cls, summary: Summary, rows: Sequence[Row]) -> Contest:
        """The systems of a summary, with the rows it was made from."""
        systems = tuple(system.name for system in summary.systems)
        of = catalog(*summary.kind)
        return cls(rows, systems, summary.references, of, summary.signature)

    @property
    def scorer(self) -> Scorer:
        """How the systems are scored."""
        return scorer(self.of, self.references, is_ceiling=self.is_ceiling)

    def pairs(self, baseline: str | None) -> list[Pair]:
        """Every system with the baseline, or all pairs; the later one is the first of a pair."""
        if baseline is None:
            return [(later, earlier) for earlier, later in combinations(self.systems, 2)]
        if baseline not in self.systems:
            raise UnknownNameError("system", baseline, self.systems)
        return [(name, baseline) for name in self.systems if name != baseline]

    @property
    def with_people(self) -> Contest:
        """The same against the references but one, with annotators as the first of the systems."""
        people = PEOPLE if PEOPLE not in self.systems else f"{PEOPLE} who annotated"
        rows = list(_ceiling_rows(self, people))
        return replace(self, rows=rows, systems=(people, *self.systems), is_ceiling=True)


def _ceiling_rows(contest: Contest, people: str) -> Iterator[Row]:
    """Rows against the references but one, relabelled so that all annotators are one system."""
    for row in contest.rows:
        is_system = row.system in contest.systems
        if row.measure == Wisebe.name and row.left_out is not None:
            yield row if is_system else replace(row, system=people)
        elif row.measure == Boundary.name and is_system:
            for person in contest.references:
                if person != row.reference:
                    yield replace(row, left_out=person)
        elif row.measure == Boundary.name and isinstance(row.counts, BoundaryCounts):
            yield replace(row, system=people, left_out=row.system)
            turned = row.counts.swapped()
            yield replace(
                row, system=people, reference=row.system, left_out=row.reference, counts=turned
            )


@dataclass(frozen=True, slots=True)
class Saved:
    """The rows of one run: where they are, how they were made, and who is scored."""

    path: str
    header: Header
    rows: Sequence[Row]
    of: Catalog

    @classmethod
    def from_file(cls, text: str, file: RowsFile, *, agreement: bool = False) -> Saved:
        """The rows of a file that was named so."""
        saved = cls(file.path, file.header, file.rows, catalog(*file.kind))
        if not (file.task.has_systems or agreement):
            cure = "make them with a command that scores systems"
            raise FormatError(file.path, "these rows have no systems", cure, line=1)
        return saved if text == file.path else saved.renamed(Source.parse(text).name)

    @property
    def systems(self) -> list[str]:
        """Who is scored, in order."""
        names = dict.fromkeys(row.system for row in self.rows if row.system is not None)
        return [name for name in names if name not in self.references]

    @property
    def references(self) -> list[str]:
        """What it is scored against."""
        return list(self.header.references)

    def only(self, system: str) -> Saved:
        """The same with one of its systems."""
        others = set(self.systems) - {system}
        rows = [row for row in self.rows if row.system not in others]
        return replace(self, rows=rows)

    def renamed(self, name: str) -> Saved:
        """The same with another name for its only system."""
        if len(self.systems) != 1:
            raise UsageError(
                f"{self.path} has {len(self.systems)} systems; only a single one can be renamed"
            )
        (old,) = self.systems
        rows = [replace(row, system=name) if row.system == old else row for row in self.rows]
        return replace(self, rows=rows)


def put_together(files: Sequence[Saved]) -> Contest:
    """Systems of all files, against references that are the same in all."""
    first, *others = files
    rows, taken = list(first.rows), _sums(first) if others else {}
    for other in others:
        _require_one_kind(first, other)
        found = _sums(other)
        _require_same(other, found, taken)
        rows += [row for row in other.rows if (row.system, row.document) not in taken]
        taken |= found
    systems = tuple(dict.fromkeys(name for file in files for name in file.systems))
    if not systems and first.of.task.has_systems:
        raise FormatError(first.path, "these rows have no systems", AGAIN)
    return Contest(rows, systems, tuple(first.references), first.of, first.header.signature)


Sums = dict[tuple[str | None, str], Mapping[Key, Any]]


def _sums(file: Saved) -> Sums:
    """The counts of each system and document, summed over its blocks."""
    rows: defaultdict[tuple[str | None, str], list[Row]] = defaultdict(list)
    for row in file.rows:
        rows[row.system, row.document].append(row)
    return {place: Ledger.from_rows(own).counts for place, own in rows.items()}


def _require_same(file: Saved, found: Sums, taken: Sums) -> None:
    """Raise an error if a system is already there, or if the references differ."""
    for system, document in found.keys() & taken.keys():
        if system in file.systems:
            raise UsageError(
                f"{file.path}: '{system}' on '{document}' is also in an earlier file; "
                "rename one of them with NAME=FILE"
            )
        if found[system, document] != taken[system, document]:
            raise UsageError(
                f"{file.path}: the references of '{document}' are not those of an earlier file; "
                "score all systems against the same references"
            )


def _require_one_kind(one: Saved, other: Saved) -> None:
    mine, yours = (dict(_fields(file.header)) for file in (one, other))
    for name in {**mine, **yours}:
        if mine.get(name) != yours.get(name):
            raise UsageError(
                f"{one.path} has {name} {mine.get(name)}, {other.path} {yours.get(name)}; "
                "compare only rows with the same options"
            )


def _fields(header: Header) -> Iterator[tuple[str, str]]:
    """What must be the same: the options in the signature, and the references."""
    for field in header.signature.split("|"):
        name, _, value = field.partition(":")
        if name not in INCIDENTAL:
            yield name, value
    yield "references", ", ".join(sorted(header.references))
