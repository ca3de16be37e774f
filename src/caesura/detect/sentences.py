"""Sentences: the output of any detector on a text or a transcript."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.segmentation import Document
from caesura.detect import ADAPTERS, OUTSIDE, is_network, is_own, network, programs, segmenter
from caesura.detect.auto import for_text, resolved
from caesura.detect.offsets import cut, places
from caesura.detect.third_party import as_text, sentences, tokens, word_ends
from caesura.detect.tools import TOKENIZERS
from caesura.formats.plain import parse

NO_BREAK = "\u00a0"


def split_text(spec: str, text: str, source: str = "<text>") -> list[str]:
    """The sentences that any detector finds in a text, each on one line, characters unchanged."""
    spec = for_text(spec, text, len(text.split()))
    name, _, argument = spec.partition(":")
    if spec.startswith(OUTSIDE):
        return cut(text, places(text, programs.units_of(argument, text)))
    if name in ADAPTERS:
        return cut(text, places(text, list(sentences(name, argument, text, source))))
    document = parse(text, "lines")
    found = segmenter(spec)(document)
    return cut(text, word_ends(document)[found.boundaries[:-1]])


def has_tokens(spec: str) -> bool:
    """Whether a detector places tokens, too."""
    return spec.partition(":")[0] in TOKENIZERS


def tokenize_text(spec: str, text: str, source: str = "<text>") -> list[str]:
    """The sentences that a detector finds in a text, each on one line, in tokens.

    White space inside a token becomes a no-break space.
    """
    name, _, argument = spec.partition(":")
    return [
        " ".join(NO_BREAK.join(token.split()) for token in sentence if token.strip())
        for sentence in tokens(name, argument, text, source)
    ]


def detected(spec: str, document: Document) -> Document:
    """A document with the boundaries that a detector places, given its words or punctuated text."""
    given, spec = spec, resolved(spec, document)
    detector = segmenter(spec)
    if spec.partition(":")[0] in ADAPTERS:
        seen = replace(as_text(document, spec), form="text")
    else:
        seen = replace(document, raw=None, form="words")
    unknown = unknown_words(spec, document)
    signs = {"unknown_own" if is_own(spec) else "unknown": unknown} if unknown else {}
    signs |= {f"auto_{spec}": 1} if given != spec else {}
    return replace(seen, raw=None, segmentation=detector(seen), signs=signs)


def unknown_words(spec: str, document: Document) -> int:
    """How many words a detector does not know; baselines and tools know all."""
    return network(spec).vocabulary.unknown(document.words) if is_network(spec) else 0
