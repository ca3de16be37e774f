"""Who speaks when, as pyannote.metrics and NIST score it.

Changes of speaker, purity and coverage are those of Bredin (2017), pyannote.metrics: changes are
ends of segments, matched one to one, the nearest pair first. Diarization has the error rate of NIST
(2009) and the Jaccard error rate of Ryant et al. (2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from caesura.core.arrays import sorted_distinct
from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import (
    BoolArray,
    Document,
    IntArray,
    Track,
    WordNames,
    within_regions,
)
from caesura.errors import FormatError, TimesError
from caesura.matching import best_assignment, nearest_first
from caesura.measures.label_spans import LabelSpans, ranges_as_pairs


def turns_of(document: Document) -> LabelSpans:
    """Units from when their first word begins to when the last one ends, by time, with speakers."""
    track, last = document.track, document.segmentation.boundaries
    if track.start is None or track.end is None:
        raise TimesError(document.source)
    first = np.concatenate(([0], last[:-1] + 1))[: last.size]
    start, end = track.start[first], track.end[last]
    unknown = np.flatnonzero((start == Track.UNKNOWN) | (end == Track.UNKNOWN))
    if unknown.size:
        raise TimesError(document.place(int(first[unknown[0]])))
    nobody = np.full(last.size, WordNames.NOBODY)
    speaker = nobody if track.speaker is None else track.speaker.codes[first]
    return LabelSpans(start, end, speaker).some(end > start).sorted()


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Who speaks on either side in each piece of time; the edges of all segments make the pieces.

    The speakers of a piece follow each other, and so do pieces.
    """

    start: IntArray  # (pieces,) in order
    length: IntArray  # (pieces,) 0 where nothing counts
    sides: tuple[LabelSpans, LabelSpans]  # of the system and of the reference, cut at pieces
    sizes: tuple[int, int]  # the number of speakers of each

    @classmethod
    def from_turns(
        cls, ours: LabelSpans, theirs: LabelSpans, regions: IntArray | None, *cuts: IntArray
    ) -> Meetings:
        """Cut the time of regions where a segment begins or ends, and at further times.

        Speakers are numbered from 0 on, and no segments of one overlap.
        """
        times = [ours.start, ours.end, theirs.start, theirs.end, *cuts]
        edges = sorted_distinct(np.concatenate([*times, *([] if regions is None else regions)]))
        pieces = np.stack((edges[:-1], edges[1:]), axis=1)
        if regions is not None:
            inside = LabelSpans(regions[:, 0], regions[:, 1], regions[:, 0])
            pieces = pieces[inside.running(pieces[:, 0]) > 0]
        sides = ours.within(pieces), theirs.within(pieces)
        one, other = (int(each.label.max(initial=-1)) + 1 for each in (ours, theirs))
        return cls(pieces[:, 0], np.diff(pieces)[:, 0], sides, (one, other))

    def some(self, which: BoolArray) -> Meetings:
        """The same where only some pieces count."""
        return replace(self, length=self.length * which)

    @property
    def voices(self) -> tuple[IntArray, IntArray]:
        """How many speak in each piece on either side."""
        ours, theirs = (
            np.bincount(self._pieces(each), minlength=self.start.size) for each in self.sides
        )
        return ours, theirs

    @property
    def spoken(self) -> tuple[IntArray, IntArray]:
        """How long each speaker speaks."""
        ours, theirs = (
            _sums(each.label, self.length[self._pieces(each)], size)
            for each, size in zip(self.sides, self.sizes, strict=True)
        )
        return ours, theirs

    @property
    def together(self) -> IntArray:
        """How long speakers of the reference (rows) and of the system (columns) speak at once."""
        ours, theirs = self.sides
        first = np.searchsorted(ours.start, theirs.start)
        beyond = np.searchsorted(ours.start, theirs.start, side="right")
        one, other = ranges_as_pairs(first, beyond)  # of theirs and of ours, in the same piece
        cells = theirs.label[one] * self.sizes[0] + ours.label[other]
        times = self.length[self._pieces(theirs)][one]
        return _sums(cells, times, self.sizes[0] * self.sizes[1]).reshape(self.sizes[::-1])

    def _pieces(self, side: LabelSpans) -> IntArray:
        """The piece of each cut segment."""
        return np.searchsorted(self.start, side.start)


