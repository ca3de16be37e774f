"""Stretches: one huge transcript, counted part by part, as if it were counted whole.

All versions are cut after the same word, at a place where nothing that is counted lies on both
sides (see `cuts`), so the stretches' counts add up to the whole's. That a place is the same in all
is not left to chance: the words of each stretch are compared, and where a version ends too early,
the stretch is put together with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from caesura.align.axis import require_one_axis
from caesura.align.versions import Versions
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import Document, Final, Segmentation
from caesura.errors import CaesuraError
from caesura.formats import plain
from caesura.io.files import Extract, size_of
from caesura.measures.marks import MarkCounts, Marks
from caesura.measures.windows import Windows, mean_k
from caesura.run.cases import Case
from caesura.run.chunks import Part
from caesura.tasks.blocks import MOST, Block, CutOptions, blocks, count_block, with_windows
from caesura.tasks.cuts import Cutter, Place, sampled

CountAll = Callable[[str, Versions, Final], list[Row]]
Windowing = Mapping[str, int]
"""The k of Pk and WindowDiff by reference."""

SIZE = 12 << 20
"""Bytes of a stretch, all versions together."""
CONTEXT = 4096
DOUBT, MORE = 3, 2
"""Standard errors within which k is guessed, and guesses beside the first at most."""
END = "x"
"""A word that takes the place of what follows a stretch; it is not counted."""


@dataclass(frozen=True, slots=True)
class Stretch(Part):
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
    def paths(self) -> dict[str, str]:
        """The files of all versions, the references first."""
        return {**self.case.references, **self.case.systems}

    @property
    def weight(self) -> int:
        """How many bytes it has."""
        return sum(self.stop.values()) - sum(self.start.values())

    def joined(self, other: Stretch) -> Stretch:
        """Make one stretch of two neighbours."""
        blocks = self.blocks + other.blocks
        return replace(self, stop=other.stop, is_last=other.is_last, blocks=blocks)

    def extract(self, name: str) -> Extract:
        """What a version has here."""
        return Extract(self.paths[name], self.start[name], self.stop[name])


@dataclass(frozen=True, slots=True)
class StretchCounts:
    """The rows of a stretch by guess of k; words, the units of each version, who has marks."""

    rows: tuple[list[Row], ...]
    words: int
    units: dict[str, int]
    marked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A stretch that cannot be counted; `is_short` if a version ends too early."""

    is_short: bool


def plan(case: Case, forms: Mapping[str, str], options: CutOptions) -> list[Stretch]:
    """Cut a transcript into stretches of about the same size."""
    found = Cutter(case, forms, replace(options, final="drop"))
    places = list(found.places(SIZE))
    k = _guesses(case, forms, options)
    stretches = [Stretch(case, dict(forms), *ends, k=k) for ends in pairwise(places)]
    stretches[-1] = replace(stretches[-1], is_last=True)
    share = MOST / max(1, sum(each.weight for each in stretches))
    return [replace(each, blocks=max(1, round(share * each.weight))) for each in stretches]


def _guesses(case: Case, forms: Mapping[str, str], options: CutOptions) -> tuple[Windowing, ...]:
    """What k may be, to judge by a sample of each reference: mostly one guess."""
    if options.k:
        return (dict.fromkeys(case.references, options.k),)
    ranges = {
        name: _likely(*sampled(path, forms[name], options.marks))
        for name, path in case.references.items()
    }
    most = max(high - low for low, high in ranges.values())
    return tuple(
        {name: min(low + step, high) for name, (low, high) in ranges.items()}
        for step in range(most + 1)
    )


def _likely(words: int, units: int) -> tuple[int, int]:
    """The least and the most that k may be, given numbers of words and units."""
    doubt = DOUBT / max(1, units) ** 0.5
    low, high = (mean_k(round(words * (1 + sign * doubt)), units) for sign in (-1, 1))
    return low, min(high, low + MORE)


