"""Praat TextGrids: tiers of intervals and of points, in the long or the short form.

To Praat both forms are one: numbers, "texts" and <flags> that stand free; the rest is comment.

Every interval tier is a speaker, named as the tier, and each of its intervals a unit; an empty
interval is silence. But a name may tell what a tier holds, alone or beside a speaker, as in
`Ann - words`, `Ann: words`, `words@Ann`, and in capitals or not:

- `words`, `word`: the words of the speaker, with their times;
- `sentences`, `utterances`, `units`, `segments`, `phrases` (or one of these), `su`, `boundaries`:
  the speaker's units, and if there are no words, what is said in them. A word belongs to the unit
  in which its middle lies; words that lie in none, up to the next unit, are one of their own. A
  tier named as the speaker is as good as this;
- the same as a tier of points: a unit ends with the piece that ends at the point, else with the
  last one whose middle is before it, and the point's label is the unit's type;
- `phones`, `phone`, `points`, and any other tier of points: not read.

Units without a speaker are those of every speaker who has words and no units of their own. Words
without a speaker are all the words: other tiers are then asked for units only, and of tiers with
names of their own only one that is alone. Units are sorted by the times at which they begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from caesura.errors import FormatError, number
from caesura.formats.cells import Bytes, Cells, FloatArray
from caesura.formats.script import UNKNOWN, Format, Script, seconds
from caesura.formats.times import LATEST, SECOND
from caesura.segmentation import BoolArray, IntArray

Role = Literal["words", "units", "points", "other", ""]
_NAMES: dict[Role, str] = {
    "words": "words?",
    "units": "sentences?|utterances?|units?|segments?|phrases?",
    "points": "sus?|boundaries|boundary",
    "other": "phones?|points?",
}
_APART = r"[-:@_/]\s*"
_COMMENT = re.compile(r'"[^"]*"|(![^\r\n]*)')
_LF, _CR, _BLANK, _QUOTE = b'\n\r "'
_LEADS = np.frombuffer(b"0123456789+-.<", np.uint8)
_TEXT, _NUMBER, _FLAG, _OPEN, _END = range(1, 6)
_WANTED = {_TEXT: 'a text in "quotes"', _NUMBER: "a number", _FLAG: "<exists>"}
_CUT_OFF = "it is cut off: copy or save it anew"
_DOUBLE = 'mend it; a quote inside a text is written twice, ""'
FLAGS = ("<exists>", "<absent>")


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier as it is written, times in seconds; a point begins when it ends."""

    name: str
    is_points: bool
    line: int
    labels: list[str]
    on: FloatArray
    off: FloatArray
    lines: IntArray


@dataclass(frozen=True, slots=True)
class Layer:
    """The labels of a speaker that play one role; a role of no name: a tier that is a speaker."""

    speaker: str
    role: Role
    labels: list[str]
    start: IntArray
    end: IntArray
    lines: IntArray

    def some(self, which: IntArray) -> Layer:
        """Some of the labels."""
        labels = [self.labels[index] for index in which.tolist()]
        start, end, lines = (values[which] for values in (self.start, self.end, self.lines))
        return replace(self, labels=labels, start=start, end=end, lines=lines)

    def filled(self) -> Layer:
        """Those that hold more than white space."""
        return self.some(np.flatnonzero([bool(label.strip()) for label in self.labels]))

    @property
    def middle(self) -> IntArray:
        """Twice the times in the middle, which are whole numbers."""
        return self.start + self.end


