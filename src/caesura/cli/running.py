"""How a run is distributed, resumed and shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from os import environ
from shutil import get_terminal_size
from time import monotonic
from typing import TypeVar

import click

from caesura.cli.commands import RUNNING
from caesura.cli.exit_status import say
from caesura.errors import number

F = TypeVar("F", bound=Callable[..., object])
MUCH = 32 << 20
"""A single document of at least this many bytes gets a progress bar."""
BAR, PAUSE = 40, 0.1
"""The characters of the bar, and the seconds after which it is drawn anew."""
OPTIONS = (
    RUNNING.option(
        "-j", "--jobs", type=click.IntRange(min=1), default=None, metavar="N",
        callback=lambda _context, _option, jobs: jobs or 0,
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
        help="With --rows: continue an interrupted run after the last document in FILE.",
    ),
    RUNNING.option(
        "--keep-going", is_flag=True,
        help="Skip documents that cannot be scored, list them at the end, and exit with status 1.",
    ),
    RUNNING.option(
        "--shard", metavar="I/N", default="",
        help="Count only shard I of N: the documents whose names hash to it. auto takes I and N "
        "from the job array of SLURM and the like. `caesura merge` puts the rows together; "
        "{shard} in --rows stands for I-of-N.",
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
    """Progress of a run: a line on standard error, if that is a terminal and the run is long."""

    quiet: bool
    every: str = ""
    """How many documents there are, in words; nothing if no line is shown."""
    documents: int = 0
    size: int = 0
    done: int = 0
    begun: float = 0
    drawn: float = 0

    def begin(self, documents: int, size: int) -> None:
        """Take note of the size of a run; nothing is shown of a short one."""
        is_seen = not self.quiet and sys.stderr.isatty() and environ.get("TERM") != "dumb"
        if is_seen and size and (documents > 1 or size >= MUCH):
            self.every, self.size, self.begun = number(documents, "document"), size, monotonic()

    def add(self, documents: int, size: int) -> None:
        """Some documents are done, and some bytes."""
        self.documents += documents
        self.done += size
        now = monotonic()
        if self.every and (now - self.drawn >= PAUSE or self.done >= self.size):
            self.drawn = now
            _draw(self._line(now - self.begun)[: get_terminal_size().columns - 1])

    def _line(self, seconds: float) -> str:
        """The documents that are done, a bar, the speed, and the time that is left."""
        filled = min(BAR, BAR * self.done // self.size)
        rate = self.done / max(seconds, PAUSE)
        left = timedelta(seconds=round(max(0, self.size - self.done) / max(rate, 1)))
        bar = "━" * filled + "─" * (BAR - filled)
        return f"{self.documents:,} of {self.every} {bar} {rate / 1e6:,.1f} MB/s {left}"

    def end(self) -> None:
        """Remove the line."""
        if self.every:
            _draw("")


def _draw(line: str) -> None:
    """Put a line in place of the last one of the terminal."""
    click.echo(f"\r\x1b[K{line}", err=True, nl=False)
