"""The rows file of a run, which is its own journal: written as documents are done, and resumed.

Documents are written in order, each when it and all before it are done, so that whatever happens
to a run, the file holds its first documents and perhaps a torn rest. What is flushed at a time is
one member of a compressed file.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedRandom, BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self
from zlib import crc32

from caesura.core.json_values import JsonObject
from caesura.core.table import CountTable
from caesura.errors import SourceError, UsageError, option
from caesura.io.cwd import exists, is_dir
from caesura.io.packed import packer, unpacker
from caesura.io.paths import file_of
from caesura.io.writing import Sink, is_regular, writing
from caesura.removed import PARQUET_ROWS
from caesura.run.inputs import Case
from caesura.run.rows_file import DONE, ENCODE, READING, Header, lines_of

SUFFIXES = (".gz", ".zst")
SECONDS, MOST = 0.2, 4 << 20
"""The seconds and the bytes after which documents that are done are flushed."""
SAFE = 1.0
"""The seconds between the moments when the disk is told to keep what it has."""
PIECE, AT_ONCE = 1 << 20, 1 << 14
"""The bytes that are read at a time, and the units of a table that are written."""


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one document, or the header; `end` is where a file can be cut after it."""

    data: bytes
    end: int | None
    document: str = ""
    failure: str = ""

    def lines(self) -> tuple[list[bytes], list[str]]:
        """Its rows, and its readings as JSON."""
        lines = self.data.splitlines()[:-1]
        rows = [line for line in lines if not line.startswith(READING)]
        readings = [line[len(READING) : -1] for line in lines if line.startswith(READING)]
        return rows, [line.decode("utf-8", "surrogatepass") for line in readings]


