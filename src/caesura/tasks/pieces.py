"""Pieces: one huge pair of texts, counted part by part, as if it were counted whole.

Both files are cut where both end a sentence amid the same characters. A piece is read with some of
what follows it, as far as alignment looks ahead; so its counts are those that the whole would have
there, and they add up. Whether a cut was right is not guessed: a piece that does not get through
its end as the whole would, or that needs to look further, says so, and is put together with the
next one.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from caesura.files import BYTE_ORDER_MARKS, decode
from caesura.measures.joint import Alignment, JointCounts
from caesura.runs import SIGHT, Runs, equal_runs
from caesura.slide import slide
from caesura.sources import Case
from caesura.text import Text

Parse = Callable[[bytes, str], Text]
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
Place = tuple[int, int]
PIECE = 8 << 20
AROUND = 256
"""So many equal characters stand on both sides of a cut."""
NEAR = (1 << 20, 8 << 20)
BEYOND = 4 * SIGHT
"""Bytes that are read after a piece: more characters than alignment looks ahead."""


@dataclass(frozen=True, slots=True)
class Piece(Case):
    """A part of a pair of files: from one place in both to another."""

    start: Place = (0, 0)
    stop: Place = (0, 0)
    is_open: bool = True

    @property
    def paths(self) -> tuple[str, str]:
        """The system's file and the gold's."""
        ((_, system),), ((_, gold),) = self.systems.items(), self.references.items()
        return system, gold

    @property
    def weight(self) -> int:
        """How many bytes it has."""
        return sum(self.stop) - sum(self.start)

    def joined(self, other: Piece) -> Piece:
        """Make one piece of two neighbours."""
        return replace(self, stop=other.stop, is_open=other.is_open)


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a piece; None if it cannot be counted without its neighbours."""

    counts: JointCounts | None
    has_differences: bool = True


