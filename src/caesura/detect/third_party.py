"""Third-party segmenters and external programs: their output as boundaries.

A text is given to them paragraph by paragraph, unfolded: many tools break at every newline. What
they print may be altered; boundaries are places in the text, in characters without white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from caesura.align.characters import equal_runs
from caesura.core.marks import one_of
from caesura.core.segmentation import Document, IntArray, Segmentation
from caesura.core.tokens import SEPARATOR
from caesura.detect import programs, tools
from caesura.detect.names import ADAPTERS, NETWORKS, Segmenter
from caesura.errors import CaesuraError
from caesura.formats.plain import surfaces

Splitter = Callable[[str], Iterable[str]]
FEW = 50
"""Up to this many words may be without a mark."""
_END = re.compile(one_of(".?!;:…"))
_SPACES = re.compile(rf"[^\S{SEPARATOR}]+")
_PARAGRAPHS = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")


class MissingToolError(CaesuraError):
    """A segmenter that is not installed, or lacks its model."""

    def __init__(self, name: str, problem: str, cure: str) -> None:
        super().__init__(f"the detector '{name}' cannot be run: {problem}; {cure}")


class UnpunctuatedError(CaesuraError):
    """Text without punctuation, given to a segmenter that needs it."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(
            f"{place}: no punctuation, which the detector '{name}' needs to find sentences; give a "
            f"text with punctuation, or run a detector that reads words: {', '.join(NETWORKS)}"
        )


def adapted(name: str, language: str = "") -> Segmenter:
    """A third-party segmenter, on documents."""

    def segment(document: Document) -> Segmentation:
        split = partial(sentences, name, language, source=document.source)
        return _segmented(document, splitter=split)

    return segment


def outside(command: str) -> Segmenter:
    """An external program, on documents."""
    return partial(_segmented, splitter=partial(programs.units_of, command))


def has_marks(text: str | None) -> bool:
    """Whether there is any punctuation that could end a sentence."""
    return text is not None and _END.search(text) is not None


def sentences(name: str, language: str, text: str, source: str) -> Iterable[str]:
    """The sentences that a third-party segmenter finds in punctuated text."""
    if not has_marks(text) and len(text.split()) > FEW:
        raise UnpunctuatedError(name, source)
    return splitter(name, language)(text)


def tokens(name: str, language: str, text: str, source: str) -> Iterable[list[str]]:
    """The sentences, as tokens, that a third-party segmenter finds in punctuated text."""
    if not has_marks(text) and len(text.split()) > FEW:
        raise UnpunctuatedError(name, source)
    split = _loaded(name, language, "tokens")
    return filter(None, map(list, _by_paragraph(split, text)))


@lru_cache(maxsize=8)
def splitter(name: str, language: str = "") -> Splitter:
    """A third-party segmenter, from text to sentences."""
    return partial(_by_paragraph, _loaded(name, language, "texts"))


def _loaded(name: str, language: str, parts: tools.Parts) -> tools.Split:
    """A third-party segmenter with its data; an error that says how to get them."""
    about = ADAPTERS[name]
    try:
        return tools.TOOLS[name](language, parts)
    except ImportError as problem:
        raise MissingToolError(name, str(problem), about.install) from None
    except (OSError, LookupError, ValueError) as problem:
        said = re.search(r"[\w\[].*", str(problem))
        cure = f"try: {tools.DATA.get(name, about.install)}"
        raise MissingToolError(name, said[0] if said else "it failed", cure) from None


def _by_paragraph(split: tools.Split, text: str) -> Iterable[Any]:
    for paragraph in _PARAGRAPHS.split(text):
        unfolded = " ".join(paragraph.split())
        if unfolded:
            yield from split(unfolded)


def _segmented(document: Document, *, splitter: Splitter) -> Segmentation:
    text = (document.raw or document.text or "").replace(SEPARATOR, "")
    ends = places(text, list(splitter(text)))
    found = np.searchsorted(word_ends(document), ends, side="left")
    length = document.segmentation.length
    return Segmentation.from_positions(found[found < length], length)


def as_text(document: Document, name: str) -> Document:
    """A document whose text is on one line, so that only punctuation says where units end."""
    if not has_marks(document.raw) and document.segmentation.boundaries.size > 1:
        raise UnpunctuatedError(name, document.source)
    return replace(document, raw=" ".join(_SPACES.split((document.raw or "").strip())) or None)


def word_ends(document: Document) -> IntArray:
    """The number of characters, without white space, before the end of each word."""
    words = surfaces(document.raw) if document.raw else document.words
    return np.cumsum([len(bare(word)) for word in words], dtype=np.int64)


def places(text: str, sentences: Sequence[str]) -> IntArray:
    """The number of characters, without white space, before the end of each sentence.

    >>> places("Yes,  “no”. Why?", ["Yes, ``no''.", "Why?"]).tolist()
    [9, 13]
    """
    parts = [bare(each) for each in sentences]
    wanted, given = bare(text), "".join(parts)
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    if given != wanted:
        ends = _carried(wanted, given, ends)
    return np.unique(ends[(ends > 0) & (ends <= len(wanted))])


def bare(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def cut(text: str, ends: IntArray) -> list[str]:
    """The parts of a text between places, each on one line; what follows the last is a part too."""
    solid = np.flatnonzero([not character.isspace() for character in text])
    if not solid.size:
        return []
    stops = [*(solid[ends[ends < solid.size]]).tolist(), len(text)]
    starts = [0, *stops[:-1]]
    return [" ".join(text[a:b].split()) for a, b in zip(starts, stops, strict=True)]


def _carried(wanted: str, given: str, ends: IntArray) -> IntArray:
    """Project ends through the runs of characters that both have; between two runs, to the next."""
    runs = equal_runs(wanted, given)
    run = np.searchsorted(runs.b, ends, side="left") - 1
    within = ends - runs.b[run]
    return np.where(
        (run >= 0) & (within <= runs.length[run]),
        runs.a[run] + within,
        np.append(runs.a, runs.size_a)[run + 1],
    )
