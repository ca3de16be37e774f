"""Brackets as evalb counts them (Sekine & Collins 1997): line by line, with its parameter files.

Lines whose words differ are errors and lines without words are skipped; neither counts. Matching is
greedy, in order, as labels that are declared equal need not be so transitively. Not followed are
evalb's fixed limits, and that it stops at the twelfth error.

Files have a million leaves, so all lines are counted together in arrays; evalb itself is what
proves the counts, in tests/tasks/trees/test_evalb.py.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from caesura.core.byte_cells import same_strings
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, UnknownNameError, number
from caesura.io.files import read_text
from caesura.io.paths import Stamp
from caesura.measures.breakdown import BreakdownCounts
from caesura.tasks.trees.brackets import Partners, crossing, paired_rows
from caesura.tasks.trees.format import Forest
from caesura.tasks.trees.measures import LENGTHS, BracketCounts, breakdowns

VALID, ERROR, SKIP = range(3)
"""How a line ended; evalb prints these numbers."""
QUOTATION_MARKS = ("'", '"', "/")
Pair = tuple[str, str]
Figures = tuple[int, ...]
"""What evalb prints of a line: length, status, right, gold's, system's, crossing, words, tags."""
_INT: Any = np.int32


@dataclass(frozen=True)
class EvalbParameters:
    """What a parameter file of evalb says.

    Leaves with a tag in `delete` are dropped, brackets with such a label do not count; leaves with
    a tag in `delete_for_length` do not count as words of a sentence, whose figures are also given
    for those of up to `cutoff` words. `quotes` are tags that a quotation mark may have wrongly.
    Labels, or tags, and words that are equal are pairs, which stand in both orders; that is not
    transitive, as in evalb.
    """

    cutoff: int = 40
    is_labelled: bool = True
    delete: tuple[str, ...] = ()
    delete_for_length: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    equal_labels: tuple[Pair, ...] = ()
    equal_words: tuple[Pair, ...] = ()


PARAMETERS = {
    "collins": EvalbParameters(
        delete=("TOP", "-NONE-", ",", ":", "``", "''", "."),
        delete_for_length=("-NONE-",),
        equal_labels=(("ADVP", "PRT"), ("PRT", "ADVP")),
    ),
    "new": EvalbParameters(
        delete=("TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"),
        delete_for_length=("-NONE-",),
        quotes=("``", "''", "POS", "NN", "CD", "VBZ", ":"),
        equal_labels=(("ADVP", "PRT"), ("PRT", "ADVP")),
    ),
}
"""What the files that come with evalb say: COLLINS.prm and new.prm."""
KEYWORDS = {
    "DEBUG": "", "MAX_ERROR": "", "CUTOFF_LEN": "cutoff", "LABELED": "is_labelled",
    "DELETE_LABEL": "delete", "DELETE_LABEL_FOR_LENGTH": "delete_for_length",
    "QUOTE_LABEL": "quotes", "EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words",
}  # fmt: skip


@lru_cache(maxsize=8)
def load_parameters(name: str, _: Stamp) -> EvalbParameters:
    """Built-in parameters by their name, or those of a file as it is now, by its stamp."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    if name.replace("_", "").isalnum():
        raise UnknownNameError("set of evalb's parameters", name, PARAMETERS)
    return parse_parameters(read_text(name), name)


def parse_parameters(text: str, source: str) -> EvalbParameters:
    r"""Read a parameter file (.prm): a keyword and its value on each line, # for comments.

    >>> parse_parameters("# all\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\n", "x.prm").equal_labels
    (('ADVP', 'PRT'), ('PRT', 'ADVP'))
    """
    fields: dict[str, Any] = {}
    for at, line in enumerate(text.splitlines(), 1):
        if len(line.strip()) < 3 or line.startswith("#"):
            continue
        keyword, *values = line.split()
        value = line.split(maxsplit=1)[1].strip() if values else ""
        if keyword not in KEYWORDS:
            *first, last = KEYWORDS
            cure = f"evalb knows {', '.join(first)} and {last}"
            raise FormatError(source, f"the unknown keyword '{keyword}'", cure, line=at)
        if not value:
            raise FormatError(source, f"{keyword} has no value", f"write {keyword} VALUE", line=at)
        name = KEYWORDS[keyword]
        if name.startswith("equal"):
            if len(values) != 2:
                problem = f"{keyword} has {number(len(values), 'value')}"
                raise FormatError(source, problem, f"write {keyword} ONE OTHER", line=at)
            fields[name] = (*fields.get(name, ()), tuple(values), tuple(reversed(values)))
        elif name in ("delete", "delete_for_length", "quotes"):
            fields[name] = (*fields.get(name, ()), value)
        elif not re.fullmatch("[+-]?[0-9]{1,9}", value):
            raise FormatError(source, f"'{value}' is not a number", f"write {keyword} 1", line=at)
        elif name:
            fields[name] = bool(int(value)) if keyword == "LABELED" else int(value)
    return EvalbParameters(**fields)


