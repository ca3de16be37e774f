"""Slow twins of what compares speakers: cell by cell of time, with every mapping tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

Span = tuple[int, int, str]
Cells = dict[str, set[int]]
Mapping = dict[str, str]


def mappings(theirs: Cells, ours: Cells) -> Iterator[Mapping]:
    """Every way to map the reference's speakers to those of the system, each at most once."""
    nobody = [None] * len(theirs)
    for chosen in set(permutations([*ours, *nobody], len(theirs))):
        yield {a: b for a, b in zip(theirs, chosen, strict=True) if b is not None}


def cells_of(spans: Sequence[Span], counted: set[int]) -> Cells:
    """The cells in which each speaker speaks; speakers without any are none."""
    found: Cells = {}
    for on, off, who in spans:
        found.setdefault(who, set()).update(counted & set(range(on, off)))
    return {who: cells for who, cells in found.items() if cells}


def common(mapping: Mapping, theirs: Cells, ours: Cells) -> int:
    """The cells in which mapped speakers speak at once."""
    return sum(len(theirs.get(a, set()) & ours.get(b, set())) for a, b in mapping.items())


def jaccard(mapping: Mapping, theirs: Cells, ours: Cells) -> Fraction:
    """The errors of the reference's speakers, summed."""
    errors = [Fraction(1)] * len(theirs)
    for at, (who, cells) in enumerate(theirs.items()):
        other = ours.get(mapping.get(who, ""), set())
        errors[at] = 1 - Fraction(len(cells & other), len(cells | other))
    return sum(errors, Fraction(0))


def evaluated(ours: Sequence[Span], theirs: Sequence[Span], regions: object) -> set[int]:
    """The cells of regions, or all."""
    last = max(off for _, off, _ in (*ours, *theirs))
    inside = regions or [(0, last)]
    return {cell for on, off in inside for cell in range(on, off)}  # type: ignore[attr-defined]


def scored_cells(theirs: Sequence[Span], counted: set[int], collar: int, skip: bool) -> set[int]:
    """The cells that no collar and, perhaps, no overlap takes away."""
    edges = {edge for on, off, _ in theirs for edge in (on, off)}
    near = {cell for edge in edges for cell in range(edge - collar, edge + collar)}
    speakers = cells_of(theirs, counted)
    crowded = {cell for cell in counted if sum(cell in own for own in speakers.values()) > 1}
    return counted - near - (crowded if skip else set())


def diarization(
    ours: Sequence[Span], theirs: Sequence[Span], regions: object, collar: int, skip: bool
) -> dict[str, object]:
    """The counts in cells, and the errors of speakers of all mappings with the most common time."""
    counted = evaluated(ours, theirs, regions)
    scored = scored_cells(theirs, counted, collar, skip)
    one, other = (cells_of(side, scored) for side in (ours, theirs))
    both, missed, false_alarm = 0, 0, 0
    for cell in scored:
        placed, wanted = (sum(cell in own for own in side.values()) for side in (one, other))
        both += min(placed, wanted)
        missed += max(0, wanted - placed)
        false_alarm += max(0, placed - wanted)
    every = cells_of(theirs, counted), cells_of(ours, counted)
    most = max((common(each, *every), common(each, other, one)) for each in mappings(*every))
    best = max(common(each, other, one) for each in mappings(other, one))
    errors = {
        jaccard(each, other, one)
        for each in mappings(other, one)
        if common(each, other, one) == best
    }
    return {
        "speech": both + missed,
        "missed": missed,
        "false_alarm": false_alarm,
        "confusion": both - best,
        "mistaken": both - most[1],
        "speakers": len(other),
        "errors": errors,
    }


def dscore(
    ours: Sequence[Span], theirs: Sequence[Span], regions: object, frame: int
) -> tuple[int, Fraction]:
    """The speakers, and their least error, of frames: the moments at which one begins."""
    counted = evaluated(ours, theirs, regions)
    last = (max(counted) + 1) // frame
    moments = {at * frame for at in range(last)} & counted
    present = cells_of(theirs, counted)
    other, one = cells_of(theirs, moments), cells_of(ours, moments)
    least = min(jaccard(each, other, one) for each in mappings(other, one))
    return len(present), least + len(present) - len(other)


def best_pairs(values: Sequence[Sequence[int]], then: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The largest sum of values of rows and columns paired one to one, then that of others."""
    rows, columns = len(values), len(values[0]) if values else 0
    places = [*range(columns), *[None] * rows]
    return max(
        (
            sum(values[row][at] for row, at in enumerate(chosen) if at is not None),
            sum(then[row][at] for row, at in enumerate(chosen) if at is not None),
        )
        for chosen in set(permutations(places, rows))
    )
