"""CoNLL-U: the ten columns of Universal Dependencies, as a treebank, a text or a transcript.

They are read as arrays and never as objects. Comments are skipped wherever they stand, empty nodes
(8.1) ignored. Word ids have to count from 1 in each sentence, ranges (4-5) to stand before their
first word, and lines to have ten columns. Tokens are what counts: sentences whose `# text` has
other characters are noted, not refused. A file is read in parts that end with a sentence, so that
arrays stay small. If one of them is malformed, the file is read again as a whole, so that parts do
not change what is reported.

In a transcript, surface tokens are words and sentences units. A token of punctuation (UPOS `PUNCT`;
without UPOS, a form of nothing else) belongs to the word before it in its sentence, or if there is
none, to the first that follows. `SpaceAfter=No` says whether there is a space between them.

- `# newdoc id = NAME` begins a recording; without an id it is named by its number.
- `# speaker = NAME` (`speaker_id`, `speaker_name`, `speakerId`) says who speaks in a sentence,
  `Speaker=NAME` in the last column (MISC) who says a word.
- `AlignBegin=1500` and `AlignEnd=1820` in MISC are times in milliseconds, `start=1.5` and
  `end=1.82` in seconds.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from caesura.core.arrays import steps, stretched
from caesura.core.byte_cells import (
    Bytes,
    StringNumbers,
    first_eight,
    mixed,
    numbered,
    string_codes,
    whole_numbers,
)
from caesura.core.format import Codec
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.core.treebank_table import (
    COLUMNS,
    AnnotatedText,
    Ranges,
    TreebankColumns,
    TreebankTable,
)
from caesura.errors import FormatError, number
from caesura.formats.equivalences import QUOTES, Equivalences
from caesura.formats.plain import words_by_line
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward
from caesura.formats.texts import TextFile, TextOptions, bare, parse_filled, refuse_nul

PART = 1 << 21
_TEXT = b"# text = "
_TEXT_EIGHT = int.from_bytes(_TEXT[:8], "little")
_NO_BREAK = "\u00a0".encode()
_TWO_NUMBERS = re.compile(rb"([0-9]+)([-.])([0-9]+)")
_TAB, _LINE_END, _BLANK, _HASH = b"\t\n #"


def parse_conllu(data: bytes, source: str = "<conllu>") -> TreebankTable:
    """Read the lines of a CoNLL-U file; a line that is malformed is an error."""
    refuse_nul(data, source)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    stops = [0]
    while stops[-1] < len(data):
        blank = data.find(b"\n\n", stops[-1] + PART)
        stops.append(blank + 2 if blank >= 0 else len(data))
    if len(stops) > 2:
        with suppress(FormatError):
            return _parsed(data, source, stops)
    return _parsed(data, source, [0, len(data)])


def _parsed(data: bytes, source: str, stops: list[int]) -> TreebankTable:
    """Read the parts of a file, which begin and end at `stops`."""
    tables, line, sentence = [], 0, 0
    for span in pairwise(stops):
        lines = Lines.from_bytes(data, span, line, sentence)
        tables.append(_table(data, source, lines))
        line, sentence = line + lines.starts.size, int(lines.sentence[-1])
    table = TreebankTable.from_tables(tables)
    if not table.words.size:
        raise _no_words(source)
    return table


def _no_words(source: str) -> FormatError:
    return FormatError(source, "no words", "give a CoNLL-U file that contains sentences")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a part of a file: where each begins and ends in it, and its first byte.

    `line` is the number of the first one; `sentence` is how many blank lines there are up to each,
    in the whole file; `cuts` are the tabs and line ends, `ends` which of them are line ends.
    """

    start: int
    line: int
    starts: IntArray
    stops: IntArray
    first: Bytes
    sentence: IntArray
    cuts: IntArray
    ends: IntArray

    @classmethod
    def from_bytes(cls, data: bytes, span: tuple[int, int], line: int, sentence: int) -> Lines:
        """Cut the bytes of a file between two places, each after a line end."""
        start, stop = span
        characters = np.frombuffer(data, np.uint8, stop - start, start)
        cuts = np.flatnonzero(characters <= _LINE_END)
        which = characters.take(cuts)
        if which.min() < _TAB:
            cuts, which = cuts[which >= _TAB], which[which >= _TAB]
        ends = np.flatnonzero(which == _LINE_END)
        stops = cuts.take(ends)
        starts = np.zeros_like(stops)
        np.add(stops[:-1], 1, out=starts[1:])
        first = characters.take(starts)
        size: Any = np.int32 if len(data) < 2**31 else np.int64
        sentences = np.cumsum(first == _LINE_END, dtype=size) + size(sentence)
        return cls(start, line, starts, stops, first, sentences, cuts, ends)

    def text(self, data: bytes, at: int) -> str:
        """One of the lines."""
        start, stop = self.start + int(self.starts[at]), self.start + int(self.stops[at])
        return data[start:stop].decode("utf-8", "surrogatepass")

    @property
    def columns(self) -> IntArray:
        """How many columns each line has."""
        return steps(self.ends, -1)

    def cells(self, others: IntArray, sizes: IntArray) -> IntArray:
        """Where the columns of each line end in the file, but for some lines of other sizes."""
        kept = np.ones(self.cuts.size, dtype=np.bool_)
        kept[stretched(self.ends[others] - sizes + 1, sizes)] = False
        return self.places(self.cuts)[kept].reshape(-1, len(COLUMNS))

    def places(self, offsets: IntArray) -> IntArray:
        """Offsets in the part as offsets in the file, in the smallest integers."""
        places = offsets.astype(self.sentence.dtype)
        places += places.dtype.type(self.start)
        return places


