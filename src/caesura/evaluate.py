"""Sources into rows. The only place that takes a `map`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from caesura.errors import CaesuraError, UsageError
from caesura.rows import Row
from caesura.sources import Case


class Task(Protocol):
    """Options, and the rows of one document."""

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        ...


Count = Callable[[Case], Any]
Map = Callable[[Count, Iterable[Case]], Iterable[Any]]


def evaluate(cases: Iterable[Case], task: Task, *, map: Map = map) -> Iterator[Row]:
    """Count every case; with another `map`, somewhere else."""
    for rows in map(task.count, cases):
        yield from rows


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be counted, and why."""

    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class Forgiving:
    """Counts what it can; what is wrong with the input becomes a failure, not an error."""

    count: Count

    def __call__(self, case: Case) -> Any:
        """Count one case."""
        try:
            return self.count(case)
        except UsageError:
            raise
        except CaesuraError as problem:
            return Failure(case.document, str(problem))


def leaving_out(map: Map, failures: list[Failure]) -> Map:
    """A `map` that goes on after a bad document: it gets no rows and is added to the failures."""

    def leave_out(count: Count, cases: Iterable[Case]) -> Iterator[list[Row]]:
        for rows in map(Forgiving(count), cases):
            if isinstance(rows, Failure):
                failures.append(rows)
            yield [] if isinstance(rows, Failure) else rows

    return leave_out