def _sums(where: IntArray, values: IntArray, size: int) -> IntArray:
    """The sums of values by place; floats hold them exactly up to 285 years of microseconds."""
    return np.bincount(where, weights=values, minlength=size).astype(np.int64)


@dataclass(frozen=True, slots=True)
class ChangeCounts(Counts):
    """Changes of both sides, and those that match, for precision and for recall.

    Which pair of those that are equally near comes first is decided by the reference's changes for
    precision and by the candidate's for recall, as pyannote.metrics does.
    """

    right: int
    placed: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """Matches / changes of the candidate."""
        return ratio(self.right, self.placed)

    @property
    def recall(self) -> float:
        """Matches / changes of the reference."""
        return ratio(self.found, self.wanted)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Changes(DocumentMeasure):
    """Precision, recall and F1 of changes of speaker up to `tolerance` microseconds apart.

    A change is the end of a segment other than the last one, by its beginning; segments at the
    same times are one.
    """

    name: ClassVar[str] = "changes"
    counts: ClassVar[type[Counts]] = ChangeCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("change_precision", "change P", "Precision of changes, matched nearest first.",
              take="precision"),
        Score("change_recall", "change R", "Recall of changes, matched nearest first.",
              take="recall"),
        Score("change_f1", "change F1", "F1 of changes, matched nearest first.", take="f1"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 500_000

    def count(self, candidate: Document, reference: Document) -> ChangeCounts:
        """Count one document against a reference."""
        ours, theirs = (changes_of(each) for each in (candidate, reference))
        right = nearest_first(theirs, ours, self.tolerance)[0].size
        found = nearest_first(ours, theirs, self.tolerance)[0].size
        return ChangeCounts(right, ours.size, found, theirs.size)


def changes_of(document: Document) -> IntArray:
    """When segments end, in the order in which they begin, but for the last one."""
    turns = turns_of(document)
    is_new = np.ones(turns.start.size, np.bool_)  # at other times than the one before
    is_new[1:] = (np.diff(turns.start) != 0) | (np.diff(turns.end) != 0)
    ends = turns.end[is_new][:-1]
    return ends if document.regions is None else ends[within_regions(ends, document.regions)]


@dataclass(frozen=True, slots=True)
class PurityCounts(Counts):
    """Microseconds of speech, and how much of it is the largest common stretch of each segment.

    `pure` sums these over the candidate's segments, `covered` over the reference's.
    """

    speech: int
    pure: int
    covered: int

    @property
    def purity(self) -> float:
        """How much of the candidate's segments is in one segment of the reference."""
        return ratio(self.pure, self.speech)

    @property
    def coverage(self) -> float:
        """How much of the reference's segments is in one segment of the candidate."""
        return ratio(self.covered, self.speech)

    @property
    def f1(self) -> float:
        """The harmonic mean of purity and coverage."""
        return harmonic(self.purity, self.coverage)


@dataclass(frozen=True, slots=True)
class Purity(DocumentMeasure):
    """Purity and coverage; pauses of a speaker shorter than `tolerance` microseconds are filled."""

    name: ClassVar[str] = "purity"
    counts: ClassVar[type[Counts]] = PurityCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("purity", "purity", "Duration of segments that is in one reference segment."),
        Score("coverage", "coverage", "Duration of reference segments that is in one segment."),
        Score("purity_coverage_f1", "F purity, coverage",
              "Harmonic mean of purity and coverage.", take="f1"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 500_000

    def count(self, candidate: Document, reference: Document) -> PurityCounts:
        """Count one document against a reference."""
        ours, theirs = (turns_of(each).within(each.regions) for each in (candidate, reference))
        return purity_of(ours, theirs.joined(self.tolerance))


def purity_of(ours: LabelSpans, theirs: LabelSpans) -> PurityCounts:
    """Count segments against those of a reference.

    Both sides are cut at all of their edges, and count where the reference has speech and the
    candidate has begun and not ended. The edges of both make pieces; as segments are stretches
    of time, each piece is all that two of them share. A loop over the pieces takes seven times as
    long (.7 s for 100,000 segments a side). The slow twin is `purity` of
    tests/support/reference_times.py.
    """
    placed, wanted = (
        sorted_distinct(np.concatenate((each.start, each.end))) for each in (ours, theirs)
    )
    if not placed.size or not wanted.size:
        return PurityCounts.zero()
    edges = sorted_distinct(np.concatenate((placed, wanted)))
    start, length = edges[:-1], np.diff(edges)  # (pieces,) in order
    counted = (start >= placed[0]) & (start < placed[-1]) & (theirs.running(start) > 0)
    start, length = start[counted], length[counted]
    of_theirs = np.searchsorted(wanted, start, side="right")  # (pieces,) which segment each is of
    # A segment of the candidate is cut where the reference has no speech
    breaks = np.cumsum(np.concatenate(([0], start[1:] != (start + length)[:-1])))[: start.size]
    of_ours = np.searchsorted(placed, start, side="right") + breaks
    return PurityCounts(
        int(length.sum()), _largest_parts(length, of_ours), _largest_parts(length, of_theirs)
    )


def _largest_parts(length: IntArray, owner: IntArray) -> int:
    """The sum of the longest piece of each owner, whose pieces are one after another."""
    if not length.size:
        return 0
    first = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    return int(np.maximum.reduceat(length, first).sum())


SECOND = 1_000_000
FRAME = 10_000
"""The microseconds of dscore's frames."""
PART = 10**12
"""The parts in which errors of speakers are kept, so that they are whole numbers."""
MAX_SPEAKERS = 1000
"""The most of a side: an assignment takes their number to the power of three."""


@dataclass(frozen=True, slots=True)
class DiarizationCounts(Counts):
    """Microseconds of speech by speaker, and errors; speakers, and their errors in 10⁻¹².

    `mistaken` is the confusion if speakers are mapped over all time, as md-eval does, and not over
    what is scored; `frame_speakers` and `frame_error` are those of dscore.
    """

    speech: int
    missed: int
    false_alarm: int
    confusion: int
    mistaken: int
    speakers: int
    error: int
    frame_speakers: int
    frame_error: int

    @property
    def der(self) -> float:
        """The diarization error rate, in percent."""
        wrong = self.missed + self.false_alarm + self.confusion
        return ratio(100 * wrong, self.speech)

    @property
    def der_md_eval(self) -> float:
        """The same with speakers mapped as md-eval does."""
        return ratio(100 * (self.missed + self.false_alarm + self.mistaken), self.speech)

    @property
    def jer(self) -> float:
        """The Jaccard error rate, in percent."""
        return ratio(100 * self.error, PART * self.speakers)

    @property
    def jer_dscore(self) -> float:
        """The same as dscore computes it."""
        return ratio(100 * self.frame_error, PART * self.frame_speakers)


def _seconds(field: str) -> Callable[[Any], Any]:
    """A field in seconds; undefined where neither side speaks."""
    return lambda counts: ratio(
        getattr(counts, field), SECOND * (counts.speech + counts.false_alarm > 0)
    )


@dataclass(frozen=True, slots=True)
class Diarization(DocumentMeasure):
    """DER and JER; times up to `collar` from an edge of a reference's segment are not scored.

    With `skip_overlap`, neither are those at which several speakers of the reference speak.
    """

    name: ClassVar[str] = "diarization"
    counts: ClassVar[type[Counts]] = DiarizationCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("der", "DER", "Diarization error rate: (missed + false alarm + confusion) / speech.",
              "low", scale=100),
        Score("der_missed", "missed", "Seconds of a reference's speaker in which too few speak.",
              None, take=_seconds("missed")),
        Score("der_false_alarm", "false alarm", "Seconds of a speaker beyond the reference's.",
              None, take=_seconds("false_alarm")),
        Score("der_confusion", "confusion", "Seconds in which another speaker speaks.", None,
              take=_seconds("confusion")),
        Score("der_speech", "speech", "Seconds that each speaker of the reference speaks, summed.",
              None, take=_seconds("speech")),
        Score("der_md_eval", "DER (md-eval)", "DER with speakers mapped over all time.", "low",
              scale=100),
        Score("jer", "JER", "Jaccard error rate: mean over the reference's speakers.", "low",
              scale=100),
        Score("jer_dscore", "JER (dscore)", "JER on frames of 10 ms, with dscore's mapping.", "low",
              scale=100),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"collar": 0}

    collar: int = 0
    skip_overlap: bool = False

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:
        """What of the time is not scored."""
        return {
            "collar": f"{options.collar / SECOND:g}s" if options.collar else "",
            "overlap": "skip" if options.skip_overlap else "",
        }

    def count(self, candidate: Document, reference: Document) -> DiarizationCounts:
        """Count one document against a reference."""
        segments = turns_of(reference)
        ours, theirs = (_speakers(turns_of(each), each.source) for each in (candidate, reference))
        edges = np.concatenate((segments.start, segments.end)) if self.collar else segments.end[:0]
        collars = LabelSpans(edges - self.collar, edges + self.collar, edges)
        every = Meetings.from_turns(ours, theirs, reference.regions, collars.start, collars.end)
        scored = every
        if self.collar:
            scored = scored.some(collars.running(every.start) == 0)
        if self.skip_overlap:
            scored = scored.some(every.voices[1] < 2)
        together = scored.together
        of_all = together if scored is every else every.together
        frames = _frames(ours, theirs, reference.regions)
        return DiarizationCounts(
            *_errors(scored, together, of_all),
            *_jaccard(scored, together, scored.spoken[1] > 0, by_time=True),
            *_jaccard(frames, frames.together, every.spoken[1] > 0, by_time=False),
        )


def _speakers(segments: LabelSpans, source: str) -> LabelSpans:
    """The segments of each speaker, numbered from 0 on, joined where they touch or overlap."""
    turns = segments.joined()
    names, speaker = np.unique(turns.label, return_inverse=True)
    if names.size > MAX_SPEAKERS:
        problem = f"{names.size:,} speakers, more than {MAX_SPEAKERS:,} to map"
        raise FormatError(source, problem, "name who speaks, not the segments")
    return replace(turns, label=speaker)


def _errors(
    scored: Meetings, together: IntArray, of_all: IntArray
) -> tuple[int, int, int, int, int]:
    """Speech, missed, false alarm, confusion, and the confusion of md-eval's mapping."""
    ours, theirs = scored.voices
    added = np.maximum(ours - theirs, 0)
    numbers = theirs, np.maximum(theirs - ours, 0), added, np.minimum(ours, theirs)
    speech, missed, false_alarm, pairs = (int((scored.length * voices).sum()) for voices in numbers)
    right, right_of_all = (
        int(_taken(together, best_assignment(table, together)).sum())
        for table in (together, of_all)
    )
    return speech, missed, false_alarm, pairs - right, pairs - right_of_all


def _taken(table: IntArray, column: IntArray) -> IntArray:
    """The value of each row in its column; 0 of rows without one."""
    padded = np.pad(table, ((0, 0), (0, 1)))  # FREE, -1, is the last column
    return padded[np.arange(len(table)), column]


def _jaccard(
    meetings: Meetings, together: IntArray, is_there: BoolArray, *, by_time: bool
) -> tuple[int, int]:
    """The number of speakers that are there, and the sum of their errors.

    Speakers are mapped so that the error is least; or by time, so that most time is common and, of
    such mappings, the error is least.
    """
    ours, theirs = meetings.spoken
    either = np.maximum(theirs[:, None] + ours - together, 1)
    alike = np.rint(PART * (together / either)).astype(np.int64)
    column = best_assignment(together if by_time else alike, alike)
    errors = PART - _taken(alike, column)[is_there]
    return int(is_there.sum()), int(errors.sum())


def _frames(ours: LabelSpans, theirs: LabelSpans, regions: IntArray | None) -> Meetings:
    """Who speaks in dscore's frames: a segment has those that begin in it."""
    end = max(ours.last, theirs.last) if regions is None else int(regions[:, 1].max(initial=0))
    last = end // FRAME

    def framed(times: IntArray) -> IntArray:
        return np.minimum(-(-times // FRAME), last)

    one, other = (
        replace(each, start=framed(each.start), end=framed(each.end)) for each in (ours, theirs)
    )
    return Meetings.from_turns(one, other, None if regions is None else framed(regions))
