"""Normalisation: named, ordered rules that change words before they are compared.

A transform takes a word and gives the words it becomes: none, one or several. The rules here are
written for English. They are applied in the order of RULES, in whatever order they are named, so
that the same choice always has the same signature.
"""

from __future__ import annotations

from collections.abc import Iterable

from caesura.align.normalize.normalizer import NormalCounts, Normalizer, Rule, Transform
from caesura.align.normalize.numbers import digits, numbers, years
from caesura.align.normalize.rewriting import (
    accents,
    apostrophes,
    contractions,
    fillers,
    fragments,
    hyphens,
    nonwords,
)
from caesura.errors import UnknownNameError, UsageError

__all__ = ["RULES", "NormalCounts", "Normalizer", "Rule", "Transform", "compose"]

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
