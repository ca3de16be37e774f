"""Worker: counts the documents and parts of a chunk, wherever it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from caesura.core.table import Counted
from caesura.errors import CaesuraError, no_memory
from caesura.run.chunks import Chunk, CountsEach, CountsMany, Cuts, Part, Reads, Whole
from caesura.run.inputs import Case

MANY = 16
"""The versions of one document from which on they are counted in one pass."""
Result = tuple[int, object]
"""How many parts of a chunk it is of; and an outcome, what `count_part` returned, or an error."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The counts of some documents; the readings of each, as lines of JSON."""

    counted: Counted = ()
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Worker:
    """A task, whether readings are asked for, and whether to go on after a bad document."""

    task: CountsEach
    reads: bool = False
    keep_going: bool = False

    @property
    def counts_many(self) -> bool:
        """Whether small documents may be counted many at a time."""
        task = self.task
        return isinstance(task, CountsMany) and task.is_counted_together and not self.reads

    def plan(self, case: Case, size: int) -> Sequence[Part]:
        """The parts of a document, or all of it, which also tells what is wrong with it.

        Readings show the whole.
        """
        if self.reads or not isinstance(self.task, Cuts):
            return [Whole(case, size)]
        try:
            return self.task.plan(case, size) or [Whole(case, size)]
        except (CaesuraError, OSError):
            return [Whole(case, size)]

    def __call__(self, chunk: Chunk) -> list[Result]:
        """Count a chunk, up to the first bad document unless those are left out."""
        results: list[Result] = []
        for number, result in self._results(chunk):
            results.append((number, result))
            if isinstance(result, CaesuraError) and not self.keep_going:
                break
        return results

    def _results(self, chunk: Chunk) -> Iterator[Result]:
        for is_whole, group in groupby(chunk, lambda part: isinstance(part, Whole)):
            parts = list(group)
            together = self._together([part.case for part in parts]) if is_whole else None
            if together is not None:
                yield len(parts), together
            else:
                yield from ((1, self._one(part)) for part in parts)

    def _one(self, part: Part) -> object:
        """What is counted of a document or of a part, or what is wrong with it."""
        try:
            if isinstance(part, Whole):
                return self._counted(part.case)
            return self.task.count_part(part)  # type: ignore[attr-defined]
        except CaesuraError as problem:
            return problem
        except MemoryError:
            return no_memory(part.case.document)

    def _together(self, cases: list[Case]) -> Outcome | None:
        """Many documents, or many versions, in one pass; None if that cannot be, or one is bad."""
        is_much = len(cases) > 1 or len(cases[0].systems) + len(cases[0].references) > MANY
        if not is_much or not self.counts_many or not isinstance(self.task, CountsMany):
            return None
        try:
            table = self.task.count_many(cases)
        except (CaesuraError, MemoryError):
            return None
        return None if table is None else Outcome(table)

    def _counted(self, case: Case) -> Outcome:
        if not self.reads or not isinstance(self.task, Reads):
            return Outcome(self.task.count(case))
        from caesura.core.json_values import plain

        counted, readings = self.task.count_and_read(case)
        lines = [json.dumps(plain(each), ensure_ascii=False) for each in readings]
        return Outcome(counted, {case.document: lines})
