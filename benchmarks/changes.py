"""What may differ between two baselines: the written mapping from the old to the new.

Everything here is applied to the old side before the two are compared, so that a rename is no
difference and every number still is one. Whoever renames something adds a line here, and takes it
out again once the new names are in the baseline that others compare with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]

FIELDS: dict[str, str] = {}
"""Fields of saved rows: old name to new name."""

COUNTS: dict[str, str] = {}
"""Fields of the counts in saved rows: old name to new name."""

KEYS: dict[str, str] = {}
"""Keys of the JSON and columns of the CSV; they are a contract, so this stays empty if it can."""

WORDS: dict[str, str] = {}
"""Titles and phrases in tables, messages, pictures and pages: old text to new text.

Whole words only, longer ones first. White space is not compared, so widths do not matter.
"""

NEW_KEYS: frozenset[str] = frozenset()
"""Keys of the JSON that the new side may have in addition, such as `warnings`."""

NEW_ERROR_LINES: tuple[str, ...] = ()
"""Patterns of lines on standard error that the new side may have in addition."""

OTHER_OUTPUTS: tuple[str, ...] = ()
"""Patterns of `COMMAND/OUTPUT` that are meant to differ, with the reason in a comment each."""


def row_as_now(row: Row) -> Row:
    """An old row as it is written now; what is more than a rename goes here."""
    fields = {FIELDS.get(name, name): value for name, value in row.items()}
    counts = fields.get("counts")
    if isinstance(counts, dict):
        fields["counts"] = {COUNTS.get(name, name): value for name, value in counts.items()}
    return fields


def words_as_now(text: str) -> str:
    """An old text with the words of today."""
    return _WORDS.sub(lambda found: WORDS[found[0]], text) if WORDS else text


def json_as_now(value: Any) -> Any:
    """Old JSON with the keys and words of today."""
    return _renamed(value, lambda key: KEYS.get(key, key))


def page_as_now(value: Any) -> Any:
    """What an old page shows, with the titles and words of today."""
    return _renamed(value, words_as_now)


def _renamed(value: Any, key: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key(name): _renamed(each, key) for name, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, key) for each in value]
    return words_as_now(value) if isinstance(value, str) else value


def is_meant(output: str) -> bool:
    """Whether an output is meant to differ."""
    return any(re.fullmatch(pattern, output) for pattern in OTHER_OUTPUTS)


_WORDS = re.compile(
    "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(WORDS, key=len, reverse=True))
)
