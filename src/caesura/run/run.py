"""One run: plan cases, have a worker count them chunk by chunk, and merge what it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from caesura.run.engine import MOST, Engine, Results
from caesura.run.inputs import Case, weights
from caesura.run.worker import (
    Chunk,
    CountsApart,
    CountsEach,
    Outcome,
    Result,
    Sized,
    Worker,
    keep_memory,
)

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
    progress = _Progress(cases, how.keep_going, rows, spool, watch)
    worker, engine = Worker(task, reads, how.keep_going), Engine(how.engine, how.jobs)
    try:
        if how.resume and rows is not None:
            progress.take_saved(rows, measures or {})
        left = cases[progress.done :]
        documents = [*map(Sized, left, weights(left))]
        if watch:
            watch.begin(len(left), sum(each.size for each in documents))
        try:
            with engine:
                if isinstance(task, CountsApart) and not reads:
                    counted = _results_apart(engine, worker, task, documents)
                else:
                    weight = sum(each.cost for each in documents)
                    most = MOST if worker.counts_many else 1
                    counted = engine.map(worker, documents, weight, most)
                for chunk, results in counted:
                    progress.take(chunk, results)
        finally:
            if watch:
                watch.end()
    except KeyboardInterrupt:
        cure = f"run with {option('rows', 'FILE')} to be able to resume"
        if rows is not None and rows.documents + rows.unwritten:
            cure = f"run it again with the same options and {option('resume')}"
        raise StoppedError(progress.done, len(cases), cure) from None
    return progress.finished()


def _results_apart(engine: Engine, worker: Worker, task: CountsApart, documents: Chunk) -> Results:
    """Every document, and what came of it; each system is a case of its own."""
    for document in documents:
        cases = task.apart(document.case)
        systems = [*map(Sized, cases, weights(cases))]
        weight = sum(each.cost for each in systems)
        results = (each for _, some in engine.map(worker, systems, weight) for _, each in some)
        yield [document], [(1, _joined(task, results))]


def _joined(task: CountsApart, results: Iterable[Outcome | CaesuraError]) -> Outcome | CaesuraError:
    """The counts of all systems, or what is wrong with the first that is bad."""
    counts = []
    for result in results:
        if isinstance(result, CaesuraError):
            return result
        counts.append(result.counted)
    return Outcome(task.joined(counts))


@dataclass
class _Progress:
    """A run while it is under way: what is counted, what is left."""

    cases: Sequence[Case]
    keep_going: bool
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
        for block in rows.resumed(cases, keep_going=self.keep_going):
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

    def take(self, chunk: Chunk, results: list[Result]) -> None:
        """Take what came of a chunk, the results of which are of one document or more each."""
        start = 0
        for number, result in results:
            documents = chunk[start : start + number]
            names = [each.case.document for each in documents]
            if isinstance(result, CaesuraError):
                self._fail(names[0], result)
            else:
                self._add(names, result)
            start += number
            self.done += number
            if self.watch:
                self.watch.add(number, sum(each.size for each in documents))

    def _fail(self, document: str, problem: CaesuraError) -> None:
        if isinstance(problem, UsageError) or not self.keep_going:
            if isinstance(problem, FormatError) and len(self.cases) > 1:
                raise problem.or_else(_LEAVE_OUT)
            raise problem
        self.failures.append(Failure(document, problem.message))
        if self.rows is not None:
            self.rows.add_failure(document, problem.message)

    def _add(self, documents: list[str], found: Outcome) -> None:
        counted = found.counted
        if self.rows is not None:
            counted = CountTable.from_rows(counted)
            self.rows.add(documents, counted, found.readings)
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
