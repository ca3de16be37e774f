"""Third-party segmenters and external programs: their output as boundaries.

A text is given to them paragraph by paragraph, unfolded: many tools break at every newline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

import numpy as np

from caesura.core.segmentation import Document, IntArray, Segmentation
from caesura.detect import programs, tools
from caesura.detect.offsets import bare, places
from caesura.detect.registry import ADAPTERS, Segmenter
from caesura.errors import CaesuraError
from caesura.formats.plain import surfaces

Splitter = Callable[[str], Iterable[str]]
_PARAGRAPHS = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")


class MissingToolError(CaesuraError):
    """A segmenter that is not installed, or lacks its model."""

    def __init__(self, name: str, problem: str, cure: str) -> None:
        super().__init__(f"the detector '{name}' cannot be run: {problem}; {cure}")


def adapted(name: str, language: str = "") -> Segmenter:
    """A third-party segmenter, on documents."""
    return partial(_segmented, splitter=splitter(name, language))


def outside(command: str) -> Segmenter:
    """An external program, on documents."""
    return partial(_segmented, splitter=partial(programs.lines_of, command))


@lru_cache(maxsize=8)
def splitter(name: str, language: str = "") -> Splitter:
    """A third-party segmenter, from text to sentences."""
    about = ADAPTERS[name]
    try:
        split = tools.TOOLS[name](language)
    except ImportError as problem:
        raise MissingToolError(name, str(problem), about.install) from None
    except (OSError, LookupError, ValueError) as problem:
        said = re.search(r"[\w\[].*", str(problem))
        cure = f"try: {tools.DATA.get(name, about.install)}"
        raise MissingToolError(name, said[0] if said else "it failed", cure) from None
    return partial(_by_paragraph, split)


def _by_paragraph(split: Callable[[str], Iterable[str]], text: str) -> Iterable[str]:
    for paragraph in _PARAGRAPHS.split(text):
        unfolded = " ".join(paragraph.split())
        if unfolded:
            yield from split(unfolded)


def _segmented(document: Document, *, splitter: Splitter) -> Segmentation:
    text = document.raw or document.text or ""
    ends = places(text, list(splitter(text)))
    found = np.searchsorted(word_ends(document), ends, side="left")
    length = document.segmentation.length
    return Segmentation.from_positions(found[found < length], length)


def word_ends(document: Document) -> IntArray:
    """The number of characters, without white space, before the end of each word."""
    words = surfaces(document.raw) if document.raw else document.words
    return np.cumsum([len(bare(word)) for word in words], dtype=np.int64)
