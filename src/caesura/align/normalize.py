"""Normalisation: named, ordered rules that change words before they are compared.

A transform takes a word and gives the words it becomes: none, one or several. The rules here are
written for English; they read numbers without `and`. They are applied in the order of RULES, in
whatever order they are named, so the same choice always has the same signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from caesura.core.batch import offsets_of
from caesura.core.segmentation import (
    NO_BREAK,
    Document,
    IntArray,
    Segmentation,
    Track,
    WordNames,
    Written,
    spoken_lengths,
)
from caesura.core.unicode import normalized
from caesura.errors import FormatError, UnknownNameError, UsageError

SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = [
    "thousand", "million", "billion", "trillion", "quadrillion", "quintillion", "sextillion",
    "septillion", "octillion", "nonillion", "decillion",
]  # fmt: skip
LONGEST = 3 * (len(SCALES) + 1)
CURRENCIES = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
    "₹": ("rupee", "rupees", "paisa", "paise"),
    "¥": ("yen", "yen", "", ""),
}
SHORT_SCALES = {"k": "thousand", "t": "trillion", "tn": "trillion"}
SHORT_SCALES |= dict.fromkeys(("m", "mm", "mn"), "million") | dict.fromkeys(("b", "bn"), "billion")
SIGNS = {"-": "minus", "+": "plus", "#": "number"}
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}

FILLERS = {
    "uh", "uhh", "uhhh", "um", "umm", "ummm", "uhm", "er", "erm", "eh", "ehh", "ah", "ahh",
    "hm", "hmm", "hmmm", "mm", "mmm", "mhm", "mhmm", "mmhm", "mmhmm", "huh",
}  # fmt: skip
WHOLE_WORDS = {
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
CONTRACTED = {
    "n't": "not",
    "'re": "are",
    "'ll": "will",
    "'ve": "have",
    "'m": "am",
    "'s": "'s",
    "'d": "'d",
}

_SYMBOLS = "".join(CURRENCIES)
_SEPARATORS = "-–—/.,:;'()_*~"
_NUMBER = re.compile(
    rf"""
    (^[-+\#])?
    ([{_SYMBOLS}])?
    ([0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9]) | [0-9]+ | (?<![^\W\d_])(?=\.[0-9]))
    (?:\.([0-9]+))?
    ((?:st|nd|rd|th|'?s|k|mm|mn|m|bn|b|tn|t)(?![^\W_]) | [%{_SYMBOLS}])?
    """,
    re.VERBOSE,
)
_YEAR = re.compile(
    rf"""
    (?<![0-9.,:+\#{_SYMBOLS}])
    (1[1-9](?=[0-9]) | 20(?=[1-9]))([0-9][0-9])
    ('?s(?![^\W_]))?
    (?![^\W_]|[%{_SYMBOLS}]|[.,:][0-9])
    """,
    re.VERBOSE,
)
_DIGIT = re.compile("[0-9]")
_CONTRACTED = re.compile("(.*)({})".format("|".join(CONTRACTED)), re.DOTALL)
_ACCENT = re.compile("[\u0300-\u036f]+")

Transform = Callable[[str], Iterable[str]]
Reader = Callable[[re.Match[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A transform with a name, which appears in the signature, and one line about it."""

    name: str
    about: str
    function: Transform

    def __call__(self, word: str) -> Iterable[str]:
        """What a word becomes."""
        return self.function(word)


@dataclass(frozen=True, slots=True)
class NormalCounts:
    """The numbers of words before and after, and of boundaries merged and lost."""

    words_before: int
    words_after: int
    merged: int
    lost: int


@dataclass(frozen=True, slots=True)
class Normalizer:
    """Transforms applied in turn, each to all words that the one before returned.

    A transform may be any function that takes a word and gives words; a string it gives is split
    at white space.
    """

    steps: tuple[Transform, ...] = ()

    @property
    def signature(self) -> str:
        """The names of the transforms in the order in which they are applied, joined by +."""
        return "+".join(map(_name, self.steps)) or "none"

    def __call__(self, word: str) -> tuple[str, ...]:
        """What a word becomes."""
        words = [word]
        for step in self.steps:
            words = [part for word in words for part in _parts(step, word)]
        return tuple(words)

    def _inside(self, piece: str) -> tuple[str, ...]:
        """What a piece of several words becomes: still one, unless no word is left."""
        words = (part for word in piece.split(NO_BREAK) for part in self(word))
        return tuple(filter(None, [NO_BREAK.join(words)]))

    def apply(self, document: Document, *, streams: str = "") -> Document:
        """The document with its words normalised and its boundaries, times and labels moved."""
        return self.count(document, streams=streams)[0]

    def count(self, document: Document, *, streams: str = "") -> tuple[Document, NormalCounts]:
        """Normalise a document, and say how many boundaries were merged and lost.

        A boundary after a word that is dropped goes to the last word before it that is not, with
        `streams` (`speaker` or `channel`) to the last of the same stream; one that has none
        before it is lost; two that land together count once, with the first's mark. A document
        without words comes back as it is.
        """
        length = document.segmentation.length
        if not self.steps:
            return document, NormalCounts(length, length, 0, 0)
        words = document.words
        change = self._inside if document.is_verbatim else self
        becomes = {word: change(word) for word in dict.fromkeys(words)}
        if all(parts == (word,) for word, parts in becomes.items()):
            return document, NormalCounts(length, length, 0, 0)
        joined = {word: " ".join(parts) for word, parts in becomes.items()}
        text = " ".join(filter(None, map(joined.__getitem__, words)))
        if not text:
            raise FormatError(
                document.source,
                f"no words are left after normalisation ({self.signature})",
                "drop a rule, or the document",
            )
        labels = document.track.labels(streams) if streams else None
        return _moved(document, text, _layout(words, becomes), labels)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the new words come from.

    `offsets` holds how many new words stand before each old one, and before the end. For each new
    word, `origin` is the old word it is part of, and `before`, `after` and `total` are the
    letters and digits of that word's parts before its beginning, before its end, and in all.
    """

    offsets: IntArray
    origin: IntArray
    before: IntArray
    after: IntArray
    total: IntArray


def _layout(words: Sequence[str], becomes: dict[str, tuple[str, ...]]) -> Layout:
    number = {word: code for code, word in enumerate(becomes)}
    codes = np.fromiter(map(number.__getitem__, words), np.int64, len(words))
    parts = np.fromiter(map(len, becomes.values()), np.int64, len(becomes))
    # Of all distinct words, one after the other: their parts, and the letters and digits of these.
    first = offsets_of(parts)
    ends = offsets_of(spoken_lengths(" ".join(chain.from_iterable(becomes.values()))))
    offsets = offsets_of(parts[codes])
    origin = np.repeat(np.arange(len(words)), np.diff(offsets))
    code = codes[origin]
    part = first[code] + np.arange(origin.size) - offsets[origin]
    begin, end = ends[first[code]], ends[first[code + 1]]
    return Layout(offsets, origin, ends[part] - begin, ends[part + 1] - begin, end - begin)


def _moved(
    document: Document, text: str, layout: Layout, streams: WordNames | None
) -> tuple[Document, NormalCounts]:
    """The document with other words, and its boundaries, lines, times and labels moved to them."""
    old, offsets = document.segmentation, layout.offsets
    landing = _landing(offsets, streams)[old.boundaries]
    has_landed = landing >= 0
    marks = None if old.marks is None else old.marks[has_landed]
    new = Segmentation.from_positions(landing[has_landed], int(offsets[-1]), marks)
    lost = int((~has_landed).sum())
    merged = landing.size - lost - np.unique(landing[has_landed]).size
    lines, before = document.line_starts, document.written
    if before is None:
        written = Written(document.raw or document.text or "", offsets)
    else:  # normalised a second time
        written = Written(before.raw, offsets[before.offsets])
    moved = replace(
        document,
        segmentation=new,
        text=text,
        line_starts=None if lines is None else offsets[lines],
        raw=None,
        track=_track(document.track, layout),
        written=written,
    )
    return moved, NormalCounts(old.length, new.length, merged, lost)


def _landing(offsets: IntArray, streams: WordNames | None) -> IntArray:
    """For each old word, the last new word up to its end, or -1; of its own stream, if given.

    The words are sorted by stream and each stream is lifted above the ones before it, so that one
    running maximum serves all.
    """
    last = offsets[1:] - 1
    if streams is None:
        return last
    order = np.argsort(streams.codes, kind="stable")
    lift = (streams.codes[order] - WordNames.NOBODY) * offsets[-1]
    has_parts = np.diff(offsets)[order] > 0
    nearest = np.maximum.accumulate(np.where(has_parts, last[order] + lift, -1)) - lift
    landing = np.empty_like(last)
    landing[order] = np.maximum(nearest, -1)
    return landing


def _track(track: Track, layout: Layout) -> Track:
    start, end = _times(track, layout)
    speaker, channel = (
        None if labels is None else labels.some(layout.origin)
        for labels in (track.speaker, track.channel)
    )
    interpolated = np.diff(layout.offsets)[layout.origin] > 1
    if track.interpolated is not None:
        interpolated |= track.interpolated[layout.origin]
    is_timed = (start is not None or end is not None) and interpolated.any()
    shared = interpolated if is_timed else None
    return Track(start, end, speaker, channel, track.edges, interpolated=shared)


def _times(track: Track, layout: Layout) -> tuple[IntArray | None, IntArray | None]:
    """Spread the parts of a word over its time, in proportion to their letters and digits.

    Where a word lacks one of its times the other is that of its first or last part.
    """
    if track.start is None and track.end is None:
        return None, None
    unknown = np.full(int(layout.origin[-1]) + 1, Track.UNKNOWN)
    start, end = (
        (unknown if times is None else times)[layout.origin] for times in (track.start, track.end)
    )
    timed = (start != Track.UNKNOWN) & (end != Track.UNKNOWN)
    span = np.where(timed, end - start, 0)
    begins = start + span * layout.before // layout.total
    finishes = np.where(timed, start + span * layout.after // layout.total, end)
    begins[~timed & (layout.before > 0)] = Track.UNKNOWN
    finishes[~timed & (layout.after < layout.total)] = Track.UNKNOWN
    return None if track.start is None else begins, None if track.end is None else finishes


def _name(step: Transform) -> str:
    return str(getattr(step, "name", None) or getattr(step, "__name__", type(step).__name__))


def _parts(step: Transform, word: str) -> Sequence[str]:
    words = step(word)
    if words == (word,):
        return words
    try:
        return (words if isinstance(words, str) else " ".join(words)).split()
    except TypeError:
        problem = f"{_name(step)} gave {words!r} for '{word}'"
        raise UsageError(f"{problem}; a transform must return words") from None


def numbers(word: str) -> tuple[str, ...]:
    """Read the numbers in a word, with their signs, currencies and endings.

    >>> numbers("$1.50"), numbers("covid-19"), numbers("twenty-first")
    (('one', 'dollar', 'fifty', 'cents'), ('covid', 'nineteen'), ('twenty', 'first'))
    """
    words: list[str] = []
    for piece in _read(word, _NUMBER, _number):
        parts = piece.split("-")
        if len(parts) > 1 and _NUMBER_WORDS.issuperset(parts):
            words += parts
        else:
            words.append("percent" if piece == "%" else piece)
    return tuple(words)


def years(word: str) -> tuple[str, ...]:
    """Read 1100 to 1999 and 2010 to 2099 in two halves.

    >>> years("1984"), years("mid-1990s"), years("$1984")
    (('nineteen', 'eighty', 'four'), ('mid', 'nineteen', 'nineties'), ('$1984',))
    """
    return _read(word, _YEAR, _year)


def digits(word: str) -> tuple[str, ...]:
    """Read each digit by itself.

    >>> digits("555-0199")
    ('five', 'five', 'five', 'zero', 'one', 'nine', 'nine')
    """
    return _read(word, _DIGIT, lambda match: _digit_by_digit(match[0]))


def cardinal(figures: str) -> list[str]:
    """A whole number in words; digit by digit if it begins with zeros or is too long to name."""
    if len(figures) > LONGEST or (figures[0] == "0" and len(figures) > 1):
        return _digit_by_digit(figures)
    rest = int(figures)
    words: list[str] = []
    for power in range(len(SCALES), 0, -1):
        count, rest = divmod(rest, 1000**power)
        words += [*_below_1000(count), SCALES[power - 1]] if count else []
    return words + _below_1000(rest) or ["zero"]


def ordinal(words: list[str]) -> list[str]:
    """Make a number an ordinal.

    >>> ordinal(["twenty"]), ordinal(["fifty", "two"])
    (['twentieth'], ['fifty', 'second'])
    """
    last = words[-1]
    ending = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return [*words[:-1], ORDINALS.get(last, ending)]


def _below_1000(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    words = [SMALL[hundreds], "hundred"] if hundreds else []
    if rest >= 20:
        words.append(TENS[rest // 10 - 2])
        rest %= 10
    return [*words, SMALL[rest]] if rest else words


def _digit_by_digit(figures: str) -> list[str]:
    return [SMALL[int(figure)] for figure in figures]


def _read(word: str, pattern: re.Pattern[str], reader: Reader) -> tuple[str, ...]:
    """Read what a pattern finds in a word; what stands between becomes words of its own."""
    words: list[str] = []
    at = 0
    for match in pattern.finditer(word):
        words += [word[at : match.start()].strip(_SEPARATORS), *reader(match)]
        at = match.end()
    if not at:
        return (word,)
    return tuple(filter(None, [*words, word[at:].strip(_SEPARATORS)]))


def _number(match: re.Match[str]) -> list[str]:
    sign, currency, whole, fraction, ending = match.groups("")
    if ending in CURRENCIES and not currency:
        currency, ending = ending, ""
    whole = whole.replace(",", "")
    before = [SIGNS[sign]] if sign else []
    if currency:
        return before + _money(CURRENCIES[currency], whole, fraction, ending)
    words = _value(whole, fraction)
    if ending in ("st", "nd", "rd", "th") and "point" not in words:
        return before + ordinal(words)
    if ending in ("s", "'s"):
        return before + _plural(words, ending)
    return [*before, *words, "percent" if ending == "%" else ending]


def _value(whole: str, fraction: str) -> list[str]:
    words = cardinal(whole) if whole else []
    return [*words, "point", *_digit_by_digit(fraction)] if fraction else words


def _plural(words: list[str], ending: str) -> list[str]:
    """The 90s and the 90's are the nineties; a 7's is a seven's."""
    last = words[-1]
    is_round = last in TENS or last in ("ten", "hundred", "thousand")
    if ending == "'s" and not is_round:
        return [*words[:-1], f"{last}'s"]
    many = f"{last[:-1]}ies" if last.endswith("y") else f"{last}{'es' if last[-1] == 'x' else 's'}"
    return [*words[:-1], many]


def _money(unit: tuple[str, str, str, str], whole: str, fraction: str, ending: str) -> list[str]:
    one, many, hundredth, hundredths = unit
    if ending in SHORT_SCALES:
        return [*_value(whole, fraction), SHORT_SCALES[ending], many]
    if len(fraction) != 2 or not hundredths:
        return [*_amount(_value(whole, fraction), one, many), ending]
    large = _amount(cardinal(whole or "0"), one, many)
    small = _amount(cardinal(fraction.lstrip("0") or "0"), hundredth, hundredths)
    if fraction == "00":
        return [*large, ending]
    return [*large, *small, ending] if whole.strip("0") else [*small, ending]


def _amount(words: list[str], one: str, many: str) -> list[str]:
    return [*words, one if words == ["one"] else many]


def _year(match: re.Match[str]) -> list[str]:
    century, year, ending = match.groups("")
    if year == "00":
        words = [*cardinal(century), "hundred"]
    else:
        low = ["oh", SMALL[int(year)]] if year < "10" else cardinal(year)
        words = [*cardinal(century), *low]
    return _plural(words, ending) if ending else words


_CARDINALS = [*SMALL, *TENS, "hundred", *SCALES]
_NUMBER_WORDS = frozenset(_CARDINALS + [ordinal([word])[0] for word in _CARDINALS])


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
    while word not in WHOLE_WORDS and (match := _CONTRACTED.fullmatch(word)):
        word = match[1]
        words.insert(0, CONTRACTED[match[2]])
    return (*WHOLE_WORDS.get(word, word).split(), *words)


def apostrophes(word: str) -> tuple[str, ...]:
    """Remove the apostrophes."""
    return _some(word.replace("'", ""))


def fillers(word: str) -> tuple[str, ...]:
    """Drop a filler, or a word of nothing but fillers and hyphens."""
    parts = set(word.split("-")) - {""}
    return () if parts and parts <= FILLERS else (word,)


def _some(word: str) -> tuple[str, ...]:
    return (word,) if word else ()


RULES = {
    rule.name: rule
    for rule in (
        Rule("nonwords", "drop what is in angle brackets: <unk>, <laugh>", nonwords),
        Rule("fragments", "drop words that are cut off: the-", fragments),
        Rule("accents", "remove accents: résumé is resume", accents),
        Rule("years", "read 1984 as nineteen eighty four, 2015 as twenty fifteen", years),
        Rule("digits", "read each digit by itself: 747 is seven four seven", digits),
        Rule("numbers", "read digits, %, money and ordinals: 21st is twenty first", numbers),
        Rule("hyphens", "split words at hyphens: long-term is long term", hyphens),
        Rule("contractions", "split contractions: we're is we are, it's is it 's", contractions),
        Rule("apostrophes", "remove apostrophes: o'clock is oclock", apostrophes),
        Rule("fillers", "drop fillers: uh, um, hmm, mhm, uh-huh", fillers),
    )
}


def compose(names: Iterable[str]) -> Normalizer:
    """Combine rules by their names; a string is read as the signature writes it.

    >>> compose(["fillers", "numbers"]).signature
    'numbers+fillers'
    >>> compose("numbers+fillers")("$20")
    ('twenty', 'dollars')
    """
    chosen = set(names.split("+") if isinstance(names, str) else names)
    for name in sorted(chosen - RULES.keys()):
        raise UnknownNameError("normalisation rule", name, RULES)
    if {"digits", "numbers"} <= chosen:
        raise UsageError("the rules digits and numbers both read digits; choose one of them")
    return Normalizer(tuple(rule for name, rule in RULES.items() if name in chosen))
