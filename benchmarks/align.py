"""Word alignment beside rapidfuzz's full matrix and jiwer.

    python benchmarks/align.py [--quick] [--markdown] [--patience SECONDS]

Transcripts are made up with a fixed seed: of 20,000 words the frequent ones come most often, and a
recogniser's errors are half substitutions, a quarter deletions, a quarter insertions. `edits`
starts from numbered words, as does rapidfuzz, which is asked for all edits at once; *from text*
also numbers the words, and is what jiwer is beside, which starts from text as well; *with times*
settles ties by times. A peer is left out where, by its time at the size before, it would take
longer than `--patience`. The errors are compared each time, beyond that with rapidfuzz's distance,
which is quicker when told what to expect; a difference stops the benchmark. Everything runs on one
core, and CPU seconds are counted, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import sys
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import jiwer
import numpy as np
from rapidfuzz.distance import Levenshtein

from caesura.align.words import Edits, edits, word_ids
from caesura.core.segmentation import IntArray
from common import cpu_seconds, milliseconds, print_table, times, words

SEED = 12345
VOCABULARY = 20_000
WORD = 400_000
RATES = (0.05, 0.15, 0.3)
HEADER = (
    "words",
    "error rate",
    "edits, ms",
    "with times",
    "from text",
    "rapidfuzz",
    "× edits",
    "jiwer",
    "× from text",
    "errors",
    "certain",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """What a recogniser heard, and what was said, in every form that a program wants."""

    heard: IntArray
    said: IntArray
    texts: tuple[str, str]
    times: tuple[IntArray, IntArray]

    @classmethod
    def of(cls, number: int, rate: float) -> Pair:
        """Make up words with about this error rate."""
        chance = np.random.default_rng(SEED)
        said = drawn(number, chance)
        heard, place = _heard(said, rate, chance)
        spoken = np.arange(number) * WORD
        late = spoken[place] + chance.integers(0, WORD // 4, place.size)
        texts = [" ".join(f"w{word}" for word in each.tolist()) for each in (heard, said)]
        return cls(heard, said, (texts[0], texts[1]), (late, spoken))

    def plain(self) -> Edits:
        """Ours, from numbered words."""
        return edits(self.heard, self.said)

    def timed(self) -> Edits:
        """Ours, with times."""
        return edits(self.heard, self.said, times_a=self.times[0], times_b=self.times[1])

    def from_text(self) -> Edits:
        """Ours, from text."""
        return edits(*word_ids(*self.texts))

    def rapidfuzz(self) -> int:
        """All edits of the full matrix."""
        return len(Levenshtein.editops(*self._arrays))

    def jiwer(self) -> int:
        """The measures of jiwer, with its alignment."""
        found = jiwer.process_words(self.texts[1], self.texts[0])
        return found.substitutions + found.deletions + found.insertions

    def least(self, expected: int) -> int:
        """The least number of errors."""
        return int(Levenshtein.distance(*self._arrays, score_hint=expected))

    @property
    def _arrays(self) -> tuple[array[int], array[int]]:
        heard, said = (array("Q", each.tobytes()) for each in (self.heard, self.said))
        return heard, said


def drawn(number: int, chance: np.random.Generator) -> IntArray:
    """Words, each about as often as its rank tells (Zipf)."""
    return (VOCABULARY ** chance.random(number)).astype(np.int64)


def _heard(said: IntArray, rate: float, chance: np.random.Generator) -> tuple[IntArray, IntArray]:
    """What is heard, and for each word of it the index of what was said."""
    shares = (1 - rate, rate / 2, rate / 4, rate / 4)
    kind = chance.choice(4, said.size, p=shares)
    number = np.array((1, 1, 0, 2))[kind]
    place = np.repeat(np.arange(said.size), number)
    heard = said[place]
    wrong = (kind[place] == 1) | ((kind[place] == 3) & (np.diff(place, prepend=-1) == 0))
    heard[wrong] = drawn(int(wrong.sum()), chance)
    return heard, place


@dataclass
class Peer:
    """Another program, timed as long as it is likely to be done in time."""

    patience: float
    last: dict[float, tuple[int, float]] = field(default_factory=dict)

    def seconds(self, number: int, rate: float, run: Callable[[], int], errors: int) -> float:
        """Its best time, nan where it is left out; its errors have to be ours."""
        size, before = self.last.get(rate, (number, 0.0))
        expected = before * (number / size) ** 2
        if not expected <= self.patience:
            return float("nan")
        require_equal(run(), errors)
        taken = cpu_seconds(run, patience=2.0)
        self.last[rate] = number, taken
        return taken


def require_equal(theirs: int, ours: int) -> None:
    """Stop where the errors differ."""
    if theirs != ours:
        sys.exit(f"error: {ours} errors here, {theirs} elsewhere")


def compare(sizes: tuple[int, ...], patience: float) -> list[list[str]]:
    """A row for each size and error rate."""
    rapidfuzz, other = Peer(patience), Peer(patience)
    rows = []
    for number in sizes:
        for rate in RATES:
            pair = Pair.of(number, rate)
            found = pair.plain()
            require_equal(pair.least(found.errors), found.errors)
            require_equal(pair.timed().errors, found.errors)
            ours = [
                cpu_seconds(run, patience=2.0) for run in (pair.plain, pair.timed, pair.from_text)
            ]
            ask = partial(Peer.seconds, number=number, rate=rate, errors=found.errors)
            theirs = [ask(rapidfuzz, run=pair.rapidfuzz), ask(other, run=pair.jiwer)]
            shown = [milliseconds(seconds) for seconds in ours]
            for seconds, beside in zip(theirs, (ours[0], ours[2]), strict=True):
                shown += _shown(seconds, beside)
            certain = "yes" if found.is_certain else "no"
            rows.append([words(number), f"{rate:.0%}", *shown, f"{found.errors:,}", certain])
    return rows


def _shown(seconds: float, ours: float) -> list[str]:
    return ["–", "–"] if np.isnan(seconds) else [milliseconds(seconds), times(seconds / ours)]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small transcripts only")
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    parser.add_argument(
        "--patience", type=float, default=60.0, help="most seconds of one run of a peer [60]"
    )
    given = parser.parse_args()
    sizes = (10_000, 30_000) if given.quick else (10_000, 100_000, 1_000_000)
    print("CPU milliseconds, best of some runs; × is how many times as long the peer takes.\n")
    print_table(HEADER, compare(sizes, given.patience), markdown=given.markdown)
    print(f"\nload average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
