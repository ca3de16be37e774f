"""RTTM: the objects of a recording, one per line, `TYPE FILE CHANNEL START DURATION WORD SUBTYPE
SPEAKER CONFIDENCE`, of which LEXEME (words) and SU (units, typed) are read; and UEM, what to score.

A unit ends after the last of its speaker's words whose midpoint it contains. Units without words
are left out. A file without words and SUs has segments, its SPEAKER lines, which may overlap;
those that last no time are left out. A line that begins with `;` or `#` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from caesura.core.marks import with_kin
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, option
from caesura.formats._shared.cell_table import (
    CellTable,
    by_recording,
    name_of,
    one_cell,
    require_times,
)
from caesura.formats._shared.clock_times import seconds
from caesura.formats._shared.script import Script
from caesura.io.files import line_feeds

FORM = "TYPE FILE CHANNEL START DURATION WORD SUBTYPE SPEAKER CONFIDENCE"
UEM_FORM = "FILE CHANNEL START END"
ABSENT = "<NA>"
WORD, UNIT, SEGMENT = "LEXEME", "SU", "SPEAKER"
KINDS = {
    *(WORD, UNIT, SEGMENT, "SEGMENT", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "CB", "A/P"),
    *("SPKR-INFO", "NOSCORE", "NO_RT_METADATA"),
}
TYPES = ("statement", "question", "incomplete", "backchannel", "unannotated", "other")
SOUND = re.compile(r"\.(sph|wav|flac|mp3|ogg|m4a)$", re.IGNORECASE)
Place = tuple[str, str, str]
Kinds = np.ndarray[tuple[int], np.dtype[np.str_]]
OF_MARK = dict.fromkeys(with_kin("?"), "question") | dict.fromkeys(with_kin(".!;…"), "statement")


def parse(text: str, source: str = "<rttm>", tier: str = "") -> list[Script]:
    """Read the recordings of a file: words, where units end and of what type they are.

    The tier SPEAKER is the segments of speakers; `SPEAKER*` is that of RTTM, whatever tiers other
    formats have.
    """
    table, kinds = _table(text, source)
    if _is_of_speakers(kinds, tier, source):
        return _segments(table.some(kinds == SEGMENT), source)
    words, units = table.some(kinds == WORD), table.some(kinds == UNIT)
    if not len(words):
        raise FormatError(
            source,
            f"no {WORD} lines, which hold the words",
            f"give an RTTM file with words and units, or with {SEGMENT} lines",
        )
    start, end = words.spans(3, source)
    ends, types = _ends(words, units, source)
    script = Script(
        texts=words.column(5),
        start=start,
        end=end,
        ends=ends,
        types=types,
        speakers=_names(words, 7),
        channels=_names(words, 2),
        lines=words.lines,
        form="rttm",
        source=source,
    )
    return by_recording(script, words.column(1))


def _is_of_speakers(kinds: Kinds, tier: str, source: str) -> bool:
    """Whether the segments of speakers are read: if they are chosen, or there are no words."""
    found = {str(kind) for kind in np.unique(kinds)}
    if tier == f"{SEGMENT}*" and SEGMENT not in found:
        cure = f"give an RTTM file with {SEGMENT} lines"
        raise FormatError(source, f"no {SEGMENT} lines, which say who speaks when", cure)
    tier = tier.removesuffix("*")
    if tier and not tier.endswith("?") and not (tier.upper() == SEGMENT and SEGMENT in found):
        named = ", ".join(sorted(found)) or "nothing"
        problem = f"no tier '{tier}'; its lines are of the types {named}"
        cure = f"choose {option('tier', SEGMENT)}, or no tier"
        raise FormatError(source, problem, cure)
    return tier.upper() == SEGMENT or (SEGMENT in found and not found & {WORD, UNIT})


def _segments(table: CellTable, source: str) -> list[Script]:
    """The segments of speakers, as scripts without words."""
    start, end = table.spans(3, source)
    lasting = np.flatnonzero(end > start)
    if not lasting.size:
        cure = "give segments that end after they begin"
        raise FormatError(source, f"no {SEGMENT} line lasts any time", cure)
    table = table.some(lasting)
    script = Script(
        texts=[""] * len(table),
        start=start[lasting],
        end=end[lasting],
        ends=np.ones(len(table), dtype=np.bool_),
        speakers=_names(table, 7),
        channels=_names(table, 2),
        lines=table.lines,
        form="rttm",
        source=source,
        has_words=False,
    )
    return by_recording(script, table.column(1))


def parse_uem(text: str, source: str = "<uem>") -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Read the stretches of each channel of each recording to score."""
    table = CellTable.from_text(_plain(text))
    table.require(table.width == 4, UEM_FORM, source)
    if not len(table):
        raise FormatError(source, "nothing to score", f"write {UEM_FORM} on each line")
    stretches: dict[tuple[str, str], list[tuple[int, int]]] = {}
    on, off = table.micros(2, source).tolist(), table.micros(3, source).tolist()
    rows = zip(table.column(0), table.column(1), on, off, table.lines.tolist(), strict=True)
    for file, channel, start, end, line in sorted(rows, key=lambda row: row[2]):
        place = SOUND.sub("", file.rpartition("/")[2]), channel.lower()
        before = stretches.setdefault(place, [])
        if end <= start or (before and start < before[-1][1]):
            problem = f"a stretch from {seconds(start)} to {seconds(end)}"
            cure = "a stretch must end after it begins, and stretches must not overlap"
            raise FormatError(source, problem, cure, line=line)
        before.append((start, end))
    return stretches


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write words and units, speaker by speaker and channel by channel.

    A mark stands for a type: `?` for a question, the others for a statement; a unit without a type
    is written as `other`.
    """
    for script in scripts:
        start, end = require_times(script, "RTTM")
        name = name_of(script)
        if not script.has_words:
            yield from _speaker_lines(script, start, end, name)
            continue
        for index, first, kind in _in_units(script):
            channel, speaker = _who(script, index)
            span = f"{seconds(int(start[index]))} {seconds(int(end[index] - start[index]))}"
            word = one_cell(script.texts[index], ABSENT, "")
            if first >= 0:
                on = int(start[first])
                whole = f"{seconds(on)} {seconds(max(0, int(end[index]) - on))}"
                yield f"{UNIT} {name} {channel} {whole} {ABSENT} {kind} {speaker} {ABSENT}\n"
            yield f"{WORD} {name} {channel} {span} {word} lex {speaker} {ABSENT}\n"


def _speaker_lines(script: Script, start: IntArray, end: IntArray, name: str) -> Iterator[str]:
    for index in range(len(script)):
        channel, speaker = _who(script, index)
        span = f"{seconds(int(start[index]))} {seconds(int(end[index] - start[index]))}"
        yield f"{SEGMENT} {name} {channel} {span} {ABSENT} {ABSENT} {speaker} {ABSENT} {ABSENT}\n"


def is_like(text: str) -> bool:
    """Whether the first line that is not a comment has an RTTM type and times.

    A speech that begins with the words “Speaker one” does not.
    """
    for line in text[:65536].split("\n"):
        cells = line.split()
        if cells and cells[0][0] not in ";#":
            is_long = cells[0].upper() in KINDS and len(cells) >= 9
            is_sure = "<NA>" in cells or any("." in cell for cell in cells[3:5])
            is_timed = all(re.match(r"<NA>|[-+.]?\d", cell) for cell in cells[3:5])
            return is_long and is_sure and is_timed
    return False


def _plain(text: str) -> str:
    """A text with line feeds, in which every comment begins with `;`."""
    return re.sub(r"(?m)^[^\S\n]*#", ";", line_feeds(text))


def _table(text: str, source: str) -> tuple[CellTable, Kinds]:
    table = CellTable.from_text(_plain(text))
    table.require((table.width >= 9) & (table.width <= 10), FORM, source)
    kinds = np.array(
        [kind.upper() for kind in table.column(0)] if len(table) else [], dtype=np.str_
    )
    wrong = np.flatnonzero(~np.isin(kinds, sorted(KINDS)))
    if wrong.size:
        at = int(wrong[0])
        problem, line = f"'{kinds[at]}' is not a type of RTTM", int(table.lines[at])
        raise FormatError(source, problem, f"write {FORM}", line=line)
    return table, kinds


def _names(table: CellTable, at: int) -> list[str]:
    return ["" if name.upper() == ABSENT else name for name in table.column(at)]


def _ends(
    words: CellTable, units: CellTable, source: str
) -> tuple[BoolArray, list[str]] | tuple[None, None]:
    """After which words a unit ends, and its type there; nothing where there are no units."""
    if not len(units):
        return None, None
    ends, types = np.zeros(len(words), dtype=np.bool_), [""] * len(words)
    middle = np.add(*words.spans(3, source))
    start, end = units.spans(3, source)
    kinds = [each.lower() for each in units.column(6)]
    streams = _streams(words)
    for place, which in _streams(units).items():
        mine = _words_of(streams, place)
        if not mine.size:
            continue
        mine = mine[np.argsort(middle[mine], kind="stable")]
        last = np.searchsorted(middle[mine], 2 * end[which], side="right") - 1
        holds = (last >= 0) & (middle[mine][last] >= 2 * start[which])
        for word, unit in zip(mine[last[holds]].tolist(), which[holds].tolist(), strict=True):
            ends[word], types[word] = True, kinds[unit]
    return ends, types


def _streams(table: CellTable) -> dict[Place, IntArray]:
    """The lines of each recording, channel and speaker."""
    rows: dict[Place, list[int]] = {}
    places = zip(table.column(1), table.column(2), table.column(7), strict=True)
    for index, place in enumerate(places):
        rows.setdefault(place, []).append(index)
    return {place: np.array(which, dtype=np.int64) for place, which in rows.items()}


def _words_of(streams: dict[Place, IntArray], place: Place) -> IntArray:
    """The words of a speaker; of everybody on the channel if this one says nothing."""
    if place in streams:
        return streams[place]
    shared = [which for other, which in streams.items() if other[:2] == place[:2]]
    return np.sort(np.concatenate([np.empty(0, np.int64), *shared]))


def _in_units(script: Script) -> Iterator[tuple[int, int, str]]:
    """Each word, and where it ends a unit the first word and the type of it (else -1)."""
    begun: dict[tuple[str, str], int] = {}
    for index in range(len(script)):
        who = _who(script, index)
        begun.setdefault(who, index)
        if script.ends is not None and script.ends[index]:
            kind = script.types[index] if script.types is not None else ""
            kind = OF_MARK.get(kind, kind)
            yield index, begun.pop(who), kind if kind in TYPES else "other"
        else:
            yield index, -1, ""


def _who(script: Script, index: int) -> tuple[str, str]:
    channel = script.channels[index] if script.channels is not None else ""
    speaker = script.speakers[index] if script.speakers is not None else ""
    return one_cell(channel, "1"), one_cell(speaker, ABSENT)
