"""Parts of a huge transcript, counted one by one, as if it were counted whole.

All versions are cut after the same word, at a place where nothing that is counted lies on both
sides (see `cuts`), so the parts' counts add up to the whole's. That a place is the same in all
is not left to chance: the words of each part are compared, and where a version ends too early,
the part is put together with the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from caesura.align.same_words import require_one_axis
from caesura.align.versions import Versions
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.segmentation import Document, Segmentation
from caesura.core.table import CountTable, portion_of
from caesura.errors import CaesuraError
from caesura.formats import plain
from caesura.formats._shared.foreign import odd_suffix
from caesura.io.files import Extract, size_of
from caesura.measures.mark_consensus import MarkConsensus
from caesura.measures.mark_scores import Marks
from caesura.run.chunks import Part
from caesura.run.inputs import Case
from caesura.tasks.transcript.blocks import MOST, Block, blocks, count_ahead, count_blocks, overlap
from caesura.tasks.transcript.input_stats import joined_signs, sources_of
from caesura.tasks.transcript.options import TranscriptOptions
from caesura.tasks.transcript.split import Cutter, Place, sampled

Windowing = Mapping[str, int]
"""The k of Pk and WindowDiff by reference."""

SIZE = 12 << 20
"""Bytes of a part, all versions together."""
CONTEXT = 4096
DOUBT, MORE = 3, 2
"""Standard errors within which k is guessed, and guesses beside the first at most."""
END = "x"
"""A word that takes the place of what follows a part; it is not counted."""


@dataclass(frozen=True, slots=True)
class TranscriptPart(Part):
    """A part of a transcript: from one place in every version to another.

    `forms` are the versions' forms; `k` holds guesses of the windows of Pk and WindowDiff by
    reference; `blocks` is into how many it is cut if blocks are asked for.
    """

    forms: Mapping[str, str] = field(default_factory=dict)
    start: Place = field(default_factory=dict)
    stop: Place = field(default_factory=dict)
    is_last: bool = False
    k: tuple[Windowing, ...] = ()
    blocks: int = 1

    @property
    def names(self) -> list[str]:
        """The names of all versions, the references first."""
        return [*self.case.references, *self.case.systems]

    def path(self, name: str) -> str:
        """The file of a version."""
        side = self.case.systems if name in self.case.systems else self.case.references
        return str(side[name])

    @property
    def weight(self) -> int:
        """How many bytes it has."""
        return sum(self.stop.values()) - sum(self.start.values())

    def joined(self, other: TranscriptPart) -> TranscriptPart:
        """Make one part of two neighbours."""
        blocks = self.blocks + other.blocks
        return replace(self, stop=other.stop, is_last=other.is_last, blocks=blocks)

    def extract(self, name: str) -> Extract:
        """What a version has here."""
        return Extract(self.path(name), self.start[name], self.stop[name])


@dataclass(frozen=True, slots=True)
class TranscriptCounts:
    """The counts of a part; its words, the units of each version, who has marks.

    `ahead` are the counts of measures that look ahead, one table for each guess of how far. `signs`
    are what was noticed of each version, with words counted from those of the part.
    """

    table: CountTable
    ahead: tuple[CountTable, ...]
    words: int
    units: dict[str, int]
    marked: frozenset[str]
    signs: dict[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A part that cannot be counted; `is_short` if a version ends too early."""

    is_short: bool


def plan(case: Case, forms: Mapping[str, str], task: TranscriptOptions) -> list[TranscriptPart]:
    """Cut a transcript into parts of about the same size."""
    found = Cutter(case, forms, replace(task, final="drop"))
    places = list(found.places(SIZE))
    k = _guesses(case, forms, task)
    parts = [TranscriptPart(case, dict(forms), *ends, k=k) for ends in pairwise(places)]
    parts[-1] = replace(parts[-1], is_last=True)
    share = MOST / max(1, sum(each.weight for each in parts))
    return [replace(each, blocks=max(1, round(share * each.weight))) for each in parts]


def _guesses(
    case: Case, forms: Mapping[str, str], task: TranscriptOptions
) -> tuple[Windowing, ...]:
    """What k may be, to judge by a sample of each reference: mostly one guess."""
    ranges = {
        name: _likely(task, *sampled(path, forms[name], task.marks))
        for name, path in case.references.items()
    }
    most = max(high - low for low, high in ranges.values())
    return tuple(
        {name: min(low + step, high) for name, (low, high) in ranges.items()}
        for step in range(most + 1)
    )


def _likely(task: TranscriptOptions, words: int, units: int) -> tuple[int, int]:
    """The least and the most that k may be, given numbers of words and units."""
    doubt = DOUBT / max(1, units) ** 0.5
    low, high = (overlap(task, round(words * (1 + sign * doubt)), units) for sign in (-1, 1))
    return low, min(high, low + MORE)


