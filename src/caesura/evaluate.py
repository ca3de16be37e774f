"""Sources into rows. The only place that takes a `map`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from caesura.rows import Row
from caesura.sources import Case


class Task(Protocol):
    """Options, and the rows of one document."""

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        ...


Map = Callable[[Callable[[Case], list[Row]], Iterable[Case]], Iterable[list[Row]]]


def evaluate(cases: Iterable[Case], task: Task, *, map: Map = map) -> Iterator[Row]:
    """Count every case; with another `map`, somewhere else."""
    for rows in map(task.count, cases):
        yield from rows
