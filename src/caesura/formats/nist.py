"""NIST's formats: CTM (words), STM (segments), RTTM (objects of recordings), UEM (what to score).

All of them are lines of columns, which a CellTable holds.

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
from dataclasses import dataclass, replace

import numpy as np

from caesura.core.byte_cells import Cells
from caesura.core.format import Codec
from caesura.core.marks import MARKS, with_kin
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, number, option
from caesura.formats.script import (
    LATEST,
    SECOND,
    UNKNOWN,
    Script,
    read_times,
    require_forward,
    seconds,
)
from caesura.io.files import line_feeds, stem

# Lines of columns

_BETWEEN = re.compile(r"[\s\0-\x20]+")
ENOUGH = 3
"""The lines from which on whole numbers that ascend are taken for times."""


@dataclass(frozen=True, slots=True)
class CellTable:
    """Lines of columns, comments and empty lines left out: the cells, and where each line begins.

    Cells hold lines counted from 0, as always; `lines` count from 1.
    """

    cells: Cells
    first: IntArray
    width: IntArray

    @classmethod
    def from_text(cls, text: str, above: int = 0) -> CellTable:
        """Cut a text that comes after a number of other lines."""
        cells = Cells.split(text.encode(errors="backslashreplace"))
        cells = Cells(cells.data, cells.starts, cells.stops, cells.line + above)
        first = np.flatnonzero(np.diff(cells.line, prepend=-1))
        width = np.diff(first, append=cells.line.size)
        characters = np.frombuffer(cells.data, np.uint8)
        said = np.flatnonzero(characters[cells.starts[first]] != ord(";"))
        return cls(cells, first[said], width[said])

    def __len__(self) -> int:
        return self.first.size

    @property
    def lines(self) -> IntArray:
        """The number of each line."""
        return self.cells.line[self.first] + 1

    def some(self, which: IntArray | BoolArray) -> CellTable:
        """Some of the lines."""
        return CellTable(self.cells, self.first[which], self.width[which])

    def column(self, at: int) -> list[str]:
        """A column as text."""
        values, which = self.cells.some(self.first + at).distinct()
        names = [value.decode() for value in values]
        return [names[index] for index in which.tolist()]

    def micros(self, at: int, source: str) -> IntArray:
        """A column as times."""
        times = read_times(source, self.cells.some(self.first + at))
        return np.rint(times * SECOND).astype(np.int64)

    def spans(self, at: int, source: str) -> tuple[IntArray, IntArray]:
        """When lines begin and end, from a column of starts and, after it, one of durations."""
        start = self.micros(at, source)
        end = start + self.micros(at + 1, source)
        late = np.flatnonzero(end > LATEST * SECOND)
        if late.size:
            problem, line = f"ends at {seconds(int(end[late[0]]))}", int(self.lines[late[0]])
            raise FormatError(source, problem, f"times end at {LATEST} seconds", line=line)
        return start, end

    def require(self, fits: BoolArray, form: str, source: str) -> None:
        """Raise an error for the first line that does not have the columns it should have."""
        wrong = np.flatnonzero(~fits)
        if wrong.size:
            at = int(wrong[0])
            problem, line = number(int(self.width[at]), "column"), int(self.lines[at])
            raise FormatError(source, problem, f"write {form}", line=line)


def matched(text: str, line: re.Pattern[str]) -> list[re.Match[str]]:
    """The matches of the lines that are not comments; none if one of them does not match.

    The last of several lines may be cut, so it does not count.
    """
    lines = [each for each in text[:4096].split("\n") if each.strip() and each[0] != ";"]
    found = [line.fullmatch(each) for each in lines[: max(1, len(lines) - 1)]]
    return [each for each in found if each] if all(found) else []


def are_timed(lines: Sequence[re.Match[str]]) -> bool:
    """Whether numbers of lines are times: with a point, or of one recording and ascending."""
    if any("." in each["start"] + each["other"] for each in lines):
        return True
    starts = [int(each["start"]) for each in lines]
    is_one = len({each["lane"] for each in lines}) == 1
    return len(lines) >= ENOUGH and is_one and starts == sorted(starts)


def by_recording(script: Script, names: Sequence[str]) -> list[Script]:
    """A script for each recording, in order of appearance, its pieces sorted by start."""
    pieces: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        pieces.setdefault(name, []).append(index)
    return [
        replace(script.some(which), recording=name).in_order() for name, which in pieces.items()
    ]


def require_times(script: Script, name: str) -> tuple[IntArray, IntArray]:
    """The start and end of each piece, for a format that requires them."""
    if script.start is None or script.end is None:
        raise FormatError(script.source, f"no times, which {name} needs", "choose another format")
    wrong = np.flatnonzero((script.start == UNKNOWN) | (script.end == UNKNOWN))
    if wrong.size:
        line = None if script.lines is None else int(script.lines[wrong[0]])
        problem = f"a piece without a time, which {name} needs"
        raise FormatError(script.source, problem, "choose another format", line=line)
    return script.start, script.end


def _who(script: Script, index: int) -> tuple[str, str]:
    """The channel of a piece as a cell, and its speaker."""
    channel = script.channels[index] if script.channels is not None else ""
    speaker = script.speakers[index] if script.speakers is not None else ""
    return one_cell(channel, "1"), speaker


def name_of(script: Script) -> str:
    """The name of a recording, as one cell: its own, else that of its file; not a comment."""
    name = one_cell(script.recording or stem(script.source), "recording")
    return f"_{name}" if name.startswith(";") else name


def one_cell(name: str, otherwise: str, between: str = "_") -> str:
    """A name or a word without what separates cells: white space and control characters."""
    return between.join(filter(None, _BETWEEN.split(name))) or otherwise


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
    text, has_alternatives = line_feeds(text), "<ALT" in text
    begin = above = 0
    while begin < len(text):  # alternatives are read as a whole
        stop = len(text) if has_alternatives else text.find("\n", begin + BLOCK) + 1 or len(text)
        block = text[begin:stop]
        table = CellTable.from_text(block, above)
        begin, above = stop, above + block.count("\n")
        table.require((table.width >= 5) & (table.width <= 8), CTM_FORM, source)
        if has_alternatives and len(table):
            table = _first_alternatives(table, source)
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
        durations = (end - start).tolist()
        for index, (on, duration) in enumerate(zip(start.tolist(), durations, strict=True)):
            channel, speaker = _who(script, index)
            word = one_cell(script.texts[index], NOTHING, "")
            is_end = script.ends is not None and script.ends[index]
            if is_end and not word.rstrip(_CLOSERS).endswith(ENDS):
                word = word.rstrip(",:") + "."
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
    texts = _texts(table)
    kept = [
        index
        for index, (speaker, text) in enumerate(zip(table.column(2), texts, strict=True))
        if speaker.lower() != SKIPPED_SPEAKER and text.lower() != SKIPPED_TEXT
    ]
    if not kept:
        raise FormatError(source, "no segments", f"write {STM_FORM} on each line")
    table = table.some(np.array(kept))
    script = Script(
        texts=[texts[index] for index in kept],
        start=table.micros(3, source),
        end=table.micros(4, source),
        ends=np.ones(len(kept), dtype=np.bool_),
        speakers=table.column(2),
        channels=table.column(1),
        lines=table.lines,
        form="stm",
        source=source,
    )
    require_forward(script)
    return by_recording(script, table.column(0))


def write_stm(scripts: Sequence[Script]) -> Iterator[str]:
    """Write segments; a speaker without a name is called unknown, a channel without one 1."""
    for script in scripts:
        start, end = require_times(script, "STM")
        name = name_of(script)
        for index, (on, off) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            channel, speaker = _who(script, index)
            who = f"{channel} {one_cell(speaker, UNNAMED)}"
            words = " ".join(script.texts[index].split())
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
    kinds = np.array([kind.upper() for kind in table.column(0)], dtype=np.str_)
    unknown = np.flatnonzero(~np.isin(kinds, sorted(KINDS)))
    if unknown.size:
        row = int(unknown[0])
        problem, line = f"'{kinds[row]}' is not a type of RTTM", int(table.lines[row])
        raise FormatError(source, problem, f"write {RTTM_FORM}", line=line)
    has_words = not _is_of_speakers(kinds, tier, source)
    pieces = table.some(kinds == (WORD if has_words else SEGMENT))
    if not len(pieces):
        problem = f"no {WORD} lines, which hold the words"
        cure = f"give an RTTM file with words and units, or with {SEGMENT} lines"
        raise FormatError(source, problem, cure)
    start, end = pieces.spans(3, source)
    if has_words:
        ends, types = _ends(pieces, table.some(kinds == UNIT), source)
    else:
        lasting = end > start
        if not lasting.any():
            cure = "give segments that end after they begin"
            raise FormatError(source, f"no {SEGMENT} line lasts any time", cure)
        pieces, start, end = pieces.some(lasting), start[lasting], end[lasting]
        ends, types = np.ones(len(pieces), dtype=np.bool_), None
    script = Script(
        texts=pieces.column(5) if has_words else [""] * len(pieces),
        start=start,
        end=end,
        ends=ends,
        types=types,
        speakers=_names(pieces, 7),
        channels=_names(pieces, 2),
        lines=pieces.lines,
        form="rttm",
        source=source,
        has_words=has_words,
    )
    return by_recording(script, pieces.column(1))


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
        begun: dict[tuple[str, str], int] = {}  # when the unit of a channel and speaker began
        for index, (on, off) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            channel, who = _who(script, index)
            speaker = one_cell(who, ABSENT)
            span = f"{seconds(on)} {seconds(off - on)}"
            if not script.has_words:
                cells = f"{ABSENT} {ABSENT} {speaker} {ABSENT} {ABSENT}"
                yield f"{SEGMENT} {name} {channel} {span} {cells}\n"
                continue
            begun.setdefault((channel, speaker), on)
            if script.ends is not None and script.ends[index]:
                first = begun.pop((channel, speaker))
                whole = f"{seconds(first)} {seconds(max(0, off - first))}"
                kind = script.types[index] if script.types is not None else ""
                kind = OF_MARK.get(kind, kind)
                kind = kind if kind in TYPES else "other"
                yield f"{UNIT} {name} {channel} {whole} {ABSENT} {kind} {speaker} {ABSENT}\n"
            word = one_cell(script.texts[index], ABSENT, "")
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
        mine = streams.get(place)
        if mine is None:  # everybody on the channel, if this speaker says nothing
            channel = [words for other, words in streams.items() if other[:2] == place[:2]]
            mine = np.sort(np.concatenate([np.empty(0, np.int64), *channel]))
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


CODECS = {
    "ctm": Codec(parse_ctm, write_ctm, is_like_ctm, may_be_ctm),
    "stm": Codec(parse_stm, write_stm, is_like_stm, may_be_stm),
    "rttm": Codec(parse_rttm, write_rttm, is_like_rttm),
}
