"""Sounds as sed_eval scores them, actions in videos as MS-TCN does.

Labelled events are counted in segments of time, and one by one: Mesaros, Heittola and Virtanen
(2016), Metrics for polyphonic sound event detection. Actions have an edit score, F1 by overlap, and
the accuracy of frames: Lea et al. (2017), Temporal convolutional networks; Farha and Gall (2019),
MS-TCN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from caesura.core.batch import ranges
from caesura.core.counts import NAN, Counts, Matches, ratio
from caesura.core.labels import Labels
from caesura.core.mean import mean
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Better, Score
from caesura.core.segmentation import Document, FloatArray, IntArray, WordNames
from caesura.matching import most_matched

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


WAYS = {
    "segment": "segments",
    "event": "events, by onset and offset",
    "onset": "events, by onset",
}
"""How events are counted, and what is counted then."""
FIELDS = ("tp", "fp", "fn")
BY_LABEL = frozenset(f"{way}_{name}" for way in WAYS for name in FIELDS)
"""The names of the counts that each label has; those that are 0 may be left out."""
EVERY = "*"
"""Stands for a label where all labels are counted together."""
PERCENT = 100


@dataclass(frozen=True, slots=True)
class EventCounts(Counts):
    """Counts by label and name, such as `segment_tp`; those of all labels together stand under *.

    These are `segment_swapped`, the errors that are substitutions, and `segments`.
    """

    table: tuple[tuple[str, str, int], ...]

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls(())

    def items(self) -> dict[Any, int]:
        """The counts by label and name."""
        return {(label, name): number for label, name, number in self.table}

    @classmethod
    def from_items(cls, items: Mapping[Any, Any]) -> Self:
        """Read what `items` returned."""
        return cls(tuple((label, name, items[label, name]) for label, name in sorted(items)))

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, EventCounts):
            return NotImplemented
        mine, yours = self.items(), other.items()
        keys = mine.keys() | yours.keys()
        return self.from_items({key: mine.get(key, 0) + yours.get(key, 0) for key in keys})

    @property
    def labels(self) -> list[str]:
        """The labels that either side has."""
        return sorted({label for label, name, _ in self.table if name in BY_LABEL})

    def by_label(self, way: str) -> dict[str, Matches]:
        """The segments or events of each label."""
        items, names = self.items(), [f"{way}_{name}" for name in FIELDS]
        return {
            label: Matches(*(items.get((label, name), 0) for name in names))
            for label in self.labels
        }

    def alone(self, label: str) -> Self:
        """The counts of one label."""
        rows = (row for row in self.table if row[0] == label and row[1] in BY_LABEL)
        return type(self)(tuple(rows))

    def total(self, way: str) -> Matches:
        """The segments or events of all labels."""
        every = self.by_label(way).values()
        return Matches(*(sum(getattr(each, name) for each in every) for name in FIELDS))

    def errors(self, way: str) -> dict[str, Any]:
        """The error rate, and its parts: substitutions, deletions and insertions."""
        total = self.total(way)
        swapped = self.items().get((EVERY, f"{way}_swapped"), 0)
        parts = {"substitution": swapped, "deletion": total.fn - swapped,
                 "insertion": total.fp - swapped}  # fmt: skip
        rates = {name: ratio(each, total.tp + total.fn) for name, each in parts.items()}
        return {"er": ratio(total.fp + total.fn - swapped, total.tp + total.fn), **rates}

    def accuracy(self) -> Any:
        """The share of segments and labels on which both sides agree."""
        total, items = self.total("segment"), self.items()
        every = self.by_label("segment").values()
        labels: Any = sum((np.asarray(each.tp + each.fp + each.fn) > 0) * 1 for each in every)
        places = items.get((EVERY, "segments"), 0) * labels
        return ratio(places - total.fp - total.fn, places)

    def mean_of(self, way: str, rate: Callable[[Matches], Any]) -> Any:
        """The mean of a rate over labels for which it is defined."""
        return mean([*map(rate, self.by_label(way).values())])

    @property
    def score(self) -> Any:
        """F1 of segments."""
        return self.total("segment").f1


def _f1_of_both(counts: Matches) -> Any:
    """F1, undefined for a label that one side lacks, as in sed_eval."""
    has_both = (np.asarray(counts.tp + counts.fp) > 0) & (np.asarray(counts.tp + counts.fn) > 0)
    return np.where(has_both, counts.f1, NAN) if has_both.ndim else counts.f1 if has_both else NAN


def _er_of(counts: Matches) -> Any:
    return ratio(counts.fp + counts.fn, counts.tp + counts.fn)


def _scores(way: str, what: str) -> Iterator[Score]:
    """The scores of one way of counting."""

    def score(key: str, label: str, help: str, take: Any, better: Better = "high") -> Score:
        return Score(f"{way}_{key}", f"{way} {label}", f"{help} of {what}.", better, take=take)

    yield score("f1", "F1", "F1", lambda own: own.total(way).f1)
    yield score("precision", "P", "Precision", lambda own: own.total(way).precision)
    yield score("recall", "R", "Recall", lambda own: own.total(way).recall)
    yield score("er", "ER", "Error rate", lambda own: own.errors(way)["er"], "low")
    for name in ("substitution", "deletion", "insertion"):
        yield score(f"{name}_rate", f"{name}s", f"{name.capitalize()}s / reference",
                    lambda own, name=name: own.errors(way)[name], "low")  # fmt: skip
    yield score("label_f1", "F1 by label", "Mean over labels of F1",
                lambda own: own.mean_of(way, lambda each: each.f1))  # fmt: skip
    yield score("label_f1_sed_eval", "F1 by label (sed_eval)",
                "Mean F1 of labels that both sides have",
                lambda own: own.mean_of(way, _f1_of_both))  # fmt: skip
    yield score("label_er", "ER by label", "Mean over labels of the error rate",
                lambda own: own.mean_of(way, _er_of), "low")  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelledEvents(DocumentMeasure):
    """F1 and error rates of labelled intervals, in segments of `step` and one by one.

    An event is right if its onset is at most `tolerance` away and its offset no farther than that
    or `percentage` of the length of the reference event.
    """

    name: ClassVar[str] = "events"
    counts: ClassVar[type[Counts]] = EventCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        *(score for way, what in WAYS.items() for score in _scores(way, what)),
        Score("segment_accuracy", "segment accuracy",
              "Segments and labels on which both sides agree / all.", take=EventCounts.accuracy),
    )  # fmt: skip
    titles: ClassVar[Mapping[str, str]] = {"label": "Events by label"}
    of_group: ClassVar[tuple[Score, ...]] = tuple(
        score for way, what in WAYS.items() for score in list(_scores(way, what))[:4]
    )
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0, "step": 1, "percentage": 0}
    defaults: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "time": {"tolerance": 200_000, "step": 1_000_000},
    }

    tolerance: int = 200_000
    step: int = 1_000_000
    percentage: int = 50
    background: str = "background"

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:
        """The tolerance of offsets, and the label that is no event."""
        return {"percentage": options.percentage, "background": options.background}

    @classmethod
    def groups(cls, counts: EventCounts) -> Mapping[str, Mapping[str, Counts]]:
        """The counts of each label."""
        return {"label": {label: counts.alone(label) for label in counts.labels}}

    def count(self, candidate: Document, reference: Document) -> EventCounts:
        """Count one recording; the slow twins are in tests/support/reference_events.py."""
        ours, theirs, names = labelled(candidate, reference, self.background)
        one, other = (each._replace(start=each.start // self.step, end=-(-each.end // self.step))
                      for each in (ours, theirs))  # fmt: skip
        over = Overlay.from_spans(one, other, len(names))
        extent = max(candidate.extent, reference.extent, *(int(each.end.max(initial=0))
                     for each in (ours, theirs)))  # fmt: skip
        counts: dict[tuple[str, str], int] = {
            (EVERY, "segments"): -(-extent // self.step),
            (EVERY, "segment_swapped"): int(
                (over.length * np.minimum(over.added, over.missed)).sum()
            ),
        }
        every = {"segment": (over.right, over.placed, over.wanted)}
        for way, percentage in (("event", self.percentage), ("onset", None)):
            is_right, swapped = _matched(ours, theirs, self.tolerance, percentage)
            counts[EVERY, f"{way}_swapped"] = swapped
            labels = theirs.label[is_right], ours.label, theirs.label
            right, placed, wanted = (np.bincount(each, minlength=len(names)) for each in labels)
            every[way] = right, placed, wanted
        for way, (right, placed, wanted) in every.items():
            values = right, placed - right, wanted - right
            for name, numbers in zip(FIELDS, values, strict=True):
                pairs = zip(names, numbers.tolist(), strict=True)
                counts |= {(label, f"{way}_{name}"): number for label, number in pairs}
        return EventCounts.from_items(counts)


def _matched(
    ours: LabelSpans, theirs: LabelSpans, collar: int, percentage: int | None
) -> tuple[Any, int]:
    """Which events of the reference are found, and how many others only have another label.

    As many as possible are matched one to one; then each of the rest, in order, with the first of
    the rest of the candidate that is near enough.
    """
    wishes = _wishes(ours, theirs, collar, percentage, by_label=True)
    is_found, is_right = most_matched(wishes, ours.start.size)
    rest, others = np.flatnonzero(~is_found), np.flatnonzero(~is_right)
    swapped, taken = 0, set()
    for near in _wishes(ours.some(others), theirs.some(rest), collar, percentage, by_label=False):
        free = next((at for at in near if at not in taken), None)
        if free is not None:
            taken.add(free)
            swapped += 1
    return is_found, swapped


def _wishes(
    ours: LabelSpans, theirs: LabelSpans, collar: int, percentage: int | None, *, by_label: bool
) -> list[list[int]]:
    """For each event of the reference the events of the candidate that are near enough."""
    last = int(max(ours.start.max(initial=0), theirs.start.max(initial=0)))
    span = (last + 2 * collar + 1) * by_label  # labels are put one after another on one axis
    places = ours.start + ours.label * span
    order = np.argsort(places, kind="stable")
    wanted = theirs.start + theirs.label * span
    first = np.searchsorted(places[order], wanted - collar, side="left")
    sizes = np.searchsorted(places[order], wanted + collar, side="right") - first
    of = np.repeat(np.arange(wanted.size), sizes)  # (pairs,) the event of the reference
    near = order[ranges(first, sizes)]  # (pairs,) that of the candidate
    if percentage is not None:
        reach = np.maximum(PERCENT * collar, percentage * (theirs.end - theirs.start))
        is_near = PERCENT * np.abs(theirs.end[of] - ours.end[near]) <= reach[of]
        of, near = of[is_near], near[is_near]
    ends = np.cumsum(np.bincount(of, minlength=wanted.size))
    return [each.tolist() for each in np.split(near, ends[:-1])] if wanted.size else []


PART = 10**12
"""The parts in which the edit score of a video is kept, so that counts are whole and add."""
OVERLAPS = (10, 25, 50)
"""The percentages of overlap from which on a segment is right."""


@dataclass(frozen=True, slots=True)
class ActionCounts(Counts):
    """Segments of both sides and the right ones; the sum of edit scores; places that are right."""

    videos: int
    edit_parts: int
    placed: int
    wanted: int
    right_10: int
    right_25: int
    right_50: int
    right_frames: int
    frames: int

    @property
    def edit(self) -> float:
        """The mean over videos of 100 · (1 - edits / longer sequence)."""
        return 100 * ratio(self.edit_parts, PART * self.videos)

    def at(self, overlap: int) -> Matches:
        """Segments that overlap by at least this percentage."""
        return Matches.from_totals(getattr(self, f"right_{overlap}"), self.placed, self.wanted)

    @property
    def frame_accuracy(self) -> float:
        """The share of frames, or of the time, with the same labels."""
        return ratio(self.right_frames, self.frames)

    @property
    def score(self) -> float:
        """F1 with half of a segment overlapping."""
        return self.at(50).f1


def _f1(overlap: int) -> Score:
    take: Any = lambda counts: counts.at(overlap).f1  # noqa: E731
    return Score(f"action_f1_{overlap}", f"F1@{overlap}",
                 f"F1 of segments of which {overlap}% overlap (IoU).", take=take)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Actions(DocumentMeasure):
    """Edit score, F1 by overlap and accuracy of frames; the label `background` is no action."""

    name: ClassVar[str] = "actions"
    counts: ClassVar[type[Counts]] = ActionCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("action_edit", "edit", "Edit score: 100·(1 - edits of labels / longer sequence).",
              take="edit", scale=100),
        *map(_f1, OVERLAPS),
        Score("frame_accuracy", "frame accuracy", "Frames, or time, with the same labels / all."),
    )  # fmt: skip

    background: str = "background"

    def count(self, candidate: Document, reference: Document) -> ActionCounts:
        """Count one video; the slow twin is `actions` of tests/support/reference_events.py."""
        ours, theirs, names = labelled(candidate, reference, self.background)
        over = Overlay.from_spans(ours, theirs, len(names))
        differs = (over.added > 0) | (over.missed > 0)
        extent = max(candidate.extent, reference.extent, *(int(each.end.max(initial=0))
                     for each in (ours, theirs)))  # fmt: skip
        one, other = _joined(ours), _joined(theirs)
        longer = max(one.label.size, other.label.size)
        parts = round(PART * (1 - _edits(one.label, other.label) / longer)) if longer else 0
        best, overlap = _best(one, other)
        right = (np.unique(best[overlap >= percent / 100]).size for percent in OVERLAPS)
        wrong = int(over.length[differs].sum())
        segments = one.label.size, other.label.size
        return ActionCounts(*(int(longer > 0), parts, *segments, *right, extent - wrong, extent))


def _joined(spans: LabelSpans) -> LabelSpans:
    """Segments as frames have them: those that follow each other with one label are one."""
    is_new = np.ones(spans.start.size, np.bool_)
    is_new[1:] = (np.diff(spans.label) != 0) | (spans.start[1:] > spans.end[:-1])
    first = np.flatnonzero(is_new)
    end = np.maximum.reduceat(spans.end, first) if first.size else spans.end
    return LabelSpans(spans.start[first], end, spans.label[first])


def _edits(one: IntArray, other: IntArray) -> int:
    """The Levenshtein distance of two sequences of labels."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(one.tolist(), other.tolist())


def _best(ours: LabelSpans, theirs: LabelSpans) -> tuple[IntArray, FloatArray]:
    """For segments that overlap one with their label, the one with the highest IoU, and that IoU.

    A segment can overlap only those that begin before it ends, from the first on that, or any
    before it, ends after it begins.
    """
    span = int(max(ours.end.max(initial=0), theirs.end.max(initial=0))) + 1
    (start, end), (low, high) = (
        (each.start + each.label * span, each.end + each.label * span) for each in (ours, theirs)
    )
    order = np.argsort(low, kind="stable")
    first = np.searchsorted(np.maximum.accumulate(high[order]), start, side="right")
    sizes = np.maximum(np.searchsorted(low[order], end) - first, 0)
    of, near = np.repeat(np.arange(start.size), sizes), order[ranges(first, sizes)]
    shared = np.minimum(end[of], high[near]) - np.maximum(start[of], low[near])
    joined = np.maximum(end[of], high[near]) - np.minimum(start[of], low[near])
    overlap = np.maximum(shared, 0) / np.maximum(joined, 1)
    ranked = np.lexsort((near, -overlap, of))
    chosen = ranked[np.flatnonzero(np.diff(of[ranked], prepend=-1))]
    return near[chosen], overlap[chosen]
