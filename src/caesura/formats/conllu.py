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
    Strings,
    first_eight,
    gathered,
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
_TAB, _LINE_END, _BLANK, _HASH, _DASH, _DOT = b"\t\n #-."


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


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of lines: both numbers of a range, which are equal for a word."""

    first: IntArray
    last: IntArray
    is_range: BoolArray

    def some(self, which: IntArray) -> Ids:
        """Some of them."""
        return Ids(self.first[which], self.last[which], self.is_range[which])

    @property
    def ranges(self) -> Ranges:
        """The lines that are ranges."""
        lines = np.flatnonzero(self.is_range)
        return Ranges(lines, self.last[lines] - self.first[lines] + 1)


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
    ids, kept = _ids(columns, line, source)
    if kept is not None:
        ids, columns, rows, line = ids.some(kept), columns.some(kept), rows[kept], line[kept]
    sentence = lines.sentence[rows]
    line = line.astype(sentence.dtype)
    table = TreebankTable(data, source, columns, line, sentence, ids.ranges, b"", sentence[:0])
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


def _ids(columns: TreebankColumns, line: IntArray, source: str) -> tuple[Ids, IntArray | None]:
    """The ids of lines, and the lines that are not empty nodes, None if all are not."""
    first = whole_numbers(*columns.of("id"))
    is_range = np.zeros(first.size, dtype=np.bool_)
    other = np.flatnonzero(first < 0)
    if not other.size:
        return Ids(first, first, is_range), None
    last = first.copy()
    first[other], last[other], mark = _marked(columns.some(other).of("id"), line[other], source)
    is_range[other] = mark == _DASH
    empty = other[mark == _DOT]
    kept = np.delete(np.arange(first.size), empty) if empty.size else None
    return Ids(first, last, is_range), kept


def _marked(strings: Strings, lines: IntArray, source: str) -> tuple[IntArray, IntArray, Bytes]:
    """Both numbers of each id and the mark between them, 0 where there is one number only."""
    characters, starts, stops = strings
    found = gathered(characters, starts, stops - starts)
    ends = np.cumsum(stops - starts)
    marks = np.flatnonzero((found == _DASH) | (found == _DOT))
    which, first = np.unique(np.searchsorted(ends, marks, side="right"), return_index=True)
    mark, at = np.zeros(starts.size, dtype=np.uint8), stops.copy()
    mark[which] = found[marks[first]]
    at[which] += marks[first] - ends[which]
    one, two = whole_numbers(characters, starts, at), whole_numbers(characters, at + 1, stops)
    sound = (stops - starts < 20) & (one >= 0) & ((two >= 0) | (mark == 0))
    if not sound.all():
        worst = int(np.flatnonzero(~sound)[0])
        shown = characters[starts[worst] : min(stops[worst], starts[worst] + 20)].tobytes()
        cure = "write a number, a range (4-5) or an empty node (4.1)"
        raise FormatError(
            source, f"the id '{shown.decode(errors='replace')}'", cure, line=int(lines[worst]) + 1
        )
    return one, np.where(mark == _DASH, two, one), mark


def _check_ids(table: TreebankTable, ids: Ids) -> None:
    """Words count from 1 in each sentence; a range stands before its first word."""
    words, first = table.words, ids.first
    if not words.size:
        raise _no_words(table.source)
    if words.size < first.size:
        first = first[words]
    step = steps(first, 0)
    begins = table.first_words[:-1]
    step[begins] = first[begins]
    _require(table, words, step == 1, "the word id {} is out of order")
    if words.size < table.line.size:
        _check_ranges(table, ids)


def _check_ranges(table: TreebankTable, ids: Ids) -> None:
    words, ranges, sentence = table.words, table.ranges.lines, table.sentence
    before = ranges - np.arange(ranges.size)
    begin, end = ids.first[ranges], ids.last[ranges]
    last_word = words[np.clip(before + end - begin, 0, words.size - 1)]
    following = words[np.minimum(before, words.size - 1)]
    fits = (
        (before < words.size)
        & (ids.first[following] == begin)
        & (end >= begin)
        & (ids.first[last_word] == end)
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
        raise _blank_form(table, lines)
    begins = table.line[lines[first]].astype(np.int64) + 1
    signs = {"text_differs": table.unlike.size} if table.unlike.size else {}
    return replace(text, lines=begins, form="conllu", source=table.source, signs=signs)


def _blank_form(table: TreebankTable, lines: IntArray) -> FormatError:
    forms = table.plain(lines).replace(b"\n", b" ").split(b" ")
    blank = next(at for at, form in enumerate(forms) if not form.decode().replace("\0", "").strip())
    line = int(table.line[lines[blank]]) + 1
    return FormatError(table.source, "a blank form", "give the token a form", line=line)


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
    shared = _shared(whole, lowered)
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


def _shared(token: str, lowered: str) -> int:
    """How many letters a token shares with others at its beginning, but for case."""
    pairs = enumerate(zip(token, lowered, strict=False))
    return next((at for at, (a, b) in pairs if a.lower() != b), min(len(token), len(lowered)))


_SCALE = {"AlignBegin": 1000, "AlignEnd": 1000, "start": SECOND, "end": SECOND}
_MISC = re.compile(r"(?:^|(?<=\|))(AlignBegin|AlignEnd|start|end|SpaceAfter|Speaker)=([^|]*)")
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*)|\s*$)")
_SPEAKER = re.compile(r"#\s*speaker(?:[ _]?(?:id|name))?\s*=(.*)", re.IGNORECASE)
_UNTOLD = "_"
_TOKEN_LINE = re.compile(r"^[0-9-]+(?:\t[^\t\n]+){9}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The surface tokens of a file."""

    forms: list[str]
    misc: list[dict[str, str]]
    sentence: IntArray
    is_mark: BoolArray
    lines: IntArray


