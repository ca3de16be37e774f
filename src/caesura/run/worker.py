"""Worker: counts the documents of a chunk, wherever it is, with what the machine has."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from caesura.core.table import Counted, CountTable
from caesura.errors import CaesuraError, no_memory
from caesura.run.inputs import Case

TRIM, MMAP = -1, -3
KEPT, LARGE = 256 << 20, 32 << 20
"""The free memory to keep; larger arrays are allocated and returned one by one."""
MANY = 16
"""The versions of one document from which on they are counted in one pass."""
EACH = 2048
"""What a document costs besides its bytes, as a number of bytes."""


class Sized(NamedTuple):
    """A document, and how many bytes there are to read for it."""

    case: Case
    size: int

    @property
    def cost(self) -> int:
        """How much work it is."""
        return self.size + EACH


Chunk = Sequence[Sized]


class CountsEach(Protocol):
    """Options, and the counts of one document."""

    def count(self, case: Case) -> Counted:
        """Read one document in every version and count it."""
        ...


@runtime_checkable
class Reads(CountsEach, Protocol):
    """A task that can keep what the page shows of a document."""

    def count_and_read(self, case: Case) -> tuple[Counted, list[object]]:
        """The rows of one document, and its readings, all from reading it once."""
        ...


@runtime_checkable
class CountsApart(CountsEach, Protocol):
    """A task that counts each of several systems alone, against a gold that is read for each."""

    def apart(self, case: Case) -> list[Case]:
        """A case for each system; only the case itself if that is not worth it."""
        ...

    def joined(self, counted: Sequence[Counted]) -> Counted:
        """The rows of all systems, given those of each."""
        ...


@runtime_checkable
class CountsMany(CountsEach, Protocol):
    """A task that can count many small documents in one pass."""

    @property
    def is_counted_together(self) -> bool:
        """Whether its options allow that."""
        ...

    def count_many(self, cases: Sequence[Case]) -> CountTable | None:
        """The rows of all documents; None if they must be counted one by one."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The counts of some documents; the readings of each, as lines of JSON."""

    counted: Counted = ()
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)


Result = tuple[int, Outcome | CaesuraError]
"""How many documents of a chunk it is of; and their counts, or what is wrong with one."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A task, whether readings are asked for, and whether to go on after a bad document."""

    task: CountsEach
    reads: bool = False
    keep_going: bool = False

    @property
    def counts_many(self) -> bool:
        """Whether small documents may be counted many at a time."""
        task = self.task
        return isinstance(task, CountsMany) and task.is_counted_together and not self.reads

    def __call__(self, chunk: Chunk) -> list[Result]:
        """Count a chunk, in one pass if it can be; else up to the first bad document.

        A bad one does not stop it if such are left out.
        """
        cases = [each.case for each in chunk]
        if len(cases) > 1 or len(cases[0].systems) + len(cases[0].references) > MANY:
            together = self._together(cases)
            if together is not None:
                return [(len(cases), together)]
        results: list[Result] = []
        for case in cases:
            result: Outcome | CaesuraError
            try:
                if self.reads and isinstance(self.task, Reads):
                    from caesura.core.json_values import plain

                    counted, readings = self.task.count_and_read(case)
                    lines = [json.dumps(plain(each), ensure_ascii=False) for each in readings]
                    result = Outcome(counted, {case.document: lines})
                else:
                    result = Outcome(self.task.count(case))
            except CaesuraError as problem:
                result = problem
            except MemoryError:
                result = no_memory(case.document)
            results.append((1, result))
            if isinstance(result, CaesuraError) and not self.keep_going:
                break
        return results

    def _together(self, cases: list[Case]) -> Outcome | None:
        """Many documents, or many versions, in one pass; None if that cannot be, or one is bad."""
        if not self.counts_many or not isinstance(self.task, CountsMany):
            return None
        try:
            table = self.task.count_many(cases)
        except (CaesuraError, MemoryError):
            return None
        return None if table is None else Outcome(table)


def keep_memory() -> None:
    """Let this process keep free memory for the next document, where the library is glibc.

    By default, and more so on workers of Dask, arrays of some megabytes are given back to the
    system as soon as they are freed; it clears them page by page when they are asked for again,
    which takes a fifth of the time of counting text, and of Dask's half.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(TRIM, KEPT)
    mallopt(MMAP, LARGE)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
