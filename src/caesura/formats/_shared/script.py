"""Script: the contents of a file, piece by piece. Timed formats are read into and written from it.

A piece is the smallest part of the format: a word, or a whole subtitle or utterance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from caesura.core.format import AxisName
from caesura.core.segmentation import (
    BoolArray,
    FloatArray,
    IntArray,
    ScoreArray,
    ScriptUnits,
    Segmentation,
    Track,
)
from caesura.errors import FormatError
from caesura.formats._shared.clock_times import seconds

SILENCE = "∅"
"""An interval without a label, where each is a word."""
UNKNOWN = Track.UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """The pieces of one recording in order.

    `ends` says after which pieces a unit ends (None: the format does not say) and `types` of
    what type that unit is (`statement`, `?`; empty where unknown). Times are microseconds,
    UNKNOWN where there is none; speakers and channels are empty where there is none. `lines` are
    the pieces' lines in the source, counted from 1; `signs` what the reader noticed, as a
    document's. With `is_verbatim`, each piece is one word, compared as it is written: punctuation
    too, and upper and lower case. In a file that holds several versions of a recording, `version`
    says which it is. A format without words has no pieces, but a `segmentation`. `layouts` are the
    texts with the ends of their lines, if the format has lines. `confidence` is nan where unknown.
    The pieces of a tier (`is_tier`) are intervals, one after another, also those without words. A
    script of segments that have times but no words has none (`has_words`). `units` is how DISRPT's
    script reads it. Pieces of a signal are labelled intervals on its `axis`, in microseconds or
    samples, and `extent` is its length where that is known; labels stand in the place of speakers.
    `scores` say how likely a unit ends after each piece; nan where there is none. `interpolated`
    are the pieces whose times are a share of a longer one's.
    """

    texts: Sequence[str]
    start: IntArray | None = None
    end: IntArray | None = None
    ends: BoolArray | None = None
    types: Sequence[str] | None = None
    speakers: Sequence[str] | None = None
    channels: Sequence[str] | None = None
    lines: IntArray | None = None
    layouts: Sequence[str] | None = None
    confidence: FloatArray | None = None
    form: str = ""
    source: str = "<string>"
    recording: str = ""
    version: str = ""
    segmentation: Segmentation | None = None
    signs: Mapping[str, int] = field(default_factory=dict)
    is_verbatim: bool = False
    is_tier: bool = False
    has_words: bool = True
    units: ScriptUnits | None = None
    axis: AxisName = "words"
    extent: int = 0
    scores: ScoreArray | None = None
    interpolated: BoolArray | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def label(self) -> str:
        """What it is called in its file: `RECORDING`, or `VERSION/RECORDING`."""
        return f"{self.version}/{self.recording}" if self.version else self.recording

    def filled(self) -> Script:
        """The script without the intervals of a tier that hold nothing, unless all do."""
        full = [index for index, text in enumerate(self.texts) if text.strip()]
        return self.some(full) if self.is_tier and full else self

    def some(self, which: Sequence[int] | IntArray) -> Script:
        """Some of the pieces, in the order given."""
        at = np.asarray(which, dtype=np.int64)
        if at.size and (np.diff(at) == 1).all():
            return self.part(int(at[0]), int(at[-1]) + 1)
        chosen = at.tolist()
        return self._each(lambda values: [values[index] for index in chosen], at)

    def part(self, start: int, stop: int) -> Script:
        """The pieces between two places."""
        where = slice(start, stop)
        return self._each(lambda values: values[where], where)

    def _each(self, taken: Callable[[Sequence[str]], Sequence[str]], where: Any) -> Script:
        """A copy with what `taken` takes from each list, and with each array at `where`."""
        texts, types, speakers, channels, layouts = (
            None if values is None else taken(values)
            for values in (self.texts, self.types, self.speakers, self.channels, self.layouts)
        )
        start, end, ends, lines, confidence, scores, interpolated = (
            None if values is None else values[where]
            for values in (
                self.start,
                self.end,
                self.ends,
                self.lines,
                self.confidence,
                self.scores,
                self.interpolated,
            )
        )
        return replace(
            self,
            texts=texts or [],
            start=start,
            end=end,
            ends=ends,
            types=types,
            speakers=speakers,
            channels=channels,
            lines=lines,
            layouts=layouts,
            confidence=confidence,
            scores=scores,
            interpolated=interpolated,
        )

    def in_order(self) -> Script:
        """The script with its pieces sorted by their starts, if every piece has one."""
        if self.start is None or (self.start == UNKNOWN).any() or (np.diff(self.start) >= 0).all():
            return self
        return self.some(np.argsort(self.start, kind="stable"))


def require_forward(script: Script) -> None:
    """Raise an error for the first piece that begins before 0 or ends before it begins."""
    if script.start is None or script.end is None:
        return
    told = script.start != UNKNOWN
    below = told & (script.start < 0)
    wrong = np.flatnonzero(below | (told & (script.end != UNKNOWN) & (script.end < script.start)))
    if wrong.size:
        at = int(wrong[0])
        raise FormatError(
            script.source,
            f"a piece that begins at {seconds(int(script.start[at]))} "
            f"and ends at {seconds(int(script.end[at]))}",
            "times must be 0 or more, and a piece must not end before it begins",
            line=None if script.lines is None else int(script.lines[at]),
        )