def parse(text: str, source: str = "<textgrid>") -> list[Script]:
    """Read one recording."""
    layers = [each for tier in parse_tiers(text, source) for each in _layers(tier, source)]
    return [to_script(layers, "textgrid", source)]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a tier for each speaker, in the long form.

    What a speaker says at the same time goes to a further tier of the same name; types, and units
    of several pieces, to a tier of points named `su`.
    """
    script = only(scripts, "a TextGrid")
    start, end = require_times(script, "a TextGrid")
    tiers = list(_tiers(script, start, end))
    last = seconds(int(end.max(initial=0)))
    yield 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
    yield f"xmin = 0\nxmax = {last}\ntiers? <exists>\nsize = {len(tiers)}\nitem []:\n"
    for at, (kind, name, entries) in enumerate(tiers, 1):
        yield f'    item [{at}]:\n        class = "{kind}"\n        name = {_quoted(name)}\n'
        yield f"        xmin = 0\n        xmax = {last}\n"
        yield from entries


def parse_tiers(text: str, source: str = "<textgrid>") -> list[Tier]:
    """The tiers of a TextGrid, whatever they mean."""
    tokens = _Tokens.of(text, source)
    at = tokens.head()
    size = tokens.count(at + 3, "tier") if tokens.value(at + 2, _FLAG) == "<exists>" else 0
    if not size:
        cure = "add an interval tier for each speaker"
        raise tokens.error(at + 2, "a TextGrid without tiers", cure)
    tiers = []
    at += 4
    for _ in range(size):
        tier, at = tokens.tier(at)
        tiers.append(tier)
    if tokens.kinds[at] != _END:
        cure = f"the file says that it has {number(size, 'tier')}: mend its sizes, or save it anew"
        raise tokens.error(at, f"'{_short(tokens.shown(at))}' after the last tier", cure)
    return tiers


def told_by(name: str) -> tuple[str, Role]:
    """The speaker and the role that the name of a tier tells.

    >>> told_by("Ann - words"), told_by("Sentences"), told_by("su@Bob"), told_by("Ann")
    (('Ann', 'words'), ('', 'units'), ('Bob', 'points'), ('Ann', ''))
    """
    name = name.strip()
    for role, names in _NAMES.items():
        found = re.fullmatch(f"(?:(.+){_APART})?(?:{names})", name, re.IGNORECASE | re.DOTALL)
        if found:
            return (found[1] or "").strip(), role
    for role, names in _NAMES.items():
        found = re.fullmatch(rf"(?:{names})\s*{_APART}(.+)", name, re.IGNORECASE | re.DOTALL)
        if found:
            return found[1].strip(), role
    return name, ""


def name_of(speaker: str) -> str:
    """The name of the tier that tells nothing but the speaker."""
    if told_by(speaker) == (speaker, "") and speaker:
        return speaker
    return f"{speaker} - segments" if speaker else "segments"


def require_apart(layer: Layer, name: str, source: str) -> None:
    """Raise an error for the first interval that ends before it begins, or overlaps the last."""
    wrong = np.flatnonzero(layer.end < layer.start)
    clash = np.flatnonzero(layer.start[1:] < layer.end[:-1]) + 1
    if not wrong.size and not clash.size:
        return
    at = int(np.concatenate((wrong, clash)).min())
    shown = f"{seconds(int(layer.start[at]))}–{seconds(int(layer.end[at]))}"
    if at in wrong:
        problem, cure = "ends before it begins", "mend its times"
    else:
        before = f"{seconds(int(layer.start[at - 1]))}–{seconds(int(layer.end[at - 1]))}"
        problem = f"begins before the end of {before}"
        cure = "intervals of a tier follow each other: give each speaker a tier"
    problem = f"the interval {shown} of the tier '{name}' {problem}"
    raise FormatError(source, problem, cure, line=int(layer.lines[at]))


def to_script(layers: Iterable[Layer], form: str, source: str) -> Script:
    """Put the layers of all speakers together, as the docstring of this module tells."""
    merged = _merged(layers)
    parts = [_Part.of(merged, speaker) for speaker in _speakers(merged)]
    texts = [label for part in parts for label in part.pieces.labels]
    if not texts:
        cure = "give an interval tier in which what is said is written"
        raise FormatError(source, "no words in any tier", cure)
    types = [each for part in parts for each in part.types]
    speakers = [part.pieces.speaker for part in parts for _ in part.pieces.labels]
    told = any(part.is_told for part in parts)
    script = Script(
        texts=texts,
        start=np.concatenate([part.pieces.start for part in parts]),
        end=np.concatenate([part.pieces.end for part in parts]),
        ends=np.concatenate([part.ends for part in parts]) if told else None,
        types=types if any(types) else None,
        speakers=speakers if any(speakers) else None,
        lines=np.concatenate([part.pieces.lines for part in parts]),
        form=form,
        source=source,
    )
    begins = np.concatenate([part.begins() for part in parts])
    return script.some(np.argsort(begins, kind="stable"))


def only(scripts: Sequence[Script], what: str) -> Script:
    """The only recording there is."""
    if len(scripts) != 1:
        source = scripts[0].source if scripts else "<string>"
        cure = f"{what} holds one: write each to a file of its own"
        raise FormatError(source, number(len(scripts), "recording"), cure)
    return scripts[0]


def require_times(script: Script, what: str) -> tuple[IntArray, IntArray]:
    """When the pieces begin and end, if that is known of all."""
    start, end = script.start, script.end
    if start is None or end is None or ((start == UNKNOWN) | (end == UNKNOWN)).any():
        problem = f"a piece without times, which {what} cannot hold"
        raise FormatError(script.source, problem, "write another format, such as jsonl")
    return start, end


def rows(start: IntArray, end: IntArray) -> list[list[int]]:
    """Part pieces into rows, in the order of their times, so that none overlap in a row."""
    found: list[list[int]] = []
    free: list[int] = []
    for index in np.lexsort((end, start)).tolist():
        on, off = int(start[index]), int(end[index])
        row = next((at for at, time in enumerate(free) if time <= on), len(free))
        if row == len(free):
            found.append([])
            free.append(0)
        found[row].append(index)
        free[row] = off
    return found


def by_speaker(script: Script) -> dict[str, IntArray]:
    """The pieces of each speaker that have a text."""
    speakers = script.speakers or [""] * len(script)
    found: dict[str, list[int]] = {}
    for index, (speaker, text) in enumerate(zip(speakers, script.texts, strict=True)):
        if text.strip():
            found.setdefault(speaker, []).append(index)
    return {speaker: np.array(each, dtype=np.int64) for speaker, each in found.items()}


def tells_ends(script: Script) -> bool:
    """Whether a script knows more of its units than that each piece is one."""
    return bool(any(script.types or ())) or (script.ends is not None and not script.ends.all())


FORMAT = Format(
    name="textgrid",
    about="Praat TextGrids: a tier of intervals for each speaker, or tiers of words and of units",
    suffixes=(".textgrid",),
    parse=parse,
    write=write,
    units="segments",
    kind="segments",
    is_like=lambda text: bool(re.match(r'(File type = )?"ooTextFile[^"]*"[^"]*"TextGrid"', text)),
)


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
    def of(cls, text: str, source: str) -> _Tokens:
        """Cut at quotes, then what is left at white space; words that are no numbers are left."""
        data = _without_comments(text).encode("utf-8", "surrogatepass")
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

    def head(self) -> int:
        """Where the times of the whole stand."""
        texts = [self.shown(at) for at in (0, 1)] if self.kinds.size > 2 else ["", ""]
        if "chronological TextGrid" in texts[0]:
            cure = "save it from Praat as a text file or a short text file"
            raise self.error(0, "a chronological TextGrid", cure)
        if (self.kinds[:2] != _TEXT).any() or not texts[0].startswith("ooTextFile"):
            cure = 'save it from Praat as a text file: it begins with File type = "ooTextFile"'
            raise FormatError(self.source, "this is no TextGrid", cure, line=1)
        if texts[1] != "TextGrid":
            problem = f"a '{_short(texts[1])}' where a TextGrid should be"
            raise self.error(1, problem, "save the TextGrid")
        self.span(2, "file")
        return 2

    def span(self, at: int, what: str) -> None:
        """Check the first and the last time of the whole or of a tier."""
        on, off = (self.value(at + step, _NUMBER) for step in (0, 1))
        if self.numbers[at + 1] < self.numbers[at]:
            problem = f"a {what} that begins at {on} and ends at {off}"
            raise self.error(at, problem, "mend its xmin and xmax")

    def count(self, at: int, noun: str) -> int:
        """A size."""
        value = self.value(at, _NUMBER)
        if not value.isdecimal() or len(value) > 12:
            raise self.error(
                at, f"{_short(value)} is no number of {noun}s", "write how many follow"
            )
        return int(value)

    def tier(self, at: int) -> tuple[Tier, int]:
        """The tier that begins at a token, and where the next one begins."""
        kind, name = self.value(at, _TEXT), self.value(at + 1, _TEXT)
        if kind not in ("IntervalTier", "TextTier"):
            problem = f"'{_short(kind)}' where the class IntervalTier or TextTier should be"
            raise self.error(at, problem, _DOUBLE)
        self.span(at + 2, "tier")
        is_points = kind == "TextTier"
        size = self.count(at + 4, "point" if is_points else "interval")
        first, width = at + 5, 2 if is_points else 3
        stop = first + width * size
        self.require(first, width, size, name)
        on = self.numbers[first:stop:width]
        off = on if is_points else self.numbers[first + 1 : stop : width]
        labels = [self.shown(index) for index in range(first + width - 1, stop, width)]
        lines = self.lines[first:stop:width]
        return Tier(name, is_points, self.line(at), labels, on, off, lines), stop

    def require(self, first: int, width: int, size: int, name: str) -> None:
        """Check that intervals are two numbers and a text, points one number and a text."""
        kinds = self.kinds[first : first + width * size]
        wanted = np.full(kinds.size, _NUMBER)
        wanted[width - 1 :: width] = _TEXT
        wrong = np.flatnonzero(kinds != wanted)
        if wrong.size and kinds[wrong[0]] != _END:
            raise self.wrong(first + int(wrong[0]), int(wanted[wrong[0]]))
        if first + width * size >= self.kinds.size:
            found = (self.kinds.size - 1 - first) // width
            problem = (
                f"the file ends in the tier '{_short(name)}', after {found:,} of {size:,} entries"
            )
            raise self.error(self.kinds.size, problem, _CUT_OFF)

    def wrong(self, at: int, kind: int) -> FormatError:
        """What is wrong with a token that is not of a kind."""
        if self.kinds[at] == _END:
            return self.error(at, "the file ends too early", _CUT_OFF)
        if self.kinds[at] == _OPEN:
            return self.error(at, "a quote that nothing closes", _DOUBLE)
        problem = f"'{_short(self.shown(at))}' where {_WANTED[kind]} should be"
        return self.error(at, problem, _DOUBLE)


def _without_comments(text: str) -> str:
    """The same with blanks for what follows a `!` outside of quotes."""
    if "!" not in text:
        return text
    return _COMMENT.sub(lambda found: " " * len(found[0]) if found[1] else found[0], text)


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


def _micros(values: FloatArray, source: str, lines: IntArray) -> IntArray:
    """Seconds as microseconds."""
    wrong = np.flatnonzero(~((values >= 0) & (values <= LATEST)))
    if wrong.size:
        at = int(wrong[0])
        problem, cure = f"{values[at]:g} is no time", "times are 0 or more"
        raise FormatError(source, problem, cure, line=int(lines[at]))
    return np.rint(values * SECOND).astype(np.int64)


def _layers(tier: Tier, source: str) -> Iterator[Layer]:
    """A tier with its times, if it is read."""
    speaker, role = told_by(tier.name)
    if role == "other" or (tier.is_points and role not in ("units", "points")):
        return
    if role in ("units", "points"):
        role = "points" if tier.is_points else "units"
    start, end = (_micros(times, source, tier.lines) for times in (tier.on, tier.off))
    layer = Layer(speaker, role, tier.labels, start, end, tier.lines)
    if not tier.is_points:
        require_apart(layer, tier.name, source)
    yield layer


def _merged(layers: Iterable[Layer]) -> dict[tuple[str, Role], Layer]:
    """One layer for each speaker and role, sorted by time."""
    merged: dict[tuple[str, Role], Layer] = {}
    for layer in layers:
        key = (layer.speaker, layer.role)
        if layer.role == "words" and not layer.filled().labels:
            continue
        merged[key] = _joined(merged[key], layer) if key in merged else layer
    if ("", "words") in merged:
        own = [layer for (_, role), layer in merged.items() if not role]
        if len(own) == 1:
            merged.setdefault(("", "units"), own[0])
    return merged


def _joined(one: Layer, other: Layer) -> Layer:
    start, end, lines = (
        np.concatenate((getattr(one, name), getattr(other, name)))
        for name in ("start", "end", "lines")
    )
    both = replace(one, labels=one.labels + other.labels, start=start, end=end, lines=lines)
    return both.some(np.lexsort((end, start)))


def _speakers(merged: dict[tuple[str, Role], Layer]) -> list[str]:
    """Whose pieces are read: everybody's, but for layers that only tell the units of others."""
    worded = [speaker for speaker, role in merged if role == "words"]
    if "" in worded:
        return worded
    speakers = dict.fromkeys(speaker for speaker, role in merged if role != "points")
    if worded and ("", "") not in merged:
        speakers.pop("", None)
    return list(speakers)


