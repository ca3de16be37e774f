"""One run: plan cases, have a worker count them chunk by chunk, and merge what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from caesura import __version__
from caesura.core.table import CountTable, TableBuilder
from caesura.errors import (
    CaesuraError,
    FormatError,
    StoppedError,
    UsageError,
    in_python,
    option,
)
from caesura.io.writing import is_regular
from caesura.run.chunks import Chunk, CountsEach, Cuts, Part, Whole, cost
from caesura.run.inputs import Case, weights
from caesura.run.machine import keep_memory
from caesura.run.pool import Engine, engine
from caesura.run.worker import Outcome, Worker

if TYPE_CHECKING:
    from caesura.run.journal import Journal, Stamps
    from caesura.run.readings_file import Spool

_LEAVE_OUT = f"leave such documents out with {option('keep_going')}"


class Watch(Protocol):
    """An observer of the progress of a run."""

    def begin(self, documents: int, size: int) -> None:
        """The run starts, with this many documents and bytes to read."""
        ...

    def add(self, documents: int, size: int) -> None:
        """Some documents are done, and some bytes, also of documents under way."""
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
    sample: str = ""


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
    journal: Journal | None = None

    def readings(self) -> Iterator[dict[str, object]]:
        """The readings of all documents, if they were asked for."""
        for case in self.cases if self.spool else ():
            yield from self.spool.readings(case.document)  # type: ignore[union-attr]

    def finish(self) -> None:
        """The rows are saved: no journal is needed."""
        if self.journal is not None:
            self.journal.remove()


def run(  # noqa: PLR0913
    cases: Sequence[Case],
    task: CountsEach,
    how: Running | None = None,
    *,
    rows: str | None = None,
    reads: bool = False,
    watch: Watch | None = None,
    measures: Mapping[str, object] | None = None,
) -> Finished:
    """Count every case once; with `reads`, also keep what the page shows of it.

    With a file of rows, finished documents are kept beside it, to resume from.
    """
    keep_memory()
    how = how or Running()
    journal = _journal(cases, task, rows, measures or {}, resume=how.resume)
    spool = _spool(journal) if reads else None
    running = _Progress(cases, Worker(task, reads, how.keep_going), journal, spool, watch)
    try:
        running.take_saved()
        with engine(how.engine, how.jobs or 0) as where:
            running.count(where)
    except KeyboardInterrupt:
        cure = _left(journal) or f"run with {option('rows', 'FILE')} to be able to resume"
        raise StoppedError(running.done, len(cases), cure) from None
    except CaesuraError:
        _left(journal)
        raise
    return running.finished()


def _spool(journal: Journal | None) -> Spool:
    """Where readings are kept: in the journal, or in a file of their own."""
    from caesura.run.readings_file import Spool

    return journal.spool if journal else Spool.make()


@dataclass
class _Progress:
    """A run while it is under way: what is counted, what is left.

    `parts` are those of the document that is being counted in parts, `held` what came of them.
    """

    cases: Sequence[Case]
    worker: Worker
    journal: Journal | None
    spool: Spool | None
    watch: Watch | None
    counted: TableBuilder = field(default_factory=TableBuilder)
    failures: list[Failure] = field(default_factory=list)
    saved: set[str] = field(default_factory=set)
    stamps: dict[str, Stamps] = field(default_factory=dict)
    parts: dict[str, Sequence[Part]] = field(default_factory=dict)
    held: list[object] = field(default_factory=list)
    done: int = 0

    def take_saved(self) -> None:
        """Take what an earlier run has counted of files that are as they were."""
        if self.journal is None:
            return
        for case in self.cases:
            if case.document in self.journal.saved:
                reads = self.spool is not None
                rows = self.journal.rows(case.document, case.stamps, reads=reads)
                if rows is not None:
                    self.counted.add(rows)
                    self.saved.add(case.document)
        self.done = len(self.saved)

    def count(self, engine: Engine) -> None:
        """Plan what is not saved, have it counted chunk by chunk, and take the results."""
        cases = [case for case in self.cases if case.document not in self.saved]
        sizes = weights(cases)
        if self.watch:
            self.watch.begin(len(cases), sum(sizes))
        try:
            parts, weight = self._planned(cases, sizes), sum(map(cost, sizes))
            for chunk, results in engine.map(self.worker, parts, weight):
                start = 0
                for number, result in results:
                    self._take(chunk[start : start + number], result, engine)
                    start += number
        finally:
            if self.watch:
                self.watch.end()

    def _planned(self, cases: Sequence[Case], sizes: Sequence[int]) -> Iterator[Part]:
        for case, size in zip(cases, sizes, strict=True):
            if self.journal is not None:  # before the files are read
                self.stamps[case.document] = case.stamps
            parts = self.worker.plan(case, size)
            if not isinstance(parts[0], Whole):
                self.parts[case.document] = parts
            yield from parts

    def _take(self, parts: Chunk, result: Any, engine: Engine) -> None:
        """Take what came of documents, or of a part; a document is done when all its parts are."""
        cases = [part.case for part in parts]
        if not isinstance(parts[0], Whole):
            result = self._held(cases[0], result, engine)
            cases = cases if result is not None else []
        if result is not None:
            self._add(cases, result)
        self.done += len(cases)
        if self.watch:
            self.watch.add(len(cases), sum(part.weight for part in parts))

    def _held(self, case: Case, result: object, engine: Engine) -> Outcome | CaesuraError | None:
        """What came of a document, when all its parts are there, or one is bad; else None."""
        self.held.append(result)
        parts = self.parts[case.document]
        is_bad = isinstance(result, CaesuraError) and not self.worker.keep_going
        if len(self.held) < len(parts) and not is_bad:
            return None
        held, self.held = self.held, []
        return merged(self.worker, engine, self.parts.pop(case.document), held)

    def _add(self, cases: list[Case], found: Outcome | CaesuraError) -> None:
        if isinstance(found, CaesuraError):
            if isinstance(found, UsageError) or not self.worker.keep_going:
                if isinstance(found, FormatError) and len(self.cases) > 1:
                    raise found.or_else(_LEAVE_OUT)
                raise found
            self.failures.append(Failure(cases[0].document, found.message))
            return
        self.counted.add(found.counted)
        if self.journal is not None and cases:
            stamps = {case.document: self.stamps.pop(case.document) for case in cases}
            self.journal.add(stamps, found.counted, found.readings)
        elif self.spool is not None:
            for document, readings in found.readings.items():
                self.spool.add(document, readings)

    def finished(self) -> Finished:
        """What was found, in the order of the cases; an error if nothing was."""
        bad = {failure.document for failure in self.failures}
        if bad and len(bad) == len(self.cases):
            _left(self.journal)
            reason = self.failures[0].message
            raise CaesuraError(f"no document could be scored; fix them: {reason}")
        place = {case.document: at for at, case in enumerate(self.cases)}
        table = self.counted.table()
        table = table.ordered(place) if self.saved else table
        good = [case for case in self.cases if case.document not in bad]
        return Finished(table, good, tuple(self.failures), self.spool, self.journal)


def merged(
    worker: Worker, engine: Engine, parts: Sequence[Part], counted: Sequence[object]
) -> Outcome | CaesuraError:
    """What came of a document, given its parts; those that cannot stand alone are counted again."""
    task = worker.task
    assert isinstance(task, Cuts)
    while True:
        problem = next((each for each in counted if isinstance(each, CaesuraError)), None)
        if problem is not None:
            return problem
        try:
            better = task.replan(parts, counted)
            if [*map(id, better)] == [*map(id, parts)]:
                return Outcome(task.merge(parts, counted))
        except CaesuraError as found:
            return found
        known = {id(part): each for part, each in zip(parts, counted, strict=True)}
        new = [part for part in better if id(part) not in known]
        weight = sum(cost(part.weight) for part in new)
        for chunk, results in engine.map(worker, new, weight):
            known |= {id(part): each for part, (_, each) in zip(chunk, results, strict=False)}
        parts, counted = better, [known[id(part)] for part in better if id(part) in known]


def _journal(
    cases: Sequence[Case],
    task: Any,
    rows: str | None,
    measures: Mapping[str, Any],
    *,
    resume: bool,
) -> Journal | None:
    """A journal, if rows are asked for and there is more than one document."""
    if rows is None or len(cases) < 2 or not is_regular(rows):
        return None
    from caesura.run.journal import Journal

    head = {
        "caesura": __version__,
        "task": type(task).__name__,
        "options": asdict(task),
        "systems": list(cases[0].systems),
        "references": list(cases[0].references),
    }
    return Journal.open(rows, head, measures, resume=resume)


def _left(journal: Journal | None) -> str:
    """Close the journal; how to go on with it, if anything is in it."""
    is_useful = journal is not None and journal.close()
    return f"run it again with the same options and {option('resume')}" if is_useful else ""
