"""The errors of trees, as they are listed: confusions of labels, and sentences that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial

from caesura.output.report.views.trees import TreeError
from caesura.output.tables.error_lists import (
    Errors,
    Found,
    cut,
    errors_by_system,
    frequent,
    passage,
)
from caesura.tasks.trees.tree_errors import TreeErrors, bracketed

COLUMNS = (
    "system", "document", "system_place", "gold_place", "labels", "system_tree", "gold_tree",
)  # fmt: skip
LONGEST = 600
"""The characters of a tree that are shown."""
WrongSentence = tuple[str, TreeError]
"""The system, and a sentence whose brackets differ."""


def shown_tree_errors(errors: Iterable[WrongSentence], most: int) -> Found:
    """The most frequent confusions of labels, and the first sentences that differ."""
    pairs: Counter[tuple[str, ...]] = Counter()
    sentences: list[WrongSentence] = []
    size = 0
    for system, error in errors:
        pairs.update((system, *pair) for pair in error.labels)
        sentences += [(system, error)] if len(sentences) < most else []
        size += 1
    table = frequent(pairs, most, "Label errors", ("system", "its label", "gold label"))
    head = (
        f"Sentences with other brackets: the first {len(sentences)} of {size:,}; brackets that "
        "only one side has are square\n"
    )
    return Found((table,), (head, *map(_passage, sentences)))


def _passage(wrong: WrongSentence) -> str:
    system, error = wrong
    sides = ((system, error.system), ("gold", error.gold))
    place = f"{error.system.place} | {error.gold.place}"
    return passage(place, *((name, cut(bracketed(side), LONGEST)) for name, side in sides))


def _cells(wrong: WrongSentence) -> tuple[str, ...]:
    system, error = wrong
    ours, theirs = error.system, error.gold
    labels = " ".join(f"{own}/{wanted}" for own, wanted in error.labels)
    trees = map(bracketed, (ours, theirs))
    return system, error.document, ours.place, theirs.place, labels, *trees


ERRORS = Errors(
    partial(errors_by_system, kept=TreeErrors, kind="tree_errors"),
    shown_tree_errors,
    COLUMNS,
    _cells,
)
