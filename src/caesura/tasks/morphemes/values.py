"""Morphs as Python has them: lines of a file, or pairs of a word and its morphs."""

from __future__ import annotations

from typing import Any

from caesura.errors import SegmentationError
from caesura.run.values import encoded
from caesura.tasks.morphemes.counting import MorphemesTask
from caesura.tasks.morphemes.data import MorphTable

GIVE = "give lines (word, tab, morphs), pairs of a word and its morphs, or a path"


def as_morphs(value: object, *, task: MorphemesTask, source: str = "<morphs>") -> MorphTable:
    """Convert a list of lines or of pairs, such as ("reader", ["read", "er"]), to morphs.

    A third item of a pair is the category.
    """
    if isinstance(value, MorphTable):
        return value
    if not isinstance(value, list | tuple):
        raise SegmentationError(f"{source}: {value!r} is not morphs; {GIVE}")
    lines = [_line(each, source, at) for at, each in enumerate(value)]
    return task.parsed(encoded("\n".join(lines), source), source)


def _line(value: object, source: str, at: int) -> str:
    """A line of a file."""
    cells = [value] if isinstance(value, str) else [_cell(each) for each in _listed(value)]
    if not cells or not all(isinstance(cell, str) for cell in cells):
        raise SegmentationError(f"{source}: item {at} is {value!r}; {GIVE}")
    return " ".join("\t".join(cells).splitlines())


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _cell(value: Any) -> Any:
    """Morphs in a list as they are written in a file."""
    is_list = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    return " @@".join(value) if is_list else value
