"""Columns of one kind of unit, for tables of tokens, sentences and brackets."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.task import Task
from caesura.output.tables import (
    Column,
)
from caesura.scores.catalog import catalog


def unit_columns(task: Task, group: str) -> list[Column]:
    """The columns of one kind of unit."""
    scores = catalog(task, None, ())
    shown = scores.shown("unit")
    every = scores.columns("unit")
    return [column for column in every if shown[column.key].score.group == group]


def counted_columns(task: Task, group: str) -> list[Column]:
    """Those of them that are counts."""
    return [column for column in unit_columns(task, group) if column.is_count]


def shared_columns(task: Task, group: str, prefix: str) -> list[Column]:
    """The columns of one kind of unit, for a table whose rows are of several kinds."""
    return [
        replace(
            column,
            key=column.key.removeprefix(f"{prefix}_"),
            help=column.help.partition(": ")[2] or column.help,
        )
        for column in unit_columns(task, group)
    ]
