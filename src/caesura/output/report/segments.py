"""The view of segments: the first ones and those with the most edits, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import groupby, zip_longest
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
        numbers = chosen.numbers()
        return SentencesReading(
            system=self.system,
            segments=self.segments + other.segments,
            wrong=self.wrong + other.wrong,
            cases=tuple(case for number, case in cases.items() if number in numbers),
        )

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


def segments_readings(kept: Iterable[SegmentPairs]) -> Iterator[SentencesReading]:
    """For each system its segments; where several have the same ones, these are kept of all."""
    segments, wrong = Counter[str](), Counter[str]()
    cases: dict[str, dict[int, AlignedSegment]] = {}
    chosen = _Chosen()
    for _, group in groupby(kept, lambda each: each.document):
        document = {each.system: each for each in group}
        edits = ([pair.edits for pair in each.pairs] for each in document.values())
        numbers = [chosen.add(max(each)) for each in zip_longest(*edits, fillvalue=0)]
        shown = chosen.numbers()  # of what is shown so far some may be dropped later
        for system, each in document.items():
            segments[system] += len(each.pairs)
            wrong[system] += sum(pair.edits > 0 for pair in each.pairs)
            own = cases.setdefault(system, {})
            for number in own.keys() - shown:
                del own[number]
            placed = enumerate(numbers[: len(each.pairs)])
            own |= {number: _case(each, at) for at, number in placed if number in shown}
    for system, own in cases.items():
        yield SentencesReading(
            system=system,
            segments=segments[system],
            wrong=wrong[system],
            cases=tuple(case for number, case in own.items() if number in shown),
        )


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
        and all(
            bool(theirs) if sign == "=" else (bool(theirs), bool(ours)) == SIDES.get(sign)
            for sign, theirs, ours in zip(signs, case.reference, case.system, strict=False)
        )
        and 0 < case.number <= MOST_COUNTED
        and 0 <= case.left <= MOST_COUNTED
        and edits <= case.edits <= edits + case.left
        and words <= case.words <= words + case.left
    )
