"""Wordings: a text as the words that are compared, where it may well be cut, and in columns.

`columns` puts the words of a segment beside those that a system has there, for the report.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from caesura.align.words import numbered
from caesura.core.arrays import offsets_of, runs
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.tokens import UNSPACED, UNSPLIT

Compared = Literal["exact", "lower", "bare"]
Units = Literal["words", "characters"]
Level = Literal["auto", "words", "characters"]
Columns = list[tuple[str, str, str]]
"""An operation, and what the reference and the system have written there."""
Step = tuple[str, int, int]
"""An operation, and the numbers of the system's word and of the reference's; -1 is none."""
MOST_CELLS = 1 << 20
"""The most pairs of words that are looked at to pair those that are alike."""
SAME, EDIT = 100, 1 << 32
"""How alike equal words are, in percent, and the price of an edit, which outweighs all likeness."""
SAMPLE = 1 << 16
"""The characters from which the script of a text is known."""
_LETTER = re.compile(f"[{UNSPACED}]")
_UNSPLIT_LETTER = re.compile(f"[{UNSPLIT}]")
_OTHER = re.compile(f"[^\\W\\d_{UNSPACED}]+")
_MARK = "\u0300-\u036f\uff9e\uff9f" + "".join(
    letter
    for first, last in ((0xE00, 0x109F), (0x1780, 0x1B7F), (0x3040, 0x30FF), (0xA980, 0xAADF))
    for letter in map(chr, range(first, last + 1))
    if unicodedata.category(letter)[0] == "M" and _LETTER.match(letter)
)
"""Combining marks, which belong to the letter before them."""
_SYMBOL = "\u3001-\u3004\u3008-\u3020\uff00-\uff65"
_CHARACTER = re.compile(f"[{UNSPACED}][{_MARK}]*|[{_SYMBOL}]|[^\\s{UNSPACED}{_SYMBOL}]+")
_JOINED = re.compile(f"[{UNSPACED}{_SYMBOL}]")
"""What no space is put before where a line is joined to the one before it."""
_END = re.compile(r"[.?!…。．？！][\"'”’»›)\]」』）】]*$")
_CLOSING = ".,;:!?…%。、，．！？；：’”"
_OPENING = "¿¡„‚"


@lru_cache(maxsize=1 << 16)
def is_punctuation(word: str) -> bool:
    """Whether a word has neither letters nor digits."""
    return not any(unicodedata.category(character)[0] in "LNM" for character in word)


@lru_cache(maxsize=1 << 16)
def bare(word: str) -> str:
    """A word in lower case without punctuation at its edges.

    >>> bare("“Don't!”"), bare("—")
    ("don't", '')
    """
    start, stop = 0, len(word)
    while start < stop and is_punctuation(word[start]):
        start += 1
    while start < stop and is_punctuation(word[stop - 1]):
        stop -= 1
    return word[start:stop].lower()


def _signs(word: str) -> tuple[bool, bool, bool, bool]:
    """Whether a word is punctuation that belongs to what precedes it, or to what follows it.

    And whether it has the mark of the end of a sentence, and whether it begins with a small letter,
    so that no sentence begins with it.
    """
    closes = opens = False
    if is_punctuation(word):
        closes = word[0] in _CLOSING or unicodedata.category(word[0]) in ("Pe", "Pf")
        opens = word[-1] in _OPENING or unicodedata.category(word[-1]) in ("Ps", "Pi")
    return closes, opens, _END.search(word) is not None, word[0].islower()


def level_of(text: str) -> Level:
    """Whether words or characters of a text are compared.

    Characters, if it has more letters of scripts without spaces than words in others.

    >>> level_of("我们用 Transformer 模型"), level_of("they wrote 我 on it")
    ('characters', 'words')
    """
    sample = text[:SAMPLE]
    unspaced, others = len(_LETTER.findall(sample)), len(_OTHER.findall(sample))
    return "characters" if unspaced > others else "words"


def is_han(text: str) -> bool:
    """Whether nine tenths of the letters without spaces are Han, as in Chinese, not in Japanese.

    >>> is_han("我们用 Transformer 模型"), is_han("今日は雨だった"), is_han("ฝนตก")
    (True, False, False)
    """
    sample = text[:SAMPLE]
    return 10 * len(_UNSPLIT_LETTER.findall(sample)) <= len(_LETTER.findall(sample))


@dataclass(frozen=True, slots=True)
class CutPlaces:
    """Between which words a text should rather not be cut, and where it rather should."""

    is_bad: BoolArray
    is_end: BoolArray


@dataclass(frozen=True)
class Wording:
    """A text in words: all of them, those that are compared, and how they are.

    `first` are the numbers of the compared words among all; punctuation that is not compared goes
    with the word before it. `line_ends` are after how many compared words lines end, `has_words`
    says which lines are not blank. `is_apart` says of characters whether white space is before
    them.
    """

    words: list[str]
    first: IntArray
    compared: list[str]
    line_ends: IntArray
    has_words: BoolArray
    is_apart: BoolArray | None = None

    @classmethod
    def from_lines(cls, lines: Sequence[str], tokens: Compared, level: Level) -> Wording:
        """Find the words of lines, or their characters; most lines may be blank."""
        words: list[str] = []
        apart: list[bool] = []

        def ends_of_lines() -> Iterator[int]:
            for line in lines:
                if level == "characters":
                    characters = _CHARACTER.findall(line)
                    apart.extend(_are_apart(line, characters))
                    words.extend(characters)
                elif line:
                    words.extend(line.split())
                yield len(words)

        width = offsets_of(sum(map(len, lines)))
        ends = np.fromiter(ends_of_lines(), width, len(lines))
        has_words = are_full(ends)
        distinct, (codes,) = list(dict.fromkeys(words)), numbered(words)
        first = np.arange(len(words))
        if tokens == "bare":
            first = first[~np.array([is_punctuation(word) for word in distinct], np.bool_)[codes]]
            places, number = runs(ends)
            ends = np.repeat(np.searchsorted(first, places).astype(width), number)
        changed = [_CHANGES[tokens](word) for word in distinct]
        compared = [changed[code] for code in codes[first].tolist()]
        is_apart = np.array(apart, np.bool_) if level == "characters" else None
        return cls(words, first, compared, ends, has_words, is_apart)

    def __len__(self) -> int:
        return self.first.size

    @cached_property
    def places(self) -> CutPlaces:
        """Where the text should rather not be cut, and where its own sentences end."""
        (codes,) = numbered(self.words)
        signs = np.array([_signs(word) for word in dict.fromkeys(self.words)], np.bool_)
        closes, opens, ends, goes_on = signs.reshape(-1, 4)[codes].T
        is_bad, is_end = np.zeros((2, len(self) + 1), np.bool_)
        is_bad[:-1] |= closes[self.first]
        is_bad[1:] |= opens[self.first]
        last = np.append(self.first, len(self.words))[1:] - 1
        is_end[1:] = ends[last] & ~np.append(goes_on, False)[last + 1]
        is_end[runs(self.line_ends)[0]] = True
        is_bad[[0, -1]] = is_end[0] = False
        return CutPlaces(is_bad, is_end)

    def pieces(self, cuts: IntArray, which: IntArray) -> list[str]:
        """What is written up to some cuts, and what follows the last compared word before each."""
        starts = np.append(self.first, len(self.words))
        starts[:1] *= not len(self)
        begins = np.where(which > 0, starts[cuts[which - 1]], 0)
        edges = zip(begins.tolist(), starts[cuts[which]].tolist(), strict=True)
        return [_joined(self.words[a:b], self.is_apart, np.arange(a, b)) for a, b in edges]

    def compared_pieces(self, cuts: IntArray, which: IntArray) -> list[str]:
        """The words up to some cuts, as they are compared."""
        edges = stretches(cuts, which)
        return [_joined(self.compared[a:b], self.is_apart, self.first[a:b]) for a, b in edges]


def are_full(ends: IntArray) -> BoolArray:
    """Which of the stretches that end one after another hold anything."""
    has_some = np.empty(ends.size, np.bool_)
    has_some[:1] = ends[:1] > 0
    np.greater(ends[1:], ends[:-1], out=has_some[1:])
    return has_some


def stretches(ends: IntArray, which: IntArray) -> list[tuple[int, int]]:
    """Where some of the stretches begin and end that end one after another."""
    starts = np.where(which > 0, ends[which - 1], 0)
    return list(zip(starts.tolist(), ends[which].tolist(), strict=True))


def _joined(words: Sequence[str], is_apart: BoolArray | None, at: IntArray) -> str:
    """Words separated by spaces; characters, which stand at some places, only where they are."""
    if is_apart is None:
        return " ".join(words)
    apart = zip(words, is_apart[at].tolist(), strict=True)
    return "".join(f" {word}" if is_one else word for word, is_one in apart).lstrip()


def _are_apart(line: str, characters: Sequence[str]) -> Iterator[bool]:
    """Before which characters there is white space; where a line begins, if words have some."""
    stop = 0
    for character in characters:
        start = line.index(character, stop)
        yield start > stop or (stop == 0 and not _JOINED.match(character))
        stop = start + len(character)


_CHANGES: dict[str, Callable[[str], str]] = {"exact": str, "lower": str.lower, "bare": bare}


def columns(reference: str, system: str, tokens: Compared, units: Units) -> Columns:
    """The words of both sides, aligned: `=` equal, `s` substituted, `d` deleted, `i` inserted.

    White space before a word is part of it, and so is punctuation that is not compared.

    >>> columns("Well, we left.", "we have left", "lower", "words")
    [('d', 'Well,', ''), ('=', ' we', 'we'), ('i', '', ' have'), ('s', ' left.', ' left')]
    """
    theirs, ours = (Wording.from_lines([line], tokens, units) for line in (reference, system))
    wanted, given = _written(theirs), _written(ours)
    return [
        (operation, wanted[b] if b >= 0 else "", given[a] if a >= 0 else "")
        for operation, a, b in _steps(ours.compared, theirs.compared)
    ]


def _written(line: Wording) -> list[str]:
    """Each compared word as it is written, with the white space before it."""
    words = np.arange(len(line))
    is_apart = [True] * len(line) if line.is_apart is None else line.is_apart[line.first].tolist()
    pieces = zip(line.pieces(words + 1, words), is_apart, strict=True)
    return [f" {word}" if apart and at else word for at, (word, apart) in enumerate(pieces)]


def _steps(system: Sequence[str], reference: Sequence[str]) -> list[Step]:
    """Steps with the fewest edits; among these, words that are paired are the most alike."""
    if not 0 < len(system) * len(reference) <= MOST_CELLS:
        return _steps_of_many(system, reference)
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    # What each pair of words costs: an edit, unless they are equal, less how alike they are.
    alike = cdist(system, reference, scorer=Indel.normalized_similarity, score_multiplier=SAME)
    alike = np.minimum(alike, SAME - 1).astype(np.int64)  # only equal words wholly
    ours, theirs = numbered(system, reference)
    prices = np.where(ours[:, None] == theirs, -SAME, EDIT - alike)
    slope = EDIT * np.arange(len(reference) + 1)
    rows = [slope]  # (words of the system + 1,) the least costs of the first words of both
    for paired in prices:
        least = rows[-1] + EDIT
        np.minimum(least[1:], rows[-1][:-1] + paired, out=least[1:])
        rows.append(np.minimum.accumulate(least - slope) + slope)
    a, b, steps = len(system), len(reference), []
    while a or b:
        cost = rows[a][b]
        if a and b and cost == rows[a - 1][b - 1] + prices[a - 1, b - 1]:
            a, b = a - 1, b - 1
            steps.append(("=" if system[a] == reference[b] else "s", a, b))
        elif b and cost == rows[a][b - 1] + EDIT:
            b -= 1
            steps.append(("d", -1, b))
        else:
            a -= 1
            steps.append(("i", a, -1))
    return steps[::-1]


def _steps_of_many(system: Sequence[str], reference: Sequence[str]) -> list[Step]:
    """Steps with the fewest edits, where there are very many words or none."""
    from rapidfuzz.distance import Levenshtein

    steps: list[Step] = []
    for block in Levenshtein.opcodes(reference, system):
        theirs = range(block.src_start, block.src_end)
        ours = range(block.dest_start, block.dest_end)
        if block.tag == "delete":
            steps += [("d", -1, b) for b in theirs]
        elif block.tag == "insert":
            steps += [("i", a, -1) for a in ours]
        else:
            sign = "=" if block.tag == "equal" else "s"
            steps += [(sign, a, b) for a, b in zip(ours, theirs, strict=True)]
    return steps
