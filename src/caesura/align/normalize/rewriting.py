"""The rules that do not read numbers: what one word becomes."""

from __future__ import annotations

import re

from caesura.core.unicode import normalized

FILLERS = {
    "uh", "uhh", "uhhh", "um", "umm", "ummm", "uhm", "er", "erm", "eh", "ehh", "ah", "ahh",
    "hm", "hmm", "hmmm", "mm", "mmm", "mhm", "mhmm", "mmhm", "mmhmm", "huh",
}  # fmt: skip
WHOLE = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "shan't": "shall not",
    "ain't": "ain't",
    "let's": "let us",
    "y'all": "you all",
    "c'mon": "come on",
    "d'you": "do you",
    "'tis": "it is",
    "tis": "it is",
    "'twas": "it was",
    "twas": "it was",
    "'cause": "because",
    "cuz": "because",
    "'em": "them",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "got to",
    "hafta": "have to",
    "oughta": "ought to",
    "tryna": "trying to",
    "gimme": "give me",
    "lemme": "let me",
    "dunno": "do not know",
    "kinda": "kind of",
    "sorta": "sort of",
    "outta": "out of",
    "lotta": "lot of",
    "coulda": "could have",
    "shoulda": "should have",
    "woulda": "would have",
    "gotcha": "got you",
}
ENDINGS = {
    "n't": "not",
    "'re": "are",
    "'ll": "will",
    "'ve": "have",
    "'m": "am",
    "'s": "'s",
    "'d": "'d",
}

_ENDING = re.compile("(.*)({})".format("|".join(ENDINGS)), re.DOTALL)
_ACCENT = re.compile("[\u0300-\u036f]+")


def nonwords(word: str) -> tuple[str, ...]:
    """Drop `<unk>` and the like."""
    return () if word.startswith("<") and word.endswith(">") else (word,)


def fragments(word: str) -> tuple[str, ...]:
    """Drop a word that ends in a hyphen; a hyphen alone is not a fragment."""
    return () if word.endswith("-") and word.strip("-") else (word,)


def accents(word: str) -> tuple[str, ...]:
    """Remove the accents of Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return (word,)
    plain = _ACCENT.sub("", normalized("NFD", word))
    return _some(normalized("NFC", plain))


def hyphens(word: str) -> tuple[str, ...]:
    """Split a word at its hyphens."""
    return tuple(filter(None, word.split("-")))


def contractions(word: str) -> tuple[str, ...]:
    """Split contractions, from the right; 's and 'd could be several words and stay as they are.

    >>> contractions("shouldn't've"), contractions("she'd")
    (('should', 'not', 'have'), ('she', "'d"))
    """
    words: list[str] = []
    while word not in WHOLE and (found := _ENDING.fullmatch(word)):
        word = found[1]
        words.insert(0, ENDINGS[found[2]])
    return (*WHOLE.get(word, word).split(), *words)


def apostrophes(word: str) -> tuple[str, ...]:
    """Remove the apostrophes."""
    return _some(word.replace("'", ""))


def fillers(word: str) -> tuple[str, ...]:
    """Drop a filler, or a word of nothing but fillers and hyphens."""
    parts = set(word.split("-")) - {""}
    return () if parts and parts <= FILLERS else (word,)


def _some(word: str) -> tuple[str, ...]:
    return (word,) if word else ()
