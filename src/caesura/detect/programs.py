"""An external program as a detector: it gets a text and prints one unit per line."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from caesura.errors import SourceError, UsageError
from caesura.io.folder import folder

LIMIT = 600.0
"""The seconds a program may take for one document."""
SHOWN = 5


def lines_of(command: str, text: str, limit: float = LIMIT) -> list[str]:
    """Run a program on a text: in the file that `{input}` stands for, else on standard input."""
    with TemporaryDirectory(prefix="caesura-") as folder:
        place = Path(folder) / "input.txt"
        place.write_text(text, encoding="utf-8")
        arguments = [part.replace("{input}", str(place)) for part in _parts(command)]
        given = None if "{input}" in command else text
        return _run(arguments, given, limit).splitlines()


def name_of(command: str) -> str:
    """The name of a program, as a system is called."""
    return Path(_parts(command)[0]).stem


def _parts(command: str) -> list[str]:
    try:
        parts = _split(command)
    except ValueError as problem:
        raise UsageError(
            f"'cmd:{command}' cannot be parsed ({problem}); close the quotes"
        ) from None
    if not parts:
        raise UsageError("'cmd:' names no program; give one, such as 'cmd:./segment {input}'")
    return parts


def _split(command: str) -> list[str]:
    """The arguments of a command; on Windows a backslash is part of a path."""
    if os.name == "posix":
        return shlex.split(command)
    return [part.strip("\"'") for part in shlex.split(command, posix=False)]


def _run(arguments: list[str], given: str | None, limit: float) -> str:
    try:
        status, out, err = _ended(arguments, given or "", limit)
    except subprocess.TimeoutExpired:
        cure = "give it less text, or use a faster program"
        raise SourceError(arguments[0], f"not done after {limit:g} s", cure) from None
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise SourceError(arguments[0], reason, "check the program's path") from None
    if status:
        said = " | ".join(err.strip().splitlines()[-SHOWN:]) or "nothing"
        raise SourceError(
            arguments[0], f"exit status {status}; it printed: {said}", "fix the program"
        )
    return out


def _ended(arguments: list[str], given: str, limit: float) -> tuple[int, str, str]:
    """The exit status and the output of a program; its children are stopped with it."""
    with subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        cwd=folder(),
    ) as process:
        try:
            out, err = process.communicate(given, timeout=limit)
        except BaseException:
            _stop(process)
            raise
    return process.returncode, out, err


def _stop(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
