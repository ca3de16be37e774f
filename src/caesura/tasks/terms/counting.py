"""Terms: what was discovered in speech, on the whole corpus, in parts and within talkers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, UsageError, number
from caesura.io.cwd import is_dir, is_file, local
from caesura.io.files import read_text
from caesura.io.paths import Stamp, stamp
from caesura.run.inputs import Case
from caesura.tasks.terms.measures import Terms
from caesura.tasks.terms.options import TermsOptions
from caesura.tasks.terms.speech import Discovered, Gold, read_clusters, read_intervals

if TYPE_CHECKING:
    from caesura.output.report.views import GoldReading, TermsReading

CORPUS = "corpus"
MAPS = (".txt", ".tsv")
"""The suffixes of files that name the talker of each recording."""
Scopes = dict[tuple[str | None, str], IntArray | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsTask(TermsOptions):
    """Reads and counts a corpus, whole, in parts and by talker."""

    def count(self, case: Case) -> list[Row]:
        """Read the gold and every system's classes and count them."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[GoldReading | TermsReading]]:
        """The same, and for the page the words of the gold and the clusters of the systems."""
        readings: list[GoldReading | TermsReading] = []
        return self._count(case, readings), readings

    def _count(self, case: Case, readings: list[GoldReading | TermsReading] | None) -> list[Row]:
        gold = self.read_gold(**case.references)
        size = SourceCounts(len(gold.phones.files), len(gold.words), len(gold.phones), ())
        rows = [Row("gold", CORPUS, SOURCE, None, size)]
        scopes, measure = self._scopes(gold.phones.files), Terms(self.profile, self.ties)
        for system, given in case.systems.items():
            found = self.read_found(given, gold)
            rows += [
                Row(system, name, Terms.name, None, measure.count(found, files), scope=scope)
                for (scope, name), files in scopes.items()
            ]
            if readings is not None:
                from caesura.tasks.terms.report import gold_reading, terms_reading

                readings += [] if readings else [gold_reading(gold)]
                readings.append(terms_reading(system, found.transcribed()))
        return rows

    def apart(self, case: Case) -> list[Case]:
        """A case for each system; all in one if the gold would have to be read again for each."""
        are_paths = len(case.files) == len(case.systems) + len(case.references)
        if not are_paths or not all(map(_stamps, case.references.values())):
            return [case]
        return [replace(case, systems={name: path}) for name, path in case.systems.items()]

    def joined(self, counted: Sequence[list[Row]]) -> list[Row]:
        """The rows of all systems; the first row of each is that of the gold."""
        first, *others = counted
        return [*first, *(row for rows in others for row in rows[1:])]

    def read_gold(self, phones: Any, words: Any) -> Gold:
        """Read phones and words of the same recordings; not again if they are as they were."""
        is_on_disk = isinstance(phones, str) and isinstance(words, str)
        stamps = (_stamps(phones), _stamps(words)) if is_on_disk else ()
        read = _read_gold if stamps and all(stamps) else _read_gold.__wrapped__
        return read(phones, words, self.encoding, stamps)

    def read_found(self, found: Any, gold: Gold) -> Discovered:
        """Read a class file, unless it is read already, and transcribe it."""
        if isinstance(found, str):
            found = read_clusters(found, encoding=self.encoding)
        return Discovered.from_clusters(found, gold)

    def _scopes(self, recordings: list[str]) -> Scopes:
        """The recordings of the corpus, of each part, talker and recording, by scope and name.

        Parts are whole recordings, in an order given by the seed.
        """
        scopes: Scopes = {(None, CORPUS): None}
        if self.parts > 1:
            if len(recordings) < self.parts:
                have = number(len(recordings), "recording")
                cure = f"choose {len(recordings)} or fewer"
                raise UsageError(f"{self.parts} parts for {have}; {cure}")
            order = np.random.default_rng(self.seed).permutation(len(recordings))
            parts = np.array_split(order, self.parts)
            scopes |= {("part", str(at)): np.sort(part) for at, part in enumerate(parts, 1)}
        if self.is_by_talker:
            talkers = recordings
            if self.talkers is not None and (
                is_file(local(self.talkers)) or Path(self.talkers).suffix in MAPS
            ):
                talkers = _talkers_from_map(self.talkers, recordings, self.encoding)
            elif self.talkers is not None:
                talkers = _talkers_from_pattern(self.talkers, recordings)
            talker_of = np.array(talkers, np.object_)
            scopes |= {
                ("talker", talker): np.flatnonzero(talker_of == talker)
                for talker in sorted(set(talkers))
            }
        if self.recordings:
            scopes |= {("recording", name): np.array([at]) for at, name in enumerate(recordings)}
        return scopes


def _stamps(path: str) -> tuple[Stamp, ...]:
    """The state of a file, or of all files in a folder; nothing if it cannot be told."""
    place = Path(local(path))
    paths = sorted(map(str, place.iterdir())) if is_dir(place) else [path]
    return tuple(state for state in map(stamp, paths) if state)


@lru_cache(maxsize=1)
def _read_gold(
    phones: Any,
    words: Any,
    encoding: str | None,
    stamps: tuple[tuple[Stamp, ...], ...],  # noqa: ARG001
) -> Gold:
    """The gold, given by path or by value; `stamps` say if its files have changed."""
    source = words if isinstance(words, str) else "<words>"
    if isinstance(phones, str):
        phones = read_intervals(phones, tier="phones", encoding=encoding)
    if isinstance(words, str):
        words = read_intervals(words, tier="words", encoding=encoding)
    return Gold.from_intervals(phones, words, source)


def _talkers_from_map(path: str, files: list[str], encoding: str | None) -> list[str]:
    known: dict[str, str] = {}
    for line, text in enumerate(read_text(path, encoding).splitlines(), 1):
        cells = text.split()
        if cells and len(cells) != 2:
            raise FormatError(path, number(len(cells), "column"), "write FILE TALKER", line=line)
        known |= {cells[0]: cells[1]} if cells else {}
    missing = [name for name in files if name not in known]
    if missing:
        raise FormatError(path, f"no talker for '{missing[0]}'", "add a line FILE TALKER")
    return [known[name] for name in files]


def _talkers_from_pattern(pattern: str, files: list[str]) -> list[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as problem:
        raise UsageError(
            f"'{pattern}' is neither a file nor a pattern ({problem}); for example '^(s\\d+)'"
        ) from None
    talkers = []
    for name in files:
        match = compiled.search(name)
        if match is None:
            raise UsageError(f"the pattern '{pattern}' does not match the recording '{name}'")
        talkers.append(match[min(1, compiled.groups)])
    return talkers
