"""Bracketed trees, `(TOP (S (NP (PRP it)) (VP (VBD rained))))`, as arrays over the words of a text.

A tree may share its line with others or be spread over lines. A file becomes a sequence of opening
brackets, closing brackets and strings; what stands where in it says which strings are labels, tags
and words. It is read in parts that begin at the beginning of a line, so that arrays stay small; if
one of them is malformed, the file is read again as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from caesura.core.byte_cells import Bytes, gathered, numbered, string_codes
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.core.unicode import folded
from caesura.errors import FormatError, SegmentationError
from caesura.formats.equivalences import TABLES
from caesura.formats.texts import parse_filled, refuse_nul

PART = 1 << 20
"""The bytes of a file that are read at a time, and those up to the next line with a bracket."""
ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""How the Penn Treebank writes brackets, as tokens."""
ROOTS = ("TOP", "ROOT", "S1", "")
EMPTY = "-NONE-"
CURE = "write trees as (TOP (S (NP (PRP it)) (VP (VBD rained))))"
GIVE = "give bracketed trees such as (S (NP (PRP it)) (VP (VBD rained))), NLTK trees, or a path"
STRING, OPEN, CLOSE, SPACE = range(4)
_CLASS = np.full(256, STRING, np.uint8)
_CLASS[list(b" \t\n\v\f\r\x1c\x1d\x1e\x1f")] = SPACE
_CLASS[ord("(")], _CLASS[ord(")")] = OPEN, CLOSE
_INT: Any = np.int32


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The trees of a file as they stand there, with empty elements and empty brackets.

    `names` are its tags and labels, to which `tag` and `label` are numbers. A leaf's word stands
    from `starts` to `stops` in the file. Brackets are in the order in which they open: `first` is
    how many leaves lie before one, `last` how many before its end, `depth` is 1 for the outermost.
    A tree begins and closes at bytes of the file; `ends` is how many leaves lie before its end.
    """

    data: bytes
    source: str
    names: tuple[str, ...]
    tag: IntArray
    starts: IntArray
    stops: IntArray
    label: IntArray
    first: IntArray
    last: IntArray
    depth: IntArray
    begins: IntArray
    closes: IntArray
    ends: IntArray

    def word(self, leaf: int) -> str:
        """The word of a leaf."""
        return self.data[int(self.starts[leaf]) : int(self.stops[leaf])].decode()


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The trees that are scored: tokens with tags, and brackets over them, as in `Forest`.

    `text` has the characters as they are compared. A tree without any word is a sentence without
    tokens, which is not in the text; `empty` says of each how many sentences precede it. For evalb
    there is also `forest`, the trees as they stand in the file.
    """

    text: Text
    data: bytes
    names: tuple[str, ...]
    tag: IntArray
    starts: IntArray
    stops: IntArray
    label: IntArray
    first: IntArray
    last: IntArray
    empty: IntArray
    forest: Forest | None = None

    def words(self, start: int, stop: int) -> list[str]:
        """Some tokens as they are written."""
        spans = zip(self.starts[start:stop].tolist(), self.stops[start:stop].tolist(), strict=True)
        return [self.data[a:b].decode() for a, b in spans]


def parse_brackets(
    data: bytes, source: str = "<trees>", *, labels: str = "cut", keep_empty: bool = False
) -> Trees:
    r"""Read bracketed trees from UTF-8 bytes.

    >>> trees = parse_brackets(b"(TOP (S (NP-SBJ (PRP It)) (VP (VBD rained))))\n")
    >>> trees.text.stream, trees.first.tolist(), trees.last.tolist()
    ('itrained', [0, 0, 1], [2, 1, 2])
    >>> [trees.names[label] for label in trees.label]
    ['S', 'NP', 'VP']
    """
    return scored_trees(parse_forest(data, source), labels=labels, keep_empty=keep_empty)


def parse_forest(data: bytes, source: str = "<trees>", *, is_loose: bool = False) -> Forest:
    """Read all that stands in a file of trees.

    If `is_loose`, `(X )` is a leaf without a word, as in evalb, and there may be no trees.
    """
    refuse_nul(data, source)
    edges = [0]
    while edges[-1] < len(data):
        line_end = data.find(b"\n(", edges[-1] + PART)
        edges.append(line_end + 1 if line_end >= 0 else len(data))
    forest = None
    if len(edges) > 2:
        with suppress(FormatError):
            spans = pairwise(edges)
            forest = _joined([_parse_part(data, span, source, is_loose=is_loose) for span in spans])
    forest = forest or _parse_part(data, (0, len(data)), source, is_loose=is_loose)
    if not forest.begins.size and not is_loose:
        raise FormatError(source, "no trees", CURE)
    return forest


