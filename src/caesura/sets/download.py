"""Downloads: a set's files into the user's cache, resumed, checked, and put in place at once."""

from __future__ import annotations

import errno
import lzma
import shutil
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from caesura import __version__
from caesura.errors import SourceError
from caesura.io.writing import make_folder, writing
from caesura.sets.named_sets import SetFile, TestSet, checksum

Watch = Callable[[int, int], None]
"""Takes how many bytes are there, and how many there will be, 0 if unknown."""
PIECE = 1 << 16
PATIENCE = 30
"""Seconds without a byte after which a transfer has broken off."""
PARTIAL = 206
COMPLETE = 416
UNREADABLE = (
    KeyError, EOFError, RuntimeError, zipfile.BadZipFile, tarfile.TarError, zlib.error,
    lzma.LZMAError,
)  # fmt: skip
"""What reading an archive may raise if a member is missing, damaged or encrypted."""


def get(chosen: TestSet, watch: Watch) -> list[Path]:
    """Download the files of a set that are not there yet, and check them all."""
    missing = [file for file in chosen.files if not file.path and not _is_right(chosen, file)]
    if missing:
        make_folder(str(chosen.folder))
        with _alone(chosen.folder / ".lock"):
            missing = [file for file in missing if not _is_right(chosen, file)]
            for file in (file for file in missing if not file.member):
                part = _fetched(chosen, file, watch)
                part.replace(chosen.place(file))
            members = [file for file in missing if file.member]
            if members and chosen.archive:
                part = _fetched(chosen, chosen.archive, watch)
                for file in members:
                    _extract(file, part, chosen.place(file), chosen.archive.url)
                part.unlink()
    return [Path(chosen.path(file)) for file in chosen.files]


def _is_right(chosen: TestSet, file: SetFile) -> bool:
    place = chosen.place(file)
    return place.is_file() and checksum(place) == file.sha256


def _fetched(chosen: TestSet, file: SetFile, watch: Watch) -> Path:
    """The path of the downloaded bytes, which have the right checksum."""
    part = chosen.folder / f"{file.sha256[:16]}.part"
    with _explained(file.url, part):
        _download(file.url, part, file.bytes, watch)
    if checksum(part) != file.sha256:
        part.unlink()
        problem = f"what came is not the file of @{chosen.name}: its checksum differs"
        cure = "try again later, or update caesura"
        raise SourceError(file.url, f"{problem}; it was removed", cure)
    return part


def _download(url: str, part: Path, size: int, watch: Watch) -> None:
    """Add the bytes that are still missing to a partial file."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise SourceError(url, "is not an address of the web", "use http or https")
    done = part.stat().st_size if part.exists() else 0
    agent = {"User-Agent": f"caesura-eval/{__version__}"}
    request = Request(url, headers=agent | ({"Range": f"bytes={done}-"} if done else {}))
    try:
        answer = urlopen(request, timeout=PATIENCE)
    except HTTPError as problem:
        problem.close()
        if problem.code == COMPLETE and done:
            return
        raise
    with answer:
        resumed = answer.status == PARTIAL
        done = done if resumed else 0
        length = answer.length or 0
        total = size or (length and done + length)
        with part.open("ab" if resumed else "wb") as file:
            while (not total or done <= total) and (piece := answer.read(PIECE)):
                file.write(piece)
                done += len(piece)
                watch(done, total)
    if total and done < total:
        message = f"the transfer broke off after {done:,} of {total:,} bytes"
        raise SourceError(url, message, "run the command again, which continues it")


@contextmanager
def _explained(url: str, part: Path) -> Iterator[None]:
    """Errors of the network and of the disk in one line each; a full disk leaves nothing."""
    try:
        yield
    except HTTPError as refused:
        message = f"the server says {refused.code} {refused.reason}"
        raise SourceError(url, message, "try again later, or update caesura") from None
    except (InvalidURL, ValueError, OverflowError) as wrong:
        message = f"is not an address ({wrong})"
        raise SourceError(url, message, "correct it in the description of the set") from None
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            part.unlink(missing_ok=True)
            cure = "free some space, or set CAESURA_DATA to another folder"
            raise SourceError(str(part.parent), "the disk is full", cure) from None
        message = f"cannot be reached ({getattr(problem, 'reason', problem)})"
        raise SourceError(url, message, "check the network and run the command again") from None
    except HTTPException as broken:
        message = f"the transfer broke off ({type(broken).__name__})"
        raise SourceError(url, message, "run the command again, which continues it") from None


def _extract(file: SetFile, archive: Path, place: Path, url: str) -> None:
    """Put one member of an archive in place; its checksum is compared when it is used."""
    part = place.with_name(place.name + ".part")
    try:
        with _member(archive, file.member) as source, writing(str(part)), part.open("wb") as out:
            shutil.copyfileobj(source, out)
    except UNREADABLE:
        part.unlink(missing_ok=True)
        raise SourceError(url, f"has no member {file.member}", "update caesura") from None
    part.replace(place)


@contextmanager
def _member(archive: Path, name: str) -> Iterator[IO[bytes]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped, zipped.open(name) as source:
            yield source
        return
    with tarfile.open(archive) as packed:
        member = packed.extractfile(name)
        if member is None:
            raise KeyError(name)
        with member:
            yield member


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process downloads the same set."""
    with path.open("a") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
