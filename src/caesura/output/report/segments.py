"""The view of segments: the first ones and those with the most edits, word by word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import groupby
from typing import Literal

from caesura.align.wording import Compared, Units, columns
from caesura.output.report.views import MOST_COUNTED, SystemReading

MOST_FIRST = 300
MOST_WORST = 300
"""The most segments beside the first ones: those with the most edits."""
LONGEST = 400
"""The most columns of words that are shown of a segment."""
SIDES = {"s": (True, True), "d": (True, False), "i": (False, True)}
"""Whether the reference and the system have a word where they differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPair:
    """A reference segment and what a system has there; `edits` of its `words` words."""

    reference: str
    system: str
    words: int
    edits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPairs:
    """The segments of a document, as one system has them, and how their words are compared."""

    document: str
    system: str
    pairs: tuple[SegmentPair, ...]
    tokens: Compared
    units: Units
    kind: Literal["segment_pairs"] = "segment_pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSegment:
    """A segment in columns: an operation each, and what both sides have written there.

    Of equal words (`=`), the system's is empty where it is written like the reference's. A word has
    its white space before it; `left` are the columns that are left out, which come last.
    """

    document: str
    number: int
    units: Units
    words: int
    edits: int
    operations: str
    reference: tuple[str, ...]
    system: tuple[str, ...]
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencesReading(SystemReading):
    """The segments of one system: how many, how many of them with edits, and some of them."""

    segments: int
    wrong: int
    cases: tuple[AlignedSegment, ...]
    kind: Literal["sentences"] = "sentences"

    def joined(self, other: SentencesReading) -> SentencesReading:
        """Return the segments of the system in the documents of both."""
        chosen = _Chosen()
        cases = {chosen.add(case.edits): case for case in (*self.cases, *other.cases)}
        both = _Kept(self.segments + other.segments, self.wrong + other.wrong, cases)
        return both.reading(self.system, chosen.numbers())

    def require_sound(self) -> None:
        """Raise a ValueError if words do not fit their edits, or numbers cannot be."""
        if not 0 <= self.wrong <= self.segments <= MOST_COUNTED:
            raise ValueError("it has more segments with edits than segments")
        if not all(map(_is_sound, self.cases)):
            raise ValueError("it has segments whose words do not fit their edits")


@dataclass(slots=True)
class _Chosen:
    """The numbers of the segments that are kept, while they are seen in order."""

    size: int = 0
    worst: list[tuple[int, int]] = field(default_factory=list)

    def add(self, edits: int) -> int:
        """See a segment; give its number."""
        number, self.size = self.size, self.size + 1
        if edits and len(self.worst) < MOST_WORST:
            heappush(self.worst, (edits, -number))
        elif edits:
            heappushpop(self.worst, (edits, -number))
        return number

    def numbers(self) -> set[int]:
        """Those that are kept of all that were seen."""
        return {*range(min(self.size, MOST_FIRST)), *(-number for _, number in self.worst)}


@dataclass(slots=True)
class _Kept:
    """What was found of one system; of what is kept so far some may be dropped later."""

    segments: int = 0
    wrong: int = 0
    cases: dict[int, AlignedSegment] = field(default_factory=dict)

    def reading(self, system: str, kept: set[int]) -> SentencesReading:
        """Those of its segments that are kept."""
        cases = tuple(case for number, case in sorted(self.cases.items()) if number in kept)
        return SentencesReading(
            system=system, segments=self.segments, wrong=self.wrong, cases=cases
        )


def segments_readings(kept: Iterable[SegmentPairs]) -> Iterator[SentencesReading]:
    """For each system its segments; where several have the same ones, these are kept of all."""
    systems: dict[str, _Kept] = {}
    chosen = _Chosen()
    for _, group in groupby(kept, lambda each: each.document):
        document = {each.system: each for each in group}
        _count(document, systems)
        _keep(document, systems, chosen)
    numbers = chosen.numbers()
    for system, own in systems.items():
        yield own.reading(system, numbers)


def _count(document: Mapping[str, SegmentPairs], systems: dict[str, _Kept]) -> None:
    for system, each in document.items():
        own = systems.setdefault(system, _Kept())
        own.segments += len(each.pairs)
        own.wrong += sum(pair.edits > 0 for pair in each.pairs)


def _keep(document: Mapping[str, SegmentPairs], systems: dict[str, _Kept], chosen: _Chosen) -> None:
    """Keep what is chosen of the segments up to here."""
    sizes = max(len(each.pairs) for each in document.values())
    edits = [0] * sizes
    for each in document.values():
        for at, pair in enumerate(each.pairs):
            edits[at] = max(edits[at], pair.edits)
    numbers = [chosen.add(each) for each in edits]
    kept = chosen.numbers()
    for system, each in document.items():
        cases = systems[system].cases
        for number in [number for number in cases if number not in kept]:
            del cases[number]
        for at, number in enumerate(numbers[: len(each.pairs)]):
            if number in kept:
                cases[number] = _case(each, at)


def _case(document: SegmentPairs, at: int) -> AlignedSegment:
    pair = document.pairs[at]
    aligned = columns(pair.reference, pair.system, document.tokens, document.units)
    shown = aligned[:LONGEST]
    return AlignedSegment(
        document=document.document,
        number=at + 1,
        units=document.units,
        words=sum(operation != "i" for operation, *_ in aligned),
        edits=sum(operation != "=" for operation, *_ in aligned),
        operations="".join(operation for operation, *_ in shown),
        reference=tuple(theirs for _, theirs, _ in shown),
        system=tuple("" if ours == theirs else ours for _, theirs, ours in shown),
        left=len(aligned) - len(shown),
    )


def _is_sound(case: AlignedSegment) -> bool:
    signs = case.operations
    edits, words = len(signs) - signs.count("="), len(signs) - signs.count("i")
    return (
        len(case.reference) == len(case.system) == len(signs)
        and all(map(_is_column, signs, case.reference, case.system))
        and 0 < case.number <= MOST_COUNTED
        and 0 <= case.left <= MOST_COUNTED
        and edits <= case.edits <= edits + case.left
        and words <= case.words <= words + case.left
    )


def _is_column(operation: str, reference: str, system: str) -> bool:
    """Whether both sides have words where they should."""
    if operation == "=":
        return bool(reference)
    return (bool(reference), bool(system)) == SIDES.get(operation)
