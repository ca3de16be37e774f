"""One run: cases in, rows out, and what could not be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from caesura import __version__
from caesura.core.row import Row
from caesura.errors import CaesuraError, StoppedError
from caesura.io.files import is_regular
from caesura.run.cases import Case
from caesura.run.counting import (
    Count,
    Failure,
    Map,
    Task,
    in_pieces,
    leaving_out,
)
from caesura.run.engines import engine
from caesura.run.memory import keep_memory

if TYPE_CHECKING:
    from caesura.run.journal import Journal


class Watch(Protocol):
    """An observer of the progress of a run."""

    def begin(self, cases: Sequence[Case]) -> None:
        """The run starts."""
        ...

    def end(self) -> None:
        """The run is over."""
        ...

    def add_piece(self, piece: Case) -> None:
        """A piece of a huge document is done."""
        ...

    def add_document(self, case: Case) -> None:
        """A document is done, with all its pieces."""
        ...


@dataclass(frozen=True, slots=True)
class Running:
    """Where documents are counted, what is kept on the way, and what happens to bad ones."""

    jobs: int | None = None
    engine: str = ""
    resume: bool = False
    keep_going: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows of all documents that could be counted, and why others could not."""

    rows: list[Row]
    cases: list[Case]
    failures: tuple[Failure, ...]
    journal: Journal | None = None

    def finish(self) -> None:
        """The rows are saved: no journal is needed."""
        if self.journal is not None:
            self.journal.remove()


def run(
    cases: Sequence[Case],
    task: Task,
    how: Running,
    *,
    rows: str | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Count every case; with a file of rows, finished documents are kept, to resume from."""
    keep_memory()
    journal = _journal(cases, task, rows, resume=how.resume)
    failures: list[Failure] = []
    done = 0
    base = engine(how.engine, how.jobs or 0)
    inner = _watched(base, watch.add_piece) if watch else base
    steps = in_pieces(base, task, inner=inner)
    steps = leaving_out(steps, failures) if how.keep_going else steps
    steps = journal.map(steps) if journal else steps
    found: list[Row] = []
    try:
        if watch:
            watch.begin(cases)
        for case, own in zip(cases, steps(task.count, cases), strict=True):
            found += own
            done += 1
            if watch:
                watch.add_document(case)
    except KeyboardInterrupt:
        cure = _left(journal) or "run with --rows FILE to be able to resume"
        raise StoppedError(done, len(cases), cure) from None
    except CaesuraError:
        _left(journal)
        raise
    finally:
        if watch:
            watch.end()
    bad = {failure.document for failure in failures}
    if bad and len(bad) == len(cases):
        _left(journal)
        raise CaesuraError(f"not one document could be counted; fix them: {failures[0].reason}")
    good = [case for case in cases if case.document not in bad]
    return Outcome(found, good, tuple(failures), journal)


def _watched(map: Map, add: Callable[[Case], None]) -> Map:
    """A `map` that reports every finished case."""

    def watch(count: Count, cases: Iterable[Case]) -> Iterator[Any]:
        cases = list(cases)
        for case, rows in zip(cases, map(count, cases), strict=True):
            add(case)
            yield rows

    return watch


def _journal(cases: Sequence[Case], task: Any, rows: str | None, *, resume: bool) -> Journal | None:
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
    return Journal.open(rows, head, resume=resume)


def _left(journal: Journal | None) -> str:
    """Close the journal; how to go on with it, if anything is in it."""
    if journal is None:
        return ""
    journal.close()
    return "go on with the same command and --resume" if journal.done else ""
