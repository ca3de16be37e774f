"""Text: tokens and sentences on the axis of characters without white space."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import FIRST, IntArray
from caesura.errors import number, shortened

Units = npt.NDArray[np.unsignedinteger[Any]]
_WIDTHS = (("latin-1", 1), ("utf-16-le", 2), ("utf-32-le", 4))


def code_units(*texts: str) -> list[Units]:
    """The characters of some texts as numbers of one width, the smallest that holds them all.

    >>> [units.tolist() for units in code_units("ab", "é")], code_units("日")[0].dtype.name
    ([[97, 98], [233]], 'uint16')
    """
    for codec, width in _WIDTHS:
        with suppress(UnicodeEncodeError):
            data = [text.encode(codec, "surrogatepass") for text in texts]
            if all(len(each) == width * len(text) for each, text in zip(data, texts, strict=True)):
                break
    return [np.frombuffer(each, f"<u{width}") for each in data]


@dataclass(frozen=True, eq=False)
class Text:
    """A tokenized text.

    `stream` holds the characters of all tokens, normalised and without white space;
    `token_ends` where each token ends in it; `sentence_ends` how many tokens lie before the end of
    each sentence; `lines` the line of the source on which each sentence begins. No token and no
    sentence is empty. `signs` are what the reader noticed, as numbers by kind: `guessed` (1 if the
    format was), `text_differs` (sentences whose `# text` is not that of their tokens),
    `empty_trees` (trees without any word), `outside_edits`, `overlapping_edits` and
    `annotators_missing` (of corrections, and on which line the first is).
    """

    stream: str
    token_ends: IntArray
    sentence_ends: IntArray
    lines: IntArray
    source: str = "<tokens>"
    form: str = "tokens"
    signs: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def sentence_offsets(self) -> IntArray:
        """Where each sentence ends in the stream."""
        return self.token_ends[self.sentence_ends - 1]

    def __repr__(self) -> str:
        """Its size, form, source and first tokens."""
        tokens, sentences = (each.size for each in (self.token_ends, self.sentence_ends))
        about = f"{number(tokens, 'token')}, {number(sentences, 'sentence')}, {self.form}"
        first = shortened(" ".join(self.tokens(0, FIRST)) + " …" * (tokens > FIRST))
        source = "" if self.source.startswith("<") else f" {self.source}"
        return f"<Text{source}: {about}{': ' * bool(first)}{first}>"

    def tokens(self, start: int, stop: int) -> list[str]:
        """Some of the tokens."""
        ends = self.token_ends[start:stop].tolist()
        begin = int(self.token_ends[start - 1]) if start else 0
        return [self.stream[a:b] for a, b in pairwise([begin, *ends])]

    def sentence_of(self, token: int) -> int:
        """The index of the sentence that holds a token."""
        return int(np.searchsorted(self.sentence_ends, token, side="right"))

    def place(self, token: int) -> str:
        """The line on which a token's sentence begins, as `FILE:LINE`."""
        if not self.lines.size:
            return self.source
        return f"{self.source}:{self.lines[min(self.sentence_of(token), self.lines.size - 1)]}"
