"""Bytes in: the names of files, their bytes, and their text."""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from io import BufferedReader, FileIO
from pathlib import Path, PurePosixPath
from typing import TextIO, cast

from caesura.core.escapes import as_name
from caesura.errors import FormatError, SourceError, UsageError, no_memory, option, reason
from caesura.io.cwd import is_dir, is_file, local
from caesura.io.packed import contents, decompressed, read_member
from caesura.io.paths import (
    PART,
    Member,
    is_archive,
    is_url,
    open_url,
    reached,
    recording_of,
    target,
)

STDIN = "-"
STEP = 1 << 16
COMPRESSED = (".gz", ".xz", ".zst")
"""Suffixes of files that are decompressed when they are read."""
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_MARKS = tuple(BYTE_ORDER_MARKS)
_NO_FILES = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")
"""Codecs that Python lists among encodings of text, but that no text file is in."""


def stem(path: str) -> str:
    """The name of a file without its folder, its suffix and the suffix of its compression.

    >>> stem("refs/v6.txt.gz"), stem("talk.1.txt"), stem("-")
    ('v6', 'talk.1', 'stdin')
    """
    if path == STDIN:
        return "stdin"
    name = _name(target(path).replace(os.sep, "/"))
    suffix = _last_suffix(name)
    if suffix in COMPRESSED:
        name = name[: -len(suffix)]
    return as_name(name.removesuffix(_last_suffix(name)))


@lru_cache(maxsize=4)
def suffix_of(path: str) -> str:
    """The suffix of the format, without that of the compression; asked several times of each file.

    >>> suffix_of("talk.nlp.gz"), suffix_of("talk"), suffix_of("-")
    ('.nlp', '', '')
    """
    place = target(path).replace(os.sep, "/")
    suffix = _last_suffix(place)
    return _last_suffix(place[: -len(suffix)]) if suffix in COMPRESSED else suffix


def _name(path: str) -> str:
    """What `PurePosixPath(path).name` is, without the cost of the object."""
    name = path.rpartition("/")[2]
    return PurePosixPath(path).name if name in {"", "."} else name


def _last_suffix(path: str) -> str:
    """What `PurePosixPath(path).suffix` is before Python 3.14, without the cost of the object."""
    name = _name(path)
    at = name.rfind(".")
    return name[at:] if 0 < at < len(name) - 1 else ""


def size_of(path: str) -> int:
    """The size of a path in bytes, if it is known without opening it."""
    member = Member.from_path(path) if "!" in path else None
    if member is not None:
        return member.size
    try:
        return os.stat(local(recording_of(path)[0])).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def is_utf8(path: str) -> bool:
    """Whether a file is UTF-8 as it stands: uncompressed, and not UTF-16 or UTF-32."""
    if Path(path).suffix in COMPRESSED or is_archive(path) or not is_file(local(path)):
        return False
    head = beginning(path, 4)
    return byte_order_mark(head) in (b"", codecs.BOM_UTF8)


def beginning(path: str, size: int) -> bytes:
    """The first bytes of a file as they stand there."""
    try:
        with Path(local(path)).open("rb") as file:
            return file.read(size)
    except OSError as problem:
        raise _unreadable(path, problem) from None


def read_bytes(path: str) -> bytes:
    """The decompressed contents of a path."""
    suffix = _last_suffix(target(path))
    try:
        raw = _raw(path)
    except MemoryError:
        raise no_memory(path) from None
    return decompressed(raw, path, suffix) if suffix in COMPRESSED else raw


def read_pieces(path: str) -> Iterator[bytes]:
    """The bytes of a file or standard input as they arrive, not decompressed."""
    try:
        if path == STDIN:
            stream = cast(BufferedReader, sys.stdin.buffer)
            yield from iter(lambda: stream.read1(STEP), b"")
            return
        with Path(local(path)).open("rb") as file:
            yield from iter(lambda: file.read(STEP), b"")
    except OSError as problem:
        raise _unreadable(path, problem) from None


def read_text(path: str, encoding: str | None = None) -> str:
    """The text of a path: UTF-8, as its byte-order mark says, or in the given encoding."""
    return decode(read_bytes(path), path, encoding)