@dataclass(frozen=True, slots=True)
class _Events:
    """The brackets and strings of a part of a file in order: what each is, and where it stands.

    `starts` and `stops` are the places of the strings; `opens` the events that open a bracket, and
    `string` the number of the string that comes next after each.
    """

    data: bytes
    source: str
    kind: Bytes
    at: IntArray
    starts: IntArray
    stops: IntArray
    opens: IntArray
    string: IntArray

    def error(self, event: int, problem: str, cure: str = CURE) -> FormatError:
        """An error at an event; … is the string there, or right after it."""
        shown = ""
        if STRING in self.kind[event : event + 2]:
            string = np.searchsorted(self.starts, self.at[event])
            shown = self.data[self.starts[string] : self.stops[string]].decode()
        problem, cure = problem.replace("…", shown), cure.replace("…", shown)
        line = self.data.count(b"\n", 0, int(self.at[event])) + 1
        return FormatError(self.source, problem, cure, line=line)


def _events(data: bytes, span: tuple[int, int], source: str) -> _Events:
    start, stop = span
    width: Any = np.int32 if len(data) < 2**31 else np.int64
    kind = _CLASS.take(np.frombuffer(data, np.uint8, stop - start, start))
    is_string = kind == STRING
    edges = np.diff(is_string.view(np.int8), prepend=0, append=0)
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    is_event = (kind == OPEN) | (kind == CLOSE)
    is_event[starts] = True
    at = np.flatnonzero(is_event)
    kind = kind.take(at)
    opens = np.flatnonzero(kind == OPEN)
    string = np.cumsum(kind == STRING, dtype=_INT).take(opens)
    at, starts, stops = (column.astype(width) + width(start) for column in (at, starts, stops))
    return _Events(data, source, kind, at, starts, stops, opens, string)


