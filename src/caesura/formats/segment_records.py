"""Segments as records: SegLST, NeMo's manifests, Whisper's .tsv, and Kaldi's text.

SegLST is a list of JSON; it has `session_id`, `start_time` and `end_time` in seconds, `words`, and
perhaps `speaker` and `channel`. A manifest is JSON lines; it has `audio_filepath`, `offset` (0 if
missing), `duration` and `text`; a recording is named after its file. Whisper's .tsv has whole
milliseconds and holds one recording. Kaldi's text has a line for each utterance, its id and its
words: all are taken for the units of one recording, in the order of the file; their names are not
kept, and a name alone is an utterance without words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward
from caesura.io.files import json_value, line_feeds

SEGLST_CURE = 'give a list of objects such as {"session_id": "a", "words": "so it rained"}'
NEMO_CURE = 'write a line such as {"audio_filepath": "a.wav", "duration": 2, "text": "it rained"}'
TSV_HEAD = "start\tend\ttext"
TSV_CURE = f"the columns are {TSV_HEAD.replace(chr(9), ', ')}, times in whole milliseconds"


class SegmentRecord(NamedTuple):
    """A segment: its words, times in microseconds, who speaks, and its line, if that is known."""

    recording: str
    words: str
    start: int = UNKNOWN
    end: int = UNKNOWN
    speaker: str = ""
    channel: str = ""
    line: int = 0


def parse_seglst(text: str, source: str = "<seglst>") -> list[Script]:
    """Read every session: a piece for each segment, as a unit."""
    data = json_value(text, source, SEGLST_CURE)
    if not isinstance(data, list):
        raise FormatError(source, "not a list", SEGLST_CURE)
    return _scripts([_seglst(each, at, source) for at, each in enumerate(data)], "seglst", source)


def parse_nemo(text: str, source: str = "<nemo>") -> list[Script]:
    """Read every audio file of a manifest: a piece for each line, as a unit."""
    lines = [(at, line) for at, line in enumerate(line_feeds(text).split("\n"), 1) if line.strip()]
    records = []
    for at, line in lines:
        try:
            value = json.loads(line.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            raise FormatError(source, "this line is not JSON", NEMO_CURE, line=at) from None
        records.append(_nemo(value, at, source))
    return _scripts(records, "nemo", source)


def parse_tsv(text: str, source: str = "<tsv>") -> list[Script]:
    """Read one recording: a piece for each line, as a unit."""
    head, *lines = line_feeds(text.removeprefix("\ufeff")).split("\n")
    if head.strip() != TSV_HEAD:
        raise FormatError(source, "no columns of Whisper's", TSV_CURE, line=1)
    records = []
    for at, line in enumerate(lines, 2):
        cells = line.split("\t", 2)
        if not line.strip():
            continue
        if len(cells) < 3 or not all(each.isascii() and each.isdigit() for each in cells[:2]):
            raise FormatError(source, f"'{line[:40]}' is not a line of Whisper", TSV_CURE, line=at)
        start, end = (min(int(each[:15]), LATEST * 1000) * 1000 for each in cells[:2])
        records.append(SegmentRecord("", cells[2], start, end, line=at))
    return _scripts(records, "tsv", source)


def _seglst(value: object, at: int, source: str) -> SegmentRecord:
    def error(problem: str) -> FormatError:
        return FormatError(source, f"segment {at + 1} {problem}", SEGLST_CURE)

    row = _row(value, "words", error)
    start, end = (_time(row.get(name), error) for name in ("start_time", "end_time"))
    session, speaker, channel = (_string(row, key) for key in ("session_id", "speaker", "channel"))
    return SegmentRecord(session, str(row["words"]), start, end, speaker, channel)


def _nemo(value: object, line: int, source: str) -> SegmentRecord:
    def error(problem: str) -> FormatError:
        return FormatError(source, f"the line {problem}", NEMO_CURE, line=line)

    row = _row(value, "text", error)
    name = PurePosixPath(_string(row, "audio_filepath").replace("\\", "/")).stem
    lasts, start = _time(row.get("duration"), error), _time(row.get("offset") or 0, error)
    times = (UNKNOWN, UNKNOWN) if lasts == UNKNOWN else (start, start + lasts)
    return SegmentRecord(name, str(row["text"]), *times, _string(row, "speaker"), line=line)


def _row(value: object, text: str, error: Callable[[str], FormatError]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise error("is not an object")
    if not isinstance(value.get(text), str):
        raise error(f"has no '{text}'")
    return value


def _string(row: dict[str, object], name: str) -> str:
    value = row.get(name)
    text = "" if value is None else " ".join(str(value).split())
    return text.encode("utf-8", "replace").decode()


def _time(value: object, error: Callable[[str], FormatError]) -> int:
    """Seconds, as a number or a string of one, as microseconds; None is UNKNOWN."""
    if value is None:
        return UNKNOWN
    try:
        number = float(value) if isinstance(value, int | float | str) else -1
    except (ValueError, OverflowError):
        number = -1
    if isinstance(value, bool) or not 0 <= number <= LATEST:
        raise error(f"has a time that is none: {json.dumps(value)[:40]}")
    return round(number * SECOND)


def _scripts(records: Sequence[SegmentRecord], form: str, source: str) -> list[Script]:
    """A script for each recording, in the order in which they begin, sorted by time."""
    own: dict[str, list[SegmentRecord]] = {}
    for each in records:
        if each.words.strip():
            own.setdefault(each.recording, []).append(each)
    if not own:
        raise FormatError(source, "no words", "give a file with the words of a transcript")
    return [_script(name, rows, form, source) for name, rows in own.items()]


def _script(recording: str, rows: list[SegmentRecord], form: str, source: str) -> Script:
    start, end = np.array([(each.start, each.end) for each in rows], np.int64).T
    speakers, channels = [each.speaker for each in rows], [each.channel for each in rows]
    script = Script(
        texts=[each.words.encode("utf-8", "replace").decode() for each in rows],
        start=None if (start == UNKNOWN).all() else start,
        end=None if (start == UNKNOWN).all() else end,
        ends=np.ones(len(rows), np.bool_),
        speakers=speakers if any(speakers) else None,
        channels=channels if any(channels) else None,
        lines=np.array([each.line for each in rows]) if rows[0].line else None,
        form=form,
        source=source,
        recording=recording,
    )
    require_forward(script)
    return script.in_order()


FORM = "UTTERANCE WORDS"


def parse_kaldi(text: str, source: str = "<kaldi>") -> list[Script]:
    """Read one recording."""
    lines = line_feeds(text).split("\n")
    numbered = [(at, line.split(maxsplit=1)) for at, line in enumerate(lines, 1) if line.strip()]
    if not any(len(cells) == 2 for _, cells in numbered):
        raise FormatError(source, "no words", f"write {FORM} on each line")
    seen: dict[str, int] = {}
    for at, (name, *_) in numbered:
        if name in seen:
            problem = f"the utterance '{name}' is on line {seen[name]} too"
            raise FormatError(source, problem, "give each utterance its own name", line=at)
        seen[name] = at
    script = Script(
        texts=[cells[1].strip() if len(cells) == 2 else "" for _, cells in numbered],
        ends=np.ones(len(numbered), dtype=np.bool_),
        lines=np.array([at for at, _ in numbered], dtype=np.int64),
        form="kaldi",
        source=source,
    )
    return [script]


CODECS = {
    "seglst": Codec(parse_seglst),
    "tsv": Codec(parse_tsv),
    "kaldi": Codec(parse_kaldi),
    "nemo": Codec(parse_nemo),
}
