"""One call for a measure of signals: the measure with the options of their axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from caesura.align.versions import Versions
from caesura.errors import UsageError
from caesura.measures.cell_kappa import CellKappa
from caesura.tasks.transcript.counting import Transcript

CONSENSUS = {"least": "consensus"}
"""What a task calls an option of a measure, where that differs."""


def placed(
    made: partial[Any], versions: Versions, given: Mapping[str, object], headline: str
) -> tuple[Any, Versions]:
    """A measure on the axis of some signals, and these on a clock."""
    if given.get("align"):
        raise UsageError("align has no effect without words; drop it")
    axis = next(each.axis for each in versions.everyone.values() if each.is_signal)
    default = {each.name: each.default for each in fields(made.func)}  # type: ignore[arg-type]
    own = {
        CONSENSUS.get(name, name): value
        for name, value in made.keywords.items()
        if name != "final" and value != default[name]
    }
    named = {name: value for name, value in given.items() if name != "align"}
    task = Transcript.from_given({"axis": axis, **own, **named})
    kind: Any = CellKappa if headline == "cohen_kappa" else made.func
    return kind.from_task(task), versions.on_clock(edges=task.edges, axis=axis)
