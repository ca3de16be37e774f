"""DETECTORS: everything that places boundaries in a transcript or a text, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from caesura.core.registry import Extensible

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from caesura.core.segmentation import Document, Segmentation

Segmenter = Callable[["Document"], "Segmentation"]

COMMAND_PREFIX, AUTO = "cmd:", "auto"
MODEL = ".npz"


@dataclass(frozen=True, slots=True)
class DetectorInfo:
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


def _network(text: str) -> DetectorInfo:
    return DetectorInfo(text, "English", "CC BY-SA 4.0")


def _other(text: str, licence: str, module: str, install: str = "") -> DetectorInfo:
    return DetectorInfo(text, "punctuated", licence, module, install or f"pip install {module}")


SPACY_MODEL = "en_core_web_sm"
_GET_MODEL = f"python -m spacy download {SPACY_MODEL}"
NETWORKS = {
    "s1": _network("convolutions over a sliding window of words; the fastest"),
    "s2": _network("bidirectional GRU with attention (Tilk & Alumäe 2016)"),
    "best": _network("attention, distilled from a larger model"),
}
CUT_BY_F1 = ("best",)
"""The networks whose probabilities say themselves where to cut them; others have a threshold."""
BASELINES = {
    "every": DetectorInfo("every:N, a boundary after every N words"),
    "random": DetectorInfo("random[:SEED], as many boundaries as in the reference, at random"),
    "none": DetectorInfo("no boundaries"),
    "all": DetectorInfo("a boundary after every word"),
    "pauses": DetectorInfo(
        "pauses[:SECONDS], a boundary at every pause of SECONDS or more (0.5)", "word times"
    ),
}
ADAPTERS = {
    "nltk": _other(
        "NLTK's Punkt; get its data with python -m nltk.downloader punkt_tab", "Apache-2.0", "nltk"
    ),
    "spacy": _other("spaCy's rules", "MIT", "spacy"),
    "spacy-senter": _other("spaCy's sentence model", "MIT", SPACY_MODEL, _GET_MODEL),
    "spacy-parser": _other("spaCy's parser", "MIT", SPACY_MODEL, _GET_MODEL),
    "stanza": _other("Stanza's tokenizer", "Apache-2.0", "stanza"),
    "pysbd": _other("rules of the Pragmatic Segmenter", "MIT", "pysbd"),
    "syntok": _other("rules for English, German and Spanish", "MIT", "syntok"),
    "segtok": _other("rules for Indo-European languages", "MIT", "segtok"),
    "sentencex": _other("rules for many languages", "MIT", "sentencex"),
    "nupunkt": _other("Punkt for legal and financial text", "MIT", "nupunkt"),
    "blingfire": _other("finite automata", "MIT", "blingfire"),
    "wtpsplit": _other("Segment any Text, sat-3l-sm", "MIT", "wtpsplit"),
}


def _plugged(_: str, value: object) -> DetectorInfo:
    """A function of a plug-in, which takes a document and returns a segmentation."""
    if not callable(value):
        raise TypeError("it is no function")
    text = (value.__doc__ or "").strip().partition("\n")[0]
    return DetectorInfo(text or "a plug-in", "words", "its own")


DETECTORS = Extensible(
    {
        **NETWORKS,
        **BASELINES,
        **ADAPTERS,
        AUTO: DetectorInfo(
            "auto[:LANG], by what it is given: a segmenter of punctuated text, or best",
            "any text",
        ),
        "cmd": DetectorInfo(
            "cmd:PROGRAM {input}, a program that prints one unit per line", "text", "its own"
        ),
    },
    "detectors",
    _plugged,
)
"""Every detector by name, and those of plug-ins."""


def readers() -> list[str]:
    """The first detectors of punctuated text that are installed, or the best known."""
    installed = [name for name, info in ADAPTERS.items() if info.is_installed]
    return installed[:3] or ["nltk", "spacy", "pysbd"]


def is_network(spec: str) -> bool:
    """Whether a name is that of a network: `best`, `best:0.5`, `model.npz`."""
    name = name_and_threshold(spec)[0]
    return name in NETWORKS or name.endswith(MODEL)


def is_own(spec: str) -> bool:
    """Whether a name is that of a model that a user trained."""
    return name_and_threshold(spec)[0].endswith(MODEL)


def name_and_threshold(spec: str) -> tuple[str, str | None]:
    """The name of a network, and what follows it after a colon."""
    name, _, threshold = spec.rpartition(":")
    return (name, threshold) if name in NETWORKS or name.endswith(MODEL) else (spec, None)


def size_of(name: str) -> int:
    """The size of a detector's weights in bytes; 0 if it has none."""
    return len(bundled_weights(name).read_bytes()) if name in NETWORKS else 0


def bundled_weights(name: str) -> Traversable:
    """The weights of a network that comes with caesura."""
    from importlib.resources import files

    return files("caesura.detect") / "models" / f"{name}{MODEL}"
