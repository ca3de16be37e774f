"""The rules of normalisation: what one word becomes. Numbers are read in English, without `and`."""

from __future__ import annotations

import re
from collections.abc import Callable

from caesura.core.unicode import normalized

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

Reader = Callable[[re.Match[str]], list[str]]


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
