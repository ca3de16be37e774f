"""Which items two sequences share, as GNU `diff` finds them, which is not always the most.

The search is that of Myers (1986), An O(ND) difference algorithm and its variations: from both ends
at once, until both meet. `diff` does not search in all items, though, unless it is run with
`--minimal`. Equal items at both ends are taken first, items that the other side lacks are left out,
and so are frequent ones among these. Runs of differences then slide along equal items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile

FREQUENT = 5
"""An item that the other side has more often may be left out; of long sequences, more."""
KEPT, ALONE, COMMON = range(3)
Side = tuple[list[int], list[bool]]
"""The items of one side as numbers, and which of them differ."""


def differences(
    left: Sequence[Hashable], right: Sequence[Hashable], *, is_minimal: bool = False
) -> tuple[list[bool], list[bool]]:
    """Which items of each side differ; the others are the same on both sides, in order.

    >>> differences("abcd", "axd")
    ([False, True, True, False], [False, True, False])
    """
    numbers: dict[Hashable, int] = {}
    items = [[numbers.setdefault(item, len(numbers)) for item in side] for side in (left, right)]
    first = _same(*items)
    last = _same(*(side[first:][::-1] for side in items))
    middle = [side[first : len(side) - last] for side in items]
    sides: list[Side] = [(side, [True] * len(side)) for side in middle]
    _search(*sides, is_minimal=is_minimal)
    _Slide(*sides[0], sides[1][1]).run()
    _Slide(*sides[1], sides[0][1]).run()
    found = [[False] * first + differs + [False] * last for _, differs in sides]
    return found[0], found[1]


def hunks(left: Sequence[bool], right: Sequence[bool]) -> Iterator[tuple[range, range]]:
    """Neighbouring items that differ, on both sides: where each run of them is.

    >>> list(hunks(*differences("abcd", "axd")))
    [(range(1, 3), range(1, 2))]
    """
    at = [0, 0]
    while at[0] < len(left) or at[1] < len(right):
        ends = [_run_end(side, start) for side, start in zip((left, right), at, strict=True)]
        if ends != at:
            yield range(at[0], ends[0]), range(at[1], ends[1])
        at = [end + 1 for end in ends]


def _run_end(differs: Sequence[bool], start: int) -> int:
    while start < len(differs) and differs[start]:
        start += 1
    return start


def _same(left: Sequence[int], right: Sequence[int]) -> int:
    """How many items are the same from the beginning on."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _search(left: Side, right: Side, *, is_minimal: bool) -> None:
    """Unmark the items that are found to be the same."""
    kept = [_kept(left[0], right[0]), _kept(right[0], left[0])]
    if is_minimal:
        kept = [list(range(len(side))) for side, _ in (left, right)]
    chosen = [
        [side[at] for at in which] for (side, _), which in zip((left, right), kept, strict=True)
    ]
    for a, b, size in _matches(*chosen):
        for step in range(size):
            left[1][kept[0][a + step]] = right[1][kept[1][b + step]] = False


# What is left out


