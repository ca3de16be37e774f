"""TOOLS: third-party segmenters, a few lines each. Each takes a language and is then called.

What a call gives are the sentences of one paragraph, in order; they may be altered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

Split = Callable[[str], Iterable[str]]
_MODEL = "en_core_web_sm"


def _of(function: Any) -> Split:
    split: Split = function
    return split


def _nltk(language: str) -> Split:
    tokenizer = import_module("nltk.tokenize.punkt").PunktTokenizer(language or "english")
    return _of(tokenizer.tokenize)


def _spacy(language: str) -> Split:
    nlp = import_module("spacy").blank(language or "en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 1 << 40
    return lambda text: [each.text for each in nlp(text).sents]


def _spacy_senter(model: str) -> Split:
    nlp = import_module("spacy").load(model or _MODEL, exclude=["parser", "ner", "lemmatizer"])
    nlp.enable_pipe("senter")
    return lambda text: [each.text for each in nlp(text).sents]


def _spacy_parser(model: str) -> Split:
    nlp = import_module("spacy").load(model or _MODEL, exclude=["ner", "lemmatizer"])
    return lambda text: [each.text for each in nlp(text).sents]


def _stanza(language: str) -> Split:
    pipeline = import_module("stanza").Pipeline(
        language or "en", processors="tokenize", verbose=False, download_method=None
    )
    return lambda text: [each.text for each in pipeline(text).sentences]


def _pysbd(language: str) -> Split:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its patterns are of an older Python
        segmenter = import_module("pysbd").Segmenter(language=language or "en", clean=False)
    return _of(segmenter.segment)


def _syntok(_: str) -> Split:
    module = import_module("syntok.segmenter")

    def sentences(text: str) -> Iterable[str]:
        for paragraph in module.analyze(text):
            for sentence in paragraph:
                yield "".join(token.spacing + token.value for token in sentence)

    return sentences


def _segtok(_: str) -> Split:
    module = import_module("segtok.segmenter")
    return _of(module.split_single)


def _sentencex(language: str) -> Split:
    module = import_module("sentencex")
    return lambda text: module.segment(language or "en", text)


def _nupunkt(_: str) -> Split:
    module = import_module("nupunkt")
    return _of(module.sent_tokenize)


def _blingfire(_: str) -> Split:
    module = import_module("blingfire")
    return lambda text: module.text_to_sentences(text).split("\n")


def _wtpsplit(model: str) -> Split:
    network = import_module("wtpsplit").SaT(model or "sat-3l-sm")
    return _of(network.split)


TOOLS: dict[str, Callable[[str], Split]] = {
    "nltk": _nltk,
    "spacy": _spacy,
    "spacy-senter": _spacy_senter,
    "spacy-parser": _spacy_parser,
    "stanza": _stanza,
    "pysbd": _pysbd,
    "syntok": _syntok,
    "segtok": _segtok,
    "sentencex": _sentencex,
    "nupunkt": _nupunkt,
    "blingfire": _blingfire,
    "wtpsplit": _wtpsplit,
}
DATA = {
    "nltk": "python -m nltk.downloader punkt_tab",
    "stanza": "python -c \"import stanza; stanza.download('en')\"",
}
"""How to get the data that a tool needs besides its package."""
