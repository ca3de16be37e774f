"""The journal of a run: the rows of the documents that are done, so that it can be resumed.

It is next to the file of rows until that is written, as `FILE.partial`. Its first line says
what is counted and how; then come the rows and readings of one document after another, and after
each document a line that says so, with the state of its files and a checksum. Whatever follows the
last such line is incomplete; what does not fit its checksum is damaged, and counted again.
"""

from __future__ import annotations

import atexit
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedRandom
from pathlib import Path
from typing import IO, Any, BinaryIO
from zlib import crc32

from caesura.core.json_values import JsonObject
from caesura.core.row import Row
from caesura.core.table import CountTable
from caesura.errors import FormatError, SourceError, UnknownNameError, UsageError, option
from caesura.io.cwd import exists
from caesura.io.writing import Sink, mode_of, writing
from caesura.run.readings_file import Spool
from caesura.run.rows_file import from_json, texts_of

SUFFIX = ".partial"
SECONDS = 1.0
"""The seconds between flushes to disk; a killed process loses nothing in any case."""
Stamps = list[Any]
"""The state of a document's files, as JSON has it."""


@dataclass
class Journal:
    """The documents that an earlier run has done, with their rows; `spool` takes those to come."""

    path: Path
    spool: Spool
    saved: dict[str, tuple[Stamps, list[Row]]]
    added: int = 0
    safe_at: float = field(default_factory=time.monotonic)

    @classmethod
    def open(
        cls, rows: str, head: JsonObject, measures: Mapping[str, Any], *, resume: bool
    ) -> Journal:
        """Open the journal of a file of rows, to resume or to start over."""
        path = Path(rows + SUFFIX).resolve()
        is_new = not exists(path)
        sink = Sink(str(path), "w+b" if is_new else "r+b", rows + SUFFIX)
        if is_new:
            path.chmod(mode_of(Path(rows)))
        sink.then = f" and run it again with {option('resume')}"
        file = BufferedRandom(sink)
        line = json.dumps(head, ensure_ascii=False) + "\n"
        try:
            _lock(file, path)
            reader = _Reader(file, measures)
            if resume:
                reader.read(path, json.loads(line))
        except BaseException:
            file.close()
            raise
        file.truncate(reader.end)
        file.seek(reader.end)
        journal = cls(path, Spool(file, reader.places, reader.end), reader.done)
        if not reader.end:
            journal._begin(line)
        return journal

    def _begin(self, line: str) -> None:
        try:
            self.spool.put(line)
            self.spool.flush()
        except SourceError:
            self.close()
            raise

    def rows(self, document: str, stamps: Stamps, *, reads: bool) -> list[Row] | None:
        """The rows of a document that is done and whose files are as they were then.

        None, too, if its readings are asked for and are not there.
        """
        then, rows = self.saved.get(document, (None, None))
        is_complete = not reads or document in self.spool.places
        return rows if then == stamps and is_complete else None

    def add(
        self,
        stamps: Mapping[str, Stamps],
        counted: CountTable | Sequence[Row],
        readings: Mapping[str, Sequence[str]],
    ) -> None:
        """Write down documents that are done, with the state of their files, in order."""
        own: dict[str, list[str]] = {document: [] for document in stamps}
        table = CountTable.from_rows(counted)
        for document, text in zip(table.documents, texts_of(table), strict=True):
            own[document].append(text)
        for document, texts in own.items():
            self._add(document, "".join(texts), readings.get(document), stamps[document])
        self.spool.flush()
        self.added += len(stamps)
        self._sync()

    def _add(
        self, document: str, rows: str, readings: Sequence[str] | None, stamps: Stamps
    ) -> None:
        self.spool.check = 0
        self.spool.put(rows)
        end: JsonObject = {"done": document, "rows": rows.count("\n"), "files": stamps}
        if readings is not None:
            self.spool.add(document, readings)
            end["readings"] = len(readings)
        end["check"] = _check(end, self.spool.check)
        self.spool.put(json.dumps(end, ensure_ascii=False) + "\n")

    def _sync(self) -> None:
        """Flush to disk now and then; it can take long, and a Ctrl-C may come meanwhile."""
        if time.monotonic() - self.safe_at > SECONDS:
            with writing(str(self.path)):
                os.fsync(self.spool.file.fileno())
            self.safe_at = time.monotonic()

    def close(self) -> bool:
        """Keep the file if it is of any use; returns whether it is."""
        self.spool.file.close()
        if not self.saved and not self.added:
            self.path.unlink(missing_ok=True)
            return False
        return True

    def remove(self) -> None:
        """Remove the file, since the rows are saved; while it is open, readings can be read."""
        try:
            self.path.unlink(missing_ok=True)
        except PermissionError:  # Windows keeps a file that is open
            atexit.register(_remove, self.spool.file, self.path)


