"""Constituency trees, against one gold."""

from __future__ import annotations

from caesura.core.format import Format
from caesura.core.registry import Later, Registry
from caesura.core.task import Task

TREES = Task(
    name="trees",
    command="trees",
    summary="Score constituency trees, even if tokens and sentences differ.",
    called=Later("caesura.tasks.trees.command:COMMAND"),
    unit="sentence",
    scored="trees",
    behind="the trees that differ",
    plan=Later("caesura.run.plans:against_gold"),
    options=Later("caesura.tasks.trees.options:TreesOptions"),
    counter=Later("caesura.tasks.trees.counting:TreesTask"),
    formats=(
        Format(
            name="brackets",
            holds="trees",
            about="bracketed, one or several a line or spread over lines (.mrg)",
            reader=Later("caesura.tasks.trees.format:parse_forest"),
            suffixes=(".mrg", ".ptb"),
        ),
    ),
    measures=Registry(
        {
            "brackets": "caesura.tasks.trees.measures:Brackets",
            "breakdown": "caesura.tasks.trees.measures:Breakdown",
            "joint": "caesura.measures.joint:Joint",
            "evalb": "caesura.tasks.trees.evalb:Evalb",
        }
    ),
    value=Later("caesura.tasks.trees.values:as_trees"),
    groups={"label": "Brackets by label", "length": "Brackets by length of the gold sentence"},
    grouped=Later("caesura.tasks.trees.measures:Breakdown"),
    page=Later("caesura.tasks.trees.tables:trees_page"),
    errors=Later("caesura.tasks.trees.errors:ERRORS"),
    kept={
        "tree_errors": (
            Later("caesura.tasks.trees.tree_errors:TreeErrors"),
            Later("caesura.tasks.trees.report:trees_readings"),
        )
    },
)
