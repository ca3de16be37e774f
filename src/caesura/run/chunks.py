"""Chunks: what a worker gets: many small documents, or one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

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
