"""Random trees for hypothesis: one side, and another of the same text that differs from it.

A tree is a list of its label and its children, a leaf a pair of a tag and a word, as the twin has
them. What is drawn is a seed, a size and a few kinds of changes, so that hypothesis can make a
failure small.
"""

import random

from hypothesis import strategies as st

from support.random_texts import cut
from support.reference_trees import without_roots

ALPHABETS = [
    "a",
    "ab",
    "abcdeé日😀",
    "aAbBßİσΣς",
    "e\u0301a\u0308שָׁלו",
    "ab\u00a0\u3000c",
    '12,./*"-=',
]
LABELS = ["S", "NP", "VP", "PP", "X"]
FUNCTIONS = ["NP-SBJ", "NP-SBJ-1", "NP=2", "VP|X", "S-", "-X-Y", "=X", "--"]
TAGS = ["NN", "VB", "DT", ".", "NN-X"]
ROOTS = ["TOP", "ROOT", "S1", ""]
ESCAPED = ["-LRB-", "-RRB-", "-LSB-", "-RCB-", "``", "''", '"', r"1\/2", "1/2", r"\*", "*"]


def leaves(tree):
    """The leaves that count in order, each as the list that holds it and its place there."""
    found, stack = [], [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += [(node, at) for at in range(len(node) - 1, 0, -1)]
            continue
        parent, at = node
        if isinstance(parent[at], list):
            stack.append(parent[at])
        elif parent[at][0] != "-NONE-":
            found.append((parent, at))
    return found


def any_leaf(chance, trees):
    return chance.choice([leaf for tree in trees for leaf in leaves(tree)])


def any_node(chance, trees):
    tree = chance.choice([tree for tree in trees if len(tree) > 1])
    return chance.choice([node for node in nodes(tree) if len(node) > 1])


def nodes(tree):
    """All brackets, the outermost first."""
    found, stack = [], [tree]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += [child for child in reversed(node[1:]) if isinstance(child, list)]
    return found


def grown(chance, tokens):
    """A random tree over the tokens, without a root."""
    items = [(chance.choice(TAGS), token) for token in tokens]
    while len(items) > 1 or isinstance(items[0], tuple):
        size = min(chance.choice([1, 1, 2, 2, 3, 4]), len(items))
        start = chance.randrange(len(items) - size + 1)
        items[start : start + size] = [[chance.choice(LABELS), *items[start : start + size]]]
        if len(items) == 1 and chance.random() < 0.5:
            break
    return items[0] if isinstance(items[0], list) else [chance.choice(LABELS), items[0]]


def rooted(chance, tree):
    """Often with a root, now and then with two, or without."""
    for _ in range(chance.choice([0, 1, 1, 1, 1, 2])):
        tree = [chance.choice(ROOTS), tree]
    return tree


def forest(chance, size):
    """Trees over a random text of about this many characters."""
    letters = chance.choice(ALPHABETS)
    stream = "".join(chance.choices(letters, k=size))
    marks = [chance.choice([0, 0, 1, 1, 1, 2]) for _ in stream]
    words = [[word for word in sentence if word.strip()] for sentence in cut(stream, marks)]
    return [rooted(chance, grown(chance, tokens)) for tokens in words if tokens]


def copied(tree):
    return tree if isinstance(tree, tuple) else [tree[0], *map(copied, tree[1:])]


def split_token(chance, trees):
    parent, at = any_leaf(chance, trees)
    tag, word = parent[at]
    if len(word) > 1:
        place = chance.randrange(1, len(word))
        if word[:place].strip() and word[place:].strip():
            parent[at : at + 1] = [(tag, word[:place]), (chance.choice(TAGS), word[place:])]


def join_tokens(chance, trees):
    """Give a word to the one before it; a bracket left empty goes."""
    tree = chance.choice(trees)
    found = leaves(tree)
    if len(found) < 2:
        return
    at = chance.randrange(len(found) - 1)
    (parent, place), (other, where) = found[at], found[at + 1]
    tag, word = parent[place]
    parent[place] = tag, word + other[where][1]
    del other[where]
    drop_empty(tree)


def drop_empty(tree):
    for node in reversed(nodes(tree)):
        node[1:] = [child for child in node[1:] if isinstance(child, tuple) or len(child) > 1]


def join_sentences(chance, trees):
    if len(trees) > 1:
        at = chance.randrange(len(trees) - 1)
        first, second = trees[at : at + 2]
        trees[at : at + 2] = [joined(first, second)]


def joined(*trees):
    """One tree of several, with all their brackets that count; two roots are none."""
    return ["TOP", ["TOP", *(part for tree in trees for part in without_roots(tree))]]


def split_sentence(chance, trees):
    at = chance.randrange(len(trees))
    tree = trees[at]
    while len(tree) == 2 and isinstance(tree[1], list):
        tree = tree[1]
    if len(tree) > 2:
        place = chance.randrange(2, len(tree))
        halves = ["TOP", *tree[1:place]], ["TOP", *tree[place:]]
        if all(map(leaves, halves)):
            trees[at : at + 1] = halves


def relabel(chance, trees):
    node = any_node(chance, trees)
    node[0] = chance.choice(LABELS + FUNCTIONS)


def add_function(chance, trees):
    node = any_node(chance, trees)
    if node[0] not in ROOTS:
        node[0] += chance.choice(["-SBJ", "=2", "-TMP-1", "-"])


def retag(chance, trees):
    parent, at = any_leaf(chance, trees)
    parent[at] = chance.choice(TAGS), parent[at][1]


def add_unary(chance, trees):
    """A chain of brackets over the same words."""
    node = any_node(chance, trees)
    for _ in range(chance.choice([1, 1, 2, 5])):
        node[1:] = [[chance.choice([node[0] or "S", *LABELS]), *node[1:]]]


def remove_bracket(chance, trees):
    node = any_node(chance, trees)
    inner = [at for at in range(1, len(node)) if isinstance(node[at], list)]
    if inner:
        at = chance.choice(inner)
        node[at : at + 1] = node[at][1:]


def add_bracket(chance, trees):
    node = any_node(chance, trees)
    start = chance.randrange(1, len(node))
    stop = chance.randrange(start, len(node)) + 1
    node[start:stop] = [[chance.choice(LABELS), *node[start:stop]]]


def move_edge(chance, trees):
    """The last child of a bracket becomes its neighbour."""
    tree = chance.choice(trees)
    node = chance.choice(nodes(tree))
    inner = [at for at in range(1, len(node)) if isinstance(node[at], list) and len(node[at]) > 2]
    if inner:
        at = chance.choice(inner)
        node.insert(at + 1, node[at].pop())


def regrow(chance, trees):
    """Another tree over the same words."""
    at = chance.randrange(len(trees))
    words = [parent[place][1] for parent, place in leaves(trees[at])]
    if words:
        trees[at] = rooted(chance, grown(chance, words))


def change_case(chance, trees):
    parent, at = any_leaf(chance, trees)
    tag, word = parent[at]
    parent[at] = tag, "".join(map(chance.choice([upper, lower]), word))


def lower(letter):
    return letter.lower() if len(letter.casefold() + letter.lower()) == 2 else letter


def upper(letter):
    """A capital, if it is one letter."""
    return letter.upper() if len(letter.casefold() + letter.upper()) == 2 else letter


def add_empty(chance, trees):
    """An empty element, perhaps in brackets of its own."""
    node = any_node(chance, trees)
    new = ("-NONE-", chance.choice(["*", "*T*-1", "0", "a"]))
    for _ in range(chance.choice([0, 1, 2])):
        new = [chance.choice(LABELS), new]
    node.insert(chance.randrange(1, len(node) + 1), new)


def add_empty_tree(chance, trees):
    trees.insert(chance.randrange(len(trees) + 1), ["TOP", ["NP", ("-NONE-", "*")]])


def add_failed(chance, trees):
    """What parsers print when they fail."""
    trees.insert(chance.randrange(len(trees) + 1), chance.choice([["TOP", [""]], ["", [""]]]))


def add_leafless(chance, trees):
    node = any_node(chance, trees)
    node.insert(chance.randrange(1, len(node) + 1), ["NP"])


def escape(chance, trees):
    """A word that the Penn Treebank writes in another way."""
    parent, at = any_leaf(chance, trees)
    parent[at] = parent[at][0], chance.choice(ESCAPED)


def change_characters(chance, trees):
    parent, at = any_leaf(chance, trees)
    tag, word = parent[at]
    place = chance.randrange(len(word))
    new = word[:place] + chance.choice(["", "x", "ab", word]) + word[place + 1 :]
    if new.strip():
        parent[at] = tag, new


def drop_word(chance, trees):
    tree = chance.choice(trees)
    found = leaves(tree)
    if len(found) > 1:
        parent, at = chance.choice(found)
        del parent[at]
        drop_empty(tree)


def add_word(chance, trees):
    node = any_node(chance, trees)
    node.insert(chance.randrange(1, len(node) + 1), (chance.choice(TAGS), chance.choice("axb")))


SAME = [split_token, join_tokens, join_sentences, split_sentence, relabel, add_function, retag,
        add_unary, remove_bracket, add_bracket, move_edge, regrow, change_case, add_empty,
        add_empty_tree, add_failed, add_leafless]  # fmt: skip
"""Changes after which the characters that count are the same."""
OTHER = [escape, change_characters, drop_word, add_word]
"""Changes after which they may differ."""
CUTS = [split_token, join_sentences]
"""Changes of tokens and sentences that keep every bracket."""


@st.composite
def pairs(draw, kinds=tuple(SAME), before=(), size=40):
    """A system's trees and the gold's, which differ by changes of some kinds.

    What is in `before` may happen to both.
    """
    chance = random.Random(draw(st.integers(0, 2**20)))
    gold = forest(chance, draw(st.integers(1, size))) or [["TOP", ["S", ("NN", "a")]]]
    for change in draw(st.lists(st.sampled_from(before), max_size=4)) if before else ():
        change(chance, gold)
    system = [copied(tree) for tree in gold]
    for change in draw(st.lists(st.sampled_from(kinds), max_size=8)):
        change(chance, system)
    return system, gold


def any_pair():
    """Pairs whose characters may differ."""
    return pairs((*SAME, *OTHER), (escape, add_empty, add_failed, add_function, add_unary))


def written(tree):
    """A tree on one line."""
    if isinstance(tree, tuple):
        return f"({tree[0]} {tree[1]})"
    return f"({' '.join([tree[0], *map(written, tree[1:])])})"


def lines(trees):
    """One tree a line."""
    return "".join(f"{written(tree)}\n" for tree in trees)


def spread(chance, trees, end="\n"):
    """The same with white space of any kind, over lines, several on one."""
    blanks = [" ", "  ", "\t", end, f"{end}    ", f" {end}{end}\t"]
    text = lines(trees)
    signs = []
    for sign, following in zip(text, f"{text[1:]} ", strict=True):
        signs.append(chance.choice(blanks) if sign in " \n" else sign)
        if sign == ")" and following in "() " and chance.random() < 0.2:
            signs.append(chance.choice(blanks))
    return "".join(signs)
