"""TextFile: a text as it was read; and TextOptions, how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from caesura.core.text import Text
from caesura.formats._shared.equivalences import TABLES, Equivalences

if TYPE_CHECKING:
    from caesura.core.treebank_table import AnnotatedText


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text is read: every option that can change a token."""

    input: str = "auto"
    units: str = "tokens"
    equivalences: Equivalences = TABLES["quotes"]
    normalize: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text in the requested units and, if it is CoNLL-U, its treebank."""

    text: Text
    treebank: AnnotatedText | None = None


File = TypeVar("File", bound=TextFile)
"""A text file, or what a task has made of it."""
