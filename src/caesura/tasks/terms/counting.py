"""Terms: what was discovered in speech, on the whole corpus, in parts and within talkers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, UsageError, number
from caesura.io.cwd import is_dir, is_file, local
from caesura.io.files import read_text
from caesura.io.members import Stamp, stamp
from caesura.run.inputs import Case
from caesura.tasks.terms.format import read_clusters
from caesura.tasks.terms.interval_lines import read_intervals
from caesura.tasks.terms.measures import Terms
from caesura.tasks.terms.options import TermsOptions
from caesura.tasks.terms.speech import Discovered, Gold

if TYPE_CHECKING:
    from caesura.output.report.views.clusters import GoldReading, TermsReading

CORPUS = "corpus"
Scopes = dict[tuple[str | None, str], IntArray | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsTask(TermsOptions):
    """Reads and counts a corpus, whole, in parts and by talker."""

    def count(self, case: Case) -> list[Row]:
        """Read the gold and every system's classes and count them."""
        return self._count(case, lambda _system, _found: None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[GoldReading | TermsReading]]:
        """The same, and for the page the words of the gold and the clusters of the systems."""
        from caesura.tasks.terms.report import gold_reading, terms_reading

        readings: list[GoldReading | TermsReading] = []

        def keep(system: str, found: Discovered) -> None:
            readings.extend([] if readings else [gold_reading(found.gold)])
            readings.append(terms_reading(system, found.transcribed))

        return self._count(case, keep), readings

    def _count(self, case: Case, keep: Callable[[str, Discovered], None]) -> list[Row]:
        gold = self.read_gold(**case.references)
        rows = [Row("gold", CORPUS, "source", None, _gold_source(gold))]
        measure = Terms(self.profile, self.ties)
        for system, path in case.systems.items():
            found = self.read_found(path, gold)
            keep(system, found)
            rows += [
                Row(system, name, Terms.name, None, measure.count(found, files), scope=scope)
                for (scope, name), files in self.scopes(gold).items()
            ]
        return rows

    def apart(self, case: Case) -> list[Case]:
        """A case for each system; all in one if the gold would have to be read again for each."""
        versions = (*case.systems.values(), *case.references.values())
        is_on_disk = len(case.files) == len(versions) and all(
            map(_stamps, case.references.values())
        )
        if not is_on_disk:
            return [case]
        return [replace(case, systems={name: path}) for name, path in case.systems.items()]

    def joined(self, counted: Sequence[list[Row]]) -> list[Row]:
        """The rows of all systems; the first row of each is that of the gold."""
        first, *others = counted
        return [*first, *(row for rows in others for row in rows[1:])]

    def read_gold(self, phones: object, words: object) -> Gold:
        """Read phones and words of the same recordings; not again if they are as they were."""
        if not (isinstance(phones, str) and isinstance(words, str)):
            return _gold(phones, words, self.encoding)
        stamps = _stamps(phones), _stamps(words)
        read = _read_gold if all(stamps) else _read_gold.__wrapped__
        return read(phones, words, self.encoding, stamps)

    def read_found(self, found: Any, gold: Gold) -> Discovered:
        """Read a class file, unless it is read already, and transcribe it."""
        if isinstance(found, str):
            found = read_clusters(found, encoding=self.encoding)
        return Discovered.from_clusters(found, gold)

    def scopes(self, gold: Gold) -> Scopes:
        """The recordings of the corpus, of each part, talker and recording, by scope and name."""
        scopes: Scopes = {(None, CORPUS): None}
        if self.parts > 1:
            scopes |= self._parts(gold)
        if self.is_by_talker:
            scopes |= self._talkers(gold)
        if self.recordings:
            names = enumerate(gold.phones.files)
            scopes |= {("recording", name): np.array([at]) for at, name in names}
        return scopes

    def _parts(self, gold: Gold) -> Scopes:
        """Whole recordings, in an order given by the seed, cut in equal parts."""
        size = len(gold.phones.files)
        if size < self.parts:
            raise UsageError(
                f"{self.parts} parts for {number(size, 'recording')}; choose {size} or fewer"
            )
        order = np.random.default_rng(self.seed).permutation(size)
        cut = np.array_split(order, self.parts)
        return {("part", str(index)): np.sort(part) for index, part in enumerate(cut, 1)}

    def _talkers(self, gold: Gold) -> Scopes:
        known = self._talker_of(gold.phones.files)
        talkers = sorted(set(known))
        return {
            ("talker", talker): np.array([i for i, name in enumerate(known) if name == talker])
            for talker in talkers
        }

    def _talker_of(self, files: list[str]) -> list[str]:
        if self.talkers is None:
            return files
        if is_file(local(self.talkers)) or Path(self.talkers).suffix in (".txt", ".tsv"):
            return _from_map(self.talkers, files, self.encoding)
        return _from_pattern(self.talkers, files)


def _stamps(path: str) -> tuple[Stamp, ...]:
    """The state of a file, or of all files in a folder; nothing if it cannot be told."""
    place = Path(local(path))
    found = sorted(map(str, place.iterdir())) if is_dir(place) else [path]
    return tuple(state for state in map(stamp, found) if state)


@lru_cache(maxsize=1)
def _read_gold(
    phones: str,
    words: str,
    encoding: str | None,
    stamps: tuple[tuple[Stamp, ...], ...],  # noqa: ARG001
) -> Gold:
    return _gold(phones, words, encoding)


def _gold(phones: Any, words: Any, encoding: str | None) -> Gold:
    sounds, spoken = (
        read_intervals(each, tier=tier, encoding=encoding) if isinstance(each, str) else each
        for each, tier in ((phones, "phones"), (words, "words"))
    )
    return Gold.from_intervals(
        sounds, spoken, source=words if isinstance(words, str) else "<words>"
    )


def _from_map(path: str, files: list[str], encoding: str | None) -> list[str]:
    known: dict[str, str] = {}
    for at, line in enumerate(read_text(path, encoding).splitlines(), 1):
        cells = line.split()
        if cells and len(cells) != 2:
            raise FormatError(path, number(len(cells), "column"), "write FILE TALKER", line=at)
        known |= {cells[0]: cells[1]} if cells else {}
    missing = [name for name in files if name not in known]
    if missing:
        raise FormatError(path, f"no talker for '{missing[0]}'", "add a line FILE TALKER")
    return [known[name] for name in files]


def _from_pattern(pattern: str, files: list[str]) -> list[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as problem:
        raise UsageError(
            f"'{pattern}' is neither a file nor a pattern ({problem}); for example '^(s\\d+)'"
        ) from None
    found = [compiled.search(name) for name in files]
    lost = [name for name, match in zip(files, found, strict=True) if match is None]
    if lost:
        raise UsageError(f"the pattern '{pattern}' does not match the recording '{lost[0]}'")
    group = min(1, compiled.groups)
    return [match[group] for match in found if match is not None]


def _gold_source(gold: Gold) -> SourceCounts:
    return SourceCounts(len(gold.phones.files), len(gold.words), len(gold.phones), ())
