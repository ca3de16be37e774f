"""Any detector by its name, and the sentences that it finds in a text or a transcript."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache, partial
from importlib.resources import as_file

from caesura.core.marks import KIN, MARK_EVERY
from caesura.core.plugins import plugins
from caesura.core.segmentation import Document, Segmentation
from caesura.core.tokens import SEPARATOR
from caesura.detect import (
    ADAPTERS,
    AUTO,
    BASELINES,
    COMMAND_PREFIX,
    CUT_BY_F1,
    DETECTORS,
    MODEL,
    NETWORKS,
    Segmenter,
    bundled_weights,
    is_network,
    is_own,
    name_and_threshold,
    programs,
    weights,
)
from caesura.detect.baselines import baseline
from caesura.detect.detector import Detector, ExpectedF1, Threshold
from caesura.detect.third_party import (
    TOKENIZERS,
    adapted,
    as_text,
    cut,
    outside,
    places,
    sentences,
    word_ends,
)
from caesura.errors import CaesuraError, UnknownNameError
from caesura.formats.plain import parse
from caesura.io.cwd import local

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
NO_BREAK = "\u00a0"


def segmenter(spec: str) -> Segmenter:
    """The segmenter of a name: `s2`, `every:10`, `nltk`, `cmd:./program {input}`, `model.npz`."""
    name, _, argument = spec.partition(":")
    if spec.startswith(COMMAND_PREFIX):
        return outside(argument)
    if name in BASELINES:
        return baseline(name, argument)
    if name in ADAPTERS:
        return adapted(name, argument)
    if name == AUTO:
        return partial(_segment_as_fits, spec)
    if is_network(spec):
        return network(spec).segment
    if name in DETECTORS:
        plugged: Segmenter = plugins("detectors")[name]
        return plugged
    raise UnknownNameError("detector", spec, DETECTORS)


def _segment_as_fits(spec: str, document: Document) -> Segmentation:
    """Run the detector that fits a document, for `auto`."""
    return segmenter(resolved(spec, document))(document)


def network(spec: str) -> Detector:
    """The network of such a name, with the threshold after the colon or its own way to decide."""
    name, threshold = name_and_threshold(spec)
    detector = load(local(name) if name.endswith(MODEL) else name)
    if threshold is None:
        return detector
    return replace(detector, cut=Threshold.parse(threshold, name))


@lru_cache(maxsize=8)
def load(name: str) -> Detector:
    """Load a detector that comes with caesura, or one that `caesura train` wrote to a file."""
    if name.endswith(MODEL):
        return Detector.from_file(name)
    if name not in NETWORKS:
        raise UnknownNameError("detector", name, NETWORKS)
    with as_file(bundled_weights(name)) as path:
        detector = Detector.from_weights(weights.read(str(path)))
    return replace(detector, cut=ExpectedF1()) if name in CUT_BY_F1 else detector


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


def split_text(spec: str, text: str, source: str = "<text>") -> list[str]:
    """The sentences that any detector finds in a text, each on one line, characters unchanged."""
    spec = for_text(spec, text, len(text.split()))
    name, _, argument = spec.partition(":")
    if spec.startswith(COMMAND_PREFIX):
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
        " ".join(NO_BREAK.join(token.split()) for token in tokens if token.strip())
        for tokens in map(list, sentences(name, argument, text, source, "tokens"))
        if tokens
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
