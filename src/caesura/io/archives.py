"""Files that contain many documents: tar and zip archives, and tables of columns.

A document in one is named by a path of its own, which says where it is, so that it is
located only once: `SHARD.tar!@OFFSET+SIZE/NAME`, `SHARD.zip!@0+SIZE/NAME`,
`TABLE.parquet!COLUMN@ROW+SIZE/DOCUMENT`, `TABLE.jsonl!COLUMN@OFFSET+SIZE/DOCUMENT`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, BinaryIO
from weakref import finalize

from caesura.errors import FormatError
from caesura.io.faults import sound
from caesura.io.folder import local
from caesura.io.limits import pieces, refuse_larger
from caesura.io.urls import is_url, open_url, target
from caesura.io.writing import temporary

if TYPE_CHECKING:
    from zipfile import ZipFile

TAR = (".tar", ".tgz", ".tar.gz", ".tar.xz")
ARCHIVES = (*TAR, ".zip")
_SUFFIXES = "|".join(map(re.escape, (*ARCHIVES, ".parquet", ".jsonl", ".ndjson")))
_INSIDE = re.compile(
    rf"(?P<file>.+?(?:{_SUFFIXES})(?:::[^!]*)?)!(?P<column>[^/!@]*)@(?P<at>\d+)\+(?P<size>\d+)/(?P<name>.*)",
    re.DOTALL,
)
Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One document in a file of many: where it begins, as bytes or as a row, and its size."""

    file: str
    name: str
    at: int
    size: int
    column: str = ""

    @classmethod
    def from_path(cls, path: str) -> Member | None:
        """Parse the path of a member; None for any other path.

        >>> Member.from_path("refs.tar!@512+40/day1/v6.txt")
        Member(file='refs.tar', name='day1/v6.txt', at=512, size=40, column='')
        """
        found = _INSIDE.fullmatch(path) if "!" in path else None
        if found is None:
            return None
        return cls(found["file"], found["name"], int(found["at"]), int(found["size"]), found[2])

    def __str__(self) -> str:
        return f"{self.file}!{self.column}@{self.at}+{self.size}/{self.name}"


def file_of(path: str) -> str:
    """The file on disk that holds a path."""
    member = Member.from_path(path)
    return path if member is None else member.file


def stamp(path: str) -> Stamp:
    """The modification time and size of a file, to detect changes; empty if it is not a file."""
    try:
        status = Path(local(file_of(path))).stat()
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def is_archive(path: str) -> bool:
    """Whether a file holds documents as members."""
    return target(path).lower().endswith(ARCHIVES)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file or a URL for reading."""
    with open_url(path) if is_url(path) else Path(local(path)).open("rb") as file:
        yield file


def members(path: str) -> list[Member]:
    """The documents of an archive, without hidden files."""
    with _sound(path):
        found = _of_zip(path) if _is_zip(path) else _of_tar(path)
        return [each for each in found if not PurePosixPath(each.name).name.startswith(".")]


def _is_zip(path: str) -> bool:
    return target(path).lower().endswith(".zip")


def _of_zip(path: str) -> list[Member]:
    entries = _zip(path, stamp(path)).infolist()
    return [Member(path, e.filename, 0, e.file_size) for e in entries if not e.is_dir()]


def _of_tar(path: str) -> list[Member]:
    import tarfile

    with _plain_tar(path) as file, tarfile.open(fileobj=_Bounded(file), mode="r:") as archive:
        return [
            Member(path, each.name, each.offset_data, each.size)
            for each in archive
            if each.isreg() and each.sparse is None
        ]


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
            return _from_zip(member)
        with _plain_tar(member.file) as file:
            return read_range(file, member)


def _from_zip(member: Member) -> bytes:
    archive = _zip(member.file, stamp(member.file))
    entry = archive.getinfo(member.name)
    refuse_larger(str(member), entry.file_size, entry.compress_size)
    return archive.read(entry)


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
            with _decompressor(path, packed) as file:
                self.file.writelines(pieces(file, path, size))

    def __del__(self) -> None:
        self.file.close()


@lru_cache(maxsize=2)
def _unpacked(path: str, _: Stamp) -> _Unpacked:
    return _Unpacked(path)


def _decompressor(path: str, packed: BinaryIO) -> Any:
    if target(path).lower().endswith(".xz"):
        import lzma

        return lzma.open(packed)
    import gzip

    return gzip.open(packed)


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
