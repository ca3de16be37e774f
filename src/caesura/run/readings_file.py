"""The spool: readings of documents on disk, so that they are never all in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO
from weakref import finalize
from zlib import crc32

from caesura.io.writing import temporary

HEAD = '{"reading": '


@dataclass
class Spool:
    """A file to which lines are added, and where in it the readings of each document are.

    `check` is the checksum of what was added since it was last set to 0.
    """

    file: IO[bytes]
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    end: int = 0
    check: int = 0

    def __post_init__(self) -> None:
        finalize(self, self.file.close)

    @classmethod
    def make(cls) -> Spool:
        """A spool in a file that nobody else sees and that goes with this process."""
        return cls(temporary())

    def add(self, document: str, readings: Sequence[str]) -> None:
        """Add the readings of a document, each as JSON on one line."""
        self.put("".join(f"{HEAD}{each}}}\n" for each in readings), document)

    def put(self, lines: str, document: str | None = None) -> None:
        """Add lines, which may be the readings of a document."""
        data = lines.encode("utf-8", "surrogatepass")
        self.file.write(data)
        if document is not None:
            self.places[document] = self.end, self.end + len(data)
        self.end += len(data)
        self.check = crc32(data, self.check)

    def flush(self) -> None:
        """Give what was added to the system, which keeps it even if this process is killed."""
        self.file.flush()

    def readings(self, document: str) -> Iterator[dict[str, object]]:
        """The readings of a document; none if it has none."""
        start, stop = self.places.get(document, (0, 0))
        self.file.seek(start)
        data = self.file.read(stop - start)
        self.file.seek(self.end)
        for line in data.splitlines():
            yield json.loads(line)["reading"]
