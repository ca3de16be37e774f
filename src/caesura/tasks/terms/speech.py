"""Speech: discovered intervals transcribed by gold phones, ready to be counted."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
import numpy.typing as npt

from caesura.core.byte_cells import FloatArray, mixed
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.timed_intervals import Clusters, Intervals
from caesura.errors import FormatError, option

Codes = npt.NDArray[np.uint64]
SILENCES = ("SIL", "SPN")
_BASE = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Gold:
    """Gold phones and words of the same recordings."""

    phones: Intervals
    words: Intervals

    @classmethod
    def from_intervals(cls, phones: Intervals, words: Intervals, source: str) -> Gold:
        """Put phones and words together; words of silence are left out."""
        spoken = words.without("SIL")
        known = {name: index for index, name in enumerate(phones.files)}
        missing = [name for name in spoken.files if name not in known]
        if missing:
            raise FormatError(source, f"'{missing[0]}' has words but no phones", "add its phones")
        if len(spoken) > len(phones):
            problem = f"{len(spoken):,} words, but only {len(phones):,} phones"
            cure = f"give phones with {option('phones')} and words with {option('words')}"
            raise FormatError(source, problem, f"{cure}: they may be swapped")
        file = np.array([known[name] for name in spoken.files], dtype=np.int64)[spoken.file]
        order = np.argsort(file, kind="stable")
        moved = (file[order], spoken.on[order], spoken.off[order], spoken.label[order])
        return cls(phones, Intervals(phones.files, spoken.labels, *moved))

    @cached_property
    def spelled(self) -> PhoneSpans:
        """For each word, all phones that it overlaps."""
        words = Fragments(self.words.file, self.words.on, self.words.off)
        return PhoneSpans(self.phones, *covered(self.phones, words))

    @cached_property
    def opens(self) -> BoolArray:
        """Which phones begin where a word begins."""
        phone, found = self.spelled.low, self.spelled.high > self.spelled.low
        return self._marked(phone[found], self.phones.on, self.words.on[found])

    @cached_property
    def closes(self) -> BoolArray:
        """Which phones end where a word ends."""
        phone, found = self.spelled.high - 1, self.spelled.high > self.spelled.low
        return self._marked(phone[found], self.phones.off, self.words.off[found])

    def _marked(self, phone: IntArray, theirs: FloatArray, own: FloatArray) -> BoolArray:
        marks = np.zeros(len(self.phones), dtype=np.bool_)
        marks[phone[theirs[phone] == own]] = True
        return marks

    @cached_property
    def is_silent(self) -> BoolArray:
        """Which phones are silence."""
        silent = [index for index, name in enumerate(self.phones.labels) if name in SILENCES]
        return np.isin(self.phones.label, silent)


@dataclass(frozen=True)
class PhoneSpans:
    """Stretches of phones, from `low` up to `high`."""

    phones: Intervals
    low: IntArray
    high: IntArray

    def some(self, which: IntArray) -> PhoneSpans:
        """Some of the stretches."""
        return PhoneSpans(self.phones, self.low[which], self.high[which])

    @cached_property
    def types(self) -> Codes:
        """A number for each stretch, equal where the labels are."""
        return self._codes(mixed(self.phones.label.astype(np.uint64)))

    @cached_property
    def tokens(self) -> Codes:
        """A number for each stretch, equal where the labels and all times are."""
        codes = self.phones.label.astype(np.uint64)
        for times in (self.phones.on, self.phones.off):
            codes = mixed(codes ^ mixed((times + 0.0).view(np.uint64)))
        return self._codes(codes)

    def _codes(self, values: Codes) -> Codes:
        """A number for each stretch that depends on its values alone: a hash of 64 bits.

        It is a polynomial of the values, modulo 2^64, from sums over all phones before: .06 s for a
        million stretches, where a dict of their bytes takes .8 s. The chance that two of a million
        different stretches get the same number is about 3 in 10^8. The slow twins, without
        hashes, are those of tests/support/reference_terms.py.
        """
        # Σ value(p) · base^p over a stretch, divided by base^low: its place does not matter.
        powers = np.cumprod(np.full(values.size, _BASE, dtype=np.uint64))
        inverse = np.full(values.size + 1, pow(_BASE, -1, 2**64), dtype=np.uint64)
        inverse[0] = 1
        sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(values * powers)))
        size = (self.high - self.low).astype(np.uint64)
        return mixed((sums[self.high] - sums[self.low]) * np.cumprod(inverse)[self.low] ^ size)

    def text(self, index: int, left_out: int) -> str:
        """The labels of a stretch, one character each, without one of them."""
        labels = self.phones.label[self.low[index] : self.high[index]].tolist()
        return "".join(chr(0x10000 + label) for label in labels if label != left_out)


@dataclass(frozen=True)
class Fragments:
    """Intervals in recordings."""

    file: IntArray
    on: FloatArray
    off: FloatArray

    def some(self, which: IntArray) -> Fragments:
        """Some of the intervals."""
        return Fragments(self.file[which], self.on[which], self.off[which])

    def distinct(self, *also: IntArray) -> IntArray:
        """The numbers of intervals of which each is there once, in each of some other respects."""
        arrays = (*also, self.file, self.on, self.off)
        order = np.lexsort(arrays[::-1])
        differs = np.any([np.diff(array[order]) != 0 for array in arrays], axis=0)
        return order[np.concatenate(([True], differs))[: order.size]]


@dataclass(frozen=True)
class Discovered:
    """Discovered intervals with their clusters and the phones they cover, some maybe none."""

    gold: Gold
    cluster: IntArray
    fragments: Fragments
    spans: PhoneSpans

    @classmethod
    def from_clusters(cls, clusters: Clusters, gold: Gold) -> Discovered:
        """Transcribe every interval by the phones that it covers."""
        fragments = Fragments(_file_numbers(clusters, gold), clusters.on, clusters.off)
        low, high = transcribed(gold.phones, fragments)
        return cls(gold, clusters.cluster, fragments, PhoneSpans(gold.phones, low, high))

    def some(self, which: IntArray) -> Discovered:
        """Some of the intervals."""
        parts = self.cluster[which], self.fragments.some(which), self.spans.some(which)
        return Discovered(self.gold, *parts)

    @cached_property
    def transcribed(self) -> Discovered:
        """The intervals that cover any phone."""
        return self.some(np.flatnonzero(self.spans.high > self.spans.low))

    @cached_property
    def unique(self) -> Discovered:
        """Every interval once, in whatever clusters it is."""
        return self.some(self.fragments.distinct())


def covered(phones: Intervals, fragments: Fragments) -> tuple[IntArray, IntArray]:
    """The phones that begin before an interval ends and end after it begins."""
    file, on, off = fragments.file, fragments.on, fragments.off
    low, high = np.zeros((2, file.size), dtype=np.int64)
    edges = np.searchsorted(phones.file, np.arange(len(phones.files) + 1))
    order = np.argsort(file, kind="stable")
    bounds = np.searchsorted(file[order], np.arange(len(phones.files) + 1))
    for number in np.flatnonzero(np.diff(bounds)).tolist():
        which = order[bounds[number] : bounds[number + 1]]
        here = slice(int(edges[number]), int(edges[number + 1]))
        low[which] = here.start + np.searchsorted(phones.off[here], on[which], side="right")
        high[which] = here.start + np.searchsorted(phones.on[here], off[which], side="left")
    return low, np.maximum(low, high)


def transcribed(phones: Intervals, fragments: Fragments) -> tuple[IntArray, IntArray]:
    """The covered phones, without a first or last one of which too little is covered."""
    low, high = covered(phones, fragments)
    some = np.flatnonzero(high > low)
    first, last = low[some], high[some] - 1
    keeps_first, keeps_last = (
        _is_found(phones, at, fragments.on[some], fragments.off[some]) for at in (first, last)
    )
    low[some] += ~keeps_first
    high[some] -= ~keeps_last & (last > first)
    return low, high


def _is_found(phones: Intervals, phone: IntArray, on: FloatArray, off: FloatArray) -> BoolArray:
    """Whether an interval covers 30 ms of a phone, or half of one shorter than 60 ms.

    The rounding is the published tool's: Python's of the duration, NumPy's of the overlap.
    """
    begin, end = phones.on[phone], phones.off[phone]
    duration = end - begin
    overlap = np.minimum(off, end) - np.maximum(on, begin)
    is_long = duration >= _rounds_up_from("0.0595")
    return np.where(is_long, np.round(overlap, 3) >= 0.030, overlap / duration >= 0.5)


def _rounds_up_from(half: str) -> float:
    """The smallest number that Python rounds up, of those near a half that no float hits."""
    near = float(half)
    return near if Decimal(near) > Decimal(half) else float(np.nextafter(near, np.inf))


def _file_numbers(clusters: Clusters, gold: Gold) -> IntArray:
    known = {name: index for index, name in enumerate(gold.phones.files)}
    numbers = np.array([known.get(name, -1) for name in clusters.files], dtype=np.int64)
    file = numbers[clusters.file] if len(clusters) else clusters.file
    unknown = np.flatnonzero(file < 0)
    if unknown.size:
        at = int(unknown[0])
        raise FormatError(
            clusters.source,
            f"the recording '{clusters.files[clusters.file[at]]}' is not in the gold",
            "use the names in the gold",
            line=int(clusters.line[at]),
        )
    return file
