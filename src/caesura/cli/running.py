"""How a run is distributed, resumed and shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from caesura.cli.commands import RUNNING
from caesura.cli.endings import say
from caesura.errors import number

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

F = TypeVar("F", bound=Callable[..., Any])
MUCH = 32 << 20
"""A single document of at least this many bytes gets a progress bar."""
OPTIONS = (
    RUNNING.option(
        "-j", "--jobs", type=click.IntRange(min=1), default=None, metavar="N",
        help="Use at most N processes; small runs use one.  [default: one per core]",
    ),
    RUNNING.option(
        "--engine", metavar="NAME", default="",
        help="Where to run: serial, processes, dask (a local cluster) or dask=ADDRESS (the "
        "address of a scheduler, or its scheduler file). It does not affect scores.  [default: "
        "depends on the size]",
    ),
    RUNNING.option(
        "--resume", is_flag=True,
        help="With --rows: resume an interrupted run from FILE.partial.",
    ),
    RUNNING.option(
        "--keep-going", is_flag=True,
        help="Skip documents that cannot be scored, list them at the end, and exit with status 1.",
    ),
)  # fmt: skip


def running_options(command: F) -> F:
    """Add the options of how documents are counted."""
    return reduce(lambda done, option: option(done), reversed(OPTIONS), command)


def tell(notes: Iterable[str], warnings: Iterable[str], *, quiet: bool) -> None:
    """Print notes, unless quiet, and warnings to standard error."""
    for note in () if quiet else notes:
        say(f"read as {note}")
    for warning in warnings:
        say(f"warning: {warning}")


@dataclass
class Progress:
    """Progress of a run: a bar on standard error, if that is a terminal and the run is long.

    It starts with the first chunk that is done.
    """

    quiet: bool
    documents: int = 0
    bar: Bar | None = None

    def begin(self, documents: int, size: int) -> None:
        """Show the bar, if the run is long."""
        is_seen = not self.quiet and sys.stderr.isatty()
        if not is_seen or not size or (documents < 2 and size < MUCH):
            return
        self.bar = _bar()
        self.bar.add_task("", total=size, documents=0, every=number(documents, "document"))
        self.bar.start()

    def add(self, documents: int, size: int) -> None:
        """Some documents are done, and some bytes."""
        self.documents += documents
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], advance=size, documents=self.documents)

    def end(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


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
