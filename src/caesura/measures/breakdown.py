"""Breakdown: counts by group, such as mark, label, length or type of an edit.

Which groups there are varies from document to document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from caesura.core.counts import GroupedCounts, Items, Matches


@dataclass(frozen=True, slots=True)
class BreakdownCounts(GroupedCounts):
    """Brackets by label and by length of the sentence: kind, name, right, system's, gold's."""

    groups: tuple[tuple[str, str, int, int, int], ...]

    def items(self) -> dict[object, int]:
        """The three counts of each group."""
        return {
            (kind, name, field): count
            for kind, name, *counts in self.groups
            for field, count in enumerate(counts)
        }

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        groups = dict.fromkeys((kind, name) for kind, name, _ in items)
        return cls(tuple((*g, *(items.get((*g, field), 0) for field in range(3))) for g in groups))

    def of(self, kind: str) -> dict[str, Matches]:
        """What is right, too much and missing in each group of a kind."""
        own = (each[1:] for each in self.groups if each[0] == kind)
        return {name: Matches.from_totals(*counts) for name, *counts in own}


def most_frequent(groups: Mapping[str, Matches]) -> dict[str, Matches]:
    """Groups in order of how many the gold has, the most frequent first."""
    return dict(sorted(groups.items(), key=lambda each: -each[1].tp - each[1].fn))
