"""TOOLS: third-party segmenters, a few lines each.

A tool takes a language, or the name of a model, and whether texts or tokens are wanted. It
returns a function, which takes a paragraph and gives its sentences in order, as texts or as lists
of tokens; they may be altered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Literal

Parts = Literal["texts", "tokens"]
Split = Callable[[str], Iterable[Any]]
_MODEL = "en_core_web_sm"


def _nltk(language: str, parts: Parts) -> Split:
    tokenizer = import_module("nltk.tokenize.punkt").PunktTokenizer(language or "english")
    split: Split = tokenizer.tokenize
    if parts == "texts":
        return split
    words = import_module("nltk.tokenize.destructive").NLTKWordTokenizer()
    return lambda text: map(words.tokenize, split(text))


def _spacy(language: str, parts: Parts) -> Split:
    nlp = import_module("spacy").blank(language or "en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 1 << 40
    return _of_spacy(nlp, parts)


def _spacy_senter(model: str, parts: Parts) -> Split:
    nlp = import_module("spacy").load(model or _MODEL, exclude=["parser", "ner", "lemmatizer"])
    nlp.enable_pipe("senter")
    return _of_spacy(nlp, parts)


def _spacy_parser(model: str, parts: Parts) -> Split:
    nlp = import_module("spacy").load(model or _MODEL, exclude=["ner", "lemmatizer"])
    return _of_spacy(nlp, parts)


def _of_spacy(nlp: Any, parts: Parts) -> Split:
    """The sentences of a pipeline of spaCy; tokens are without white space."""
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


def _pysbd(language: str, _: Parts) -> Split:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its patterns are of an older Python
        segmenter = import_module("pysbd").Segmenter(language=language or "en", clean=False)
    return segmenter.segment  # type: ignore[no-any-return]


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


def _segtok(_language: str, _parts: Parts) -> Split:
    return import_module("segtok.segmenter").split_single  # type: ignore[no-any-return]


def _sentencex(language: str, _: Parts) -> Split:
    module = import_module("sentencex")
    return lambda text: module.segment(language or "en", text)


def _nupunkt(_language: str, _parts: Parts) -> Split:
    return import_module("nupunkt").sent_tokenize  # type: ignore[no-any-return]


def _blingfire(_: str, parts: Parts) -> Split:
    module = import_module("blingfire")
    if parts == "texts":
        return lambda text: module.text_to_sentences(text).split("\n")
    return lambda text: [
        module.text_to_words(sentence).split(" ")
        for sentence in module.text_to_sentences(text).split("\n")
    ]


def _wtpsplit(model: str, _: Parts) -> Split:
    return import_module("wtpsplit").SaT(model or "sat-3l-sm").split  # type: ignore[no-any-return]


TOOLS: dict[str, Callable[[str, Parts], Split]] = {
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
TOKENIZERS = ("nltk", "spacy", "spacy-senter", "spacy-parser", "stanza", "syntok", "blingfire")
"""Those that also place tokens."""
DATA = {
    "nltk": "python -m nltk.downloader punkt_tab",
    "stanza": "python -c \"import stanza; stanza.download('en')\"",
}
"""How to get the data that a tool needs besides its package."""