def is_plain(path: str) -> bool:
    """Whether a file can be read in the middle: UTF-8, as it is."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        head = file.read(NEAR[0])
    marks = set(BYTE_ORDER_MARKS) - {codecs.BOM_UTF8}
    return b"\n" in head and not any(head.startswith(mark) for mark in marks)


def plan(case: Case, parse: Parse, *, size: int = PIECE) -> list[Piece]:
    """Cut a pair of files into pieces of about so many bytes."""
    whole = Piece(case.document, case.systems, case.references)
    ends = (Path(whole.paths[0]).stat().st_size, Path(whole.paths[1]).stat().st_size)
    places = [(0, 0)]
    for target in range(size, ends[0] - size // 2, size):
        found = _cut(whole.paths, target, places[-1], ends, parse)
        places += [found] if found and found[1] > places[-1][1] else []
    pieces = [replace(whole, start=start, stop=stop) for start, stop in pairwise([*places, ends])]
    return [*pieces[:-1], replace(pieces[-1], is_open=False)]


def _cut(
    paths: tuple[str, str], target: int, last: Place, ends: Place, parse: Parse
) -> Place | None:
    """The first place after a target at which both files end a sentence amid the same words."""
    scale = (ends[1] - last[1]) / max(1, ends[0] - last[0])
    middle = last[1] + round((target - last[0]) * scale)
    ours = _Window.of(paths[0], target, target + (NEAR[0] >> 2), parse)
    for reach in NEAR:
        theirs = _Window.of(paths[1], middle - reach, middle + reach, parse)
        at = theirs.ends_like(ours)
        if at is not None:
            return ours.place(at[0]), theirs.place(at[1])
    return None


@dataclass(frozen=True, slots=True)
class _Window:
    """Some lines of a file."""

    text: Text
    data: bytes
    start: int

    @classmethod
    def of(cls, path: str, start: int, stop: int, parse: Parse) -> _Window:
        start, stop = _line(path, start), _line(path, stop)
        data = _range(path, start, stop)
        return cls(parse(data, path), data, start)

    def ends_like(self, other: _Window) -> tuple[int, int] | None:
        """The number of a sentence there and here that end at the one place that is the same."""
        stream, ends = other.text.stream, other.text.sentence_offsets
        inner = np.flatnonzero((ends >= AROUND) & (ends <= len(stream) - AROUND))
        for number in inner[np.diff(other.text.lines)[inner] > 0].tolist():
            around = stream[ends[number] - AROUND : ends[number] + AROUND]
            at = self.text.stream.find(around)
            if at < 0 or self.text.stream.find(around, at + 1) >= 0:
                continue
            here = int(np.searchsorted(self.text.sentence_offsets, at + AROUND))
            lines = self.text.lines[here : here + 2]
            if self.text.sentence_offsets[here] == at + AROUND and np.diff(lines).any():
                return number, here
        return None

    def place(self, sentence: int) -> int:
        """Where the line of the next sentence begins in the file."""
        line = int(self.text.lines[sentence + 1])
        breaks = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
        return self.start + int(breaks[line - 2]) + 1


def _line(path: str, at: int) -> int:
    """Where the first line begins at or after a place."""
    if at <= 0:
        return 0
    with Path(path).open("rb") as file:
        file.seek(at - 1)
        file.readline()
        return min(file.tell(), Path(path).stat().st_size)


def _range(path: str, start: int, stop: int) -> bytes:
    with Path(path).open("rb") as file:
        file.seek(start)
        data = file.read(stop - start)
    return data.removeprefix(codecs.BOM_UTF8) if start == 0 else data


def count_piece(piece: Piece, parse: Parse) -> Counted:
    """Count one piece, if that can be done without the others."""
    (system, ours), (gold, theirs) = (
        _text(path, start, stop, parse, is_open=piece.is_open)
        for path, start, stop in zip(piece.paths, piece.start, piece.stop, strict=True)
    )
    own = _first(system, ours), _first(gold, theirs)
    if own[0].stream == own[1].stream:
        return Counted(Alignment(*own, None).counts, has_differences=False)
    runs = equal_runs(system.stream, gold.stream, is_open=piece.is_open)
    alignment = Alignment(system, gold, slide(runs, system, gold))
    if piece.start != (0, 0) and not (_begins_alone(alignment) and _has_own_end(piece, runs)):
        return Counted(None)
    if not piece.is_open:
        return Counted(alignment.counts)
    cut = len(own[0].stream), len(own[1].stream)
    return Counted(_up_to(alignment, ours, theirs) if _ends_alone(alignment, runs, cut) else None)


def _up_to(alignment: Alignment, ours: int, theirs: int) -> JointCounts | None:
    """The counts of so many sentences of both, if both end at one point."""
    points = alignment.sentences
    at = int(np.searchsorted(points.system + points.gold, ours + theirs))
    if at == points.system.size or (points.system[at], points.gold[at]) != (ours, theirs):
        return None
    return alignment.parts(np.array([0, at]))[0]


def _text(path: str, start: int, stop: int, parse: Parse, *, is_open: bool) -> tuple[Text, int]:
    """A piece with what is read after it, and how many sentences are its own."""
    end = _line(path, stop + BEYOND) if is_open else stop
    data = _range(path, start, end)
    source = path if start == 0 else f"{path} (from byte {start:,} on)"
    text = parse(_sound(data, source), source)
    if not is_open:
        return text, text.sentence_ends.size
    own = data[: stop - end + len(data)] if end > stop else data
    return text, int(np.searchsorted(text.lines, own.count(b"\n"), side="right"))


def _sound(data: bytes, source: str) -> bytes:
    """Raise an error where bytes are no UTF-8."""
    if not data.isascii():
        decode(data, source)
    return data


def _first(text: Text, sentences: int) -> Text:
    """The first sentences of a text."""
    tokens = int(text.sentence_ends[sentences - 1]) if sentences else 0
    size = int(text.token_ends[tokens - 1]) if tokens else 0
    return replace(
        text,
        stream=text.stream[:size],
        token_ends=text.token_ends[:tokens],
        sentence_ends=text.sentence_ends[:sentences],
        lines=text.lines[:sentences],
    )


def _begins_alone(alignment: Alignment) -> bool:
    """Whether a piece begins within a run, and its first gap could not lie before it."""
    runs = alignment.runs
    if runs is None or runs.a[0] or runs.b[0] or runs.length[0] < AROUND // 2:
        return False
    gap = _gap(runs, 0)
    length = int(runs.length[0])
    return not any(
        size and not other and stream[:length] == stream[size : size + length]
        for (size, other), stream in (
            (gap, alignment.system.stream),
            (gap[::-1], alignment.gold.stream),
        )
    )


def _has_own_end(piece: Piece, runs: Runs) -> bool:
    """Whether the end of a last piece is that of the whole: not near, and not cut by its start."""
    if piece.is_open:
        return True
    is_tail = runs.a[-1] + runs.length[-1] == runs.size_a
    return not runs.tail_is_cut and not (is_tail and min(runs.a[-1], runs.b[-1]) < SIGHT)


def _ends_alone(alignment: Alignment, runs: Runs, cut: Place) -> bool:
    """Whether a run goes through the end of a piece, and its last gap could not lie after it."""
    slid = alignment.runs
    if (
        slid is None
        or runs.has_leapt
        or not (_goes_through(runs, cut) and _goes_through(slid, cut))
    ):
        return False
    at = int(np.searchsorted(slid.a, cut[0], side="right")) - 1
    gap = _gap(slid, at - 1)
    sides = (
        (gap, int(slid.a[at]), alignment.system.stream),
        (gap[::-1], int(slid.b[at]), alignment.gold.stream),
    )
    return not any(
        size and not other and stream[start:] == stream[start - size : len(stream) - size]
        for (size, other), start, stream in sides
    )


def _gap(runs: Runs, at: int) -> Place:
    """How much both sides have between a run and the next; -1 is before the first."""
    ends = (0, 0) if at < 0 else (runs.a[at] + runs.length[at], runs.b[at] + runs.length[at])
    is_last = at + 1 == runs.a.size
    begins = (runs.size_a, runs.size_b) if is_last else (runs.a[at + 1], runs.b[at + 1])
    return int(begins[0] - ends[0]), int(begins[1] - ends[1])


def _goes_through(runs: Runs, cut: Place) -> bool:
    """Whether one run goes through a place of both streams, from well before to well after."""
    at = max(0, int(np.searchsorted(runs.a, cut[0], side="right")) - 1)
    before = cut[0] - int(runs.a[at])
    is_there = before == cut[1] - int(runs.b[at])
    return is_there and AROUND // 2 <= before <= int(runs.length[at]) - AROUND // 2


def count_pieces(pieces: Sequence[Piece], count: Callable[[Any], Counted], map: Map) -> JointCounts:
    """Count all pieces and add them; those that cannot be alone are put together first.

    Where the texts differ for the last time, the end of both is in sight, so that piece is counted
    as the last.
    """
    found = list(zip(pieces, map(count, pieces), strict=True))
    while (better := _together(found)) != [piece for piece, _ in found]:
        known = {(piece.start, piece.stop, piece.is_open): each for piece, each in found}
        keys = [(piece.start, piece.stop, piece.is_open) for piece in better]
        new = [piece for piece, key in zip(better, keys, strict=True) if key not in known]
        fresh = iter(list(map(count, new)))
        found = [
            (piece, known[key] if key in known else next(fresh))
            for piece, key in zip(better, keys, strict=True)
        ]
    counts = (each.counts for _, each in found)
    return sum((each for each in counts if each is not None), JointCounts.zero())


def _together(found: list[tuple[Piece, Counted]]) -> list[Piece]:
    """The pieces as they should be: none that needs its neighbours, the last difference closed."""
    needs = [at for at, (_, counted) in enumerate(found) if counted.counts is None]
    near = {side for at in needs for side in (at, at + 1) if 0 < side < len(found)}
    result: list[Piece] = []
    for at, (piece, _) in enumerate(found):
        if at in near:
            result[-1] = result[-1].joined(piece)
        else:
            result.append(piece)
    differ = [piece for piece, counted in found if counted.has_differences]
    if needs or not differ or not differ[-1].is_open:
        return result
    last = next(at for at, piece in enumerate(result) if piece.stop == differ[-1].stop)
    result[last] = replace(result[last], is_open=False)
    return result
