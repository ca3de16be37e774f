"""Praat TextGrids: tiers of intervals and of points, in the long or the short form.

To Praat both forms are the same: free-standing numbers, "texts" and <flags>; the rest is comment.
The module `tiers` interprets the tiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from caesura.core.byte_cells import Bytes, Cells, FloatArray
from caesura.core.format import Codec
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, number
from caesura.formats.script import LATEST, SECOND, Script, seconds
from caesura.formats.tiers import (
    Layer,
    Role,
    chosen,
    name_of,
    only_timed,
    require_apart,
    rows_of_speakers,
    tells_ends,
    tier_script,
    to_script,
    told_by,
)

_COMMENT = re.compile(r'"[^"]*"|(![^\r\n]*)')
_LF, _CR, _BLANK, _QUOTE = b'\n\r "'
_LEADS = np.frombuffer(b"0123456789+-.<", np.uint8)
_TEXT, _NUMBER, _FLAG, _OPEN, _END = range(1, 6)
_WANTED = {_TEXT: 'a text in "quotes"', _NUMBER: "a number", _FLAG: "<exists>"}
_CUT_OFF = "it is truncated: copy or save it again"
_DOUBLE = 'fix it; write a quote inside a text twice, ""'
FLAGS = ("<exists>", "<absent>")


@dataclass(frozen=True, slots=True)
class TextGridTier:
    """A tier as it is written, times in seconds; a point begins when it ends."""

    name: str
    is_points: bool
    line: int
    labels: list[str]
    on: FloatArray
    off: FloatArray
    lines: IntArray


def parse(text: str, source: str = "<textgrid>", tier: str = "") -> list[Script]:
    """Read one recording, or one tier of it."""
    tiers = parse_tiers(text, source)
    names = [each.name for each in tiers]
    if tier and not tier.endswith("*"):
        spans = [each for each in tiers if not each.is_points]
        span_names = [each.name for each in spans]
        if tier in names and tier not in span_names:
            problem, cure = f"the tier '{tier}' is a point tier", "choose an interval tier"
            raise FormatError(source, problem, cure, line=tiers[names.index(tier)].line)
        layer = _layer(spans[chosen(span_names, tier, source)], "", "", source)
        return [tier_script(layer, "textgrid", source)]
    layers = []
    for each in tiers:
        speaker, role = told_by(each.name)
        if role in ("units", "points"):
            role = "points" if each.is_points else "units"
        if role == "points" or (role != "other" and not each.is_points):
            layers.append(_layer(each, speaker, role, source))
    return [to_script(layers, "textgrid", source, names)]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a tier for each speaker, in the long form.

    What a speaker says at the same time goes to a further tier of the same name; types, and units
    of several pieces, to a tier of points named `su`.
    """
    script, start, end = only_timed(scripts, "a TextGrid")
    tiers = list(_tiers(script, start, end))
    last = seconds(int(end.max(initial=0)))
    yield 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
    yield f"xmin = 0\nxmax = {last}\ntiers? <exists>\nsize = {len(tiers)}\nitem []:\n"
    for at, (kind, name, entries) in enumerate(tiers, 1):
        yield f'    item [{at}]:\n        class = "{kind}"\n        name = {_quoted(name)}\n'
        yield f"        xmin = 0\n        xmax = {last}\n"
        yield from entries


