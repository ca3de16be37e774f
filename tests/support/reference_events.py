"""Slow twins of labelled events: segments one by one, matchings by trial, frames one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from support.reference_matching import largest

Event = tuple[int, int, str]
"""A start, an end and a label."""
BACKGROUND = "background"


def events_of(every: Sequence[Event]) -> list[Event]:
    """What is no background, by start and end."""
    return sorted(each for each in every if each[2] != BACKGROUND)


def segments(ours: Sequence[Event], theirs: Sequence[Event], step: int, extent: int):
    """TP, FP and FN by label, substitutions, and the share of labels and segments that agree."""
    ours, theirs = events_of(ours), events_of(theirs)
    labels = {each[2] for each in (*ours, *theirs)}
    counts, swapped, agree = Counter(), 0, 0
    number = -(-extent // step)
    for at in range(number):
        placed, wanted = (
            {label for start, end, label in side if start // step <= at < -(-end // step)}
            for side in (ours, theirs)
        )
        for label in labels:
            counts[label, "tp"] += label in placed & wanted
            counts[label, "fp"] += label in placed - wanted
            counts[label, "fn"] += label in wanted - placed
            agree += (label in placed) == (label in wanted)
        swapped += min(len(placed - wanted), len(wanted - placed))
    return counts, swapped, agree / (number * len(labels)) if number * len(labels) else None


def right_events(ours, theirs, collar: int, percentage: int | None) -> dict[str, int]:
    """The largest number of events of each label that match one to one."""
    found = {}
    for label in {each[2] for each in theirs}:
        placed, wanted = ([each for each in side if each[2] == label] for side in (ours, theirs))
        found[label] = largest(
            [
                [at for at, each in enumerate(placed) if is_near(each, goal, collar, percentage)]
                for goal in wanted
            ]
        )
    return found


def is_near(ours: Event, theirs: Event, collar: int, percentage: int | None) -> bool:
    """Whether the onset is near enough and, unless it does not matter, the offset."""
    if abs(ours[0] - theirs[0]) > collar:
        return False
    if percentage is None:
        return True
    reach = max(collar, percentage / 100 * (theirs[1] - theirs[0]))
    return abs(ours[1] - theirs[1]) <= reach


def actions(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, float]:
    """MS-TCN's scores of one video, from a label for each frame."""
    sides = [_segments(each) for each in (ours, theirs)]
    scores = {"accuracy": sum(map(str.__eq__, ours, theirs)) / len(theirs)}
    labels = [[label for _, _, label in side] for side in sides]
    longer = max(map(len, labels))
    if longer:
        scores["edit"] = 100 * (1 - _distance(*labels) / longer)
    for percent in (10, 25, 50):
        tp = _hits(*sides, percent / 100)
        scores[f"tp_{percent}"] = tp
    return scores


def _segments(frames: Sequence[str]) -> list[Event]:
    found, at = [], 0
    for label, own in groupby(frames):
        size = len(list(own))
        if label != BACKGROUND:
            found.append((at, at + size, label))
        at += size
    return found


def _hits(ours: list[Event], theirs: list[Event], share: float) -> int:
    """Segments, in order, whose best one of the gold is near enough and not yet taken."""
    taken = set()
    for start, end, label in ours:
        best, which = 0.0, None
        for at, (low, high, name) in enumerate(theirs):
            if name == label and min(end, high) > max(start, low):
                both = (min(end, high) - max(start, low)) / (max(end, high) - min(start, low))
                best, which = (both, at) if both > best else (best, which)
        if which is not None and best >= share:
            taken.add(which)
    return len(taken)


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    row = list(range(len(other) + 1))
    for at, left in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, right in enumerate(other, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (left != right)),
            )
    return row[-1]