def read_utf8(path: str, encoding: str | None = None) -> bytes:
    """The text of a path as valid UTF-8 without a byte-order mark.

    Text that is already UTF-8 is checked piece by piece and never decoded as a whole.
    """
    data = read_bytes(path)
    if encoding or byte_order_mark(data):
        return decode(data, path, encoding).encode()
    if data.isascii():
        return data
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), STEP):
            decoder.decode(data[start : start + STEP], final=start + STEP >= len(data))
    except UnicodeDecodeError:
        decode(data, path)
    return data


def decode(data: bytes, path: str, encoding: str | None = None) -> str:
    """Decode bytes; an error names the first bad byte and its line."""
    mark = b"" if encoding else byte_order_mark(data)
    used = require_encoding(encoding) or BYTE_ORDER_MARKS.get(mark, "utf-8")
    body = data[len(mark) :]
    try:
        text = body.decode(used)
    except UnicodeDecodeError as problem:
        before = problem.object[: problem.start].decode(used, "replace")
        raise FormatError(
            path,
            f"byte 0x{problem.object[problem.start]:02x} is not {used.upper()}",
            f"save the file as UTF-8, or name its encoding with {option('encoding', '…')}",
            line=line_number(before, len(before)),
        ) from None
    if "\0" in text:
        raise FormatError(
            path,
            "NUL bytes: not a text file, or UTF-16 without a byte-order mark",
            f"save the file as UTF-8, or try {option('encoding', 'utf-16-le')}",
            line=line_number(text, text.index("\0")),
        )
    return text.removeprefix("\ufeff")


def require_encoding(name: str | None) -> str | None:
    """Return the name of an encoding of text; raise an error for any other."""
    if not name:
        return None
    try:
        codec = codecs.lookup(name)
        is_text = getattr(codec, "_is_text_encoding", True) and codec.name not in _NO_FILES
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise UsageError(f"unknown encoding '{name}'; try utf-8, utf-16 or latin-1")
    return name


def json_value(
    text: str,
    source: str,
    cure: str,
    make_object: Callable[[list[tuple[str, object]]], dict[str, object]] | None = None,
) -> object:
    """The value of a JSON text; `make_object` makes the objects of their names and values."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=make_object)
    except json.JSONDecodeError as problem:
        line = line_number(problem.doc, problem.pos)
        raise FormatError(source, f"not valid JSON ({problem.msg})", cure, line=line) from None
    except (ValueError, RecursionError):
        raise FormatError(source, "JSON nested too deeply, or a number too long", cure) from None


def byte_order_mark(data: bytes) -> bytes:
    """The byte-order mark with which data begins; empty if there is none."""
    if not data.startswith(_MARKS):
        return b""
    return next(mark for mark in _MARKS if data.startswith(mark))


def line_feeds(text: str) -> str:
    """A text whose lines all end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def line_number(text: str, at: int) -> int:
    """The line number of an offset of a text, with line ends of any kind."""
    return len(re.findall(r"\r\n|\r|\n", text[:at])) + 1


def _raw(path: str) -> bytes:
    member = Member.from_path(path)
    if member is not None and is_archive(member.file):
        return read_member(member)
    if member is not None:
        from caesura.io.column_files import read_cell

        cell = read_cell(member)
        if isinstance(cell, str):
            return cell.encode()
        problem = f"the column '{member.column}' contains boundaries, not text"
        raise FormatError(str(member), problem, "give the source the name of a column of texts")
    try:
        if path == STDIN:
            return everything(sys.stdin)
        if is_url(path):
            with reached(path), open_url(path) as fetched:
                size = 0 if PART in path else getattr(fetched, "size", None) or 0
                return contents(fetched, path, size)
        with FileIO(local(path)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.readall()
            return contents(file, path)  # of a device or a pipe, which may be endless
    except OSError as problem:
        raise _unreadable(path, problem) from None


@lru_cache(maxsize=1)
def everything(stream: TextIO) -> bytes:
    """The contents of a stream, which can be read again."""
    return contents(stream.buffer, STDIN)


def _unreadable(path: str, problem: OSError) -> SourceError:
    """Why a path cannot be read; for Windows, a folder is a file without permission."""
    if path == STDIN:
        return SourceError("standard input", reason(problem), "pipe a file in, or give its path")
    if isinstance(problem, IsADirectoryError | PermissionError) and is_dir(local(path)):
        return SourceError(path, "is a folder, not a file", "name a file in it")
    return SourceError(path, reason(problem), "check the path")