def count_stretch(
    stretch: Stretch, options: CutOptions, count: CountAll
) -> StretchCounts | Uncounted:
    """Count one stretch, if its words are the same in all versions."""
    try:
        documents = {name: _document(stretch, name, options) for name in stretch.paths}
    except CaesuraError:
        return Uncounted(is_short=False)
    texts = [each.text or "" for each in documents.values()]
    if any(text != texts[0] for text in texts):
        return Uncounted(is_short=not stretch.is_last and _one_goes_on(texts))
    marked = frozenset(
        name for name, each in documents.items() if each.segmentation.marks is not None
    )
    own = Versions(
        {name: _with_marks(documents[name]) for name in stretch.case.references},
        {name: _with_marks(documents[name]) for name in stretch.case.systems},
    )
    added = not stretch.is_last
    units = {name: each.segmentation.boundaries.size - added for name, each in documents.items()}
    words = own.panel.slots("keep") - added
    return StretchCounts(_rows(stretch, own, options, count), words, units, marked)


def _rows(
    stretch: Stretch, own: Versions, options: CutOptions, count: CountAll
) -> tuple[list[Row], ...]:
    """The rows of a stretch, or of the blocks in it, for each guess of k."""
    seen = own if stretch.is_last else _and_beyond(stretch, own, options)
    here = partial(count, stretch.case.document)
    rows: tuple[list[Row], ...] = tuple([] for _ in stretch.k)
    for block in _blocks(stretch, own, seen, options):
        first = count_block(block, seen, options, here, stretch.k[0])
        if options.blocks:
            first = [replace(row, block=block.end) for row in first]
        rows[0].extend(first)
        for other, k in zip(rows[1:], stretch.k[1:], strict=True):
            other.extend(with_windows(first, block, seen, k))
    return rows


def _blocks(stretch: Stretch, own: Versions, seen: Versions, options: CutOptions) -> list[Block]:
    """The blocks of a stretch, if they are asked for, or all of it as one."""
    length = seen.panel.slots("keep")
    words = own.panel.slots("keep") - (not stretch.is_last)
    if not options.blocks:
        return [Block(0, words, length)]
    how = options if stretch.is_last else replace(options, final="drop")
    return [
        Block(block.start, min(block.end, words), length)
        for block in blocks(own, how, stretch.blocks)
        if block.start < words
    ]


def _document(stretch: Stretch, name: str, options: CutOptions) -> Document:
    """A version of a stretch; unless it is the last, with a word more that ends it."""
    text = stretch.extract(name).text() + ("" if stretch.is_last else END)
    return plain.parse(text, stretch.forms[name], marks=options.marks, source=stretch.paths[name])


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


def _and_beyond(stretch: Stretch, own: Versions, options: CutOptions) -> Versions:
    """A stretch and as many words of what follows as windows of Pk and WindowDiff look at."""
    after = {name: _after(stretch, name, options) for name in own.everyone}
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


def _after(stretch: Stretch, name: str, options: CutOptions) -> Document:
    """What follows a stretch: more words than windows of Pk and WindowDiff see, or all."""
    path, start, words = (
        stretch.paths[name],
        stretch.stop[name],
        max(max(k.values()) for k in stretch.k),
    )
    size, end = 16 * (words + 16), size_of(path)
    while True:
        extract = Extract(path, start, min(end, start + size)).between_spaces(is_start=True)
        text = extract.text()
        if extract.stop == end or plain.words_by_line(text).sum() > words:
            return plain.parse(text, stretch.forms[name], marks=options.marks, source=path)
        size *= 2


def replan(
    stretches: Sequence[Stretch], counted: Sequence[StretchCounts | Uncounted], options: CutOptions
) -> list[Stretch]:
    """Join what ends too early with what follows, then see to it that k is right."""
    joined = _joined_where_short(stretches, counted, options)
    done = [each for each in counted if isinstance(each, StretchCounts)]
    if len(joined) < len(stretches):
        return joined
    k = _right_k(stretches[0], done, options)
    if all(k[name] in {guess[name] for guess in stretches[0].k} for name in k):
        return joined
    return [replace(stretch, k=(k,)) for stretch in joined]


