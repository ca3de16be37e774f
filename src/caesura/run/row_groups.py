"""Row groups of a table in Parquet as shards: each reads the names and texts of its own alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from caesura.io.column_files import documents, group_sizes
from caesura.io.cwd import is_file, listed
from caesura.io.members import PARQUET
from caesura.run.inputs import Source, add_document, named_path
from caesura.run.plans import Sides

Group = tuple[str, int]
"""A file, and the number of a row group in it."""


@dataclass(frozen=True, slots=True)
class RowGroups:
    """The row groups of the only table that a run reads; `rows` is how many documents it has."""

    groups: list[Group]
    rows: int

    @classmethod
    def from_sides(cls, sides: Sides) -> RowGroups | None:
        """Find the row groups if all systems and references are columns of one table."""
        named = [*_named(sides.systems), *_named(sides.references), *_named(sides.gold)]
        paths = {path for _, path in named}
        rest = (sides.phones, sides.words, sides.docids)
        if len(paths) != 1 or not all(name for name, _ in named) or rest != (None,) * 3:
            return None
        (path,) = paths
        files = [path] if is_file(path) else sorted(listed(path) or ())
        if not files or not all(file.lower().endswith(PARQUET) for file in files):
            return None
        sizes = {file: group_sizes(file) for file in files}
        groups = [(file, at) for file, own in sizes.items() for at in range(len(own))]
        return cls(groups, sum(map(sum, sizes.values())))

    def of_shard(self, sides: Sides, number: int, shards: int) -> Sides:
        """The sides with the documents of every N-th row group, from the I-th on."""
        chosen = self.groups[number - 1 :: shards]

        def of(name: str, path: str) -> Source:
            members: dict[str, str] = {}
            for file, own in groupby(chosen, key=lambda group: group[0]):
                for member in documents(file, name, [at for _, at in own]):
                    add_document(members, member.name, str(member))
            return Source(name, path, members)

        systems, references, gold = (
            _replaced(each, of) for each in (sides.systems, sides.references, sides.gold)
        )
        is_one = isinstance(sides.gold, str)
        return replace(
            sides, systems=systems, references=references, gold=gold[0] if is_one else gold
        )


def _named(side: Any) -> list[tuple[str, str]]:
    """The names and paths of a side; without a name where it is not given as paths."""
    if isinstance(side, Mapping):
        return [(name, each if isinstance(each, str) else "") for name, each in side.items()]
    every = [side] if isinstance(side, str) else side or ()
    if not isinstance(every, Sequence):
        return [("", "")]
    return [named_path(each) if isinstance(each, str) else ("", "") for each in every]


def _replaced(side: Any, of: Callable[[str, str], Source]) -> Any:
    return [of(name, path) for name, path in _named(side)] if side else side
