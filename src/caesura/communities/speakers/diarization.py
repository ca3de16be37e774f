"""Who spoke when: diarization error rate (NIST 2009) and Jaccard error rate (Ryant et al. 2019)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from caesura.communities.speakers.turns import Meetings, Turns
from caesura.core.counts import Counts, ratio
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Document, IntArray
from caesura.errors import FormatError
from caesura.matching.one_to_one import best_assignment

SECOND = 1_000_000
FRAME = 10_000
"""The microseconds of dscore's frames."""
PART = 10**12
"""The parts in which errors of speakers are kept, so that they are whole numbers."""
MOST = 1000
"""The most speakers of a side: an assignment takes their number to the power of three."""


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
        segments = Turns.from_document(reference)
        ours, theirs = (
            _speakers(Turns.from_document(each), each.source) for each in (candidate, reference)
        )
        every = Meetings.from_turns(
            ours, theirs, reference.regions, _collars(segments, self.collar)
        )
        scored = self._scored(every, segments)
        together = scored.together
        of_all = every.together if scored is not every else together
        frames = _frames(ours, theirs, reference.regions)
        return DiarizationCounts(
            *_errors(scored, together, of_all),
            *_jaccard(scored, together, scored.spoken[1] > 0, by_time=True),
            *_jaccard(frames, frames.together, every.spoken[1] > 0, by_time=False),
        )

    def _scored(self, every: Meetings, segments: Turns) -> Meetings:
        """Leave out collars of the reference and, if asked to, overlap of its speakers."""
        scored = every
        if self.collar:
            start, end = _collars(segments, self.collar)
            scored = scored.some(Turns(start, end, start).voices(every.start) == 0)
        return scored.some(every.voices[1] < 2) if self.skip_overlap else scored


def _speakers(segments: Turns, source: str) -> Turns:
    """The segments of each speaker, joined where they touch or overlap."""
    turns = segments.filled(0).numbered
    number = int(turns.speaker.max(initial=0)) + 1
    if number > MOST:
        cure = "name who speaks, not the segments"
        raise FormatError(source, f"{number:,} speakers, more than {MOST:,} to map", cure)
    return turns


def _collars(segments: Turns, size: int) -> IntArray:
    """Where the times about the edges of segments that are not scored begin and end."""
    edges = np.concatenate((segments.start, segments.end)) if size else np.empty(0, np.int64)
    return np.stack((edges - size, edges + size))


def _errors(
    scored: Meetings, together: IntArray, of_all: IntArray
) -> tuple[int, int, int, int, int]:
    """Speech, missed, false alarm, confusion, and the confusion of md-eval's mapping."""
    ours, theirs = scored.voices
    speech, missed, false_alarm, pairs = (
        int((scored.length * voices).sum())
        for voices in (
            theirs,
            np.maximum(theirs - ours, 0),
            np.maximum(ours - theirs, 0),
            np.minimum(ours, theirs),
        )
    )
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


def _frames(ours: Turns, theirs: Turns, regions: IntArray | None) -> Meetings:
    """Who speaks in dscore's frames: a segment has those that begin in it."""
    spans = [ours.end, theirs.end] if regions is None else [regions[:, 1]]
    last = max(int(each.max(initial=0)) for each in spans) // FRAME

    def framed(times: IntArray) -> IntArray:
        return np.minimum(-(-times // FRAME), last)

    one, other = (
        replace(each, start=framed(each.start), end=framed(each.end)) for each in (ours, theirs)
    )
    inside = None if regions is None else framed(regions)
    return Meetings.from_turns(one, other, inside, np.empty((0, 0), np.int64))
