"""Morphs: words or sentences, each segmented into morphs, one per line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SEPARATOR = "|"
"""What separates the morphs of a line where they are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class MorphTable:
    """Lines of a file: what is segmented, its morphs as written (`mor @@pheme`), a category.

    `categories` is empty if no line has one; `lines` are the numbers of the lines in the file.
    `signs` are `odd_morphs`, lines with an empty morph or with @@ at their beginning, and
    `other_words`, lines that are paired with those of other words, each with the first line.
    """

    words: list[str]
    morphs: list[str]
    categories: list[str]
    lines: Sequence[int]
    source: str
    signs: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)

    def at(self, places: Sequence[int]) -> MorphTable:
        """The same with some lines, in the order that is given."""
        return self._with(lambda values: [values[place] for place in places] if values else [])

    def some(self, part: slice) -> MorphTable:
        """A part of the lines."""
        return self._with(lambda values: values[part])

    def _with(self, take: Callable[[Any], Any]) -> MorphTable:
        columns = self.words, self.morphs, self.categories, self.lines
        words, morphs, categories, lines = map(take, columns)
        return MorphTable(words, morphs, categories, lines, self.source, self.signs)


def separated(lines: Sequence[str], separator: str = SEPARATOR) -> list[str]:
    """The morphs of each line with a separator between them: ` @@` and blanks are the same.

    The usual one separates where it is in the text, too, as in SIGMORPHON's evaluate.py.

    >>> separated(["read @@er s"]), separated(["read @@er s"], "")
    (['read|er|s'], ['readers'])
    """
    text = "\n".join(lines).replace(" @@", " ").replace(" ", separator)
    return text.split("\n") if lines else []
