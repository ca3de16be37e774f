"""Packed files: gzip, xz, Zstandard, archives, how far they may grow, and what bad ones raise."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Protocol, cast
from weakref import finalize

from caesura.errors import CaesuraError, FormatError, SourceError, UsageError, no_memory, reason
from caesura.io.cwd import local
from caesura.io.paths import Member, Stamp, is_url, open_url, stamp, target
from caesura.io.writing import temporary

if TYPE_CHECKING:
    from zipfile import ZipFile

VARIABLE = "CAESURA_MAX_SIZE"
"""The environment variable that sets the limit."""
LARGEST, TIMES = 1 << 30, 20
"""A file may expand to LARGEST bytes, or to TIMES its own size if that is more."""
_PIECE = 1 << 16
_SIZE = re.compile(r"(\d{1,18})([KMGT]?)", re.IGNORECASE)
_POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_OF_PATHS = (FileNotFoundError, PermissionError, IsADirectoryError, ConnectionError, TimeoutError)
Decompressor = Callable[[IO[bytes]], IO[bytes]]
_NEEDED = "needs the package backports.zstd; pip install 'caesura-eval[formats]'"
Packer = Callable[[bytes], bytes]


def decompressed(raw: bytes, path: str, suffix: str) -> bytes:
    """What the bytes of a compressed file expand to."""
    try:
        opened = decompressor(suffix)
    except ImportError:
        raise SourceError(path, *f"reading .zst {_NEEDED}".split("; ")) from None
    with sound(path, f"not a valid {suffix} file", "compress it again"):
        return contents(opened(io.BytesIO(raw)), path, len(raw))


def decompressor(suffix: str) -> Decompressor:
    """What opens a compressed file of a suffix; its module is imported now."""
    if suffix == ".gz":
        from gzip import GzipFile

        return lambda file: cast("IO[bytes]", GzipFile(fileobj=file))
    if suffix == ".xz":
        from lzma import LZMAFile

        return cast("Decompressor", LZMAFile)
    return cast("Decompressor", _zstd().ZstdFile)


def packer(suffix: str) -> Packer:
    """What makes one member of a compressed file of a suffix; without one, nothing changes."""
    if suffix == ".gz":
        from gzip import compress

        return lambda data: compress(data, mtime=0)
    if suffix == ".zst":
        try:
            return cast("Packer", _zstd().compress)
        except ImportError:
            raise CaesuraError(f"writing .zst {_NEEDED}") from None
    return lambda data: data


def unpacker(suffix: str) -> Any:
    """What expands one member of a file of a suffix, `.gz` or `.zst`, and sees its end (`eof`)."""
    if suffix == ".gz":
        from zlib import decompressobj

        return decompressobj(wbits=31)
    return _zstd().ZstdDecompressor()


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


class Readable(Protocol):
    """A file as far as it is needed here."""

    def read(self, size: int, /) -> bytes | None:
        """The next bytes."""


def largest(packed: int = 0) -> int:
    """The most bytes that a file may expand to, given its size on disk.

    Users set the limit as a number of bytes, or of KiB, MiB, GiB or TiB with the letter K, M, G or
    T after it.
    """
    limit = LARGEST
    if text := os.environ.get(VARIABLE, ""):
        size = _SIZE.fullmatch(text.strip())
        if size is None:
            raise UsageError(f"{VARIABLE} cannot be '{text}'; give a size such as 500M or 4G")
        limit = int(size[1]) << _POWERS[size[2].upper()] or LARGEST
    return max(limit, TIMES * packed)


def too_large(path: str, packed: int = 0) -> SourceError:
    """The error for a file that expands too far."""
    most = f"{largest(packed) / 2**30:,.3g} GiB"
    times = f", over {TIMES} times its size," if packed else ""
    problem = f"expands to more than {most}{times} as a damaged or hostile file would"
    return SourceError(path, problem, f"if it is neither, set {VARIABLE} to a size such as 16G")


def pieces(file: Readable, path: str, packed: int = 0) -> Iterator[bytes]:
    """What a file expands to, piece by piece, up to the limit."""
    total, most = 0, largest(packed)
    while piece := file.read(_PIECE):
        total += len(piece)
        if total > most:
            raise too_large(path, packed)
        yield piece


def contents(file: Readable, path: str, packed: int = 0) -> bytes:
    """All that a file expands to, up to the limit."""
    data = io.BytesIO()
    for piece in pieces(file, path, packed):
        data.write(piece)
    return data.getvalue()


@contextmanager
def sound(path: str, problem: str, cure: str) -> Iterator[None]:
    """Turn anything that goes wrong inside a decoder into an error of one line.

    Decoders of damaged files raise exceptions of all kinds: those they document, and others.
    """
    try:
        yield
    except CaesuraError:
        raise
    except MemoryError:
        raise no_memory(path) from None
    except Exception as fault:
        # The system or the network failed; decoders raise OSErrors without a number.
        if isinstance(fault, _OF_PATHS) or (isinstance(fault, OSError) and fault.errno):
            raise SourceError(path, reason(fault), f"check the path, or {cure}") from None
        raise FormatError(path, f"{problem} ({reason(fault)})", cure) from None


# Archives


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file or a URL for reading."""
    with open_url(path) if is_url(path) else Path(local(path)).open("rb") as file:
        yield file


