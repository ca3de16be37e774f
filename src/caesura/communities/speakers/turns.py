"""Who speaks when: the segments of a document in time, cut to the regions to score."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from caesura.core.arrays import sorted_distinct, stretched
from caesura.core.segmentation import BoolArray, Document, IntArray, Track, WordNames
from caesura.errors import TimesError


@dataclass(frozen=True, slots=True, eq=False)
class Turns:
    """Segments of a recording that may overlap, sorted by their times, with who speaks."""

    start: IntArray
    end: IntArray
    speaker: IntArray

    @classmethod
    def from_document(cls, document: Document) -> Turns:
        """The units of a document: from when the first word begins to when the last one ends."""
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
        return cls(start, end, speaker).some(end > start).sorted()

    def some(self, which: BoolArray | IntArray) -> Turns:
        """Some of the segments."""
        return Turns(self.start[which], self.end[which], self.speaker[which])

    def sorted(self) -> Turns:
        """The same in order of their times."""
        return self.some(np.lexsort((self.speaker, self.end, self.start)))

    def within(self, regions: IntArray | None) -> Turns:
        """What of the segments lies in regions, which are in order and apart."""
        if regions is None:
            return self
        # (segments,) the first region that each meets, the first beyond, and how many it meets
        first = np.searchsorted(regions[:, 1], self.start, side="right")
        last = np.searchsorted(regions[:, 0], self.end, side="left")
        sizes = np.maximum(last - first, 0)
        which = np.repeat(np.arange(sizes.size), sizes)  # (parts,) the segment of each
        region = stretched(first, sizes)
        start = np.maximum(self.start[which], regions[region, 0])
        end = np.minimum(self.end[which], regions[region, 1])
        return Turns(start, end, self.speaker[which]).sorted()

    def voices(self, times: IntArray) -> IntArray:
        """How many segments there are right after some times."""
        begun = np.searchsorted(np.sort(self.start), times, side="right")
        ended = np.searchsorted(np.sort(self.end), times, side="right")
        return np.asarray(begun - ended)

    def filled(self, shortest: int) -> Turns:
        """Join what one speaker says with pauses shorter than `shortest`, or with none.

        Speakers are put one after another on one axis, far enough apart that nothing is joined
        across. A loop takes .15 s for 100,000 segments, this .01 s. The slow twin is `filled` of
        tests/support/reference_times.py.
        """
        order = np.lexsort((self.end, self.start, self.speaker))
        start, end, speaker = self.start[order], self.end[order], self.speaker[order]
        if not start.size:
            return self
        span = int(end.max()) + shortest + 1
        lift = np.unique(speaker, return_inverse=True)[1] * span  # (segments,) by speaker and time
        reach = np.maximum.accumulate(end + lift)  # how long anything so far lasts
        pause = (start + lift)[1:] - reach[:-1]
        anew = np.concatenate(([True], (pause > 0) & (pause >= shortest)))
        firsts = np.flatnonzero(anew)
        lasts = np.append(firsts[1:], anew.size) - 1
        joined = Turns(start[firsts], reach[lasts] - lift[lasts], speaker[firsts])
        return joined.sorted()

    @property
    def numbered(self) -> Turns:
        """The same with speakers numbered from 0 on."""
        return replace(self, speaker=np.unique(self.speaker, return_inverse=True)[1])


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Who speaks on either side in each piece of time; the edges of all segments make the pieces.

    The speakers of a piece follow each other, and so do pieces.
    """

    start: IntArray  # (pieces,) in order
    length: IntArray  # (pieces,) 0 where nothing counts
    sides: tuple[Turns, Turns]  # of the system and of the reference, cut at pieces
    sizes: tuple[int, int]  # the number of speakers of each

    @classmethod
    def from_turns(
        cls, ours: Turns, theirs: Turns, regions: IntArray | None, cuts: IntArray
    ) -> Meetings:
        """Cut the time of regions where a segment begins or ends, and at rows of further cuts.

        Speakers are numbered from 0 on, and no segments of one overlap.
        """
        times = [ours.start, ours.end, theirs.start, theirs.end, *cuts]
        edges = sorted_distinct(np.concatenate([*times, *([] if regions is None else regions)]))
        pieces = np.stack((edges[:-1], edges[1:]), axis=1)
        if regions is not None:
            inside = Turns(regions[:, 0], regions[:, 1], regions[:, 0])
            pieces = pieces[inside.voices(pieces[:, 0]) > 0]
        sides = ours.within(pieces), theirs.within(pieces)
        one, other = (int(each.speaker.max(initial=-1)) + 1 for each in (ours, theirs))
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
            _sums(each.speaker, self.length[self._pieces(each)], size)
            for each, size in zip(self.sides, self.sizes, strict=True)
        )
        return ours, theirs

    @property
    def together(self) -> IntArray:
        """How long speakers of the reference (rows) and of the system (columns) speak at once."""
        ours, theirs = self.sides
        first, last = (
            np.searchsorted(ours.start, theirs.start, side=side) for side in ("left", "right")
        )
        pairs = np.repeat(theirs.speaker * self.sizes[0], last - first)
        pairs += ours.speaker[stretched(first, last - first)]
        times = np.repeat(self.length[self._pieces(theirs)], last - first)
        return _sums(pairs, times, self.sizes[0] * self.sizes[1]).reshape(self.sizes[::-1])

    def _pieces(self, side: Turns) -> IntArray:
        """The piece of each cut segment."""
        return np.searchsorted(self.start, side.start)


def _sums(where: IntArray, values: IntArray, size: int) -> IntArray:
    """The sums of values by place; floats hold them exactly up to 285 years of microseconds."""
    return np.bincount(where, weights=values, minlength=size).astype(np.int64)
