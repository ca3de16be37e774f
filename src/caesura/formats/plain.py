"""Transcripts as plain text: lines, marks, slashes, binary, and subtitles with breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from caesura.core.arrays import isin_sorted
from caesura.core.line_breaks import BREAKS
from caesura.core.marks import MARKS
from caesura.core.segmentation import Document, IntArray, MarkArray, Segmentation, Track
from caesura.errors import CaesuraError, FormatError
from caesura.formats._shared.scan import BETWEEN, BLOCK, BREAK, Scan, marks_at, scan
from caesura.formats.breaks import has_breaks, parse_breaks
from caesura.io.files import line_feeds, line_number

NO_TRACK = Track()
SLASHES = re.compile(r"(?<!\S)/{2,}|(?<![:/])/{2,}(?!\S)")
_NOT_BINARY, _NOT_SPACE = re.compile(r"[^01\s]"), re.compile(r"\S")


def detect(text: str) -> str:
    """Detect the form of a text: breaks, slashes, binary, lines or marks, in this order."""
    if "<eo" in text and has_breaks(text):
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
        group = at if len(text) > BLOCK else -1  # a long text is read alone
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
    joined = BETWEEN.join(raws) if len(raws) > 1 else raws[0]
    if len(raws) > 1 and joined.count(BETWEEN) >= len(raws):
        each = ([text] for text in texts), ([source] for source in sources)
        return [
            _parse_alike(*one, form, marks, is_guess=is_guess)[0] for one in zip(*each, strict=True)
        ]
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
        ends = _merged(scanned.marked, words - 1)
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
    signs = [guess | each for each in _signs(scanned, ends, words, form)]
    words_of = [scanned.words] if len(sources) == 1 else scanned.words.split(BETWEEN)
    texts = [text.strip(" ") for text in words_of] if len(sources) > 1 else words_of
    given = texts, [form] * len(sources), sources, starts, raws
    return list(map(Document, segmentations, *given, [NO_TRACK] * len(sources), signs))


def _signs(scanned: Scan, ends: IntArray, words: IntArray, form: str) -> list[dict[str, int]]:
    """What is noticed of each document: marks inside lines."""
    if form != "lines" or not scanned.marked.size:
        return [{}] * words.size
    inner = scanned.marked[~isin_sorted(scanned.marked, ends)]
    counts = _steps(np.searchsorted(inner, words)).tolist()
    return [{"inner_marks": each} if each else {} for each in counts]


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


def _merged(a: IntArray, b: IntArray) -> IntArray:
    """The numbers of two sorted arrays, sorted and without repetition."""
    merged = np.sort(np.concatenate((a, b)), kind="stable")
    return merged[_steps(merged, -1) > 0]


def _steps(values: IntArray, before: int = 0) -> IntArray:
    """What `np.diff(values, prepend=before)` gives, at a fraction of its cost for short arrays."""
    differences = values.copy()
    differences[1:] -= values[:-1]
    differences[:1] -= before
    return differences
