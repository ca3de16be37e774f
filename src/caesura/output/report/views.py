"""Views: what the page shows behind the scores, of one document or of one system."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from caesura.core.segmentation import IntArray

MOST_PATTERNS = 500
"""The most patterns of errors that are shown of a system."""
MOST_CASES = 20
"""The most cases that are shown of a pattern."""
MOST_COUNTED = 1 << 53
"""The largest whole number that a browser counts to."""


class Reading:
    """What a view shows; a view is a frozen dataclass with a `kind` of its own."""

    __slots__ = ()
    kind: str

    @property
    def key(self) -> str:
        """The document or the system that it shows, if any; readings of the same one are joined."""
        return ""

    def renamed(self, system: str) -> Self:  # noqa: ARG002
        """Return a copy whose only system, if it has one, has another name."""
        return self

    def joined(self, other: Self) -> Self:  # noqa: ARG002
        """Return the reading of what both show; the first one, unless a view says otherwise."""
        return self

    def require_sound(self) -> None:
        """Raise a ValueError if its parts, which are of the right types, do not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemReading(Reading):
    """What a view shows of one system, over all documents."""

    system: str

    @property
    def key(self) -> str:
        """The system."""
        return self.system

    def renamed(self, system: str) -> Self:
        """Return a copy of which the system has another name."""
        return replace(self, system=system)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading(Reading):
    """What a view shows of one document; fields in `by_version` have an item for each version."""

    by_version: ClassVar[tuple[str, ...]]
    document: str
    systems: dict[str, Any]

    @property
    def key(self) -> str:
        """The document."""
        return self.document

    def renamed(self, system: str) -> Self:
        """Return a copy whose only system, if it has one, has another name."""
        names = dict.fromkeys(self.systems, system)
        changed: Any = {
            field: {names.get(name, name): item for name, item in getattr(self, field).items()}
            for field in ("systems", *self.by_version)
        }
        return replace(self, **changed)

    def joined(self, other: Self) -> Self:
        """Return the document with the systems of both."""
        changed: Any = {
            field: {**getattr(self, field), **getattr(other, field)}
            for field in ("systems", *self.by_version)
        }
        return replace(self, **changed)


LONGEST = 8
"""The most bytes of a number: 56 bits."""


