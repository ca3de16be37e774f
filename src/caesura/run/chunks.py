"""Chunks: what a worker gets: many small documents, one document, or parts of a huge one.

A task that can count a document part by part plans the parts, counts each, says which are to be
counted again because they cannot stand alone, and merges the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from caesura.core.table import Counted, CountTable
from caesura.run.inputs import Case

EACH = 2048
"""What a document costs besides its bytes, as a number of bytes."""
MOST = 256
"""The most parts of a chunk."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a document: a range that the task knows, or all of it."""

    case: Case

    @property
    def weight(self) -> int:
        """The number of bytes to read."""
        return self.case.weight


@dataclass(frozen=True, slots=True)
class Whole(Part):
    """A whole document, of a size that is known."""

    size: int = 0

    @property
    def weight(self) -> int:
        """The number of bytes to read."""
        return self.size


Chunk = Sequence[Part]


class CountsEach(Protocol):
    """Options, and the counts of one document."""

    def count(self, case: Case) -> Counted:
        """Read one document in every version and count it."""
        ...


@runtime_checkable
class Reads(CountsEach, Protocol):
    """A task that can keep what the page shows of a document."""

    def count_and_read(self, case: Case) -> tuple[Counted, list[object]]:
        """The rows of one document, and its readings, all from reading it once."""
        ...


@runtime_checkable
class CountsMany(CountsEach, Protocol):
    """A task that can count many small documents in one pass."""

    @property
    def is_counted_together(self) -> bool:
        """Whether its options allow that."""
        ...

    def count_many(self, cases: Sequence[Case]) -> CountTable | None:
        """The rows of all documents; None if they must be counted one by one."""
        ...


@runtime_checkable
class Cuts(CountsEach, Protocol):
    """A task that can count a document part by part."""

    def plan(self, case: Case, size: int) -> Sequence[Part]:
        """The parts of a document of `size` bytes; none if it is counted whole."""
        ...

    def count_part(self, part: object) -> object:
        """Count one part, or say why it cannot be counted separately."""
        ...

    def replan(self, parts: Sequence[object], counted: Sequence[object]) -> Sequence[Part]:
        """The parts as they should be, given what was counted: the same objects if all is well."""
        ...

    def merge(self, parts: Sequence[object], counted: Sequence[object]) -> Counted:
        """The rows of the document."""
        ...


def chunks(
    parts: Iterable[Part], weight: int, *, jobs: int, size: int, most: int = MOST
) -> Iterator[list[Part]]:
    """Put neighbours together, up to `size` bytes and a share of the weight that is left.

    So the last chunks are small, and all workers end at about the same time.
    """
    chunk: list[Part] = []
    held = 0
    for part in parts:
        own = cost(part.weight)
        if chunk and (held + own > min(size, weight // (4 * jobs)) or len(chunk) >= most):
            yield chunk
            weight, chunk, held = weight - held, [], 0
        chunk.append(part)
        held += own
    if chunk:
        yield chunk


def cost(size: int) -> int:
    """How much work a document or a part of this many bytes is."""
    return size + EACH
