"""Default names of systems and references: as much of each path as distinguishes it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from caesura.core.escapes import as_name
from caesura.errors import UsageError
from caesura.io.cwd import is_dir
from caesura.io.files import STDIN, stem
from caesura.io.paths import is_url, target


@dataclass(frozen=True, slots=True)
class PathNames:
    """The names that a path could have, in the order in which they are tried.

    The first are the stem and longer and longer ends of the path, `plain` in all; then come the
    same with the suffix, for files that differ in nothing else.
    """

    names: list[str]
    plain: int

    @classmethod
    def from_path(cls, path: str) -> PathNames:
        """The names of a file, a folder, a URL or standard input."""
        if path == STDIN:
            return cls([stem(path)], 1)
        *folders, last = map(as_name, _components(path))
        plain = _ends(folders, default_name(path))
        full = _ends(folders, last)
        return cls(plain if plain == full else plain + full, len(plain))

    def is_longest(self, at: int) -> bool:
        """Whether a longer name than this one would need the suffix."""
        return at >= self.plain - 1


def default_name(path: str) -> str:
    """The shortest name: the stem of a file, the name of a folder."""
    if path == STDIN or is_url(path) or not is_dir(path):
        return stem(path)
    return as_name(_components(path)[-1])


def distinct_names(paths: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Name each path by as much of it as distinguishes it from the others and from names taken.

    >>> distinct_names(["out/t.txt", "gold/t.txt", "s.txt"])
    ['out/t', 'gold/t', 's']
    >>> distinct_names(["t.srt", "t.txt"])
    ['t.srt', 't.txt']
    """
    _require_different(paths)
    every = [PathNames.from_path(path) for path in paths]
    places = [0] * len(paths)
    while True:
        names = [each.names[at] for each, at in zip(every, places, strict=True)]
        shared = _repeated([*names, *taken])
        groups: dict[str, list[int]] = {name: [] for name in shared}
        for at, name in enumerate(names):
            if name in groups:
                groups[name].append(at)
        moved = [at for group in groups.values() for at in _movable(group, every, places)]
        if not moved:
            return names
        for at in moved:
            places[at] += 1


def _movable(group: Sequence[int], paths: Sequence[PathNames], places: Sequence[int]) -> list[int]:
    """Those that could have a longer name; one with a suffix only if all would need it."""
    longer = [at for at in group if not paths[at].is_longest(places[at])]
    return longer or [at for at in group if places[at] + 1 < len(paths[at].names)]


def _repeated(names: Sequence[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def _require_different(paths: Sequence[str]) -> None:
    """Raise an error if a path is given twice."""
    places = [path if is_url(path) else os.path.abspath(path) for path in paths]  # noqa: PTH100
    shared = _repeated(places)
    for path, place in zip(paths, places, strict=True):
        if path != STDIN and place in shared:
            raise UsageError(f"{path} is given twice; drop one, or name them with NAME=PATH")


def _components(path: str) -> list[str]:
    """The folders of a path and its last name."""
    if is_url(path):
        return target(path).partition("://")[2].rstrip("/").split("/")
    place = os.path.normpath(path)
    if Path(place).name in {"", ".."}:
        place = str(Path(path).resolve())
    return place.replace(os.sep, "/").split("/")


def _ends(folders: Sequence[str], name: str) -> list[str]:
    """A name, then with its folder, then with the folder above it, and so on."""
    return ["/".join([*folders[at:], name]) for at in range(len(folders), -1, -1)]
