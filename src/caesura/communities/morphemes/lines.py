"""Morphs, a word or sentence per line: their file, values of Python, and which lines correspond.

A line is `reader TAB read @@er TAB 010`, as in the SIGMORPHON 2022 shared task; the category in the
third column may be absent. Morphs are separated by blanks; @@ says that a morph continues the word.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import normalize

from caesura.errors import FormatError, SegmentationError, number, option, shortened
from caesura.formats.text_files import lines_of
from caesura.formats.texts import refuse_nul
from caesura.run.values import encoded

SEPARATOR = "|"
"""What separates the morphs of a line where they are compared."""
CURE = "write a word, a tab, its morphs (read @@er) and, if there is one, a tab and a category"
GIVE = "give lines (word, tab, morphs), pairs of a word and its morphs, or a path"
MAX_CATEGORIES = 1000
"""The most different categories of a file."""
_SIGNS = ("\n\n", "\n ", "\n@@", "  ", " @@ ", " @@\n", " \n")
"""What there is somewhere in lines of which one is odd."""
_ODD = re.compile(r"\A(?:\Z| |@@)| (?:@@)?(?: |\Z)")
"""Morphs of which one is empty, or the first of which has the sign of those that go on."""


@dataclass(frozen=True, slots=True, eq=False)
class MorphTable:
    """Lines of a file: what is segmented, its morphs as written (`mor @@pheme`), a category.

    `categories` is empty if no line has one; `lines` are the numbers of the lines in the file.
    `signs` are `odd_morphs`, lines with an empty morph or with @@ at their beginning, and
    `other_words`, lines that are paired with those of other words, each with the first line.
    """

    words: list[str]
    morphs: list[str]
    categories: list[str]
    lines: Sequence[int]
    source: str
    signs: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)


def separated(lines: Sequence[str], separator: str = SEPARATOR) -> list[str]:
    """The morphs of each line with a separator between them: ` @@` and blanks are the same.

    The usual one separates where it is in the text, too, as in SIGMORPHON's evaluate.py.

    >>> separated(["read @@er s"]), separated(["read @@er s"], "")
    (['read|er|s'], ['readers'])
    """
    text = "\n".join(lines).replace(" @@", " ").replace(" ", separator)
    return text.split("\n") if lines else []


def parse_morphs(data: bytes, source: str = "<morphs>") -> MorphTable:
    r"""Read morphs from UTF-8 bytes.

    >>> table = parse_morphs(b"reader\tread @@er\t010\n")
    >>> table.words, table.morphs, table.categories
    (['reader'], ['read @@er'], ['010'])
    """
    refuse_nul(data, source)
    every = lines_of(data.decode().removeprefix("\ufeff"))
    lines = [line for line in every if line.strip(" ")]
    if not lines:
        raise FormatError(source, "no lines", CURE)
    numbers: Sequence[int] = range(1, len(every) + 1)
    if len(lines) < len(every):
        numbers = [number for number, line in enumerate(every, 1) if line.strip(" ")]
    tabs = [line.count("\t") for line in lines]
    if {*tabs} == {1, 2}:  # only some lines have a category
        lines = [line + "\t" * (2 - size) for line, size in zip(lines, tabs, strict=True)]
    cells, columns = "\t".join(lines).split("\t"), max(tabs) + 1
    words = cells[::columns]
    if not ({*tabs} <= {1, 2} and all(map(str.strip, words))):
        raise _fault(lines, numbers, source)
    morphs = cells[1::columns]
    text, odd = "\n".join(("", *morphs, "")), []
    if any(sign in text for sign in _SIGNS):
        odd = [line for line, own in zip(numbers, morphs, strict=True) if _ODD.search(own)]
    signs = {"odd_morphs": len(odd), "odd_morphs_at": odd[0]} if odd else {}
    categories = list(map(str.strip, cells[2::columns])) if columns > 2 else []
    kinds = len(set(categories))
    if kinds > MAX_CATEGORIES:
        problem = f"{kinds:,} different categories in the third column"
        raise FormatError(source, problem, f"give at most {MAX_CATEGORIES:,}, or only two columns")
    return MorphTable(words, morphs, categories if any(categories) else [], numbers, source, signs)


def _fault(lines: list[str], numbers: Sequence[int], source: str) -> FormatError:
    """What is wrong with the first line that is."""
    for line, text in zip(numbers, lines, strict=True):
        cells = text.split("\t")
        if len(cells) == 1:
            return FormatError(source, f"no tab in '{shortened(text)}'", CURE, line=line)
        if len(cells) > 3:
            return FormatError(source, f"{len(cells)} columns", CURE, line=line)
        if not cells[0].strip():
            return FormatError(source, "no word before the tab", CURE, line=line)
    raise AssertionError(source)


def as_morphs(value: object, *, source: str = "<morphs>") -> MorphTable:
    """Convert a list of lines or of pairs, such as ("reader", ["read", "er"]), to morphs.

    A third item of a pair is the category.
    """
    if isinstance(value, MorphTable):
        return value
    if not isinstance(value, list | tuple):
        raise SegmentationError(f"{source}: {value!r} is not morphs; {GIVE}")
    lines = []
    for index, item in enumerate(value):
        row = item if isinstance(item, list | tuple) else [item]
        cells = [" @@".join(cell) if _are_texts(cell) else cell for cell in row]
        if not cells or not all(isinstance(cell, str) for cell in cells):
            raise SegmentationError(f"{source}: item {index} is {item!r}; {GIVE}")
        lines.append(" ".join("\t".join(cells).splitlines()))
    return parse_morphs(encoded("\n".join(lines), source), source)


def _are_texts(cell: object) -> bool:
    return isinstance(cell, list | tuple) and all(isinstance(each, str) for each in cell)


def matched(system: MorphTable, gold: MorphTable, *, force: bool = False) -> MorphTable:
    """The lines of a system, one for each of the gold's.

    Lines correspond by their numbers if the words are the same, otherwise by their words, each of
    which has to be there once. With `force`, lines of other words correspond by their numbers.
    """
    if system.words == gold.words:
        return system
    places = {word: place for place, word in enumerate(system.words)}
    if len(places) == len(system) == len(gold) and places.keys() == {*gold.words}:
        order = [places[word] for word in gold.words]
        return replace(
            system,
            words=gold.words,
            morphs=[system.morphs[place] for place in order],
            categories=[system.categories[place] for place in order] if system.categories else [],
            lines=[system.lines[place] for place in order],
        )
    if force and len(system) == len(gold):
        pairs = zip(system.lines, system.words, gold.words, strict=True)
        other = [line for line, ours, theirs in pairs if ours != theirs]
        signs = {"other_words": len(other), "other_words_at": other[0]}
        return replace(system, signs={**system.signs, **signs})
    raise _mismatch(system, gold)


def _mismatch(system: MorphTable, gold: MorphTable) -> FormatError:
    """Why lines do not correspond: the first word that is missing, too much, or another."""
    ours, theirs = Counter(system.words), Counter(gold.words)
    if ours == theirs:
        return _other_order(system, gold, ours)
    sizes = f"{number(len(system), 'line')}, but {gold.source} has {len(gold):,}"
    if len(system) < len(gold):
        place = _first_surplus(gold.words, theirs - ours)
        where = f"{_quoted(gold.words[place])} ({gold.source}:{gold.lines[place]})"
        return FormatError(
            system.source, f"{sizes}: none for {where}", "add a line for every gold line"
        )
    if len(system) == len(gold):
        return _other_word(system, gold, ours, theirs)
    place = _first_surplus(system.words, ours - theirs)
    problem = f"{sizes}, and none for {_quoted(system.words[place])}"
    cure = "remove the lines that the gold does not have"
    return FormatError(system.source, problem, cure, line=system.lines[place])


def _first_surplus(words: list[str], surplus: Counter[str]) -> int:
    """The index of the first line that is one too many."""
    left = Counter(words)
    for place, word in enumerate(words):
        left[word] -= 1
        if left[word] < surplus[word]:
            return place
    raise AssertionError(words)


def _other_order(system: MorphTable, gold: MorphTable, words: Counter[str]) -> FormatError:
    """Lines in another order, of which some have the same word."""
    pairs = zip(system.lines, system.words, gold.words, strict=True)
    line = next(line for line, ours, theirs in pairs if ours != theirs)
    twice = next(word for word, times in words.items() if times > 1)
    problem = (
        f"the lines are in another order than in {gold.source}, and cannot be matched by their "
        f"words: {_quoted(twice)} is there {words[twice]:,} times"
    )
    return FormatError(system.source, problem, "put them into the order of the gold", line=line)


def _other_word(
    system: MorphTable, gold: MorphTable, ours: Counter[str], theirs: Counter[str]
) -> FormatError:
    """As many lines, some of other words: the first of each side, and why it may be another."""
    our_place = _first_surplus(system.words, ours - theirs)
    their_place = _first_surplus(gold.words, theirs - ours)
    word, other = system.words[our_place], gold.words[their_place]
    where = f"{gold.source}:{gold.lines[their_place]}"
    unquoted = ""  # what a reader of quoted, tab-separated values makes of the gold's word
    if other.startswith('"'):
        unquoted = next(csv.reader([other], delimiter="\t"), [""])[0]
    if normalize("NFC", word) == normalize("NFC", other):
        problem = f"{_quoted(word)} is in another Unicode form than in {where}"
        cure = "write both files in one form, such as NFC"
    elif word == unquoted:
        problem = f"{_quoted(word)} has lost the quotation marks that {where} has"
        cure = "read and write files without CSV quoting"
    else:
        problem = f"{_quoted(word)}, but no line for {_quoted(other)} ({where})"
        cure = "give the same words"
    cure += f", or pair lines by their numbers with {option('force')}"
    return FormatError(system.source, problem, cure, line=system.lines[our_place])


def _quoted(word: str) -> str:
    return f"“{shortened(word)}”"