@dataclass
class RowsWriter:
    """A file of rows that is being written.

    The file has the moment when the run began as its time of modification, so that a run that is
    resumed knows which documents may have changed since: `earlier` is that of the run before.
    """

    path: str
    header: Header
    sink: Sink
    file: BinaryIO
    suffix: str = ""
    earlier: int = 0
    before: int = 0
    end: int = 0
    waiting: list[bytes] = field(default_factory=list)
    size: int = 0
    documents: int = 0
    unwritten: int = 0
    has_header: bool = False
    is_cut: bool = False
    begun: int = field(default_factory=time.time_ns)
    flushed_at: float = field(default_factory=time.monotonic)
    safe_at: float = field(default_factory=time.monotonic)

    @classmethod
    def open(cls, path: str, header: Header) -> RowsWriter:
        """Open a file for the rows of a run; nothing in it changes before a document is done."""
        suffix = Path(path).suffix.lower()
        if suffix == ".parquet":
            raise UsageError(f"{path}: {'; '.join(PARQUET_ROWS)}")
        if suffix == ".xz":
            raise UsageError(f"{path}: rows are not compressed as .xz; use .gz or .zst")
        suffix = suffix if suffix in SUFFIXES else ""
        packer(suffix)
        if is_dir(path):
            raise SourceError(path, "is a folder", "give a file name")
        if not is_regular(path):
            sink = Sink(path, "wb", path)
            return cls(path, header, sink, BufferedWriter(sink), suffix, is_cut=True)
        sink = Sink(path, "r+b" if exists(path) else "x+b", path)
        file = BufferedRandom(sink)
        try:
            _lock(file, path)
            status = os.fstat(file.fileno())
            writer = cls(path, header, sink, file, suffix, status.st_mtime_ns, status.st_size)
            writer._require_ours()
        except BaseException:
            file.close()
            raise
        return writer

    @property
    def is_regular(self) -> bool:
        """Whether it is a file that can be cut, not a pipe."""
        return isinstance(self.file, BufferedRandom)

    def _require_ours(self) -> None:
        """Raise an error if there is something in the file that caesura has not written."""
        self.file.seek(0)
        begun = self._packed(self.header.first_line)
        if self.before < len(begun) and begun.startswith(self.file.read()):
            self.before = 0  # empty, or a header that is torn
            return
        header = next(self.blocks(), None)
        if header is None or "caesura" not in _object(header.data):
            raise UsageError(
                f"{self.path} is not a rows file, and is not overwritten; choose another path"
            )

    def blocks(self) -> Iterator[Block]:
        """The header, then each document that the file has as it was written."""
        rest, start = b"", 0
        is_header = True
        for piece, end in self._pieces():
            data, at = rest + piece, 0
            while True:
                is_first = is_header or data.startswith(DONE, at)
                line = at if is_first else data.find(b"\n" + DONE, at) + 1
                stop = data.find(b"\n", line) + 1
                if not stop or not (line or is_first):
                    break
                last = start + stop if end is None else end if stop == len(data) else None
                done = {} if is_header else _object(data[line:stop])
                if not is_header and done.pop("check", None) != _check(data[at:line], done):
                    return
                yield Block(data[at:stop], last, done.get("done", ""), done.get("failed", ""))
                is_header, at = False, stop
            rest, start = data[at:], start + at

    def _pieces(self) -> Iterator[tuple[bytes, int | None]]:
        """The text of the file; of a compressed one whole members, and where each ends."""
        self.file.seek(0)
        if not self.suffix:
            while data := self.file.read(PIECE):
                yield data, None
            return
        unpack, texts, at = unpacker(self.suffix), list[bytes](), 0
        data = self.file.read(PIECE)
        while data:
            try:
                texts.append(unpack.decompress(data))
            except Exception:  # whatever the decompressor calls what is torn or damaged
                return
            at += len(data)
            data = unpack.unused_data
            if unpack.eof:
                at -= len(data)
                yield b"".join(texts), at
                unpack, texts = unpacker(self.suffix), []
            data = data or self.file.read(PIECE)

    def resumed(self, cases: Sequence[Case], *, keep_going: bool) -> Iterator[Block]:
        """The first documents that an earlier run has done, up to one that may have changed since.

        An error if it was another run. What is taken is to be given to `keep`, in order.
        """
        if not self.is_regular or not self.before:
            return
        blocks = self.blocks()
        header = next(blocks)
        _require_same(self.path, _object(header.data), json.loads(self.header.first_line))
        if header.data != encoded(self.header.first_line):
            return  # it says the same in other words: all is counted again, as for a new file
        self.keep(header)
        self.has_header = True
        for case, block in zip(cases, blocks, strict=False):
            is_other = block.document != case.document or (block.failure and not keep_going)
            if is_other or self._is_changed(case):
                return
            yield block

    def keep(self, block: Block) -> None:
        """Leave a block where it is; if it cannot be cut off there, it is written again."""
        self.documents += bool(block.document and not block.failure)
        self.waiting.append(block.data)
        if block.end is not None:
            self.end, self.waiting = block.end, []

    def _is_changed(self, case: Case) -> bool:
        """Whether a file of a document may have changed since the run began."""
        for path in case.files:
            with suppress(OSError, ValueError):
                status = os.stat(file_of(path))  # noqa: PTH116
                if max(status.st_mtime_ns, status.st_ctime_ns) > self.earlier:
                    return True
        return False

    def add(
        self, documents: Sequence[str], table: CountTable, readings: Mapping[str, Sequence[str]]
    ) -> None:
        """Write documents that are done, in order; a corpus has rows of its recordings."""
        by_document: dict[str, list[str]] = {document: [] for document in documents}
        named = table.with_names((*self.header.references, *self.header.systems))
        for document, rows in zip(table.documents, lines_of(named), strict=True):
            by_document.get(document, by_document[documents[-1]]).append(rows)
        for document, lines in by_document.items():
            if self.header.with_text:
                lines += [f'{{"reading": {each}}}\n' for each in readings.get(document, ())]
            self._put("".join(lines), {"done": document})
        self.unwritten += len(documents)
        if self.size > MOST or time.monotonic() - self.flushed_at > SECONDS:
            self.flush()

    def add_table(self, table: CountTable, readings: Mapping[str, Sequence[str]]) -> None:
        """Write all documents of a table, some at a time."""
        documents, start = table.documents, 0
        while start < len(table):
            stop = min(start + AT_ONCE, len(table))
            while stop < len(table) and documents[stop] == documents[stop - 1]:
                stop += 1
            names = [*dict.fromkeys(documents[start:stop])]
            self.add(names, table.take(range(start, stop)), readings)
            start = stop

    def add_failure(self, document: str, message: str) -> None:
        """Write that a document could not be counted, and why."""
        self._put("", {"done": document, "failed": message})

    def _put(self, lines: str, done: JsonObject) -> None:
        data = encoded(lines)
        data += encoded(ENCODE({**done, "check": _check(data, done)}) + "\n")
        self.waiting.append(data)
        self.size += len(data)

    def flush(self) -> None:
        """Write what waits; the system keeps it even if this process is killed."""
        if self.documents:
            self.sink.then = f" and run it again with {option('resume')}"
        if not self.is_cut:
            self.file.truncate(self.end)
            self.file.seek(self.end)
        if not self.has_header:
            self.file.write(self._packed(self.header.first_line))
        if self.waiting:
            self.file.write(self._packed(b"".join(self.waiting)))
        self.file.flush()
        self.is_cut = self.has_header = True
        self.documents += self.unwritten
        self.waiting, self.size, self.unwritten = [], 0, 0
        self.flushed_at = time.monotonic()
        if self.is_regular:
            with suppress(OSError):
                os.utime(self.file.fileno(), ns=(self.begun, self.begun))
            if time.monotonic() - self.safe_at > SAFE:
                with writing(self.path):
                    os.fsync(self.file.fileno())
                self.safe_at = time.monotonic()

    def _packed(self, data: bytes | str) -> bytes:
        """What is written at a time, which is one member of a compressed file."""
        return packer(self.suffix)(encoded(data) if isinstance(data, str) else data)

    def finish(self, header: Header) -> None:
        """Write the last line."""
        self.waiting.append(encoded(header.last_line))
        self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: Any, trace: TracebackType | None
    ) -> None:
        """Keep what is done; a file without any document is removed if the run made it."""
        try:
            if kind is not None and self.unwritten and not self.sink.is_lost:
                self.flush()
        finally:
            self.file.close()
        if kind is not None and not self.documents and not self.before and self.is_regular:
            Path(self.path).unlink(missing_ok=True)


def encoded(text: str) -> bytes:
    """A text in UTF-8; half of a character is written as JSON can have it."""
    return text.encode("utf-8", "backslashreplace")


def _check(lines: bytes, done: JsonObject) -> int:
    """The checksum of a document: of its lines, and of what the last of them says besides it."""
    return crc32(encoded(ENCODE(done)), crc32(lines))


def _lock(file: BinaryIO, path: str) -> None:
    """Raise an error if another run writes to this file, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        problem = "another run is writing to it"
        raise SourceError(path, problem, "wait for it, or choose another file") from None
    except OSError:
        return


def _object(line: bytes) -> JsonObject:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _require_same(path: str, then: JsonObject, now: JsonObject) -> None:
    """Raise an error that names what differs, if the run was another one."""
    for name in [*now, *then]:
        before, here = then.get(name), now.get(name)
        if isinstance(before, dict) and isinstance(here, dict):
            _require_same(path, before, here)
        elif before != here:
            raise UsageError(
                f"{path}: {name} was {json.dumps(before)} and is {json.dumps(here)} now; "
                f"resume with the same options, or start over without {option('resume')}"
            )