def _table(data: bytes, source: str, lines: Lines) -> TreebankTable:
    """Read the lines of a part that hold tokens and words, and check them."""
    is_row = (lines.first != _HASH) & (lines.first != _LINE_END)
    rows, others, sizes = np.flatnonzero(is_row), np.flatnonzero(~is_row), lines.columns
    line = rows + lines.line
    wrong = np.flatnonzero(sizes[rows] != len(COLUMNS))
    if wrong.size:
        columns_there = number(int(sizes[rows[wrong[0]]]), "column")
        cure = "CoNLL-U has ten, separated by tabs"
        raise FormatError(source, columns_there, cure, line=int(line[wrong[0]]) + 1)
    starts, stops = lines.places(lines.starts[rows]), lines.cells(others, sizes[others])
    columns = TreebankColumns(np.frombuffer(data, np.uint8), starts, stops)
    ids, ranges, kept = _ids(columns, line, source)
    if kept is not None:
        ids, columns, rows, line = ids[kept], columns.some(kept), rows[kept], line[kept]
    sentence = lines.sentence[rows]
    line = line.astype(sentence.dtype)
    table = TreebankTable(data, source, columns, line, sentence, ranges, b"", sentence[:0])
    if is_row.any():
        empty = np.flatnonzero(columns.stops[:, 1] - columns.stops[:, 0] == 1)
        if empty.size:
            problem, at = "a token without a form", int(line[empty[0]]) + 1
            raise FormatError(source, problem, "write _ if it has none", line=at)
        _check_ids(table, ids)
        surface = table.plain(table.tokens)
        comments = others[lines.first[others] == _HASH]
        unlike = _unlike_sentences(table, surface, lines, comments)
        table = replace(table, surface=surface, unlike=unlike)
    return table


