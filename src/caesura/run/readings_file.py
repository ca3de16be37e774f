"""The spool: readings of documents on disk, so that they are never all in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO
from weakref import finalize

from caesura.io.writing import temporary


@dataclass
class Spool:
    """A file that nobody else sees, and where in it the readings of each document are."""

    file: IO[bytes] = field(default_factory=temporary)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    end: int = 0

    def __post_init__(self) -> None:
        finalize(self, self.file.close)

    def add(self, document: str, readings: Sequence[str]) -> None:
        """Add the readings of a document, each as JSON on one line."""
        data = "".join(f"{each}\n" for each in readings).encode("utf-8", "surrogatepass")
        self.file.write(data)
        self.places[document] = self.end, self.end + len(data)
        self.end += len(data)

    def readings(self, document: str) -> Iterator[dict[str, object]]:
        """The readings of a document; none if it has none."""
        start, stop = self.places.get(document, (0, 0))
        self.file.seek(start)
        data = self.file.read(stop - start)
        self.file.seek(self.end)
        for line in data.splitlines():
            yield json.loads(line)
