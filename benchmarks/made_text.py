"""Text of any size, made up from a fixed seed as fast as it can be written.

Words are drawn from 20,000 made of letters, as often as Zipf and Mandelbrot say: one block of some
megabytes. Versions of it differ in where lines end; all of them end one with each paragraph of 200
words. Long texts are the block again and again with its paragraphs in a new order each time, so
that nothing longer than a paragraph comes twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
VOCABULARY = 20_000
PARAGRAPH = 200
SENTENCE = 15
END, LINE, BLANK, LETTER = b"\0\n x"


@dataclass(frozen=True)
class Words:
    """Words with a blank after each, and where these blanks are."""

    data: Bytes
    blanks: npt.NDArray[np.int64]
    rng: np.random.Generator

    @classmethod
    def of(cls, number: int, rng: np.random.Generator) -> Words:
        """A text of this many words."""
        sizes = rng.integers(2, 9, size=VOCABULARY)
        spelt = rng.integers(ord("a"), ord("z") + 1, size=(VOCABULARY, 9)).astype(np.uint8)
        spelt[np.arange(VOCABULARY), sizes] = BLANK
        inside = np.arange(9) <= sizes[:, np.newaxis]
        share = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
        chosen = np.searchsorted(share, rng.random(number) * share[-1])
        return cls(spelt[chosen][inside[chosen]], np.cumsum(sizes[chosen] + 1) - 1, rng)

    @cached_property
    def truth(self) -> npt.NDArray[np.int64]:
        """The numbers of the words that end a sentence."""
        return np.flatnonzero(self.rng.random(self.blanks.size) < 1 / SENTENCE)

    def version(self, *, changed: int = 0) -> list[bytes]:
        """The paragraphs as somebody cuts them: at most ends of sentences, and elsewhere.

        One word in `changed` gets a letter more, or another one, by turns.
        """
        rng, size = self.rng, self.blanks.size
        kept = self.truth[rng.random(self.truth.size) < 0.85]
        data = self.data.copy()
        data[self.blanks[np.append(kept, rng.integers(size, size=size // 100))]] = LINE
        data[self.blanks[PARAGRAPH - 1 :: PARAGRAPH]] = END
        if changed:
            places = np.sort(self.blanks[rng.choice(size, size // changed, replace=False)] - 1)
            data[places[::2]] = LETTER
            data = np.insert(data, places[1::2], LETTER)
        return data.tobytes().strip(b"\0 ").split(b"\0")


@dataclass
class Block:
    """Some versions of the same paragraphs, which are used up in ever new orders."""

    versions: Sequence[list[bytes]]
    rng: np.random.Generator
    order: list[int] = field(default_factory=list)

    def write(self, paths: Sequence[Path], size: float) -> None:
        """Write each version to a file of about `size` bytes, at least a paragraph."""
        every = self.versions[0]
        left = max(1, round(size * len(every) / sum(len(each) + 1 for each in every)))
        files = [path.open("wb") for path in paths]
        try:
            while left:
                chosen = self._next(left)
                for file, version in zip(files, self.versions, strict=True):
                    file.write(b"\n".join([version[at] for at in chosen]) + b"\n")
                left -= len(chosen)
        finally:
            for file in files:
                file.close()

    def _next(self, most: int) -> list[int]:
        if not self.order:
            self.order = self.rng.permutation(len(self.versions[0])).tolist()
        chosen, self.order = self.order[:most], self.order[most:]
        return chosen
