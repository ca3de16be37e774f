"""DETECTORS: everything that places boundaries in a transcript or a text, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from caesura.core.registry import Extensible

if TYPE_CHECKING:
    from caesura.core.segmentation import Document, Segmentation

Segmenter = Callable[["Document"], "Segmentation"]

OUTSIDE, AUTO = "cmd:", "auto"
MODEL = ".npz"


@dataclass(frozen=True, slots=True)
class About:
    """A description of a detector: what it is, what it reads, and what to install."""

    text: str
    reads: str = "words"
    licence: str = "MIT"
    module: str = ""
    install: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported."""
        return not self.module or find_spec(self.module) is not None


def _network(text: str) -> About:
    return About(text, "English", "CC BY-SA 4.0")


def _other(text: str, licence: str, module: str, install: str = "") -> About:
    return About(text, "punctuated", licence, module, install or f"pip install {module}")


_SPACY = "en_core_web_sm"
_GET_SPACY = f"python -m spacy download {_SPACY}"
NETWORKS = {
    "s1": _network("convolutions over a sliding window of words; the fastest"),
    "s2": _network("bidirectional GRU with attention (Tilk & Alumäe 2016)"),
    "best": _network("attention, distilled from a larger model"),
}
CUT_BY_F1 = ("best",)
"""The networks whose probabilities say themselves where to cut them; others have a threshold."""
BASELINES = {
    "every": About("every:N, a boundary after every N words"),
    "random": About("random[:SEED], as many boundaries as in the reference, at random"),
    "none": About("no boundaries"),
    "all": About("a boundary after every word"),
    "pauses": About(
        "pauses[:SECONDS], a boundary at every pause of SECONDS or more (0.5)", "word times"
    ),
}
ADAPTERS = {
    "nltk": _other(
        "NLTK's Punkt; get its data with python -m nltk.downloader punkt_tab", "Apache-2.0", "nltk"
    ),
    "spacy": _other("spaCy's rules", "MIT", "spacy"),
    "spacy-senter": _other("spaCy's sentence model", "MIT", _SPACY, _GET_SPACY),
    "spacy-parser": _other("spaCy's parser", "MIT", _SPACY, _GET_SPACY),
    "stanza": _other("Stanza's tokenizer", "Apache-2.0", "stanza"),
    "pysbd": _other("rules of the Pragmatic Segmenter", "MIT", "pysbd"),
    "syntok": _other("rules for English, German and Spanish", "MIT", "syntok"),
    "segtok": _other("rules for Indo-European languages", "MIT", "segtok"),
    "sentencex": _other("rules for many languages", "MIT", "sentencex"),
    "nupunkt": _other("Punkt for legal and financial text", "MIT", "nupunkt"),
    "blingfire": _other("finite automata", "MIT", "blingfire"),
    "wtpsplit": _other("Segment any Text, sat-3l-sm", "MIT", "wtpsplit"),
}


def _plugged(_: str, value: object) -> About:
    """A function of a plug-in, which takes a document and returns a segmentation."""
    if not callable(value):
        raise TypeError("it is no function")
    text = (value.__doc__ or "").strip().partition("\n")[0]
    return About(text or "a plug-in", "words", "its own")


DETECTORS = Extensible(
    {
        **NETWORKS,
        **BASELINES,
        **ADAPTERS,
        AUTO: About(
            "auto[:LANG], by what it is given: a segmenter of punctuated text, or best",
            "any text",
        ),
        "cmd": About(
            "cmd:PROGRAM {input}, a program that prints one unit per line", "text", "its own"
        ),
    },
    "detectors",
    _plugged,
)
"""Every detector by name, and those of plug-ins."""
READERS = ("nltk", "spacy", "pysbd")
"""Detectors of punctuated text that are named where none is installed."""


def readers() -> list[str]:
    """The first detectors of punctuated text that are installed, or the best known."""
    installed = [name for name, about in ADAPTERS.items() if about.is_installed]
    return installed[:3] or list(READERS)
