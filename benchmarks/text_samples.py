"""Text for the benchmarks: the EWT test set where it is at hand, or else made up, and spoilt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from caesura.formats.texts import parse_tokens

SHARED = Path(__file__).parents[2] / "shared" / "data" / "text"
SEED = 20240509
ONE_WRONG_IN = 20
TAGS = ("NOUN", "VERB", "PUNCT", "PRON", "ADP", "DET", "ADJ", "AUX", "ADV", "PROPN", "CCONJ")
Rng = np.random.Generator


@dataclass(frozen=True)
class Sample:
    """A text as gold and as a system have it: tokenized, and in CoNLL-U."""

    name: str
    gold: bytes
    system: bytes
    gold_conllu: bytes

    @cached_property
    def words(self) -> int:
        """How many words the gold text has."""
        return len(self.gold.split())

    @cached_property
    def system_conllu(self) -> bytes:
        """The system's tokens with what gold says of the word there or before it, in chains."""
        gold = [line.split("\t") for line in self.gold_conllu.decode().splitlines() if "\t" in line]
        gold = [columns for columns in gold if columns[0].isdigit()]
        ends = [0, *accumulate(len(re.sub(r"\s", "", columns[1])) for columns in gold)]
        sizes = np.diff(np.array(ends))
        word_at = np.repeat(np.arange(len(gold)), sizes)
        place, lines = 0, []
        for sentence in _sentences(self.system):
            for number, token in enumerate(sentence, 1):
                like = gold[max(0, word_at[place] - (place % ONE_WRONG_IN == 0))]
                edge = str(number - 1), "root" if number == 1 else like[7]
                lines.append("\t".join((str(number), token, *like[2:6], *edge, "_", "_")))
                place += len(token)
            lines.append("")
        return "".join(f"{line}\n" for line in lines).encode()

    @cached_property
    def vocabulary(self) -> npt.NDArray[np.bytes_]:
        """All tokens of the gold text, as often as they are in it, the ends of sentences aside."""
        return np.array([token for line in self.gold.splitlines() for token in line.split()[:-1]])


def load() -> Sample:
    """The EWT test set, with NLTK's output as the system, or made-up text like it."""
    if not SHARED.exists():
        return _made_up(25_000)
    parts = ("gold.txt", "nltk.txt", "gold.conllu")
    gold, system, conllu = ((SHARED / f"ewt.{part}").read_bytes() for part in parts)
    return Sample("UD 2.10 EWT test and NLTK", gold, system, conllu)


