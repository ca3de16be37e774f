"""Versions of a talk in the forms and timed formats that caesura reads, written without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from baselines.talks import Version, Word

NAME = "talk"
SUBTITLE = 7
TYPES = {"?": "question", ";": "incomplete"}


def _seconds(time: int) -> str:
    return f"{time / 1000:.3f}"


def _clock(time: int, point: str) -> str:
    minutes, rest = divmod(time, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}{point}{rest % 1000:03}"


def _text(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _marked(version: Version) -> list[Word]:
    return [word for unit in version.units() for word in unit]


def lines(version: Version) -> str:
    """One unit a line."""
    return "".join(_text(unit) + "\n" for unit in version.units())


def marks(version: Version) -> str:
    """Running text."""
    return _text(_marked(version)) + "\n"


def slashes(version: Version) -> str:
    """Units separated by slashes."""
    return " // ".join(_text(unit) for unit in version.units()) + "\n"


def binary(version: Version) -> str:
    """A digit for each word."""
    return "".join("01"[at in version.ends] for at in range(len(version.words))) + "\n"


def _subtitles(version: Version, point: str, *, named: bool) -> Iterator[str]:
    """Subtitles of one speaker and a few words each, which end anywhere."""
    words, start = _marked(version), 0
    for at, word in enumerate(words):
        is_last = at + 1 == len(words) or words[at + 1].speaker != word.speaker
        if is_last or at + 1 - start == SUBTITLE:
            times = _clock(words[start].start, point), _clock(word.end, point)
            voice = f"<v {word.speaker}>" if named else ""
            yield f"{' --> '.join(times)}\n{voice}{_text(words[start : at + 1])}\n\n"
            start = at + 1


def srt(version: Version) -> str:
    """SubRip."""
    return "".join(
        f"{n}\n{each}" for n, each in enumerate(_subtitles(version, ",", named=False), 1)
    )


def vtt(version: Version) -> str:
    """WebVTT, with voices."""
    return "WEBVTT\n\n" + "".join(_subtitles(version, ".", named=True))


def ctm(version: Version, name: str = NAME) -> str:
    """NIST's words with times; the marks are in the words."""
    return "".join(
        f"{name} 1 {_seconds(word.start)} {_seconds(word.end - word.start)} {word.text} 0.9\n"
        for word in _marked(version)
    )


def stm(version: Version, name: str = NAME) -> str:
    """NIST's segments."""
    return "".join(
        f"{name} 1 {unit[0].speaker} {_seconds(unit[0].start)} {_seconds(unit[-1].end)} "
        f"{_text(unit)}\n"
        for unit in version.units()
    )


def rttm(version: Version, name: str = NAME) -> str:
    """NIST's SUs, with types, and lexemes."""
    result = []
    for unit in version.units():
        kind = TYPES.get(unit[-1].text[-1], "statement")
        length = _seconds(unit[-1].end - unit[0].start)
        head = f"{name} 1 {_seconds(unit[0].start)} {length}"
        result.append(f"SU {head} <NA> {kind} {unit[0].speaker} <NA>\n")
        for word in unit:
            times = f"{_seconds(word.start)} {_seconds(word.end - word.start)}"
            bare = word.text.rstrip(".?!;")
            result.append(f"LEXEME {name} 1 {times} {bare} lex {word.speaker} <NA>\n")
    return "".join(result)


def nlp(version: Version) -> str:
    """Rev's columns."""
    result = ["token|speaker|ts|endTs|punctuation|case|tags\n"]
    for at, word in enumerate(version.words):
        times = f"{_seconds(word.start)}|{_seconds(word.end)}"
        mark = version.ends.get(at, "")
        result.append(f"{word.text}|{word.speaker}|{times}|{mark}|LC|[]\n")
    return "".join(result)


