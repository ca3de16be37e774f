"""Auto: the detector that reads what it is given, punctuated text or bare words."""

from __future__ import annotations

import re

from caesura.core.marks import KIN, MARK_EVERY
from caesura.core.segmentation import Document
from caesura.core.tokens import SEPARATOR
from caesura.detect.names import ADAPTERS, AUTO
from caesura.errors import CaesuraError

WORDS = "best"
"""The detector of bare words."""
ASCII_MARKS = ("nupunkt", "syntok", "spacy", "pysbd", "nltk", "sentencex")
"""Detectors of text whose sentences end with . ? and !, by F1 and weight (docs/detectors.md)."""
OTHER_MARKS = ("sentencex", "spacy", "pysbd")
"""Detectors that know the marks of other scripts, and languages by name."""
_OTHER = re.compile(f"[{re.escape(KIN['.'] + KIN['?'] + KIN['!'])}]")
MOSTLY_BLANK = 100
"""The characters for each word from which on a text is mostly white space."""
_ASCII = re.compile(r"[.?!](?!\w)")


def resolved(spec: str, document: Document) -> str:
    """The name of a detector; for `auto` or `auto:LANG`, of the one that fits a document."""
    text = (document.raw or "").replace(SEPARATOR, "")
    return for_text(spec, text, document.segmentation.length)


def without_blanks(text: str, words: int) -> str:
    """A text of some words, without its white space if that is most of it: searching takes long."""
    return " ".join(text.split()) if len(text) > MOSTLY_BLANK * words else text


def for_text(spec: str, text: str, words: int) -> str:
    """The name of a detector; for `auto`, of the one that fits a text of some words.

    >>> for_text("auto", "so it rained all night", 5), for_text("every:3", "", 0)
    ('best', 'every:3')
    """
    name, _, language = spec.partition(":")
    if name != AUTO:
        return spec
    text = without_blanks(text, words)
    others, marks = len(_OTHER.findall(text)), len(_ASCII.findall(text))
    if (others + marks) * MARK_EVERY < max(1, words):
        return WORDS
    tools = OTHER_MARKS if language or others > marks else ASCII_MARKS
    tool = next((each for each in tools if ADAPTERS[each].is_installed), None)
    if tool is None:
        raise CaesuraError(
            f"{AUTO}: no detector of punctuated text is installed; pip install "
            f"'caesura-eval[segmenters]', or name a detector that reads words: {WORDS}"
        )
    return f"{tool}:{language}" if language else tool
