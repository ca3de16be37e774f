"""Random input for evalb, inside of its limits: pairs of lines and parameter files.

evalb.c keeps 200 words and brackets of a line, 20 quotes, 30 bytes of a label; a line that is not
balanced, or a leaf of two words, makes it read beyond its arrays or never end.
"""

from support.random_trees import (
    add_bracket,
    add_unary,
    any_leaf,
    copied,
    drop_word,
    leaves,
    move_edge,
    nodes,
    remove_bracket,
    split_token,
    written,
)

LABELS = ["S", "NP", "NP-SBJ", "NP=2", "VP", "ADVP", "PRT", "X", "Y", "Z", "X-1", "-X", "TOP", "S1"]
TAGS = ["NN", "VB", "CD", "POS", "NN-X", "X", "Y", ",", ":", ".", "``", "''", "-NONE-"]
WORDS = ["This", "this", "a", "b", "c", "cat", "naïve", "日本", "*", "-LRB-", "1\\/2"]
QUOTED = ["``", "''", "POS", "NN", ":", "CD"]
QUOTES = ["'", '"', "/"]
EMPTY = ["(())", "()", "", "   ", "(TOP )", "(TOP)", "(TOP (S ))", "( (S (NP)))", "(S (-NONE- *))"]
ODD = ["(S (NP ) (NN a))", "(X)(Y)", "(S (NN a)) (S (NN b))", "((NN a)(NN b))", "(NN a)", "( )"]
MOST_QUOTES = 15
USUAL = [*(f"DELETE_LABEL {label}" for label in ["TOP", "-NONE-", "``", "''"]),
         *(f"QUOTE_LABEL {label}" for label in ["``", "''", "POS", "NN"])]  # fmt: skip


def line(chance):
    """A tree on one line, often with a root."""
    return grown(chance, [leaf(chance) for _ in range(chance.choice([1, 2, 3, 5, 8, 12, 20]))])


def grown(chance, items):
    while len(items) > 1 or isinstance(items[0], tuple):
        size = min(chance.choice([1, 1, 2, 2, 3, 4]), len(items))
        start = chance.randrange(len(items) - size + 1)
        items[start : start + size] = [[chance.choice(LABELS), *items[start : start + size]]]
    return [chance.choice(["TOP", "S1", "", "ROOT"]), items[0]]


def leaf(chance):
    if chance.random() < 0.2:
        return chance.choice(QUOTED), chance.choice(QUOTES)
    return chance.choice(TAGS), chance.choice(WORDS)


def relabel(chance, trees):
    chance.choice(nodes(trees[0]))[0] = chance.choice(LABELS)


def retag(chance, trees):
    parent, at = any_leaf(chance, trees)
    parent[at] = chance.choice(TAGS), parent[at][1]


def retag_quotes(chance, trees):
    """Take quotes for something else, which evalb corrects."""
    for parent, at in leaves(trees[0]):
        if parent[at][1] in QUOTES and chance.random() < 0.7:
            parent[at] = chance.choice(QUOTED), parent[at][1]


def reword(chance, trees):
    parent, at = any_leaf(chance, trees)
    parent[at] = parent[at][0], chance.choice(WORDS)


def regrow(chance, trees):
    """Another tree over the same leaves."""
    trees[0] = grown(chance, [parent[at] for parent, at in leaves(trees[0])])


CHANGES = 3 * [relabel, retag_quotes, add_bracket, add_unary, move_edge, regrow, remove_bracket]
CHANGES += [retag, reword, drop_word, split_token]


def pair(chance):
    """A line of the gold and one of the system."""
    gold = line(chance)
    system = [copied(gold)]
    for _ in range(chance.choice([0, 1, 1, 2, 3, 6])):
        if leaves(system[0]):
            chance.choice(CHANGES)(chance, system)
    sides = [tree_or_other(chance, tree) for tree in (gold, system[0])]
    return sides if all(map(is_within_limits, sides)) else pair(chance)


def plain_pair(chance):
    """Trees over the same words with labels that are the same for evalb and by definition."""
    gold = [plain(chance, grown(chance, [("-NONE-", "*"), *(leaf(chance) for _ in range(8))]))]
    system = [copied(gold[0])]
    for _ in range(chance.choice([0, 1, 3, 6])):
        chance.choice([relabel, retag_quotes, add_bracket, add_unary, move_edge, regrow])(
            chance, system
        )
    return plain(chance, gold[0]), plain(chance, system[0])


def plain(chance, tree):
    for node in nodes(tree):
        node[0] = node[0] if node[0].isalpha() and node[0] != "TOP" else chance.choice("XYZ")
    return ["TOP", *tree[1:]]


def tree_or_other(chance, tree):
    """A tree, now and then in place of it something else."""
    kinds = [EMPTY, ODD, [spaced(chance, written(tree))]]
    return chance.choice(chance.choices(kinds, [3, 2, 95])[0])


def spaced(chance, text):
    """White space where evalb allows it."""
    if chance.random() < 0.1:
        text = text.replace(") (", ")(")
    if chance.random() < 0.1:
        text = text.replace(") (", ") \t (")
    return chance.choice(["", "", "", " "]) + text + chance.choice(["", "", "", "  ", "\r"])


def is_within_limits(text):
    signs = text.replace("(", " ( ").replace(")", " ) ").split()
    quotes = sum(signs.count(quote) for quote in QUOTES)
    return text.count("(") < 150 and len(text.encode()) < 2000 and quotes <= MOST_QUOTES


def parameters(chance):
    """A parameter file."""
    rows = [
        *(f"DELETE_LABEL {label}" for label in some(chance, [*LABELS, *TAGS], 4)),
        *(f"DELETE_LABEL_FOR_LENGTH {label}" for label in some(chance, TAGS, 3)),
        *(f"QUOTE_LABEL {label}" for label in some(chance, QUOTED, 6)),
        *(USUAL if chance.random() < 0.7 else ()),
        *(f"EQ_LABEL {chance.choice(both)} {chance.choice(both)}"
          for both in [["X", "Y"], ["Y", "Z"], ["NP", "VP"], ["ADVP", "PRT"], ["TOP", "S"], TAGS]
          if chance.random() < 0.4),
        *(f"EQ_WORD\t{one} {other}" for one, other in [("This", "this"), ("a", "b"), ("b", "c")]
          if chance.random() < 0.5),
    ]  # fmt: skip
    chance.shuffle(rows)
    numbers = [
        f"LABELED {chance.choice([0, 1, 1, 1, 2])}",
        f"CUTOFF_LEN {chance.choice([0, 4, 10])}",
    ]
    remarks = ["# a remark", "", "##---##", "DEBUG 0   ", "MAX_ERROR 10"]
    return "\n".join([*remarks, *some(chance, numbers, 2), *rows, ""])


def some(chance, values, most):
    return chance.sample(values, chance.randint(0, most))
