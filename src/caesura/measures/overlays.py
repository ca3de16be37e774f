"""Overlays: labelled intervals of two versions laid over each other, label by label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from caesura.core.labels import Labels
from caesura.core.segmentation import Document, IntArray, WordNames

UNLABELLED = ""
"""The label of intervals that have none."""


class LabelSpans(NamedTuple):
    """Intervals that may overlap, with numbers of labels that both versions share."""

    start: IntArray  # (intervals,) ascending
    end: IntArray  # (intervals,) beyond the last place
    label: IntArray  # (intervals,)

    def some(self, which: IntArray) -> LabelSpans:
        """Some of the intervals."""
        return LabelSpans(self.start[which], self.end[which], self.label[which])


def labelled(
    candidate: Document, reference: Document, background: str
) -> tuple[LabelSpans, LabelSpans, list[str]]:
    """The intervals of both versions other than the background, and the labels, sorted."""
    sides = [Labels.from_document(each) for each in (candidate, reference)]
    used = {UNLABELLED if code == WordNames.NOBODY else side.names[code]
            for side in sides for code in np.unique(side.codes).tolist()}  # fmt: skip
    names = sorted(used - {background})
    numbers = {name: at for at, name in enumerate(names)}
    ours, theirs = (_numbered(side, numbers) for side in sides)
    return ours, theirs, names


def _numbered(side: Labels, numbers: dict[str, int]) -> LabelSpans:
    """The intervals whose labels have numbers; NOBODY, -1, is the last row of the table."""
    table = np.array([numbers.get(name, -1) for name in (*side.names, UNLABELLED)], np.int64)
    label = table[side.codes]
    return LabelSpans(side.starts, side.ends, label).some(np.flatnonzero(label >= 0))


@dataclass(frozen=True, slots=True)
class Overlay:
    """How long each label is right, added and missed; and pieces of the axis with both numbers."""

    right: IntArray  # (labels,) how long both versions have it
    placed: IntArray  # (labels,) how long the candidate has it
    wanted: IntArray  # (labels,) how long the reference has it
    length: IntArray  # (pieces,) how long each piece is
    added: IntArray  # (pieces,) labels that only the candidate has there
    missed: IntArray  # (pieces,) labels that only the reference has there

    @classmethod
    def from_spans(cls, ours: LabelSpans, theirs: LabelSpans, labels: int) -> Overlay:
        """Lay two versions over each other.

        Labels are put one after another on one axis, far enough apart that nothing is joined
        across, so that each version is a list of disjoint stretches. The slow twin is `segments`
        of tests/support/reference_events.py.
        """
        span = int(max(ours.end.max(initial=0), theirs.end.max(initial=0))) + 1
        one, other = (_stretches(each, span) for each in (ours, theirs))
        both = _shared(one, other)
        right, placed, wanted = (np.bincount(start // span, end - start, labels).astype(np.int64)
                                 for start, end in (both, one, other))  # fmt: skip
        starts, ends = (np.concatenate([each[at] for each in (one, other, both)]) for at in (0, 1))
        # by how much the numbers of added and of missed labels change where a stretch begins
        added, missed = (np.repeat(signs, [len(each[0]) for each in (one, other, both)])
                         for signs in ((1, 0, -1), (0, 1, -1)))  # fmt: skip
        edges = np.concatenate((starts, ends)) % span
        order = np.argsort(edges, kind="stable")
        more, fewer = (
            np.cumsum(np.concatenate((each, -each))[order])[:-1] for each in (added, missed)
        )
        return cls(right, placed, wanted, np.diff(edges[order]), more, fewer)


Stretches = tuple[IntArray, IntArray]
"""Starts and ends of disjoint intervals, ascending."""


def _stretches(spans: LabelSpans, span: int) -> Stretches:
    """What the intervals of each label cover, label after label."""
    lift = spans.label * span
    order = np.argsort(spans.start + lift, kind="stable")
    start, end = (spans.start + lift)[order], np.maximum.accumulate((spans.end + lift)[order])
    first = np.flatnonzero(np.append(True, start[1:] > end[:-1])[: start.size])
    last = np.append(first[1:], start.size)[: first.size] - 1
    return start[first], end[last]


def _shared(one: Stretches, other: Stretches) -> Stretches:
    """Where stretches of both versions overlap."""
    edges = np.concatenate((*one, *other))
    signs = np.repeat([1, -1, 1, -1], [each.size for each in (*one, *other)])
    order = np.lexsort((signs, edges))  # what ends somewhere ends before what begins there
    is_shared = np.cumsum(signs[order])[:-1] == 2
    return edges[order][:-1][is_shared], edges[order][1:][is_shared]
