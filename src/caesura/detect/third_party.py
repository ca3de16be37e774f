"""Third-party segmenters and external programs: their output as boundaries.

A text is given to them paragraph by paragraph, unfolded: many tools break at every newline. What
they print may be altered; boundaries are places in the text, in characters without white space.
A tool is made for a language, or from a model of some name, and for texts or tokens, whichever is
wanted. It is a function, which takes a paragraph and gives its sentences in order, as texts or as
lists of tokens.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, Literal

import numpy as np

from caesura.align.characters import equal_runs
from caesura.core.marks import one_of
from caesura.core.segmentation import Document, IntArray, Segmentation
from caesura.core.tokens import SEPARATOR
from caesura.detect import ADAPTERS, COMMAND_PREFIX, NETWORKS, SPACY_MODEL, programs
from caesura.errors import CaesuraError
from caesura.formats.plain import surfaces

Parts = Literal["texts", "tokens"]
Split = Callable[[str], Iterable[Any]]
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


def segmented(spec: str, document: Document) -> Segmentation:
    """Place a boundary after the word in which a sentence ends, or before which it has ended."""
    text = (document.raw or document.text or "").replace(SEPARATOR, "")
    ends = sentence_ends(spec, text, document.source)
    last_words = np.searchsorted(word_ends(document), ends, side="left")
    length = document.segmentation.length
    return Segmentation.from_positions(last_words[last_words < length], length)


def sentence_ends(spec: str, text: str, source: str) -> IntArray:
    """The places where the sentences of a third-party segmenter, or of a program, end in a text."""
    name, _, argument = spec.partition(":")
    if spec.startswith(COMMAND_PREFIX):
        return places(text, programs.units_of(argument, text))
    return places(text, list(sentences(name, argument, text, source)))


def has_marks(text: str | None) -> bool:
    """Whether there is any punctuation that could end a sentence."""
    return text is not None and _END.search(text) is not None


def sentences(
    name: str, language: str, text: str, source: str, parts: Parts = "texts"
) -> Iterable[Any]:
    """The sentences that a third-party segmenter finds in punctuated text, as texts or tokens."""
    if not has_marks(text) and len(text.split()) > FEW:
        raise UnpunctuatedError(name, source)
    split = tool(name, language, parts)
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPHS.split(text))
    return (sentence for paragraph in paragraphs if paragraph for sentence in split(paragraph))


@lru_cache(maxsize=8)
def tool(name: str, language: str = "", parts: Parts = "texts") -> Split:
    """A third-party segmenter with its data; an error that says how to get them."""
    info = ADAPTERS[name]
    try:
        if name in TOKENIZERS:
            return TOKENIZERS[name](language, parts)
        return _without_tokens(name, language)
    except ImportError as problem:
        raise MissingToolError(name, str(problem), info.install) from None
    except (OSError, LookupError, ValueError) as problem:
        said = re.search(r"[\w\[].*", str(problem))
        cure = f"try: {DATA.get(name, info.install)}"
        raise MissingToolError(name, said[0] if said else "it failed", cure) from None


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


# The tools


def _nltk(language: str, parts: Parts) -> Split:
    tokenizer = import_module("nltk.tokenize.punkt").PunktTokenizer(language or "english")
    split: Split = tokenizer.tokenize
    if parts == "texts":
        return split
    words = import_module("nltk.tokenize.destructive").NLTKWordTokenizer()
    return lambda text: map(words.tokenize, split(text))


def _spacy(kind: str, name: str, parts: Parts) -> Split:
    """A pipeline of spaCy; tokens are without white space."""
    spacy = import_module("spacy")
    if kind == "rules":
        nlp = spacy.blank(name or "en")
        nlp.add_pipe("sentencizer")
        nlp.max_length = 1 << 40
    elif kind == "senter":
        nlp = spacy.load(name or SPACY_MODEL, exclude=["parser", "ner", "lemmatizer"])
        nlp.enable_pipe("senter")
    else:
        nlp = spacy.load(name or SPACY_MODEL, exclude=["ner", "lemmatizer"])
    if parts == "texts":
        return lambda text: [sentence.text for sentence in nlp(text).sents]
    return lambda text: [
        [token.text for token in sentence if not token.is_space] for sentence in nlp(text).sents
    ]


def _stanza(language: str, parts: Parts) -> Split:
    pipeline = import_module("stanza").Pipeline(
        language or "en", processors="tokenize", verbose=False, download_method=None
    )
    if parts == "texts":
        return lambda text: [sentence.text for sentence in pipeline(text).sentences]
    return lambda text: [
        [token.text for token in sentence.tokens] for sentence in pipeline(text).sentences
    ]


def _syntok(_: str, parts: Parts) -> Split:
    analyze = import_module("syntok.segmenter").analyze

    def split(text: str) -> Iterable[Any]:
        for paragraph in analyze(text):
            for sentence in paragraph:
                if parts == "tokens":
                    yield [token.value for token in sentence]
                else:
                    yield "".join(token.spacing + token.value for token in sentence)

    return split


def _blingfire(_: str, parts: Parts) -> Split:
    module = import_module("blingfire")
    if parts == "texts":
        return lambda text: module.text_to_sentences(text).split("\n")
    return lambda text: [
        module.text_to_words(sentence).split(" ")
        for sentence in module.text_to_sentences(text).split("\n")
    ]


TOKENIZERS: dict[str, Callable[[str, Parts], Split]] = {
    "nltk": _nltk,
    "spacy": partial(_spacy, "rules"),
    "spacy-senter": partial(_spacy, "senter"),
    "spacy-parser": partial(_spacy, "parser"),
    "stanza": _stanza,
    "syntok": _syntok,
    "blingfire": _blingfire,
}
"""Tools that also place tokens: functions of a language, or the name of a model."""


def _without_tokens(name: str, language: str) -> Split:
    """A tool that finds sentences alone."""
    split: Split
    if name == "pysbd":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its patterns are of an older Python
            split = import_module("pysbd").Segmenter(language=language or "en", clean=False).segment
    elif name == "segtok":
        split = import_module("segtok.segmenter").split_single
    elif name == "sentencex":
        split = partial(import_module("sentencex").segment, language or "en")
    elif name == "nupunkt":
        split = import_module("nupunkt").sent_tokenize
    else:
        split = import_module("wtpsplit").SaT(language or "sat-3l-sm").split
    return split


DATA = {
    "nltk": "python -m nltk.downloader punkt_tab",
    "stanza": "python -c \"import stanza; stanza.download('en')\"",
}
"""How to get the data that a tool needs besides its package."""
