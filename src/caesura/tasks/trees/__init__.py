"""Constituency trees, against one gold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.format import Format
from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.trees.options import TreesOptions

    return TreesOptions


def _command() -> Command:
    from caesura.tasks.trees.options import COMMAND

    return COMMAND


def _load() -> Parts:
    from caesura.tasks.trees.counting import TreesTask
    from caesura.tasks.trees.output import ERRORS, TreeErrors, trees_page, trees_readings
    from caesura.tasks.trees.score import score_trees, summary_of

    return Parts(
        counter=TreesTask,
        score=partial(score_trees, TREES),
        summary=summary_of,
        page=trees_page,
        errors=lambda: ERRORS,
        kept=lambda: {"tree_errors": (TreeErrors, trees_readings)},
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
