"""Script: the contents of a file, piece by piece, from which timed formats are read and written.

A piece is the smallest part of the format: a word, or a whole subtitle or utterance. A script
becomes a document, its words and where units end; and a document becomes a script. Times
are whole microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np

from caesura.core.arrays import sorted_distinct
from caesura.core.byte_cells import Cells
from caesura.core.format import AxisName, Units
from caesura.core.line_breaks import BLOCK_END, BREAKS, LINE_END
from caesura.core.marks import MARKS
from caesura.core.segmentation import (
    NO_BREAK,
    BoolArray,
    Document,
    FloatArray,
    IntArray,
    MarkArray,
    ScoreArray,
    ScriptUnits,
    Segmentation,
    Track,
    WordNames,
    edges_of,
    spoken_lengths,
)
from caesura.core.unicode import normalized
from caesura.errors import FormatError, option
from caesura.formats.plain import Scan, broken, ends_sentence, laid_out, marks_of, scan, surfaces

SECOND = 1_000_000
LATEST = 10**9
"""The latest second that is accepted as a time: about thirty years."""


@dataclass(frozen=True, slots=True, eq=False)
class SpacedWords(Sequence[str]):
    """Words in UTF-8 with a space after each; none is empty or has white space in it.

    >>> import numpy as np
    >>> words = SpacedWords(b"it rained hard ", np.array([3, 10, 15]))
    >>> words[1], words[1:].text, list(words)
    ('rained', 'rained hard', ['it', 'rained', 'hard'])
    """

    data: bytes
    stops: IntArray  # (words,) where each word and its space end in the data
    start: int = 0
    """Where the first word begins."""

    @property
    def text(self) -> str:
        """The words, separated by one space."""
        stop = int(self.stops[-1]) - 1 if self.stops.size else self.start
        return self.data[self.start : stop].decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return self.stops.size

    def __iter__(self) -> Iterator[str]:
        return iter(self.text.split(" ") if self.stops.size else ())

    @overload
    def __getitem__(self, which: int) -> str: ...

    @overload
    def __getitem__(self, which: slice) -> SpacedWords: ...

    def __getitem__(self, which: int | slice) -> str | SpacedWords:
        """A word, or neighbouring words."""
        if isinstance(which, int):
            at = range(len(self))[which]
            return self[at : at + 1].text
        first, stop, _ = which.indices(len(self))
        start = int(self.stops[first - 1]) if first else self.start
        return SpacedWords(self.data, self.stops[first:stop], start)


LISTS = ("texts", "types", "speakers", "channels", "layouts")
ARRAYS = ("start", "end", "ends", "lines", "confidence", "scores", "interpolated")
"""What a script has for each of its pieces."""
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
        """Some of the pieces, in the order given; the arrays of neighbours are not copied."""
        at = np.asarray(which, dtype=np.int64)
        are_neighbours = at.size > 0 and bool((np.diff(at) == 1).all())
        where: Any = slice(int(at[0]), int(at[-1]) + 1) if are_neighbours else at
        changed = {}
        for name in LISTS + ARRAYS:
            values = getattr(self, name)
            if values is not None and (are_neighbours or name in ARRAYS):
                changed[name] = values[where]
            elif values is not None:
                changed[name] = [values[index] for index in at.tolist()]
        return replace(self, **changed)

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


def to_document(script: Script, *, units: Units = "auto", marks: str = MARKS) -> Document:
    """Find the words of a script and where its units end.

    The times of words that share a piece are interpolated in proportion to their letters and
    digits, and marked as such.
    With `breaks`, pieces are blocks of lines, and sentences that end with a block are lines of the
    text.
    Pieces are units of their own in a tier, and if `intervals` are wanted; in time, they have two
    boundaries each then, where they begin and where they end.
    """
    if script.segmentation is not None or script.axis != "words":
        return _boundaries_only(script)
    if script.is_tier or units == "intervals":
        return _with_edges(script, units, marks)
    if script.is_verbatim:
        return _verbatim(script, units)
    if not script.has_words:
        return _without_words(script)
    if units == BREAKS and script.layouts is not None:
        written = [laid_out(text) for text in script.layouts]
    else:
        written = [" ".join(text.split()) for text in script.texts]
    raw = "\n".join(written)
    scanned = scan(raw, marks)
    if not scanned.length:
        raise FormatError(script.source, "no words", "give a file with the words of a transcript")
    counts = np.diff(scanned.words_before("\n"), prepend=0, append=scanned.length)
    piece = np.repeat(np.arange(counts.size), counts)
    chosen = _chosen(script, units, scanned)
    if chosen == BREAKS:
        segmentation, raw = _broken(script, scanned, written, counts)
    else:
        segmentation = _segmentation(script, scanned, np.cumsum(counts) - 1, chosen)
    signs = {}
    if units == "auto" and script.ends is not None and chosen == "marks":
        # Units end at marks, though there are segments, too.
        signs = {"guessed": 1, "segments": int(np.count_nonzero(script.ends & (counts > 0)))}
    before, line_starts = _line_starts(script, piece)
    start, end, interpolated = _times(script, scanned, piece)
    confidence = None if script.confidence is None else script.confidence[piece]
    shared = None if interpolated is None else piece
    return Document(
        segmentation,
        scanned.words,
        f"{script.form}-{chosen}" if script.form else chosen,
        script.source,
        line_starts,
        raw,
        Track(start, end, *_labels(script, piece), None, confidence, interpolated, shared),
        {**script.signs, **signs},
        recording=script.recording,
        lines_before=before,
    )


def _with_edges(script: Script, units: Units, marks: str) -> Document:
    """Every piece as a unit, with the edges of all; as one word if `intervals` are wanted."""
    edges = edges_of(script.start, script.end)
    texts = [" ".join(text.split()) for text in script.texts]
    ends = np.ones(len(script), dtype=np.bool_)
    whole = replace(script, texts=texts, is_tier=False, ends=ends, types=None)
    if units == "intervals" and any(texts):
        named = replace(whole, texts=[text or SILENCE for text in texts])
        document = _verbatim(named, "segments")
    elif scan("\n".join(texts), marks).length:
        document = to_document(whole, units="segments", marks=marks)
    else:
        document = _without_words(whole)
    form = f"{script.form}-intervals" if script.form else "intervals"
    return replace(document, form=form, track=replace(document.track, edges=edges))


def _boundaries_only(script: Script) -> Document:
    """Boundaries on items without words, or of labelled intervals, which begin or end there."""
    if script.segmentation is not None:
        return Document(script.segmentation, None, script.form, script.source, signs=script.signs)
    assert script.start is not None
    assert script.end is not None
    edges = sorted_distinct(np.concatenate((script.start, script.end)))
    known = edges[edges != UNKNOWN]
    document = _without_words(script)
    track = replace(document.track, edges=known)
    before, line_starts = _line_starts(script, np.arange(len(script))) if len(script) else (0, None)
    return replace(
        document,
        form=script.form,
        track=track,
        axis=script.axis,
        extent=script.extent,
        line_starts=line_starts,
        lines_before=before,
    )


def _without_words(script: Script) -> Document:
    """Every piece as a unit of which only the times and the speaker are known."""
    every = np.arange(len(script))
    return Document(
        Segmentation(every.size, every),
        form=f"{script.form}-segments" if script.form else "segments",
        source=script.source,
        track=Track(script.start, script.end, *_labels(script, every)),
        signs=script.signs,
        recording=script.recording,
    )


def _verbatim(script: Script, units: Units) -> Document:
    """Take each piece as one word; a space in it becomes one that separates no words."""
    if units == BREAKS:
        raise _no_breaks(script)
    if units == "marks":
        problem, cure = "has no units that end at marks", f"leave out {option('units', 'marks')}"
        raise FormatError(script.source, problem, cure)
    text = _one_word_each(script)
    every = np.arange(len(script))
    ends = every if script.ends is None else Segmentation.from_binary(script.ends).boundaries
    before, line_starts = _line_starts(script, every)
    return Document(
        Segmentation(len(script), ends, _told_types(script, ends)),
        normalized("NFC", text),
        script.form,
        script.source,
        line_starts,
        track=Track(
            script.start, script.end, *_labels(script, every), interpolated=script.interpolated
        ),
        signs=script.signs,
        is_verbatim=True,
        recording=script.recording,
        lines_before=before,
        units=script.units,
    )


def _one_word_each(script: Script) -> str:
    """The pieces with a space between them; a space within one separates no words."""
    if isinstance(script.texts, SpacedWords):
        return script.texts.text
    written = " ".join(script.texts)
    words = written.split()
    if len(words) == len(script) and " ".join(words) == written:
        return written
    words = [NO_BREAK.join(text.split()) for text in script.texts]
    if not all(words):
        at = words.index("")
        line = None if script.lines is None else int(script.lines[at])
        raise FormatError(script.source, "a blank word", "write _ if it has no form", line=line)
    return " ".join(words)


def to_words(document: Document) -> Script:
    """A script of single words, as they are written, from a document."""
    length = document.segmentation.length
    words = surfaces(document.raw) if document.raw else document.words
    words = words if len(words) == length else document.words or [""] * length
    ends = np.zeros(length, dtype=np.bool_)
    ends[document.segmentation.boundaries] = True
    track, marks = document.track, document.segmentation.marks
    types: list[str] | None = None
    if marks is not None:
        types = [""] * length
        for at, mark in zip(document.segmentation.boundaries.tolist(), marks, strict=True):
            types[at] = str(mark)
    return Script(
        texts=words,
        start=track.start,
        end=track.end,
        ends=ends,
        types=types,
        speakers=_names(track.speaker),
        channels=_names(track.channel),
        confidence=track.confidence,
        interpolated=track.interpolated,
        source=document.source,
        is_verbatim=document.is_verbatim,
        has_words=document.text is not None,
    )


def to_units(script: Script) -> Script:
    """Put the pieces of each unit together; a change of speaker or channel ends a unit too."""
    if not len(script):
        return script
    last = np.ones(len(script), dtype=np.bool_) if script.ends is None else script.ends.copy()
    for names in (script.speakers, script.channels):
        if names is not None:
            codes = np.unique(np.asarray(names), return_inverse=True)[1]
            last[:-1] |= np.diff(codes) != 0
    last[-1] = True
    stops = np.flatnonzero(last)
    starts = np.concatenate(([0], stops[:-1] + 1))
    merged = script.some(stops)
    spans = zip(starts.tolist(), (stops + 1).tolist(), strict=True)
    texts = [" ".join(script.texts[a:b]) for a, b in spans]
    merged = replace(merged, texts=texts, layouts=None)
    if script.start is None or script.end is None:
        return merged
    latest = np.iinfo(np.int64).max
    start = np.minimum.reduceat(np.where(script.start == UNKNOWN, latest, script.start), starts)
    end = np.maximum.reduceat(script.end, starts)
    return replace(merged, start=np.where(start == latest, UNKNOWN, start), end=end)


def _chosen(script: Script, units: Units, scanned: Scan) -> str:
    if units == BREAKS and script.ends is not None:
        return units
    if units == BREAKS:
        raise _no_breaks(script)
    if script.ends is None or units == "marks":
        return "marks"
    return "marks" if units == "auto" and scanned.marked.size else "segments"


def _segmentation(script: Script, scanned: Scan, last: IntArray, chosen: str) -> Segmentation:
    """Place the boundaries; the end of a piece without words is that of the word before it."""
    length = scanned.length
    if script.ends is None or chosen == "marks":
        ends = np.union1d(scanned.marked, [length - 1])
        return Segmentation(length, ends, marks_of(scanned, ends))
    pieces = np.flatnonzero(script.ends & (last >= 0))
    ends = np.union1d(last[pieces], [length - 1])
    marks, told = marks_of(scanned, ends), _told_types(script, pieces)
    if told is not None:  # of several pieces that end with a word, the first that has a type counts
        named = np.flatnonzero(told != "")[::-1]
        marks = np.zeros(ends.size, dtype=told.dtype)
        marks[np.searchsorted(ends, last[pieces[named]])] = told[named]
    scores = None
    if script.scores is not None:  # of several pieces that end with a word, the last counts
        scores = np.full(length, np.nan, np.float32)
        scores[last[last >= 0]] = script.scores[last >= 0]
    return Segmentation(length, ends, marks, scores=scores)


def _no_breaks(script: Script) -> FormatError:
    cure = "give subtitles as SRT, WebVTT or text with <eol> and <eob>"
    return FormatError(script.source, "no line and block breaks", cure)


def _broken(
    script: Script, scanned: Scan, texts: Sequence[str], counts: IntArray
) -> tuple[Segmentation, str]:
    """Boundaries at the ends of lines and blocks, and the text with them, a sentence per line.

    Pieces of one line of the source are parts of one block; a piece without words is part of the
    block before it.
    """
    last = np.cumsum(counts) - 1
    closes = np.append((counts[1:] > 0) & (last[:-1] >= 0), True)
    if script.lines is not None:
        closes[:-1] &= np.diff(script.lines) != 0
    inside = np.concatenate((scanned.words_before(LINE_END) - 1, last[~closes]))
    is_sentence = closes & np.array([ends_sentence(text) for text in texts], np.bool_)
    after = np.where(is_sentence, f"{BLOCK_END}\n", np.where(closes, f"{BLOCK_END} ", LINE_END))
    joined = "".join(f"{text} {end}" for text, end in zip(texts, after.tolist(), strict=True))
    return broken(scanned, inside, last[closes]), joined.rstrip(" \n")


def _told_types(script: Script, pieces: IntArray) -> MarkArray | None:
    """The types of some pieces; None if none of them has one."""
    names = [script.types[piece] for piece in pieces.tolist()] if script.types else []
    return np.array(names, np.str_) if any(names) else None


def _labels(script: Script, piece: IntArray) -> tuple[WordNames | None, WordNames | None]:
    """Who speaks each word, and where."""
    speaker, channel = (
        None if names is None else WordNames.from_names(names)
        for names in (script.speakers, script.channels)
    )
    return speaker and speaker.some(piece), channel and channel.some(piece)


def _times(
    script: Script, scanned: Scan, piece: IntArray
) -> tuple[IntArray | None, IntArray | None, BoolArray | None]:
    """When each word begins and ends, and whether that is interpolated."""
    if script.start is None or script.end is None:
        return None, None, None
    on, off = script.start[piece], script.end[piece]
    first = np.searchsorted(piece, piece, side="left")
    last = np.searchsorted(piece, piece, side="right") - 1
    lengths = spoken_lengths(scanned.words)
    ends = np.cumsum(lengths)
    begins = ends - lengths
    base, width = begins[first], ends[last] - begins[first]
    known = (on != UNKNOWN) & (off != UNKNOWN)

    def laid_out(lengths: IntArray) -> IntArray:
        share = (lengths - base) / width
        return np.where(known, on + np.rint((off - on) * share).astype(np.int64), UNKNOWN)

    start, end = laid_out(begins), laid_out(ends)
    alone = first == last
    start, end = np.where(alone, on, start), np.where(alone, off, end)
    if (start == UNKNOWN).all():
        return None, None, None
    interpolated: BoolArray = known & ~alone
    if script.interpolated is not None:
        interpolated |= script.interpolated[piece]
    return start, end, interpolated if interpolated.any() else None


def _line_starts(script: Script, piece: IntArray) -> tuple[int, IntArray | None]:
    """How many lines precede the first word, and for each line after them its first word."""
    if script.lines is None or (script.lines[1:] < script.lines[:-1]).any():
        return 0, None
    lines = script.lines[piece]
    before = int(lines[0]) - 1
    return before, np.repeat(np.arange(lines.size), np.diff(lines, prepend=before))


def _names(labels: WordNames | None) -> list[str] | None:
    if labels is None:
        return None
    names = (*labels.names, "")
    return [names[code] for code in labels.codes.tolist()]


# Times


def parse_times(cells: Sequence[str], source: str, lines: IntArray | None = None) -> IntArray:
    """Seconds as microseconds; an empty cell is UNKNOWN, anything else that is not a time an error.

    >>> parse_times(["1.5", "", "0.3333333"], "x").tolist()
    [1500000, -1, 333333]
    """
    split = Cells.split("\n".join(cells).encode())
    alone = np.flatnonzero(np.bincount(split.line, minlength=len(cells)) == 1)
    values = np.full(len(cells), np.nan)
    values[alone] = split.some(np.flatnonzero(np.isin(split.line, alone))).floats()
    empty = np.array([not cell for cell in cells], dtype=np.bool_)
    wrong = np.flatnonzero(~empty & ~((values >= 0) & (values <= LATEST)))
    if wrong.size:
        at = int(wrong[0])
        line = None if lines is None else int(lines[at])
        problem = f"'{cells[at]}' is not a time"
        raise FormatError(source, problem, "write seconds, such as 12.34", line=line)
    micros = np.rint(np.where(empty, 0, values) * SECOND).astype(np.int64)
    return np.where(empty, Track.UNKNOWN, micros)


def read_times(path: str, cells: Cells) -> FloatArray:
    """Cells as times; anything else, or a negative time, is an error."""
    times = cells.floats()
    wrong = np.flatnonzero(~((times >= 0) & (times <= LATEST)))
    if wrong.size:
        line = int(cells.line[wrong[0]]) + 1
        problem = f"'{cells.at(int(wrong[0]))}' is not a time"
        raise FormatError(path, problem, "write seconds, such as 12.34", line=line)
    return times


def seconds(microseconds: int) -> str:
    """A time as seconds, with the digits it needs and at least two.

    >>> seconds(1_500_000), seconds(12_345_678)
    ('1.50', '12.345678')
    """
    whole, rest = divmod(abs(microseconds), SECOND)
    digits = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if microseconds < 0 else ''}{whole}.{digits}"