def _ids(
    columns: TreebankColumns, line: IntArray, source: str
) -> tuple[IntArray, Ranges, IntArray | None]:
    """The first or only number of each id; the ranges; and the lines that are not empty nodes.

    Ranges are counted without the empty nodes; None stands for all lines.
    """
    first = whole_numbers(*columns.of("id"))
    other = np.flatnonzero(first < 0)
    if not other.size:
        return first, Ranges(other, other), None
    distinct: list[tuple[int, int, bool]] = []  # both numbers of an id, and whether it is a range

    def parsed(name: bytes) -> int:
        numbers = _TWO_NUMBERS.fullmatch(name) if len(name) < 20 else None
        one, mark, two = numbers.groups() if numbers else (-1, b"", -1)
        distinct.append((int(one), int(two), mark == b"-"))
        return len(distinct) - 1

    which = StringNumbers(parsed).of(columns.some(other).of("id"))
    one, two, is_range = np.array(distinct, np.int64)[which].T
    for at in other[one < 0][:1].tolist():
        characters, starts, stops = columns.of("id")
        shown = characters[starts[at] : min(stops[at], starts[at] + 20)].tobytes()
        problem = f"the id '{shown.decode(errors='replace')}'"
        cure = "write a number, a range (4-5) or an empty node (4.1)"
        raise FormatError(source, problem, cure, line=int(line[at]) + 1)
    first[other] = one
    ranges, empty = np.flatnonzero(is_range), other[is_range == 0]
    lines = other[ranges] - np.searchsorted(empty, other[ranges])
    kept = np.delete(np.arange(first.size), empty) if empty.size else None
    return first, Ranges(lines, two[ranges] - one[ranges] + 1), kept


def _check_ids(table: TreebankTable, ids: IntArray) -> None:
    """Words count from 1 in each sentence; a range stands before its first word."""
    words, ranges, sentence = table.words, table.ranges.lines, table.sentence
    if not words.size:
        raise _no_words(table.source)
    first = ids[words] if ranges.size else ids
    step = steps(first, 0)
    begins = table.first_words[:-1]
    step[begins] = first[begins]
    _require(table, words, step == 1, "the word id {} is out of order")
    if not ranges.size:
        return
    before = ranges - np.arange(ranges.size)
    after = before + table.ranges.sizes - 1
    following = words[np.minimum(before, words.size - 1)]
    last_word = words[np.clip(after, 0, words.size - 1)]
    fits = (
        (before < words.size)
        & (ids[following] == ids[ranges])
        & (after >= before)
        & (ids[last_word] == ids[ranges] + table.ranges.sizes - 1)
        & (sentence[following] == sentence[ranges])
        & (sentence[last_word] == sentence[ranges])
    )
    _require(table, ranges, fits, "the range {} does not fit the words that follow")
    overlaps = following[1:] <= last_word[:-1]
    _require(table, ranges[1:], ~overlaps, "the range {} overlaps the one before")


def _require(table: TreebankTable, lines: IntArray, sound: BoolArray, problem: str) -> None:
    if sound.all():
        return
    worst = lines[np.flatnonzero(~sound)[0]]
    (shown,) = table.texts("id", np.array([worst]))
    raise FormatError(
        table.source,
        problem.format(f"'{shown}'"),
        "number words from 1 in each sentence, and put ranges before their words",
        line=int(table.line[worst]) + 1,
    )


def _unlike_sentences(
    table: TreebankTable, surface: bytes, lines: Lines, comments: IntArray
) -> IntArray:
    """The sentences whose `# text` differs from the tokens in more than white space."""
    characters, starts = table.columns.characters, lines.places(lines.starts[comments])
    is_text = first_eight(characters, starts) == _TEXT_EIGHT
    is_text &= characters.take(starts + len(_TEXT) - 1, mode="clip") == _BLANK
    texts = comments[is_text]
    begins = table.sentence[table.words[table.first_words[:-1]]]
    which = np.searchsorted(begins, lines.sentence[texts])
    is_told = np.append(begins, -1)[which] == lines.sentence[texts]
    texts, which = texts[is_told], which[is_told]
    if not texts.size:
        return begins[:0]
    ours = surface[:-1]
    if not np.array_equal(which, np.arange(begins.size)):
        sentences = ours.split(b"\n")
        ours = b"\n".join([sentences[at] for at in which.tolist()])
    begin = lines.places(lines.starts[texts] + len(_TEXT)).tolist()
    spans = map(slice, begin, lines.places(lines.stops[texts]).tolist())
    theirs = b"\n".join(map(table.data.__getitem__, spans))
    one, other = map(_without_blanks, (ours, theirs))
    if np.array_equal(one, other):
        return begins[:0]
    pairs = zip(one.tobytes().split(b"\n"), other.tobytes().split(b"\n"), strict=True)
    unlike = [at for at, (a, b) in enumerate(pairs) if a != b and bare(a) != bare(b)]
    return np.unique(begins[which[unlike]])


