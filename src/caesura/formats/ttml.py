"""TTML (.ttml, .dfxp, IMSC, EBU-TT-D): subtitles in XML, with agents as speakers.

A paragraph `<p>` is a piece, or each of its spans that have times of their own. Times of nested
elements are counted from the beginning of the element around them; clock times, frames, ticks and
offsets (`1.5s`) are read; sequences in time (`timeContainer="seq"`) are an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from caesura.core.format import Codec
from caesura.core.line_breaks import LINE_END
from caesura.errors import FormatError
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward
from caesura.formats.subtitles import Cues, to_script

DEPTH = 256
CURE = "give TTML in which each <p> has begin and end"
_CLOCK = re.compile(r"(\d{2,6}):([0-5]\d):([0-5]\d|60)(?:\.(\d+)|:(\d{2,})(?:\.\d+)?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(h|ms|m|s|f|t)", re.ASCII)


def parse(text: str, source: str = "<ttml>") -> list[Script]:
    """Read one recording: a piece for each paragraph, or span with times, as a unit."""
    read = _TtmlReader(source)
    read.read(text)
    pieces = [each for each in read.pieces if each.text.strip()]
    for each in pieces:
        if UNKNOWN in (each.start, each.end):
            raise FormatError(source, "text without times", CURE, line=each.line)
    times = np.array([(each.start, each.end) for each in pieces], np.int64).reshape(-1, 2)
    lines = np.array([each.line for each in pieces], np.int64)
    cues = Cues(times[:, 0], times[:, 1], [each.text for each in pieces], lines)
    require_forward(Script(cues.texts, cues.start, cues.end, lines=lines, source=source))
    speakers = [read.names.get(each.agent, each.agent) for each in pieces]
    return [to_script(cues, source, "ttml", speakers if any(speakers) else None)]


@dataclass(slots=True)
class _Caption:
    """What is on the screen at a time."""

    start: int
    end: int
    agent: str
    line: int
    text: str = ""


@dataclass(slots=True)
class _Element:
    """An open element: its name, its times, who speaks, and the piece that its text belongs to."""

    name: str
    start: int = UNKNOWN
    end: int = UNKNOWN
    agent: str = ""
    piece: _Caption | None = None


@dataclass(slots=True)
class _TtmlReader:
    """The pieces and agents of a document, as they come out of the XML."""

    source: str
    pieces: list[_Caption] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    open: list[_Element] = field(default_factory=list)
    frames: Fraction = Fraction(30)
    ticks: Fraction = Fraction(1)
    agent: str = ""
    parser: expat.XMLParserType = field(default_factory=lambda: expat.ParserCreate("utf-8", "}"))

    def read(self, text: str) -> None:
        """Parse a document; one with a document type or entities of its own is refused."""
        parser = self.parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        try:
            parser.Parse(text.encode("utf-8", "surrogatepass"), True)  # noqa: FBT003
        except expat.ExpatError as problem:
            reason = expat.errors.messages.get(problem.code, str(problem))
            line = problem.lineno
            raise FormatError(self.source, f"broken XML ({reason})", CURE, line=line) from None

    def _fail(self, problem: str, cure: str = CURE) -> NoReturn:
        raise FormatError(self.source, problem, cure, line=self.parser.CurrentLineNumber)

    def _refuse(self, *_: object) -> NoReturn:
        self._fail("entities of its own", "remove them; TTML has none")

    def _start(self, name: str, given: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        attributes = {each.rpartition("}")[2]: value for each, value in given.items()}
        if not self.open and tag != "tt":
            self._fail(f"<{tag[:40]}> instead of <tt>")
        if len(self.open) >= DEPTH:
            self._fail(f"elements nested deeper than {DEPTH}")
        if attributes.get("timeContainer") == "seq":
            self._fail("a sequence in time (timeContainer)", "give every <p> its own times")
        if tag == "tt":
            self._take_rates(attributes)
        elif tag == "agent":
            self.agent = attributes.get("id", "")
        self.open.append(self._element(tag, attributes))

    def _element(self, tag: str, attributes: dict[str, str]) -> _Element:
        """An element, its times made absolute, and a piece where one begins."""
        around = self.open[-1] if self.open else _Element("")
        start, end, lasts = (self._time(attributes.get(n)) for n in ("begin", "end", "dur"))
        base = 0 if around.start == UNKNOWN else around.start
        is_timed = start != UNKNOWN or end != UNKNOWN or lasts != UNKNOWN
        on = base + max(start, 0) if is_timed else around.start
        ends = [base + end] if end != UNKNOWN else []
        ends += [on + lasts] if lasts != UNKNOWN else []
        ends += [around.end] if around.end != UNKNOWN else []
        agent = attributes.get("agent") or around.agent
        made = _Element(tag, on, min(ends, default=UNKNOWN), agent)
        made.piece = around.piece if tag in ("span", "br", "ruby") else None
        if tag == "br" and made.piece:
            made.piece.text += LINE_END
        if tag == "p" or (tag == "span" and is_timed and made.piece):
            first, line = (agent.split() or [""])[0], self.parser.CurrentLineNumber
            made.piece = _Caption(made.start, made.end, first, line)
            self.pieces.append(made.piece)
        return made

    def _end(self, name: str) -> None:
        closed = self.open.pop()
        around = self.open[-1] if self.open else None
        if name.endswith("agent"):
            self.agent = ""
        if around and closed.piece is not around.piece and around.piece:
            piece = around.piece  # what follows a span with times of its own is another piece
            around.piece = _Caption(piece.start, piece.end, piece.agent, piece.line)
            self.pieces.append(around.piece)

    def _characters(self, text: str) -> None:
        element = self.open[-1]
        if element.piece is not None:
            element.piece.text += text
        elif element.name == "name" and self.agent:
            said = f"{self.names.get(self.agent, '')} {text}"
            self.names[self.agent] = " ".join(said.split())

    def _take_rates(self, attributes: dict[str, str]) -> None:
        def number(name: str, default: int) -> int:
            value = attributes.get(name, "")
            return int(value) if re.fullmatch(r"[1-9]\d{0,9}", value) else default

        up, _, down = attributes.get("frameRateMultiplier", "1 1").partition(" ")
        is_sound = up.isdecimal() and down.isdecimal() and int(down) > 0
        factor = Fraction(int(up), int(down)) if is_sound else Fraction(1)
        self.frames = number("frameRate", 30) * factor or Fraction(30)
        is_framed = "frameRate" in attributes
        ticks = self.frames * number("subFrameRate", 1) if is_framed else Fraction(1)
        self.ticks = Fraction(number("tickRate", 0)) or ticks

    def _time(self, value: str | None) -> int:
        """A time expression as microseconds."""
        if value is None:
            return UNKNOWN
        clock, offset = _CLOCK.fullmatch(value.strip()), _OFFSET.fullmatch(value.strip())
        if clock:
            whole = (int(clock[1]) * 60 + int(clock[2])) * 60 + int(clock[3])
            rest = Fraction(f"0.{clock[4][:15]}") if clock[4] else Fraction(0)
            rest += int(clock[5] or 0) / self.frames
            seconds = whole + rest
        elif offset:
            rates = {"f": 1 / self.frames, "t": 1 / self.ticks, "ms": Fraction(1, 1000)}
            units = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1)}
            seconds = Fraction(offset[1]) * (units | rates)[offset[2]]
        else:
            self._fail(f"'{value[:40]}' is not a time")
        if seconds > LATEST:
            self._fail(f"'{value[:40]}' is too late")
        return round(seconds * SECOND)


CODECS = {"ttml": Codec(parse)}
