"""Any detector by its name, baselines among them, and the sentences that it finds in a text.

Baselines need no learning: every N words, random, none, all, and pauses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from importlib.resources import as_file

import numpy as np

from caesura.core.marks import KIN, MARK_EVERY
from caesura.core.plugins import plugins
from caesura.core.segmentation import Document, IntArray, Segmentation, Track
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
    weights,
)
from caesura.detect.detector import Detector, ExpectedF1, Threshold
from caesura.detect.third_party import (
    TOKENIZERS,
    as_text,
    cut,
    segmented,
    sentence_ends,
    sentences,
    word_ends,
)
from caesura.errors import CaesuraError, SourceError, UnknownNameError, UsageError
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
DEFAULTS = {"random": "12345", "pauses": "0.5"}
EXAMPLES = {"every": "every:12", "random": "random:1", "pauses": "pauses:0.5"}
"""Arguments of baselines."""
SECOND = 1_000_000
NO_BREAK = "\u00a0"


def segmenter(spec: str) -> Segmenter:
    """The segmenter of a name: `s2`, `every:10`, `nltk`, `cmd:./program {input}`, `model.npz`."""
    name, _, argument = spec.partition(":")
    if spec.startswith(COMMAND_PREFIX) or name in ADAPTERS:
        return partial(segmented, spec)
    if name in BASELINES:
        return baseline(name, argument)
    if name == AUTO:
        return lambda document: segmenter(resolved(spec, document))(document)
    if is_network(spec):
        return network(spec).segment
    if name in DETECTORS:
        plugged: Segmenter = plugins("detectors")[name]
        return plugged
    raise UnknownNameError("detector", spec, DETECTORS)


def baseline(name: str, argument: str = "") -> Segmenter:
    """A baseline with the argument after its name and a colon.

    >>> words = Document(Segmentation.from_masses([7]))
    >>> baseline("every", "3")(words).masses.tolist()
    [3, 3, 1]
    """
    if name in ("none", "all"):
        if argument:
            raise UsageError(f"'{name}' takes no argument: '{argument}'; remove it")
        return partial(_with_baseline, name=name)
    try:
        value = float(argument or DEFAULTS.get(name, ""))
    except ValueError:
        value = float("nan")
    least = 1 if name == "every" else 0
    if not least <= value < float("inf") or (name != "pauses" and value % 1):
        raise UsageError(
            f"'{name}:{argument}' is not a detector; give a number, such as {EXAMPLES[name]}"
        )
    return partial(_with_baseline, name=name, value=value)


def _with_baseline(document: Document, *, name: str, value: float = 0) -> Segmentation:
    """A document with the boundaries of a baseline."""
    length = document.segmentation.length
    boundaries: Sequence[int] | IntArray = ()
    if name == "all":
        boundaries = np.arange(length)
    elif name == "every":
        boundaries = np.arange(int(value) - 1, length, int(value))
    elif name == "random":  # as many as the document has
        inner = max(document.segmentation.boundaries.size - 1, 0)
        generator = np.random.default_rng(int(value))
        boundaries = generator.choice(max(length - 1, 0), inner, replace=False).astype(np.int64)
    elif name == "pauses":
        start, end = document.track.start, document.track.end
        if start is None or end is None:
            cure = "give a file that has word times, or choose another detector"
            raise SourceError(document.source, "no word times, which `pauses` needs", cure)
        is_known = (start[1:] != Track.UNKNOWN) & (end[:-1] != Track.UNKNOWN)
        boundaries = np.flatnonzero(is_known & (start[1:] - end[:-1] >= value * SECOND))
    return Segmentation.from_positions(boundaries, length)


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
    if spec.startswith(COMMAND_PREFIX) or spec.partition(":")[0] in ADAPTERS:
        return cut(text, sentence_ends(spec, text, source))
    document = parse(text, "lines")
    segmentation = segmenter(spec)(document)
    return cut(text, word_ends(document)[segmentation.boundaries[:-1]])


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
