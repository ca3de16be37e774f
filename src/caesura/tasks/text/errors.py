"""The errors of a text, as they are listed: tokens by pattern, sentences one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple
from functools import partial

from caesura.output.tables import UNDEFINED
from caesura.output.tables.error_lists import Errors, Found, errors_by_system, frequent, passage
from caesura.tasks.text.counting import MERGE, Error, TextErrors

EDGE = 6
"""The tokens that are shown of a long sentence, at its beginning and at its end."""
COLUMNS = (
    "system",
    "unit",
    "document",
    "system_place",
    "gold_place",
    "system_text",
    "gold_text",
)
WrongBlock = tuple[str, Error]
"""The system, and what is not right."""


def shown_errors(errors: Iterable[WrongBlock], most: int) -> Found:
    """The most frequent patterns of token errors, and the first sentence errors."""
    patterns: Counter[tuple[str, ...]] = Counter()
    sentences: list[WrongBlock] = []
    for system, error in errors:
        if error.unit == "token":
            patterns[system, error.system or UNDEFINED, error.gold or UNDEFINED] += 1
        else:
            sentences.append((system, error))
    labels = "system", "its tokens", "gold tokens"
    table = frequent(patterns, most, "Token errors", labels, "pattern")
    head = f"Sentence errors: the first {min(most, len(sentences))} of {len(sentences):,} blocks\n"
    return Found((table,), (head, *map(_passage, sentences[:most])) if sentences else ())


def _passage(wrong: WrongBlock) -> str:
    system, error = wrong
    sides = (system, _shortened(error.system)), ("gold", _shortened(error.gold))
    return passage(f"{error.system_place} | {error.gold_place}", *sides)


def _shortened(text: str) -> str:
    """The sentences of a block, each with its first and last tokens only."""
    sentences = [sentence.split(" ") for sentence in text.split(MERGE)] if text else []
    short = [
        tokens if len(tokens) <= 2 * EDGE + 1 else [*tokens[:EDGE], "…", *tokens[-EDGE:]]
        for tokens in sentences
    ]
    return MERGE.join(" ".join(tokens) for tokens in short) or UNDEFINED


def _cells(wrong: WrongBlock) -> tuple[str, ...]:
    system, error = wrong
    return system, *astuple(error)[: len(COLUMNS) - 1]


ERRORS = Errors(
    partial(errors_by_system, kept=TextErrors, kind="errors"), shown_errors, COLUMNS, _cells
)
