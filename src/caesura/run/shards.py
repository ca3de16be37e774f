"""Shards: the documents of one of many runs, by a hash of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from os import environ

from caesura.errors import UsageError, option

AUTO = "auto"
BATCHES = (
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"),
    ("SLURM_PROCID", "SLURM_NTASKS", ""),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", ""),
    ("PMI_RANK", "PMI_SIZE", ""),
    ("RANK", "WORLD_SIZE", ""),
    ("JOB_COMPLETION_INDEX", "", ""),
    ("AWS_BATCH_JOB_ARRAY_INDEX", "", ""),
)
"""Where batch systems say which of how many tasks this is: the number, of how many, the first."""


def hash_of(document: str) -> int:
    """The first eight bytes of the SHA-256 of a document's name in UTF-8, as a number."""
    name = document.encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(name).digest()[:8], "big")


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard of a run: the documents whose names hash to its number."""

    number: int
    shards: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Take what was given: `I/N`, `auto` or `auto/N`."""
        first, _, of = text.partition("/")
        if first == AUTO:
            return cls(*_from_environment(int(of) if re.fullmatch(r"[1-9]\d{0,8}", of) else 0))
        found = re.fullmatch(r"([1-9]\d{0,8})/([1-9]\d{0,8})", text)
        if found is None or int(found[1]) > int(found[2]):
            raise UsageError(
                f"{option('shard', '…')}: '{text}' is not I/N with I from 1 to N; give 1/8 to 8/8, "
                "or auto in the job array of a cluster"
            )
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"

    def named(self, path: str) -> str:
        """A path in which `{shard}` stands for the shard."""
        return path.replace("{shard}", f"{self.number}-of-{self.shards}")

    def takes(self, document: str) -> bool:
        """Whether a document is of the shard."""
        return hash_of(document) % self.shards == self.number - 1


def _from_environment(shards: int) -> tuple[int, int]:
    """The task of a job array, and how many there are, if the number was not given."""
    for name, size, least in BATCHES:
        number, count = environ.get(name, ""), shards or int(environ.get(size) or 0)
        if number.isdigit() and count:
            found = int(number) - int(environ.get(least) or 0) + 1
            if 1 <= found <= count:
                return found, count
            raise UsageError(
                f"{option('shard', AUTO)}: {name} is {number}, which is not one of {count} tasks "
                "in a row; give the shard as I/N"
            )
    known = ", ".join(name for name, *_ in BATCHES)
    raise UsageError(
        f"{option('shard', AUTO)}: none of {known} is set with the number of tasks; "
        "give the shard as I/N, or the number of tasks as auto/N"
    )


Place = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class SavedNames:
    """The names of files as messages show them, saved by version: a pattern, and what differs."""

    versions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def from_place(
        cls, place: Place, versions: Sequence[str], documents: Iterable[str]
    ) -> SavedNames:
        """Take the names of all files; `*` stands for the document in the pattern, under ''."""
        every = list(documents)
        return cls({name: _patterned(name, every, place) for name in versions})

    def joined(self, other: SavedNames) -> SavedNames:
        """The names of two shards, of which the patterns may differ."""
        both = {**self.versions, **other.versions}
        return SavedNames(
            {n: {**other.versions.get(n, {}), **self.versions.get(n, {})} for n in both}
        )

    def __call__(self, document: str, version: str) -> str:
        """The name of a file."""
        own = self.versions.get(version, {})
        return own.get(document) or own.get("", f"{version}/*").replace("*", document)


def _patterned(version: str, documents: Sequence[str], place: Place) -> dict[str, str]:
    names = {document: place(document, version) for document in documents}
    first = next(((d, name) for d, name in names.items() if d in name), None)
    if first is None:
        return names
    pattern = "*".join(first[1].rsplit(first[0], 1))
    others = {d: name for d, name in names.items() if pattern.replace("*", d) != name}
    return {"": pattern, **others}
