"""Sweeps: transcripts read once and scored with several values of one option."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from caesura.core.table import CountTable
from caesura.errors import UnknownNameError, UsageError
from caesura.errors import option as written
from caesura.run.inputs import Case
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.written_options import require_at_most

LEAST = {"window": 0, "tolerance": 0, "consensus": 1, "near": 1, "k": 1}
"""The options that can be swept, and the least value that each may have."""
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Sweep:
    """A task with one option that takes many values; each value is a variant of the rows."""

    task: Transcript
    option: str
    values: tuple[int, ...]

    @classmethod
    def parse(cls, text: str, task: Transcript, references: int) -> Sweep:
        """Take `OPTION=VALUES`: 0..10, 1,2,5 or 1..m, m the number of references."""
        option, _, values = text.partition("=")
        if option not in LEAST:
            raise UnknownNameError("option to sweep", option, LEAST)
        if task.is_on_signal and option != "consensus":
            raise UsageError(f"a sweep of {option} counts words; drop {written('axis', task.axis)}")
        found = sorted(
            {number for part in values.split(",") for number in _range(part, references, text)}
        )
        if found[0] < LEAST[option]:
            raise UsageError(f"{option} cannot be {found[0]}; choose {LEAST[option]} or more")
        require_at_most(option, found[-1], str(found[-1]))
        if option == "consensus" and references < 2:
            raise UsageError("a sweep of consensus needs several references; give another one")
        if option == "consensus" and found[-1] > references:
            raise UsageError(
                f"a consensus of {found[-1]} needs more references than there are; "
                f"choose 1 to {references}"
            )
        return cls(task, option, tuple(found))

    def count(self, case: Case) -> CountTable:
        """Read one document in every version and count it with each value."""
        systems, references = self.task.versions(case)
        tables = []
        for value in self.values:
            task = replace(self.task, **{self.option: value})  # type: ignore[arg-type]
            counted = count_documents(case.document, systems, references, task)
            tables.append(counted.with_portions(variant=str(value)))
        return CountTable.from_tables(tables)


def by_value(table: CountTable) -> dict[int, CountTable]:
    """The counts of each value."""
    units: dict[int, list[int]] = {}
    for at, portion in enumerate(table.portions):
        units.setdefault(int(portion.variant or 0), []).append(at)
    return {value: table.take(own).with_portions(variant=None) for value, own in units.items()}


def _range(part: str, references: int, text: str) -> range:
    match = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18}|m))?", part.strip())
    if match is None:
        raise UsageError(f"'{text}' is not OPTION=VALUES; for example window=0..10 or window=1,2,5")
    first = int(match[1])
    last = first if match[2] is None else references if match[2] == "m" else int(match[2])
    if not first <= last < first + LONGEST:
        raise UsageError(f"'{part}' is not a range of 1 to {LONGEST:,} values; smallest first")
    return range(first, last + 1)
