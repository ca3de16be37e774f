"""Consensus: how many references have to share a boundary, as users write it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from caesura.errors import UsageError, option

if TYPE_CHECKING:
    from fractions import Fraction

MAJORITY = 0
"""Stands for more than half."""
ALL = "all"
Rule = int | str
"""A number of references, MAJORITY, or a share of them: a fraction, or ALL."""
_SHARE = re.compile(r"(\d{1,9})/(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?)%|(\d?\.\d{1,9})")


def consensus_rule(value: str | float) -> Rule:
    """Read `majority`, a whole number, a share such as `2/3`, `70%` or `0.7`, or `all`.

    >>> [consensus_rule(each) for each in ("majority", "2", "70%", 0.7, "2/3", "all")]
    [0, 2, '7/10', '7/10', '2/3', 'all']
    """
    text = str(value).strip().lower()
    if text in ("majority", "0", ALL):
        return ALL if text == ALL else MAJORITY
    if re.fullmatch(r"\d{1,18}", text):
        return int(text)
    share = _share(text)
    if share == 1 and "/" not in text and "%" not in text:
        raise UsageError(f"{option('consensus', '…')}: {text} may mean 1 or all; write one of them")
    if share is None or not 0 < share <= 1:
        raise UsageError(
            f"{option('consensus', '…')}: '{text}' is neither a number of references (2) nor a "
            "share (2/3, 70%, 0.7), majority or all"
        )
    return ALL if share == 1 else str(share)


def _share(text: str) -> Fraction | None:
    """An exact fraction."""
    found = _SHARE.fullmatch(text)
    if found is None:
        return None
    from fractions import Fraction

    above, below, percent, decimal = found.groups()
    if above:
        return Fraction(int(above), int(below)) if int(below) else None
    return Fraction(percent) / 100 if percent else Fraction(decimal)


def votes_needed(rule: Rule, references: int) -> int:
    """How many of some references have to share a boundary; it may be more than there are.

    >>> [votes_needed(rule, 3) for rule in (0, 2, "7/10", "all")]
    [2, 2, 3, 3]
    """
    if isinstance(rule, int):
        return rule or references // 2 + 1
    if rule == ALL:
        return references
    from fractions import Fraction

    return max(1, math.ceil(Fraction(rule) * references))