def _without_blanks(data: bytes) -> Bytes:
    """The characters but for blanks, NUL and no-break spaces."""
    characters = np.frombuffer(data, np.uint8)
    kept = (characters != _BLANK) & (characters != 0)
    at = np.flatnonzero((characters[:-1] == _NO_BREAK[0]) & (characters[1:] == _NO_BREAK[1]))
    kept[at], kept[at + 1] = False, False
    return np.compress(kept, characters)


_SPACE, _QUOTE, _APOSTROPHE, _BACKTICK = b" \"'`"
KNOWN = 1 << 14
"""The distinct multiword tokens whose case is remembered."""
_BLANKS = str.maketrans("", "", " \0\u00a0")


def parse_text(data: bytes, source: str, options: TextOptions) -> TextFile:
    """Read CoNLL-U from UTF-8 bytes, in surface tokens or syntactic words."""
    table = parse_conllu(data, source)
    surface = _text_of(table, table.tokens, options)
    text = surface if options.units == "tokens" else _text_of(table, table.words, options)
    return TextFile(text, AnnotatedText(table, surface))


def _text_of(table: TreebankTable, lines: IntArray, options: TextOptions) -> Text:
    is_surface = lines is table.tokens
    data = table.surface if is_surface else with_case_of_tokens(table, table.plain(lines))
    how = options.equivalences, options.normalize
    first = np.flatnonzero(steps(table.sentence_of(lines), -1))
    ends = np.append(first[1:], lines.size)
    text = None if how[1] else surface_text(data, table.form_widths(lines), ends, how[0])
    if text is None:
        text = parse_filled(data, equivalences=how[0], normalize=how[1], source=table.source)
    if text.token_ends.size != lines.size:
        forms = data.replace(b"\n", b" ").split(b" ")
        is_blank = (not form.decode().replace("\0", "").strip() for form in forms)
        line = int(table.line[lines[list(is_blank).index(True)]]) + 1
        raise FormatError(table.source, "a blank form", "give the token a form", line=line)
    begins = table.line[lines[first]].astype(np.int64) + 1
    signs = {"text_differs": table.unlike.size} if table.unlike.size else {}
    return replace(text, lines=begins, form="conllu", source=table.source, signs=signs)


def surface_text(
    data: bytes, widths: IntArray, sentence_ends: IntArray, equivalences: Equivalences
) -> Text | None:
    """The text of tokens of known widths in bytes, each with what separates it from the next.

    None if a token holds white space, or if other tokens than quotes are equivalent.
    """
    if equivalences.rows and set(equivalences.rows) != set(QUOTES.items()):
        return None
    lengths, ends = widths - 1, np.cumsum(widths)
    characters = np.frombuffer(data, np.uint8)
    if equivalences.rows:
        characters = _one_quote(characters, ends, lengths)
    stream = np.compress(characters > _SPACE, characters)
    high = np.compress(stream >= 0x80, stream).tobytes()  # where other white space may be
    if stream.size != lengths.sum() or len(bare(high)) < len(high):
        return None
    text = str(stream.data, "utf-8")
    if len(text) < stream.size:
        is_more = characters & 0xC0 == 0x80  # bytes that begin no character; most texts have few
        if 4 * np.count_nonzero(is_more) > ends.size:
            lengths -= np.diff(np.cumsum(is_more)[ends - 1], prepend=0)
        else:
            tokens = np.searchsorted(ends, np.flatnonzero(is_more), side="right")
            lengths -= np.bincount(tokens, minlength=ends.size)
    size = np.int32 if stream.size < 2**31 else np.int64
    return Text(text, np.cumsum(lengths, dtype=size), sentence_ends, sentence_ends)


def _one_quote(characters: Bytes, ends: IntArray, lengths: IntArray) -> Bytes:
    """Turn the tokens `` and '' into ", a byte shorter, with NUL as the second byte."""
    tokens = np.flatnonzero(lengths == 2)
    starts = ends[tokens] - 3
    first = characters[starts]
    is_quote = (first == characters[starts + 1]) & ((first == _BACKTICK) | (first == _APOSTROPHE))
    if is_quote.any():
        lengths[tokens[is_quote]] = 1
        characters = characters.copy()
        characters[starts[is_quote]], characters[starts[is_quote] + 1] = _QUOTE, 0
    return characters


