"""A slow, obvious twin of what trees are scored with, written from the specification alone.

A tree is a list of its label and its children; a leaf is a pair of a tag and a word.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from support import reference_text
from support.reference_text import ASCII_BLANKS

ROOTS = {"TOP", "ROOT", "S1", ""}
EMPTY = "-NONE-"
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
LENGTHS = {"1–10": 10, "11–20": 20, "21–30": 30, "31–40": 40}
LONGER, OTHERS = "over 40", "not 1:1"
INNER = {r"\/": "/", r"\*": "*"}


@dataclass
class Side:
    """Words, tags and brackets of all trees; offsets are in characters."""

    words: list[list[str]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    brackets: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Label, start, end and the number of the tree."""
    length: int = 0
    empty: list[int] = field(default_factory=list)
    """Where the trees without any word stand."""

    @property
    def flat(self):
        return reference_text.flat(self.words)

    @property
    def stream(self):
        return "".join(self.flat)


def read(text):
    """The trees of a bracketed text, whatever its lines are."""
    trees, stack = [], []
    for sign in re.findall(rf"[()]|[^(){ASCII_BLANKS}\n\r]+", text.removeprefix("\ufeff")):
        if sign == "(":
            stack.append([])
        elif sign == ")":
            done = closed(stack.pop())
            (stack[-1] if stack else trees).append(done)
        else:
            stack[-1].append(sign)
    assert not stack
    return trees


def closed(parts):
    """A leaf of two words, or a tree, which may lack its label."""
    if len(parts) == 2 and all(isinstance(part, str) for part in parts):
        return tuple(parts)
    return parts if parts and isinstance(parts[0], str) else ["", *parts]


def pruned(tree):
    """The tree without empty elements, None if nothing is left."""
    if isinstance(tree, tuple):
        return None if tree[0] == EMPTY else tree
    children = [kept for child in tree[1:] if (kept := pruned(child))]
    return [tree[0], *children] if children else None


def cut(label):
    """NP of NP-SBJ and NP=2; the first character stays."""
    return label[:1] + re.split("[-=]", label[1:])[0]


def normalized(word):
    """The characters that are compared: no escapes, no white space, no case."""
    word = ESCAPES.get(word.upper(), word)
    for escape, sign in INNER.items():
        word = word.replace(escape, sign)
    return "".join(map(folded, "".join(word.split())))


def folded(character):
    """Without case, unless it would become several characters."""
    lower = character.casefold()
    return lower if len(lower) == 1 else character


def side(text, *, labels="cut", keep_empty=False):
    """Read one side."""
    result = Side()
    for tree in read(text):
        kept = (without_leafless if keep_empty else pruned)(tree)
        if without_leafless(tree) is None:
            result.empty.append(result.length)
        if kept is None:
            continue
        result.words.append([])
        for inner in without_roots(kept):
            add(result, inner, labels)
    return result


def without_leafless(tree):
    """The tree without brackets that have no leaves."""
    if isinstance(tree, tuple):
        return tree
    children = [kept for child in tree[1:] if (kept := without_leafless(child))]
    return [tree[0], *children] if children else None


def without_roots(tree):
    """What lies inside the outermost bracket, and those right inside it, where these are roots."""
    if not is_root(tree):
        return [tree]
    return [part for child in tree[1:] for part in (child[1:] if is_root(child) else [child])]


def is_root(tree):
    return isinstance(tree, list) and tree[0] in ROOTS


def add(result, tree, labels):
    """Put a tree's tokens and brackets at the end of a side."""
    if isinstance(tree, tuple):
        tag, word = tree
        result.tags.append(tag)
        result.words[-1].append(normalized(word))
        result.length += len(result.words[-1][-1])
        return
    start = result.length
    for child in tree[1:]:
        add(result, child, labels)
    label = cut(tree[0]) if labels == "cut" else tree[0]
    result.brackets.append((label, start, result.length, len(result.words) - 1))


