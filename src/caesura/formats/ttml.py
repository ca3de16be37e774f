"""TTML (.ttml, .dfxp, IMSC, EBU-TT-D): subtitles in XML, with agents as speakers.

A paragraph `<p>` is a piece, or each of its spans that have times of their own. Times of nested
elements are counted from the beginning of the element around them; clock times, frames, ticks and
offsets (`1.5s`) are read; sequences in time (`timeContainer="seq"`) are an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from caesura.core.format import Codec
from caesura.core.line_breaks import LINE_END
from caesura.errors import FormatError
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward
from caesura.formats.subtitles import Cues, to_script
from caesura.formats.xml_tree import Element, parse_xml

DEPTH = 256
CURE = "give TTML in which each <p> has begin and end"
_CLOCK = re.compile(r"(\d{2,6}):([0-5]\d):([0-5]\d|60)(?:\.(\d+)|:(\d{2,})(?:\.\d+)?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(h|ms|m|s|f|t)", re.ASCII)


def parse(text: str, source: str = "<ttml>") -> list[Script]:
    """Read one recording: a piece for each paragraph, or span with times, as a unit."""
    refused = "entities of its own", "remove them; TTML has none"
    root = parse_xml(text, source, ("tt", CURE), CURE, refused, depth=DEPTH)
    captions = _Captions(*_rates(root))
    captions.read(root, _Caption())
    pieces = [each for each in captions.pieces if each.text.strip()]
    for each in pieces:
        if UNKNOWN in (each.start, each.end):
            raise FormatError(source, "text without times", CURE, line=each.line)
    times = np.array([(each.start, each.end) for each in pieces], np.int64).reshape(-1, 2)
    lines = np.array([each.line for each in pieces], np.int64)
    cues = Cues(times[:, 0], times[:, 1], [each.text for each in pieces], lines)
    require_forward(Script(cues.texts, cues.start, cues.end, lines=cues.lines, source=source))
    names = {
        agent.attributes["id"]: " ".join(
            word for part in agent.walk() if part.name == "name" for word in part.text.split()
        )
        for agent in root.walk()
        if agent.name == "agent" and agent.attributes.get("id")
    }
    agents = [(each.agent.split() or [""])[0] for each in pieces]
    speakers = [names.get(agent) or agent for agent in agents]
    return [to_script(cues, source, "ttml", speakers if any(speakers) else None)]


def _rates(root: Element) -> tuple[Fraction, Fraction]:
    """How many frames and ticks a second has."""

    def number(name: str, default: int) -> int:
        value = root.attributes.get(name, "")
        return int(value) if re.fullmatch(r"[1-9]\d{0,9}", value) else default

    up, _, down = root.attributes.get("frameRateMultiplier", "1 1").partition(" ")
    is_sound = up.isdecimal() and down.isdecimal() and int(down) > 0
    factor = Fraction(int(up), int(down)) if is_sound else Fraction(1)
    frames = number("frameRate", 30) * factor or Fraction(30)
    is_framed = "frameRate" in root.attributes
    ticks = frames * number("subFrameRate", 1) if is_framed else Fraction(1)
    return frames, Fraction(number("tickRate", 0)) or ticks


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

    frames: Fraction
    ticks: Fraction
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
            whole = (int(clock[1]) * 60 + int(clock[2])) * 60 + int(clock[3])
            rest = Fraction(f"0.{clock[4][:15]}") if clock[4] else Fraction(0)
            rest += int(clock[5] or 0) / self.frames
            seconds = whole + rest
        elif offset:
            rates = {"f": 1 / self.frames, "t": 1 / self.ticks, "ms": Fraction(1, 1000)}
            units = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1)}
            seconds = Fraction(offset[1]) * (units | rates)[offset[2]]
        else:
            raise element.error(f"'{value[:40]}' is not a time", CURE)
        if seconds > LATEST:
            raise element.error(f"'{value[:40]}' is too late", CURE)
        return round(seconds * SECOND)


CODECS = {"ttml": Codec(parse)}