def with_case_of_tokens(table: TreebankTable, words: bytes) -> bytes:
    """The words of a treebank as tokenized text, in the case of the tokens that they are part of.

    How such words are capitalised is a convention of annotators: `Im` is `In` and `dem`, or `in`
    and `dem`. UD's evaluation compares them in lower case. Here both become `In dem`, which is also
    what a tokenizer writes that has no multiword tokens.

    Each distinct token is looked at once. Words of which another case takes more bytes are left.
    """
    if not table.ranges.lines.size:
        return words
    characters = np.frombuffer(words, np.uint8)
    stops = np.append(0, np.cumsum(table.form_widths(table.words)))
    first = table.ranges.lines - np.arange(table.ranges.lines.size)
    starts, stops = stops[first], stops[first + table.ranges.sizes] - 1
    form, begins, ends = table.columns.some(table.ranges.lines).of("form")
    codes = mixed(string_codes(characters, starts, stops)) ^ string_codes(form, begins, ends)
    distinct, which = numbered(codes)
    result = None
    for index, at in enumerate(distinct.tolist()):
        own = words[starts[at] : stops[at]]
        cased = _cased(table.data[begins[at] : ends[at]], own)
        if cased != own:
            result = characters.copy() if result is None else result
            places = starts[which == index][:, None] + np.arange(len(own))
            result[places] = np.frombuffer(cased, np.uint8)
    return words if result is None else result.tobytes()


@lru_cache(KNOWN)
def _cased(token: bytes, words: bytes) -> bytes:
    """Words, with blanks between them, in the case of their token.

    >>> _cased(b"Im", b"in dem"), _cased(b"DEL", b"de el"), _cased(b"Don't", b"DO N'T")
    (b'In dem', b'DE EL', b"Do n't")
    """
    whole, parts = token.decode().translate(_BLANKS), words.decode().lower().split(" ")
    lowered = "".join(parts)
    # How many letters they share at their beginning, but for case.
    pairs = enumerate(zip(whole, lowered, strict=False))
    shared = next((at for at, (a, b) in pairs if a.lower() != b), min(len(whole), len(lowered)))
    rest = lowered[shared:]
    if len(whole) > 1 and whole.isupper():
        rest = rest.upper()
    elif not shared and whole[:1].isupper():
        rest = rest[:1].upper() + rest[1:]
    if shared + len(rest) != len(lowered):
        return words
    letters = iter(whole[:shared] + rest)
    cased = " ".join("".join(next(letters) for _ in part) for part in parts).encode()
    return cased if len(cased) == len(words) else words


_SCALE = {"AlignBegin": 1000, "AlignEnd": 1000, "start": SECOND, "end": SECOND}
_MISC = re.compile(r"(?:^|(?<=\|))(AlignBegin|AlignEnd|start|end|SpaceAfter|Speaker)=([^|]*)")
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*)|\s*$)")
_SPEAKER = re.compile(r"#\s*speaker(?:[ _]?(?:id|name))?\s*=(.*)", re.IGNORECASE)
_UNTOLD = "_"
_TOKEN_LINE = re.compile(r"^[0-9-]+(?:\t[^\t\n]+){9}$", re.MULTILINE)


def is_like(head: str) -> bool:
    """Whether a line at the beginning of a text is that of a token."""
    return _TOKEN_LINE.search(head) is not None


