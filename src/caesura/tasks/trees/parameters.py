"""The parameters of evalb: what it deletes and what it takes for equal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EvalbParameters:
    """What a parameter file of evalb says.

    Leaves with a tag in `delete` are dropped, brackets with such a label do not count; leaves with
    a tag in `delete_for_length` do not count as words of a sentence, whose figures are also given
    for those of up to `cutoff` words. `quotes` are tags that a quotation mark may have wrongly.
    """

    name: str = "evalb"
    cutoff: int = 40
    is_labelled: bool = True
    most_errors: int = 10
    delete: tuple[str, ...] = ()
    delete_for_length: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    equal_labels: Pairs = ()
    equal_words: Pairs = ()

    def same_labels(self, one: str, other: str) -> bool:
        """Whether two labels, or tags, count as equal; not transitive, as in evalb."""
        return one == other or (one, other) in self._equal_labels

    def same_words(self, one: str, other: str) -> bool:
        """Whether two words count as equal."""
        return one == other or (one, other) in self._equal_words

    def deletes(self, label: str) -> bool:
        """Whether brackets with a label do not count."""
        return label in self._deleted

    @cached_property
    def _equal_labels(self) -> frozenset[tuple[str, str]]:
        return _both_ways(self.equal_labels)

    @cached_property
    def _equal_words(self) -> frozenset[tuple[str, str]]:
        return _both_ways(self.equal_words)

    @cached_property
    def _deleted(self) -> frozenset[str]:
        """The labels that are deleted, and those that are equal to one of them."""
        deleted = frozenset(self.delete)
        return deleted | {one for one, other in self._equal_labels if other in deleted}

    def label_classes(self, labels: Iterable[str]) -> dict[str, str] | None:
        """For each label one that stands for all that are equal; None if that is not transitive."""
        near: dict[str, set[str]] = {label: {label} for label in labels}
        for one, other in self.equal_labels:
            if one in near and other in near:
                near[one].add(other)
                near[other].add(one)
        if any(near[other] != own for own in near.values() for other in own):
            return None
        return {label: min(own) for label, own in near.items()}


def _both_ways(pairs: Pairs) -> frozenset[tuple[str, str]]:
    return frozenset(pairs) | {(other, one) for one, other in pairs}


def evalb_label(label: str) -> str:
    """A label as evalb compares it, cut at its first - or =.

    >>> evalb_label("NP-SBJ"), evalb_label("NP=2"), evalb_label("-NONE-")
    ('NP', 'NP', '')
    """
    return label.replace("=", "-").partition("-")[0]
