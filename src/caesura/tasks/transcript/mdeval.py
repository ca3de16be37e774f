"""SU scoring of RTTM files as NIST's md-eval does it: words aligned in time, stretches to score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caesura.core.channels import Lane, Spans
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError
from caesura.matching.paths import BandPairs, bands, best_path
from caesura.measures.su import SuCounts
from caesura.measures.su_units import SuUnits, mapped_units, type_codes

UNANNOTATED = "unannotated"
GAP = 1_000_000
_WHOLE = re.compile(r"mm-hmm|uh-huh|um-hmm")
_HYPHEN = re.compile(r"(?<=.)-(?=.)")
_LOOSE = ("fp", "frag")
_WORD_CLASSES = (*_LOOSE, "un-lex", "for-lex")
Times = npt.NDArray[np.float64] | IntArray


def md_eval(
    candidate: Sequence[Lane],
    reference: Sequence[Lane],
    stretches: Mapping[tuple[str, str], Sequence[tuple[int, int]]] | None = None,
    *,
    tolerance: int = 2,
    gap: int = GAP,
) -> SuCounts:
    """Count as `md-eval -W -w -t GAP -l TOLERANCE -u STRETCHES` does; `gap` is microseconds.

    Without stretches a recording is scored from its first object to its last.
    """
    ours = {(lane.recording, lane.channel): lane for lane in candidate}
    total = SuCounts.zero()
    for lane in reference:
        place = lane.recording, lane.channel
        if not len(lane.units):
            continue
        if place not in ours or not len(ours[place].words) or not len(lane.words):
            whose = "here" if not len(lane.words) else "in the system's output"
            problem = f"an SU on channel {lane.channel} of {lane.recording} without words {whose}"
            raise FormatError(lane.source, problem, "give LEXEME lines for both", line=lane.line)
        scored = _without((stretches or {}).get(place) or [lane.extent], lane.unscored)
        total += _count_lane(ours[place], lane, scored, tolerance, gap)
    return total


def _count_lane(
    ours: Lane, theirs: Lane, scored: list[tuple[int, int]], tolerance: int, gap: int
) -> SuCounts:
    """Count one channel; units that are silent, or outside what is scored, do not count."""
    words = _standard(theirs.words)
    time = _Clock.from_words(ours.units, _standard(ours.words), theirs.units, words, gap)
    start, end = time.at(ours.units.start), time.at(ours.units.end)
    placed = _on_words(words, start, end, ours.units.kinds)
    inside = np.flatnonzero(_within(theirs.units, scored))
    on, off = theirs.units.start[inside], theirs.units.end[inside]
    wanted = _on_words(words, on, off, [theirs.units.kinds[j] for j in inside.tolist()])
    mapped = mapped_units(placed, wanted, tolerance)
    silent = wanted.types == UNANNOTATED  # (units of the reference,)
    # (units of the candidate,) those that nothing is paired with, and those that do not count
    free = np.ones(start.size, dtype=np.bool_)
    free[mapped[mapped >= 0]] = False
    gone = free & ~_within(ours.units, scored)
    for low, high in zip(on[silent].tolist(), off[silent].tolist(), strict=True):
        gone |= free & (start + end >= 2 * low) & (start + end <= 2 * high)
    gone[mapped[silent & (mapped >= 0)]] = True
    # the numbers of the units that are left, and -1 at the end, for units that have no partner
    number = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)
    return count_units(placed.some(~gone), wanted.some(~silent), number[mapped[~silent]])


def _without(stretches: Sequence[tuple[int, int]], holes: Spans) -> list[tuple[int, int]]:
    """What is left of stretches of time."""
    left = sorted(stretches)
    for low, high in zip(holes.start.tolist(), holes.end.tolist(), strict=True):
        if high > low:
            cut = [((a, min(b, low)), (max(a, high), b)) for a, b in left]
            left = [part for parts in cut for part in parts if part[0] < part[1]]
    return left


def _within(spans: Spans, stretches: list[tuple[int, int]]) -> BoolArray:
    """Which spans lie in one stretch as a whole."""
    low, high = (
        np.array(each, dtype=np.int64) for each in zip(*(stretches or [(0, -1)]), strict=True)
    )
    at = np.searchsorted(low, spans.start, side="right") - 1
    inside: BoolArray = (at >= 0) & (spans.end <= high[at])
    return inside


def _on_words(words: Spans, start: Times, end: Times, types: list[str]) -> SuUnits:
    """Units by the words whose midpoints they contain."""
    first = np.searchsorted(words.middle, 2 * start)
    last = np.searchsorted(words.middle, 2 * end, side="right") - 1
    return SuUnits(first, last, np.array(types, dtype=np.str_))


def _standard(words: Spans) -> Spans:
    """Words in lower case, split at hyphens, sharing their time."""
    names = [name.lower() for name in words.names]
    parts = [[name] if _WHOLE.fullmatch(name) else _HYPHEN.split(name) for name in names]
    # (words,) how many parts each has; (parts,) the word of each, and which of its parts it is
    counts = np.array([len(each) for each in parts], dtype=np.int64)
    which = np.repeat(np.arange(counts.size), counts)
    nth = np.arange(which.size) - (np.cumsum(counts) - counts)[which]
    on, width, share = words.start[which], (words.end - words.start)[which], counts[which]
    kinds = [
        words.kinds[at] if words.kinds[at] in _WORD_CLASSES else "lex" for at in which.tolist()
    ]
    start, end = on + width * nth // share, on + width * (nth + 1) // share
    return Spans(start, end, [part for each in parts for part in each], kinds)


@dataclass(frozen=True, slots=True, eq=False)
class _Clock:
    """Maps the candidate's times to the reference's, through the aligned words.

    Both sides are the starts and the ends of the aligned words, of shape (pairs,), in order.
    """

    ours: tuple[IntArray, IntArray]
    theirs: tuple[IntArray, IntArray]

    @classmethod
    def from_words(
        cls, our_units: Spans, ours: Spans, their_units: Spans, theirs: Spans, gap: int
    ) -> _Clock:
        """Align words by edit distance; only words less than `gap` apart can be aligned.

        Of alignments that are as good, the one is taken in which most ends of units meet.
        """
        pairs = BandPairs.from_bands(
            *bands(theirs.start - gap + 1, theirs.end + gap - 1, ours.start, ours.end)
        )
        gains = _word_gains(
            pairs, (ours, _tags(ours, our_units)), (theirs, _tags(theirs, their_units))
        )
        apart = np.maximum(ours.start[pairs.right], theirs.start[pairs.left]) - np.minimum(
            ours.end[pairs.right], theirs.end[pairs.left]
        )
        allowed = [
            None if far else gain
            for gain, far in zip(gains.tolist(), (apart >= gap).tolist(), strict=True)
        ]
        found = best_path(pairs, allowed, _prices(theirs), _prices(ours))
        left, right = np.array(found, dtype=np.int64).reshape(-1, 2).T
        return cls((ours.start[right], ours.end[right]), (theirs.start[left], theirs.end[left]))

    def at(self, times: IntArray) -> Times:
        """The moments in the reference, between the nearest aligned words on both sides.

        The slow twin is `slow_time` of tests/measures/test_su.py.
        """
        (start, end), (their_start, their_end) = self.ours, self.theirs
        if not start.size:
            return times.astype(np.float64)
        # (times,) the first word that ends at or after each, and the last that begins before
        after = np.searchsorted(np.maximum.accumulate(end), times)
        before = np.searchsorted(np.minimum.accumulate(start[::-1])[::-1], times, side="right") - 1
        before = np.minimum(before, after)
        right, left = np.minimum(after, start.size - 1), np.maximum(before, 0)
        late, early = start[right] < times, end[left] > times  # inside a word
        # (times,) the nearest edges of words on both sides, ours and what they are in the reference
        high = np.where(late, end[right], start[right])
        above = np.where(late, their_end[right], their_start[right])
        low = np.where(early, start[left], end[left])
        below = np.where(early, their_start[left], their_end[left])
        slope = (above - below) / np.where(high > low, high - low, 1)
        between = np.where(times == low, below, below + (times - low) * slope)
        between = np.where(times == high, above, between)
        outside = np.where(before < 0, above + times - high, below + times - low)
        return np.where((before < 0) | (after >= start.size), outside, between)


def _tags(words: Spans, units: Spans) -> list[str]:
    """For each word the type of the unit that it ends, if it does."""
    tags = [""] * len(words)
    last = np.searchsorted(words.middle, 2 * units.end, side="right") - 1
    for at, kind in zip(last.tolist(), units.kinds, strict=True):
        if at >= 0:
            tags[at] = kind
    return tags


def _prices(words: Spans) -> list[int]:
    return [-1000 if kind == "lex" else -200 for kind in words.kinds]


def _word_gains(
    pairs: BandPairs, ours: tuple[Spans, list[str]], theirs: tuple[Spans, list[str]]
) -> IntArray:
    """What it is worth to align words, in thousandths; the same types of units are a bonus.

    All arrays have shape (pairs,), in the order of `pairs`. The slow twin is `word_worth` of
    tests/measures/test_su.py.
    """
    (name, other_name), (kind, other_kind), (tag, other_tag) = (
        _coded(pairs, *each)
        for each in (
            (theirs[0].names, ours[0].names),
            (theirs[0].kinds, ours[0].kinds),
            (theirs[1], ours[1]),
        )
    )
    alike = kind == other_kind
    plain = np.array([each == "lex" for each in theirs[0].kinds], dtype=np.bool_)[pairs.left]
    loose = np.array([each in _LOOSE for each in theirs[0].kinds], dtype=np.bool_)[pairs.left]
    same = alike & ((name == other_name) | loose)
    for at in np.flatnonzero(~alike).tolist():
        left, right = int(pairs.left[at]), int(pairs.right[at])
        kinds = theirs[0].kinds[left], ours[0].kinds[right]
        same[at] = _is_fragment(theirs[0].names[left], ours[0].names[right], kinds)
    ends = (tag > 0) & (other_tag > 0)
    bonus = np.where(ends, np.where(tag == other_tag, 20, 10), 0)
    gains: IntArray = bonus - np.where(same, 0, np.where(alike & ~plain, 100, 1000))
    return gains


def _coded(pairs: BandPairs, theirs: list[str], ours: list[str]) -> tuple[IntArray, IntArray]:
    """Numbers for the names of both sides of each pair; 0 for none."""
    names = {name: code for code, name in enumerate(dict.fromkeys(["", *theirs, *ours]))}
    left, right = (
        np.fromiter(map(names.__getitem__, each), np.int64, len(each)) for each in (theirs, ours)
    )
    return left[pairs.left], right[pairs.right]


def _is_fragment(name: str, other: str, kinds: tuple[str, str]) -> bool:
    """Whether one word is a fragment of the other."""
    if set(kinds) != {"lex", "frag"}:
        return False
    part, whole = (name, other) if kinds[0] == "frag" else (other, name)
    part = part.strip("-")
    return bool(part) and part in whole


def count_units(candidate: SuUnits, reference: SuUnits, mapped: IntArray) -> SuCounts:
    """Count; `mapped` holds for each unit of the reference the candidate's one, or -1."""
    met, used = np.flatnonzero(mapped >= 0), mapped[mapped >= 0]
    types, our_types = type_codes(reference.types, candidate.types)
    wanted, placed = np.maximum(reference.last, 0), np.maximum(candidate.last, 0)
    kinds = int(max(types.max(initial=0), our_types.max(initial=0))) + 1
    both = _common(wanted, placed[used])
    right = _common(wanted[met] * kinds + types[met], placed[used] * kinds + our_types[used])
    return SuCounts(
        reference=wanted.size,
        exact_deletions=wanted.size - both,
        exact_insertions=placed.size - both,
        exact_substitutions=both - right,
        deletions=wanted.size - met.size,
        insertions=placed.size - met.size,
        substitutions=int(np.count_nonzero(our_types[used] != types[met])),
    )


def _common(a: IntArray, b: IntArray) -> int:
    """How many values two arrays share, each as often as both have it."""
    (ones, many), (others, more) = (np.unique(each, return_counts=True) for each in (a, b))
    _, here, there = np.intersect1d(ones, others, assume_unique=True, return_indices=True)
    return int(np.minimum(many[here], more[there]).sum())
