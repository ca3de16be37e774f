"""One run: plan cases, have a worker count them chunk by chunk, and merge what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from caesura.core.table import CountTable, TableBuilder
from caesura.errors import (
    CaesuraError,
    FormatError,
    StoppedError,
    UsageError,
    in_python,
    option,
)
from caesura.run.chunks import Chunk, CountsEach, Sized
from caesura.run.inputs import Case, weights
from caesura.run.machine import keep_memory
from caesura.run.pool import Engine, counted, engine
from caesura.run.worker import Outcome, Worker

if TYPE_CHECKING:
    from caesura.run.readings_file import Spool
    from caesura.run.rows_writer import RowsWriter

_LEAVE_OUT = f"leave such documents out with {option('keep_going')}"


class Watch(Protocol):
    """An observer of the progress of a run."""

    def begin(self, documents: int, size: int) -> None:
        """The run starts, with this many documents and bytes to read."""
        ...

    def add(self, documents: int, size: int) -> None:
        """Some documents are done, which have some bytes."""
        ...

    def end(self) -> None:
        """The run is over."""
        ...


@dataclass(frozen=True, slots=True)
class Running:
    """Where documents are counted, which of them, and what happens to bad ones."""

    jobs: int | None = None
    engine: str = ""
    resume: bool = False
    keep_going: bool = False
    shard: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be counted, and why: the message of an error."""

    document: str
    message: str

    @property
    def reason(self) -> str:
        """Why, as Python says it."""
        return in_python(self.message)


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run found: the counts of all cases that could be counted, and why others could not."""

    table: CountTable
    cases: list[Case]
    failures: tuple[Failure, ...] = ()
    spool: Spool | None = None

    def readings(self) -> Iterator[dict[str, object]]:
        """The readings of all documents, if they were asked for."""
        for case in self.cases if self.spool else ():
            yield from self.spool.readings(case.document)  # type: ignore[union-attr]


def run(
    cases: Sequence[Case],
    task: CountsEach,
    how: Running | None = None,
    *,
    rows: RowsWriter | None = None,
    reads: bool = False,
    watch: Watch | None = None,
    measures: Mapping[str, object] | None = None,
) -> Finished:
    """Count every case once; with `reads`, also keep what the page shows of it.

    With a file of rows, documents are written to it as they are done.
    """
    keep_memory()
    how = how or Running()
    spool = None
    if reads:
        from caesura.run.readings_file import Spool

        spool = Spool()
    running = _Progress(cases, Worker(task, reads, how.keep_going), rows, spool, watch)
    try:
        if how.resume and rows is not None:
            running.take_saved(rows, measures or {})
        with engine(how.engine, how.jobs) as where:
            running.count(where)
    except KeyboardInterrupt:
        cure = f"run with {option('rows', 'FILE')} to be able to resume"
        if rows is not None and rows.documents + rows.unwritten:
            cure = f"run it again with the same options and {option('resume')}"
        raise StoppedError(running.done, len(cases), cure) from None
    return running.finished()


@dataclass
class _Progress:
    """A run while it is under way: what is counted, what is left."""

    cases: Sequence[Case]
    worker: Worker
    rows: RowsWriter | None
    spool: Spool | None
    watch: Watch | None
    counted: TableBuilder = field(default_factory=TableBuilder)
    failures: list[Failure] = field(default_factory=list)
    done: int = 0

    def take_saved(self, rows: RowsWriter, measures: Mapping[str, object]) -> None:
        """Take the first documents that an earlier run has done, up to one that has changed.

        If readings are asked for and are not saved, there is nothing to take.
        """
        from caesura.run.rows_file import RowsReader

        reader = RowsReader(measures)
        cases = self.cases if rows.header.with_text or self.spool is None else ()
        for block in rows.resumed(cases, keep_going=self.worker.keep_going):
            lines, readings = block.lines()
            for line in lines:
                reader.add(line)
            if block.failure:
                self.failures.append(Failure(block.document, block.failure))
            elif self.spool is not None:
                self.spool.add(block.document, readings)
            rows.keep(block)
            self.done += 1
        table = reader.table((*rows.header.references, *rows.header.systems))
        if table:
            self.counted.add(table)

    def count(self, engine: Engine) -> None:
        """Plan what is not saved, have it counted chunk by chunk, and take the results."""
        cases = self.cases[self.done :]
        sizes = weights(cases)
        if self.watch:
            self.watch.begin(len(cases), sum(sizes))
        try:
            documents = [*map(Sized, cases, sizes)]
            weight = sum(each.cost for each in documents)
            for chunk, results in counted(engine, self.worker, documents, weight):
                start = 0
                for number, result in results:
                    self._take(chunk[start : start + number], result)
                    start += number
        finally:
            if self.watch:
                self.watch.end()

    def _take(self, documents: Chunk, result: Outcome | CaesuraError) -> None:
        self._add([each.case for each in documents], result)
        self.done += len(documents)
        if self.watch:
            self.watch.add(len(documents), sum(each.size for each in documents))

    def _add(self, cases: list[Case], found: Outcome | CaesuraError) -> None:
        if isinstance(found, CaesuraError):
            if isinstance(found, UsageError) or not self.worker.keep_going:
                if isinstance(found, FormatError) and len(self.cases) > 1:
                    raise found.or_else(_LEAVE_OUT)
                raise found
            self.failures.append(Failure(cases[0].document, found.message))
            if self.rows is not None:
                self.rows.add_failure(cases[0].document, found.message)
            return
        counted = found.counted
        if self.rows is not None:
            counted = CountTable.from_rows(counted)
            self.rows.add([case.document for case in cases], counted, found.readings)
        self.counted.add(counted)
        if self.spool is not None:
            for document, readings in found.readings.items():
                self.spool.add(document, readings)

    def finished(self) -> Finished:
        """What was found, in the order of the cases; an error if nothing was."""
        bad = {failure.document for failure in self.failures}
        if bad and len(bad) == len(self.cases):
            reason = self.failures[0].message
            raise CaesuraError(f"no document could be scored; fix them: {reason}")
        good = [case for case in self.cases if case.document not in bad]
        return Finished(self.counted.table(), good, tuple(self.failures), self.spool)
