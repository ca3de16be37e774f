"""Contests: the rows of systems that can be compared, from one file or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from caesura.core.escapes import as_name
from caesura.core.measure_table import MeasureTable
from caesura.core.row import EXTENT, PANEL_EXTENT, Row
from caesura.core.summary import Summary
from caesura.core.table import CountTable, Names, coded, decoded
from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.measures.boundary import Boundary
from caesura.measures.wisebe import Wisebe
from caesura.run.inputs import named_path
from caesura.run.rows_file import AGAIN, RowsFile
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.summarize import summarize, with_skipped
from caesura.stats.samples import Scorer, scorer

PEOPLE = "people"
# What may differ between rows that are compared: how many there are, what files looked like, and
# what was drawn.
INCIDENTAL = frozenset(
    {"caesura", "input", "docs", "confidence", "interval", "drawn", "resamples", "seed"}
)
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Contest:
    """Systems that can be compared, of a run or of saved rows: their counts, and against what.

    `notes` say what was left out of saved rows, `path` where they are.
    """

    table: CountTable
    systems: tuple[str, ...]
    references: tuple[str, ...]
    of: Catalog
    signature: str = ""
    notes: tuple[str, ...] = ()
    path: str = ""
    is_ceiling: bool = False

    @classmethod
    def from_summary(cls, summary: Summary, table: CountTable) -> Contest:
        """The systems of a summary, with the counts it was made from."""
        systems = tuple(system.name for system in summary.systems)
        of = catalog(*summary.kind)
        return cls(table, systems, summary.references, of, summary.signature)

    @classmethod
    def from_file(cls, text: str, file: RowsFile, *, agreement: bool = False) -> Contest:
        """The rows of a file that was named so."""
        references, table = file.header.references, file.table
        systems = tuple(name for name in table.systems if name not in references)
        if not (file.task.has_systems or agreement):
            cure = "make them with a command that scores systems"
            raise FormatError(file.path, "these rows have no systems", cure, line=1)
        of, signature = catalog(*file.kind), file.header.signature
        saved = cls(table, systems, references, of, signature, file.notes, file.path)
        return saved if text == file.path else saved.renamed(as_name(named_path(text)[0]))

    def only(self, system: str) -> Contest:
        """The contest with one of its systems."""
        others = {*self.systems} - {system}
        kept = [name for name in (None, *self.table.names.each) if name not in others]
        return replace(self, table=self.table.only(kept), systems=(system,))

    def renamed(self, name: str) -> Contest:
        """The contest with another name for its only system."""
        if len(self.systems) != 1:
            raise UsageError(
                f"{self.path} has {len(self.systems)} systems; only a single one can be renamed"
            )
        if name in self.references:
            raise UsageError(f"{self.path}: '{name}' is a reference; choose another name")
        return replace(self, table=self.table.renamed(self.systems[0], name), systems=(name,))

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
        """The contest against all references but one, with annotators as the first system."""
        people = PEOPLE if PEOPLE not in self.systems else f"{PEOPLE} who annotated"
        table = with_people(self.table, people, self.systems, self.references)
        return replace(self, table=table, systems=(people, *self.systems), is_ceiling=True)


def with_people(
    table: CountTable, people: str, systems: Sequence[str], references: Sequence[str]
) -> CountTable:
    """Counts against the references but one, in which all annotators are one system.

    Against a panel they are counted so. A system's counts against a reference are the same whoever
    else is left out, unless people vary; an annotator's are those of a pair, or swapped.
    """
    names = Names((*table.names.each, people))
    (crowd,), theirs = names.numbers([people]), names.numbers(references)
    parts: list[CountTable] = []

    def add(measure: str, own: MeasureTable) -> None:
        parts.append(replace(table, names=names, measures={measure: own}))

    for name, own in table.measures.items():
        system, reference, left_out = decoded(own.keys)
        is_system = np.isin(system, names.numbers(systems))
        if name in (Wisebe.name, PANEL_EXTENT):
            kept = own.only(left_out > 0)
            who = np.where(is_system, system, crowd)[left_out > 0]
            add(name, kept.coded(coded(who, 0, left_out[left_out > 0])))
        elif name in (Boundary.name, EXTENT):
            counted = is_system & (left_out > 0)
            if counted.any():  # where people vary
                add(name, own.only(counted))
            for person in () if counted.any() else theirs.tolist():
                beside = is_system & (reference != person)
                if beside.any():
                    codes = coded(system, reference, person)[beside]
                    add(name, own.only(beside).coded(codes))
            if not is_system.all():
                pairs = own.only(~is_system)
                one, other = system[~is_system], reference[~is_system]
                add(name, pairs.coded(coded(crowd, other, one)))
                add(name, pairs.swapped().coded(coded(crowd, one, other)))
    return CountTable.from_tables(parts)


def put_together(files: Sequence[Contest]) -> Contest:
    """Systems of all files, against references that are the same in all."""
    first, *others = files
    table = first.table
    for other in others:
        _require_one_kind(first, other)
        table = _added(table, other)
    systems = tuple(dict.fromkeys(name for file in files for name in file.systems))
    if not systems and first.of.task.has_systems:
        raise FormatError(first.path, "these rows have no systems", AGAIN)
    notes = tuple(note for file in files for note in file.notes)
    return Contest(table, systems, first.references, first.of, first.signature, notes=notes)


def _added(table: CountTable, file: Contest) -> CountTable:
    """The counts of a file with those before it; the references of a document are counted once.

    A system on a document that is already there is an error, and so are other references.
    """
    known = {*table.documents}
    shared = [at for at, name in enumerate(file.table.documents) if name in known]
    new = [at for at, name in enumerate(file.table.documents) if name not in known]
    references = [None, *file.references]
    ours, theirs = file.table.only(file.systems), file.table.only(references)
    before = {(row.system, row.document) for row in table.only(ours.systems).rows()}
    for row in ours.take(shared).rows():
        if (row.system, row.document) in before:
            raise UsageError(
                f"{file.path}: '{row.system}' on '{row.document}' is also in an earlier file; "
                "rename one of them with NAME=FILE"
            )
    sums: list[dict[str, list[Row]]] = [{}, {}]  # the counts of each document, over its blocks
    for side, counts in zip((table.only(references), theirs.take(shared)), sums, strict=True):
        for row in side.sum(lambda document, _: document).rows():
            counts.setdefault(row.document, []).append(row)
    for document, rows in sums[1].items():
        if rows != sums[0][document]:
            raise UsageError(
                f"{file.path}: the references of '{document}' are not those of an earlier file; "
                "score all systems against the same references"
            )
    return CountTable.from_tables([table, ours, theirs.take(new)])


def _require_one_kind(one: Contest, other: Contest) -> None:
    """Raise an error if the options in the signature, or the references, differ."""
    mine, yours = (
        dict(field.partition(":")[::2] for field in contest.signature.split("|"))
        | {"references": ", ".join(sorted(contest.references))}
        for contest in (one, other)
    )
    for name in {**mine, **yours}:
        if name not in INCIDENTAL and mine.get(name) != yours.get(name):
            raise UsageError(
                f"{one.path} has {name} {mine.get(name)}, {other.path} {yours.get(name)}; "
                "compare only rows with the same options"
            )


def summary_of(texts: Sequence[str], files: Sequence[RowsFile]) -> tuple[Summary, CountTable]:
    """The summary of files of rows, one or several combined, as they were named, and the counts."""
    first = files[0]
    counter = first.counter
    if not first.task.has_systems:
        if len(texts) > 1:
            raise UsageError(f"rows of {first.task.name} cannot be combined; give one file")
        if not first.table:
            raise FormatError(first.path, "a header without rows", AGAIN, line=1)
        contest = Contest(first.table, (), first.header.references, catalog(*first.kind))
    else:
        pairs = zip(texts, files, strict=True)
        contest = put_together([Contest.from_file(text, file) for text, file in pairs])
    names = contest.systems, contest.references
    summary = summarize(first.task, contest.table, *names, counter, profile=first.profile)
    every = {name: why for file in files for name, why in file.header.skipped.items()}
    skipped = {name: why for name, why in every.items() if name not in summary.documents}
    return with_skipped(summary, skipped), contest.table
