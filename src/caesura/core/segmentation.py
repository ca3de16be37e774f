"""The data: where units end, on an axis of words, characters or phones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from caesura.core import arrays
from caesura.core.arrays import is_binary, isin_sorted, union
from caesura.core.format import AxisName
from caesura.errors import SegmentationError, number, shortened

IntArray = arrays.IntArray
BoolArray = arrays.BoolArray
MarkArray = arrays.MarkArray
FloatArray = npt.NDArray[np.float64]
ScoreArray = arrays.ScoreArray
Final = Literal["drop", "keep"]
Edges = Literal["trim", "keep"]
OUTSIDE = "outside"
"""The mark of what lies between units, where units need not follow each other."""
FIRST = 12
"""How many units a short line shows."""
MOST = 2**62
"""The largest length: positions and sums of two of them fit into 64 bits."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""What stands for a space inside a word, where a word is a whole sentence."""
_SILENT = re.compile(r"[^\w ]|_")


@dataclass(frozen=True, slots=True, eq=False)
class Segmentation:
    """Boundaries on an axis of `length` items: j is one if a unit ends after item j.

    `boundaries` is sorted, without repetition, and always includes the last item, where the
    last unit always ends. `marks`, if they are known, are the marks (`.`, `?` …) of the boundaries;
    an empty string is a boundary without one, OUTSIDE one that ends no unit, but what lies between
    units. `is_open` says that it is a part of another, whose last item stands for what follows.
    `scores`, if a system gives them, say for each item how likely a unit ends after it, from 0 to
    1; nan where there is none.
    """

    length: int
    boundaries: IntArray
    marks: MarkArray | None = None
    is_open: bool = False
    scores: ScoreArray | None = None

    @classmethod
    def from_positions(
        cls, positions: npt.ArrayLike, length: int, marks: MarkArray | None = None
    ) -> Segmentation:
        """Take the items after which a unit ends, in any order; the last is added if absent.

        >>> Segmentation.from_positions([4, 1], 7).masses.tolist()
        [2, 3, 2]
        """
        found, first = np.unique(_integers(positions, "positions"), return_index=True)
        if not 0 <= length <= MOST:
            raise SegmentationError(f"the length cannot be {length}; give 0 to {MOST:,}")
        outside = found[(found < 0) | (found >= length)]
        if outside.size:
            raise SegmentationError(
                f"a boundary at {outside[0]} on {length} items; "
                "positions count from 0 and must be below the length"
            )
        if marks is not None and len(marks) != np.size(positions):
            raise SegmentationError(f"{len(marks)} marks for {np.size(positions)} boundaries")
        kept = None if marks is None else np.asarray(marks, dtype=np.str_)[first]
        return cls(length, *_with_end(found, length, kept))

    @classmethod
    def from_binary(cls, values: npt.ArrayLike) -> Segmentation:
        """Take a 0 or a 1 for each item; the last may be either.

        >>> Segmentation.from_binary([0, 1, 0, 0, 1, 0, 0]).boundaries.tolist()
        [1, 4, 6]
        """
        array = np.asarray(values)
        if array.ndim != 1 or not is_binary(array):
            raise SegmentationError("a 0/1 list must be flat and contain only 0 and 1")
        found = np.flatnonzero(array != 0)
        return cls(array.size, *_with_end(found, array.size, None))

    @classmethod
    def from_masses(cls, masses: npt.ArrayLike) -> Segmentation:
        """Take the lengths of the units.

        >>> Segmentation.from_masses([2, 3, 2]).boundaries.tolist()
        [1, 4, 6]
        """
        array = _integers(masses, "masses")
        if (array <= 0).any():
            raise SegmentationError("masses are lengths of units; each must be 1 or more")
        if array.sum(dtype=np.float64) > MOST:
            raise SegmentationError(f"the length cannot be the sum of these; give 0 to {MOST:,}")
        ends = np.cumsum(array)
        return cls(int(ends[-1]) if ends.size else 0, ends - 1)

    @classmethod
    def from_scores(cls, scores: ScoreArray, threshold: float) -> Segmentation:
        """Take a score for each item; a unit ends where it is at least the threshold.

        >>> Segmentation.from_scores(np.array([0.2, 0.7, 0.1], np.float32), 0.5).masses.tolist()
        [2, 1]
        """
        ends = np.flatnonzero(scores >= np.float32(threshold))
        return cls(scores.size, *_with_end(ends, scores.size, None), scores=scores)

    @property
    def masses(self) -> IntArray:
        """The lengths of the units."""
        return np.diff(self.boundaries, prepend=-1)

    def positions(self, final: Final = "drop") -> IntArray:
        """The boundaries that count: all, or all except the end of the transcript."""
        return self.boundaries if final == "keep" else self.boundaries[:-1]

    def marks_at(self, final: Final = "drop") -> MarkArray | None:
        """The marks of the boundaries that count."""
        return self.marks if final == "keep" or self.marks is None else self.marks[:-1]

    def slots(self, final: Final = "drop") -> int:
        """How many positions could hold a boundary that counts."""
        return max(0, self.length - (final == "drop"))

    def some(self, which: BoolArray) -> Segmentation:
        """The segmentation restricted to some of the items, closing the gaps.

        >>> kept = np.array([True, True, False, True, True])
        >>> Segmentation.from_positions([1, 2, 3], 5).some(kept).boundaries.tolist()
        [1, 2, 3]
        """
        stays = which[self.boundaries]
        places = (np.cumsum(which) - 1)[self.boundaries[stays]]
        marks = None if self.marks is None else self.marks[stays]
        length = int(np.count_nonzero(which))
        scores = None if self.scores is None else self.scores[which]
        return Segmentation(length, *_with_end(places, length, marks), scores=scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        same = self.length == other.length and self.is_open == other.is_open
        same = same and np.array_equal(self.boundaries, other.boundaries)
        if self.marks is None or other.marks is None:
            return same and self.marks is other.marks
        return same and np.array_equal(self.marks, other.marks)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        """How long it is, and how long its first units are.

        >>> Segmentation.from_masses([2, 3, 2])
        <Segmentation: 7 items, 3 units of 2, 3, 2>
        """
        first = ", ".join(map(str, self.masses[:FIRST].tolist()))
        sizes = f" of {first}{' …' if self.boundaries.size > FIRST else ''}" if first else ""
        units = number(self.boundaries.size, "unit")
        return f"<Segmentation: {number(self.length, 'item')}, {units}{sizes}>"


@dataclass(frozen=True, slots=True, eq=False)
class WordNames:
    """A name for each word, as a number into `names`; NOBODY where there is none."""

    names: tuple[str, ...]
    codes: IntArray

    NOBODY: ClassVar[int] = -1

    @classmethod
    def from_names(cls, values: Sequence[str]) -> WordNames | None:
        """Number the names in order of appearance; an empty one is none. None if all are empty.

        >>> WordNames.from_names(["B", "", "A", "B"]).codes.tolist()
        [0, -1, 1, 0]
        """
        numbers = {name: code for code, name in enumerate(dict.fromkeys(filter(None, values)))}
        if not numbers:
            return None
        codes = map((numbers | {"": cls.NOBODY}).__getitem__, values)
        return cls(tuple(numbers), np.fromiter(codes, np.int64, len(values)))

    def has(self, name: str) -> BoolArray:
        """Which words have a name."""
        found: BoolArray = self.codes == self.names.index(name)
        return found

    def some(self, which: IntArray | BoolArray) -> WordNames:
        """The labels of some words."""
        return WordNames(self.names, self.codes[which])


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """What is known of each word besides its text: its times and speaker.

    Times are microseconds; UNKNOWN stands where there is none. `edges`, if they are known, are the
    times at which intervals begin or end, also those without words: the boundaries in time.
    `confidence` is a recogniser's, from 0 to 1, nan where unknown. `interpolated` are the words
    without times of their own, which share those of a cue or segment, and `piece` is the number of
    the cue or segment of each word; None if there are none.
    """

    start: IntArray | None = None
    end: IntArray | None = None
    speaker: WordNames | None = None
    channel: WordNames | None = None
    edges: IntArray | None = None
    confidence: FloatArray | None = None
    interpolated: BoolArray | None = None
    piece: IntArray | None = None

    UNKNOWN: ClassVar[int] = -1

    def some(self, which: IntArray | BoolArray) -> Track:
        """The track of some words; the edges are those of the words then."""
        start = None if self.start is None else self.start[which]
        end = None if self.end is None else self.end[which]
        return Track(
            start,
            end,
            None if self.speaker is None else self.speaker.some(which),
            None if self.channel is None else self.channel.some(which),
            None if self.edges is None else edges_of(start, end),
            None if self.confidence is None else self.confidence[which],
            None if self.interpolated is None else self.interpolated[which],
            None if self.piece is None else self.piece[which],
        )

    def labels(self, kind: str) -> WordNames | None:
        """Who speaks (`speaker`), or where (`channel`)."""
        return self.channel if kind == "channel" else self.speaker


def spoken_lengths(words: str) -> IntArray:
    """How long words last that share a time: the letters and digits of each, at least 1.

    Words are separated by one space. Punctuation has no length, nor have combining marks, so that
    neither how a text is punctuated nor whether its vowels are written changes its times.

    >>> spoken_lengths("it's 3.5 कि &").tolist()
    [3, 2, 1, 1]
    """
    sizes = map(len, _SILENT.sub("", words).split(" "))
    return np.maximum(np.fromiter(sizes, np.int64), 1)


def edges_of(start: IntArray | None, end: IntArray | None) -> IntArray | None:
    """The times at which intervals begin or end, each once; None if they are not all known.

    >>> edges_of(np.array([0, 5, 9]), np.array([5, 8, 12])).tolist()
    [0, 5, 8, 9, 12]
    """
    if start is None or end is None:
        return None
    edges = np.unique(np.concatenate((start, end)))
    return None if edges.size and edges[0] == Track.UNKNOWN else edges


@dataclass(frozen=True, slots=True, eq=False)
class ScriptUnits:
    """The labelled units of a document as DISRPT's own script reads them, in order.

    Items are counted from the document's first. An end may lie before its start, or in another
    document. `has_sentences` says whether it is known where sentences start.
    """

    starts: IntArray  # (units,) the first item of each
    ends: IntArray  # (units,) the last one
    is_lost: BoolArray  # (units,) lost at the very end of a file, in the first version
    is_first: BoolArray  # (units,) whether a unit starts with a sentence
    has_sentences: bool = False

    def parts(self, edges: IntArray) -> Iterator[ScriptUnits]:
        """The units that start between neighbouring edges, as those of a document of its own."""
        between = pairwise(np.searchsorted(self.starts, edges).tolist())
        for start, (first, last) in zip(edges[:-1].tolist(), between, strict=True):
            yield ScriptUnits(
                self.starts[first:last] - start,
                self.ends[first:last] - start,
                self.is_lost[first:last],
                self.is_first[first:last],
                self.has_sentences,
            )


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A text as it was written; `offsets` are the normalised words before each word and the end."""

    raw: str
    offsets: IntArray


@dataclass(frozen=True, slots=True)
class Document:
    """A segmentation together with its words and where they come from.

    `text` holds the words as they are compared, separated by one space; None where a file gives
    boundaries only. `raw` is the text as written, `track` what else is known of each word,
    and `line_starts` holds, for each line of the source, its first word's index; a document that
    begins in the middle of a file has `lines_before` it.
    `signs` are what the reader or detector noticed, as counts by kind:
    `guessed` (1 if the form was), `inner_marks` (marks inside lines), `segments` (of a timed file
    whose marks were taken), `unknown` (words that a detector does not know; `unknown_own` if a user
    trained it), `odd_suffix` and `like_FORMAT` (1 if a file was read as plain text, but has an
    unknown suffix or may be in that format), `text_differs`
    (sentences of CoNLL-U whose `# text` is not that of their tokens), `aligned` (1 if its words
    differ and were aligned without being asked to), `open_lines` (lines of subtitles that do not
    end with a break), `rolled` (repeated lines of rolling
    captions), `characters` (1 if characters are tokens; `by_script` if that is because its
    script has no spaces), `dictionary` (1 if tokens are words that a dictionary found).
    Where words were normalised, `written` is the text before that. With `is_verbatim`, words are
    compared as they are written, and punctuation is a word; a whole sentence may be one, with
    NO_BREAK for its spaces. `recording` is its name in a file of recordings, `regions` what of it
    is scored, if not all: from when to when, a row each; `units` how DISRPT's script reads it.
    A signal has places on another `axis` instead of words, which are the edges of its track, and
    an `extent`: its length in microseconds or samples, 0 where that is not known.
    """

    segmentation: Segmentation
    text: str | None = None
    form: str = ""
    source: str = "<string>"
    line_starts: IntArray | None = None
    raw: str | None = None
    track: Track = Track()
    signs: Mapping[str, int] = field(default_factory=dict)
    written: Written | None = None
    is_verbatim: bool = False
    recording: str = ""
    regions: IntArray | None = None
    lines_before: int = 0
    units: ScriptUnits | None = None
    axis: AxisName = "words"
    extent: int = 0

    @property
    def is_signal(self) -> bool:
        """Whether its places are not words but moments or samples."""
        return self.axis != "words"

    @property
    def words(self) -> list[str]:
        """The words as they are compared; empty where they are not known."""
        return self.text.split(" ") if self.text else []

    @property
    def has_characters(self) -> bool:
        """Whether some of its words are single characters of a text without spaces."""
        return "characters" in self.signs

    def __repr__(self) -> str:
        """Its size, form, source and first words.

        >>> Document(Segmentation.from_masses([2, 1]), "it rained hard", "lines", "a.txt")
        <Document a.txt: 3 words, 2 units, lines: it rained hard>
        """
        words = number(self.segmentation.length, "word")
        units = number(self.segmentation.boundaries.size, "unit")
        about = ", ".join(filter(None, (words, units, self.form)))
        first = f": {shortened(self.text)}" if self.text else ""
        source = "" if self.source.startswith("<") else f" {self.source}"
        return f"<Document{source}: {about}{first}>"

    def some(self, which: BoolArray) -> Document:
        """The document restricted to some of the words."""
        words = self.words
        text = " ".join(words[at] for at in np.flatnonzero(which).tolist()) if words else None
        track = self.track.some(which)
        own = self.segmentation.some(which)
        return Document(
            own,
            text,
            self.form,
            self.source,
            track=track,
            signs=self.signs,
            recording=self.recording,
            regions=self.regions,
        )

    def place(self, word: int) -> str:
        """The place of a word as `FILE:LINE`; past the end, that of the last word."""
        if self.line_starts is None:
            return self.source
        last = self.line_starts.dtype.type(min(word, self.segmentation.length - 1))
        line = int(np.searchsorted(self.line_starts, last, side="right"))  # another type copies all
        return f"{self.source}:{self.lines_before + line}"


@dataclass(frozen=True)
class Panel:
    """The references of one transcript together."""

    members: tuple[Segmentation, ...]
    _left_from: tuple[Panel, int] | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def _union(self) -> tuple[IntArray, IntArray]:
        if self._left_from is not None:
            return self._left_from[0]._union_without(self._left_from[1])
        return union(self.slots("keep"), [member.boundaries for member in self.members])

    def _union_without(self, index: int) -> tuple[IntArray, IntArray]:
        """Everybody's votes minus one's own."""
        positions, votes = self._union
        left = votes - isin_sorted(positions, self.members[index].boundaries)
        return positions[left > 0], left[left > 0]

    def positions(self, final: Final = "drop") -> IntArray:
        """The positions at which at least one reference has a boundary."""
        positions = self._union[0]
        return positions if final == "keep" else positions[:-1]

    def votes(self, final: Final = "drop") -> IntArray:
        """For each of these positions, d_j: how many references have a boundary there."""
        votes = self._union[1]
        return votes if final == "keep" else votes[:-1]

    def slots(self, final: Final = "drop") -> int:
        """How many positions could hold a boundary that counts."""
        return self.members[0].slots(final) if self.members else 0

    def without(self, index: int) -> Panel:
        """The other references."""
        return Panel(self.members[:index] + self.members[index + 1 :], (self, index))

    def consensus(self, least: int) -> Segmentation:
        """The positions that at least `least` references have, as one reference."""
        if not 1 <= least <= len(self):
            raise SegmentationError(f"a consensus of {least} among {len(self)} references")
        positions, votes = self._union
        return Segmentation(self.slots("keep"), positions[votes >= least])


def panel(members: Sequence[Segmentation]) -> Panel:
    """Combine references of the same length."""
    lengths = sorted({member.length for member in members})
    if len(lengths) != 1:
        raise SegmentationError(f"references must have the same length, not {lengths or 'none'}")
    return Panel(tuple(members))


def require_one_length(a: Segmentation, b: Segmentation) -> None:
    """Raise an error unless both have the same length."""
    if a.length != b.length:
        raise SegmentationError(f"{a.length} items cannot be compared with {b.length}")


def within_regions(times: IntArray, regions: IntArray) -> BoolArray:
    """Which times lie in a region, or at an edge of one; regions are in order and apart."""
    at = np.searchsorted(regions[:, 0], times, side="right") - 1
    found: BoolArray = (at >= 0) & (times <= regions[at, 1])
    return found


def _integers(values: npt.ArrayLike, what: str) -> IntArray:
    array = np.asarray(list(values) if isinstance(values, Iterator) else values)
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    is_whole = array.dtype.kind in "iu" or (array.dtype.kind == "f" and (array % 1 == 0).all())
    if array.ndim != 1 or not is_whole:
        raise SegmentationError(f"{what} must be a flat list of whole numbers")
    return array.astype(np.int64)


def _with_end(
    positions: IntArray, length: int, marks: MarkArray | None
) -> tuple[IntArray, MarkArray | None]:
    if length == 0 or (positions.size and positions[-1] == length - 1):
        return positions, marks
    ended = np.append(positions, length - 1)
    return ended, None if marks is None else np.append(marks, "")
