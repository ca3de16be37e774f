"""Terms: what was discovered in speech, on the whole corpus, in parts and within talkers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from caesura.errors import FormatError, UsageError, number
from caesura.files import read_text
from caesura.formats.alignments import read_alignment
from caesura.formats.classes import read_clusters
from caesura.measures.terms import Terms
from caesura.rows import Row, SourceCounts
from caesura.segmentation import IntArray
from caesura.sources import Case
from caesura.speech import Discovered, Gold

CORPUS, PART, TALKER, RECORDING = "corpus", "part:", "talker:", "recording:"


@dataclass(frozen=True, slots=True)
class TermsTask:
    """How discovered terms are scored; every option that can change a number.

    `recordings` changes none: each recording is counted alone, too.
    """

    profile: Literal["2017", "paper"] = "2017"
    parts: int = 1
    within_talker: bool = False
    talkers: str | None = None
    seed: int = 12345
    encoding: str | None = None
    recordings: bool = False

    @property
    def is_by_talker(self) -> bool:
        """Whether talkers are scored apart; naming them asks for it."""
        return self.within_talker or self.talkers is not None

    def signature(self) -> dict[str, object]:
        """The options, for the line that is printed beside the scores."""
        fields: dict[str, object] = {"profile": self.profile}
        if self.parts > 1:
            fields |= {"parts": self.parts, "seed": self.seed}
        if self.is_by_talker:
            fields["talkers"] = self.talkers or "recording"
        return fields

    def count(self, case: Case) -> list[Row]:
        """Read the gold and every system's classes and count them."""
        gold = self.read_gold(case.references["phones"], case.references["words"])
        rows = [Row("gold", CORPUS, "source", None, _gold_source(gold))]
        for system, path in case.systems.items():
            found = self.read_found(path, gold)
            rows += [
                Row(system, scope, Terms.name, None, Terms(self.profile).count(found, files))
                for scope, files in self.scopes(gold).items()
            ]
        return rows

    def read_gold(self, phones: str, words: str) -> Gold:
        """Read phones and words of the same recordings."""
        sounds = read_alignment(phones, tier="phones", encoding=self.encoding)
        spoken = read_alignment(words, tier="words", encoding=self.encoding)
        return Gold.of(sounds, spoken, source=words)

    def read_found(self, path: str, gold: Gold) -> Discovered:
        """Read a class file and transcribe it."""
        return Discovered.of(read_clusters(path, encoding=self.encoding), gold)

    def scopes(self, gold: Gold) -> dict[str, IntArray | None]:
        """The recordings of the corpus, of each part and of each talker."""
        scopes: dict[str, IntArray | None] = {CORPUS: None}
        if self.parts > 1:
            scopes |= self._parts(gold)
        if self.is_by_talker:
            scopes |= self._talkers(gold)
        if self.recordings:
            names = enumerate(gold.phones.files)
            scopes |= {f"{RECORDING}{name}": np.array([at]) for at, name in names}
        return scopes

    def _parts(self, gold: Gold) -> dict[str, IntArray | None]:
        """Whole recordings, in an order that the seed tells, cut in equal parts."""
        size = len(gold.phones.files)
        if size < self.parts:
            raise UsageError(
                f"{self.parts} parts of {number(size, 'recording')}; choose {size} or fewer"
            )
        order = np.random.default_rng(self.seed).permutation(size)
        cut = np.array_split(order, self.parts)
        return {f"{PART}{index}": np.sort(part) for index, part in enumerate(cut, 1)}

    def _talkers(self, gold: Gold) -> dict[str, IntArray | None]:
        known = self._talker_of(gold.phones.files)
        talkers = sorted(set(known))
        return {
            f"{TALKER}{talker}": np.array([i for i, name in enumerate(known) if name == talker])
            for talker in talkers
        }

    def _talker_of(self, files: list[str]) -> list[str]:
        if self.talkers is None:
            return files
        if Path(self.talkers).is_file() or Path(self.talkers).suffix in (".txt", ".tsv"):
            return _from_map(self.talkers, files, self.encoding)
        return _from_pattern(self.talkers, files)


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
        raise UsageError(f"the pattern '{pattern}' does not fit the recording '{lost[0]}'")
    group = min(1, compiled.groups)
    return [match[group] for match in found if match is not None]


def _gold_source(gold: Gold) -> SourceCounts:
    return SourceCounts(len(gold.phones.files), len(gold.words), len(gold.phones), ())
