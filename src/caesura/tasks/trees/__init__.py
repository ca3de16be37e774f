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
    from caesura.tasks.against_gold import score_against_gold, summary_of
    from caesura.tasks.trees.counting import TreesTask, as_trees
    from caesura.tasks.trees.measures import Breakdown
    from caesura.tasks.trees.output import ERRORS, TreeErrors, trees_page, trees_readings

    return Parts(
        counter=TreesTask,
        score=partial(score_against_gold, TREES, as_trees),
        summary=partial(summary_of, groups=Breakdown),
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
            "brackets": "caesura.tasks.trees.measures:Brackets",
            "breakdown": "caesura.tasks.trees.measures:Breakdown",
            "joint": "caesura.measures.joint:Joint",
            "evalb": "caesura.tasks.trees.evalb:Evalb",
        }
    ),
    options=_options,
    load=_load,
)
