"""Parts of a huge pair of texts, counted one by one, as if it were counted whole.

Both files are cut where both end a sentence amid the same characters. A part is read with some of
what follows it, as far as alignment looks ahead; so its counts are those that the whole would have
there, and they add up. Whether a cut was right is not guessed: a part that does not get through
its end as the whole would, or that needs to look further, says so, and is put together with the
next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np

from caesura.align.characters import SIGHT, Runs, equal_runs
from caesura.core.counts import Counts
from caesura.core.text import Text
from caesura.core.treebank_table import AnnotatedText
from caesura.errors import FormatError, UsageError
from caesura.formats.text_file import File
from caesura.io.files import size_of
from caesura.measures.joint import AlignedTexts
from caesura.measures.treebank import Treebank, TreebankCounts
from caesura.run.chunks import Part
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.passages import AROUND, Form, Passage

Forms = tuple[Form[File], Form[File]]
Place = tuple[int, int]
Texts = tuple[Text, Text]
Signs = tuple[Mapping[str, int], Mapping[str, int]]
Further = Callable[[AlignedTexts, tuple[File, File]], Mapping[str, Counts]]
NEAR = (1 << 14, 1 << 18, 1 << 20, 8 << 20)
"""How far to look for the place in the gold file that is that of a cut in the system's."""
KINDS = frozenset(("joint", "treebank"))
"""What is counted; the one by the units that are asked for, the other by surface tokens."""


@dataclass(frozen=True, slots=True)
class TextPart(Part):
    """A part of a pair of files: from one place in both to another.

    For the kinds in which it is closed, its end is taken for the end of both.
    """

    start: Place = (0, 0)
    stop: Place = (0, 0)
    closed: frozenset[str] = frozenset()

    @property
    def paths(self) -> tuple[str, str]:
        """The system's file and the gold's."""
        (system,), (gold,) = self.case.systems.values(), self.case.references.values()
        return system, gold

    @property
    def weight(self) -> int:
        """How many bytes it has."""
        return sum(self.stop) - sum(self.start)

    @property
    def is_all(self) -> bool:
        """Whether it is all of both files."""
        return self.start == (0, 0) and self.stop == tuple(map(size_of, self.paths))

    def joined(self, other: TextPart) -> TextPart:
        """Make one part of two neighbours."""
        return replace(self, stop=other.stop, closed=other.closed)


@dataclass(frozen=True, slots=True)
class TextPartCounts:
    """The counts of a part, None if it cannot be counted alone, and in what the texts differ.

    `signs` are what is noticed of the system's and of the gold's sentences, as numbers by kind.
    """

    counts: Mapping[str, Counts] | None
    differs: frozenset[str] = KINDS
    signs: Signs = ({}, {})


def plan(case: Case, forms: Forms[File], *, size: int | None = None) -> list[TextPart]:
    """Cut a pair of files into parts of about the given size in bytes.

    Where no place for a cut is found, the next is looked for further on.
    """
    whole = TextPart(case)
    ends = size_of(whole.paths[0]), size_of(whole.paths[1])
    size = size or forms[0].part
    left, target, step = replace(whole, stop=ends, closed=KINDS), size, size
    parts: list[TextPart] = []
    while target < ends[0] - size // 2:
        found = _cut(left, target, forms, step)
        if found is not None and min(found[0] - left.start[0], found[1] - left.start[1]) > 0:
            parts.append(replace(left, stop=found, closed=frozenset()))
            left, target, step = replace(left, start=found), found[0] + size, size
        else:
            step = min(2 * step, max(size, NEAR[-1]))
            target += step
    return [*parts, left]


def _cut(left: TextPart, target: int, forms: Forms[File], most: int) -> Place | None:
    """The first place after a target at which both files end a sentence amid the same words.

    Where the same words are in sight, but no such place, to look further would not help; `most` is
    how many bytes are looked at. What cannot be read is no place for a cut; who counts it will say
    why.
    """
    paths, start, stop = left.paths, left.start, left.stop
    scale = (stop[1] - start[1]) / max(1, stop[0] - start[0])
    middle = start[1] + round((target - start[0]) * scale)
    try:
        for reach in (NEAR[0], *(each for each in NEAR[1:] if each <= most * max(1, scale))):
            end = target + min(reach, NEAR[1])
            ours = Passage.from_range(paths[0], target, end, forms[0])
            theirs = Passage.from_range(paths[1], middle - reach, middle + reach, forms[1])
            at = theirs.ends_like(ours)
            if at is not None:
                mine, yours = ours.place(at[0]), theirs.place(at[1])
                return None if mine is None or yours is None else (mine, yours)
            if theirs.holds(ours):
                return None
    except FormatError:
        return None
    return None


