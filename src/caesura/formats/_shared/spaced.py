"""Spaced words: many words in one text, which become strings only where they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from caesura.core.segmentation import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class SpacedWords(Sequence[str]):
    """Words in UTF-8 with a space after each; none is empty or has white space in it.

    >>> import numpy as np
    >>> words = SpacedWords(b"it rained hard ", np.array([3, 10, 15]))
    >>> words[1], words[1:].text, list(words)
    ('rained', 'rained hard', ['it', 'rained', 'hard'])
    """

    data: bytes
    stops: IntArray  # (words,) where each word and its space end in the data
    start: int = 0
    """Where the first word begins."""

    @property
    def text(self) -> str:
        """The words, separated by one space."""
        stop = int(self.stops[-1]) - 1 if self.stops.size else self.start
        return self.data[self.start : stop].decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return self.stops.size

    def __iter__(self) -> Iterator[str]:
        return iter(self.text.split(" ") if self.stops.size else ())

    @overload
    def __getitem__(self, which: int) -> str: ...

    @overload
    def __getitem__(self, which: slice) -> SpacedWords: ...

    def __getitem__(self, which: int | slice) -> str | SpacedWords:
        """A word, or neighbouring words."""
        if isinstance(which, int):
            at = range(len(self))[which]
            return self[at : at + 1].text
        first, stop, _ = which.indices(len(self))
        start = int(self.stops[first - 1]) if first else self.start
        return SpacedWords(self.data, self.stops[first:stop], start)
