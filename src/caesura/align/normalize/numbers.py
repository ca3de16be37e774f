"""The rules that read numbers: digits become English words, without `and`."""

from __future__ import annotations

import re
from collections.abc import Callable

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

Reader = Callable[[re.Match[str]], list[str]]


def numbers(word: str) -> tuple[str, ...]:
    """Read the numbers in a word, with their signs, currencies and endings.

    >>> numbers("$1.50"), numbers("covid-19"), numbers("twenty-first")
    (('one', 'dollar', 'fifty', 'cents'), ('covid', 'nineteen'), ('twenty', 'first'))
    """
    return tuple(part for piece in _read(word, _NUMBER, _number) for part in _spelled(piece))


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
    return _read(word, _DIGIT, lambda found: _each(found[0]))


def cardinal(figures: str) -> list[str]:
    """A whole number in words; digit by digit if it begins with zeros or is too long to name."""
    if len(figures) > LONGEST or (figures[0] == "0" and len(figures) > 1):
        return _each(figures)
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


def _each(figures: str) -> list[str]:
    return [SMALL[int(figure)] for figure in figures]


def _read(word: str, pattern: re.Pattern[str], reader: Reader) -> tuple[str, ...]:
    """Read what a pattern finds in a word; what stands between becomes words of its own."""
    words: list[str] = []
    at = 0
    for found in pattern.finditer(word):
        words += [word[at : found.start()].strip(_SEPARATORS), *reader(found)]
        at = found.end()
    if not at:
        return (word,)
    return tuple(filter(None, [*words, word[at:].strip(_SEPARATORS)]))


def _spelled(piece: str) -> list[str]:
    """Split number words that are joined by hyphens; `%` alone is percent."""
    parts = piece.split("-")
    if len(parts) > 1 and _NUMBER_WORDS.issuperset(parts):
        return parts
    return ["percent" if piece == "%" else piece]


def _number(found: re.Match[str]) -> list[str]:
    sign, currency, whole, fraction, ending = found.groups("")
    if ending in CURRENCIES and not currency:
        currency, ending = ending, ""
    whole = whole.replace(",", "")
    before = [SIGNS[sign]] if sign else []
    if currency:
        return before + _money(CURRENCIES[currency], whole, fraction, ending)
    return before + _with_ending(_value(whole, fraction), ending)


def _value(whole: str, fraction: str) -> list[str]:
    words = cardinal(whole) if whole else []
    return [*words, "point", *_each(fraction)] if fraction else words


def _with_ending(words: list[str], ending: str) -> list[str]:
    if ending in ("st", "nd", "rd", "th") and "point" not in words:
        return ordinal(words)
    if ending in ("s", "'s"):
        return _plural(words, ending)
    return [*words, "percent" if ending == "%" else ending]


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


def _year(found: re.Match[str]) -> list[str]:
    century, year, ending = found.groups("")
    if year == "00":
        words = [*cardinal(century), "hundred"]
    else:
        low = ["oh", SMALL[int(year)]] if year < "10" else cardinal(year)
        words = [*cardinal(century), *low]
    return _plural(words, ending) if ending else words


_CARDINALS = [*SMALL, *TENS, "hundred", *SCALES]
_NUMBER_WORDS = frozenset(_CARDINALS + [ordinal([word])[0] for word in _CARDINALS])
