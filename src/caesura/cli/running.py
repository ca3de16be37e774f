"""How documents are counted: where, in what order they are shown, and what is kept on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from caesura.run.cases import Case

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
class Progress:
    """How far a run has come: a bar on a terminal's standard error, where there is much to do.

    It begins with the first document or piece that is done.
    """

    quiet: bool
    size: int = 0
    every: int = 0
    documents: int = 0
    in_pieces: int = 0
    bar: Bar | None = None

    def begin(self, cases: Sequence[Case]) -> None:
        """Show the bar, if it is worth it."""
        self.every = len(cases)
        self.size = 0 if self.quiet or not sys.stderr.isatty() else sum(c.weight for c in cases)
        if not self.size or (self.every < 2 and self.size < MUCH):
            return
        from caesura.errors import number

        self.bar = _bar()
        every = number(self.every, "document")
        self.bar.add_task("", total=self.size, documents=0, every=every)
        self.bar.start()

    def end(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()

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


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn("{task.fields[documents]:,} of {task.fields[every]}"),
        BarColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