def parse_transcript(text: str, source: str = "<conllu>") -> list[Script]:
    """Read every recording."""
    table = parse_conllu(text.encode("utf-8", "replace"), source)
    recordings, speakers = _comments(table.data.decode())
    sentence, lines = (
        array[table.tokens].astype(np.int64) for array in (table.sentence, table.line)
    )
    values, which = table.values("misc", table.tokens)
    distinct = [dict(_MISC.findall(value.decode())) for value in values]
    misc = [distinct[index] for index in which.tolist()]
    head, texts = _pieces(table, misc, sentence)
    sentence, lines, misc = sentence[head], lines[head] + 1, [misc[at] for at in head.tolist()]
    names = [
        features.get("Speaker") or speakers.get(index, "")
        for features, index in zip(misc, sentence.tolist(), strict=True)
    ]
    script = Script(
        texts=texts,
        start=_times(misc, lines, ("AlignBegin", "start"), source),
        end=_times(misc, lines, ("AlignEnd", "end"), source),
        ends=np.diff(sentence, append=-1) != 0,
        speakers=names if any(names) else None,
        lines=lines,
        form="conllu",
        source=source,
    )
    require_forward(script)
    pieces: dict[str, list[int]] = {name: [] for name in ["", *(name for _, name in recordings)]}
    before = np.searchsorted([first for first, _ in recordings], sentence, side="right")
    for piece, index in enumerate(before.tolist()):
        pieces[recordings[index - 1][1] if index else ""].append(piece)
    scripts = []
    for name, where in pieces.items():
        size = int(np.isin(table.unlike, sentence[where]).sum())
        signs = {"text_differs": size} if size else {}
        if where:
            scripts.append(replace(script.some(where), recording=name, signs=signs))
    return scripts


def _comments(text: str) -> tuple[list[tuple[int, str]], dict[int, str]]:
    """At which sentences recordings begin, and who speaks in which."""
    recordings: list[tuple[int, str]] = []
    speakers: dict[int, str] = {}
    sentence = 0
    for line in text.split("\n"):
        if not line:
            sentence += 1
        elif line[0] == "#":
            if found := _NEWDOC.match(line):
                recordings.append((sentence, (found[1] or "").strip() or str(len(recordings) + 1)))
            elif found := _SPEAKER.match(line):
                speakers[sentence] = found[1].strip()
    return recordings, speakers


def _pieces(
    table: TreebankTable, misc: list[dict[str, str]], sentence: IntArray
) -> tuple[IntArray, list[str]]:
    """The word of each piece, and the word with the marks that belong to it."""
    forms = table.texts("form", table.tokens)
    tags, tag = table.values("upos", table.tokens)
    is_untold, is_mark = (
        np.array([each == value for each in tags])[tag] for value in (b"_", b"PUNCT")
    )
    is_mark |= is_untold & (words_by_line("\n".join(forms)) == 0)
    place = np.arange(len(forms))
    before = np.maximum.accumulate(np.where(is_mark, -1, place))
    after = np.minimum.accumulate(np.where(is_mark, place.size, place)[::-1])[::-1]
    begins = np.searchsorted(sentence, sentence)
    head = np.where(np.append(sentence, -1)[after] == sentence, after, begins)
    head = np.where((before >= 0) & (sentence[before] == sentence), before, head)
    first = np.flatnonzero(np.diff(head, prepend=-1))
    spans = zip(first.tolist(), [*first[1:].tolist(), place.size], strict=True)
    spaced = [
        form if features.get("SpaceAfter") == "No" else f"{form} "
        for form, features in zip(forms, misc, strict=True)
    ]
    return head[first], [
        forms[a] if b == a + 1 else "".join(spaced[a:b]).rstrip() for a, b in spans
    ]


def _times(
    misc: list[dict[str, str]], lines: IntArray, keys: tuple[str, str], source: str
) -> IntArray | None:
    """When words begin, or end, by the first key that is there."""
    times = [UNKNOWN] * len(misc)
    for at, features in enumerate(misc):
        for key in keys:
            value = features.get(key, _UNTOLD)
            if value in ("", _UNTOLD) or times[at] != UNKNOWN:
                continue
            scale = _SCALE[key]
            if re.fullmatch(r"[0-9]{1,15}(\.[0-9]{0,15})?", value):
                times[at] = round(float(value) * scale)
            if not 0 <= times[at] <= LATEST * SECOND:
                unit = "seconds, such as 1.5" if scale == SECOND else "milliseconds, such as 1500"
                problem, line = f"'{key}={value[:40]}' is not a time", int(lines[at])
                raise FormatError(source, problem, f"write {unit}", line=line)
    return np.array(times, dtype=np.int64) if max(times) > UNKNOWN else None


CODECS = {"conllu": Codec(parse_transcript, is_like=is_like)}
