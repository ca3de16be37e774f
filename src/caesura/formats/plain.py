"""Transcripts as plain text: lines, marks, slashes, binary, and subtitles with breaks.

A word is a run of characters between white space with at least one that is not punctuation;
it is compared without the punctuation at its edges, in NFC and case folded. A hyphen is part of a
word, even alone; a dash is punctuation. A scan is a text as characters, with where its words begin
and end and which marks follow them. Everything is done on arrays of characters, never word by
word; the arrays are those of blocks, so that they stay in the processor's cache.

Subtitles as text have `<eol>` and `<eob>`, and a sentence, or another segment, on each line. A
break is one wherever it stands, also right after a word. The end of a line of the file is none:
lines that do not end with one are counted, so that users can be warned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import isin_sorted, offsets_of
from caesura.core.line_breaks import BLOCK, BLOCK_END, BREAKS, EOB, EOL, LINE, LINE_END
from caesura.core.marks import EDGES, KIN, MARKS, one_of, with_kin
from caesura.core.segmentation import BoolArray, Document, IntArray, MarkArray, Segmentation, Track
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.io.files import line_feeds, line_number

BREAK, BETWEEN = BLOCK_END, "\x1d"
"""Characters that separate units, and texts."""
AT_ONCE = 1 << 17
"""The characters that are scanned together."""
Codes = npt.NDArray[np.unsignedinteger]
Kinds = npt.NDArray[np.uint8]

_CUT, _CUT_BEFORE_WORD = re.compile("[ \n]"), re.compile("[ \n](?=[0-9A-Za-z])")
_SPACE_CODE, _DROPPED = ord(" "), 0x80
_APOSTROPHES_AND_HYPHENS = (*zip("’ʼ＇‐‑", "'''--", strict=True), ("\u00ad", ""))
_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_IN_WORD, _SPACE, _BREAK, _EDGE, _MARK = range(5)
_LOWER = bytes(range(256)).lower()


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """The words of a text, and what is between them.

    `marked` are the words that a mark follows, `marks` the first such marks as characters. `breaks`
    says for each line end, BREAK, LINE_END and BETWEEN how many words precede it, `break_codes`
    which it is.
    """

    length: int
    words: str
    marked: IntArray
    marks: npt.NDArray[np.uint32]
    breaks: IntArray
    break_codes: Kinds

    def words_before(self, character: str) -> IntArray:
        """How many words precede each line end, BREAK, LINE_END or BETWEEN."""
        before: IntArray = self.breaks[self.break_codes == ord(character)].astype(np.int64)
        return before


def scan(raw: str, marks: str = MARKS, *, has_many: bool = False) -> Scan:
    """Find the words of a text and the marks that follow them; it may hold many, with BETWEEN."""
    if not isinstance(marks, str):
        raise UsageError(f"marks must be one text, such as {MARKS!r}, not {marks!r:.60}")
    if any(mark.isspace() or mark.isalnum() for mark in marks):
        raise UsageError(f"marks cannot be letters, digits or white space: '{marks}'")
    table = _kind_table(with_kin(_fold(marks)))
    place = _CUT_BEFORE_WORD if has_many else _CUT  # up to which a block can be scanned alone
    blocks, start = list[Scan](), 0
    while len(raw) - start > AT_ONCE and (cut := place.search(raw, start + AT_ONCE)):
        blocks.append(_scan(raw[start : cut.end()], table, has_many=has_many))
        start = cut.end()
    blocks.append(_scan(raw[start:], table, has_many=has_many))
    # A mark may follow the last word of another block.
    before = np.cumsum([0, *(block.length for block in blocks)]).tolist()
    numbered = list(zip(blocks, before, strict=False))
    marked = np.concatenate([block.marked + first for block, first in numbered])
    is_first = marked >= 0
    is_first[1:] &= marked[1:] > marked[:-1]
    breaks = np.empty(sum(block.breaks.size for block in blocks), offsets_of(before[-1]))
    stop = 0
    for block, first in numbered:
        stop += block.breaks.size
        np.add(block.breaks, first, out=breaks[stop - block.breaks.size : stop])
    return Scan(
        before[-1],
        " ".join(block.words for block in blocks if block.words),
        marked[is_first],
        np.concatenate([block.marks for block in blocks])[is_first],
        breaks,
        np.concatenate([block.break_codes for block in blocks]),
    )


def marks_of(scanned: Scan, ends: IntArray) -> MarkArray | None:
    """The marks of the units' last words; None if no word has a mark."""
    which, codes = marks_at(scanned, ends)
    return codes.view("<U1") if which.size else None