def evalb_label(label: str) -> str:
    """A label as evalb compares it, cut at its first - or =.

    >>> evalb_label("NP-SBJ"), evalb_label("NP=2"), evalb_label("-NONE-")
    ('NP', 'NP', '')
    """
    return label.replace("=", "-").partition("-")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The leaves of a side in the lines that both have, and how often evalb keeps each as a word.

    That is once, or not if its tag is deleted; but see `_put_back_quotes`.
    """

    forest: Forest
    line: IntArray  # (leaves,) ascending
    times: IntArray  # (leaves,)

    def sizes(self, lines: int) -> IntArray:
        """How many words each line has."""
        return np.bincount(self.line, self.times, lines).astype(np.int64)

    def words(self, is_line: BoolArray) -> IntArray:
        """The leaves that are kept in some lines."""
        return np.repeat(np.arange(self.line.size, dtype=_INT), self.times * is_line[self.line])


@dataclass(frozen=True, slots=True, eq=False)
class CountedBrackets:
    """The brackets of a side that count, in the order in which they open, in lines that are valid.

    `first` is how many words of such lines lie before one, `last` how many before its end.
    """

    line: IntArray
    label: IntArray
    first: IntArray
    last: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class EvalbLines:
    """What evalb counts in the lines that both files have.

    `figures` are what it prints of each line, and how many brackets match without labels; `sides`
    are the brackets that are right, the system's and the gold's: line and label of each.
    `length_group` is the group of lengths of each line. `surplus` is how many more lines the system
    has than the gold; `cutoff` is how many words a short line has at most.
    """

    figures: IntArray  # (lines, 9)
    labels: tuple[str, ...]
    sides: tuple[tuple[IntArray, IntArray], ...]
    length_group: IntArray  # (lines,)
    surplus: int
    cutoff: int

    def breakdowns(self, edges: IntArray) -> list[BreakdownCounts]:
        """The brackets between some lines by label, and by length of the line."""
        block = np.repeat(np.arange(edges.size - 1), np.diff(edges))  # (lines,)
        sides = [(block[line], label, self.length_group[line]) for line, label in self.sides]
        return breakdowns(self.labels, sides, edges.size - 1)

    def brackets(self, lines: slice = slice(None)) -> BracketCounts:
        """The counts of some lines; lines that do not count have zeros."""
        valid = valid_lines(self.figures[lines])
        tp, gold, system, crossing, words, tags, unlabelled = valid[:, 2:].sum(axis=0).tolist()
        return BracketCounts(
            tp, system, gold, unlabelled, system, gold, tags, words, words, crossing, crossing,
            len(valid), *sentences_of(valid), len(valid),
        )  # fmt: skip

    def counts(self, lines: slice = slice(None)) -> EvalbCounts:
        """How some lines ended, and the figures of those that are not longer than the cutoff."""
        figures = self.figures[lines]
        short = figures[figures[:, 0] <= self.cutoff]
        ends = [np.bincount(part[:, 1], minlength=3).tolist() for part in (figures, short)]
        valid = valid_lines(short)
        tp, gold, system, crossing, words, tags, _ = valid[:, 2:].sum(axis=0).tolist()
        return EvalbCounts(
            len(figures), ends[0][ERROR], ends[0][SKIP], len(short), ends[1][ERROR], ends[1][SKIP],
            tp, system, gold, crossing, *sentences_of(valid), words, tags,
        )  # fmt: skip


def valid_lines(figures: IntArray) -> IntArray:
    """The figures of lines that count."""
    valid: IntArray = figures[figures[:, 1] == VALID]
    return valid


def sentences_of(figures: IntArray) -> tuple[int, int, int]:
    """The lines without crossing, with two or less, and with the same brackets."""
    _, _, tp, gold, system, crossing, *_ = figures.T
    kinds = crossing == 0, crossing <= 2, (tp == gold) & (tp == system)
    none, few, complete = (int(np.count_nonzero(kind)) for kind in kinds)
    return none, few, complete


def count_lines(system: Forest, gold: Forest, parameters: EvalbParameters) -> EvalbLines:
    """Count the lines of one system against those of the gold."""
    (our_lines, our_size), (their_lines, their_size) = _tree_lines(system), _tree_lines(gold)
    size = min(our_size, their_size)
    ours = _leaves(system, our_lines, size, parameters)
    theirs = _leaves(gold, their_lines, size, parameters)
    counted = ~_is_among(gold.names, parameters.delete_for_length)[gold.tag[: theirs.line.size]]
    length = np.bincount(theirs.line[counted], minlength=size)

    # How each line ended: valid are those with the same words.
    our_words, their_words = ours.sizes(size), theirs.sizes(size)
    is_skipped = our_words == 0
    is_odd = (our_words != their_words) & ~is_skipped
    if parameters.quotes and is_odd.any():
        _put_back_quotes(ours, theirs, np.flatnonzero(is_odd), parameters)
        our_words, their_words = ours.sizes(size), theirs.sizes(size)
    is_even = (our_words == their_words) & ~is_skipped
    other_words, right_tags = _compare_words(ours, theirs, is_even, parameters)
    is_valid = is_even & (other_words == 0)
    status = np.where(is_valid, VALID, np.where(is_skipped, SKIP, ERROR))

    labels = tuple(dict.fromkeys(map(evalb_label, (*gold.names, *system.names))))
    mine, yours = (_brackets(side, is_valid, labels, parameters) for side in (ours, theirs))
    unlabelled = paired_rows((mine.first, mine.last), (yours.first, yours.last))
    matched = _matched(mine, yours, labels, parameters) if parameters.is_labelled else unlabelled
    is_crossing = crossing(mine.first, mine.last, yours.first, yours.last)
    # A bracket that matches counts under the gold's label on both sides: equal labels may differ.
    right = yours.line[matched.theirs], yours.label[matched.theirs]
    wrong = mine.line[~matched.ours], mine.label[~matched.ours]
    columns = (
        length, status,
        *(np.bincount(line, minlength=size) for line in (right[0], yours.line, mine.line)),
        np.bincount(mine.line[is_crossing], minlength=size),
        np.where(is_valid, their_words, 0),
        np.where(is_valid, right_tags, 0),
        np.bincount(yours.line[unlabelled.theirs], minlength=size),
    )  # fmt: skip
    both = [np.concatenate(pair) for pair in zip(right, wrong, strict=True)]
    # Lines in which marks were put back are grouped by their words, others by those of the cutoff.
    return EvalbLines(
        np.stack(columns, axis=1).astype(np.int64), labels,
        (right, (both[0], both[1]), (yours.line, yours.label)),
        np.searchsorted(LENGTHS, np.where(is_odd, their_words, length)), our_size - their_size,
        parameters.cutoff,
    )  # fmt: skip


def _tree_lines(forest: Forest) -> tuple[IntArray, int]:
    """The line of each tree, from 0, and how many lines there are, blank ones included.

    Where a tree is spread over lines, each tree is taken for a line.
    """
    breaks = np.flatnonzero(np.frombuffer(forest.data, np.uint8) == ord("\n"))
    line, end = (np.searchsorted(breaks, places) for places in (forest.begins, forest.closes))
    if (line < end).any():
        return np.arange(line.size), line.size
    return line, breaks.size + bool(forest.data and not forest.data.endswith(b"\n"))


def _leaves(forest: Forest, tree_lines: IntArray, size: int, parameters: EvalbParameters) -> Leaves:
    """The leaves of the first lines of a file."""
    line = np.repeat(tree_lines.astype(_INT), np.diff(forest.ends, prepend=0))
    line = line[: np.searchsorted(line, _INT(size))]
    is_kept = ~_is_among(forest.names, parameters.delete)[forest.tag[: line.size]]
    return Leaves(forest, line, is_kept.astype(_INT))


def _is_among(names: tuple[str, ...], some: tuple[str, ...]) -> BoolArray:
    return np.array([name in some for name in names], np.bool_)


@dataclass(slots=True)
class Quote:
    """A quotation mark: its leaf and tag, and how many words of its line are kept before it."""

    leaf: int
    tag: str
    place: int


def _put_back_quotes(
    ours: Leaves, theirs: Leaves, lines: IntArray, parameters: EvalbParameters
) -> None:
    """Keep quotation marks that only one side deletes: `fix_quote` of evalb, step by step.

    A quotation mark may be tagged as such, and deleted, on one side only. Where a line has more
    words on one side, evalb looks for marks at the same place with different tags, and puts back
    those that were deleted. That moves the mark, too, so evalb may put it back twice.
    """
    delete = parameters.delete
    for line in lines.tolist():
        mine, yours = (_quotes(side, line, parameters) for side in (ours, theirs))
        for i, quote in enumerate(mine):
            place = quote.place
            for j, other in enumerate(yours):
                if other.place != place or other.tag == quote.tag:
                    continue
                if other.tag in delete and quote.tag not in delete:
                    _put_back(theirs, yours[j:])
                elif quote.tag in delete and other.tag not in delete:
                    _put_back(ours, mine[i:])


def _quotes(side: Leaves, line: int, parameters: EvalbParameters) -> list[Quote]:
    """The quotation marks of a line that may be tagged wrongly."""
    forest = side.forest
    start, stop = np.searchsorted(side.line, np.array([line, line + 1], _INT)).tolist()
    tags = [forest.names[tag] for tag in forest.tag[start:stop].tolist()]
    places = np.cumsum(side.times[start:stop]) - side.times[start:stop]
    return [
        Quote(leaf, tag, place)
        for leaf, tag, place in zip(range(start, stop), tags, places.tolist(), strict=True)
        if tag in parameters.quotes and forest.word(leaf) in QUOTATION_MARKS
    ]


def _put_back(side: Leaves, quotes: list[Quote]) -> None:
    """Put back the first of some quotation marks, which moves all of them."""
    side.times[quotes[0].leaf] += 1
    for quote in quotes:
        quote.place += 1


def _compare_words(
    ours: Leaves, theirs: Leaves, is_even: BoolArray, parameters: EvalbParameters
) -> tuple[IntArray, IntArray]:
    """How many words of each line differ, and how many tags are equal, in lines that are even."""
    leaves = [side.words(is_even) for side in (ours, theirs)]
    lines = theirs.line[leaves[1]]
    mine, yours = (
        (np.frombuffer(forest.data, np.uint8), forest.starts[words], forest.stops[words])
        for forest, words in zip((ours.forest, theirs.forest), leaves, strict=True)
    )
    other = np.flatnonzero(~same_strings(mine, yours))
    if other.size and parameters.equal_words:
        equal = {*parameters.equal_words}
        pairs = zip(*(words[other].tolist() for words in leaves), strict=True)
        is_equal = [(ours.forest.word(a), theirs.forest.word(b)) in equal for a, b in pairs]
        other = other[~np.array(is_equal, np.bool_)]

    names = dict.fromkeys((*ours.forest.names, *theirs.forest.names))
    shared = {name: code for code, name in enumerate(names)}
    our_tags, their_tags = (  # (words,) as numbers that both sides share
        np.array([shared[name] for name in forest.names], _INT)[forest.tag[words]]
        for forest, words in zip((ours.forest, theirs.forest), leaves, strict=True)
    )
    is_right = our_tags == their_tags
    for a, b in ((shared.get(x), shared.get(y)) for x, y in parameters.equal_labels):
        if a is not None and b is not None:
            is_right |= (our_tags == a) & (their_tags == b)
    size = is_even.size
    return np.bincount(lines[other], minlength=size), np.bincount(lines[is_right], minlength=size)


def _brackets(
    side: Leaves, is_valid: BoolArray, labels: tuple[str, ...], parameters: EvalbParameters
) -> CountedBrackets:
    """The brackets that count: in valid lines, around words, with labels that are not deleted.

    Labels that are equal to one that is deleted are deleted, too.
    """
    forest, delete = side.forest, parameters.delete
    deleted = (*delete, *(a for a, b in parameters.equal_labels if b in delete))
    shared = {name: code for code, name in enumerate(labels)}
    code: IntArray = np.array([shared[evalb_label(name)] for name in forest.names], _INT)
    times = side.times * is_valid[side.line]
    on_axis = np.append(_INT(0), np.cumsum(times, dtype=_INT))  # (leaves + 1,)
    inside = slice(0, int(np.searchsorted(forest.first, _INT(side.line.size))))
    first, last = on_axis[forest.first[inside]], on_axis[forest.last[inside]]
    is_deleted = _is_among(labels, deleted)[code[forest.label[inside]]]
    which = np.flatnonzero((first < last) & ~is_deleted)
    line = side.line[forest.first[which]]
    return CountedBrackets(line, code[forest.label[which]], first[which], last[which])


def _matched(
    ours: CountedBrackets,
    theirs: CountedBrackets,
    labels: tuple[str, ...],
    parameters: EvalbParameters,
) -> Partners:
    """Which brackets match: each of the gold the first of the system that is left and equal."""
    shared = {name: code for code, name in enumerate(labels)}
    equal = [{code} for code in range(len(labels))]  # (labels,) those that count as equal
    for a, b in parameters.equal_labels:
        if a in shared and b in shared:
            equal[shared[a]].add(shared[b])
    if all(equal[other] == codes for codes in equal for other in codes):
        least: IntArray = np.array([min(codes) for codes in equal], _INT)
        return paired_rows(*((side.first, side.last, least[side.label]) for side in (ours, theirs)))
    our_rows, their_rows = (
        enumerate(zip(side.first.tolist(), side.last.tolist(), side.label.tolist(), strict=True))
        for side in (ours, theirs)
    )
    free: dict[tuple[int, int, int], deque[int]] = {}
    for bracket, row in our_rows:
        free.setdefault(row, deque()).append(bracket)
    partners = Partners(*(np.zeros(side.label.size, np.bool_) for side in (ours, theirs)))
    for bracket, (first, last, label) in their_rows:
        left = filter(None, (free.get((first, last, other)) for other in equal[label]))
        brackets = min(left, key=lambda left: left[0], default=None)
        if brackets is not None:
            partners.ours[brackets.popleft()] = partners.theirs[bracket] = True
    return partners


@dataclass(frozen=True, slots=True)
class EvalbCounts(Counts):
    """Lines: all, errors, skipped; and what counts in those of up to as many words as the cutoff.

    The figures of brackets and words are those of valid lines.
    """

    sentences: int
    errors: int
    skipped: int
    short_sentences: int
    short_errors: int
    short_skipped: int
    short_tp: int
    short_system: int
    short_gold: int
    short_crossing: int
    short_without_crossing: int
    short_few_crossing: int
    short_complete: int
    short_words: int
    short_tags: int

    @property
    def short(self) -> Matches:
        """Brackets of short sentences."""
        return Matches.from_totals(self.short_tp, self.short_system, self.short_gold)

    @property
    def valid(self) -> int:
        """Sentences that count."""
        return self.sentences - self.errors - self.skipped

    @property
    def short_valid(self) -> int:
        """Short sentences that count."""
        return self.short_sentences - self.short_errors - self.short_skipped

    @property
    def short_tag_accuracy(self) -> float:
        """Right tags / words of short sentences."""
        return ratio(self.short_tags, self.short_words)

    @property
    def short_complete_share(self) -> float:
        """The share of short sentences with the same brackets."""
        return ratio(self.short_complete, self.short_valid)


@dataclass(frozen=True, slots=True)
class Evalb(Measure):
    """Sentences that evalb scores, finds wrong or skips, and its figures for short ones."""

    name: ClassVar[str] = "evalb"
    kind: ClassVar[str] = "lines"
    counts: ClassVar[type[Counts]] = EvalbCounts
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("evalb_sentences", "sentences", "Lines of both files.", None, ("alignment",),
              take="sentences", group="evalb", short="sentences", is_count=True),
        Score("evalb_errors", "errors", "Lines whose words differ, which do not count.", None,
              ("alignment",), take="errors", group="evalb", short="errors", is_count=True),
        Score("evalb_skipped", "skipped", "Lines without a parse, which do not count.", None,
              ("alignment",), take="skipped", group="evalb", short="skipped", is_count=True),
        Score("evalb_valid", "valid", "Lines that count.", None, ("alignment",), take="valid",
              group="evalb", short="valid", is_count=True),
        Score("evalb_short_sentences", "short", "Valid lines of up to CUTOFF_LEN words.", None,
              ("alignment",), take="short_valid", group="evalb.short", short="valid",
              is_count=True),
        Score("evalb_short_precision", "short P", "Precision of brackets in short lines.",
              views=("alignment",), take="short.precision", group="evalb.short",
              short="precision"),
        Score("evalb_short_recall", "short R", "Recall of brackets in short lines.",
              views=("alignment",), take="short.recall", group="evalb.short", short="recall"),
        Score("evalb_short_f1", "short F1", "F1 of brackets in short lines.",
              views=("alignment",), take="short.f1", group="evalb.short", short="f1"),
        Score("evalb_short_complete", "short complete", "Short lines with the same brackets / "
              "valid short lines.", take="short_complete_share", group="evalb.short",
              short="complete"),
        Score("evalb_short_tag_accuracy", "short tag accuracy", "Right tags / words of short "
              "lines.", take="short_tag_accuracy", group="evalb.short", short="tag_accuracy"),
    )  # fmt: skip

    parameters: EvalbParameters = field(default_factory=EvalbParameters)

    def count(self, system: Forest, gold: Forest) -> EvalbCounts:
        """Count the lines of one system against those of the gold."""
        return count_lines(system, gold, self.parameters).counts()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalbFigures:
    """What evalb prints of each line of a document, by system, kept beside the rows."""

    document: str
    lines: dict[str, tuple[Figures, ...]]
    kind: Literal["evalb_lines"] = "evalb_lines"