def _parse_part(data: bytes, span: tuple[int, int], source: str, *, is_loose: bool) -> Forest:
    """The trees of a part of a file."""
    events = _events(data, span, source)
    kind, at, starts, stops = events.kind, events.at, events.starts, events.stops
    opens, string = events.opens, events.string
    padded = np.append(kind, np.full(3, SPACE, np.uint8))
    one, two, three = (padded.take(opens + step) for step in (1, 2, 3))  # the events after each
    has_label = one == STRING
    has_word = has_label & (two == STRING) & (three == CLOSE)
    _require_tags(events, has_label, has_word, has_label & (two == CLOSE))
    depth = _depths(events)

    is_leaf, size = has_word, np.full(opens.size, 3)
    if is_loose:
        bare = np.flatnonzero(np.where(has_label, two, one) == CLOSE)
        size[bare] = 1 + has_label[bare]
        ends = np.where(has_label[bare], np.append(stops, 0)[string[bare]], at[opens[bare]] + 1)
        is_leaf = has_word.copy()
        is_leaf[bare] = at[opens[bare] + size[bare]] > ends
    leaves, closes = opens[is_leaf], (opens + size)[is_leaf]
    is_other = kind != STRING
    is_other[leaves] = is_other[closes] = False
    others = np.flatnonzero(is_other)  # the events of brackets that are not leaves
    before = np.zeros(kind.size, _INT)  # (events,) how many leaves lie before each
    before[leaves] = 1
    np.cumsum(before, out=before)

    # Brackets of one depth open and close in turn: sorted by depth, each stands beside its end.
    is_open = kind[others] == OPEN
    level = depth[others] + ~is_open
    narrow = level.astype(np.int16) if level.max(initial=0) < 2**15 else level
    order = np.argsort(narrow, kind="stable")
    last = np.empty(order.size // 2, _INT)
    last[(np.cumsum(is_open) - 1)[order[::2]]] = before[others[order[1::2]]]

    labels = string[has_label]
    characters = np.frombuffer(data, np.uint8)
    new, which = numbered(string_codes(characters, starts[labels], stops[labels]))
    spans = zip(starts[labels[new]].tolist(), stops[labels[new]].tolist(), strict=True)
    names = (*(data[a:b].decode() for a, b in spans), "")
    number = np.full(opens.size, len(names) - 1, _INT)
    number[has_label] = which
    word_starts, word_stops = at[closes], at[closes]  # an empty word where there is none
    words, has_word = string[has_word] + 1, has_word[is_leaf]
    word_starts[has_word], word_stops[has_word] = starts[words], stops[words]
    is_end = (kind == CLOSE) & (depth == 0)
    return Forest(
        data, source, names,
        number[is_leaf], word_starts, word_stops,
        number[~is_leaf], before[others[is_open]], last, level[is_open],
        at[(kind == OPEN) & (depth == 1)], at[is_end] + 1, before[is_end],
    )  # fmt: skip


def _require_tags(
    events: _Events, has_label: BoolArray, has_word: BoolArray, is_alone: BoolArray
) -> None:
    """Raise an error if a string is no label, no tag and no word, or a word without a tag.

    `is_alone` says which brackets have one string only: `(X)` has a label, `( X)` a word.
    """
    if STRING in events.kind[:1]:
        raise events.error(0, "'…' where a bracket should open")
    is_known = np.zeros(events.starts.size, np.bool_)
    is_known[events.string[has_label]] = True
    is_known[events.string[has_word] + 1] = True
    alone = events.string[is_alone]
    is_apart = events.starts[alone] > events.at[events.opens[is_alone]] + 1
    is_known[alone[is_apart]] = False
    if not is_known.all():
        event = int(np.searchsorted(events.at, events.starts[is_known.argmin()]))
        raise events.error(event, "the word '…' has no tag", "write it as (TAG …)")


def _depths(events: _Events) -> IntArray:
    """How many brackets are open after each event; an error if they do not balance."""
    depth = np.cumsum(np.array([0, 1, -1], np.int8).take(events.kind), dtype=_INT)
    if depth.min(initial=0) < 0:
        problem = "a bracket closes that was not opened"
        raise events.error(int((depth < 0).argmax()), problem, "remove it")
    if depth.size and depth[-1]:
        event = int(np.flatnonzero(np.append(0, depth) == 0)[-1])
        problem = "the bracket '(…' that opens here is not closed"
        raise events.error(event, problem, "close every bracket of the tree")
    return depth


def _joined(parts: list[Forest]) -> Forest:
    """The trees of all parts of a file, whose leaves are numbered from its beginning."""
    number: dict[str, int] = {}
    columns: list[tuple[IntArray, ...]] = []  # of each part
    size = 0
    for part in parts:
        shared = np.array([number.setdefault(name, len(number)) for name in part.names], _INT)
        columns.append((
            shared[part.tag], part.starts, part.stops,
            shared[part.label], part.first + size, part.last + size, part.depth,
            part.begins, part.closes, part.ends + size,
        ))  # fmt: skip
        size += part.tag.size
    joined = map(np.concatenate, zip(*columns, strict=True))
    return Forest(parts[0].data, parts[0].source, tuple(number), *joined)


def scored_trees(
    forest: Forest, *, labels: str = "cut", keep_empty: bool = False, for_evalb: bool = False
) -> Trees:
    """The trees without what does not count: roots, and empty elements unless they are kept.

    Leaves without a word, which evalb knows, are dropped. Trees without any word are counted.
    """
    tag, starts, stops = forest.tag, forest.starts, forest.stops
    first, last, ends = forest.first, forest.last, forest.ends
    is_kept = stops > starts
    is_empty = np.diff(np.append(0, np.cumsum(is_kept))[ends], prepend=0) == 0
    if not keep_empty and EMPTY in forest.names:
        is_kept &= tag != forest.names.index(EMPTY)
    if not is_kept.all():
        number = np.append(_INT(0), np.cumsum(is_kept, dtype=_INT))
        first, last, ends = number[first], number[last], number[ends]
        tag, starts, stops = tag[is_kept], starts[is_kept], stops[is_kept]

    # Roots are outermost by their place and label, or right inside such a one.
    has_root = np.array([name in ROOTS for name in forest.names], np.bool_)[forest.label]
    is_root = has_root & (forest.depth == 1)
    tops, inner = np.flatnonzero(forest.depth == 1), np.flatnonzero(has_root & (forest.depth == 2))
    is_root[inner] = is_root[tops[np.searchsorted(tops, inner) - 1]]
    scored = np.flatnonzero((first < last) & ~is_root)

    # Tags keep their names; labels are numbers of the names as they are compared.
    names = {name: number for number, name in enumerate(forest.names)}
    compared = list(forest.names)
    if labels == "cut":  # NP for NP-SBJ or NP=2; -LRB- as it is
        compared = [name[:1] + re.split("[-=]", name[1:])[0] for name in compared]
    renamed: IntArray = np.array([names.setdefault(name, len(names)) for name in compared], _INT)

    is_sentence = np.diff(ends, prepend=0) > 0
    breaks = np.flatnonzero(np.frombuffer(forest.data, np.uint8) == ord("\n"))
    empty = np.cumsum(is_sentence)[is_empty]
    text = replace(
        _text(forest, starts, stops, ends[is_sentence]),
        lines=np.searchsorted(breaks, forest.begins[is_sentence]) + 1,
        signs={"empty_trees": empty.size} if empty.size else {},
    )
    return Trees(
        text, forest.data, tuple(names), tag, starts, stops,
        renamed[forest.label[scored]], first[scored], last[scored],
        empty, forest if for_evalb else None,
    )  # fmt: skip


def _text(forest: Forest, starts: IntArray, stops: IntArray, sentence_ends: IntArray) -> Text:
    """The words as a text, in lower case, with the characters that escapes stand for.

    What an escape has more than its character becomes a filler, 0.
    """
    widths = stops - starts
    surface = gathered(np.frombuffer(forest.data, np.uint8), starts, widths + 1)
    ends = np.cumsum(widths + 1)
    surface[ends - 1] = ord(" ")
    surface[ends[sentence_ends - 1] - 1] = ord("\n")
    begins = ends - widths - 1
    likely = begins[(widths == 5) & (surface.take(begins, mode="clip") == ord("-"))]
    places = likely[:, None] + np.arange(5)  # (likely escapes, 5) where their characters stand
    letters = surface[places] | 0x20
    for name, sign in ESCAPES.items():
        escaped = places[(letters == np.frombuffer(name.lower().encode(), np.uint8)).all(axis=1)]
        surface[escaped[:, 0]], surface[escaped[:, 1:]] = ord(sign), 0
    slashes = np.flatnonzero(surface[:-1] == ord("\\"))
    surface[slashes[np.isin(surface[slashes + 1], (ord("/"), ord("*")))]] = 0
    text = parse_filled(
        surface.tobytes(), equivalences=TABLES["quotes"], normalize=None, source=forest.source
    )
    if text.token_ends.size != starts.size:
        spans = zip(starts.tolist(), stops.tolist(), strict=True)
        blank = next(a for a, b in spans if not forest.data[a:b].decode().strip())
        line = forest.data.count(b"\n", 0, blank) + 1
        raise FormatError(forest.source, "a blank word", "give the leaf a word", line=line)
    return replace(text, stream=folded(text.stream), form="brackets", sentence_ends=sentence_ends)


def bracketed_lines(value: Any, source: str) -> Iterator[str]:
    """Trees of Python as bracketed text: strings, trees as NLTK has them, or lists of either."""
    is_one = isinstance(value, str) or _is_tree(value) or not isinstance(value, Iterable)
    for item in [value] if is_one else value:
        if isinstance(item, str):
            yield item
        elif _is_tree(item):
            yield _written(item, source)
        else:
            raise SegmentationError(f"{source}: {item!r} is not a tree; {GIVE}")


def _is_tree(value: object) -> bool:
    """Whether a value is a tree as NLTK has it: a list of trees and words, with a label."""
    return callable(getattr(value, "label", None)) and isinstance(value, Iterable)


def _written(tree: Any, source: str) -> str:
    """A tree in brackets; brackets and white space in words are written as treebanks do."""
    parts: list[str] = []
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, str):
            parts.append(node)
        else:
            parts.append(f"({_unspaced(node.label())} ")
            children = [child if _is_tree(child) else _word(child, source) for child in node]
            left += [")", *reversed(children)]
    return " ".join(parts)


def _word(leaf: object, source: str) -> str:
    if not isinstance(leaf, str):
        raise SegmentationError(f"{source}: the leaf {leaf!r} is not a word; {GIVE}")
    return _unspaced(leaf).replace("(", "-LRB-").replace(")", "-RRB-")


def _unspaced(text: object) -> str:
    """A label or word in one piece: white space in it becomes a no-break space."""
    return re.sub(r"\s", "\u00a0", str(text))
