"""TOOLS: third-party segmenters, a few lines each. Each takes a language and is then called.

What a call gives are the sentences of one paragraph, in order; they may be altered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

Split = Callable[[str], Iterable[str]]
Tokenize = Callable[[str], Iterable[Iterable[str]]]
"""From a paragraph to its sentences, each of them tokens."""
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


def _nltk_tokens(language: str) -> Tokenize:
    split = _nltk(language)
    words = import_module("nltk.tokenize.destructive").NLTKWordTokenizer()
    return lambda text: map(words.tokenize, split(text))


def _tokens_of(nlp: Any) -> Tokenize:
    """The tokens of a pipeline of spaCy, without white space."""
    return lambda text: [
        [token.text for token in each if not token.is_space] for each in nlp(text).sents
    ]


def _spacy_tokens(language: str) -> Tokenize:
    nlp = import_module("spacy").blank(language or "en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 1 << 40
    return _tokens_of(nlp)


def _spacy_parser_tokens(model: str) -> Tokenize:
    return _tokens_of(import_module("spacy").load(model or _MODEL, exclude=["ner", "lemmatizer"]))


def _spacy_senter_tokens(model: str) -> Tokenize:
    nlp = import_module("spacy").load(model or _MODEL, exclude=["parser", "ner", "lemmatizer"])
    nlp.enable_pipe("senter")
    return _tokens_of(nlp)


def _stanza_tokens(language: str) -> Tokenize:
    pipeline = import_module("stanza").Pipeline(
        language or "en", processors="tokenize", verbose=False, download_method=None
    )
    return lambda text: [[token.text for token in each.tokens] for each in pipeline(text).sentences]


def _syntok_tokens(_: str) -> Tokenize:
    module = import_module("syntok.segmenter")
    return lambda text: [
        [token.value for token in sentence]
        for paragraph in module.analyze(text)
        for sentence in paragraph
    ]


def _blingfire_tokens(_: str) -> Tokenize:
    module = import_module("blingfire")
    return lambda text: [
        module.text_to_words(each).split(" ") for each in module.text_to_sentences(text).split("\n")
    ]


TOKENIZERS: dict[str, Callable[[str], Tokenize]] = {
    "nltk": _nltk_tokens,
    "spacy": _spacy_tokens,
    "spacy-senter": _spacy_senter_tokens,
    "spacy-parser": _spacy_parser_tokens,
    "stanza": _stanza_tokens,
    "syntok": _syntok_tokens,
    "blingfire": _blingfire_tokens,
}
"""Those that also place tokens."""
DATA = {
    "nltk": "python -m nltk.downloader punkt_tab",
    "stanza": "python -c \"import stanza; stanza.download('en')\"",
}
"""How to get the data that a tool needs besides its package."""
