"""Constituency trees, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.format import Format
from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.command import Command
    from caesura.core.option import Options
    from caesura.output.tables.error_lists import Errors


def _options() -> type[Options]:
    from caesura.tasks.trees.options import TreesOptions

    return TreesOptions


def _command() -> Command:
    from caesura.tasks.trees.options import COMMAND

    return COMMAND


def _errors() -> Errors[Any]:
    from caesura.tasks.trees.output import ERRORS

    return ERRORS


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.tasks.trees.output import TreeErrors, trees_readings

    return {"tree_errors": (TreeErrors, trees_readings)}


def _load() -> Parts:
    from caesura.tasks.trees.counting import TreesTask
    from caesura.tasks.trees.output import trees_page
    from caesura.tasks.trees.score import score_trees, summary_of

    return Parts(
        counter=TreesTask,
        score=partial(score_trees, TREES),
        summary=summary_of,
        page=trees_page,
        errors=_errors,
        kept=_kept,
    )


TREES = Task(
    name="trees",
    command="trees",
    help="Score constituency trees, even if tokens and sentences differ.",
    called=_command,
    unit="sentence",
    scored="trees",
    behind="the trees that differ",
    formats=(
        Format(
            name="brackets",
            holds="trees",
            about="bracketed, one or several a line or spread over lines (.mrg)",
            suffixes=(".mrg", ".ptb"),
        ),
    ),
    measures=Measures(
        {
            "brackets": "caesura.tasks.trees.brackets:Brackets",
            "breakdown": "caesura.tasks.trees.brackets:Breakdown",
            "joint": "caesura.measures.joint:Joint",
            "evalb": "caesura.tasks.trees.evalb:Evalb",
        }
    ),
    options=_options,
    load=_load,
)
