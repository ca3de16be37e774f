r"""Subtitles: SubRip (.srt), WebVTT, SubStation Alpha (.ass, .ssa) and TTML (.ttml, .dfxp).

In SubRip and WebVTT, every line with `-->` is a time line, and one that cannot be read is an
error. Hours may be left out, a comma or a point stands before the fraction, and what follows the
second time (WebVTT's settings, SubRip's coordinates) is ignored. A number just above a time line,
or alone between blank lines, is the number of a cue; numbers may be missing or repeated. The lines
of a cue are joined by a blank, without tags; where they end is kept beside. These are fixed
silently: cues out of order are sorted by their start, cues without text are dropped, and so is a
truncated last time line.

Rolling captions, as YouTube makes them, show each line again above the next. They are unrolled if
half of the cues begin with lines of the cue before, and two of these go on; `rolled` counts the
lines left out.

SubRip cannot escape `<` or `->`. We insert a word joiner, which is invisible, after the first
character of `<x`, `{\` and `->`, and remove it when reading.

In WebVTT, the text of a cue ends at a blank line; a block without a time line is left out, as are
NOTE, STYLE and REGION. A cue in which several speak (`<v Name>`) becomes a piece for each, which
share its time in proportion to the letters and digits of their words. The line `WEBVTT` may be
missing.

In SubStation Alpha, an event is a line `Dialogue:` with the columns that the line `Format:` of its
section names. Overrides and comments (`{\i1}`) are left out, drawings too; `\N` and `\n` end a
line, `\h` is a blank. Literal braces are written `\{` and `\}`, as libass reads them.

TTML (also IMSC and EBU-TT-D) is XML, with agents as speakers. A paragraph `<p>` is a piece, or
each of its spans that have times of their own. Times of nested elements are counted from the
beginning of the element around them; clock times, frames, ticks and offsets (`1.5s`) are read;
sequences in time (`timeContainer="seq"`) are an error.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from caesura.core.byte_cells import Cells
from caesura.core.format import Codec
from caesura.core.line_breaks import LINE_END
from caesura.core.segmentation import BoolArray, IntArray, spoken_lengths
from caesura.errors import FormatError
from caesura.formats.plain import scan
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward
from caesura.io.files import line_feeds

if TYPE_CHECKING:
    from fractions import Fraction

    from caesura.formats.xml_tree import Element

ARROW = "-->"
CURE = "write a time line as 00:00:01.000 --> 00:00:02.500"
_TIME = r"(?:[0-9]{1,6}:)?[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]{1,9})?"
_BLANK = r"[^\S\n]"
_TIME_LINE = re.compile(
    rf"^{_BLANK}*({_TIME}){_BLANK}*-->{_BLANK}*({_TIME})(?:{_BLANK}.*)?$", re.MULTILINE
)
_SHORT_ARROW = re.compile(rf"^[ \t]*{_TIME}[ \t]*(?:-[ \t]+)?->", re.MULTILINE)
_CUT_SHORT = re.compile(r"[0-9:., >-]+")
_TAGS = re.compile(r"<(?:/?[A-Za-z.][^<>\n]*|[0-9:.]+|/)>|\{\\[^{}\n]*\}")
_INNER_TIME = re.compile(r"<((?:[0-9]{1,6}:)?[0-5]?[0-9]:[0-5]?[0-9]\.[0-9]{1,6})>")
_BREAKS = re.compile(r"<br ?/?>", re.IGNORECASE)
_SEPARATORS = str.maketrans(":,", " .")
_JOINER = "\u2060"


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of a file: times in microseconds, raw text, line of the time line.

    The lines of a text are separated by LINE_END, which is white space. `interpolated` are those
    that share the time of one cue with others.
    """

    start: IntArray
    end: IntArray
    texts: list[str]
    lines: IntArray
    rolled: int = 0
    interpolated: BoolArray | None = None


# SubRip