def drawn(sample: Sample, words: int, rng: Rng) -> list[bytes]:
    """Sentences of words drawn from a sample: text that, unlike a repeated one, is never alike."""
    tokens = sample.vocabulary[rng.integers(sample.vocabulary.size, size=words)].tolist()
    ends = np.cumsum(rng.integers(2, 24, size=words // 12))
    pieces = zip([0, *ends.tolist()], [*ends.tolist(), words], strict=True)
    return [b" ".join((*tokens[start:stop], b".")) for start, stop in pieces if start < words]


def retokenized(sentences: list[bytes], rng: Rng) -> bytes:
    """The same characters with one blank in 50 left out and three sentence ends in ten."""
    data = np.frombuffer(b"\n".join(sentences) + b"\n", np.uint8).copy()
    ends = np.flatnonzero(data[:-1] == ord("\n"))
    data[ends[rng.random(ends.size) < 0.3]] = ord(" ")
    blanks = np.flatnonzero(data == ord(" "))
    return np.delete(data, blanks[rng.random(blanks.size) < 0.02]).tobytes()


def foreign(words: int, rng: Rng) -> bytes:
    """Made-up words in Greek letters, that share nothing but stops with anything else."""
    letters = np.array([chr(0x3B1 + at).encode() for at in range(24)])
    vocabulary = [b"".join(letters[rng.integers(24, size=2 + at % 7)]) for at in range(5000)]
    tokens = [vocabulary[at] for at in rng.integers(5000, size=words).tolist()]
    lines = (b" ".join(tokens[at : at + 12]) for at in range(0, words, 12))
    return b"".join(line + b" .\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Altered:
    """A text of which some tokens were replaced, deleted, doubled with another or misspelt.

    `changed` are the numbers of the tokens that are no longer there as they were.
    """

    data: bytes
    changed: npt.NDArray[np.int64]
    number: int


def altered(data: bytes, one_in: int, rng: Rng) -> Altered:
    """Alter one token in `one_in`, in each of four ways by turns."""
    characters = np.frombuffer(data, np.uint8)
    edges = np.concatenate(([-1], np.flatnonzero(characters <= ord(" ")), [len(data)]))
    full = np.flatnonzero(np.diff(edges) > 1)
    starts, stops = edges[full] + 1, edges[full + 1]
    chosen = np.sort(rng.choice(starts.size, size=starts.size // one_in, replace=False))
    others = rng.integers(starts.size, size=chosen.size)
    pieces, done, gone = [], 0, []
    for at, (token, other) in enumerate(zip(chosen.tolist(), others.tolist(), strict=True)):
        old, new = (data[starts[which] : stops[which]] for which in (token, other))
        changed = WAYS[at % len(WAYS)](old, new)
        pieces += [data[done : starts[token]], changed]
        done = stops[token]
        if old not in changed.split():
            gone.append(token)
    return Altered(b"".join((*pieces, data[done:])), np.array(gone), chosen.size)


def _replaced(token: bytes, other: bytes) -> bytes:
    return other if other != token else b"another"


def _deleted(token: bytes, other: bytes) -> bytes:  # noqa: ARG001
    return b""


def _doubled(token: bytes, other: bytes) -> bytes:
    return token + b" " + other


def _misspelt(token: bytes, other: bytes) -> bytes:  # noqa: ARG001
    text = token.decode()
    middle = len(text) // 2
    return (text[:middle] + ("z" if text[middle] == "q" else "q") + text[middle + 1 :]).encode()


WAYS: tuple[Callable[[bytes, bytes], bytes], ...] = (_replaced, _deleted, _doubled, _misspelt)


def _sentences(data: bytes) -> Iterator[list[str]]:
    """The sentences of a tokenized text, the quotes as they are compared."""
    text = parse_tokens(data)
    begin = 0
    for end in text.sentence_ends.tolist():
        yield text.tokens(begin, end)
        begin = end


def _made_up(words: int) -> Sample:
    """Words made of letters, the frequent ones short, in sentences of about 12; some quotes."""
    rng = np.random.default_rng(SEED)
    letters = np.array([bytes([at]) for at in range(ord("a"), ord("z") + 1)])
    sizes = np.minimum(2 + np.arange(6000) // 200, 12)
    vocabulary = [b"".join(letters[rng.integers(26, size=size)]) for size in sizes.tolist()]
    vocabulary[20] = b'"'
    numbers = np.minimum(rng.zipf(1.2, size=words), 6000) - 1
    lines, start = [], 0
    while start < words:
        stop = start + int(rng.integers(2, 22))
        tokens = [vocabulary[at] for at in numbers[start : min(stop, words - 1)]]
        lines.append(b" ".join((*tokens, b".")))
        start = stop + 1
    gold = b"\n".join(lines) + b"\n"
    system = retokenized(lines, rng).replace(b' " ', b" `` ")
    return Sample("made-up text", gold, system, _conllu(gold))


def _conllu(data: bytes) -> bytes:
    lines = []
    for sentence in _sentences(data):
        for number, token in enumerate(sentence, 1):
            tag = TAGS[len(token) * ord(token[0]) % len(TAGS)]
            columns = (token, token.lower(), tag, tag[:2], "Number=Sing|Person=3", str(number - 1))
            relation = "root" if number == 1 else "nmod:poss"
            lines.append("\t".join((str(number), *columns, relation, "_", "_")))
        lines.append("")
    return "".join(f"{line}\n" for line in lines).encode()
