"""Options of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import Options, Read, encoding, filled, flag, option
from caesura.core.score import BOUNDARY


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTaskOptions(Options):
    """Every option of text. `sentences_only` are the systems whose tokens mean nothing.

    `blocks` is none: the counts are those of parts of a text.
    """

    units: Literal["tokens", "words"] = option(
        "tokens", "CoNLL-U: surface tokens (a multiword token is one), or syntactic words.",
        group="Input", is_main=True,
    )  # fmt: skip
    equivalences: str = option(
        "quotes", "Tokens that count as equal: quotes (`` and '' equal \"), english-contractions "
        "(also ca n't, can't, can not), none, or a file of two tab-separated columns.",
        group="Alignment", metavar="NAME|FILE",
    )  # fmt: skip
    algorithm: Literal["blocks", "literal"] = option(
        "blocks", "blocks: an exact version of the paper's definition; literal: its Algorithm 3, "
        "fixed to terminate.",
        group="Alignment",
    )  # fmt: skip
    normalize: Literal["nfc", "nfkc"] | None = option(
        None, "Normalise all characters to a Unicode form first.",
        group="Alignment",
    )  # fmt: skip
    input: str = option(
        "auto", "The input format: auto, tokens (one sentence per line, tokens separated by "
        "spaces), segmented (also by ideographic spaces), or conllu. tokens and conllu can be "
        "mixed.",
        group="Input", metavar="FORMAT", is_main=True,
    )  # fmt: skip
    sentences_only: tuple[str, ...] = option(
        (), "Systems whose tokens mean nothing.", on="python", written="Sequence[str]"
    )
    also: tuple[str, ...] = option(
        (), "Add older scores by characters, to compare: accuracy, error rate, Levenshtein "
        "distance and scores of the characters that begin a unit (classic); insertions, deletions "
        "and substitutions of words (words). Repeatable.",
        metavar="MEASURE", is_repeated=True,
        written="str | Sequence[str] | None",
    )  # fmt: skip
    dictionary: str | None = option(
        None, "With --also words: a list of known words, one per line, for the recall of "
        "words in it and of others.",
        metavar="FILE",
    )  # fmt: skip
    encoding: str | None = encoding()
    force: bool = flag("Score texts even if they seem unrelated.", group="Alignment")
    blocks: bool = False

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the number of documents."""
        from caesura.io.files import stem

        return filled(
            {
                "units": self.units,
                "equivalences": self.equivalences,
                "algorithm": self.algorithm,
                "normalize": self.normalize or "none",
                "input": "+".join(read.forms),
                "also": "+".join(each for each in self.also if each != BOUNDARY),
                "dictionary": stem(self.dictionary) if self.dictionary else "",
                "docs": read.documents,
            }
        )
