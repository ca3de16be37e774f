"""Members: documents in files that hold many, such as archives and tables, and their paths.

The path of a member says where it is, so that it is located only once:
`SHARD.tar!@OFFSET+SIZE/NAME`, `SHARD.zip!@0+SIZE/NAME`, `TABLE.parquet!COLUMN@ROW+SIZE/DOCUMENT`,
`TABLE.jsonl!COLUMN@OFFSET+SIZE/DOCUMENT`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from caesura.io.cwd import local
from caesura.io.urls import target

ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.xz", ".zip")
PARQUET = ".parquet"
LINES = (".jsonl", ".ndjson")
HOLDERS = (*ARCHIVES, PARQUET, *LINES)
"""Suffixes of files that may hold many documents."""
_SUFFIXES = "|".join(map(re.escape, HOLDERS))
_INSIDE = re.compile(
    rf"(?P<file>.+?(?:{_SUFFIXES})(?:::[^!]*)?)!(?P<column>[^/!@]*)@(?P<at>\d+)\+(?P<size>\d+)/(?P<name>.*)",
    re.DOTALL,
)
Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One document in a file of many: where it begins, as bytes or as a row, and its size."""

    file: str
    name: str
    at: int
    size: int
    column: str = ""

    @classmethod
    def from_path(cls, path: str) -> Member | None:
        """Parse the path of a member; None for any other path.

        >>> Member.from_path("refs.tar!@512+40/day1/v6.txt")
        Member(file='refs.tar', name='day1/v6.txt', at=512, size=40, column='')
        """
        parts = _INSIDE.fullmatch(path) if "!" in path else None
        if parts is None:
            return None
        return cls(parts["file"], parts["name"], int(parts["at"]), int(parts["size"]), parts[2])

    def __str__(self) -> str:
        return f"{self.file}!{self.column}@{self.at}+{self.size}/{self.name}"


def file_of(path: str) -> str:
    """The file on disk that holds a path."""
    member = Member.from_path(path)
    return path if member is None else member.file


def stamp(path: str) -> Stamp:
    """The modification time and size of a file, to detect changes; empty if it is not a file."""
    try:
        status = os.stat(local(file_of(path)))  # noqa: PTH116
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def is_archive(path: str) -> bool:
    """Whether a file holds documents as members."""
    return target(path).lower().endswith(ARCHIVES)


def row_of(path: str) -> Member | None:
    """The row of a table that a path names; None for any other path."""
    member = Member.from_path(path)
    return None if member is None or is_archive(member.file) else member
