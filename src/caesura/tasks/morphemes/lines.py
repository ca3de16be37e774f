"""Lines of morphs: those of a system in the order of the gold's, by what is segmented."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from unicodedata import normalize

from caesura.errors import FormatError, number, option, shortened
from caesura.tasks.morphemes.data import MorphTable


def matched(system: MorphTable, gold: MorphTable, *, force: bool = False) -> MorphTable:
    """The lines of a system, one for each of the gold's.

    Lines correspond by their numbers if the words are the same, otherwise by their words, each of
    which has to be there once. With `force`, lines of other words correspond by their numbers.
    """
    if system.words == gold.words:
        return system
    places = {word: at for at, word in enumerate(system.words)}
    if len(places) == len(system) == len(gold) and places.keys() == {*gold.words}:
        return system.at([places[word] for word in gold.words])
    if force and len(system) == len(gold):
        return _by_number(system, gold)
    raise _mismatch(system, gold)


def _by_number(system: MorphTable, gold: MorphTable) -> MorphTable:
    both = enumerate(zip(system.words, gold.words, strict=True))
    other = [at for at, (ours, theirs) in both if ours != theirs]
    signs = {"other_words": len(other), "other_words_at": system.lines[other[0]]}
    return replace(system, signs={**system.signs, **signs})


def _mismatch(system: MorphTable, gold: MorphTable) -> FormatError:
    """Why lines do not correspond: the first word that is missing, too much, or another."""
    ours, theirs = Counter(system.words), Counter(gold.words)
    if ours == theirs:
        return _order(system, gold, ours)
    if len(system) == len(gold):
        return _other_word(system, gold, ours, theirs)
    sizes = f"{number(len(system), 'line')}, but {gold.source} has {len(gold):,}"
    if len(system) < len(gold):
        at = _first(gold.words, theirs - ours)
        problem = f"{sizes}: none for {_quoted(gold.words[at])} ({gold.source}:{gold.lines[at]})"
        return FormatError(system.source, problem, "add a line for every gold line")
    at = _first(system.words, ours - theirs)
    problem = f"{sizes}, and none for {_quoted(system.words[at])}"
    cure = "remove the lines that the gold does not have"
    return FormatError(system.source, problem, cure, line=system.lines[at])


def _first(words: list[str], wanted: Counter[str]) -> int:
    """The number of the first line that is one too many."""
    left = Counter(words)
    for at, word in enumerate(words):
        left[word] -= 1
        if left[word] < wanted[word]:
            return at
    raise AssertionError(words)


def _order(system: MorphTable, gold: MorphTable, words: Counter[str]) -> FormatError:
    """Lines in another order, of which some have the same word."""
    at = next(at for at, word in enumerate(system.words) if word != gold.words[at])
    twice = next(word for word, times in words.items() if times > 1)
    problem = (
        f"the lines are in another order than in {gold.source}, and cannot be matched by their "
        f"words: {_quoted(twice)} is there {words[twice]:,} times"
    )
    cure = "put them into the order of the gold"
    return FormatError(system.source, problem, cure, line=system.lines[at])


def _other_word(
    system: MorphTable, gold: MorphTable, ours: Counter[str], theirs: Counter[str]
) -> FormatError:
    at, there = _first(system.words, ours - theirs), _first(gold.words, theirs - ours)
    word, other = system.words[at], gold.words[there]
    place = f"{gold.source}:{gold.lines[there]}"
    if normalize("NFC", word) == normalize("NFC", other):
        problem = f"{_quoted(word)} is in another Unicode form than in {place}"
        cure = "write both files in one form, such as NFC"
    elif word == _unquoted(other):
        problem = f"{_quoted(word)} has lost the quotation marks that {place} has"
        cure = "read and write files without CSV quoting"
    else:
        problem = f"{_quoted(word)}, but no line for {_quoted(other)} ({place})"
        cure = "give the same words"
    cure += f", or pair lines by their numbers with {option('force')}"
    return FormatError(system.source, problem, cure, line=system.lines[at])


def _unquoted(text: str) -> str:
    """What a reader of quoted, tab-separated values makes of a field; only a first mark quotes."""
    return next(csv.reader([text], delimiter="\t"), [""])[0] if text.startswith('"') else ""


def _quoted(word: str) -> str:
    return f"“{shortened(word)}”"
