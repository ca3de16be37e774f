"""Sweeps: transcripts scored with many values of one option, read once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from caesura.errors import UnknownNameError, UsageError
from caesura.run.cases import Case
from caesura.run.rows import Row
from caesura.tasks.transcript import Transcript, count_documents

# The score that an option is for, and the least value that it may have.
OPTIONS = {
    "window": ("wisebe", 0),
    "tolerance": ("tolerant_f1_mean", 0),
    "consensus": ("consensus_f1", 1),
    "near": ("boundary_similarity_mean", 1),
    "k": ("windowdiff_mean", 1),
}
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Sweep:
    """A task with one option that takes many values; rows of each stand under `VALUE/DOCUMENT`.

    `score` is the one that the option is for.
    """

    task: Transcript
    option: str
    values: tuple[int, ...]
    score: str

    @classmethod
    def parse(cls, text: str, task: Transcript, references: int) -> Sweep:
        """Take `OPTION=VALUES`: 0..10, 1,2,5 or 1..m, m the number of references."""
        option, _, values = text.partition("=")
        if option not in OPTIONS:
            raise UnknownNameError("option to sweep", option, OPTIONS)
        if task.axis == "time" and option != "consensus":
            raise UsageError(f"--sweep {option} is of words; leave --axis time out")
        found = sorted(
            {number for part in values.split(",") for number in _range(part, references, text)}
        )
        if found[0] < OPTIONS[option][1]:
            raise UsageError(f"{option} cannot be {found[0]}; choose {OPTIONS[option][1]} or more")
        if option == "consensus" and found[-1] > references:
            raise UsageError(
                f"a consensus of {found[-1]} asks for more references than there are; "
                f"choose 1 to {references}"
            )
        return cls(task, option, tuple(found), _score(option, references))

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it with each value."""
        systems, references = self.task.versions(case)
        rows = []
        for value in self.values:
            task = replace(self.task, **{self.option: value})  # type: ignore[arg-type]
            rows += count_documents(f"{value}/{case.document}", systems, references, task)
        return rows


def by_value(rows: Sequence[Row]) -> dict[int, list[Row]]:
    """The rows of each value."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        value, _, document = row.document.partition("/")
        found.setdefault(int(value), []).append(replace(row, document=document))
    return found


def _score(option: str, references: int) -> str:
    """The score that an option is for; WiSeBE needs two references."""
    return "window_f1" if option == "window" and references < 2 else OPTIONS[option][0]


def _range(part: str, references: int, text: str) -> range:
    match = re.fullmatch(r"(\d+)(?:\.\.(\d+|m))?", part.strip())
    if match is None:
        raise UsageError(f"'{text}' is not OPTION=VALUES; for example window=0..10 or window=1,2,5")
    first = int(match[1])
    last = first if match[2] is None else references if match[2] == "m" else int(match[2])
    if not first <= last < first + LONGEST:
        raise UsageError(f"'{part}' is no range of 1 to {LONGEST:,} values; write the least first")
    return range(first, last + 1)
