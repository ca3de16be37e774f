"""Format: what files of a format hold, how they are recognised, and who reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from caesura.core.registry import Later

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format; its functions are imported when they are used.

    Readers of transcripts take the text and the name of its source, and the `options` that the
    format has, and return a script for each recording; those of text take UTF-8 bytes, the source
    and TextOptions, and return a TextFile. Readers of other formats are called by their tasks.
    """

    name: str
    about: str
    holds: str = TRANSCRIPT
    """A transcript, text, or what a task scores: trees."""
    reader: Later[Callable[..., Any]] | None = None
    writer: Later[Callable[..., Any]] | None = None
    """Takes scripts, of pieces that the format holds, and returns the text in parts."""
    options: tuple[str, ...] = ()

    # How a file is recognised
    suffixes: tuple[str, ...] = ()
    opening: str = ""
    """A pattern with which a file begins."""
    contains: str = ""
    """A string near its beginning."""
    look: Later[Callable[[object], bool]] | None = None
    """Decides by the beginning, after the opening and what it contains."""
    doubt: Later[Callable[[str], bool]] | None = None
    """Whether the format is possible where `look` says no: words with numbers among them."""

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

    def is_like(self, head: str) -> bool:
        """Whether the beginning of a text looks like this format."""
        if not (self.opening or self.contains) or self.contains not in head:
            return False
        if not re.match(self.opening, head, re.DOTALL):
            return False
        return self.look is None or bool(self.look.it(head))

    def is_doubtful(self, head: str) -> bool:
        """Whether the beginning of a text could be this format's, or words with some numbers."""
        return bool(self.doubt and re.match(self.opening, head, re.DOTALL) and self.doubt.it(head))
