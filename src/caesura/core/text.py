"""Text: tokens and sentences on the axis of characters without white space."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from caesura.core.segmentation import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A tokenized text.

    `stream` holds the characters of all tokens in UTF-8, normalised and without white space;
    `token_ends` where each token ends in it; `sentence_ends` how many tokens lie before the end of
    each sentence; `lines` the line of the source on which each sentence begins. No token and no
    sentence is empty.
    """

    stream: bytes
    token_ends: IntArray
    sentence_ends: IntArray
    lines: IntArray
    source: str = "<tokens>"
    form: str = "tokens"

    @property
    def sentence_offsets(self) -> IntArray:
        """Where each sentence ends in the stream."""
        return self.token_ends[self.sentence_ends - 1]

    def tokens(self, start: int, stop: int) -> list[str]:
        """Some of the tokens."""
        ends = self.token_ends[start:stop].tolist()
        begin = int(self.token_ends[start - 1]) if start else 0
        return [self.stream[a:b].decode() for a, b in pairwise([begin, *ends])]

    def sentence_of(self, token: int) -> int:
        """The index of the sentence that holds a token."""
        return int(np.searchsorted(self.sentence_ends, token, side="right"))

    def place(self, token: int) -> str:
        """The line on which a token's sentence begins, as `FILE:LINE`."""
        if not self.lines.size:
            return self.source
        return f"{self.source}:{self.lines[min(self.sentence_of(token), self.lines.size - 1)]}"