def whisper(version: Version) -> str:
    """Whisper's JSON, with the times of words."""
    segments = [
        {
            "id": number,
            "start": unit[0].start / 1000,
            "end": unit[-1].end / 1000,
            "text": f" {_text(unit)}",
            "words": [
                {"word": f" {word.text}", "start": word.start / 1000, "end": word.end / 1000}
                for word in unit
            ],
        }
        for number, unit in enumerate(version.units())
    ]
    return json.dumps({"text": marks(version).strip(), "segments": segments})


def textgrid(version: Version) -> str:
    """Praat's short form: a tier of units for each speaker."""
    units, last = version.units(), version.words[-1].end
    speakers = sorted({unit[0].speaker for unit in units})
    head = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", _seconds(last)]
    result = [*head, "<exists>", str(len(speakers))]
    for speaker in speakers:
        own, time = [], 0
        for unit in units:
            if unit[0].speaker == speaker:
                own += [(time, unit[0].start, "")] if unit[0].start > time else []
                own.append((unit[0].start, unit[-1].end, _text(unit)))
                time = unit[-1].end
        own += [(time, last, "")] if last > time else []
        result += ['"IntervalTier"', f'"{speaker}"', "0", _seconds(last), str(len(own))]
        for start, end, text in own:
            result += [_seconds(start), _seconds(end), f'"{text}"']
    return "".join(f"{line}\n" for line in result)


def eaf(version: Version) -> str:
    """ELAN: a tier of units for each speaker."""
    units = version.units()
    slots, tiers = [], []
    for at, unit in enumerate(units):
        for side, time in (("b", unit[0].start), ("e", unit[-1].end)):
            slots.append(f'<TIME_SLOT TIME_SLOT_ID="{side}{at}" TIME_VALUE="{time}"/>')
    for speaker in sorted({unit[0].speaker for unit in units}):
        tiers.append(f'<TIER LINGUISTIC_TYPE_REF="u" PARTICIPANT="{speaker}" TIER_ID="{speaker}">')
        tiers += [
            _annotation(at, unit) for at, unit in enumerate(units) if unit[0].speaker == speaker
        ]
        tiers.append("</TIER>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT FORMAT="3.0" VERSION="3.0">\n'
        '<HEADER TIME_UNITS="milliseconds"/>\n<TIME_ORDER>\n'
        + "\n".join((*slots, "</TIME_ORDER>", *tiers))
        + '\n<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="u" TIME_ALIGNABLE="true"/>\n'
        "</ANNOTATION_DOCUMENT>\n"
    )


def _annotation(at: int, unit: list[Word]) -> str:
    return (
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{at}" TIME_SLOT_REF1="b{at}" '
        f'TIME_SLOT_REF2="e{at}"><ANNOTATION_VALUE>{escape(_text(unit))}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>"
    )


def jsonl(version: Version) -> str:
    """caesura's own JSON lines."""
    result = [{"caesura": "0.1.0", "schema": "transcript", "version": 1}]
    for unit in version.units():
        for at, word in enumerate(unit):
            is_end = at + 1 == len(unit)
            times = {"start": word.start / 1000, "end": word.end / 1000}
            end = {"end_of_unit": is_end, "type": word.text[-1] if is_end else ""}
            result.append({"text": word.text, **times, "speaker": word.speaker, **end})
    return "".join(json.dumps(each) + "\n" for each in result)


def kaldi(version: Version) -> str:
    """Utterances with their names."""
    return "".join(f"u-{n:05} {_text(unit)}\n" for n, unit in enumerate(version.units()))


PLAIN: dict[str, Callable[[Version], str]] = {
    "lines": lines,
    "marks": marks,
    "slashes": slashes,
    "binary": binary,
}
TIMED: dict[str, Callable[[Version], str]] = {
    "srt": srt,
    "vtt": vtt,
    "ctm": ctm,
    "stm": stm,
    "rttm": rttm,
    "nlp": nlp,
    "json": whisper,
    "TextGrid": textgrid,
    "eaf": eaf,
    "jsonl": jsonl,
    "kaldi": kaldi,
}
