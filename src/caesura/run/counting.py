"""Cases into rows, through a `map`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, runtime_checkable

from caesura.core.row import Row
from caesura.errors import CaesuraError, UsageError
from caesura.run.cases import Case


class Task(Protocol):
    """Options, and the rows of one document."""

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        ...


Count = Callable[[Case], Any]
Map = Callable[[Count, Iterable[Case]], Iterable[Any]]
LARGE, FEW = 64 << 20, 16
"""All workers share a document of at least this many bytes, if there are few that large."""


def count_all(cases: Iterable[Case], task: Task, *, map: Map = map) -> Iterator[Row]:
    """Count every case, with any `map`."""
    for rows in map(task.count, cases):
        yield from rows


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be counted, and why."""

    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class Forgiving:
    """Counts what it can; an error in the input becomes a failure."""

    count: Count

    def __call__(self, case: Case) -> Any:
        """Count one case."""
        try:
            return self.count(case)
        except UsageError:
            raise
        except CaesuraError as problem:
            return Failure(case.document, str(problem))


@runtime_checkable
class Parted(Task, Protocol):
    """A task that can count a document in pieces, which are cases."""

    def pieces(self, case: Case) -> Any:
        """The pieces of a document; nothing if it is counted whole."""
        ...

    def count_pieces(self, case: Case, pieces: Any, map: Any) -> list[Row]:
        """Count all pieces with a `map`, and put them together."""
        ...


@dataclass(frozen=True, slots=True)
class PieceByPiece:
    """Counts a document with one worker, a huge one in pieces, so that memory stays bounded."""

    task: Parted

    def __call__(self, case: Case) -> list[Row]:
        """Count one case."""
        pieces = self.task.pieces(case)
        return self.task.count_pieces(case, pieces, map) if pieces else self.task.count(case)


def in_pieces(map: Map, task: Task, *, inner: Map | None = None) -> Map:
    """A `map` that has the pieces of a huge document counted by all workers.

    Where there are many documents, each is counted by one. `inner` is the `map` for pieces, if that
    is another.
    """
    if not isinstance(task, Parted):
        return map
    here = PieceByPiece(task)

    def count_each(count: Count, cases: Iterable[Case]) -> Iterator[Any]:
        cases = list(cases)
        weights = [case.weight for case in cases]
        least = max(LARGE, sum(weights) / FEW) if len(cases) > 1 else 0
        parted = (
            (case, task.pieces(case) if weight >= least else None)
            for case, weight in zip(cases, weights, strict=True)
        )
        one_by_one = Forgiving(here) if isinstance(count, Forgiving) else here
        for has_pieces, group in groupby(parted, lambda each: bool(each[1])):
            if has_pieces:
                for case, pieces in group:
                    yield _pieced(task, case, pieces, count, inner or map)
            else:
                yield from map(one_by_one, [case for case, _ in group])

    return count_each


def _pieced(task: Parted, case: Case, pieces: Any, count: Count, map: Map) -> Any:
    """The rows of a case that is counted in pieces; its failure, if `count` is forgiving."""

    def total(_: Case) -> list[Row]:
        return task.count_pieces(case, pieces, map)

    return Forgiving(total)(case) if isinstance(count, Forgiving) else total(case)


def leaving_out(map: Map, failures: list[Failure]) -> Map:
    """A `map` that goes on after a bad document: it gets no rows and is added to the failures."""

    def leave_out(count: Count, cases: Iterable[Case]) -> Iterator[list[Row]]:
        for rows in map(Forgiving(count), cases):
            if isinstance(rows, Failure):
                failures.append(rows)
            yield [] if isinstance(rows, Failure) else rows

    return leave_out
