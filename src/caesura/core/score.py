"""Score: the declaration of one number, made once, at its measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from caesura.core.arrays import Numeric


Better = Literal["high", "low"] | None
View = Literal[
    "all",
    "each",
    "one",
    "mean",
    "agreement",
    "pair",
    "ceiling",
    "mark",
    "consensus",
    "alignment",
    "document",
    "unit",
    "other",
    "profile",
    "spread",
    "compare",
    "headline",
    "correlate",
]
"""Where a score is shown.

Tables: `all`, against all references together; `each`, against one of them; `one`, against the only
one, which has what is in `each` or `mean`; `mean`, over the references; `agreement`, of the
references; `pair`, of two references; `ceiling`, against all references but one; `mark`, of one
mark; `consensus`, of one mark in all references; `alignment`, of words; `document`, by document or
stream; `unit`, of one kind of unit; `other`, beside the units; `profile`, of a community's scores;
`spread`, over parts of a corpus. `compare`: intervals and comparisons; `headline`: sentences and
regression gates; `correlate`: what that shows by default.
"""
Scores = dict[str, Any]
"""Scores by key: numbers, or arrays of numbers in a bootstrap; nan where undefined."""


@dataclass(frozen=True, slots=True)
class Score:
    """One number derived from the counts of a measure.

    `key` is its name in JSON, `label` its name in print, `heading` its label in its own table,
    `help` a one-line definition. `take` computes it from the counts: an attribute, or a function.
    Scores of a `group` stand together in JSON, there under the name `short`. `of` says whose score
    it is: of systems, of pairs of references, or both. `keys` overrides the key in a view. `scale`
    is 100 for scores from 0 to 100. What `is_special` is not shown where all scores are. `joint`
    names the method of the counts that takes those against all references, if their score is no
    mean; it returns scores by key.
    """

    key: str
    label: str
    help: str
    better: Better = "high"
    views: tuple[View, ...] = ()
    take: str | Callable[[Any], Any] = ""
    heading: str = ""
    group: str = ""
    short: str = ""
    of: Literal["systems", "references", "both"] = "systems"
    is_count: bool = False
    is_additive: bool = True
    has_time: bool = True
    scale: int = 1
    is_special: bool = False
    joint: str = ""
    keys: tuple[tuple[View, str], ...] = field(default=())

    def value(self, counts: object) -> Numeric:
        """The value."""
        take = self.take or self.key
        return take(counts) if callable(take) else _getter(take)(counts)

    @property
    def has_mean(self) -> bool:
        """Whether it is averaged over references: rates, and counts that profiles show."""
        return not self.is_count or "profile" in self.views

    def key_in(self, view: View) -> str:
        """The key in a view: `f1` is `f1_mean` over references and `pairwise_f1_mean` of them."""
        rule = {"mean": f"{self.key}_mean", "agreement": f"pairwise_{self.key}_mean"}
        return dict(self.keys).get(view) or rule.get(view, self.key)


_getter = cache(attrgetter)
"""The value of an attribute, or of an attribute of one, by its name."""


def values(scores: Iterable[Score], counts: object) -> Scores:
    """All scores of some counts, by key."""
    return {score.key: score.value(counts) for score in scores}


def matches(
    group: str,
    prefix: str,
    what: str,
    *,
    views: tuple[View, ...] = (),
    f1_views: tuple[View, ...] = (),
    **how: Any,
) -> tuple[Score, ...]:
    """Precision, recall and F1 of one kind of unit; `group` is where its matches are."""
    formulas = {
        "precision": ("P", "TP / (TP + FP)"),
        "recall": ("R", "TP / (TP + FN)"),
        "f1": ("F1", "2·TP / (2·TP + FP + FN)"),
    }
    return tuple(
        Score(
            f"{prefix}_{name}",
            f"{prefix.replace('_', ' ')} {heading}",
            f"{name.capitalize()} of {what}: {formula}.",
            views=(*views, *(f1_views if name == "f1" else ())),
            take=f"{group}.{name}",
            heading=heading,
            group=group,
            short=name,
            **how,
        )
        for name, (heading, formula) in formulas.items()
    )


def tallies(
    group: str,
    prefix: str,
    names: dict[str, tuple[str, str]],
    *,
    views: tuple[View, ...],
    take: str = "{group}.{name}",
) -> tuple[Score, ...]:
    """Counts of one kind of unit: for each name its heading and what it counts."""
    return tuple(
        Score(
            f"{prefix}_{name}",
            f"{prefix.replace('_', ' ')} {heading}",
            what,
            None,
            views,
            take=take.format(group=group, name=name),
            heading=heading,
            group=group,
            short=name,
            is_count=True,
        )
        for name, (heading, what) in names.items()
    )


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the key of its values, and how they are shown."""

    title: str
    key: str
    better: Better = None
    help: str = ""
    is_count: bool = False
    scale: int = 1
    is_main: bool = False
    """Whether it is a main score of the task, which a terminal shows in bold."""


ALSO, BOUNDARY = "also", "boundary"
"""The option that names further measures; with a profile, `boundary` adds the task's own tables."""
