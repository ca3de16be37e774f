r"""CHAT (.cha), of CHILDES and TalkBank: utterances with speakers, codes, and times as bullets.

A piece is an utterance, a main line such as `*CHI: so it rained . ·0_1500·`, whose bullet has
milliseconds between two characters U+0015. Kept are the words that are said, with retracings,
fillers (`&-uh`) and fragments (`&+ra`); left out are codes in brackets, events (`&=laughs`),
pauses, omitted words (`0is`), what was not understood (`xxx`), dependent tiers and headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.script import LATEST, UNKNOWN, Script, require_forward
from caesura.formats.subtitles import unified

CURE = "write utterances as *CHI:, a tab, the words and a terminator"
_GIVEN = re.compile(r"SP\d+")
"""The codes that names get which are no codes themselves."""
_BULLET = re.compile("\x15(\\d{1,15})_(\\d{1,15})\x15", re.ASCII)
_OTHER_BULLET = re.compile("\x15[^\x15\n]*\x15")
_TERMINATOR = re.compile(r"\+(?:\.\.\.|[/\"!]*[/.?!])(?=\s|$)")
_LEFT_OUT = re.compile(
    r"\[[^\[\]]*\]"  # codes
    r"|(?<!\S)(?:\(\.{1,3}\)|\([\d:.]+\))(?!\S)"  # pauses
    r"|(?<!\S)(?:&=\S+|0\S*|xxx|yyy|www|\+[\"^<,+≋≈]+)(?!\S)"
    r"|[<>⌈⌉⌊⌋↑↓↗↘→↫≠∆∇°▁▔☺♋⁇ˈˌ‡„]"
)
_PREFIX = re.compile(r"(?<!\S)&[-+~]?(?=\w)")
_FORM = re.compile(r"(?<=\w)@[\w:$&*-]+")
_LENGTHENED = re.compile(r"(?<=\w):(?=\w)|[()^](?=\w)|(?<=\w)[()^:](?=\s|$)")


def parse(text: str, source: str = "<chat>") -> list[Script]:
    """Read one recording: a piece for each utterance, as a unit."""
    names: dict[str, str] = {}
    rows: list[tuple[str, str, tuple[int, int], int]] = []  # words, speaker, times, line
    for at, line in _logical(unified(text)):
        if line.startswith("@Participants:"):
            cells = [cell.split() for cell in line.partition(":")[2].split(",")]
            given = [cell for cell in cells if len(cell) > 2 and _GIVEN.fullmatch(cell[0])]
            names = {cell[0]: cell[1].replace("_", " ") for cell in given}
        if not line.startswith("*"):
            continue
        code, colon, said = line[1:].partition(":")
        if not colon:
            raise FormatError(source, f"'{line[:40]}' is not an utterance", CURE, line=at)
        words = _words(said)
        if words:
            who = " ".join(code.split())
            rows.append((words, names.get(who, who), _times(said, source, at), at))
    if not rows:
        raise FormatError(source, "no utterances", CURE)
    texts, speakers, times, lines = (list(each) for each in zip(*rows, strict=True))
    start, end = np.array(times, np.int64).T
    is_timed = bool((start != UNKNOWN).any())
    script = Script(
        texts=texts,
        start=start if is_timed else None,
        end=end if is_timed else None,
        ends=np.ones(len(texts), np.bool_),
        speakers=speakers,
        lines=np.array(lines, np.int64),
        form="chat",
        source=source,
    )
    require_forward(script)
    return [script]


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those that continue them, which begin with a tab or a blank."""
    first, whole = 0, ""
    for at, line in enumerate(text.split("\n"), 1):
        if line[:1] in ("\t", " ") and whole:
            whole += f" {line.strip()}"
        else:
            if whole:
                yield first, whole
            first, whole = at, line
    if whole:
        yield first, whole


def _times(said: str, source: str, line: int) -> tuple[int, int]:
    """From the beginning of the first bullet to the end of the last, in microseconds."""
    found = [(int(on), int(off)) for on, off in _BULLET.findall(said)]
    if not found:
        return UNKNOWN, UNKNOWN
    start, end = found[0][0], found[-1][1]
    if max(start, end) > LATEST * 1000:
        raise FormatError(source, "a bullet that is too late", CURE, line=line)
    return start * 1000, end * 1000


def _words(said: str) -> str:
    """The words of a main line, without codes."""
    said = _OTHER_BULLET.sub(" ", said)
    said = _TERMINATOR.sub(lambda end: end[0][-1] if end[0][-1] in "?!" else ".", said)
    said = _LEFT_OUT.sub(" ", said)
    while (fewer := _LEFT_OUT.sub(" ", said)) != said:
        said = fewer
    said = _LENGTHENED.sub("", _FORM.sub("", _PREFIX.sub("", said)))
    words = " ".join(said.split())
    return re.sub(r" (?=[.?!,;](?:\s|$))", "", words) if any(map(str.isalnum, words)) else ""


CODECS = {"chat": Codec(parse)}
