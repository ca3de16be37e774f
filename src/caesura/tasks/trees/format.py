"""Bracketed trees: `(TOP (S (NP (PRP it)) (VP (VBD rained))))`, read as arrays.

A tree may share its line with others or be spread over lines. A file becomes a sequence of opening
brackets, closing brackets and strings; what stands where in it says which strings are labels, tags
and words. It is read in parts that begin at the beginning of a line, so that arrays stay small; if
one of them is malformed, the file is read again as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from caesura.core.byte_cells import Bytes, gathered, numbered, string_codes
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.core.unicode import folded
from caesura.errors import FormatError
from caesura.formats._shared.equivalences import TABLES
from caesura.formats.tokenized import parse_filled, refuse_nul
from caesura.tasks.trees.data import ESCAPES, Constituents, Forest, Leaves, Trees

PART = 1 << 20
STRING, OPEN, CLOSE, SPACE = range(4)
ROOTS = ("TOP", "ROOT", "S1", "")
EMPTY = "-NONE-"
CURE = "write trees as (TOP (S (NP (PRP it)) (VP (VBD rained))))"
_CLASS = np.full(256, STRING, np.uint8)
_CLASS[list(b" \t\n\v\f\r\x1c\x1d\x1e\x1f")] = SPACE
_CLASS[ord("(")], _CLASS[ord(")")] = OPEN, CLOSE
_INT: Any = np.int32
_STEP = np.array([0, 1, -1], np.int8)
_NOTHING = np.zeros(0, _INT)
_LENGTH = 5
_ESCAPES = np.frombuffer("".join(ESCAPES).lower().encode(), np.uint8)
_BACKSLASH, _SLASH, _STAR, _DASH, _SPACE = b"\\/*- "


def parse_brackets(
    data: bytes, source: str = "<trees>", *, labels: str = "cut", keep_empty: bool = False
) -> Trees:
    r"""Read bracketed trees from UTF-8 bytes.

    >>> trees = parse_brackets(b"(TOP (S (NP-SBJ (PRP It)) (VP (VBD rained))))\n")
    >>> trees.text.stream, trees.brackets.first.tolist(), trees.brackets.last.tolist()
    ('itrained', [0, 0, 1], [2, 1, 2])
    >>> [trees.names[label] for label in trees.brackets.label]
    ['S', 'NP', 'VP']
    """
    return scored_trees(parse_forest(data, source), labels=labels, keep_empty=keep_empty)


def parse_forest(data: bytes, source: str = "<trees>", *, is_loose: bool = False) -> Forest:
    """Read all that stands in a file of trees.

    If `is_loose`, `(X )` is a leaf without a word, as in evalb, and there may be no trees.
    """
    refuse_nul(data, source)
    stops = list(_part_stops(data))
    if len(stops) > 1:
        with suppress(FormatError):
            return _parsed(data, source, stops, is_loose=is_loose)
    return _parsed(data, source, [len(data)], is_loose=is_loose)


def _part_stops(data: bytes) -> Iterator[int]:
    """Where parts of a file end: where lines begin with a bracket."""
    stop = 0
    while stop < len(data):
        found = data.find(b"\n(", stop + PART)
        stop = found + 1 if found >= 0 else len(data)
        yield stop


def _parsed(data: bytes, source: str, stops: list[int], *, is_loose: bool) -> Forest:
    parts, start = [], 0
    for stop in stops:
        parts.append(_part(_Events.from_bytes(data, (start, stop), source), is_loose=is_loose))
        start = stop
    forest = _joined(data, source, parts)
    if not forest.begins.size and not is_loose:
        raise FormatError(source, "no trees", CURE)
    return forest


@dataclass(frozen=True, slots=True)
class _Events:
    """The brackets and strings of a part of a file in order: what each is, and where it stands.

    `starts` and `stops` are the places of the strings.
    """

    source: str
    data: bytes
    kind: Bytes
    at: IntArray
    starts: IntArray
    stops: IntArray

    @classmethod
    def from_bytes(cls, data: bytes, span: tuple[int, int], source: str) -> _Events:
        start, stop = span
        kind = _CLASS.take(np.frombuffer(data, np.uint8, stop - start, start))
        is_string = kind == STRING
        edges = np.diff(is_string.view(np.int8), prepend=0, append=0)
        starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        is_event = (kind == OPEN) | (kind == CLOSE)
        is_event[starts] = True
        at = np.flatnonzero(is_event)
        places = (each.astype(_width(data)) + _width(data)(start) for each in (at, starts, stops))
        return cls(source, data, kind.take(at), *places)

    def error(self, event: int, problem: str, cure: str = CURE) -> FormatError:
        """An error at an event."""
        line = self.data.count(b"\n", 0, int(self.at[event])) + 1
        return FormatError(self.source, problem, cure, line=line)

    def after(self, event: int) -> str:
        """The string at an event or right after it; nothing if there is none."""
        if STRING not in self.kind[event : event + 2]:
            return ""
        string = int(np.searchsorted(self.starts, self.at[event]))
        return self.data[int(self.starts[string]) : int(self.stops[string])].decode()


def _width(data: bytes) -> Any:
    return np.int32 if len(data) < 2**31 else np.int64


@dataclass(frozen=True, slots=True)
class _Opened:
    """The opening brackets of a part: which are leaves, and the events that open and close these.

    `label` is the number of the string that a bracket begins with, where it has one.
    """

    at: IntArray
    is_leaf: BoolArray
    leaves: IntArray
    closes: IntArray
    has_label: BoolArray
    has_word: BoolArray
    label: IntArray

    @classmethod
    def from_events(cls, events: _Events, *, is_loose: bool) -> _Opened:
        kind, at = np.append(events.kind, np.full(3, SPACE, np.uint8)), events.at
        opens = np.flatnonzero(events.kind == OPEN)
        one, two, three = (kind.take(opens + by) for by in (1, 2, 3))
        has_label = one == STRING
        has_word = has_label & (two == STRING) & (three == CLOSE)
        label = np.cumsum(events.kind == STRING, dtype=_INT).take(opens)
        is_leaf, size = has_word, np.full(opens.size, 3)
        if is_loose:
            bare = np.flatnonzero(np.where(has_label, two, one) == CLOSE)
            size[bare] = 1 + has_label[bare]
            stops = np.append(events.stops, 0)[label[bare]]
            ends = np.where(has_label[bare], stops, at[opens[bare]] + 1)
            is_leaf = has_word.copy()
            is_leaf[bare] = at[opens[bare] + size[bare]] > ends
        leaves = opens[is_leaf]
        return cls(opens, is_leaf, leaves, leaves + size[is_leaf], has_label, has_word, label)


def _part(events: _Events, *, is_loose: bool) -> Forest:
    """The trees of a part of a file."""
    opened = _Opened.from_events(events, is_loose=is_loose)
    _require_strings(events, opened)
    depth = _depths(events)
    is_open = events.kind == OPEN
    is_first, is_last = is_open & (depth == 1), (events.kind == CLOSE) & (depth == 0)
    opens_leaf = np.zeros(events.kind.size, np.bool_)
    opens_leaf[opened.leaves] = True
    before = np.cumsum(opens_leaf, dtype=_INT)
    ends = before[is_last]
    names, numbers = _names(events, opened)
    brackets = _constituents(events, opened, depth, before)
    return Forest(
        events.data,
        events.source,
        names,
        _leaves(events, opened, numbers),
        replace(brackets, label=numbers[~opened.is_leaf]),
        events.at[is_first],
        events.at[is_last] + 1,
        ends,
    )


def _require_strings(events: _Events, opened: _Opened) -> None:
    """Raise an error if a string is no label, no tag and no word, or a word without a tag."""
    if STRING in events.kind[:1]:
        raise events.error(0, f"'{events.after(0)}' where a bracket should open")
    bare = np.flatnonzero(opened.has_label & ~opened.has_word)
    bare = bare[np.append(events.kind, SPACE).take(opened.at[bare] + 2) == CLOSE]
    bare = bare[events.starts[opened.label[bare]] > events.at[opened.at[bare]] + 1]
    sizes = np.count_nonzero(opened.has_label), np.count_nonzero(opened.has_word)
    if bare.size or events.starts.size > sum(sizes):
        is_known = np.zeros(events.starts.size, np.bool_)
        is_known[opened.label[opened.has_label]] = True
        is_known[opened.label[opened.has_word] + 1] = True
        is_known[opened.label[bare]] = False
        string = int(np.flatnonzero(~is_known)[0])
        event = int(np.searchsorted(events.at, events.starts[string]))
        word = events.after(event)
        raise events.error(event, f"the word '{word}' has no tag", f"write it as (TAG {word})")


def _depths(events: _Events) -> IntArray:
    """How many brackets are open after each event; an error if they do not balance."""
    depth = np.cumsum(_STEP.take(events.kind), dtype=_INT)
    below = np.flatnonzero(depth < 0)
    if below.size:
        raise events.error(int(below[0]), "a bracket closes that was not opened", "remove it")
    if depth.size and depth[-1]:
        shut = np.flatnonzero(depth == 0)
        event = int(shut[-1]) + 1 if shut.size else 0
        problem = f"the bracket '({events.after(event)}' that opens here is not closed"
        raise events.error(event, problem, "close every bracket of the tree")
    return depth


def _names(events: _Events, opened: _Opened) -> tuple[tuple[str, ...], IntArray]:
    """The labels and tags of a part, and which of them each opening bracket has."""
    strings = opened.label[opened.has_label]
    starts, stops = events.starts[strings], events.stops[strings]
    characters = np.frombuffer(events.data, np.uint8)
    first, which = numbered(string_codes(characters, starts, stops))
    spans = zip(starts[first].tolist(), stops[first].tolist(), strict=True)
    names = tuple(events.data[a:b].decode() for a, b in spans)
    numbers = np.full(opened.at.size, len(names), _INT)
    numbers[opened.has_label] = which
    return (*names, ""), numbers


def _leaves(events: _Events, opened: _Opened, numbers: IntArray) -> Leaves:
    word = opened.label[opened.is_leaf] + 1
    has_word = opened.has_word[opened.is_leaf]
    if has_word.all():
        return Leaves(numbers[opened.is_leaf], events.starts[word], events.stops[word])
    nowhere = events.at[opened.closes]
    starts, stops = nowhere.copy(), nowhere.copy()
    starts[has_word], stops[has_word] = events.starts[word[has_word]], events.stops[word[has_word]]
    return Leaves(numbers[opened.is_leaf], starts, stops)


def _constituents(
    events: _Events, opened: _Opened, depth: IntArray, before: IntArray
) -> Constituents:
    """The brackets that are not leaves: where they begin and end, in leaves.

    Brackets of one depth open and close in turn: sorted by depth, each stands beside its end.
    """
    is_kept = events.kind != STRING
    is_kept[opened.leaves] = False
    is_kept[opened.closes] = False
    kept = np.flatnonzero(is_kept)
    is_open = events.kind[kept] == OPEN
    level = depth[kept] + ~is_open
    small = level.astype(np.int16) if level.max(initial=0) < 2**15 else level
    order = np.argsort(small, kind="stable")
    number = np.cumsum(is_open, dtype=_INT) - 1
    last = np.empty(order.size // 2, _INT)
    last[number[order[::2]]] = before[kept[order[1::2]]]
    return Constituents(number[:0], before[kept[is_open]], last, level[is_open])


def _joined(data: bytes, source: str, parts: list[Forest]) -> Forest:
    """The trees of all parts."""
    names = {name: at for at, name in enumerate(dict.fromkeys(n for p in parts for n in p.names))}
    size, leaves, brackets, places = 0, [], [], []
    for part in parts:
        renamed = np.array([names[name] for name in part.names], _INT)
        own, spans = part.leaves, part.brackets
        leaves.append((renamed[own.tag], own.starts, own.stops))
        brackets.append((renamed[spans.label], spans.first + size, spans.last + size, spans.depth))
        places.append((part.begins, part.stops, part.ends + size))
        size += own.tag.size
    return Forest(
        data,
        source,
        tuple(names),
        Leaves(*_columns(leaves, 3)),
        Constituents(*_columns(brackets, 4)),
        *_columns(places, 3),
    )


def _columns(rows: Sequence[tuple[IntArray, ...]], number: int) -> Iterator[IntArray]:
    """Arrays that stand in rows, one after the other; those of one part are not copied."""
    if len(rows) == 1:
        return iter(rows[0])
    return (np.concatenate([_NOTHING, *(row[at] for row in rows)]) for at in range(number))


def scored_trees(forest: Forest, *, labels: str = "cut", keep_empty: bool = False) -> Trees:
    """The trees without what does not count: roots, and empty elements unless they are kept.

    Leaves without a word, which evalb knows, are dropped. Trees without any word are counted.
    """
    kept, leaves, ends, spans = None, forest.leaves, forest.ends, forest.brackets
    first, last = spans.first, spans.last
    is_full = leaves.stops > leaves.starts
    is_empty = np.diff(np.append(0, np.cumsum(is_full))[ends], prepend=0) == 0
    if not keep_empty and EMPTY in forest.names:
        is_full &= leaves.tag != forest.names.index(EMPTY)
    if not is_full.all():
        number = np.append(0, np.cumsum(is_full, dtype=_INT))
        leaves, ends = leaves.some(np.flatnonzero(is_full)), number[ends]
        first, last = number[first], number[last]
    kept = np.flatnonzero((first < last) & ~_are_roots(forest))
    names, renamed = _compared_names(forest.names, labels)
    brackets = Constituents(renamed[spans.label[kept]], first[kept], last[kept], spans.depth[kept])
    is_sentence = np.diff(ends, prepend=0) > 0
    text = _text(forest, leaves, ends[is_sentence])
    breaks = np.flatnonzero(np.frombuffer(forest.data, np.uint8) == ord("\n"))
    lines = np.searchsorted(breaks, forest.begins[is_sentence]) + 1
    empty = np.cumsum(is_sentence)[is_empty]
    signs = {"empty_trees": empty.size} if empty.size else {}
    text = replace(text, lines=lines, signs=signs)
    return Trees(text, forest.data, names, leaves, brackets, empty)


def _are_roots(forest: Forest) -> BoolArray:
    """Which brackets are outermost, by their place and label, or right inside such a one."""
    spans = forest.brackets
    is_root_name = np.array([name in ROOTS for name in forest.names], np.bool_)
    is_named = is_root_name[spans.label]
    result: BoolArray = is_named & (spans.depth == 1)
    inner = np.flatnonzero(is_named & (spans.depth == 2))
    tops = np.flatnonzero(spans.depth == 1)
    result[inner] = result[tops[np.searchsorted(tops, inner) - 1]]
    return result


def _compared_names(names: tuple[str, ...], labels: str) -> tuple[tuple[str, ...], IntArray]:
    """The names of tags and, after them, of labels as they are compared; the numbers of these."""
    short = [_cut(name) if labels == "cut" else name for name in names]
    known = {name: at for at, name in enumerate(names)}
    for name in short:
        known.setdefault(name, len(known))
    return tuple(known), np.array([known[name] for name in short], _INT)


def _cut(label: str) -> str:
    """A label without its functions: NP for NP-SBJ or NP=2."""
    return label[:1] + label[1:].replace("=", "-").partition("-")[0]


def _text(forest: Forest, leaves: Leaves, sentence_ends: IntArray) -> Text:
    """The words as a text, in lower case, with the characters that escapes stand for."""
    characters = np.frombuffer(forest.data, np.uint8)
    widths = leaves.stops - leaves.starts
    surface = gathered(characters, leaves.starts, widths + 1)
    ends = np.cumsum(widths + 1)
    surface[ends - 1] = _SPACE
    surface[ends[sentence_ends - 1] - 1] = ord("\n")
    _unescape(surface, ends - widths - 1, widths)
    text = parse_filled(
        surface.tobytes(), equivalences=TABLES["quotes"], normalize=None, source=forest.source
    )
    if text.token_ends.size != leaves.tag.size:
        raise _blank_word(forest, leaves)
    return replace(text, stream=folded(text.stream), form="brackets", sentence_ends=sentence_ends)


def _unescape(surface: Bytes, starts: IntArray, widths: IntArray) -> None:
    """Put the characters that escapes stand for in their place; the rest becomes filler."""
    likely = np.flatnonzero((widths == _LENGTH) & (surface.take(starts, mode="clip") == _DASH))
    places = starts[likely, None] + np.arange(_LENGTH)
    codes = string_codes((surface[places] | 0x20).ravel(), *_rows(likely.size))
    names = string_codes(_ESCAPES, *_rows(len(ESCAPES)))
    for name, sign in zip(names, ESCAPES.values(), strict=True):
        found = places[codes == name]
        surface[found[:, 0]], surface[found[:, 1:]] = ord(sign), 0
    at = np.flatnonzero(surface[:-1] == _BACKSLASH)
    surface[at[np.isin(surface[at + 1], (_SLASH, _STAR))]] = 0


def _rows(number: int) -> tuple[IntArray, IntArray]:
    starts = np.arange(number) * _LENGTH
    return starts, starts + _LENGTH


def _blank_word(forest: Forest, leaves: Leaves) -> FormatError:
    spans = zip(leaves.starts.tolist(), leaves.stops.tolist(), strict=True)
    blank = next(a for a, b in spans if not forest.data[a:b].decode().strip())
    line = forest.data.count(b"\n", 0, blank) + 1
    return FormatError(forest.source, "a blank word", "give the leaf a word", line=line)
