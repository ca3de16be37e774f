"""Chunks: what a worker gets: many small documents, or one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from caesura.core.table import Counted, CountTable
from caesura.run.inputs import Case

EACH = 2048
"""What a document costs besides its bytes, as a number of bytes."""
MOST = 256
"""The most documents of a chunk."""


class Sized(NamedTuple):
    """A document, and how many bytes there are to read for it."""

    case: Case
    size: int

    @property
    def cost(self) -> int:
        """How much work it is."""
        return self.size + EACH


Chunk = Sequence[Sized]


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
class CountsApart(CountsEach, Protocol):
    """A task that counts each of several systems alone, against a gold that is read for each."""

    def apart(self, case: Case) -> list[Case]:
        """A case for each system; only the case itself if that is not worth it."""
        ...

    def joined(self, counted: Sequence[Counted]) -> Counted:
        """The rows of all systems, given those of each."""
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


def chunks(
    documents: Iterable[Sized], weight: int, *, jobs: int, size: int, most: int = MOST
) -> Iterator[list[Sized]]:
    """Put neighbours together, up to `size` bytes and a share of the weight that is left.

    So the last chunks are small, and all workers end at about the same time.
    """
    chunk: list[Sized] = []
    held = 0
    for each in documents:
        full = held + each.cost > min(size, weight // (4 * jobs)) or len(chunk) >= most
        if chunk and full:
            yield chunk
            weight, chunk, held = weight - held, [], 0
        chunk.append(each)
        held += each.cost
    if chunk:
        yield chunk
