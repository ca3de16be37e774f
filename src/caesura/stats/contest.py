"""Contests: the rows of systems that can be compared, of one file or put together from several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.measures import BoundaryCounts
from caesura.run.cases import Source
from caesura.run.rows import Row, read_rows
from caesura.scores.transcript import Key, Ledger

PEOPLE = "people"
TASKS = ("transcript", "text", "terms")
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
    task: str
    signature: str = ""

    @classmethod
    def of(cls, summary: dict[str, Any], rows: Sequence[Row]) -> Contest:
        """The systems of a summary, with the rows it was made from."""
        systems = tuple(system["name"] for system in summary.get("systems", []))
        references = tuple(summary["references"])
        return cls(rows, systems, references, summary["task"], summary["signature"])

    def pairs(self, baseline: str | None) -> list[Pair]:
        """Every system with the baseline, or all pairs; the later one is the first of a pair."""
        if baseline is None:
            return [(later, earlier) for earlier, later in combinations(self.systems, 2)]
        if baseline not in self.systems:
            raise UnknownNameError("system", baseline, self.systems)
        return [(name, baseline) for name in self.systems if name != baseline]

    @property
    def with_people(self) -> Contest:
        """The same against the references but one, with people as the first of the systems."""
        people = PEOPLE if PEOPLE not in self.systems else f"{PEOPLE} who annotated"
        rows = list(_ceiling_rows(self, people))
        return replace(self, rows=rows, systems=(people, *self.systems), task="ceiling")


def _ceiling_rows(contest: Contest, people: str) -> Iterator[Row]:
    """Rows against the references but one, relabelled so that people are one system."""
    for row in contest.rows:
        is_system = row.system in contest.systems
        if row.measure == "wisebe" and (row.reference or "").startswith("-"):
            yield row if is_system else replace(row, system=people)
        elif row.measure == "boundary" and is_system:
            for person in contest.references:
                if person != row.reference:
                    yield replace(row, reference=f"{person}>{row.reference}")
        elif row.measure == "boundary" and isinstance(row.counts, BoundaryCounts):
            yield replace(row, system=people, reference=f"{row.system}>{row.reference}")
            turned = f"{row.reference}>{row.system}"
            yield replace(row, system=people, reference=turned, counts=row.counts.swapped())


@dataclass(frozen=True, slots=True)
class File:
    """A file of rows: where it is, its header, and the rows."""

    path: str
    header: dict[str, Any]
    rows: list[Row]

    @classmethod
    def read(cls, text: str, tasks: Sequence[str] = TASKS) -> File:
        """Read `PATH`, or `NAME=PATH`, which gives its only system another name."""
        source = Source.parse(text)
        header, rows = read_rows(source.path)
        file = cls(source.path, header, rows)
        if header.get("task") not in tasks:
            cure = f"make them with caesura {', '.join(tasks[:-1])} or {tasks[-1]}"
            raise FormatError(source.path, "these rows have no systems", cure, line=1)
        return file if text == source.path else file.renamed(source.name)

    @property
    def systems(self) -> list[str]:
        """Who is scored, in order."""
        names = dict.fromkeys(row.system for row in self.rows if row.system is not None)
        return [name for name in names if name not in self.references]

    @property
    def references(self) -> list[str]:
        """What it is scored against."""
        return list(self.header["references"])

    def only(self, system: str) -> File:
        """The same with one of its systems."""
        others = set(self.systems) - {system}
        rows = [row for row in self.rows if row.system not in others]
        return File(self.path, self.header, rows)

    def renamed(self, name: str) -> File:
        """The same with another name for its only system."""
        if len(self.systems) != 1:
            raise UsageError(
                f"{self.path} has {len(self.systems)} systems; only a single one can be renamed"
            )
        (old,) = self.systems
        rows = [replace(row, system=name) if row.system == old else row for row in self.rows]
        return File(self.path, self.header, rows)


def gather(texts: Sequence[str], tasks: Sequence[str] = TASKS) -> Contest:
    """Put the rows of one file or several together; they must be of one kind."""
    return put_together([File.read(text, tasks) for text in texts])


def put_together(files: Sequence[File]) -> Contest:
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
    kind = first.header
    return Contest(rows, systems, tuple(first.references), kind["task"], kind["signature"])


Sums = dict[tuple[str | None, str], dict[Key, Any]]


def _sums(file: File) -> Sums:
    """The counts of each system and document, summed over its blocks."""
    rows: defaultdict[tuple[str | None, str], list[Row]] = defaultdict(list)
    for row in file.rows:
        rows[row.system, row.document].append(row)
    return {place: Ledger.of(own).counts for place, own in rows.items()}


def _require_same(file: File, found: Sums, taken: Sums) -> None:
    """Raise an error if a system is there already, or if the references are others."""
    for system, document in found.keys() & taken.keys():
        if system in file.systems:
            raise UsageError(
                f"{file.path}: '{system}' on '{document}' is in an earlier file, too; "
                "name one of them otherwise with NAME=FILE"
            )
        if found[system, document] != taken[system, document]:
            raise UsageError(
                f"{file.path}: the references of '{document}' are not those of an earlier file; "
                "score all systems against the same references"
            )


def _require_one_kind(one: File, other: File) -> None:
    mine, yours = (dict(_fields(file.header)) for file in (one, other))
    for name in {**mine, **yours}:
        if mine.get(name) != yours.get(name):
            raise UsageError(
                f"{one.path} has {name} {mine.get(name)}, {other.path} {yours.get(name)}; "
                "compare what was scored in the same way"
            )


def _fields(header: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What has to be the same: the options in the signature, and the references."""
    for field in header["signature"].split("|"):
        name, _, value = field.partition(":")
        if name not in INCIDENTAL:
            yield name, value
    yield "references", ", ".join(sorted(header["references"]))
