"""NIST's formats: CTM (words), STM (segments), RTTM (objects of recordings), UEM (what to score).

CTM has a line for each word, `FILE CHANNEL START DURATION WORD [CONFIDENCE]`. Words are sorted by
the time at which they start and may overlap. Of alternatives (`<ALT_BEGIN>`, `<ALT>`, `<ALT_END>`)
the first is taken; `@`, the empty one, is not a word. A line of eight columns ends in a speaker.

STM has a line for each segment, `FILE CHANNEL SPEAKER START END [<LABEL>] TEXT`. Segments excluded
from scoring (`ignore_time_segment_in_scoring`, the speaker `inter_segment_gap`) are left out; of
alternatives, `{ a / b }`, the first is taken.

RTTM has an object on each line, `TYPE FILE CHANNEL START DURATION WORD SUBTYPE SPEAKER CONFIDENCE`,
of which LEXEME (words) and SU (units, typed) are read. A unit ends after the last of its speaker's
words whose midpoint it contains. Units without words are left out. A file without words and SUs has
segments, its SPEAKER lines, which may overlap; those that last no time are left out.

`;` begins a comment, in RTTM `#` as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.format import Codec
from caesura.core.marks import MARKS, with_kin
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, option
from caesura.formats.cell_table import (
    CellTable,
    are_timed,
    by_recording,
    matched,
    name_of,
    one_cell,
    require_times,
)
from caesura.formats.script import Script, require_forward, seconds
from caesura.io.files import line_feeds

# CTM

BLOCK = 1 << 24
"""The characters of a file that are read at once."""
CTM_FORM = "FILE CHANNEL START DURATION WORD [CONFIDENCE]"
NOTHING = "@"
"""The empty alternative."""
_CLOSERS = "\"')]}”’»"
ENDS = tuple(with_kin(MARKS))
_BEGIN, _NEXT, _END = "<ALT_BEGIN>", "<ALT>", "<ALT_END>"
_WORD_LINE = re.compile(
    r"(?P<lane>\S+[ \t]+\S+)[ \t]+(?P<start>\d*\.?\d+)[ \t]+(?P<other>\d*\.?\d+)[ \t]+"
    r"(?P<word>\S+)([ \t]+\S+){0,3}\s*",
    re.A,
)


def parse_ctm(text: str, source: str = "<ctm>") -> list[Script]:
    """Read the recordings of a file, block by block."""
    texts: list[str] = []
    files: list[str] = []
    channels: list[str] = []
    speakers: list[str] = []
    numbers: list[tuple[IntArray, ...]] = []
    for table in _tables(text, source):
        numbers.append((*table.spans(2, source), table.lines))
        files += table.column(0)
        channels += table.column(1)
        texts += table.column(4)
        named = np.flatnonzero(table.width == 8)
        who = dict(zip(named.tolist(), table.some(named).column(7), strict=True))
        speakers += [who.get(at, "") for at in range(len(table))]
    if not texts:
        raise FormatError(source, "no words", f"write {CTM_FORM} on each line")
    start, end, lines = (np.concatenate(each) for each in zip(*numbers, strict=True))
    script = Script(
        texts=texts,
        start=start,
        end=end,
        speakers=speakers if any(speakers) else None,
        channels=channels,
        lines=lines,
        form="ctm",
        source=source,
    )
    return by_recording(script, files)


def write_ctm(scripts: Sequence[Script]) -> Iterator[str]:
    """Write words; units that end without a mark get a full stop."""
    for script in scripts:
        start, end = require_times(script, "CTM")
        name = name_of(script)
        channels = script.channels if script.channels is not None else [""] * len(script)
        spans = zip(start.tolist(), (end - start).tolist(), strict=True)
        for index, (on, duration) in enumerate(spans):
            word = one_cell(script.texts[index], NOTHING, "")
            is_end = script.ends is not None and script.ends[index]
            if is_end and not word.rstrip(_CLOSERS).endswith(ENDS):
                word = word.rstrip(",:") + "."
            channel = one_cell(channels[index], "1")
            speaker = script.speakers[index] if script.speakers is not None else ""
            tail = f" NA lex {one_cell(speaker, 'NA')}" if speaker else ""
            yield f"{name} {channel} {seconds(on)} {seconds(duration)} {word}{tail}\n"


def is_like_ctm(text: str) -> bool:
    """Whether the first lines look like CTM, and cannot be words with some numbers."""
    return are_timed(_word_lines(text))


def may_be_ctm(text: str) -> bool:
    """Whether the first lines could be CTM."""
    return bool(_word_lines(text))


def _word_lines(text: str) -> list[re.Match[str]]:
    """The lines of words, unless all that should be words are numbers."""
    lines = matched(text, _WORD_LINE)
    return lines if any(re.search(r"[^\d.]", each["word"]) for each in lines) else []


def _tables(text: str, source: str) -> Iterator[CellTable]:
    """The lines that hold words, block by block; alternatives are read as a whole."""
    text, has_alternatives = line_feeds(text), "<ALT" in text
    start = above = 0
    while start < len(text):
        stop = len(text) if has_alternatives else text.find("\n", start + BLOCK) + 1 or len(text)
        block = text[start:stop]
        table = CellTable.from_text(block, above)
        if len(table):
            table.require((table.width >= 5) & (table.width <= 8), CTM_FORM, source)
            yield _first_alternatives(table, source) if has_alternatives else table
        start, above = stop, above + block.count("\n")


def _first_alternatives(table: CellTable, source: str) -> CellTable:
    """The words, without the signs of alternatives and all but the first of them."""
    words = np.array([word.upper() for word in table.column(4)])
    signs = np.flatnonzero(np.isin(words, [_BEGIN, _NEXT, _END]))

    def refuse(problem: str, at: int) -> None:
        cure, line = f"alternatives are {_BEGIN} … {_NEXT} … {_END}", int(table.lines[at])
        raise FormatError(source, problem, cure, line=line)

    before = ""
    follows = {"": (_BEGIN,), _BEGIN: (_NEXT, _END), _NEXT: (_NEXT, _END), _END: (_BEGIN,)}
    for at in signs.tolist():
        if words[at] not in follows[before]:
            refuse(f"{words[at]} after {before or 'nothing'}", at)
        before = str(words[at])
    if before not in ("", _END):
        refuse("alternatives without an end", int(signs[-1]))
    latest = np.searchsorted(signs, np.arange(len(table)), side="right") - 1
    later = np.append(words[signs], "")[latest] == _NEXT
    plain = words != NOTHING
    plain[signs] = False
    return table.some(plain & ~later)


# STM

STM_FORM = "FILE CHANNEL SPEAKER START END TEXT"
SKIPPED_TEXT, SKIPPED_SPEAKER = "ignore_time_segment_in_scoring", "inter_segment_gap"
UNNAMED = "unknown"
_NO_SLASH, _STAYS = -1, -2
_BRACES = re.compile(r"([{}/])")
_SEGMENT_LINE = re.compile(
    r"(?P<lane>\S+[ \t]+\S+)[ \t]+\S+[ \t]+(?P<start>\d*\.?\d+)[ \t]+(?P<other>\d*\.?\d+)"
    r"([ \t]+\S.*)?\s*",
    re.A,
)


def parse_stm(text: str, source: str = "<stm>") -> list[Script]:
    """Read the recordings of a file."""
    table = CellTable.from_text(line_feeds(text))
    table.require(table.width >= 5, STM_FORM, source)
    speakers, said = (table.column(2), _texts(table)) if len(table) else ([], [])
    kept = np.flatnonzero(
        [
            speaker.lower() != SKIPPED_SPEAKER and words.lower() != SKIPPED_TEXT
            for speaker, words in zip(speakers, said, strict=True)
        ]
    )
    if not kept.size:
        raise FormatError(source, "no segments", f"write {STM_FORM} on each line")
    script = Script(
        texts=said,
        ends=np.ones(len(table), dtype=np.bool_),
        speakers=speakers,
        channels=table.column(1),
        lines=table.lines,
        form="stm",
        source=source,
    ).some(kept)
    table = table.some(kept)
    script = replace(script, start=table.micros(3, source), end=table.micros(4, source))
    require_forward(script)
    return by_recording(script, table.column(0))


def write_stm(scripts: Sequence[Script]) -> Iterator[str]:
    """Write segments; a speaker without a name is called unknown, a channel without one 1."""
    for script in scripts:
        start, end = require_times(script, "STM")
        nobody = [""] * len(script)
        pieces = zip(
            script.channels if script.channels is not None else nobody,
            script.speakers if script.speakers is not None else nobody,
            start.tolist(),
            end.tolist(),
            script.texts,
            strict=True,
        )
        name = name_of(script)
        for channel, speaker, on, off, text in pieces:
            who = f"{one_cell(channel, '1')} {one_cell(speaker, UNNAMED)}"
            words = " ".join(text.split())
            label = " <o,f0,unknown>" if _is_label(words.partition(" ")[0]) else ""
            yield f"{name} {who} {seconds(on)} {seconds(off)}{label} {words}".rstrip() + "\n"


def is_like_stm(text: str) -> bool:
    """Whether the first lines look like STM, and cannot be words with some numbers."""
    return are_timed(_segment_lines(text))


def may_be_stm(text: str) -> bool:
    """Whether the first lines could be STM."""
    return bool(_segment_lines(text))


def _segment_lines(text: str) -> list[re.Match[str]]:
    """The lines of segments, if all of them end after they begin."""
    lines = matched(text, _SEGMENT_LINE)
    are_forward = all(float(each["start"]) <= float(each["other"]) for each in lines)
    return lines if are_forward and not is_like_rttm(text) else []


def _texts(table: CellTable) -> list[str]:
    """The text after the times and the label, if there is one."""
    cells, spoken = table.cells, []
    bounds = zip(table.first.tolist(), table.width.tolist(), strict=True)
    for first, width in bounds:
        at, last = first + 5, first + width - 1
        at += at <= last and _is_label(cells.at(at))
        words = cells.data[cells.starts[at] : cells.stops[last]].decode() if at <= last else ""
        if "{" in words:
            words = _without_others(_BRACES.split(words))
        spoken.append(" ".join(word for word in words.split() if word != NOTHING))
    return spoken


def _is_label(cell: str) -> bool:
    return cell.startswith("<") and cell.endswith(">")


def _without_others(pieces: list[str]) -> str:
    """The pieces with the first of `{ a / b }` in its place, which may hold such itself.

    Braces without alternatives stay, and with them those around them.
    """
    kept: list[str] = []
    opened: list[tuple[int, int]] = []
    for piece in pieces:
        if piece == "/" and opened and opened[-1][1] == _NO_SLASH:
            opened[-1] = opened[-1][0], len(kept)
        elif piece == "}" and opened:
            brace, slash = opened.pop()
            if slash >= 0:
                kept[brace] = ""
                del kept[slash:]
                continue
            if opened:
                opened[-1] = opened[-1][0], _STAYS
        elif piece == "{":
            opened.append((len(kept), _NO_SLASH))
        kept.append(piece)
    return "".join(kept)


# RTTM and UEM

RTTM_FORM = "TYPE FILE CHANNEL START DURATION WORD SUBTYPE SPEAKER CONFIDENCE"
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


def parse_rttm(text: str, source: str = "<rttm>", tier: str = "") -> list[Script]:
    """Read the recordings of a file: words, where units end and of what type they are.

    The tier SPEAKER is the segments of speakers; `SPEAKER*` is that of RTTM, whatever tiers other
    formats have.
    """
    table = CellTable.from_text(_plain(text))
    table.require((table.width >= 9) & (table.width <= 10), RTTM_FORM, source)
    kinds = np.array(
        [kind.upper() for kind in table.column(0)] if len(table) else [], dtype=np.str_
    )
    unknown = np.flatnonzero(~np.isin(kinds, sorted(KINDS)))
    if unknown.size:
        row = int(unknown[0])
        problem, line = f"'{kinds[row]}' is not a type of RTTM", int(table.lines[row])
        raise FormatError(source, problem, f"write {RTTM_FORM}", line=line)
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


def write_rttm(scripts: Sequence[Script]) -> Iterator[str]:
    """Write words and units, speaker by speaker and channel by channel.

    A mark stands for a type: `?` for a question, the others for a statement; a unit without a type
    is written as `other`.
    """
    for script in scripts:
        start, end = require_times(script, "RTTM")
        name = name_of(script)
        for index, first, kind in _in_units(script):
            channel, speaker = _who(script, index)
            span = f"{seconds(int(start[index]))} {seconds(int(end[index] - start[index]))}"
            if not script.has_words:
                who = f"{ABSENT} {ABSENT} {speaker} {ABSENT} {ABSENT}"
                yield f"{SEGMENT} {name} {channel} {span} {who}\n"
                continue
            word = one_cell(script.texts[index], ABSENT, "")
            if first >= 0:
                on = int(start[first])
                whole = f"{seconds(on)} {seconds(max(0, int(end[index]) - on))}"
                yield f"{UNIT} {name} {channel} {whole} {ABSENT} {kind} {speaker} {ABSENT}\n"
            yield f"{WORD} {name} {channel} {span} {word} lex {speaker} {ABSENT}\n"


def is_like_rttm(text: str) -> bool:
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


CODECS = {
    "ctm": Codec(parse_ctm, write_ctm, is_like_ctm, may_be_ctm),
    "stm": Codec(parse_stm, write_stm, is_like_stm, may_be_stm),
    "rttm": Codec(parse_rttm, write_rttm, is_like_rttm),
}
