"""Sounds as sed_eval scores them, actions in videos as MS-TCN does.

Labelled events are counted in segments of time, and one by one: Mesaros, Heittola and Virtanen
(2016), Metrics for polyphonic sound event detection. Actions have an edit score, F1 by overlap, and
the accuracy of frames: Lea et al. (2017), Temporal convolutional networks; Farha and Gall (2019),
MS-TCN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import methodcaller
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

import caesura
from caesura.communities.events import WAYS
from caesura.core.arrays import sorted_distinct
from caesura.core.counts import NAN, Counts, GroupedCounts, Matches, ratio
from caesura.core.labels import Labels
from caesura.core.mean import mean
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Better, Score
from caesura.core.segmentation import Document, FloatArray, IntArray
from caesura.matching import most_matched
from caesura.measures.label_spans import LabelSpans, meeting, ranges_as_pairs

if TYPE_CHECKING:
    from caesura.core.json_values import Json

UNLABELLED = ""
"""The label of intervals that have none."""


def labelled(
    candidate: Document, reference: Document, background: str
) -> tuple[LabelSpans, LabelSpans, list[str]]:
    """The intervals of both versions other than the background, and the labels, sorted."""
    sides = [Labels.from_document(document) for document in (candidate, reference)]
    tables = [(*side.names, UNLABELLED) for side in sides]  # NOBODY, -1, is the last one
    used = {
        table[code]
        for side, table in zip(sides, tables, strict=True)
        for code in np.unique(side.codes).tolist()
    }
    names = sorted(used - {background})
    numbers = {name: number for number, name in enumerate(names)}
    ours, theirs = (
        LabelSpans(
            side.starts, side.ends, np.array([numbers.get(name, -1) for name in table])[side.codes]
        )
        for side, table in zip(sides, tables, strict=True)
    )
    return ours.some(ours.label >= 0), theirs.some(theirs.label >= 0), names


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

        The slow twin is `segments` of tests/support/reference_events.py.
        """
        ours, theirs = ours.joined(), theirs.joined()
        one, other = meeting(ours, theirs)
        start = np.maximum(ours.start[one], theirs.start[other])
        both = LabelSpans(start, np.minimum(ours.end[one], theirs.end[other]), ours.label[one])
        right, placed, wanted = (
            np.bincount(spans.label, spans.end - spans.start, labels).astype(np.int64)
            for spans in (both, ours, theirs)
        )
        edges = sorted_distinct(np.concatenate((ours.start, ours.end, theirs.start, theirs.end)))
        numbers = [spans.running(edges[:-1]) for spans in (both, ours, theirs)]
        added, missed = numbers[1] - numbers[0], numbers[2] - numbers[0]
        return cls(right, placed, wanted, np.diff(edges), added, missed)


FIELDS = ("tp", "fp", "fn")
BY_LABEL = frozenset(f"{way}_{name}" for way in WAYS for name in FIELDS)
"""The names of the counts that each label has; those that are 0 may be left out."""
EVERY = "*"
"""Stands for a label where all labels are counted together."""
PERCENT = 100


@dataclass(frozen=True, slots=True)
class EventCounts(GroupedCounts):
    """Counts by label and name, such as `segment_tp`; those of all labels together stand under *.

    These are `segment_swapped`, the errors that are substitutions, and `segments`.
    """

    table: tuple[tuple[str, str, int], ...]

    def items(self) -> dict[Any, int]:
        """The counts by label and name."""
        return {(label, name): number for label, name, number in self.table}

    @classmethod
    def from_items(cls, items: Mapping[Any, Any]) -> Self:
        """Read what `items` returned."""
        return cls(tuple((label, name, items[label, name]) for label, name in sorted(items)))

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
        return sum(self.by_label(way).values(), Matches.zero())

    def errors(self, way: str) -> dict[str, Any]:
        """The error rate, and its parts: substitutions, deletions and insertions."""
        total = self.total(way)
        swapped = self.items().get((EVERY, f"{way}_swapped"), 0)
        numbers = {
            "er": total.fp + total.fn - swapped,
            "substitution": swapped,
            "deletion": total.fn - swapped,
            "insertion": total.fp - swapped,
        }
        return {name: ratio(number, total.tp + total.fn) for name, number in numbers.items()}

    def accuracy(self) -> Any:
        """The share of segments and labels on which both sides agree."""
        total, by_label = self.total("segment"), self.by_label("segment").values()
        labels: Any = sum((np.asarray(own.tp + own.fp + own.fn) > 0) * 1 for own in by_label)
        places = self.items().get((EVERY, "segments"), 0) * labels
        return ratio(places - total.fp - total.fn, places)

    def mean_of(self, way: str, rate: Callable[[Matches], Any]) -> Any:
        """The mean of a rate over labels for which it is defined."""
        return mean([*map(rate, self.by_label(way).values())])


