"""Outputs: the names of files, and those that are an input or exist, which are refused.

Files are compared by their identity on disk, so that another spelling of a path, a symbolic link, a
hard link, a file of a folder and one that a glob matches are all found.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from caesura.errors import UsageError, option
from caesura.io.cwd import is_file, listed
from caesura.io.files import STDIN
from caesura.io.paths import PART, file_of
from caesura.io.writing import is_regular

Identity = tuple[int, int]
"""The device of a file and its number there."""
LOCAL = ("file://", "local://")
"""How URLs of files on this machine begin."""
LONGEST = 255
"""The bytes that file systems allow in a name."""
FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]' if sys.platform == "win32" else "[\0/]")
FOLDS = sys.platform in ("win32", "darwin")
"""Whether file systems here usually take names for one that differ in case only."""


def file_name(name: str, suffix: str) -> str:
    """A name as that of a file in any folder: no separators, and no longer than allowed.

    >>> file_name("day1/talk", ".txt"), len(file_name("é" * 300, ".txt").encode())
    ('day1_talk.txt', 254)
    """
    kept = FORBIDDEN.sub("_", name)
    room = LONGEST - len(os.fsencode(suffix))
    while len(os.fsencode(kept)) > room:
        kept = kept[: -max(1, (len(os.fsencode(kept)) - room) // 4)]
    return kept + suffix


def first_clash(names: Iterable[str], suffix: str) -> tuple[str, str] | None:
    """The first two names that would be those of one file; None if there are none.

    >>> first_clash(["a/b", "c", "a_b"], ".txt")
    ('a/b', 'a_b')
    """
    seen: dict[str, str] = {}
    for name in names:
        file = file_name(name, suffix)
        other = seen.setdefault(file.casefold() if FOLDS else file, name)
        if other is not name:
            return other, name
    return None


def require_apart(outputs: Mapping[str, Sequence[str]], inputs: Iterable[str]) -> None:
    """Raise an error if an output is an input or has no name, or if two are the same file.

    `outputs` are paths by what asks for them, as messages show it; `inputs` are `PATH` or
    `NAME=PATH`, where a path may be a folder, a glob, a URL or a recording. Devices and pipes take
    whatever is written to them.
    """
    for name, paths in outputs.items():
        if "" in paths:
            raise UsageError(f"{name} is empty; give a file name")
    asked = [(name, path) for name, paths in outputs.items() for path in paths if is_regular(path)]
    written: dict[Identity | str, tuple[str, str]] = {}  # by identity; by path where no file is yet
    for name, path in asked:
        identity = _identity(path) or os.path.realpath(path)
        if identity in written:
            first = written[identity][0]
            raise UsageError(f"{first} and {name} are the same file, {path}; choose another")
        written[identity] = name, path
    if all(isinstance(identity, str) for identity in written):
        return
    for identity, place in _read(inputs, written):
        name, path = written[identity]
        shown = "standard input" if place == STDIN else place
        which = "" if place == path else f", {shown}"
        raise UsageError(f"{name} {path} would replace an input{which}; choose another file")


def require_new(name: str, paths: Iterable[str]) -> None:
    """Raise an error if there is a file at a path; devices and pipes take what is written."""
    for path in filter(is_file, paths):
        cure = f"choose another file, or add {option('overwrite')}"
        raise UsageError(f"{name} {path} exists; {cure}")


def _read(inputs: Iterable[str], written: Container[object]) -> Iterator[tuple[Identity, str]]:
    """The inputs that are among the files to write, with their paths."""
    for place in {place: None for text in inputs for place in _places(text)}:
        for path in listed(place) or [place]:
            identity = _identity(0 if path == STDIN else path)
            if identity is not None and identity in written:
                yield identity, path


def _places(text: str) -> Iterator[str]:
    """What of an input may be a path: all of it, what follows `NAME=`, and the links of a chain."""
    for each in (text, text.partition("=")[2]):
        file = file_of(each)
        for link in (file, *file.split(PART)):
            place = link
            for scheme in LOCAL:
                place = place.removeprefix(scheme)
            if place:
                yield place


def _identity(file: str | int) -> Identity | None:
    """Which file a path or an open file is; None if there is none."""
    with suppress(OSError, ValueError):
        status = os.stat(file)  # noqa: PTH116
        return status.st_dev, status.st_ino
    return None
