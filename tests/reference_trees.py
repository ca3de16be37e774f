"""A slow, obvious twin of what trees are scored with, written from the specification alone.

A tree is a list of its label and its children; a leaf is a pair of a tag and a word.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import reference_text
from reference_text import ASCII_BLANKS

ROOTS = {"TOP", "ROOT", "S1", ""}
EMPTY = "-NONE-"
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
INNER = {r"\/": "/", r"\*": "*"}


@dataclass
class Side:
    """Words, tags and brackets of all trees; offsets are in characters."""

    words: list[list[str]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    brackets: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Label, start, end and the number of the tree."""
    length: int = 0

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
    kept = map(without_leafless if keep_empty else pruned, read(text))
    for tree in filter(None, kept):
        result.words.append([])
        for inner in without_roots(tree):
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


def score(system, gold, runs=None):
    """Everything that is counted; `runs` are the equal runs, unless all characters are equal."""
    if runs is None:
        assert system.stream == gold.stream
        runs = [(0, 0, len(gold.stream))]
    points = Points(runs, (len(system.stream), len(gold.stream)))
    ours, theirs = (placed(*each) for each in zip((system, gold), points.both, strict=True))
    crossed = crossings(system, gold, points.ranks)
    pairs = one_to_one(system, gold, runs)
    by_sentence = [sum(crossed[at] for at in range(len(crossed)) if tree_of(system, at) == i)
                   for i, _ in pairs]  # fmt: skip
    return {
        "brackets": matched(ours, theirs),
        "unlabelled": matched(*([key and key[1:] for key in side] for side in (ours, theirs))),
        "by_label": {label: matched(*(labelled(each, keys, label) for each, keys in
                                      ((system, ours), (gold, theirs))))
                     for label in sorted({b[0] for each in (system, gold) for b in each.brackets})},
        "tags": matched(*(tokens(*each) for each in zip((system, gold), points.both, strict=True))),
        "tokens": totals(reference_text.right_tokens(system.words, gold.words, runs),
                         len(system.flat), len(gold.flat)),
        "sentences": totals(len(pairs), len(system.words), len(gold.words)),
        "crossing": sum(crossed),
        "crossing_within": sum(by_sentence),
        "none": sum(number == 0 for number in by_sentence),
        "two_or_less": sum(number <= 2 for number in by_sentence),
        "complete": sum(is_complete(system, gold, ours, theirs, *pair) for pair in pairs),
    }  # fmt: skip


def tree_of(side, bracket):
    return side.brackets[bracket][3]


def placed(side, points):
    """For each bracket its label and points; None where an edge is not shared."""
    return [
        (label, points[start], points[end]) if start in points and end in points else None
        for label, start, end, _ in side.brackets
    ]


def labelled(side, keys, label):
    pairs = zip(side.brackets, keys, strict=True)
    return [key for bracket, key in pairs if bracket[0] == label]


def matched(ours, theirs):
    """The intersection of two multisets, of which None is in neither."""
    mine, yours = (Counter(key for key in keys if key) for keys in (ours, theirs))
    return totals((mine & yours).total(), len(ours), len(theirs))


def totals(right, system, gold):
    return right, system - right, gold - right


def tokens(side, points):
    """For each token its tag and points; None where an edge is not shared."""
    spans = reference_text.spans(side.flat)
    return [
        (tag, points[start], points[end]) if start in points and end in points else None
        for tag, (start, end) in zip(side.tags, spans, strict=True)
    ]


def crossings(system, gold, ranks):
    """For each bracket of the system whether it crosses any of the gold."""
    mine, yours = ranks
    theirs = [(yours[start], yours[end]) for _, start, end, _ in gold.brackets]
    return [
        any(crosses((mine[start], mine[end]), other) for other in theirs)
        for _, start, end, _ in system.brackets
    ]


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


def is_complete(system, gold, ours, theirs, i, j):
    """Whether a sentence has the same brackets on both sides."""
    mine, yours = (
        [key for at, key in enumerate(keys) if tree_of(each, at) == number]
        for each, keys, number in ((system, ours, i), (gold, theirs, j))
    )
    return None not in mine and Counter(mine) == Counter(yours)