def _joined_where_short(
    stretches: Sequence[Stretch], counted: Sequence[StretchCounts | Uncounted], options: CutOptions
) -> list[Stretch]:
    """The stretches, each that ends too early joined with the next; an error if one is bad."""
    result: list[Stretch] = []
    before, joins, is_open = 0, 0, False
    for stretch, each in zip(stretches, counted, strict=True):
        if is_open:
            result[-1] = result[-1].joined(stretch)
            is_open, joins = False, joins + 1
            continue
        result.append(stretch)
        if isinstance(each, StretchCounts):
            before += each.words
        elif each.is_short:
            is_open = True
        elif not joins:
            raise _problem(stretch, options, before)
    return result


def _right_k(
    stretch: Stretch, counted: Sequence[StretchCounts], options: CutOptions
) -> dict[str, int]:
    """The k of Pk and WindowDiff by reference, known when all words and units are."""
    words = sum(each.words for each in counted)
    units = _added(each.units for each in counted)
    return {name: options.k or mean_k(words, units[name]) for name in stretch.case.references}


def merge(
    stretches: Sequence[Stretch], counted: Sequence[StretchCounts], options: CutOptions
) -> list[Row]:
    """Add up all stretches: the rows of the document."""
    k = _right_k(stretches[0], counted, options)
    chosen = [_chosen(*each, k) for each in zip(stretches, counted, strict=True)]
    marked = frozenset[str]().union(*(each.marked for each in counted))
    document, forms = stretches[0].case.document, stretches[0].forms
    sizes = [each.words for each in counted]
    sources = [
        Row(name, document, "source", None, SourceCounts(1, sum(sizes), size, (forms[name],)))
        for name, size in _added(each.units for each in counted).items()
    ]
    rows = _in_blocks(chosen, sizes) if options.blocks else _summed(chosen)
    return sources + [_of_marked(row, marked) for row in rows]


def _problem(stretch: Stretch, options: CutOptions, before: int) -> CaesuraError:
    """What is wrong with a stretch, with line numbers of the files."""
    try:
        documents = [_in_place(stretch, name, options) for name in stretch.paths]
        require_one_axis(documents[0], documents[1:], before)
    except CaesuraError as problem:
        return problem
    raise AssertionError(stretch)


def _in_place(stretch: Stretch, name: str, options: CutOptions) -> Document:
    """A version of a stretch and some of what follows, its lines counted from the file's first."""
    path, start, end = stretch.paths[name], stretch.start[name], size_of(stretch.paths[name])
    lines = Extract(path, 0, start).lines()
    stop = min(end, stretch.stop[name] + CONTEXT)
    text = Extract(path, start, stop).between_spaces(is_start=True).text()
    document = plain.parse(text, stretch.forms[name], marks=options.marks, source=path)
    starts = document.line_starts if document.line_starts is not None else np.zeros(1, np.int64)
    return replace(document, line_starts=np.concatenate((np.zeros(lines, np.int64), starts)))


def _added(each: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in each:
        total = {name: total.get(name, 0) + number for name, number in counts.items()}
    return total


def _chosen(stretch: Stretch, counted: StretchCounts, k: Windowing) -> list[Row]:
    """The rows of a stretch with the k that turned out to be right."""

    def right(rows: tuple[Row, ...]) -> Row:
        name = rows[0].reference
        if rows[0].measure != Windows.name or name is None:
            return rows[0]
        return next(
            row for row, guess in zip(rows, stretch.k, strict=True) if guess[name] == k[name]
        )

    return [right(rows) for rows in zip(*counted.rows, strict=True)]


def _in_blocks(each: list[list[Row]], sizes: list[int]) -> list[Row]:
    """The rows of all blocks, with their ends as numbers of words of the whole."""
    before = np.cumsum([0, *sizes[:-1]]).tolist()
    return [
        replace(row, block=row.block + words)
        for words, rows in zip(before, each, strict=True)
        for row in rows
    ]


def _summed(each: list[list[Row]]) -> list[Row]:
    return [
        replace(same[0], counts=sum((row.counts for row in same), type(same[0].counts).zero()))
        for same in zip(*each, strict=True)
    ]


def _of_marked(row: Row, marked: frozenset[str]) -> Row:
    """Marks count only between versions that have some."""
    if row.measure != Marks.name or {row.system, row.reference} <= marked:
        return row
    return replace(row, counts=MarkCounts.zero())
