"""Corrections as Python has them: M2 text, or paths."""

from __future__ import annotations

from os import PathLike, fspath

from caesura.errors import SegmentationError
from caesura.run.values import refuse_path
from caesura.tasks.corrections.counting import CorrectionsTask
from caesura.tasks.corrections.data import CorrectedFile


def as_corrections(value: object, *, task: CorrectionsTask, source: str = "<m2>") -> CorrectedFile:
    """Convert a value to corrections: the text of an M2 file, a list of its lines, or a path."""
    if isinstance(value, CorrectedFile):
        return value
    if isinstance(value, PathLike):
        return task.read(fspath(value))
    if isinstance(value, str):
        refuse_path(value, source)
        return task.parsed(value.encode(errors="replace"), source)
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return task.parsed("\n".join(value).encode(errors="replace"), source)
    raise SegmentationError(
        f"{source}: {value!r} is not M2; give its text, a list of its lines, or a path"
    )
