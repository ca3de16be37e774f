"""One run: cases in, outcomes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from caesura import __version__
from caesura.core.rows import Rows
from caesura.errors import CaesuraError, FormatError, StoppedError, UsageError, option
from caesura.io.writing import is_regular
from caesura.run.cases import Case, weights
from caesura.run.chunks import CountsEach
from caesura.run.engines import engine
from caesura.run.gathering import Gathering, Step
from caesura.run.machine import keep_memory
from caesura.run.outcome import Failure, Outcome
from caesura.run.spool import Spool
from caesura.run.work import Work

if TYPE_CHECKING:
    from caesura.run.journal import Journal, Stamps

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
    """Where documents are counted, what is kept on the way, and what happens to bad ones."""

    jobs: int | None = None
    engine: str = ""
    resume: bool = False
    keep_going: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run found: the rows of all cases that could be counted, and why others could not."""

    rows: Rows
    cases: list[Case]
    failures: tuple[Failure, ...] = ()
    spool: Spool | None = None
    journal: Journal | None = None

    def readings(self) -> Iterator[dict[str, Any]]:
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
    measures: Mapping[str, Any] | None = None,
) -> Finished:
    """Count every case once; with `reads`, also keep what the page shows of it.

    With a file of rows, finished documents are kept beside it, to resume from.
    """
    keep_memory()
    how = how or Running()
    journal = _journal(cases, task, rows, measures or {}, resume=how.resume)
    spool = (journal.spool if journal else Spool.make()) if reads else None
    running = _Progress(cases, journal, spool)
    try:
        running.take_saved()
        with engine(how.engine, how.jobs or 0) as where:
            running.count(Gathering(Work(task, reads, how.keep_going), where), watch)
    except KeyboardInterrupt:
        cure = _left(journal) or f"run with {option('rows', 'FILE')} to be able to resume"
        raise StoppedError(running.done, len(cases), cure) from None
    except CaesuraError:
        _left(journal)
        raise
    return running.finished()


@dataclass
class _Progress:
    """A run while it is under way: what is found, what is left; a spool if readings are kept."""

    cases: Sequence[Case]
    journal: Journal | None
    spool: Spool | None
    rows: Rows = field(default_factory=Rows)
    failures: list[Failure] = field(default_factory=list)
    saved: set[str] = field(default_factory=set)
    stamps: dict[str, Stamps] = field(default_factory=dict)
    done: int = 0

    def take_saved(self) -> None:
        """Take what an earlier run has counted of files that are as they were."""
        if self.journal is None:
            return
        self.stamps = {case.document: case.stamps for case in self.cases}
        for document, stamps in self.stamps.items():
            rows = self.journal.rows(document, stamps, reads=self.spool is not None)
            if rows is not None:
                self.rows.add(rows)
                self.saved.add(document)
        self.done = len(self.saved)

    def count(self, gathering: Gathering, watch: Watch | None) -> None:
        """Count what is not saved."""
        cases = [case for case in self.cases if case.document not in self.saved]
        sizes = weights(cases)
        if watch:
            watch.begin(len(cases), sum(sizes))
        try:
            for step in gathering.steps(cases, sizes):
                self._take(step, keep_going=gathering.work.keep_going)
                if watch:
                    watch.add(len(step.cases), step.size)
        finally:
            if watch:
                watch.end()

    def _take(self, step: Step, *, keep_going: bool) -> None:
        found = step.outcome
        if isinstance(found, CaesuraError):
            if isinstance(found, UsageError) or not keep_going:
                if isinstance(found, FormatError) and len(self.cases) > 1:
                    raise found.or_else(_LEAVE_OUT)
                raise found
            self.failures.append(Failure(step.cases[0].document, found.message))
        else:
            self.rows.add(found.rows)
            self._keep(step.cases, found)
        self.done += len(step.cases)

    def _keep(self, cases: list[Case], found: Outcome) -> None:
        if self.journal is not None and cases:
            stamps = {case.document: self.stamps[case.document] for case in cases}
            self.journal.add(stamps, found.rows, found.readings)
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
        if self.saved:
            place = {case.document: at for at, case in enumerate(self.cases)}
            self.rows = self.rows.sorted(place)
        good = [case for case in self.cases if case.document not in bad]
        return Finished(self.rows, good, tuple(self.failures), self.spool, self.journal)


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