def count_part(part: TranscriptPart, task: TranscriptOptions) -> TranscriptCounts | Uncounted:
    """Count one part, if its words are the same in all versions."""
    try:
        documents = {name: _document(part, name, task) for name in part.names}
    except CaesuraError:
        return Uncounted(is_short=False)
    texts = [each.text or "" for each in documents.values()]
    if any(text != texts[0] for text in texts):
        return Uncounted(is_short=not part.is_last and _one_goes_on(texts))
    marked = frozenset(
        name for name, each in documents.items() if each.segmentation.marks is not None
    )
    own = Versions(
        {name: _with_marks(documents[name]) for name in part.case.references},
        {name: _with_marks(documents[name]) for name in part.case.systems},
    )
    added = not part.is_last
    units = {name: each.segmentation.boundaries.size - added for name, each in documents.items()}
    words = own.panel.slots("keep") - added
    signs = {name: each.signs for name, each in sources_of(documents, own).items()}
    return TranscriptCounts(*_counted(part, own, task), words, units, marked, signs)


def _counted(
    part: TranscriptPart, own: Versions, task: TranscriptOptions
) -> tuple[CountTable, tuple[CountTable, ...]]:
    """The counts of a part, or of the blocks in it; those that look ahead for each guess of k."""
    seen = own if part.is_last else _and_beyond(part, own, task)
    name, found = part.case.document, _blocks(part, own, seen, task)
    table = count_blocks(name, found, seen, task)
    ahead = [count_ahead(name, found, seen, task, k) for k in part.k]
    if task.blocks:
        return table, tuple(ahead)
    return table.by_document(), tuple(each.by_document() for each in ahead)


def _blocks(
    part: TranscriptPart, own: Versions, seen: Versions, task: TranscriptOptions
) -> list[Block]:
    """The blocks of a part, if they are asked for, or all of it as one."""
    length = seen.panel.slots("keep")
    words = own.panel.slots("keep") - (not part.is_last)
    if not task.blocks:
        return [Block(0, words, length)]
    how = task if part.is_last else replace(task, final="drop")
    return [
        Block(block.start, min(block.end, words), length)
        for block in blocks(own, how, part.blocks)
        if block.start < words
    ]


def _document(part: TranscriptPart, name: str, task: TranscriptOptions) -> Document:
    """A version of a part; unless it is the last, with a word more that ends it."""
    text = part.extract(name).text() + ("" if part.is_last else END)
    return plain.parse(text, part.forms[name], marks=task.marks, source=part.path(name))


def _with_marks(document: Document) -> Document:
    """The same with marks for all boundaries, if empty ones: elsewhere there may be some."""
    segmentation = document.segmentation
    if segmentation.marks is not None:
        return document
    marks = np.zeros(segmentation.boundaries.size, "<U1")
    return replace(document, segmentation=replace(segmentation, marks=marks))


def _one_goes_on(texts: list[str]) -> bool:
    """Whether the versions are the same as far as the shortest goes."""
    bodies = [each.removesuffix(END) for each in texts]
    shortest = min(bodies, key=len)
    return all(each.startswith(shortest) for each in bodies)


def _and_beyond(part: TranscriptPart, own: Versions, task: TranscriptOptions) -> Versions:
    """A part and as many words of what follows as windows of Pk and WindowDiff look at."""
    after = {name: _after(part, name, task) for name in own.everyone}
    words = min(each.segmentation.length for each in after.values())
    references, systems = (
        {name: _joined(each, after[name], words) for name, each in side.items()}
        for side in (own.references, own.systems)
    )
    return Versions(references, systems)


def _joined(own: Document, after: Document, words: int) -> Document:
    """A version without the added word, and with some words of what follows."""
    ours, theirs = own.segmentation, after.segmentation.boundaries
    length = ours.length - 1
    theirs = np.append(theirs[: np.searchsorted(theirs, words - 1)], words - 1)
    boundaries = np.concatenate((ours.boundaries[:-1], theirs + length))
    none = np.zeros(theirs.size, "<U1")
    marks = None if ours.marks is None else np.concatenate((ours.marks[:-1], none))
    return replace(own, segmentation=Segmentation(length + words, boundaries, marks))


def _after(part: TranscriptPart, name: str, task: TranscriptOptions) -> Document:
    """What follows a part: more words than windows of Pk and WindowDiff see, or all."""
    path, start, words = (
        part.path(name),
        part.stop[name],
        max(max(k.values()) for k in part.k),
    )
    size, end = 16 * (words + 16), size_of(path)
    while True:
        extract = Extract(path, start, min(end, start + size)).between_spaces(is_start=True)
        text = extract.text()
        if extract.stop == end or plain.words_by_line(text).sum() > words:
            return plain.parse(text, part.forms[name], marks=task.marks, source=path)
        size *= 2


def replan(
    parts: Sequence[TranscriptPart],
    counted: Sequence[TranscriptCounts | Uncounted],
    task: TranscriptOptions,
) -> list[TranscriptPart]:
    """Join what ends too early with what follows, then see to it that k is right."""
    joined = _joined_where_short(parts, counted, task)
    done = [each for each in counted if isinstance(each, TranscriptCounts)]
    if len(joined) < len(parts):
        return joined
    k = _right_k(parts[0], done, task)
    if all(k[name] in {guess[name] for guess in parts[0].k} for name in k):
        return joined
    return [replace(part, k=(k,)) for part in joined]