_JOINED = re.compile(rf"([<{{-]){_JOINER}")
_TO_ESCAPE = re.compile(r"<(?=[A-Za-z0-9./:])|\{(?=\\)|-(?=>)")


def parse_srt(text: str, source: str = "<srt>") -> list[Script]:
    """Read one recording: a piece for each subtitle, as a unit."""
    cues = find_cues(unified(text), source, blank_ends=False)
    cues = unrolled(cues)
    joined = without_tags("\n".join(cues.texts))
    texts = (_JOINED.sub(r"\1", joined) if _JOINER in joined else joined).split("\n")
    return [to_script(replace(cues, texts=texts if cues.texts else []), source, "srt")]


def write_srt(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a subtitle for each piece that has text."""
    for number, (text, _, on, off) in enumerate(_timed_texts(scripts, "SubRip", ","), 1):
        line = _TO_ESCAPE.sub(rf"\g<0>{_JOINER}", text)
        yield f"{number}\n{on} --> {off}\n{line}\n\n"


def is_like_srt(head: str) -> bool:
    """Whether one of the first two lines is a time line."""
    first = unified(head).split("\n", 2)[:2]
    return any(map(_TIME_LINE.fullmatch, first))


# WebVTT

HEADER = "WEBVTT"
_HEADER_LINE = re.compile(rf"{HEADER}[^\n]*")
_BLOCK = re.compile(r"(?:\A\n?|(?<=\n\n))(?:NOTE|STYLE|REGION)(?![^ \t\n])[^\n]*(?:\n[^\n]+)*")
_VOICE = re.compile(r"<(?:v(?:\.[^\s<>]*)?[ \t\x1f]+([^<>\n]*)|/v)>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def parse_vtt(text: str, source: str = "<vtt>") -> list[Script]:
    """Read one recording: a piece for each cue, as a unit."""
    text = unified(text)
    if text.startswith(HEADER):
        text = _HEADER_LINE.sub("", text, count=1)
    if any(name in text for name in ("NOTE", "STYLE", "REGION")):  # blanked out: lines stay
        text = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    cues = find_cues(text, source, blank_ends=True)
    cues = unrolled(cues)
    if not cues.rolled:
        cues, speakers = _by_voice(cues)
        return [to_script(cues, source, "vtt", speakers)]
    parts, is_last = _at_inner_times(cues)  # the words, with the times at which each is shown
    texts = _plain(parts.texts)
    cue: IntArray = np.cumsum(is_last) - is_last  # of each part, the number of its cue
    full = [part for part, text in enumerate(texts) if text.strip()]
    script = to_script(replace(parts, texts=texts), source, "vtt")
    return [replace(script, ends=np.append(np.diff(cue[full]) > 0, True), layouts=None)]


def _at_inner_times(cues: Cues) -> tuple[Cues, BoolArray]:
    """Cues cut at the times inside them (`<00:00:01.200>`), and which of the parts ends its cue."""
    parts = [_INNER_TIME.split(text) for text in cues.texts]
    inner = iter(_micros([time for part in parts for time in part[1::2]]).tolist())
    rows: list[tuple[int, int, int, bool]] = []  # start, end and line of a part; whether it is last
    for cue, part in enumerate(parts):
        edges = [int(cues.start[cue]), *(next(inner) for _ in part[1::2]), int(cues.end[cue])]
        edges = np.minimum(np.maximum.accumulate(edges), edges[-1]).tolist()
        line, last = int(cues.lines[cue]), len(edges) - 2
        rows += [(a, b, line, index == last) for index, (a, b) in enumerate(pairwise(edges))]
    start, end, lines, is_last = np.array(rows, np.int64).reshape(-1, 4).T
    texts = [text for part in parts for text in part[::2]]
    return Cues(start, end, texts, lines, cues.rolled), is_last.astype(np.bool_)


def _by_voice(cues: Cues) -> tuple[Cues, list[str]]:
    """Split the cues where the speaker changes; without tags, and the speakers of the parts.

    Parts share the time of their cue by the lengths of their words; those without words have none.
    """
    if not any("<v" in text for text in cues.texts):
        return replace(cues, texts=_plain(cues.texts)), []
    parts = [_VOICE.split(text) for text in cues.texts]
    names = [name for part in parts for name in ("", *part[1::2])]
    texts = _plain([text for part in parts for text in part[::2]])
    cue = np.repeat(np.arange(len(parts)), [len(part) // 2 + 1 for part in parts])
    full = np.array([index for index, text in enumerate(texts) if text.strip()], np.int64)
    scanned = scan("\n".join(texts))
    lengths = spoken_lengths(scanned.words) if scanned.length else np.zeros(0, np.int64)
    ends = np.append(scanned.words_before("\n"), scanned.length)
    sizes = np.diff(np.append(0, np.cumsum(lengths))[ends], prepend=0)  # how long each text lasts
    cue, sizes = cue[full], sizes[full]
    sizes = np.where(np.bincount(cue, sizes, len(parts))[cue] > 0, sizes, 1)
    share = np.cumsum(sizes) - sizes
    share -= share[np.searchsorted(cue, cue)]
    whole = np.bincount(cue, sizes, len(parts))[cue]
    on, lasts = cues.start[cue], (cues.end - cues.start)[cue]
    is_shared = np.bincount(cue, minlength=len(parts))[cue] > 1
    parted = Cues(
        on + np.rint(lasts * (share / whole)).astype(np.int64),
        on + np.rint(lasts * ((share + sizes) / whole)).astype(np.int64),
        [texts[index] for index in full.tolist()],
        cues.lines[cue],
        interpolated=is_shared if is_shared.any() else None,
    )
    speakers = [" ".join(_decoded(names[index] or "").split()) for index in full.tolist()]
    return parted, speakers


def _plain(texts: list[str]) -> list[str]:
    return _decoded(without_tags("\n".join(texts))).split("\n") if texts else []


def _decoded(text: str) -> str:
    """Read entities such as `&amp;`; one that stands for white space is a blank."""

    def character(entity: re.Match[str]) -> str:
        read = html.unescape(entity[0])
        return " " if read.isspace() else read

    return _ENTITY.sub(character, text) if "&" in text else text


def write_vtt(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a cue for each piece that has text, with its speaker."""
    yield f"{HEADER}\n\n"
    for text, speaker, on, off in _timed_texts(scripts, "WebVTT", "."):
        name = _escaped(" ".join(speaker.split())) if speaker else ""
        if name.endswith("-"):  # which would make an arrow of the tag's end
            name = f"{name[:-1]}&#45;"
        yield f"{on} --> {off}\n{f'<v {name}>' if name else ''}{_escaped(text)}\n\n"


def _escaped(text: str) -> str:
    return html.escape(text, quote=False).replace("{\\", "&#123;\\")


# SubStation Alpha

COLUMNS = [
    "Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text",
]  # fmt: skip
ASS_CURE = f"write Dialogue: 0,0:00:01.00,0:00:02.50,… with the columns {', '.join(COLUMNS)}"
_EVENT_TIME = re.compile(r"\s*(\d{1,6}):([0-5]?\d):([0-5]?\d)(?:[.:](\d{1,6}))?\s*", re.ASCII)
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
_ESCAPED_BRACE = re.compile(r"\\([{}])")
_OVERRIDE = re.compile(r"\{[^{}]*\}")
_OPEN, _CLOSE = "\ue0f0", "\ue0f1"
"""What stands for literal braces while overrides are left out."""


def parse_ass(text: str, source: str = "<ass>") -> list[Script]:
    """Read one recording: a piece for each event, as a unit."""
    columns, section = [name.lower() for name in COLUMNS], ""
    times, lines, speakers, texts = [], [], [], []
    for number, line in enumerate(unified(text).split("\n"), 1):
        kind, _, rest = line.strip().partition(":")
        if line.startswith("["):
            section = line.strip().lower()
        elif section == "[events]" and kind == "Format":
            columns = [name.strip().lower() for name in rest.split(",")]
        elif kind == "Dialogue" and section in ("", "[events]"):
            cells = rest.split(",", len(columns) - 1)
            event = dict(zip(columns, cells, strict=False))
            if len(cells) < len(columns) or "text" not in event:
                raise _no_event(rest, source, number)
            times.append([_event_time(event.get(n, ""), rest, source, number)
                          for n in ("start", "end")])  # fmt: skip
            lines.append(number)
            speakers.append(" ".join((event.get("name") or event.get("actor") or "").split()))
            texts.append(_without_overrides(event["text"]))
    start, end = np.array(times, np.int64).reshape(-1, 2).T
    cues = Cues(start, end, texts, np.array(lines, np.int64))
    return [to_script(cues, source, "ass", speakers)]


def _event_time(written: str, event: str, source: str, line: int) -> int:
    time = _EVENT_TIME.fullmatch(written)
    if time is None:
        raise _no_event(event, source, line)
    hours, minutes, seconds = (int(part) for part in time.groups()[:3])
    fraction = int((time[4] or "0").ljust(6, "0"))
    micros = ((hours * 60 + minutes) * 60 + seconds) * SECOND + fraction
    if micros > LATEST * SECOND:
        raise FormatError(source, "a time that is too late", ASS_CURE, line=line)
    return micros


def _no_event(event: str, source: str, line: int) -> FormatError:
    return FormatError(source, f"'{event.strip()[:40]}' is not an event", ASS_CURE, line=line)


def _without_overrides(text: str) -> str:
    """A text without overrides; a drawing has none."""
    if _DRAWING.search(text):
        return ""
    kept = _ESCAPED_BRACE.sub(lambda brace: _OPEN if brace[1] == "{" else _CLOSE, text)
    kept = _OVERRIDE.sub("", kept).replace(_OPEN, "{").replace(_CLOSE, "}")
    for mark, character in ((r"\N", LINE_END), (r"\n", LINE_END), (r"\h", " ")):
        kept = kept.replace(mark, character)
    return kept.replace(f"\\{_JOINER}", "\\")


# TTML

DEPTH = 256
TTML_CURE = "give TTML in which each <p> has begin and end"
_CLOCK = re.compile(r"(\d{2,6}):([0-5]\d):([0-5]\d|60)(?:\.(\d+)|:(\d{2,})(?:\.\d+)?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(h|ms|m|s|f|t)", re.ASCII)


def parse_ttml(text: str, source: str = "<ttml>") -> list[Script]:
    """Read one recording: a piece for each paragraph, or span with times, as a unit."""
    from caesura.formats.xml_tree import parse_xml

    refused = "entities of its own", "remove them; TTML has none"
    root = parse_xml(text, source, ("tt", TTML_CURE), TTML_CURE, refused, depth=DEPTH)
    captions = _Captions(_unit_seconds(root))
    captions.read(root, _Caption())
    pieces = [each for each in captions.pieces if each.text.strip()]
    for each in pieces:
        if UNKNOWN in (each.start, each.end):
            raise FormatError(source, "text without times", TTML_CURE, line=each.line)
    rows = np.array([(each.start, each.end, each.line) for each in pieces], np.int64)
    start, end, lines = rows.reshape(-1, 3).T
    names = {
        agent.attributes["id"]: " ".join(
            word for part in agent.walk() if part.name == "name" for word in part.text.split()
        )
        for agent in root.walk()
        if agent.name == "agent" and agent.attributes.get("id")
    }
    agents = [(each.agent.split() or [""])[0] for each in pieces]
    cues = Cues(start, end, [each.text for each in pieces], lines)
    return [to_script(cues, source, "ttml", [names.get(agent) or agent for agent in agents])]


def _unit_seconds(root: Element) -> dict[str, Fraction]:
    """How many seconds each unit of an offset has, frames (f) and ticks (t) among them."""
    from fractions import Fraction

    def number(name: str, default: int) -> int:
        value = root.attributes.get(name, "")
        return int(value) if re.fullmatch(r"[1-9]\d{0,9}", value) else default

    up, _, down = root.attributes.get("frameRateMultiplier", "1 1").partition(" ")
    is_sound = up.isdecimal() and down.isdecimal() and int(down) > 0
    factor = Fraction(int(up), int(down)) if is_sound else Fraction(1)
    frames = number("frameRate", 30) * factor or Fraction(30)
    is_framed = "frameRate" in root.attributes
    ticks = frames * number("subFrameRate", 1) if is_framed else Fraction(1)
    ticks = Fraction(number("tickRate", 0)) or ticks
    units = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
    return units | {"f": 1 / frames, "t": 1 / ticks}


@dataclass(slots=True)
class _Caption:
    """What is on the screen at a time, and who speaks."""

    start: int = UNKNOWN
    end: int = UNKNOWN
    agent: str = ""
    line: int = 0
    text: str = ""


@dataclass(slots=True)
class _Captions:
    """The pieces of a document."""

    units: dict[str, Fraction]
    pieces: list[_Caption] = field(default_factory=list)

    def read(
        self, element: Element, around: _Caption, piece: _Caption | None = None
    ) -> _Caption | None:
        """Read an element inside one with some times, and a piece if it is part of one.

        Return the piece that the text at its end belongs to.
        """
        if element.attributes.get("timeContainer") == "seq":
            cure = "give every <p> its own times"
            raise element.error("a sequence in time (timeContainer)", cure)
        start, end, lasts = (self._time(element, name) for name in ("begin", "end", "dur"))
        base = 0 if around.start == UNKNOWN else around.start
        is_timed = start != UNKNOWN or end != UNKNOWN or lasts != UNKNOWN
        on = base + max(start, 0) if is_timed else around.start
        ends = [base + end] if end != UNKNOWN else []
        ends += [on + lasts] if lasts != UNKNOWN else []
        ends += [around.end] if around.end != UNKNOWN else []
        agent = element.attributes.get("agent") or around.agent
        times = _Caption(on, min(ends, default=UNKNOWN), agent, element.line)
        if element.name not in ("span", "br", "ruby"):
            piece = None
        if element.name == "br" and piece:
            piece.text += LINE_END
        if element.name == "p" or (element.name == "span" and is_timed and piece):
            piece = times
            self.pieces.append(piece)
        for part in element.content:
            if isinstance(part, str):
                if piece:
                    piece.text += part
            elif self.read(part, times, piece) is not piece and piece:
                piece = replace(piece, text="")  # what follows is another piece
                self.pieces.append(piece)
        return piece

    def _time(self, element: Element, name: str) -> int:
        """A time expression as microseconds."""
        value = element.attributes.get(name)
        if value is None:
            return UNKNOWN
        clock, offset = _CLOCK.fullmatch(value.strip()), _OFFSET.fullmatch(value.strip())
        if clock:
            numbers = zip("hmsf", clock.group(1, 2, 3, 5), strict=True)
            seconds = sum(int(number or 0) * self.units[unit] for unit, number in numbers)
            fraction = (clock[4] or "")[:15]
            seconds += self.units["s"] * int(fraction or 0) / 10 ** len(fraction)
        elif offset:
            whole, _, fraction = offset[1].partition(".")
            seconds = int(whole + fraction) * self.units[offset[2]] / 10 ** len(fraction)
        else:
            raise element.error(f"'{value[:40]}' is not a time", TTML_CURE)
        if seconds > LATEST:
            raise element.error(f"'{value[:40]}' is too late", TTML_CURE)
        micros: int = round(seconds * SECOND)
        return micros


# Cues under time lines


def unified(text: str) -> str:
    """The text with one kind of line end and no byte-order mark."""
    return line_feeds(text.removeprefix("\ufeff"))


def find_cues(text: str, source: str, *, blank_ends: bool) -> Cues:
    """Find the cues of a text with unified line ends.

    `blank_ends` says that a blank line ends the text of a cue; else only the next cue does.
    """
    lines = text.split("\n")
    begins_cue = len(lines) > 2 and (_is_number(lines[-2]) or not lines[-2])
    if begins_cue and ":" in lines[-1] and _CUT_SHORT.fullmatch(lines[-1]):
        lines[-1] = ""  # a time line, whole or not, without text
    at = [index for index, line in enumerate(lines) if ARROW in line]
    has_short = text.count("->") != text.count(ARROW) or "- ->" in text
    if has_short and (short := _SHORT_ARROW.search(text)):
        raise _no_time_line(short[0], source, text.count("\n", 0, short.start()))
    times = _TIME_LINE.findall("\n".join([lines[index] for index in at]))
    if len(times) < len(at):
        wrong = next(index for index in at if not _TIME_LINE.fullmatch(lines[index]))
        raise _no_time_line(lines[wrong], source, wrong)
    start, end = (_micros([time[which] for time in times]) for which in (0, 1))
    late = np.flatnonzero(np.maximum(start, end) > LATEST * SECOND)
    if late.size:
        raise _no_time_line(lines[at[late[0]]], source, at[late[0]])
    bodies = _to_blank(lines, at) if blank_ends else _to_next(lines, at)
    texts = [LINE_END.join(body) for body in bodies]
    cues = Cues(start, end, texts, np.array(at, np.int64) + 1)
    require_forward(Script(texts, start, end, lines=cues.lines, source=source))
    return cues


def _no_time_line(line: str, source: str, index: int) -> FormatError:
    return FormatError(source, f"'{line.strip()[:60]}' is not a time line", CURE, line=index + 1)


def _to_blank(lines: list[str], at: list[int]) -> Iterator[list[str]]:
    """The lines of each cue up to a blank line or the next cue."""
    for here, following in pairwise([*at, len(lines)]):
        stop = next((i for i in range(here + 1, following) if not lines[i]), following)
        body = lines[here + 1 : stop]
        is_over = stop < following or following == len(lines)
        yield body if is_over or not body or not _is_number(body[-1]) else body[:-1]


def _to_next(lines: list[str], at: list[int]) -> Iterator[list[str]]:
    """The lines of each cue up to the number of the next, also one alone between blank lines."""
    for here, following in pairwise([*at, len(lines)]):
        if here + 1 < following < len(lines) and _is_number(lines[following - 1]):
            yield lines[here + 1 : following - 1]
            continue
        body = lines[here + 1 : following]
        stop = len(body)
        while stop and not body[stop - 1].strip():
            stop -= 1
        is_lone = stop > 1 and _is_number(body[stop - 1]) and not body[stop - 2].strip()
        yield body[: stop - 1] if is_lone else body


def _is_number(line: str) -> bool:
    return line.strip().isdecimal()


def _micros(clock: list[str]) -> IntArray:
    """Clock times as microseconds."""
    fields = Cells.split("\n".join(clock).translate(_SEPARATORS).encode("ascii"))
    line = fields.line
    from_last = np.cumsum(np.bincount(line, minlength=len(clock)))[line] - 1 - np.arange(line.size)
    micros = np.rint(fields.floats() * 1_000_000).astype(np.int64) * 60**from_last
    total = np.zeros(len(clock), dtype=np.int64)
    np.add.at(total, line, micros)
    return total


def unrolled(cues: Cues) -> Cues:
    """Cues of which each has only the lines that the one before it does not have, if they roll."""
    shown = [[line for line in text.split(LINE_END) if line.strip()] for text in cues.texts]
    plain = [[" ".join(without_tags(line).split()) for line in lines] for lines in shown]
    again = [  # how many of the first lines of a cue are the last ones of the cue before it
        next((n for n in range(min(len(a), len(b)), 0, -1) if a[-n:] == b[:n]), 0)
        for a, b in pairwise(plain)
    ]
    goes_on = sum(0 < size < len(lines) for size, lines in zip(again, shown[1:], strict=True))
    if goes_on < 2 or 2 * sum(map(bool, again)) < len(again):
        return cues
    new = [shown[0], *(lines[size:] for lines, size in zip(shown[1:], again, strict=True))]
    full = [cue for cue, lines in enumerate(new) if lines]
    texts = [LINE_END.join(new[cue]) for cue in full]
    return Cues(cues.start[full], cues.end[full], texts, cues.lines[full], sum(again))


def without_tags(joined: str) -> str:
    r"""Leave out tags such as `<i>`, `<c.loud>`, `<00:01.000>` and `{\an8}`; `<br>` ends a line."""
    if "<" not in joined and "{" not in joined:
        return joined
    return _TAGS.sub("", _BREAKS.sub(LINE_END, joined))


def to_script(cues: Cues, source: str, form: str, speakers: Sequence[str] = ()) -> Script:
    """A script of the cues that have text, in the order of their times."""
    texts = [" ".join(text.split()) for text in cues.texts]
    script = Script(
        texts=texts,
        start=cues.start,
        end=cues.end,
        ends=np.ones(len(texts), dtype=np.bool_),
        speakers=speakers if any(speakers) else None,
        lines=cues.lines,
        layouts=cues.texts,
        form=form,
        source=source,
        signs={"rolled": cues.rolled} if cues.rolled else {},
        interpolated=cues.interpolated,
    )
    require_forward(script)
    full = [index for index, text in enumerate(texts) if text]
    if not full:
        cure = "give a file with text under time lines such as 00:00:01.000 --> 00:00:02.500"
        raise FormatError(source, "no subtitles", cure)
    return (script if len(full) == len(texts) else script.some(full)).in_order()


def _timed_texts(
    scripts: Sequence[Script], form: str, point: str
) -> Iterator[tuple[str, str, str, str]]:
    """The text of each piece that has one, on one line, its speaker, and when it begins and ends.

    A piece without times lasts from the piece before it to the next.
    """
    for script in scripts:
        if not len(script):
            continue
        if script.start is None or script.end is None or (script.start == UNKNOWN).all():
            cure = "convert a file that has them, or choose a format without times, such as lines"
            raise FormatError(script.source, f"no times, which {form} needs", cure)
        before = np.concatenate(([0], np.maximum.accumulate(script.end)[:-1])).clip(0)
        start = np.where(script.start == UNKNOWN, before, script.start)
        after = np.concatenate((start[1:], start[-1:]))
        end = np.where(script.end == UNKNOWN, np.maximum(after, start), script.end)
        times = [(micros + 500) // 1000 for micros in (start, np.maximum(start, end))]
        speakers = script.speakers or [""] * len(script)
        rows = zip(script.texts, speakers, *(each.tolist() for each in times), strict=True)
        for text, speaker, on, off in rows:
            if line := " ".join(text.split()):
                yield line, speaker, clock(on, point), clock(off, point)


def clock(milliseconds: int, point: str) -> str:
    """A time as hours, minutes, seconds and thousandths.

    >>> clock(3_723_004, ",")
    '01:02:03,004'
    """
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{point}{rest:03d}"


CODECS = {
    "srt": Codec(parse_srt, write_srt, is_like_srt),
    "vtt": Codec(parse_vtt, write_vtt),
    "ass": Codec(parse_ass),
    "ttml": Codec(parse_ttml),
}
