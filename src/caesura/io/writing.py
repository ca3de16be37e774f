"""Files that are written: whole or not at all, and what is said where the disk is full."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRandom, BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from stat import S_IMODE
from typing import IO, TYPE_CHECKING, Any

from caesura.errors import SourceError, reason
from caesura.io.cwd import exists, is_dir, is_file
from caesura.io.signals import undisturbed

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

ELSEWHERE = "choose another path"
TEMPORARY = "temporary files", "set TMPDIR to another folder"
_ROOM = {
    errno.ENOSPC: "free some space",
    getattr(errno, "EDQUOT", errno.ENOSPC): "free some space",
    errno.EFBIG: "raise the limit on the size of files",
}
"""What helps where there is no room, by the number of the error."""


class Sink(FileIO):
    """A file that is written; where that fails, the error names it, once: the rest is dropped."""

    def __init__(
        self,
        file: str | int,
        mode: str,
        place: str,
        elsewhere: str = ELSEWHERE,
        *,
        closefd: bool = True,
    ) -> None:
        with writing(place, elsewhere):
            super().__init__(file, mode, closefd=closefd)
        self.place, self.elsewhere, self.then, self.is_lost = place, elsewhere, "", False

    def write(self, data: Any, /) -> int:
        """Write some of the data; waits for a slow reader, even where writing does not block."""
        if self.is_lost:
            return memoryview(data).nbytes
        with self._named():
            while (written := super().write(data)) is None:
                from select import select

                select([], [self.fileno()], [])
        return written

    def truncate(self, size: int | None = None, /) -> int:
        """Cut the file."""
        with self._named():
            return super().truncate(size)

    def close(self) -> None:
        """Close the file; some disks only now say that they are full."""
        with self._named():
            super().close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            with writing(self.place, self.elsewhere, self.then):
                yield
        except SourceError:
            if self.is_lost:
                return
            self.is_lost = True
            raise


@contextmanager
def writing(place: str, elsewhere: str = ELSEWHERE, then: str = "") -> Iterator[None]:
    """Let an error of the system name what was written; a reader that is gone is no error.

    `then` is what to do when there is room again.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        room = _ROOM.get(problem.errno or 0)
        cure = f"{room}{then}, or {elsewhere}" if room else elsewhere
        raise SourceError(place, reason(problem), cure) from None


@contextmanager
def replacing(path: str) -> Iterator[IO[str]]:
    """Write to a temporary file that replaces the path when it is complete.

    A symbolic link stays a link, and a file keeps its permissions; a device or a pipe is written
    to directly.
    """
    target = Path(path).resolve()
    if is_dir(target):
        raise SourceError(path, "is a folder", "give a file name")
    if not is_regular(path):
        with _text(Sink(path, "wb", path)) as device:
            yield device
        return
    from tempfile import mkstemp

    with writing(path):
        number, name = mkstemp(dir=target.parent, prefix=".caesura-")
    beside, file = Path(name), _text(Sink(number, "wb", path))
    try:
        with file:
            yield file
        with writing(path):
            beside.chmod(mode_of(target))
            beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def is_regular(path: str) -> bool:
    """Whether a path can be replaced by a file written next to it."""
    return is_file(path) or not exists(path)


def make_folder(path: str) -> None:
    """Make a folder if it is not there."""
    with writing(path):
        Path(path).mkdir(parents=True, exist_ok=True)


def temporary() -> BufferedRandom:
    """An anonymous temporary file that is deleted when it is closed."""
    from tempfile import TemporaryFile

    with writing(*TEMPORARY), TemporaryFile(buffering=0) as file:
        return BufferedRandom(Sink(os.dup(file.fileno()), "r+b", *TEMPORARY))


def new_folder() -> TemporaryDirectory[str]:
    """Make a temporary folder; `cleanup()` removes it, or else the end of this process."""
    from tempfile import TemporaryDirectory

    with undisturbed(), writing(*TEMPORARY):
        return TemporaryDirectory(prefix="caesura-", ignore_cleanup_errors=True)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone afterwards, with all that is in it."""
    folder = new_folder()
    try:
        yield Path(folder.name)
    finally:
        with undisturbed():
            folder.cleanup()


def open_standard_streams() -> None:
    """Open those that were closed, so that no other file takes their place.

    What is written to standard error is lost then; to use one of the others is an error.
    """
    for number, (name, flag, mode) in enumerate(
        (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    ):
        if getattr(sys, name) is None and os.open(os.devnull, flag) == number:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def guarded(stream: IO[str], place: str) -> IO[str]:
    """Standard output or error, with errors that name it; the same where it is no file."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(raw) is not FileIO:
        return stream
    stream.flush()
    return TextIOWrapper(
        BufferedWriter(Sink(raw.fileno(), "wb", place, closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )


def _text(sink: Sink) -> TextIOWrapper:
    """What is not Unicode is escaped, as on standard output."""
    return TextIOWrapper(BufferedWriter(sink), "utf-8", "backslashreplace", "\n")


def mode_of(path: Path) -> int:
    """The permissions of a file or, if there is none, those of a new one."""
    try:
        return S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