def _joined_where_short(
    parts: Sequence[TranscriptPart],
    counted: Sequence[TranscriptCounts | Uncounted],
    task: TranscriptOptions,
) -> list[TranscriptPart]:
    """The parts, each that ends too early joined with the next; an error if one is bad."""
    result: list[TranscriptPart] = []
    before, joins, is_open = 0, 0, False
    for part, each in zip(parts, counted, strict=True):
        if is_open:
            result[-1] = result[-1].joined(part)
            is_open, joins = False, joins + 1
            continue
        result.append(part)
        if isinstance(each, TranscriptCounts):
            before += each.words
        elif each.is_short:
            is_open = True
        elif not joins:
            raise _problem(part, task, before)
    return result


def _right_k(
    part: TranscriptPart, counted: Sequence[TranscriptCounts], task: TranscriptOptions
) -> dict[str, int]:
    """The k of Pk and WindowDiff by reference, known when all words and units are."""
    words = sum(each.words for each in counted)
    units = _added(each.units for each in counted)
    return {name: overlap(task, words, units[name]) for name in part.case.references}


def merge(
    parts: Sequence[TranscriptPart],
    counted: Sequence[TranscriptCounts],
    task: TranscriptOptions,
    signs: Mapping[str, int],
) -> CountTable:
    """Add up all parts: the counts of the document; `signs` are those of every version."""
    k = _right_k(parts[0], counted, task)
    sizes = [each.words for each in counted]
    before = np.cumsum([0, *sizes[:-1]]).tolist()
    tables = [
        _from_word(table, words)
        for part, each, words in zip(parts, counted, before, strict=True)
        for table in (each.table, *_chosen(part, each, k))
    ]
    sources = CountTable.from_rows(_sources(parts, counted, signs))
    return CountTable.from_tables(
        [sources, _of_marked(CountTable.from_tables(tables), parts[0], counted)]
    )


def _sources(
    parts: Sequence[TranscriptPart],
    counted: Sequence[TranscriptCounts],
    signs: Mapping[str, int],
) -> Iterator[Row]:
    """What was read of each version."""
    document, forms = parts[0].case.document, parts[0].forms
    sizes = [each.words for each in counted]
    noticed = joined_signs([each.signs for each in counted], sizes)
    for name, units in _added(each.units for each in counted).items():
        every = _signs(parts[0].path(name), signs) | noticed[name]
        counts = SourceCounts(1, sum(sizes), units, (forms[name],), every)
        yield Row(name, document, SOURCE, None, counts)


def _signs(path: str, signs: Mapping[str, int]) -> dict[str, int]:
    """The signs of every version, and of one whose form was guessed by an odd suffix."""
    return {**signs, **(odd_suffix(path) if signs else {})}


def _problem(part: TranscriptPart, task: TranscriptOptions, before: int) -> CaesuraError:
    """What is wrong with a part, with line numbers of the files."""
    try:
        documents = [_in_place(part, name, task) for name in part.names]
        require_one_axis(documents[0], documents[1:], before)
    except CaesuraError as problem:
        return problem
    raise AssertionError(part)


def _in_place(part: TranscriptPart, name: str, task: TranscriptOptions) -> Document:
    """A version of a part and some of what follows, its lines counted from the file's first."""
    path, start, end = part.path(name), part.start[name], size_of(part.path(name))
    lines = Extract(path, 0, start).lines()
    stop = min(end, part.stop[name] + CONTEXT)
    text = Extract(path, start, stop).between_spaces(is_start=True).text()
    document = plain.parse(text, part.forms[name], marks=task.marks, source=path)
    starts = document.line_starts if document.line_starts is not None else np.zeros(1, np.int64)
    return replace(document, line_starts=np.concatenate((np.zeros(lines, np.int64), starts)))


def _added(each: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in each:
        total = {name: total.get(name, 0) + number for name, number in counts.items()}
    return total


def _chosen(part: TranscriptPart, counted: TranscriptCounts, k: Windowing) -> Iterator[CountTable]:
    """The counts of measures that look ahead, with the k that turned out to be right."""
    left = set(k)
    for table, guess in zip(counted.ahead, part.k, strict=True):
        right = {name for name in left if guess[name] == k[name]}
        left -= right
        if right:
            yield table.against(right)


def _from_word(table: CountTable, before: int) -> CountTable:
    """A table whose blocks, if it has any, end `before` words later."""
    ends = (each.block + before if each.block else 0 for each in table.portions)
    return replace(table, portions=[portion_of(block=end) for end in ends])


def _of_marked(
    table: CountTable, part: TranscriptPart, counted: Sequence[TranscriptCounts]
) -> CountTable:
    """Marks count only between versions that have some."""
    marked = frozenset[str]().union(*(each.marked for each in counted))
    measures = dict(table.measures)
    every: set[str | None] = {*part.case.references}
    for name, wanted in ((Marks.name, None), (MarkConsensus.name, every)):
        if name in measures:
            own = measures[name]
            keys = table.names.keys(own.keys)
            has = [(wanted or {key.system, key.reference}) <= marked for key in keys]
            measures[name] = own.times(np.array(has), len(table))
    return replace(table, measures=measures)