def _f1_of_both(counts: Matches) -> Any:
    """F1, undefined for a label that one side lacks, as in sed_eval."""
    has_both = (np.asarray(counts.tp + counts.fp) > 0) & (np.asarray(counts.tp + counts.fn) > 0)
    return np.where(has_both, counts.f1, NAN) if has_both.ndim else counts.f1 if has_both else NAN


def _error_rate(counts: Matches) -> Any:
    """Errors of one label / its segments or events in the reference."""
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
                lambda own: own.mean_of(way, _error_rate), "low")  # fmt: skip


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
        one, other = (
            LabelSpans(spans.start // self.step, -(-spans.end // self.step), spans.label)
            for spans in (ours, theirs)
        )
        over = Overlay.from_spans(one, other, len(names))
        extent = max(candidate.extent, reference.extent, ours.last, theirs.last)
        swapped = (over.length * np.minimum(over.added, over.missed)).sum()
        counts: dict[tuple[str, str], int] = {
            (EVERY, "segments"): -(-extent // self.step),
            (EVERY, "segment_swapped"): int(swapped),
        }
        totals = {"segment": (over.right, over.placed, over.wanted)}
        for way, percentage in (("event", self.percentage), ("onset", None)):
            is_right, counts[EVERY, f"{way}_swapped"] = _matched(
                ours, theirs, self.tolerance, percentage
            )
            labels = theirs.label[is_right], ours.label, theirs.label
            right, placed, wanted = (np.bincount(each, minlength=len(names)) for each in labels)
            totals[way] = right, placed, wanted
        for way, (right, placed, wanted) in totals.items():
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
    rest, others = theirs.some(~is_found), ours.some(~is_right)
    taken: set[int] = set()
    for near in _wishes(others, rest, collar, percentage, by_label=False):
        taken.update([event for event in near if event not in taken][:1])
    return is_found, len(taken)


def _wishes(
    ours: LabelSpans, theirs: LabelSpans, collar: int, percentage: int | None, *, by_label: bool
) -> list[list[int]]:
    """For each event of the reference the events of the candidate that are near enough."""
    last = int(max(ours.start.max(initial=0), theirs.start.max(initial=0)))
    span = (last + 2 * collar + 1) * by_label  # labels are put one after another on one axis
    places, wanted = ours.start + ours.label * span, theirs.start + theirs.label * span
    order = np.argsort(places, kind="stable")
    low = np.searchsorted(places[order], wanted - collar)
    high = np.searchsorted(places[order], wanted + collar, side="right")
    event, near = ranges_as_pairs(low, high)  # (pairs,) of the reference, and in order
    near = order[near]  # (pairs,) that of the candidate
    if percentage is not None:
        reach = np.maximum(PERCENT * collar, percentage * (theirs.end - theirs.start))
        is_near = PERCENT * np.abs(theirs.end[event] - ours.end[near]) <= reach[event]
        event, near = event[is_near], near[is_near]
    ends = np.cumsum(np.bincount(event, minlength=wanted.size))
    return [part.tolist() for part in np.split(near, ends[:-1])] if wanted.size else []


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

    def f1(self, percent: int) -> float:
        """F1 of segments that overlap by at least this percentage."""
        right = getattr(self, f"right_{percent}")
        return Matches.from_totals(right, self.placed, self.wanted).f1

    @property
    def frame_accuracy(self) -> float:
        """The share of frames, or of the time, with the same labels."""
        return ratio(self.right_frames, self.frames)


@dataclass(frozen=True, slots=True)
class Actions(DocumentMeasure):
    """Edit score, F1 by overlap and accuracy of frames; the label `background` is no action."""

    name: ClassVar[str] = "actions"
    counts: ClassVar[type[Counts]] = ActionCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("action_edit", "edit", "Edit score: 100·(1 - edits of labels / longer sequence).",
              take="edit", scale=100),
        *(Score(f"action_f1_{percent}", f"F1@{percent}",
                f"F1 of segments of which {percent}% overlap (IoU).",
                take=methodcaller("f1", percent))
          for percent in OVERLAPS),
        Score("frame_accuracy", "frame accuracy", "Frames, or time, with the same labels / all."),
    )  # fmt: skip

    background: str = "background"

    def count(self, candidate: Document, reference: Document) -> ActionCounts:
        """Count one video; the slow twin is `actions` of tests/support/reference_events.py."""
        from rapidfuzz.distance import Levenshtein

        ours, theirs, names = labelled(candidate, reference, self.background)
        over = Overlay.from_spans(ours, theirs, len(names))
        wrong = int(over.length[(over.added > 0) | (over.missed > 0)].sum())
        extent = max(candidate.extent, reference.extent, ours.last, theirs.last)
        ours, theirs = _as_frames(ours), _as_frames(theirs)
        sizes = ours.label.size, theirs.label.size
        edits = Levenshtein.distance(ours.label.tolist(), theirs.label.tolist())
        parts = round(PART * (1 - edits / max(sizes))) if max(sizes) else 0
        best, overlap = _best(ours, theirs)
        right = (np.unique(best[overlap >= percent / 100]).size for percent in OVERLAPS)
        frames = extent - wrong, extent
        return ActionCounts(*(int(max(sizes) > 0), parts, *sizes, *right, *frames))


def _as_frames(spans: LabelSpans) -> LabelSpans:
    """Segments as frames have them: those that follow each other with one label are one."""
    is_new = np.ones(spans.start.size, np.bool_)
    is_new[1:] = (np.diff(spans.label) != 0) | (spans.start[1:] > spans.end[:-1])
    first = np.flatnonzero(is_new)
    end = np.maximum.reduceat(spans.end, first) if first.size else spans.end
    return LabelSpans(spans.start[first], end, spans.label[first])


def _best(ours: LabelSpans, theirs: LabelSpans) -> tuple[IntArray, FloatArray]:
    """For each segment that overlaps one of its label the one with the highest IoU, and the IoU."""
    one, other = meeting(ours, theirs)
    shared = np.minimum(ours.end[one], theirs.end[other])
    shared -= np.maximum(ours.start[one], theirs.start[other])
    joined = np.maximum(ours.end[one], theirs.end[other])
    joined -= np.minimum(ours.start[one], theirs.start[other])
    overlap = np.maximum(shared, 0) / np.maximum(joined, 1)
    ranked = np.lexsort((other, -overlap, one))
    chosen = ranked[np.flatnonzero(np.diff(one[ranked], prepend=-1))]
    return other[chosen], overlap[chosen]


def figures(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What sed_eval's tests expect for their recordings."""
    for name, recordings in data.items():
        ours, theirs = (
            {
                key: caesura.labels([*map(tuple, sides[side])])
                for key, sides in recordings["files"].items()
            }
            for side in (1, 0)
        )
        found = caesura.evaluate({"system": ours}, gold=theirs, profile="events")
        micro = found.systems["system"].micro
        for key, printed in recordings["scores"].items():
            yield name, key, f"{printed:.10f}", micro[key]
