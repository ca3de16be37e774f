"""Subtitles: what SubRip and WebVTT share, which is text under time lines.

Every line with `-->` is a time line, and one that cannot be read is an error. Hours may be left
out, a comma or a point stands before the fraction, and what follows the second time (WebVTT's
settings, SubRip's coordinates) is ignored. A number just above a time line, or alone between blank
lines, is the number of a cue; numbers may be missing or repeated. The lines of a cue are joined by
a blank, without tags; where they end is kept beside. These are fixed silently: cues out of order
are sorted by their start, cues without text are dropped, and so is a truncated last time line.

Rolling captions, as YouTube makes them, show each line again above the next. They are unrolled if
half of the cues begin with lines of the cue before, and two of these go on; `rolled` counts the
lines left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from caesura.core.byte_cells import Cells
from caesura.core.line_breaks import LINE_END
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError
from caesura.formats._shared.clock_times import LATEST, SECOND
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.io.files import line_feeds

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


def unified(text: str) -> str:
    """The text with one kind of line end and no byte-order mark."""
    return line_feeds(text.removeprefix("\ufeff"))


def is_time_line(line: str) -> bool:
    """Whether a line is a valid time line."""
    return _TIME_LINE.fullmatch(line) is not None


def find_cues(text: str, source: str, *, blank_ends: bool) -> Cues:
    """Find the cues of a text with unified line ends.

    `blank_ends` says that a blank line ends the text of a cue; else only the next cue does.
    """
    lines = text.split("\n")
    _drop_what_is_cut_short(lines)
    at = [index for index, line in enumerate(lines) if ARROW in line]
    _require_long_arrows(text, source)
    times = _TIME_LINE.findall("\n".join([lines[index] for index in at]))
    if len(times) < len(at):
        wrong = next(index for index in at if not is_time_line(lines[index]))
        raise _no_time_line(lines[wrong], source, wrong)
    start, end = (_micros([time[which] for time in times]) for which in (0, 1))
    late = np.flatnonzero(np.maximum(start, end) > LATEST * SECOND)
    if late.size:
        raise _no_time_line(lines[at[late[0]]], source, at[late[0]])
    bodies = _to_blank(lines, at) if blank_ends else _to_next(lines, at)
    texts = [LINE_END.join(body) for body in bodies]
    return Cues(start, end, texts, np.array(at, np.int64) + 1)


def unrolled(cues: Cues) -> Cues:
    """Cues of which each has only the lines that the one before it does not have, if they roll."""
    shown = [[line for line in text.split(LINE_END) if line.strip()] for text in cues.texts]
    plain = [[" ".join(without_tags(line).split()) for line in lines] for lines in shown]
    again = [_overlap(before, here) for before, here in pairwise(plain)]
    goes_on = sum(0 < size < len(lines) for size, lines in zip(again, shown[1:], strict=True))
    if goes_on < 2 or 2 * sum(map(bool, again)) < len(again):
        return cues
    new = [shown[0], *(lines[size:] for lines, size in zip(shown[1:], again, strict=True))]
    full = [at for at, lines in enumerate(new) if lines]
    texts = [LINE_END.join(new[at]) for at in full]
    times = cues.start[full], cues.end[full]
    return Cues(*times, texts, cues.lines[full], sum(again))


def _overlap(before: list[str], here: list[str]) -> int:
    """How many of the first lines of a cue are the last ones of the cue before it."""
    sizes = range(min(len(before), len(here)), 0, -1)
    return next((size for size in sizes if before[-size:] == here[:size]), 0)


def spoken_apart(cues: Cues) -> tuple[Cues, BoolArray]:
    """Cues cut at the times inside them (`<00:00:01.200>`), and which of the parts ends its cue."""
    parts = [_INNER_TIME.split(text) for text in cues.texts]
    inner = iter(_micros([time for part in parts for time in part[1::2]]).tolist())
    rows: list[tuple[int, int, int, bool]] = []  # start, end and line of a part; whether it is last
    for at, part in enumerate(parts):
        edges = [int(cues.start[at]), *(next(inner) for _ in part[1::2]), int(cues.end[at])]
        edges = np.minimum(np.maximum.accumulate(edges), edges[-1]).tolist()
        line = int(cues.lines[at])
        last = len(edges) - 2
        rows += [(a, b, line, at == last) for at, (a, b) in enumerate(pairwise(edges))]
    start, end, lines, is_last = np.array(rows, np.int64).reshape(-1, 4).T
    texts = [text for part in parts for text in part[::2]]
    return Cues(start, end, texts, lines, cues.rolled), is_last.astype(np.bool_)


def _no_time_line(line: str, source: str, index: int) -> FormatError:
    return FormatError(source, f"'{line.strip()[:60]}' is not a time line", CURE, line=index + 1)


def without_tags(joined: str) -> str:
    r"""Leave out tags such as `<i>`, `<c.loud>`, `<00:01.000>` and `{\an8}`; `<br>` ends a line."""
    if "<" not in joined and "{" not in joined:
        return joined
    return _TAGS.sub("", _BREAKS.sub(LINE_END, joined))


def to_script(cues: Cues, source: str, form: str, speakers: Sequence[str] | None = None) -> Script:
    """A script of the cues that have text, in the order of their times."""
    texts = [" ".join(text.split()) for text in cues.texts]
    script = Script(
        texts=texts,
        start=cues.start,
        end=cues.end,
        ends=np.ones(len(texts), dtype=np.bool_),
        speakers=speakers,
        lines=cues.lines,
        layouts=cues.texts,
        form=form,
        source=source,
        signs={"rolled": cues.rolled} if cues.rolled else {},
        interpolated=cues.interpolated,
    )
    full = [index for index, text in enumerate(texts) if text]
    if not full:
        cure = "give a file with text under time lines such as 00:00:01.000 --> 00:00:02.500"
        raise FormatError(source, "no subtitles", cure)
    return (script if len(full) == len(texts) else script.some(full)).in_order()


def timed(script: Script, form: str) -> tuple[IntArray, IntArray]:
    """The times of every piece in milliseconds; one without them lasts from the piece before it
    to the next.
    """
    if script.start is None or script.end is None or (script.start == UNKNOWN).all():
        cure = "convert a file that has them, or choose a format without times, such as lines"
        raise FormatError(script.source, f"no times, which {form} needs", cure)
    before = np.concatenate(([0], np.maximum.accumulate(script.end)[:-1])).clip(0)
    start = np.where(script.start == UNKNOWN, before, script.start)
    after = np.concatenate((start[1:], start[-1:]))
    end = np.where(script.end == UNKNOWN, np.maximum(after, start), script.end)
    return (start + 500) // 1000, (np.maximum(start, end) + 500) // 1000


def clocks(milliseconds: IntArray, point: str) -> Iterator[str]:
    """Times as hours, minutes, seconds and thousandths.

    >>> list(clocks(np.array([3_723_004]), ","))
    ['01:02:03,004']
    """
    for time in milliseconds.tolist():
        seconds, rest = divmod(time, 1000)
        minutes, seconds = divmod(seconds, 60)
        yield f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{point}{rest:03d}"


def _micros(clock: list[str]) -> IntArray:
    """Clock times as microseconds."""
    fields = Cells.split("\n".join(clock).translate(_SEPARATORS).encode("ascii"))
    line = fields.line
    from_last = np.cumsum(np.bincount(line, minlength=len(clock)))[line] - 1 - np.arange(line.size)
    micros = np.rint(fields.floats() * 1_000_000).astype(np.int64) * 60**from_last
    total = np.zeros(len(clock), dtype=np.int64)
    np.add.at(total, line, micros)
    return total


def _drop_what_is_cut_short(lines: list[str]) -> None:
    """Leave out a last line that begins a cue: whole or not, it has no text."""
    last = lines[-1]
    begins = len(lines) > 2 and (_is_number(lines[-2]) or not lines[-2])
    if begins and ":" in last and _CUT_SHORT.fullmatch(last):
        lines[-1] = ""


def _require_long_arrows(text: str, source: str) -> None:
    if text.count("->") == text.count(ARROW) and "- ->" not in text:
        return
    found = _SHORT_ARROW.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise FormatError(source, f"'{found[0].strip()}' is not a time line", CURE, line=line)


def _to_blank(lines: list[str], at: list[int]) -> Iterator[list[str]]:
    """The lines of each cue up to a blank line or the next cue."""
    for here, following in pairwise([*at, len(lines)]):
        stop = next((at for at in range(here + 1, following) if not lines[at]), following)
        body = lines[here + 1 : stop]
        is_over = stop < following or following == len(lines)
        yield body if is_over or not body or not _is_number(body[-1]) else body[:-1]


def _to_next(lines: list[str], at: list[int]) -> Iterator[list[str]]:
    """The lines of each cue up to the number of the next."""
    for here, following in pairwise([*at, len(lines)]):
        if here + 1 < following < len(lines) and _is_number(lines[following - 1]):
            yield lines[here + 1 : following - 1]
        else:
            yield _without_lone_number(lines[here + 1 : following])


def _without_lone_number(body: list[str]) -> list[str]:
    """The lines without a number at their end that has a blank line before it."""
    stop = len(body)
    while stop and not body[stop - 1].strip():
        stop -= 1
    lone = stop > 1 and _is_number(body[stop - 1]) and not body[stop - 2].strip()
    return body[: stop - 1] if lone else body


def _is_number(line: str) -> bool:
    return line.strip().isdecimal()