def count_part(
    part: TextPart, forms: Forms[File], further: Further[File] | None = None
) -> TextPartCounts:
    """Count one part, if that can be done without the others; `further` counts more of it."""
    if all(form.has_lines for form in forms):
        return _count_lines(part, forms)
    if any(form.may_be_cut for form in forms) and not part.is_all:
        with suppress(FormatError):
            return _count_passages(part, forms, further)
        return TextPartCounts(None)
    return _count_passages(part, forms, further)


def _count_passages(
    part: TextPart, forms: Forms[File], further: Further[File] | None
) -> TextPartCounts:
    """Count a part whose sentences may depend on each other."""
    system, gold = (
        Passage.from_place(*where)
        for where in zip(part.paths, part.start, part.stop, forms, strict=True)
    )
    own, signs = (system.own, gold.own), (system.signs, gold.signs)
    texts = system.text, gold.text
    joint = _aligned(part, "joint", _first(texts, own), lambda: texts)
    if joint is None:
        return TextPartCounts(None)
    kept = _up_to(joint, own)
    found = kept.counts
    differs = {"joint"} if joint.runs else set()
    if further is not None:
        more = further(kept, (system.file, gold.file))
        return TextPartCounts({"joint": found, **more}, frozenset(differs), signs)
    sides = system.file.treebank, gold.file.treebank
    if sides[0] is None or sides[1] is None:
        return TextPartCounts({"joint": found}, frozenset(differs), signs)
    if part.start != (0, 0) and not (system.begins_plainly[0] and gold.begins_plainly[0]):
        return TextPartCounts(None)
    surfaces = sides[0].text, sides[1].text
    is_known = surfaces == texts and part.closed in (KINDS, frozenset())
    surface: AlignedTexts | None = joint
    if not is_known:
        surface = _aligned(part, "treebank", _first(surfaces, own), lambda: surfaces)
    if surface is None:
        return TextPartCounts(None)
    differs |= {"treebank"} if surface.runs else set()
    trees = _trees(surface, (sides[0], sides[1]), own)
    return TextPartCounts({"joint": found, "treebank": trees}, frozenset(differs), signs)


def _count_lines(part: TextPart, forms: Forms[File]) -> TextPartCounts:
    """Count a part of two files of which every line can be read without the others.

    What follows it is read only where the characters differ.
    """
    where = zip(part.paths, part.start, part.stop, forms, strict=True)
    ours, theirs = (Passage.from_gaps(*each) for each in where)

    def in_sight() -> Texts:
        sides = zip((ours, theirs), part.paths, forms, strict=True)
        system, gold = (each.with_sight(path, form) for each, path, form in sides)
        return system, gold

    joint = _aligned(part, "joint", (ours.text, theirs.text), in_sight)
    if joint is None:
        return TextPartCounts(None)
    own = _up_to(joint, (ours.own, theirs.own))
    try:
        found = own.counts
    except UsageError:
        system = ours.numbered(part.paths[0], own.system)
        gold = theirs.numbered(part.paths[1], own.gold)
        found = replace(own, system=system, gold=gold).counts
    return TextPartCounts({"joint": found}, frozenset({"joint"} if joint.runs else ()))


def _aligned(
    part: TextPart, kind: str, own: Texts, in_sight: Callable[[], Texts]
) -> AlignedTexts | None:
    """The texts of a part aligned, those of equal characters without what follows.

    None if the alignment could be another one in the whole.
    """
    ours, theirs = own
    if ours.stream == theirs.stream:
        return AlignedTexts(ours, theirs, None)
    is_open = kind not in part.closed
    system, gold = in_sight() if is_open else own
    runs = equal_runs(system.stream, gold.stream, is_open=is_open)
    if is_open and runs.has_tied:
        return None
    alignment = AlignedTexts.from_runs(runs, system, gold)
    has_start = part.start == (0, 0) or _begins_alone(alignment)
    if is_open:
        has_end = _ends_alone(alignment, runs, (len(ours.stream), len(theirs.stream)))
    else:
        has_end = part.start == (0, 0) or _has_own_end(runs)
    return alignment if has_start and has_end else None


def _first(texts: Texts, sentences: Place) -> Texts:
    return texts[0].first(sentences[0]), texts[1].first(sentences[1])


def _up_to(alignment: AlignedTexts, own: Place) -> AlignedTexts:
    """The first sentences of both, which end at one point."""
    system, gold = _first((alignment.system, alignment.gold), own)
    runs = alignment.runs
    return AlignedTexts(system, gold, runs and runs.first(len(system.stream), len(gold.stream)))


