"""Trees: constituents as arrays, over the tokens of a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.formats.text_file import TextFile

ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
"""How the Penn Treebank writes brackets, as tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Words with their tags: numbers of names, and where each word stands in the file."""

    tag: IntArray
    starts: IntArray
    stops: IntArray

    def some(self, which: IntArray | slice) -> Leaves:
        """Some of them."""
        return Leaves(self.tag[which], self.starts[which], self.stops[which])


@dataclass(frozen=True, slots=True, eq=False)
class Constituents:
    """Brackets around leaves, in the order in which they open.

    `label` is the number of a name, `first` how many leaves lie before it, `last` how many before
    its end; `depth` is 1 for the outermost.
    """

    label: IntArray
    first: IntArray
    last: IntArray
    depth: IntArray

    def some(self, which: IntArray | slice) -> Constituents:
        """Some of them."""
        return Constituents(
            self.label[which], self.first[which], self.last[which], self.depth[which]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The trees of a file as they stand there, with empty elements and empty brackets.

    `names` are its tags and labels, `begins` and `stops` where each tree begins and ends in the
    file, `ends` how many leaves lie before its end.
    """

    data: bytes
    source: str
    names: tuple[str, ...]
    leaves: Leaves
    brackets: Constituents
    begins: IntArray
    stops: IntArray
    ends: IntArray

    def word(self, leaf: int) -> str:
        """The word of a leaf."""
        return self.data[int(self.leaves.starts[leaf]) : int(self.leaves.stops[leaf])].decode()

    def tag(self, leaf: int) -> str:
        """The tag of a leaf."""
        return self.names[int(self.leaves.tag[leaf])]

    def lines(self) -> tuple[IntArray, int]:
        """The line of each tree, from 0, and how many lines there are, blank ones included.

        Where a tree is spread over lines, each tree is taken for a line.
        """
        breaks = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
        line, end = (np.searchsorted(breaks, each) for each in (self.begins, self.stops))
        if (line < end).any():
            return np.arange(line.size), line.size
        has_rest = bool(self.data) and not self.data.endswith(b"\n")
        return line, breaks.size + has_rest


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The trees that are scored: tokens with tags, and brackets over them.

    `text` has the characters as they are compared; a token of it is a leaf of `leaves`. A tree
    without any word is a sentence without tokens, which is not in the text; `empty` says of each
    how many sentences of the text precede it.
    """

    text: Text
    data: bytes
    names: tuple[str, ...]
    leaves: Leaves
    brackets: Constituents
    empty: IntArray

    def words(self, start: int, stop: int) -> list[str]:
        """Some tokens as they are written."""
        starts, stops = self.leaves.starts[start:stop], self.leaves.stops[start:stop]
        spans = zip(starts.tolist(), stops.tolist(), strict=True)
        return [self.data[a:b].decode() for a, b in spans]

    def tags(self, start: int, stop: int) -> list[str]:
        """The tags of some tokens."""
        return [self.names[tag] for tag in self.leaves.tag[start:stop].tolist()]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile(TextFile):
    """A text and its trees; for evalb also `forest`, the trees as they stand in the file."""

    trees: Trees
    forest: Forest | None = None