def parse_tiers(text: str, source: str = "<textgrid>") -> list[TextGridTier]:
    """The tiers of a TextGrid, whatever they mean."""
    tokens = _Tokens.from_text(text, source)
    texts = [tokens.shown(at) for at in (0, 1)] if tokens.kinds.size > 2 else ["", ""]
    if "chronological TextGrid" in texts[0]:
        cure = "save it from Praat as a text file or a short text file"
        raise tokens.error(0, "a chronological TextGrid", cure)
    if (tokens.kinds[:2] != _TEXT).any() or not texts[0].startswith("ooTextFile"):
        cure = 'save it from Praat as a text file: it begins with File type = "ooTextFile"'
        raise FormatError(source, "this is not a TextGrid", cure, line=1)
    if texts[1] != "TextGrid":
        problem = f"a '{_short(texts[1])}' instead of a TextGrid"
        raise tokens.error(1, problem, "save the TextGrid")
    tokens.require_span(2, "file")
    size = tokens.count(5, "tier") if tokens.value(4, _FLAG) == "<exists>" else 0
    if not size:
        cure = "add an interval tier for each speaker"
        raise tokens.error(4, "a TextGrid without tiers", cure)
    tiers, at = [], 6
    for _ in range(size):
        tier, at = tokens.tier(at)
        tiers.append(tier)
    if tokens.kinds[at] != _END:
        cure = f"the file says that it has {number(size, 'tier')}: fix its sizes, or save it again"
        raise tokens.error(at, f"'{_short(tokens.shown(at))}' after the last tier", cure)
    return tiers


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The texts, numbers and flags of a TextGrid, as places in its bytes; the last is its end."""

    data: bytes
    source: str
    kinds: IntArray
    starts: IntArray
    stops: IntArray
    numbers: FloatArray
    lines: IntArray

    @classmethod
    def from_text(cls, text: str, source: str) -> _Tokens:
        """Cut at quotes, then what is left at white space; words that are no numbers are left."""
        if "!" in text:  # outside of quotes it begins a comment
            text = _COMMENT.sub(lambda part: " " * len(part[0]) if part[1] else part[0], text)
        data = text.encode("utf-8", "surrogatepass")
        codes = np.frombuffer(data, np.uint8)
        texts = _texts(codes)
        words = _words(codes, *texts)
        cells = Cells(data, *words, np.zeros(words[0].size, dtype=np.int64))
        numbers = cells.floats()
        is_flag = [cells.at(index) in FLAGS for index in np.flatnonzero(np.isnan(numbers)).tolist()]
        kinds = np.where(np.isfinite(numbers), _NUMBER, 0)
        kinds[np.isnan(numbers)] = np.where(is_flag, _FLAG, 0)
        is_closed = texts[1] <= len(data)
        kinds = np.concatenate((np.where(is_closed, _TEXT, _OPEN), kinds, [_END]))
        starts, stops = (
            np.concatenate((*both, [len(data)])) for both in zip(texts, words, strict=True)
        )
        order = np.argsort(starts, kind="stable")
        order = order[kinds[order] > 0]
        numbers = np.concatenate((np.full(texts[0].size, np.nan), numbers, [np.nan]))
        breaks = np.flatnonzero((codes == _LF) | ((codes == _CR) & (np.roll(codes, -1) != _LF)))
        lines = np.searchsorted(breaks, starts[order]) + 1
        return cls(data, source, kinds[order], starts[order], stops[order], numbers[order], lines)

    def line(self, at: int) -> int:
        return int(self.lines[min(at, self.lines.size - 1)])

    def error(self, at: int, problem: str, cure: str) -> FormatError:
        return FormatError(self.source, problem, cure, line=self.line(at))

    def value(self, at: int, kind: int) -> str:
        """One token, which has to be of a kind."""
        at = min(at, self.kinds.size - 1)
        if self.kinds[at] != kind:
            raise self.wrong(at, kind)
        return self.shown(at)

    def shown(self, at: int) -> str:
        start, stop = int(self.starts[at]), int(self.stops[at])
        if self.kinds[at] != _TEXT:
            return self.data[start:stop].decode(errors="replace")
        return self.data[start + 1 : stop - 1].decode(errors="surrogatepass").replace('""', '"')

    def require_span(self, at: int, what: str) -> None:
        """Check the first and the last time of the whole or of a tier."""
        on, off = (self.value(at + step, _NUMBER) for step in (0, 1))
        if self.numbers[at + 1] < self.numbers[at]:
            problem = f"a {what} that begins at {on} and ends at {off}"
            raise self.error(at, problem, "fix its xmin and xmax")

    def count(self, at: int, noun: str) -> int:
        """A size."""
        value = self.value(at, _NUMBER)
        if not value.isdecimal() or len(value) > 12:
            raise self.error(
                at, f"{_short(value)} is not a number of {noun}s", "write how many follow"
            )
        return int(value)

    def tier(self, at: int) -> tuple[TextGridTier, int]:
        """The tier that begins at a token, and where the next one begins."""
        kind, name = self.value(at, _TEXT), self.value(at + 1, _TEXT)
        if kind not in ("IntervalTier", "TextTier"):
            problem = f"'{_short(kind)}' instead of the class IntervalTier or TextTier"
            raise self.error(at, problem, _DOUBLE)
        self.require_span(at + 2, "tier")
        is_points = kind == "TextTier"
        size = self.count(at + 4, "point" if is_points else "interval")
        first, width = at + 5, 2 if is_points else 3
        stop = first + width * size
        kinds = self.kinds[first:stop]  # of intervals two numbers and a text, of points one
        wanted = np.full(kinds.size, _NUMBER)
        wanted[width - 1 :: width] = _TEXT
        wrong = np.flatnonzero(kinds != wanted)
        if wrong.size and kinds[wrong[0]] != _END:
            raise self.wrong(first + int(wrong[0]), int(wanted[wrong[0]]))
        if stop >= self.kinds.size:
            entries = f"{(self.kinds.size - 1 - first) // width:,} of {size:,} entries"
            problem = f"the file ends in the tier '{_short(name)}', after {entries}"
            raise self.error(self.kinds.size, problem, _CUT_OFF)
        on = self.numbers[first:stop:width]
        off = on if is_points else self.numbers[first + 1 : stop : width]
        labels = [self.shown(index) for index in range(first + width - 1, stop, width)]
        lines = self.lines[first:stop:width]
        return TextGridTier(name, is_points, self.line(at), labels, on, off, lines), stop

    def wrong(self, at: int, kind: int) -> FormatError:
        """What is wrong with a token that is not of a kind."""
        if self.kinds[at] == _END:
            return self.error(at, "the file ends too early", _CUT_OFF)
        if self.kinds[at] == _OPEN:
            return self.error(at, "a quote that is not closed", _DOUBLE)
        problem = f"'{_short(self.shown(at))}' instead of {_WANTED[kind]}"
        return self.error(at, problem, _DOUBLE)


def _texts(codes: Bytes) -> tuple[IntArray, IntArray]:
    """Where texts begin and end, quotes included; the last may have no end but that of the file."""
    quotes = np.flatnonzero(codes == _QUOTE)
    if quotes.size % 2:
        quotes = np.append(quotes, codes.size)
    opens, closes = quotes[::2], quotes[1::2]
    anew = np.concatenate(([True], opens[1:] != closes[:-1] + 1))[: opens.size]
    last = np.concatenate((anew[1:], [True]))[: opens.size]
    return opens[anew], closes[last] + 1


def _words(codes: Bytes, opens: IntArray, closes: IntArray) -> tuple[IntArray, IntArray]:
    """Where words outside of texts begin and end that may be numbers or flags."""
    depth = np.zeros(codes.size + 2, dtype=np.int8)
    depth[opens] += 1
    depth[closes] -= 1
    outside = (np.cumsum(depth[:-2], dtype=np.int8) == 0) & (codes > _BLANK)
    edges = np.flatnonzero(np.diff(outside, prepend=False, append=False))
    starts, stops = edges[::2], edges[1::2]
    maybe = np.isin(codes[starts], _LEADS)
    return starts[maybe], stops[maybe]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:39]}…"


def _layer(tier: TextGridTier, speaker: str, role: Role, source: str) -> Layer:
    """A tier with its times in microseconds."""
    times = np.stack((tier.on, tier.off))
    wrong = np.argwhere(~((times >= 0) & (times <= LATEST)))
    if wrong.size:
        which, at = wrong[0]
        problem, cure = f"{times[which, at]:g} is not a time", "times must be 0 or more"
        raise FormatError(source, problem, cure, line=int(tier.lines[at]))
    start, end = np.rint(times * SECOND).astype(np.int64)
    layer = Layer(speaker, role, tier.labels, start, end, tier.lines)
    if not tier.is_points:
        require_apart(layer, tier.name, source)
    return layer


def _tiers(
    script: Script, start: IntArray, end: IntArray
) -> Iterator[tuple[str, str, Iterator[str]]]:
    """The class, the name and the entries of each tier to write."""
    brief = np.flatnonzero(end <= start)
    if brief.size:
        at = int(brief[0])
        problem = f"'{script.texts[at]}' has no duration at {seconds(int(start[at]))}"
        cure = "an interval must end after it begins: fix its times, or choose another format"
        raise FormatError(script.source, problem, cure)
    last = int(end.max(initial=0))
    for speaker, rows in rows_of_speakers(script, start, end).items():
        for row in rows:
            spans = [(int(start[at]), int(end[at]), script.texts[at]) for at in row.tolist()]
            yield "IntervalTier", name_of(speaker), _intervals(spans, last)
        if tells_ends(script):
            which = np.sort(np.concatenate(rows))
            yield "TextTier", f"{speaker} - su" if speaker else "su", _points(script, end, which)


def _intervals(spans: list[tuple[int, int, str]], last: int) -> Iterator[str]:
    """Intervals from 0 to the last time, silence between them."""
    whole: list[tuple[int, int, str]] = []
    time = 0
    for on, off, text in [*spans, (last, last, "")]:
        whole += [(time, on, "")] if time < on else []
        whole += [(on, off, text)] if on < off else []
        time = off
    yield f"        intervals: size = {len(whole)}\n"
    for at, (on, off, text) in enumerate(whole, 1):
        yield (
            f"        intervals [{at}]:\n            xmin = {seconds(on)}\n"
            f"            xmax = {seconds(off)}\n            text = {_quoted(text)}\n"
        )


def _points(script: Script, end: IntArray, which: IntArray) -> Iterator[str]:
    """The points at which units end, with their types."""
    marks: dict[int, str] = {}
    for index in which.tolist():
        if script.ends is None or script.ends[index]:
            time = int(end[index])
            marks[time] = marks.get(time) or (script.types[index] if script.types else "")
    yield f"        points: size = {len(marks)}\n"
    for at, (time, mark) in enumerate(sorted(marks.items()), 1):
        yield (
            f"        points [{at}]:\n            number = {seconds(time)}\n"
            f"            mark = {_quoted(mark)}\n"
        )


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


CODECS = {"textgrid": Codec(parse, write)}
