"""Format: what files of a format hold, how they are recognised, and who reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypedDict

AxisName = Literal["words", "time", "samples"]
"""What boundaries lie on: words, a clock in microseconds, or observations 0 … n - 1."""

Units = Literal["auto", "marks", "segments", "breaks", "intervals"]
"""What ends a unit: marks, segments of the format, …; `auto`: marks if there are any."""
Pieces = Literal["words", "segments", "both"]
TRANSCRIPT, TEXT = "transcript", "text"


class FormatOptions(TypedDict, total=False):
    """Options of some formats: the tier to read, samples per second, whether to go on, and what
    scores are.

    With `force`, lines that are not valid are left out where the format can do without them.
    Numbers without words are times, or samples, where the `axis` is not words.
    """

    tier: str
    rate: int
    force: bool
    axis: AxisName
    scores: str


class Codec(NamedTuple):
    """The functions of a format: how its files are read, written, and recognised.

    Readers of transcripts take the text and the name of its source, and the `options` that the
    format has, and return a script for each recording; those of text take UTF-8 bytes, the source
    and TextOptions, and return a TextFile. Readers of other formats are called by their tasks.
    Writers take scripts, of pieces that the format holds, and return the text in parts.
    """

    read: Callable[..., Any]
    write: Callable[..., Any] | None = None
    is_like: Callable[[str], bool] | None = None
    """Decides by the beginning, after the opening and what it contains."""
    may_be: Callable[[str], bool] | None = None
    """Whether the format is possible where `is_like` says no: words with numbers among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format; the module with its functions is imported when they are used."""

    name: str
    about: str
    holds: str = TRANSCRIPT
    """A transcript, text, or what a task scores: trees."""
    module: str = ""
    """The module that reads and writes it, whose CODECS have its functions by its name."""
    is_written: bool = False
    """Whether it can be written."""
    options: tuple[str, ...] = ()

    # How a file is recognised
    suffixes: tuple[str, ...] = ()
    opening: str = ""
    """A pattern with which a file begins."""
    contains: str = ""
    """A string near its beginning."""
    is_like_words: bool = False
    """Whether words with numbers among them may look like it: its codec has `may_be`."""

    # Transcripts
    is_plain: bool = False
    """Whether it is plain text without times, read together with others of its kind."""
    units: Units = "segments"
    """What ends a unit by default."""
    pieces: Pieces = "words"
    """What it can be written from."""
    holds_many: bool = False
    """Whether one file can hold many recordings."""
    has_words: bool = True
    """Whether it holds words, not boundaries only."""

    @property
    def line(self) -> str:
        """What is said of it in a list of formats."""
        return self.about if self.holds == TRANSCRIPT else f"{self.holds}: {self.about}"

    @property
    def functions(self) -> Codec:
        """Its functions."""
        codecs: Mapping[str, Codec] = import_module(self.module).CODECS
        return codecs[self.name]

    def is_like(self, head: str) -> bool:
        """Whether the beginning of a text looks like this format."""
        if not (self.opening or self.contains) or self.contains not in head:
            return False
        if not re.match(self.opening, head, re.DOTALL):
            return False
        is_like = self.functions.is_like
        return is_like is None or bool(is_like(head))

    def is_doubtful(self, head: str) -> bool:
        """Whether the beginning of a text could be this format's, or words with some numbers."""
        if not (self.is_like_words and re.match(self.opening, head, re.DOTALL)):
            return False
        may_be = self.functions.may_be
        return may_be is not None and may_be(head)
