"""Normalisation: named, ordered rules that change words before they are compared.

A transform takes a word and gives the words it becomes: none, one or several. The rules here are
written for English. They are applied in the order of RULES, in whatever order they are named, so
that the same choice always has the same signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from caesura.align import normalization_rules as rules
from caesura.core.batch import offsets_of
from caesura.core.segmentation import (
    NO_BREAK,
    Document,
    IntArray,
    Segmentation,
    Track,
    WordNames,
    Written,
    spoken_lengths,
)
from caesura.errors import FormatError, UnknownNameError, UsageError

Transform = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A transform with a name, which appears in the signature, and one line about it."""

    name: str
    about: str
    function: Transform

    def __call__(self, word: str) -> Iterable[str]:
        """What a word becomes."""
        return self.function(word)


@dataclass(frozen=True, slots=True)
class NormalCounts:
    """The numbers of words before and after, and of boundaries merged and lost."""

    words_before: int
    words_after: int
    merged: int
    lost: int


@dataclass(frozen=True, slots=True)
class Normalizer:
    """Transforms applied in turn, each to all words that the one before returned.

    A transform may be any function that takes a word and gives words; a string it gives is split
    at white space.
    """

    steps: tuple[Transform, ...] = ()

    @property
    def signature(self) -> str:
        """The names of the transforms in the order in which they are applied, joined by +."""
        return "+".join(map(_name, self.steps)) or "none"

    def __call__(self, word: str) -> tuple[str, ...]:
        """What a word becomes."""
        words = [word]
        for step in self.steps:
            words = [part for word in words for part in _parts(step, word)]
        return tuple(words)

    def _inside(self, piece: str) -> tuple[str, ...]:
        """What a piece of several words becomes: still one, unless no word is left."""
        words = (part for word in piece.split(NO_BREAK) for part in self(word))
        return tuple(filter(None, [NO_BREAK.join(words)]))

    def apply(self, document: Document, *, streams: str = "") -> Document:
        """The document with its words normalised and its boundaries, times and labels moved."""
        return self.count(document, streams=streams)[0]

    def count(self, document: Document, *, streams: str = "") -> tuple[Document, NormalCounts]:
        """Normalise a document, and say how many boundaries were merged and lost.

        A boundary after a word that is dropped goes to the last word before it that is not, with
        `streams` (`speaker` or `channel`) to the last of the same stream; one that has none
        before it is lost; two that land together count once, with the first's mark. A document
        without words comes back as it is.
        """
        length = document.segmentation.length
        if not self.steps:
            return document, NormalCounts(length, length, 0, 0)
        words = document.words
        change = self._inside if document.is_verbatim else self
        becomes = {word: change(word) for word in dict.fromkeys(words)}
        if all(parts == (word,) for word, parts in becomes.items()):
            return document, NormalCounts(length, length, 0, 0)
        joined = {word: " ".join(parts) for word, parts in becomes.items()}
        text = " ".join(filter(None, map(joined.__getitem__, words)))
        if not text:
            raise FormatError(
                document.source,
                f"no words are left after normalisation ({self.signature})",
                "drop a rule, or the document",
            )
        labels = document.track.labels(streams) if streams else None
        return _moved(document, text, _layout(words, becomes), labels)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the new words come from.

    `offsets` holds how many new words stand before each old one, and before the end. For each new
    word, `origin` is the old word it is part of, and `before`, `after` and `total` are the
    letters and digits of that word's parts before its beginning, before its end, and in all.
    """

    offsets: IntArray
    origin: IntArray
    before: IntArray
    after: IntArray
    total: IntArray


def _layout(words: Sequence[str], becomes: dict[str, tuple[str, ...]]) -> Layout:
    number = {word: code for code, word in enumerate(becomes)}
    codes = np.fromiter(map(number.__getitem__, words), np.int64, len(words))
    parts = np.fromiter(map(len, becomes.values()), np.int64, len(becomes))
    # Of all distinct words, one after the other: their parts, and the letters and digits of these.
    first = offsets_of(parts)
    ends = offsets_of(spoken_lengths(" ".join(chain.from_iterable(becomes.values()))))
    offsets = offsets_of(parts[codes])
    origin = np.repeat(np.arange(len(words)), np.diff(offsets))
    code = codes[origin]
    part = first[code] + np.arange(origin.size) - offsets[origin]
    begin, end = ends[first[code]], ends[first[code + 1]]
    return Layout(offsets, origin, ends[part] - begin, ends[part + 1] - begin, end - begin)


def _moved(
    document: Document, text: str, layout: Layout, streams: WordNames | None
) -> tuple[Document, NormalCounts]:
    """The document with other words, and its boundaries, lines, times and labels moved to them."""
    old, offsets = document.segmentation, layout.offsets
    landing = _landing(offsets, streams)[old.boundaries]
    has_landed = landing >= 0
    marks = None if old.marks is None else old.marks[has_landed]
    new = Segmentation.from_positions(landing[has_landed], int(offsets[-1]), marks)
    lost = int((~has_landed).sum())
    merged = landing.size - lost - np.unique(landing[has_landed]).size
    lines, before = document.line_starts, document.written
    if before is None:
        written = Written(document.raw or document.text or "", offsets)
    else:  # normalised a second time
        written = Written(before.raw, offsets[before.offsets])
    moved = replace(
        document,
        segmentation=new,
        text=text,
        line_starts=None if lines is None else offsets[lines],
        raw=None,
        track=_track(document.track, layout),
        written=written,
    )
    return moved, NormalCounts(old.length, new.length, merged, lost)


def _landing(offsets: IntArray, streams: WordNames | None) -> IntArray:
    """For each old word, the last new word up to its end, or -1; of its own stream, if given.

    The words are sorted by stream and each stream is lifted above the ones before it, so that one
    running maximum serves all.
    """
    last = offsets[1:] - 1
    if streams is None:
        return last
    order = np.argsort(streams.codes, kind="stable")
    lift = (streams.codes[order] - WordNames.NOBODY) * offsets[-1]
    has_parts = np.diff(offsets)[order] > 0
    nearest = np.maximum.accumulate(np.where(has_parts, last[order] + lift, -1)) - lift
    landing = np.empty_like(last)
    landing[order] = np.maximum(nearest, -1)
    return landing


def _track(track: Track, layout: Layout) -> Track:
    start, end = _times(track, layout)
    speaker, channel = (
        None if labels is None else labels.some(layout.origin)
        for labels in (track.speaker, track.channel)
    )
    interpolated = np.diff(layout.offsets)[layout.origin] > 1
    if track.interpolated is not None:
        interpolated |= track.interpolated[layout.origin]
    is_timed = (start is not None or end is not None) and interpolated.any()
    shared = interpolated if is_timed else None
    return Track(start, end, speaker, channel, track.edges, interpolated=shared)


def _times(track: Track, layout: Layout) -> tuple[IntArray | None, IntArray | None]:
    """Spread the parts of a word over its time, in proportion to their letters and digits.

    Where a word lacks one of its times the other is that of its first or last part.
    """
    if track.start is None and track.end is None:
        return None, None
    unknown = np.full(int(layout.origin[-1]) + 1, Track.UNKNOWN)
    start, end = (
        (unknown if times is None else times)[layout.origin] for times in (track.start, track.end)
    )
    timed = (start != Track.UNKNOWN) & (end != Track.UNKNOWN)
    span = np.where(timed, end - start, 0)
    begins = start + span * layout.before // layout.total
    finishes = np.where(timed, start + span * layout.after // layout.total, end)
    begins[~timed & (layout.before > 0)] = Track.UNKNOWN
    finishes[~timed & (layout.after < layout.total)] = Track.UNKNOWN
    return None if track.start is None else begins, None if track.end is None else finishes


def _name(step: Transform) -> str:
    return str(getattr(step, "name", None) or getattr(step, "__name__", type(step).__name__))


def _parts(step: Transform, word: str) -> Sequence[str]:
    words = step(word)
    if words == (word,):
        return words
    try:
        return (words if isinstance(words, str) else " ".join(words)).split()
    except TypeError:
        problem = f"{_name(step)} gave {words!r} for '{word}'"
        raise UsageError(f"{problem}; a transform must return words") from None


RULES = {
    rule.name: rule
    for rule in (
        Rule("nonwords", "drop what is in angle brackets: <unk>, <laugh>", rules.nonwords),
        Rule("fragments", "drop words that are cut off: the-", rules.fragments),
        Rule("accents", "remove accents: résumé is resume", rules.accents),
        Rule("years", "read 1984 as nineteen eighty four, 2015 as twenty fifteen", rules.years),
        Rule("digits", "read each digit by itself: 747 is seven four seven", rules.digits),
        Rule("numbers", "read digits, %, money and ordinals: 21st is twenty first", rules.numbers),
        Rule("hyphens", "split words at hyphens: long-term is long term", rules.hyphens),
        Rule(
            "contractions", "split contractions: we're is we are, it's is it 's", rules.contractions
        ),
        Rule("apostrophes", "remove apostrophes: o'clock is oclock", rules.apostrophes),
        Rule("fillers", "drop fillers: uh, um, hmm, mhm, uh-huh", rules.fillers),
    )
}


def compose(names: Iterable[str]) -> Normalizer:
    """Combine rules by their names; a string is read as the signature writes it.

    >>> compose(["fillers", "numbers"]).signature
    'numbers+fillers'
    >>> compose("numbers+fillers")("$20")
    ('twenty', 'dollars')
    """
    chosen = set(names.split("+") if isinstance(names, str) else names)
    for name in sorted(chosen - RULES.keys()):
        raise UnknownNameError("normalisation rule", name, RULES)
    if {"digits", "numbers"} <= chosen:
        raise UsageError("the rules digits and numbers both read digits; choose one of them")
    return Normalizer(tuple(rule for name, rule in RULES.items() if name in chosen))
