"""Files as evalb has them, line by line: what it keeps of each side, and which brackets match."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caesura.core.byte_cells import Strings, same_strings
from caesura.core.segmentation import BoolArray, IntArray
from caesura.matching.brackets import Nest, Partners, combined, paired_rows
from caesura.measures.breakdown import BreakdownCounts
from caesura.tasks.trees.data import Forest
from caesura.tasks.trees.evalb_counts import ERROR, SKIP, VALID, LineCounts
from caesura.tasks.trees.measures import LENGTH_NAMES, breakdown, length_groups
from caesura.tasks.trees.misquotes import Quote, QuotedLine, TreeLine, is_quote, with_quotes
from caesura.tasks.trees.parameters import EvalbParameters, evalb_label

_INT: Any = np.int32


@dataclass(frozen=True)
class EvalbSide:
    """A side as evalb has it: leaves that it keeps and brackets, each with its line.

    Files have a million leaves, so that they stay arrays; evalb itself is what proves the counts,
    in tests/tasks/trees/test_evalb.py.
    """

    forest: Forest
    labels: tuple[str, ...]
    every_line: IntArray  # (all leaves,) the line of each
    leaves: IntArray  # (leaves that are kept,) their numbers among all, ascending
    leaf_line: IntArray  # (leaves that are kept,)
    brackets: IntArray  # (brackets,) their numbers in the forest, in the order in which they open
    label: IntArray  # (brackets,) numbers in `labels`
    first: IntArray  # (brackets,) how many kept leaves precede each
    last: IntArray  # (brackets,) how many there are up to its end
    line: IntArray  # (brackets,)
    is_deleted: BoolArray  # (brackets,) those that do not count by their label
    words: IntArray  # (lines,) how many words each has
    length: IntArray  # (lines,) how many count for the cutoff

    @classmethod
    def from_forest(cls, forest: Forest, parameters: EvalbParameters, lines: int) -> EvalbSide:
        """The first lines of a file, without what evalb deletes."""
        tags, spans, names = forest.leaves.tag, forest.brackets, forest.names
        line = np.repeat(forest.lines()[0].astype(_INT), np.diff(forest.ends, prepend=0))
        is_kept = ~_among(names, parameters.delete)[tags] & (line < lines)
        counted = line[~_among(names, parameters.delete_for_length)[tags] & (line < lines)]
        number = np.append(_INT(0), np.cumsum(is_kept, dtype=_INT))
        brackets = np.flatnonzero(spans.first < spans.last)
        brackets = brackets[line[spans.first[brackets]] < lines]
        labels = tuple(dict.fromkeys(map(evalb_label, names)))
        code = {label: at for at, label in enumerate(labels)}
        label: IntArray = np.array([code[evalb_label(name)] for name in names], _INT)
        label = label[spans.label[brackets]]
        return cls(
            forest,
            labels,
            line,
            np.flatnonzero(is_kept).astype(_INT),
            line[is_kept],
            brackets.astype(_INT),
            label,
            number[spans.first[brackets]],
            number[spans.last[brackets]],
            line[spans.first[brackets]],
            np.array([parameters.deletes(each) for each in labels], np.bool_)[label],
            np.bincount(line[is_kept], minlength=lines),
            np.bincount(counted, minlength=lines),
        )

    @property
    def is_counted(self) -> BoolArray:
        """Which brackets count: not deleted, and with leaves that are not."""
        counted: BoolArray = ~self.is_deleted & (self.first < self.last)
        return counted

    def strings(self, which: IntArray) -> Strings:
        """The words of some leaves that are kept."""
        leaves = self.forest.leaves.some(self.leaves[which])
        return np.frombuffer(self.forest.data, np.uint8), leaves.starts, leaves.stops

    def tree_line(self, number: int, parameters: EvalbParameters) -> TreeLine:
        """One line as objects, for what is seldom: quotation marks that are tagged differently."""
        forest, spans = self.forest, self.forest.brackets
        start, stop = np.searchsorted(self.leaf_line, (number, number + 1)).tolist()
        low, high = np.searchsorted(self.line, (number, number + 1)).tolist()
        leaves, own = self.leaves[start:stop].tolist(), slice(low, high)
        raw = spans.some(self.brackets[own])
        every = range(*np.searchsorted(self.every_line, (number, number + 1)).tolist())
        return TreeLine(
            [forest.tag(leaf) for leaf in leaves],
            [forest.word(leaf) for leaf in leaves],
            [self.labels[label] for label in self.label[own].tolist()],
            (self.first[own] - start).tolist(),
            (self.last[own] - start).tolist(),
            [
                Quote(
                    forest.tag(leaf),
                    forest.word(leaf),
                    bisect_left(leaves, leaf),
                    np.flatnonzero((raw.first <= leaf) & (leaf < raw.last)).tolist(),
                    int(np.count_nonzero(raw.first <= leaf)),
                )
                for leaf in every
                if is_quote(forest.tag(leaf), forest.word(leaf), parameters)
            ],
        )


def _among(names: tuple[str, ...], some: tuple[str, ...]) -> BoolArray:
    return np.array([name in some for name in names], np.bool_)


@dataclass(frozen=True)
class EvalbPair:
    """Two sides, line by line."""

    system: EvalbSide
    gold: EvalbSide
    parameters: EvalbParameters

    @classmethod
    def from_forests(cls, system: Forest, gold: Forest, parameters: EvalbParameters) -> EvalbPair:
        """Take as many lines as both have."""
        lines = min(system.lines()[1], gold.lines()[1])
        ours, theirs = (EvalbSide.from_forest(each, parameters, lines) for each in (system, gold))
        return cls(ours, theirs, parameters)

    @property
    def lines(self) -> int:
        """How many lines both have."""
        return self.gold.words.size

    @cached_property
    def counts(self) -> LineCounts:
        """What is counted in each line."""
        ours, theirs = self.system, self.gold
        tp, gold, system = (np.bincount(line, minlength=self.lines) for line, _ in self._labelled)
        found = LineCounts(
            self.status,
            theirs.length,
            tp,
            gold,
            system,
            np.bincount(ours.line[self._is_crossing], minlength=self.lines),
            np.where(self.status == VALID, theirs.words, 0),
            self._tags,
            np.bincount(theirs.line[self._pairing(is_labelled=False).theirs], minlength=self.lines),
        )
        for number, each in self._misquoted.items():
            columns = (found.tp, found.gold, found.system, found.crossing, found.words, found.tags)
            for column, value in zip((*columns, found.unlabelled), each.figures, strict=True):
                column[number] = value
        return found

    @cached_property
    def status(self) -> IntArray:
        """How each line ended."""
        ours, theirs = self.system.words, self.gold.words
        status = np.where(ours == theirs, VALID, ERROR)
        status[self._where_words_differ] = ERROR
        status[ours == 0] = SKIP
        status[list(self._misquoted)] = VALID
        return status

    @cached_property
    def _is_even(self) -> BoolArray:
        """Which lines have as many words on both sides, and some."""
        even: BoolArray = (self.system.words == self.gold.words) & (self.system.words > 0)
        return even

    @cached_property
    def _is_plain(self) -> BoolArray:
        """Which lines count as they are, without quotation marks put back."""
        plain = self._is_even.copy()
        plain[self._where_words_differ] = False
        return plain

    @cached_property
    def _where_words_differ(self) -> IntArray:
        """The lines of as many words in which some are not equal."""
        mine, yours = (
            np.flatnonzero(self._is_even[each.leaf_line]) for each in (self.system, self.gold)
        )
        other = np.flatnonzero(~same_strings(self.system.strings(mine), self.gold.strings(yours)))
        if other.size and self.parameters.equal_words:
            pairs = zip(mine[other].tolist(), yours[other].tolist(), strict=True)
            same = [self._same_words(*pair) for pair in pairs]
            other = other[~np.array(same, np.bool_)]
        return np.unique(self.gold.leaf_line[yours[other]])

    def _same_words(self, mine: int, yours: int) -> bool:
        one = self.system.forest.word(int(self.system.leaves[mine]))
        other = self.gold.forest.word(int(self.gold.leaves[yours]))
        return self.parameters.same_words(one, other)

    @cached_property
    def _misquoted(self) -> dict[int, QuotedLine]:
        """Lines of which one side has more words, with quotation marks put back as evalb does."""
        if not self.parameters.quotes:
            return {}
        odd = np.flatnonzero((self.system.words != self.gold.words) & (self.system.words > 0))
        found: dict[int, QuotedLine] = {}
        for at in odd.tolist():
            ours, theirs = (s.tree_line(at, self.parameters) for s in (self.system, self.gold))
            line = with_quotes(ours, theirs, self.parameters)
            found |= {} if line is None else {at: line}
        return found

    @cached_property
    def _tags(self) -> IntArray:
        """How many words of each line have equal tags."""
        sides = self.system, self.gold
        mine, yours = (np.flatnonzero(self._is_plain[each.leaf_line]) for each in sides)
        known = {
            name: at for at, name in enumerate({*sides[0].forest.names, *sides[1].forest.names})
        }
        # (leaves of lines that count,) the tags of both sides, as numbers that both share
        one, other = (
            np.array([known[name] for name in side.forest.names], np.int64)[
                side.forest.leaves.tag[side.leaves[which]]
            ]
            for side, which in zip(sides, (mine, yours), strict=True)
        )
        right = one == other
        for pair in self.parameters.equal_labels:
            a, b = (known.get(name, -1) for name in pair)
            if a >= 0 and b >= 0:
                right |= ((one == a) & (other == b)) | ((one == b) & (other == a))
        return np.bincount(self.gold.leaf_line[yours[right]], minlength=self.lines)

    @cached_property
    def _kept(self) -> tuple[IntArray, IntArray]:
        """The brackets that count, of lines that do."""
        ours, theirs = (
            np.flatnonzero(side.is_counted & self._is_plain[side.line])
            for side in (self.system, self.gold)
        )
        return ours, theirs

    @cached_property
    def _spans(self) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
        """Their edges, on one axis of the words of these lines."""
        ours, theirs = (
            _on_axis(side, which, self._is_plain)
            for side, which in zip((self.system, self.gold), self._kept, strict=True)
        )
        return ours, theirs

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of both sides."""
        return tuple(dict.fromkeys((*self.gold.labels, *self.system.labels)))

    def _label(self, side: EvalbSide, which: IntArray) -> IntArray:
        """Numbers of labels that both sides share."""
        code = {label: at for at, label in enumerate(self.labels)}
        found: IntArray = np.array([code[label] for label in side.labels], _INT)[side.label[which]]
        return found

    def _pairing(self, *, is_labelled: bool) -> Partners:
        """Which brackets of either side match."""
        mine, yours = self._kept
        spans, others = self._spans
        classes = self.parameters.label_classes(self.labels)
        if not is_labelled:
            found = paired_rows(spans, others)
        else:
            label, other = self._label(self.system, mine), self._label(self.gold, yours)
            if classes is None:
                found = self._greedy((*spans, label), (*others, other))
            else:
                code = {name: at for at, name in enumerate(self.labels)}
                number: IntArray = np.array([code[classes[name]] for name in self.labels], _INT)
                found = paired_rows((*spans, number[label]), (*others, number[other]))
        ours, theirs = (np.zeros(side.line.size, np.bool_) for side in (self.system, self.gold))
        ours[mine], theirs[yours] = found.ours, found.theirs
        return Partners(ours, theirs)

    def _greedy(self, ours: Sequence[IntArray], theirs: Sequence[IntArray]) -> Partners:
        """Match each gold bracket with the first of the system that is left and equal."""
        *spans, label = (np.concatenate(pair) for pair in zip(ours, theirs, strict=True))
        size, keys, of_label = ours[0].size, combined(*spans).tolist(), label.tolist()
        free: dict[tuple[int, int], deque[int]] = {}
        for at in range(size):
            free.setdefault((keys[at], of_label[at]), deque()).append(at)
        equal = self._equal_labels()
        matched = np.zeros(len(keys), np.bool_)
        for at in range(size, len(keys)):
            left = (free.get((keys[at], each)) for each in equal[of_label[at]])
            first = min(filter(None, left), key=lambda each: each[0], default=None)
            if first is not None:
                matched[[at, first.popleft()]] = True
        return Partners(matched[:size], matched[size:])

    def _equal_labels(self) -> list[set[int]]:
        """For each label those that count as equal."""
        code = {label: at for at, label in enumerate(self.labels)}
        found = [{at} for at in range(len(code))]
        for one, other in self.parameters.equal_labels:
            if one in code and other in code:
                found[code[one]].add(code[other])
                found[code[other]].add(code[one])
        return found

    @cached_property
    def _is_crossing(self) -> BoolArray:
        """Which of the system's brackets cross one of the gold's."""
        crossing = np.zeros(self.system.line.size, np.bool_)
        (first, last), (begin, end) = self._spans
        if begin.size and first.size:
            words = int(self.gold.words[self._is_plain].sum())
            nest = Nest.from_spans(begin, end, np.arange(words + 1, dtype=_INT))
            crossing[self._kept[0]] = nest.crossed_by(first, last)
        return crossing

    @cached_property
    def _labelled(self) -> list[tuple[IntArray, IntArray]]:
        """The lines and labels of the brackets that match, of the gold's and of the system's.

        A bracket that matches counts under the label of the gold on both sides, since labels may
        be equal without being the same.
        """
        mine, yours = self._kept
        matched = self._pairing(is_labelled=self.parameters.is_labelled)
        right, wrong = np.flatnonzero(matched.theirs), mine[~matched.ours[mine]]
        sides = (self.gold, right), (self.gold, yours), (self.system, wrong)
        tp, gold, fp = ((side.line[which], self._label(side, which)) for side, which in sides)
        return [tp, gold, (np.concatenate((tp[0], fp[0])), np.concatenate((tp[1], fp[1])))]

    def breakdown(self, start: int = 0, stop: int | None = None) -> BreakdownCounts:
        """The brackets of some lines by label, and by length of the line."""
        stop = self.lines if stop is None else stop
        own = [(line >= start) & (line < stop) for line, _ in self._labelled]
        each = [(line[w], label[w]) for (line, label), w in zip(self._labelled, own, strict=True)]
        right, gold, system = (
            (np.bincount(label, minlength=len(self.labels)), self._by_length(line))
            for line, label in each
        )
        found = BreakdownCounts(
            (
                *breakdown("label", self.labels, right[0], system[0], gold[0]),
                *breakdown("length", LENGTH_NAMES, right[1], system[1], gold[1]),
            )
        )
        lines = (line for at, line in self._misquoted.items() if start <= at < stop)
        return sum((line.breakdown for line in lines), BreakdownCounts.zero() + found)

    def _by_length(self, lines: IntArray) -> IntArray:
        groups = length_groups(self.gold.length[lines])
        return np.bincount(groups, minlength=len(LENGTH_NAMES))


def _on_axis(side: EvalbSide, which: IntArray, is_line: BoolArray) -> tuple[IntArray, IntArray]:
    """The edges of brackets, in leaves of some lines only."""
    number = np.append(_INT(0), np.cumsum(is_line[side.leaf_line], dtype=_INT))
    return number[side.first[which]], number[side.last[which]]