def _kept(items: list[int], others: list[int]) -> list[int]:
    """Where the items are that are searched for on the other side."""
    times, many = Counter(others), FREQUENT * _root(len(items) // 64)
    kinds = [ALONE if not times[each] else COMMON if times[each] > many else KEPT for each in items]
    found: list[int] = []
    for is_kept, group in groupby(kinds, lambda kind: kind == KEPT):
        run = list(group)
        found += run if is_kept else _left_out(run)
    return [at for at, kind in enumerate(found) if kind == KEPT]


def _root(size: int) -> int:
    """About the square root, as a power of two."""
    return 1 << max(0, (size.bit_length() - 1) // 2)


def _left_out(run: list[int]) -> list[int]:
    """A run of items that may be left out: common ones are kept near its ends, or if many."""
    edges = [at for at, kind in enumerate(run) if kind == ALONE]
    if not edges:
        return [KEPT] * len(run)
    start, stop = edges[0], edges[-1] + 1
    inner = run[start:stop]
    if inner.count(COMMON) * 4 > len(inner):
        inner = [KEPT if kind == COMMON else kind for kind in inner]
    else:
        inner = _without_rows(inner, 1 + _root(len(inner) // 4))
        _keep_near_end(inner, range(len(inner)))
        _keep_near_end(inner, reversed(range(len(inner))))
    return [KEPT] * start + inner + [KEPT] * (len(run) - stop)


def _without_rows(run: list[int], least: int) -> list[int]:
    """Keep common items of which several follow one another."""
    found: list[int] = []
    for kind, group in groupby(run):
        row = list(group)
        found += [KEPT] * len(row) if kind == COMMON and len(row) >= least else row
    return found


def _keep_near_end(run: list[int], order: Iterable[int]) -> None:
    """Keep common items up to three lone items in a row, or to a lone one after eight items."""
    row = 0
    for step, at in enumerate(order):
        if step >= 8 and run[at] == ALONE:
            return
        row = row + 1 if run[at] == ALONE else 0
        run[at] = ALONE if run[at] == ALONE else KEPT
        if row == 3:
            return


# Myers' search


def _matches(left: Sequence[int], right: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Where runs of equal items begin on both sides, and how long they are."""
    open_boxes = [(0, len(left), 0, len(right))]
    while open_boxes:
        a, a_end, b, b_end = open_boxes.pop()
        size = _same(left[a:a_end], right[b:b_end])
        yield a, b, size
        a, b = a + size, b + size
        size = _same(left[a:a_end][::-1], right[b:b_end][::-1])
        a_end, b_end = a_end - size, b_end - size
        yield a_end, b_end, size
        if a < a_end and b < b_end:
            x, y = _Meeting(left, right, (a, a_end, b, b_end)).place()
            open_boxes += [(a, x, b, y), (x, a_end, y, b_end)]


@dataclass(slots=True)
class _Front:
    """How far one search has come on each diagonal (place on the left minus place on the right)."""

    low: int
    high: int
    limits: tuple[int, int]
    outside: int
    reached: dict[int, int] = field(default_factory=dict)

    def widen(self) -> range:
        """Take one more diagonal on each side, or one less at a limit; those to extend next."""
        self.low += -1 if self.low > self.limits[0] else 1
        self.high += 1 if self.high < self.limits[1] else -1
        self.reached.setdefault(self.low - 1, self.outside)
        self.reached.setdefault(self.high + 1, self.outside)
        return range(self.high, self.low - 1, -2)


@dataclass(slots=True)
class _Meeting:
    """Where the searches from both ends of a box meet; the box has no equal items at its ends."""

    left: Sequence[int]
    right: Sequence[int]
    box: tuple[int, int, int, int]

    def place(self) -> tuple[int, int]:
        """A place on both sides through which a shortest way leads."""
        a, a_end, b, b_end = self.box
        limits = a - b_end, a_end - b
        ahead = _Front(a - b, a - b, limits, -1, {a - b: a})
        back = _Front(a_end - b_end, a_end - b_end, limits, a_end + 1, {a_end - b_end: a_end})
        is_odd = bool((a - b - (a_end - b_end)) % 2)
        while True:
            for diagonal in ahead.widen():
                x = self._forward(ahead.reached, diagonal)
                if is_odd and back.low <= diagonal <= back.high and back.reached[diagonal] <= x:
                    return x, x - diagonal
            for diagonal in back.widen():
                x = self._backward(back.reached, diagonal)
                is_met = not is_odd and ahead.low <= diagonal <= ahead.high
                if is_met and x <= ahead.reached[diagonal]:
                    return x, x - diagonal

    def _forward(self, reached: dict[int, int], diagonal: int) -> int:
        x = max(reached[diagonal - 1] + 1, reached[diagonal + 1])
        _, a_end, _, b_end = self.box
        while x < a_end and x - diagonal < b_end and self.left[x] == self.right[x - diagonal]:
            x += 1
        reached[diagonal] = x
        return x

    def _backward(self, reached: dict[int, int], diagonal: int) -> int:
        x = min(reached[diagonal - 1], reached[diagonal + 1] - 1)
        a, _, b, _ = self.box
        while x > a and x - diagonal > b and self.left[x - 1] == self.right[x - diagonal - 1]:
            x -= 1
        reached[diagonal] = x
        return x


# Runs that slide


@dataclass(slots=True)
class _Slide:
    """Runs of items that differ on one side, moved along equal items, so that runs meet.

    `other` is which items of the other side differ. A run may move by an item if the item that it
    gains is the one that it loses. It moves as far as it can, and then back to the last place at
    which the other side has a run, too.
    """

    items: list[int]
    differs: list[bool]
    other: list[bool]
    start: int = 0
    stop: int = 0
    beside: int = 0

    def run(self) -> None:
        """Move every run."""
        while self._next():
            lined_up = self._move()
            while self.stop > lined_up:
                self._back()

    def _next(self) -> bool:
        """Find the next run, and the place on the other side that corresponds to it."""
        at = self.stop
        while at < len(self.items) and not self.differs[at]:
            self.beside = _run_end(self.other, self.beside) + 1
            at += 1
        self.start, self.stop = at, _run_end(self.differs, at)
        self.beside = _run_end(self.other, self.beside)
        return at < len(self.items)

    def _move(self) -> int:
        """Move as far back as possible, then forward, until it meets no other run."""
        while True:
            size = self.stop - self.start
            while self.start and self.items[self.start - 1] == self.items[self.stop - 1]:
                self._back()
            lined_up = self.stop if self.beside and self.other[self.beside - 1] else len(self.items)
            while self.stop < len(self.items) and self.items[self.start] == self.items[self.stop]:
                if self._ahead():
                    lined_up = self.stop
            if size == self.stop - self.start:
                return lined_up

    def _back(self) -> None:
        """Move back by one item, and take in a run that this meets."""
        self.start -= 1
        self.stop -= 1
        self.differs[self.start], self.differs[self.stop] = True, False
        while self.start and self.differs[self.start - 1]:
            self.start -= 1
        self.beside -= 1
        while self.beside and self.other[self.beside]:
            self.beside -= 1

    def _ahead(self) -> bool:
        """Move forward by one item; whether a run of the other side is there."""
        self.differs[self.start], self.differs[self.stop] = False, True
        self.start += 1
        self.stop = _run_end(self.differs, self.stop + 1)
        before = self.beside + 1
        self.beside = _run_end(self.other, before)
        return self.beside > before