def packed(values: IntArray) -> str:
    """Numbers from 0 on as their common divisor and base64 of what is left, seven bits a byte.

    The lowest bits come first; the eighth bit of a byte says that another one follows.

    >>> packed(np.array([0, 50, 20_000])), unpacked("10:AAXQDw==").tolist()
    ('50:AAGQAw==', [0, 50, 20000])
    """
    unit = int(np.gcd.reduce(values)) or 1
    rest = (values // unit)[:, None]
    wide = max(1, -(-int(rest.max(initial=0)).bit_length() // 7))
    shifts = 7 * np.arange(wide + 1)
    more = (rest >> shifts[1:]) > 0  # (values, bytes) whether another byte follows
    kept = np.column_stack((np.ones(len(rest), bool), more[:, :-1]))
    found = ((rest >> shifts[:-1]) & 127) | (more << 7)
    return f"{unit}:{b64encode(found[kept].astype(np.uint8).tobytes()).decode()}"


def unpacked(text: str) -> IntArray:
    """The inverse of `packed`; a ValueError if it is not valid."""
    unit, _, body = text.partition(":")
    raw = np.frombuffer(b64decode(body, validate=True), np.uint8)
    ends = np.flatnonzero(raw < 128)
    if raw.size and (not ends.size or ends[-1] != raw.size - 1):
        raise ValueError("a number without an end")
    starts = np.append(-1, ends)[:-1] + 1
    place = np.arange(raw.size) - np.repeat(starts, ends - starts + 1)
    if place.max(initial=0) >= LONGEST or not (unit.isdecimal() and len(unit) <= 2 * LONGEST):
        raise ValueError("a number that is too large")
    parts = (raw & 127).astype(np.int64) << (7 * place)
    values: IntArray = np.add.reduceat(parts, starts) if raw.size else parts
    if int(values.max(initial=0)) * int(unit) > MOST_COUNTED:
        raise ValueError("a number that is too large")
    return values * int(unit)


Steps = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speakers:
    """Who speaks: for each turn a number into the names (-1 is nobody) and how many words."""

    names: tuple[str, ...]
    codes: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a version has where its words differ from those of the axis.

    `at` are the words of the axis that it lacks or has another for: its `words`, empty if it has
    none. `before` are those before which it has extra words, `inserted`; the end counts as one.
    """

    at: Steps
    words: str
    before: Steps
    inserted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptReading(DocumentReading):
    """One document: its words, or how many, and the boundaries that count of each version.

    Boundaries are stored as the first position and the steps to the next ones. `marks` holds one
    character for each boundary of a version that has marks, a blank where there is none. Words are
    separated by a space; one is empty where a word that was normalised into several goes on.
    """

    by_version: ClassVar[tuple[str, ...]] = ("marks", "heard")
    length: int
    words: str | None
    references: dict[str, Steps]
    systems: dict[str, Steps]
    marks: dict[str, str] = field(default_factory=dict)
    heard: dict[str, Heard] = field(default_factory=dict)
    speakers: Speakers | None = None
    kind: Literal["transcript"] = "transcript"

    def require_sound(self) -> None:
        """Raise a ValueError if a boundary is not among the words."""
        for steps in (*self.references.values(), *self.systems.values()):
            if not 0 <= sum(steps) <= self.length <= MOST_COUNTED or min(steps, default=0) < 0:
                # a number that may have thousands of digits where a file is damaged
                size = f"{self.length:,}" if abs(self.length) <= MOST_COUNTED else "countless"
                raise ValueError(f"it has boundaries beyond its {size} words")


def steps(positions: IntArray) -> Steps:
    """Positions as the first one and the steps to the next ones."""
    return tuple(np.diff(positions, prepend=0).tolist())


def positions(steps: Steps) -> IntArray:
    """The inverse of `steps`."""
    return np.cumsum(np.asarray(steps, np.int64))


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedSpans:
    """The labelled spans of a version, packed: the steps from start to start, lengths, and labels.

    `codes` are numbers into `names`, counted from 1; 0 is no label. Spans may overlap.
    """

    starts: str
    lengths: str
    codes: str
    names: tuple[str, ...]

    def is_sound(self, length: int) -> bool:
        """Whether every span starts on an axis of this length and has a label that there is."""
        starts, lengths, codes = map(unpacked, (self.starts, self.lengths, self.codes))
        return (
            starts.size == lengths.size == codes.size
            and _are_on_axis(starts, length)
            and 0 <= lengths.min(initial=0) <= lengths.max(initial=0) <= MOST_COUNTED
            and codes.max(initial=0) <= len(self.names)
        )


def packed_places(places: IntArray) -> str:
    """Places in order, as the first one and the steps to the next ones, packed."""
    return packed(np.diff(places, prepend=0))


def places(steps: str) -> IntArray:
    """The inverse of `packed_places`."""
    return np.cumsum(unpacked(steps))


def _are_on_axis(steps: IntArray, length: int) -> bool:
    """Whether places are in order and not beyond the length; sums are floats to be safe."""
    return steps.min(initial=0) >= 0 and float(steps.sum(dtype=np.float64)) <= length


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading(DocumentReading):
    """One document on a clock or on samples: the boundaries that count of each version.

    Places are microseconds or, on the axis of samples, samples, as `packed_places`. `scores` has a
    system's score of each sample as a byte, 255 for none, in base64; 254 stands for 1.
    """

    by_version: ClassVar[tuple[str, ...]] = ("spans", "scores")
    tolerance: int
    references: dict[str, str]
    systems: dict[str, str]
    length: int = 0
    axis: Literal["time", "samples"] = "time"
    spans: dict[str, PackedSpans] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    kind: Literal["clock"] = "clock"

    def joined(self, other: ClockReading) -> ClockReading:
        """Return the document with the systems of both, as long as the longer one."""
        both = DocumentReading.joined(self, other)
        return replace(both, length=max(self.length, other.length))

    def require_sound(self) -> None:
        """Raise a ValueError if a boundary or a span is not on the axis."""
        if not 0 <= self.length <= MOST_COUNTED:
            raise ValueError("it has a length that cannot be")
        for steps in (*self.references.values(), *self.systems.values()):
            if not _are_on_axis(unpacked(steps), self.length):
                raise ValueError("it has boundaries beyond its end")
        if not all(each.is_sound(self.length) for each in self.spans.values()):
            raise ValueError("it has spans that do not lie on its axis")


Direction = Literal["split", "merged", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCase:
    """One error: where it is, and what is around it; of sentences also both sides in full."""

    document: str
    system_place: str
    gold_place: str
    before: str
    after: str
    system: str = ""
    gold: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Errors of one kind: how many, and the first of them."""

    unit: Literal["token", "sentence"]
    direction: Direction
    system: str
    gold: str
    times: int
    cases: tuple[ErrorCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading(SystemReading):
    """The errors of one system: all blocks, all patterns, and the most frequent of these."""

    blocks: int
    kinds: int
    patterns: tuple[Pattern, ...]
    kind: Literal["text"] = "text"


Side = Literal["system", "gold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditCase:
    """One edit: its document, where it is, its type, and what is around it."""

    document: str
    place: str
    type: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPattern:
    """The same edit in several places: on which side, how many by type, and the first of them."""

    side: Side
    text: str
    correction: str
    times: dict[str, int]
    cases: tuple[EditCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsReading(SystemReading):
    """The wrong edits of one system: how many, how many patterns, and the most frequent ones."""

    edits: int
    kinds: int
    patterns: tuple[EditPattern, ...]
    kind: Literal["corrections"] = "corrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The phones of some members of a cluster, the word they are, and how many members."""

    phones: str
    word: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One cluster: its number in the file, its members, and what they spell."""

    cluster: int
    size: int
    types: int
    purity: float
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongType:
    """A sequence of phones that is not a word, and how often it was found."""

    phones: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """The words of a recording, with times in milliseconds."""

    on: tuple[int, ...]
    off: tuple[int, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIntervals:
    """The intervals of a recording, in milliseconds.

    `right` is 1 where an interval begins with a word, 2 where it ends with one, 3 for both.
    """

    on: tuple[int, ...]
    off: tuple[int, ...]
    cluster: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldReading(Reading):
    """The words of the first recordings."""

    words: dict[str, SpokenWords]
    kind: Literal["gold"] = "gold"


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsReading(SystemReading):
    """What one system found: its largest clusters, wrong types, and intervals."""

    count: int
    clusters: tuple[Cluster, ...]
    wrong_types: tuple[WrongType, ...]
    intervals: dict[str, FoundIntervals]
    kind: Literal["terms"] = "terms"