class Points:
    """The points of both sides: the number of each, and in which order they surely are."""

    def __init__(self, runs, sizes):
        pairs = sorted(reference_text.points(runs) | {(0, 0), sizes})
        self.system, self.gold = {}, {}
        number = 0
        for last, (a, b) in pairwise([(-1, -1), *pairs]):
            number += last[0] != a and last[1] != b
            self.system[a] = self.gold[b] = number
        self.ranks = [ranks(own, size) for own, size in zip(self.both, sizes, strict=True)]

    @property
    def both(self):
        return self.system, self.gold


def ranks(points, size):
    """A number for each offset: even at a point, odd between two; in an insertion, the point's."""
    result = []
    for offset in range(size + 1):
        last, following = (
            next(points[at] for at in way if at in points)
            for way in (range(offset, -1, -1), range(offset, size + 1))
        )
        result.append(last + following)
    return result


@dataclass
class Placed:
    """A bracket on the axis: the points of its edges, None where one is not shared, their ranks."""

    label: str
    points: tuple[int, int] | None
    ranks: tuple[int, int]
    tree: int


def score(system, gold, runs=None, algorithm="blocks"):
    """Everything that is counted; `runs` are the equal runs, unless all characters are equal."""
    if runs is None:
        assert system.stream == gold.stream
        runs = [(0, 0, len(gold.stream))]
    points = Points(runs, (len(system.stream), len(gold.stream)))
    if algorithm == "jp":
        ours, theirs = in_blocks(system, gold, runs, points.ranks)
    else:
        ours, theirs = [
            at_points(*each) for each in zip((system, gold), points.both, points.ranks, strict=True)
        ]
    pairs = one_to_one(system, gold, runs)
    crossed = [is_crossing(bracket, theirs) for bracket in ours]
    inside = [
        sum(is_one for is_one, bracket in zip(crossed, ours, strict=True) if bracket.tree == i)
        for i, _ in pairs
    ]
    both_empty = empty_on_both(system, gold, runs)
    is_set = algorithm == "jp"
    return {
        "brackets": matched(*map(labelled, (ours, theirs)), is_set=is_set),
        "unlabelled": matched(*([b.points for b in side] for side in (ours, theirs)),
                              is_set=is_set),
        "by_label": {
            label: matched(*([key for key, b in zip(labelled(side), side, strict=True)
                              if b.label == label] for side in (ours, theirs)), is_set=is_set)
            for label in {bracket.label for bracket in (*ours, *theirs)}
        },
        "by_length": by_length(gold, ours, theirs, pairs, is_set=is_set),
        "tags": matched(*(tokens(*each) for each in zip((system, gold), points.both, strict=True))),
        "tokens": totals(reference_text.right_tokens(system.words, gold.words, runs),
                         len(system.flat), len(gold.flat)),
        "sentences": totals(len(pairs) + both_empty, *(len(side.words) + len(side.empty)
                                                       for side in (system, gold))),
        "crossing": sum(crossed),
        "crossing_within": sum(inside),
        "one_to_one": len(pairs) + both_empty,
        "none": sum(number == 0 for number in inside) + both_empty,
        "two_or_less": sum(number <= 2 for number in inside) + both_empty,
        "complete": sum(is_complete(ours, theirs, *pair, is_set=is_set) for pair in pairs)
        + both_empty,
    }  # fmt: skip


def at_points(side, points, ranks):
    """The brackets of a side at points."""
    return [
        Placed(
            label,
            (points[start], points[end]) if start in points and end in points else None,
            (ranks[start], ranks[end]),
            tree,
        )
        for label, start, end, tree in side.brackets
    ]


def in_blocks(system, gold, runs, ranks):
    """The brackets of both sides with edges at edges of blocks of tokens; only the ranks stay."""
    sync = zip(*joined(system, gold, runs), strict=True)
    sides = zip((system, gold), sync, ranks, strict=True)
    return [[moved(bracket, *more) for bracket in side.brackets] for side, *more in sides]


def joined(system, gold, runs):
    """The edges of blocks of tokens, where tokens that one side lacks join those after them."""
    whole = (reference_text.joined(side.words) for side in (system, gold))
    walls = set(reference_text.sync_points(*whole, runs))
    edges = []
    for edge in reference_text.sync_points(system.flat, gold.flat, runs):
        while edges and edges[-1] not in walls and lacks(edges[-1], edges[-2]):
            del edges[-1]
        if edge in walls and edges and lacks(edge, edges[-1]) and edges[-1] not in walls:
            del edges[-1]
        edges.append(edge)
    return edges


