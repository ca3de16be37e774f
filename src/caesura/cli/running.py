"""How documents are counted: where, in what order they are shown, and what is kept on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from caesura.run.cases import Case
    from caesura.run.counting import Count, Failure, Map, Task
    from caesura.run.journal import Journal
    from caesura.run.rows import Row

F = TypeVar("F", bound=Callable[..., Any])
MUCH = 32 << 20
"""So many bytes of a single document take some time."""
OPTIONS = (
    click.option(
        "-j", "--jobs", type=click.IntRange(min=1), default=None, metavar="N",
        help="Count with at most so many processes; where there is little to do one is enough.  "
        "[default: one for each core]",
    ),
    click.option(
        "--engine", metavar="NAME", default="",
        help="Where to count: serial, processes, dask (a cluster on this machine) or dask=ADDRESS, "
        "the address of a scheduler or its file. The numbers are the same.  "
        "[default: what suits the size]",
    ),
    click.option(
        "--resume", is_flag=True,
        help="With --rows: go on with a run that was stopped. What it had counted is in "
        "FILE.partial.",
    ),
    click.option(
        "--keep-going", is_flag=True,
        help="Leave a bad document out and go on; say at the end which, and exit with 1.",
    ),
)  # fmt: skip


def running_options(command: F) -> F:
    """Add the options of how documents are counted."""
    return reduce(lambda done, option: option(done), reversed(OPTIONS), command)


@dataclass
class Running:
    """How documents are counted, and which could not be."""

    map: Map
    rows: str | None
    resume: bool
    keep_going: bool
    quiet: bool
    failures: list[Failure] = field(default_factory=list)
    documents: int = 0
    journal: Journal | None = None

    @classmethod
    def take(cls, given: dict[str, Any], rows: str | None, *, quiet: bool) -> Running:
        """Take the options out of those given."""
        from caesura.run.engines import engine

        jobs, name, resume, keep_going = (
            given.pop(each) for each in ("jobs", "engine", "resume", "keep_going")
        )
        if resume and rows is None:
            raise click.UsageError("--resume goes on with the rows of a run; name them with --rows")
        return cls(engine(name, jobs or 0), rows, resume, keep_going, quiet)

    def count(self, cases: list[Case], task: Task) -> list[Row]:
        """Count every case, showing how far it has come; --resume goes on after what is done."""
        from caesura.errors import CaesuraError, StoppedError
        from caesura.run.counting import evaluate, in_pieces, leaving_out
        from caesura.run.memory import keep_memory

        keep_memory()
        self.documents = len(cases)
        self.journal = self._journal(cases, task)
        shown = Shown()
        try:
            with _progress(cases, shown, quiet=self.quiet):
                how = in_pieces(self.map, task, inner=_watched(self.map, shown.add_piece))
                how = leaving_out(how, self.failures) if self.keep_going else how
                how = self.journal.map(how) if self.journal else how
                rows = list(evaluate(cases, task, map=_watched(how, shown.add_document)))
        except KeyboardInterrupt:
            cure = self._left() or "with --rows FILE, a run can go on later"
            raise StoppedError(shown.documents, len(cases), cure) from None
        except CaesuraError:
            self._left()
            raise
        self._say_failures()
        return rows

    def good(self, cases: list[Case]) -> list[Case]:
        """The cases that could be counted."""
        bad = {failure.document for failure in self.failures}
        return [case for case in cases if case.document not in bad]

    def _journal(self, cases: list[Case], task: Any) -> Journal | None:
        """A journal, if rows are asked for and there is more than one document."""
        from caesura import __version__
        from caesura.io.files import is_regular
        from caesura.run.journal import Journal

        if self.rows is None or len(cases) < 2 or not is_regular(self.rows):
            return None
        head = {
            "caesura": __version__,
            "task": type(task).__name__,
            "options": asdict(task),
            "systems": list(cases[0].systems),
            "references": list(cases[0].references),
        }
        return Journal.open(self.rows, head, resume=self.resume)

    def _left(self) -> str:
        """Close the journal; how to go on with it, if anything is in it."""
        if self.journal is None:
            return ""
        self.journal.close()
        return "go on with the same command and --resume" if self.journal.done else ""

    def _say_failures(self) -> None:
        from caesura.errors import CaesuraError

        for failure in self.failures:
            click.echo(f"left out: {failure.document}: {failure.reason}", err=True)
        if self.failures and len(self.failures) == self.documents:
            self._left()
            raise CaesuraError("not one document could be counted; mend them")

    def finish(self) -> None:
        """The rows are saved: no journal is needed. Raise an error if documents were left out."""
        from caesura.errors import LeftOutError

        if self.journal is not None:
            self.journal.remove()
        if self.failures:
            raise LeftOutError(len(self.failures), self.documents)


@dataclass
class Shown:
    """How far it has come; on a terminal, a bar shows it."""

    documents: int = 0
    in_pieces: int = 0
    bar: Progress | None = None

    def add_piece(self, piece: Case) -> None:
        """A piece of a huge document is done."""
        self.in_pieces += piece.weight
        self._advance(piece.weight)

    def add_document(self, case: Case) -> None:
        """A document is done, its pieces among it."""
        self.documents += 1
        self._advance(case.weight - self.in_pieces)
        self.in_pieces = 0

    def _advance(self, size: int) -> None:
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], advance=size, documents=self.documents)


def _watched(map: Map, add: Callable[[Case], None]) -> Map:
    """A `map` that tells of every case that is done."""

    def watch(count: Count, cases: Iterable[Case]) -> Iterator[Any]:
        cases = list(cases)
        for case, rows in zip(cases, map(count, cases), strict=True):
            add(case)
            yield rows

    return watch


@contextmanager
def _progress(cases: list[Case], shown: Shown, *, quiet: bool) -> Iterator[None]:
    """Documents, bytes a second and the time left, on a terminal's standard error."""
    size = 0 if quiet or not sys.stderr.isatty() else sum(case.weight for case in cases)
    if not size or (len(cases) < 2 and size < MUCH):
        yield
        return
    from caesura.errors import number

    with _bar() as bar:
        bar.add_task("", total=size, documents=0, every=number(len(cases), "document"))
        shown.bar = bar
        yield


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    return Progress(
        TextColumn("{task.fields[documents]:,} of {task.fields[every]}"),
        BarColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
