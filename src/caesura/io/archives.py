"""Archives: documents as members of tar and zip files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO
from weakref import finalize

from caesura.errors import FormatError
from caesura.io.compression import decompressor, pieces, refuse_larger, sound
from caesura.io.cwd import local
from caesura.io.members import Member, Stamp, stamp
from caesura.io.urls import is_url, open_url, target
from caesura.io.writing import temporary

if TYPE_CHECKING:
    from zipfile import ZipFile


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
            inside = _of_tar(path)
        return [each for each in inside if not PurePosixPath(each.name).name.startswith(".")]


def _is_zip(path: str) -> bool:
    return target(path).lower().endswith(".zip")


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
            archive = _zip(member.file, stamp(member.file))
            entry = archive.getinfo(member.name)
            refuse_larger(str(member), entry.file_size, entry.compress_size)
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
            with decompressor(".xz" if target(path).lower().endswith(".xz") else ".gz")(
                packed
            ) as file:
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