def lacks(edge, before):
    return edge[0] == before[0] or edge[1] == before[1]


def moved(bracket, sync, ranks):
    label, start, end, tree = bracket
    low = max(at for at, place in enumerate(sync) if place <= start)
    high = min(at for at, place in enumerate(sync) if place >= end)
    return Placed(label, (low, high), (ranks[start], ranks[end]), tree)


def labelled(side):
    """For each bracket its label and points; None where an edge is not shared."""
    return [bracket.points and (bracket.label, *bracket.points) for bracket in side]


def matched(ours, theirs, *, is_set=False):
    """The intersection of two multisets, or sets, of which None is in neither."""
    mine, yours = (counted(keys, is_set=is_set) for keys in (ours, theirs))
    return totals((mine & yours).total(), len(ours), len(theirs))


def counted(keys, *, is_set):
    shared = [key for key in keys if key]
    return Counter(set(shared) if is_set else shared)


def totals(right, system, gold):
    return right, system - right, gold - right


def by_length(gold, ours, theirs, pairs, *, is_set):
    """Brackets by the number of tokens of the gold sentence, where it is 1:1."""
    groups = {j: length_group(len(gold.words[j])) for _, j in pairs}
    mine = {i: groups[j] for i, j in pairs}
    result = {}
    for group in (*LENGTHS, LONGER, OTHERS):
        sides = [
            [b for b in side if own.get(b.tree, OTHERS) == group]
            for side, own in ((ours, mine), (theirs, groups))
        ]
        if any(sides):
            result[group] = matched(*map(labelled, sides), is_set=is_set)
    return result


def length_group(number):
    return next((name for name, most in LENGTHS.items() if number <= most), LONGER)


def tokens(side, points):
    """For each token its tag and points; None where an edge is not shared."""
    spans = reference_text.spans(side.flat)
    return [
        (tag, points[start], points[end]) if start in points and end in points else None
        for tag, (start, end) in zip(side.tags, spans, strict=True)
    ]


def is_crossing(bracket, others):
    """Whether a bracket of the system crosses any of the gold."""
    return any(crosses(bracket.ranks, other.ranks) for other in others)


def crosses(one, other):
    (a, b), (c, d) = one, other
    return a < c < b < d or c < a < d < b


def one_to_one(system, gold, runs):
    """The numbers of sentences that are alone in their block, of the system and of the gold."""
    ours, theirs = (reference_text.joined(each.words) for each in (system, gold))
    edges = [reference_text.edges(each) for each in (ours, theirs)]
    found = []
    for (a, b), (to_a, to_b) in pairwise(reference_text.sync_points(ours, theirs, runs)):
        block = [
            [at for at, (start, end) in enumerate(pairwise(own)) if low <= start and end <= high]
            for own, low, high in ((edges[0], a, to_a), (edges[1], b, to_b))
        ]
        if len(block[0]) == len(block[1]) == 1:
            found.append((block[0][0], block[1][0]))
    return found


def empty_on_both(system, gold, runs):
    """The most pairs, in order, of trees without words that stand where both end a sentence."""
    texts = (reference_text.joined(each.words) for each in (system, gold))
    shared = set(reference_text.sync_points(*texts, runs))
    most = [[0] * (len(gold.empty) + 1) for _ in range(len(system.empty) + 1)]
    for i, here in enumerate(system.empty):
        for j, there in enumerate(gold.empty):
            pair = most[i][j] + ((here, there) in shared)
            most[i + 1][j + 1] = max(most[i][j + 1], most[i + 1][j], pair)
    return most[-1][-1]


def is_complete(ours, theirs, i, j, *, is_set):
    """Whether a sentence has the same brackets on both sides."""
    mine, yours = (
        labelled([b for b in side if b.tree == number]) for side, number in ((ours, i), (theirs, j))
    )
    _, *wrong = matched(mine, yours, is_set=is_set)
    return wrong == [0, 0] and None not in (*mine, *yours)
