"""Edits for the page: those that only one side has, grouped by what they replace by what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from caesura.output.report.views.edits import CorrectionsReading, EditCase, EditPattern, Side
from caesura.output.report.views.reading import MOST_CASES, MOST_PATTERNS
from caesura.tasks.corrections.counting import EditError, EditErrors

Key = tuple[Side, str, str]


@dataclass(slots=True)
class _SameEdits:
    """The same edits while they are being counted; of each type, the first are kept."""

    key: Key
    times: Counter[str] = field(default_factory=Counter)
    cases: list[EditCase] = field(default_factory=list)

    def add(self, document: str, error: EditError) -> None:
        self.times[error.kind] += 1
        if self.times[error.kind] <= MOST_CASES:
            self.cases.append(
                EditCase(
                    document=document,
                    place=PurePath(error.place).name,
                    type=error.kind,
                    before=error.before,
                    after=error.after,
                )
            )

    def pattern(self) -> EditPattern:
        side, text, correction = self.key
        times = dict(self.times.most_common())
        return EditPattern(
            side=side, text=text, correction=correction, times=times, cases=tuple(self.cases)
        )


def corrections_readings(found: Iterable[EditErrors]) -> Iterator[CorrectionsReading]:
    """For each system the patterns of its wrong edits, the most frequent first."""
    systems: dict[str, dict[Key, _SameEdits]] = {}
    for document in found:
        for system, errors in document.errors.items():
            groups = systems.setdefault(system, {})
            for error in errors:
                key = error.side, error.text, error.correction
                groups.setdefault(key, _SameEdits(key)).add(document.document, error)
    for system, groups in systems.items():
        yield _most(system, list(groups.values()))


def _most(system: str, groups: list[_SameEdits]) -> CorrectionsReading:
    groups.sort(key=lambda each: (-each.times.total(), each.key))
    return CorrectionsReading(
        system=system,
        edits=sum(each.times.total() for each in groups),
        kinds=len(groups),
        patterns=tuple(each.pattern() for each in groups[:MOST_PATTERNS]),
    )