def _trees(
    alignment: AlignedTexts, sides: tuple[AnnotatedText, AnnotatedText], own: Place
) -> TreebankCounts:
    """The words, tags and trees of the first sentences of both, which end at one point."""
    texts = alignment.system, alignment.gold
    system, gold = (
        AnnotatedText(side.table.head(text.sentence_ends.size), text)
        for side, text in zip(sides, texts, strict=True)
    )
    edges = np.array([0, own[0]]), np.array([0, own[1]])
    return Treebank().count_parts(system, gold, alignment.runs, *edges)[0]


def _begins_alone(alignment: AlignedTexts) -> bool:
    """Whether a part begins within a run, and its first gap could not lie before it."""
    runs = alignment.runs
    if runs is None or runs.a[0] or runs.b[0] or runs.length[0] < AROUND // 2:
        return False
    gap = _gap(runs, 0)
    length = int(runs.length[0])
    return not any(
        size and not other and stream[:length] == stream[size : size + length]
        for (size, other), stream in (
            (gap, alignment.system.stream),
            (gap[::-1], alignment.gold.stream),
        )
    )


def _has_own_end(runs: Runs) -> bool:
    """Whether the end of a last part is that of the whole: not near, and not cut by its start."""
    is_tail = runs.a[-1] + runs.length[-1] == runs.size_a
    return not runs.tail_is_cut and not (is_tail and min(runs.a[-1], runs.b[-1]) < SIGHT)


def _ends_alone(alignment: AlignedTexts, runs: Runs, cut: Place) -> bool:
    """Whether a run goes through the end of a part, and its last gap could not lie after it."""
    slid = alignment.runs
    if (
        slid is None
        or runs.has_leapt
        or not (_goes_through(runs, cut) and _goes_through(slid, cut))
    ):
        return False
    at = int(np.searchsorted(slid.a, cut[0], side="right")) - 1
    gap = _gap(slid, at - 1)
    sides = (
        (gap, int(slid.a[at]), alignment.system.stream),
        (gap[::-1], int(slid.b[at]), alignment.gold.stream),
    )
    return not any(
        size and not other and stream[start:] == stream[start - size : len(stream) - size]
        for (size, other), start, stream in sides
    )


def _gap(runs: Runs, at: int) -> Place:
    """How much both sides have between a run and the next; -1 is before the first."""
    ends = (0, 0) if at < 0 else (runs.a[at] + runs.length[at], runs.b[at] + runs.length[at])
    is_last = at + 1 == runs.a.size
    begins = (runs.size_a, runs.size_b) if is_last else (runs.a[at + 1], runs.b[at + 1])
    return int(begins[0] - ends[0]), int(begins[1] - ends[1])


def _goes_through(runs: Runs, cut: Place) -> bool:
    """Whether one run goes through a place of both streams, from well before to well after."""
    at = max(0, int(np.searchsorted(runs.a, cut[0], side="right")) - 1)
    before = cut[0] - int(runs.a[at])
    is_there = before == cut[1] - int(runs.b[at])
    return is_there and AROUND // 2 <= before <= int(runs.length[at]) - AROUND // 2


def replan(parts: Sequence[TextPart], counted: Sequence[TextPartCounts]) -> list[TextPart]:
    """The parts as they should be: none that needs its neighbours, the last difference closed.

    Where the texts differ for the last time, the end of both is in sight, so that part is counted
    as the last.
    """
    needs = [at for at, each in enumerate(counted) if each.counts is None]
    near = {side for at in needs for side in _joints(parts, at)}
    result: list[TextPart] = []
    for at, part in enumerate(parts):
        if at in near:
            result[-1] = result[-1].joined(part)
        else:
            result.append(part)
    return result if needs else _with_last_closed(result, counted)


def _joints(parts: Sequence[TextPart], at: int) -> Iterator[int]:
    """Before which parts to join, so that one gets at least a third more on both sides.

    So a part that needs much of what is around it is counted only a few times.
    """
    for places in (range(at, 0, -1), range(at + 1, len(parts))):
        more, step = 0, places.step
        for place in places:
            if 3 * more >= parts[at].weight and more:
                break
            yield place
            more += parts[place - 1 if step < 0 else place].weight


def _with_last_closed(parts: list[TextPart], counted: Sequence[TextPartCounts]) -> list[TextPart]:
    for kind in KINDS:
        last = max((at for at, each in enumerate(counted) if kind in each.differs), default=-1)
        if last >= 0 and kind not in parts[last].closed:
            parts[last] = replace(parts[last], closed=parts[last].closed | {kind})
    return parts


def merge(counted: Sequence[TextPartCounts]) -> dict[str, Counts]:
    """The counts of the whole."""
    counts = [each.counts for each in counted if each.counts is not None]
    return {name: reduce(add, (each[name] for each in counts)) for name in counts[0]}
