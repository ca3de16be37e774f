"""Work: what a worker does with a chunk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from caesura.core.plain import plain
from caesura.errors import CaesuraError
from caesura.io.faults import no_memory
from caesura.run.cases import Case
from caesura.run.chunks import Chunk, CountsEach, CountsMany, Cuts, Part, Reads, Whole
from caesura.run.outcome import Outcome

MANY = 16
"""The versions of one document from which on they are counted in one pass."""
Result = tuple[int, Any]
"""How many parts of a chunk it is of; and an outcome, what `count_part` returned, or an error."""


@dataclass(frozen=True, slots=True)
class Work:
    """A task, whether readings are asked for, and whether to go on after a bad document."""

    task: CountsEach
    reads: bool = False
    keep_going: bool = False

    @property
    def counts_many(self) -> bool:
        """Whether small documents may be counted many at a time."""
        task = self.task
        return isinstance(task, CountsMany) and task.is_counted_together and not self.reads

    @property
    def cuts(self) -> bool:
        """Whether documents may be counted in parts; readings show the whole."""
        return isinstance(self.task, Cuts) and not self.reads

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
            yield from self._wholes(parts) if is_whole else self._parts(parts)

    def _wholes(self, parts: list[Part]) -> Iterator[Result]:
        """Count whole documents in one pass; one by one if that cannot be, or one is bad."""
        cases = [part.case for part in parts]
        is_much = len(cases) > 1 or len(cases[0].systems) + len(cases[0].references) > MANY
        together = self._together(cases) if is_much else None
        if together is not None:
            yield len(cases), together
            return
        for case in cases:
            try:
                yield 1, self._counted(case)
            except CaesuraError as problem:
                yield 1, problem
            except MemoryError:
                yield 1, no_memory(case.document)

    def _together(self, cases: list[Case]) -> Outcome | None:
        if not self.counts_many or not isinstance(self.task, CountsMany):
            return None
        try:
            rows = self.task.count_many(cases)
        except (CaesuraError, MemoryError):
            return None
        return None if rows is None else Outcome(rows)

    def _counted(self, case: Case) -> Outcome:
        if not self.reads or not isinstance(self.task, Reads):
            return Outcome(self.task.count(case))
        rows, readings = self.task.count_and_read(case)
        lines = [json.dumps(plain(each), ensure_ascii=False) for each in readings]
        return Outcome(rows, {case.document: lines})

    def _parts(self, parts: Iterable[Part]) -> Iterator[Result]:
        for part in parts:
            try:
                yield 1, self.task.count_part(part)  # type: ignore[attr-defined]
            except CaesuraError as problem:
                yield 1, problem
            except MemoryError:
                yield 1, no_memory(part.case.document)