def _remove(file: IO[bytes], path: Path) -> None:
    file.close()
    path.unlink(missing_ok=True)


def _lock(file: BinaryIO, path: Path) -> None:
    """Raise an error if another run writes to this journal, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        problem = "another run is writing to it"
        raise SourceError(str(path), problem, "wait for it, or choose another file") from None
    except OSError:
        return


class _Reader:
    """Reads the documents that are done, up to the end of the last of them."""

    def __init__(self, file: BinaryIO, measures: Mapping[str, object]) -> None:
        self.measures = measures
        self.file, self.at, self.end, self.check = file, 0, 0, 0
        self.done: dict[str, tuple[Stamps, list[Row]]] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.rows: list[Row] = []
        self.readings: list[int] = []

    def read(self, path: Path, head: JsonObject) -> None:
        """Read a journal; an error if it is of another run."""
        first = self.file.readline()
        if not first.endswith(b"\n"):
            return
        _require_same(path, _object(first), head)
        self.at = self.end = len(first)
        for line in self.file:
            if not line.endswith(b"\n") or not self._takes(line):
                return
            self.at += len(line)

    def _takes(self, line: bytes) -> bool:
        """Take a line; False if it is not as it should be."""
        fields = _object(line)
        try:
            if "reading" in fields:
                self.readings.append(self.at)
            elif "done" in fields:
                return self._finishes(fields, self.at + len(line))
            else:
                self.rows.append(from_json(line.decode(), self.measures))
        except (KeyError, ValueError, UnknownNameError):
            return False
        self.check = crc32(line, self.check)
        return True

    def _finishes(self, fields: JsonObject, end: int) -> bool:
        """Take what was read as a document; False if it is not all there as it was written."""
        if fields.pop("check") != _check(fields, self.check):
            return False
        document, wanted = fields["done"], fields.get("readings")
        self.done[document] = fields["files"], self.rows
        if wanted is not None:
            self.places[document] = min(self.readings, default=self.at), self.at
        self.rows, self.readings, self.end, self.check = [], [], end, 0
        return True


def _check(end: Mapping[str, object], before: int) -> int:
    """The checksum of a document: of its last line, which holds it, and of the lines before."""
    return crc32(json.dumps(end, ensure_ascii=False).encode("utf-8", "surrogatepass"), before)


def _object(line: bytes) -> JsonObject:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _require_same(path: Path, then: JsonObject, now: JsonObject) -> None:
    """Raise an error that names what differs, if the run was another one."""
    if "caesura" not in then:
        raise FormatError(str(path), "not a journal written by caesura", "move it away", line=1)
    for name in [*now, *then]:
        before, here = then.get(name), now.get(name)
        if isinstance(before, dict) and isinstance(here, dict):
            _require_same(path, {"caesura": 0, **before}, {"caesura": 0, **here})
        elif before != here:
            raise UsageError(
                f"{path}: {name} was {json.dumps(before)} and is {json.dumps(here)} now; "
                f"resume with the same options, or start over without {option('resume')}"
            )
