"""Gathering: the results of chunks, merged by document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from caesura.errors import CaesuraError
from caesura.run.cases import Case
from caesura.run.chunks import Chunk, Cuts, Part, Whole, cost
from caesura.run.engines import Engine
from caesura.run.outcome import Outcome
from caesura.run.work import Work


@dataclass(frozen=True, slots=True)
class Step:
    """What came of some cases, or why one could not be counted, and how many bytes were read.

    There are no cases where some of a document is done.
    """

    cases: list[Case]
    outcome: Outcome | CaesuraError
    size: int


@dataclass(slots=True)
class Gathering:
    """Has cases counted by an engine; parts of a document are held until all are there."""

    work: Work
    engine: Engine
    planned: dict[str, list[Part]] = field(default_factory=dict)
    counted: list[Any] = field(default_factory=list)

    def steps(self, cases: Sequence[Case], sizes: Sequence[int]) -> Iterator[Step]:
        """The outcomes of all cases, in order."""
        weight = sum(map(cost, sizes))
        for chunk, results in self.engine.map(self.work, self._parts(cases, sizes), weight):
            at = 0
            for number, result in results:
                yield self._step(chunk[at : at + number], result)
                at += number

    def _parts(self, cases: Sequence[Case], sizes: Sequence[int]) -> Iterator[Part]:
        task = self.work.task if self.work.cuts else None
        for case, size in zip(cases, sizes, strict=True):
            parts = _plan(task, case, size) if task is not None else []
            if parts:
                self.planned[case.document] = parts
            yield from parts or [Whole(case, size)]

    def _step(self, chunk: Chunk, result: Any) -> Step:
        size, case = sum(part.weight for part in chunk), chunk[0].case
        if isinstance(chunk[0], Whole):
            return Step([part.case for part in chunk], result, size)
        self.counted.append(result)
        parts = self.planned[case.document]
        if len(self.counted) < len(parts) and (
            self.work.keep_going or not isinstance(result, CaesuraError)
        ):
            return Step([], Outcome(), size)
        outcome = self._merged(self.planned.pop(case.document), self.counted)
        self.counted = []
        return Step([case], outcome, size)

    def _merged(self, parts: Sequence[Part], counted: list[Any]) -> Outcome | CaesuraError:
        """What came of a document, given its parts; those that cannot stand alone count again."""
        task = self.work.task
        assert isinstance(task, Cuts)
        while True:
            problems = [each for each in counted if isinstance(each, CaesuraError)]
            if problems:
                return problems[0]
            try:
                better = task.replan(parts, counted)
                if [*map(id, better)] == [*map(id, parts)]:
                    return Outcome(task.merge(parts, counted))
            except CaesuraError as found:
                return found
            parts, counted = better, self._again(better, parts, counted)

    def _again(
        self, better: Sequence[Part], parts: Sequence[Part], counted: Sequence[Any]
    ) -> list[Any]:
        """What was counted of the parts, and what is counted now of those that are new."""
        known = {id(part): each for part, each in zip(parts, counted, strict=True)}
        new = [part for part in better if id(part) not in known]
        weight = sum(cost(part.weight) for part in new)
        for chunk, results in self.engine.map(self.work, new, weight):
            known |= {id(part): each for part, (_, each) in zip(chunk, results, strict=False)}
        return [known[id(part)] for part in better if id(part) in known]


def _plan(task: Any, case: Case, size: int) -> list[Part]:
    """The parts of a document; none if it is counted whole, which also tells what is wrong."""
    try:
        return list(task.plan(case, size))
    except (CaesuraError, OSError):
        return []
