"""Slow twins of what is counted on a clock, on samples and on a grid, written for reading."""

from __future__ import annotations

from itertools import pairwise


def on_grid(points: list[int], extent: int, step: int, *, of_samples: bool) -> list[int]:
    """A 1 for each cell that holds a boundary, another for the end; neither edge is one."""
    first = 1 if of_samples else 0
    cells = [0] * (max(0, extent - first) // step + 1)
    for point in points:
        if 0 < point < extent:
            cells[(point - first) // step] = 1
    cells[-1] = 1
    return cells


def counting(points: list[int], extent: int, edges: str) -> list[int]:
    """The points that count."""
    inner = sorted({point for point in points if 0 < point < extent})
    return [0, *inner, extent] if edges == "keep" else inner


def matched(ours: list[int], theirs: list[int], tolerance: int) -> int:
    """The largest one-to-one matching, by trying to augment a path from each point."""
    partner: dict[int, int] = {}

    def augment(one: int, seen: set[int]) -> bool:
        for other, place in enumerate(theirs):
            if abs(ours[one] - place) <= tolerance and other not in seen:
                seen.add(other)
                if other not in partner or augment(partner[other], seen):
                    partner[other] = one
                    return True
        return False

    return sum(augment(one, set()) for one in range(len(ours)))


def tcpd(annotations: list[list[int]], points: list[int], n: int, margin: int) -> list[float]:
    """Precision, recall and covering of change points, by their definitions."""

    def hits(wanted: set[int], placed: set[int]) -> int:
        free, found = set(placed), 0
        for point in sorted(wanted):
            near = sorted((abs(point - each), each) for each in free if abs(point - each) <= margin)
            if near:
                free.remove(near[0][1])
                found += 1
        return found

    def segments(starts: set[int]) -> list[set[int]]:
        edges = [*sorted(starts), n]
        return [set(range(*each)) for each in pairwise(edges)]

    ours = {0, *points}
    theirs = [{0, *each} for each in annotations]
    covers = [
        sum(len(one) * max(len(one & other) / len(one | other) for other in segments(ours))
            for one in segments(each)) / n
        for each in theirs
    ]  # fmt: skip
    recalls = [hits(each, ours) / len(each) for each in theirs]
    union = set().union(*theirs)
    return [hits(union, ours) / len(ours), sum(recalls) / len(theirs), sum(covers) / len(theirs)]