def is_like(head: str) -> bool:
    """Whether a line at the beginning of a text is that of a token."""
    return _TOKEN_LINE.search(head) is not None


def parse_transcript(text: str, source: str = "<conllu>") -> list[Script]:
    """Read every recording."""
    table = parse_conllu(text.encode("utf-8", "replace"), source)
    tokens = _tokens(table)
    recordings, speakers = _comments(table.data.decode())
    head, texts = _pieces(tokens)
    names = [
        tokens.misc[index].get("Speaker") or speakers.get(sentence, "")
        for index, sentence in zip(head.tolist(), tokens.sentence[head].tolist(), strict=True)
    ]
    script = Script(
        texts=texts,
        start=_times(tokens, head, ("AlignBegin", "start"), source),
        end=_times(tokens, head, ("AlignEnd", "end"), source),
        ends=np.diff(tokens.sentence[head], append=-1) != 0,
        speakers=names if any(names) else None,
        lines=tokens.lines[head],
        form="conllu",
        source=source,
    )
    require_forward(script)
    return _parted(script, tokens.sentence[head], recordings, table.unlike)


def _tokens(table: TreebankTable) -> Tokens:
    lines = table.tokens
    forms = table.texts("form", lines)
    values, which = table.values("misc", lines)
    misc = [dict(_MISC.findall(value.decode())) for value in values]
    tags, tag = table.values("upos", lines)
    is_untold = np.array([value == _UNTOLD.encode() for value in tags])[tag]
    is_mark = np.array([value == b"PUNCT" for value in tags])[tag]
    is_mark |= is_untold & (words_by_line("\n".join(forms)) == 0)
    told = [misc[index] for index in which.tolist()]
    sentence, line = (each[lines].astype(np.int64) for each in (table.sentence, table.line))
    return Tokens(forms, told, sentence, is_mark, line + 1)


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


def _pieces(tokens: Tokens) -> tuple[IntArray, list[str]]:
    """The word of each piece, and the word with the marks that belong to it."""
    place = np.arange(len(tokens.forms))
    before = np.maximum.accumulate(np.where(tokens.is_mark, -1, place))
    after = np.minimum.accumulate(np.where(tokens.is_mark, place.size, place)[::-1])[::-1]
    sentence = np.append(tokens.sentence, -1)
    begins = np.searchsorted(tokens.sentence, tokens.sentence)
    head = np.where(sentence[after] == tokens.sentence, after, begins)
    head = np.where((before >= 0) & (sentence[before] == tokens.sentence), before, head)
    first = np.flatnonzero(np.diff(head, prepend=-1))
    spans = zip(first.tolist(), [*first[1:].tolist(), place.size], strict=True)
    spaced = [
        form if misc.get("SpaceAfter") == "No" else f"{form} "
        for form, misc in zip(tokens.forms, tokens.misc, strict=True)
    ]
    return head[first], [
        tokens.forms[a] if b == a + 1 else "".join(spaced[a:b]).rstrip() for a, b in spans
    ]


def _times(tokens: Tokens, head: IntArray, keys: tuple[str, str], source: str) -> IntArray | None:
    """When words begin, or end, by the first key that is there."""
    times = [UNKNOWN] * head.size
    for at, index in enumerate(head.tolist()):
        misc = tokens.misc[index]
        for key in keys:
            if misc.get(key, _UNTOLD) not in ("", _UNTOLD):
                times[at] = _time(key, misc[key], source, int(tokens.lines[index]))
                break
    return np.array(times, dtype=np.int64) if any(each != UNKNOWN for each in times) else None


def _time(key: str, value: str, source: str, line: int) -> int:
    scale = _SCALE[key]
    is_number = re.fullmatch(r"[0-9]{1,15}(\.[0-9]{0,15})?", value)
    if is_number and (time := round(float(value) * scale)) <= LATEST * SECOND:
        return time
    problem = f"'{key}={value[:40]}' is not a time"
    cure = "write seconds, such as 1.5" if scale == SECOND else "write milliseconds, such as 1500"
    raise FormatError(source, problem, cure, line=line)


def _parted(
    script: Script, sentence: IntArray, recordings: list[tuple[int, str]], unlike: IntArray
) -> list[Script]:
    """A script for each recording, in the order in which they begin."""
    if not recordings:
        return [replace(script, signs=_signs(sentence, unlike))]
    starts = np.array([first for first, _ in recordings], dtype=np.int64)
    names = ["", *(name for _, name in recordings)]
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    code = np.array([codes[name] for name in names])[
        np.searchsorted(starts, sentence, side="right")
    ]
    order = np.argsort(code, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(code, minlength=len(codes)))[:-1])
    return [
        replace(script.some(which), recording=name, signs=_signs(sentence[which], unlike))
        for name, which in zip(codes, parts, strict=True)
        if which.size
    ]


def _signs(sentence: IntArray, unlike: IntArray) -> dict[str, int]:
    """How many sentences have a `# text` unlike their tokens, where there are any."""
    size = int(np.isin(unlike, sentence).sum())
    return {"text_differs": size} if size else {}


CODECS = {"conllu": Codec(parse_transcript, is_like=is_like)}