@dataclass(frozen=True, slots=True)
class _Part:
    """The pieces of a speaker, after which of them units end, and of what types."""

    pieces: Layer
    ends: BoolArray
    types: list[str]
    is_told: bool

    @classmethod
    def of(cls, merged: dict[tuple[str, Role], Layer], speaker: str) -> _Part:
        words, units, own, points = (
            merged.get((speaker, role)) for role in ("words", "units", "", "points")
        )
        layers = [each.filled() for each in (words, units, own) if each is not None]
        pieces = next((each for each in layers if each.labels), layers[0])
        points = points or merged.get(("", "points"))
        if points:
            return cls(pieces, *_ends_at(pieces, points), is_told=True)
        if words:
            units = units or own or merged.get(("", "units"))
        types = [""] * len(pieces.labels)
        if units and pieces.role != "units":
            return cls(pieces, _ends_within(pieces, units), types, is_told=True)
        return cls(pieces, np.full(len(types), not words), types, is_told=not words)

    def begins(self) -> IntArray:
        """For each piece, when its unit begins."""
        if not self.is_told:
            return self.pieces.start
        first = np.concatenate(([True], self.ends[:-1]))[: self.ends.size]
        return np.asarray(self.pieces.start[first][np.cumsum(first) - 1])


def _ends_within(pieces: Layer, units: Layer) -> BoolArray:
    """After which pieces the next one lies in another unit, or in another gap between units."""
    after = np.searchsorted(2 * units.start, pieces.middle, side="right")
    stops = np.concatenate(([UNKNOWN], 2 * units.end))
    place = 2 * after + (pieces.middle < stops[after])
    return np.asarray(np.diff(place, append=UNKNOWN) != 0)