def members(path: str) -> list[Member]:
    """The documents of an archive, without hidden files."""
    with _sound(path):
        if _is_zip(path):
            entries = _zip(path, stamp(path)).infolist()
            inside = [Member(path, e.filename, 0, e.file_size) for e in entries if not e.is_dir()]
        else:
            import tarfile

            with _plain_tar(path) as file, tarfile.open(fileobj=_Bounded(file), mode="r:") as tar:
                inside = [
                    Member(path, entry.name, entry.offset_data, entry.size)
                    for entry in tar
                    if entry.isreg() and entry.sparse is None
                ]
        return [each for each in inside if not PurePosixPath(each.name).name.startswith(".")]


def _is_zip(path: str) -> bool:
    return target(path).lower().endswith(".zip")


class _Bounded(io.RawIOBase):
    """A file that makes no room for bytes that it does not have, whatever size a header claims."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._size = file, file.seek(0, io.SEEK_END)
        file.seek(0)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, as many as there are."""
        return self._file.read(min(size, max(0, self._size - self.tell())))

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place."""
        return self._file.tell()


def read_member(member: Member) -> bytes:
    """The bytes of a member of an archive."""
    with _sound(str(member)):
        if _is_zip(member.file):
            archive = _zip(member.file, stamp(member.file))
            entry = archive.getinfo(member.name)
            if entry.file_size > largest(entry.compress_size):
                raise too_large(str(member), entry.compress_size)
            return archive.read(entry)
        with _plain_tar(member.file) as file:
            return read_range(file, member)


def read_range(file: IO[bytes], member: Member) -> bytes:
    """The bytes at an offset of a file."""
    if member.at + member.size > file.seek(0, io.SEEK_END):
        raise FormatError(member.file, "the file is truncated", "copy or write it again")
    file.seek(member.at)
    return file.read(member.size)


@contextmanager
def _plain_tar(path: str) -> Iterator[IO[bytes]]:
    """A tar file without its compression.

    A compressed file cannot be sought: each process unpacks it once, to disk.
    """
    if target(path).lower().endswith(".tar"):
        with opened(path) as file:
            yield file
    else:
        unpacked = _unpacked(path, stamp(path)).file
        unpacked.seek(0)
        yield unpacked


class _Unpacked:
    """A temporary file that is deleted with its last user."""

    def __init__(self, path: str) -> None:
        self.file = temporary()
        with opened(path) as packed:
            size = packed.seek(0, io.SEEK_END)
            packed.seek(0)
            suffix = ".xz" if target(path).lower().endswith(".xz") else ".gz"
            with decompressor(suffix)(packed) as file:
                self.file.writelines(pieces(file, path, size))

    def __del__(self) -> None:
        self.file.close()


@lru_cache(maxsize=2)
def _unpacked(path: str, _: Stamp) -> _Unpacked:
    return _Unpacked(path)


@lru_cache(maxsize=4)
def _zip(path: str, _: Stamp) -> ZipFile:
    """An archive whose list of members is read once in each process."""
    from zipfile import ZipFile

    if not is_url(path):
        return ZipFile(local(path))
    file = open_url(path)
    archive = ZipFile(file)
    finalize(archive, file.close)
    return archive


def _sound(path: str) -> AbstractContextManager[None]:
    return sound(path, "not a valid archive", "pack it again")