def marks_at(scanned: Scan, ends: IntArray) -> tuple[IntArray, npt.NDArray[np.uint32]]:
    """Which of the units' last words have a mark, and the marks of all, 0 for those without."""
    codes = np.zeros(ends.size, dtype="<u4")
    if not scanned.marked.size:
        return scanned.marked, codes
    at = np.minimum(np.searchsorted(scanned.marked, ends), scanned.marked.size - 1)
    which = np.flatnonzero(scanned.marked[at] == ends)
    codes[which] = scanned.marks[at[which]]
    return which, codes


def _scan(text: str, table: bytes, *, has_many: bool) -> Scan:
    """Scan one block."""
    codes: Codes  # the characters, folded unless they are ASCII
    if text.isascii():
        data = text.encode("ascii")
        codes = np.frombuffer(data, dtype=np.uint8)
        kinds = np.frombuffer(data.translate(table[:256]), dtype=np.uint8)
    else:
        codes = np.frombuffer(_fold(text).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        kinds = np.take(np.frombuffer(table, dtype=np.uint8), codes, mode="clip")
    special = np.flatnonzero(kinds >= _BREAK)
    kind = kinds[special]
    inside, free = _punctuation(special[kind >= _EDGE], kinds)
    breaks = special[kind == _BREAK]
    in_word = kinds == _IN_WORD
    in_word[inside] = True
    is_end = in_word.copy()
    np.greater(in_word[:-1], in_word[1:], out=is_end[:-1])
    ends = np.flatnonzero(is_end)
    stops = breaks[codes[breaks] == ord(BETWEEN)] if has_many else breaks[:0]
    marked, mark_at = _marked(free[kinds[free] == _MARK], ends, stops)
    return Scan(
        ends.size,
        _join(codes, in_word, stops),
        marked,
        codes[mark_at].astype("<u4"),
        np.searchsorted(ends, breaks).astype(offsets_of(ends.size)),
        codes[breaks].astype(np.uint8),
    )


def _punctuation(places: IntArray, kinds: Kinds) -> tuple[IntArray, IntArray]:
    """The places of punctuation inside words, and of punctuation that no word follows at once."""
    if not places.size:
        return places, places
    begins = np.ones(places.size + 1, dtype=np.bool_)
    np.greater(places[1:], places[:-1] + 1, out=begins[1:-1])
    first, last = places[begins[:-1]], places[begins[1:]]
    after_word = (first > 0) & (kinds[first - 1] == _IN_WORD)
    before_word = kinds[np.minimum(last + 1, kinds.size - 1)] == _IN_WORD
    run = np.cumsum(begins[:-1]) - 1
    return places[(after_word & before_word)[run]], places[~before_word[run]]


def _marked(places: IntArray, ends: IntArray, stops: IntArray) -> tuple[IntArray, IntArray]:
    """The words that a mark follows in the same text, and the place of the first such mark.

    A mark inside a word (3.5) or attached to the next one (.net) follows none. Before the first
    word, -1 stands for the last word of the block before.
    """
    word = np.searchsorted(ends, places) - 1
    is_first = np.ones(word.size, np.bool_)
    if stops.size:
        before = np.append(0, np.searchsorted(ends, stops))
        is_first = word >= before[np.searchsorted(stops, places)]
    is_first[1:] &= word[1:] > word[:-1]
    return word[is_first], places[is_first]


def _join(codes: Codes, in_word: BoolArray, stops: IntArray) -> str:
    """The words separated by one space each; stops stay, after a space or not."""
    dropped = ~in_word
    joined = codes * in_word
    joined += dropped.view(np.uint8) * np.uint8(_SPACE_CODE)
    dropped[1:] &= dropped[:-1]
    dropped[stops], joined[stops] = False, codes[stops]
    if codes.itemsize > 1:
        words = joined.compress(~dropped).tobytes().decode("utf-32-le", "surrogatepass")
    else:
        joined += dropped.view(np.uint8) * np.uint8(_DROPPED)
        deleted = bytes([_DROPPED + _SPACE_CODE])
        words = joined.tobytes().translate(_LOWER, deleted).decode("ascii")
    return words.removesuffix(" ")


def _fold(text: str) -> str:
    """NFC and case folding, with one kind of apostrophe and hyphen."""
    if text.isascii():
        return text.lower()
    from caesura.core.unicode import normalized

    for other, plain in _APOSTROPHES_AND_HYPHENS:
        text = text.replace(other, plain)
    return normalized("NFC", normalized("NFC", text).casefold())


@lru_cache(maxsize=8)
def _kind_table(marks: str) -> bytes:
    """The kind of each character; the last entry is for all after it."""
    special = {
        _SPACE: _SPACES,
        _BREAK: f"\n{BREAK}{LINE_END}{BETWEEN}",
        _EDGE: EDGES + with_kin("".join(KIN)),
        _MARK: marks,
    }
    table = bytearray(max(map(ord, "".join(special.values()))) + 2)
    for kind, characters in special.items():
        for character in characters:
            table[ord(character)] = kind
    return bytes(table)


_SENTENCE = re.compile(rf"{one_of('.?!')}[\"'”’»›)\]」』）】]*$")
_ANY_BREAK = re.compile(f"{EOL}|{EOB}")
_OPEN_END = re.compile(rf"[^ \t\n{LINE_END}{BLOCK_END}][ \t]*(?=\n|\Z)")
_OTHER = str.maketrans(LINE_END + BLOCK_END, "  ")


def parse_breaks(text: str, source: str, marks: str = MARKS, *, is_guess: bool = False) -> Document:
    """Read one text."""
    raw = line_feeds(text).translate(_OTHER)
    raw = raw.replace(EOL, LINE_END).replace(EOB, BLOCK_END)
    scanned = scan(raw, marks)
    if not scanned.length:
        raise FormatError(source, "no words", "give a file with the words of subtitles")
    lines, blocks = (scanned.words_before(each) - 1 for each in (LINE_END, BLOCK_END))
    starts = np.insert(scanned.breaks[scanned.break_codes == ord("\n")], 0, 0)
    signs = {"guessed": 1} if is_guess else {}
    open_lines = len(_OPEN_END.findall(raw)) if LINE_END in raw or BLOCK_END in raw else 0
    if open_lines:
        signs["open_lines"] = open_lines
    return Document(
        broken(scanned, lines, blocks),
        scanned.words,
        BREAKS,
        source,
        starts[: starts.size - raw.endswith("\n")],
        raw,
        signs=signs,
    )


def broken(scanned: Scan, lines: IntArray, blocks: IntArray) -> Segmentation:
    """Boundaries after words that end lines, and after those that end blocks."""
    ends = np.union1d(lines, blocks)
    ends = ends[ends >= 0]
    types = np.where(np.isin(ends, blocks), BLOCK, LINE)
    return Segmentation.from_positions(ends, scanned.length, types)


def ends_sentence(text: str) -> bool:
    """Whether a text ends with the mark of the end of a sentence.

    >>> ends_sentence("“No!”"), ends_sentence("no,")
    (True, False)
    """
    return _SENTENCE.search(text) is not None


def laid_out(text: str) -> str:
    r"""A text without white space but single blanks and the ends of lines that have text.

    >>> laid_out("so   it\x1f\x1f is ").split(LINE_END)
    ['so it', 'is']
    """
    lines = (" ".join(line.split()) for line in text.split(LINE_END))
    return LINE_END.join(filter(None, lines))


NO_TRACK = Track()
SLASHES = re.compile(r"(?<!\S)/{2,}|(?<![:/])/{2,}(?!\S)")
_NOT_BINARY, _NOT_SPACE = re.compile(r"[^01\s]"), re.compile(r"\S")


def detect(text: str) -> str:
    """Detect the form of a text: breaks, slashes, binary, lines or marks, in this order."""
    if "<eo" in text and _ANY_BREAK.search(text):
        return BREAKS
    if "/" in text and "//" in text and SLASHES.search(text):
        return "slashes"
    first = _NOT_SPACE.search(text)
    if first and not _NOT_BINARY.search(text):
        return "binary"
    start = first.start() if first else len(text)
    ends = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
    return "lines" if ends and _NOT_SPACE.search(text, min(ends)) else "marks"


def parse(
    text: str, form: str = "auto", *, marks: str = MARKS, source: str = "<string>"
) -> Document:
    """Read one transcript.

    >>> parse("so, you know // it rained // a lot").segmentation.masses.tolist()
    [3, 2, 2]
    """
    used = detect(text) if form == "auto" else form
    return _parse_alike([text], [source], used, marks, is_guess=form == "auto")[0]


def parse_many(
    texts: Sequence[str], forms: Sequence[str], *, marks: str = MARKS, sources: Sequence[str]
) -> list[Document]:
    """Read many transcripts, as `parse` reads each, in one pass over all that are of one form.

    The documents are slices of shared arrays.
    """
    used = [
        detect(text) if form == "auto" else form for text, form in zip(texts, forms, strict=True)
    ]
    alike: dict[tuple[str, bool, bool, int], list[int]] = {}
    for at, (text, form) in enumerate(zip(texts, used, strict=True)):
        group = at if len(text) > AT_ONCE else -1  # a long text is read alone
        alike.setdefault((form, forms[at] == "auto", text.isascii(), group), []).append(at)
    documents: dict[int, Document] = {}
    try:
        for (form, is_guess, *_), places in alike.items():
            chosen = [texts[at] for at in places], [sources[at] for at in places]
            parsed = _parse_alike(*chosen, form, marks, is_guess=is_guess)
            documents.update(zip(places, parsed, strict=True))
    except CaesuraError:
        given = zip(texts, forms, sources, strict=True)
        return [parse(text, form, marks=marks, source=source) for text, form, source in given]
    return [documents[at] for at in range(len(used))]


def _parse_alike(
    texts: list[str], sources: list[str], form: str, marks: str, *, is_guess: bool
) -> list[Document]:
    """Read transcripts of one form."""
    if form == "binary":
        return _parse_binary(texts, sources, is_guess=is_guess)
    if form == BREAKS:
        pairs = zip(texts, sources, strict=True)
        return [parse_breaks(*pair, marks, is_guess=is_guess) for pair in pairs]
    raws = [line_feeds(text).replace(BREAK, " ") for text in texts]
    if form == "slashes":
        raws = [SLASHES.sub(BREAK, raw) for raw in raws]
    apart = (raw.replace(BETWEEN, " ") for raw in raws)
    joined = BETWEEN.join(apart) if len(raws) > 1 else raws[0]
    scanned = scan(joined, marks, has_many=len(raws) > 1)
    return _documents(scanned, form, sources, raws, is_guess=is_guess)


def surfaces(raw: str) -> list[str]:
    """The words as they are written, each with the punctuation next to it.

    >>> surfaces("Well — “yes”, he said .")
    ['Well —', '“yes”,', 'he', 'said .']
    """
    pieces = raw.split()
    distinct = list(set(pieces))
    is_word = dict(zip(distinct, words_by_line("\n".join(distinct)) > 0, strict=True))
    words: list[str] = []
    before = ""
    for piece in pieces:
        if is_word[piece]:
            words.append(before + piece)
            before = ""
        elif words:
            words[-1] += f" {piece}"
        else:
            before += f"{piece} "
    return words


def words_by_line(text: str) -> IntArray:
    """How many words there are on each line."""
    scanned = scan(text)
    return np.diff(scanned.words_before("\n"), prepend=0, append=scanned.length)


def _parse_binary(texts: list[str], sources: list[str], *, is_guess: bool) -> list[Document]:
    """Read strings of 0 and 1."""
    strings = ["".join(text.split()) for text in texts]
    for text, digits, source in zip(texts, strings, sources, strict=True):
        wrong = _NOT_BINARY.search(digits) and _NOT_BINARY.search(text)
        if wrong:
            raise FormatError(
                source,
                f"'{wrong[0]}' in a binary string",
                "use only 0, 1 and white space",
                line=line_number(text, wrong.start()),
            )
        if not digits:
            raise FormatError(source, "no words", "give a 0 or a 1 for each word")
    values = np.frombuffer("".join(strings).encode("ascii"), dtype=np.uint8) == ord("1")
    sizes = list(map(len, strings))
    stops = np.cumsum(sizes)
    values[stops - 1] = True
    boundaries = np.flatnonzero(values)
    spans = _parts(boundaries, _steps(np.searchsorted(boundaries, stops)), stops)
    signs = {"guessed": 1} if is_guess else {}
    return [
        Document(Segmentation(size, ends), None, "binary", source, signs=signs)
        for size, ends, source in zip(sizes, spans, sources, strict=True)
    ]


def _documents(
    scanned: Scan, form: str, sources: list[str], raws: list[str], *, is_guess: bool
) -> list[Document]:
    """The documents of a scan of one text or many."""
    lines, last_lines = _breaks(scanned, "\n", len(sources))
    words = lines[last_lines]
    sizes = _steps(words)
    if not sizes.all():
        source = sources[int(np.argmin(sizes))]
        raise FormatError(source, "no words", "give a file with the words of a transcript")
    if form == "marks":
        ends = np.sort(np.concatenate((scanned.marked, words - 1)), kind="stable")
        ends = ends[_steps(ends, -1) > 0]
    else:
        before = lines if form == "lines" else _breaks(scanned, BREAK, len(sources))[0]
        ends = before[_steps(before) > 0].astype(np.int64) - 1
    counts = _steps(np.searchsorted(ends, words))
    segmentations = map(
        Segmentation, sizes.tolist(), _parts(ends, counts, words), _marks(scanned, ends, counts)
    )
    lines[1:], lines[0] = lines[:-1].copy(), 0
    starts = _parts(lines, _steps(last_lines, -1), words)
    guess = {"guessed": 1} if is_guess else {}
    signs = [guess] * len(sources)
    if form == "lines" and scanned.marked.size:
        inner = scanned.marked[~isin_sorted(scanned.marked, ends)]  # words before marks in lines
        numbers = _steps(np.searchsorted(inner, words)).tolist()
        signs = [{**guess, "inner_marks": number} if number else guess for number in numbers]
    words_of = [scanned.words] if len(sources) == 1 else scanned.words.split(BETWEEN)
    texts = [text.strip(" ") for text in words_of] if len(sources) > 1 else words_of
    given = texts, [form] * len(sources), sources, starts, raws
    return list(map(Document, segmentations, *given, [NO_TRACK] * len(sources), signs))


def _breaks(scanned: Scan, character: str, texts: int) -> tuple[IntArray, IntArray]:
    """How many words precede each place of a character and each text's end; which are ends."""
    is_end = scanned.break_codes == (ord(BETWEEN) if texts > 1 else 0)
    is_chosen = is_end | (scanned.break_codes == ord(character))
    last = scanned.breaks.dtype.type(scanned.length)  # of the same type, for there may be many
    chosen = scanned.breaks if is_chosen.all() else scanned.breaks[is_chosen]
    before = np.append(chosen, last)
    return before, np.append(np.flatnonzero(is_end[is_chosen]), before.size - 1)


def _marks(scanned: Scan, ends: IntArray, counts: IntArray) -> list[MarkArray | None]:
    """For each document the marks of its units; None if no unit has one."""
    which, codes = marks_at(scanned, ends)
    marks = codes.view("<U1")
    if counts.size == 1:
        return [marks if which.size else None]
    stops = np.cumsum(counts)
    has_marks = _steps(np.searchsorted(which, stops)) > 0
    spans = zip((stops - counts).tolist(), stops.tolist(), has_marks.tolist(), strict=True)
    return [marks[start:stop] if has else None for start, stop, has in spans]


def _parts(values: IntArray, counts: IntArray, stops: IntArray) -> list[IntArray]:
    """Sorted numbers in parts of some sizes, each counted from where the part before it stops."""
    if counts.size == 1:
        return [values]
    ends = np.cumsum(counts)
    local = values - np.repeat(stops - _steps(stops), counts)
    spans = zip((ends - counts).tolist(), ends.tolist(), strict=True)
    return [local[start:stop] for start, stop in spans]


def _steps(values: IntArray, before: int = 0) -> IntArray:
    """What `np.diff(values, prepend=before)` gives, at a fraction of its cost for short arrays."""
    differences = values.copy()
    differences[1:] -= values[:-1]
    differences[:1] -= before
    return differences