def _ends_at(pieces: Layer, points: Layer) -> tuple[BoolArray, list[str]]:
    """After which pieces the points stand, and their labels."""
    ends = np.zeros(len(pieces.labels), dtype=np.bool_)
    types = [""] * len(pieces.labels)
    if not ends.size:
        return ends, types
    labels = {
        time: label.strip()
        for time, label in zip(points.start[::-1].tolist(), points.labels[::-1], strict=True)
    }
    order = np.argsort(pieces.middle, kind="stable")
    loose = np.array(sorted(labels.keys() - set(pieces.end.tolist())), dtype=np.int64)
    before = np.searchsorted(pieces.middle[order], 2 * loose) - 1
    loose, before = loose[before >= 0], before[before >= 0]
    told = [*zip(order[before].tolist(), loose.tolist(), strict=True)]
    exact = np.flatnonzero(np.isin(pieces.end, list(labels)))
    told += zip(exact.tolist(), pieces.end[exact].tolist(), strict=True)
    for piece, time in told:
        ends[piece] = True
        types[piece] = labels[time] or types[piece]
    ends[-1] = True
    return ends, types


def _tiers(
    script: Script, start: IntArray, end: IntArray
) -> Iterator[tuple[str, str, Iterator[str]]]:
    """The class, the name and the entries of each tier to write."""
    _require_lasting(script, start, end)
    last = int(end.max(initial=0))
    for speaker, which in by_speaker(script).items():
        for row in rows(start[which], end[which]):
            spans = [
                (int(start[index]), int(end[index]), script.texts[index])
                for index in which[row].tolist()
            ]
            yield "IntervalTier", name_of(speaker), _intervals(spans, last)
        if tells_ends(script):
            yield "TextTier", f"{speaker} - su" if speaker else "su", _points(script, end, which)


def _require_lasting(script: Script, start: IntArray, end: IntArray) -> None:
    wrong = np.flatnonzero(end <= start)
    if wrong.size:
        at = int(wrong[0])
        shown = f"'{script.texts[at]}' lasts no time at {seconds(int(start[at]))}"
        cure = "an interval has to end after it begins: mend its times, or write another format"
        raise FormatError(script.source, shown, cure)


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
