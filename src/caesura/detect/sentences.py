"""Sentences: what any detector makes of a text."""

from __future__ import annotations

from caesura.detect import ADAPTERS, OUTSIDE, programs, segmenter
from caesura.detect.offsets import cut, places
from caesura.detect.texts import splitter, word_ends
from caesura.formats.plain import parse


def split_text(spec: str, text: str) -> list[str]:
    """The sentences that any detector finds in a text, each on one line, characters unchanged."""
    name, _, argument = spec.partition(":")
    if spec.startswith(OUTSIDE):
        return cut(text, places(text, list(programs.lines_of(argument, text))))
    if name in ADAPTERS:
        return cut(text, places(text, list(splitter(name, argument)(text))))
    document = parse(text, "lines")
    found = segmenter(spec)(document)
    return cut(text, word_ends(document)[found.boundaries[:-1]])
