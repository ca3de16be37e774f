"""An external program as a detector: it gets a text and prints one unit per line."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from bisect import bisect_right
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from subprocess import PIPE
from threading import Lock

from caesura.core.unicode import normalized
from caesura.errors import SourceError, UsageError, reason
from caesura.io.cwd import folder
from caesura.io.signals import undisturbed
from caesura.io.writing import TEMPORARY, temporary_folder, writing

LIMIT = 600.0
"""The seconds a program may take for one document."""
SHOWN = 5
AROUND = 40
_RUNNING: set[subprocess.Popen[str]] = set()
_STARTING = Lock()
"""Held where the set changes; `end_programs` keeps it, so that no result of its kills is seen."""


def units_of(command: str, text: str) -> list[str]:
    """The units that a program prints; an error unless their letters and digits are the text's."""
    lines = lines_of(command, text)
    given, printed = _folded(text), _folded("\n".join(lines))
    if _letters(given) != _letters(printed):
        raise SourceError(
            _parts(command)[0],
            f"printed {_difference(given, printed)}",
            "it has to print all the words it gets, in order, one unit per line",
        )
    return lines


def lines_of(command: str, text: str, limit: float = LIMIT) -> list[str]:
    """Run a program on a text, which it gets in the file `{input}`, or on standard input."""
    with temporary_folder() as folder:
        place = folder / "input.txt"
        with writing(*TEMPORARY):
            place.write_text(text, encoding="utf-8")
        arguments = [part.replace("{input}", str(place)) for part in _parts(command)]
        return _run(arguments, "" if "{input}" in command else text, limit).splitlines()


def name_of(command: str) -> str:
    """The name of a program, as a system is called."""
    return Path(_parts(command)[0]).stem


def end_programs() -> None:
    """Kill the programs that this process has started; from then on it cannot start others.

    Call it only where the process ends: who waits for a program, or starts one, waits forever.
    """
    _STARTING.acquire()
    for process in _RUNNING:
        _stop(process)


def _folded(text: str) -> str:
    return normalized("NFKC", text).casefold()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _difference(given: str, printed: str) -> str:
    """The words that were printed and those that were given, from the first difference on."""
    pairs = list(zip(_letters(given), _letters(printed), strict=False))
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), len(pairs))
    there, here = (_from_letter(text, same) for text in (given, printed))
    if not here:
        return f"nothing from “{there}” on"
    return f"“{here}” where it was given “{there}”" if there else f"“{here}” after the last word"


def _from_letter(text: str, number: int) -> str:
    """The beginning of what follows, from the word on that holds a letter or digit."""
    words = text.split()
    totals = [*accumulate(len(_letters(word)) for word in words)]
    return " ".join(words[bisect_right(totals, number) :][:AROUND])[:AROUND]


def _parts(command: str) -> list[str]:
    """The arguments of a command; on Windows a backslash is part of a path."""
    is_posix = os.name == "posix"
    try:
        parts = shlex.split(command, posix=is_posix)
    except ValueError as problem:
        raise UsageError(
            f"'cmd:{command}' cannot be parsed ({problem}); close the quotes"
        ) from None
    if not parts:
        raise UsageError("'cmd:' names no program; give one, such as 'cmd:./segment {input}'")
    return parts if is_posix else [part.strip("\"'") for part in parts]


def _run(arguments: list[str], given: str, limit: float) -> str:
    """What a program prints; its children are stopped with it."""
    process = None
    try:
        with undisturbed(), _STARTING:
            process = subprocess.Popen(
                arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, encoding="utf-8",
                errors="replace", start_new_session=True, cwd=folder(),
            )  # fmt: skip
            _RUNNING.add(process)
        out, err = process.communicate(given, timeout=limit)
    except subprocess.TimeoutExpired:
        cure = "give it less text, or use a faster program"
        raise SourceError(arguments[0], f"still running after {limit:g} s", cure) from None
    except OSError as problem:
        raise SourceError(arguments[0], reason(problem), "check the program's path") from None
    finally:
        if process is not None:
            if process.returncode is None:
                _stop(process)
            with process, _STARTING:
                _RUNNING.discard(process)
    if process.returncode:
        said = " | ".join(err.strip().splitlines()[-SHOWN:]) or "nothing"
        what = f"exit status {process.returncode}; it printed: {said}"
        raise SourceError(arguments[0], what, "fix the program")
    return out


def _stop(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
