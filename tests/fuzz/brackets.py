"""Mutations of bracketed trees and of evalb's parameters, as text."""

import re

from fuzz.values import DEPTHS, NUMBERS, WORDS

PIECES = re.compile(r"[()]|\s+|[^\s()]+")
LEAF = re.compile(r"\((?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)")
SPACES = (*" \n\t\r\v\f\x1c\x1f\x85\xa0\u2028\u3000\u200b\0", "", "  ", "\r\n", "\n\n", " \n ")
LABELS = (
    *"TOP ROOT S1 S NP NP-SBJ NP=2 -NONE- -NONE-x -LRB- -RRB- PRT ADVP POS `` '' \" ' /".split(),
    *"\\/ \\* \\ - = -- * X- =X -lrb- -LSB -RCB- top ? . , : # it rained".split(),
)
EMPTY = (
    *("()", "( )", "(NP)", "(NP )", "( NP)", "( NP )", "(())", "(-NONE- *)", "(NP (-NONE- *))"),
    *("(TOP)", "(TOP )", "(NP ())", "(NN\n)", "word", "(NN a b)", ""),
)
KEYWORDS = (
    *"DEBUG MAX_ERROR CUTOFF_LEN LABELED DELETE_LABEL DELETE_LABEL_FOR_LENGTH".split(),
    *("QUOTE_LABEL", "EQ_LABEL", "EQ_WORD", "CUTOFF_LENGTH", "delete_label", "#", ""),
)
LARGEST = 1 << 16
"""About how many characters are added at once, at most."""


def piece_changed(text, rng, _other):
    """A bracket, a label, a word or white space removed, repeated, moved, swapped or replaced."""
    pieces = PIECES.findall(text) or [""]
    at, to = rng.randrange(len(pieces)), rng.randrange(len(pieces))
    way = rng.randrange(6)
    if way == 0:
        del pieces[at]
    elif way == 1:
        pieces[at] *= min(rng.choice((2, 2, 3, *DEPTHS)), LARGEST)
    elif way == 2:
        pieces.insert(to, pieces.pop(at))
    elif way == 3:
        pieces[at], pieces[to] = pieces[to], pieces[at]
    else:
        pieces[at] = _like(pieces[at], rng)
    return "".join(pieces)


def _like(piece, rng):
    """Another piece of the same kind, most often."""
    if piece in ("(", ")"):
        return rng.choice((")(".strip(piece), "[", "}", "<", "（", "-LRB-", "\\(", "()", ")("))
    if piece.isspace():
        return rng.choice(SPACES)
    changed = piece.swapcase(), piece + rng.choice("-=|\\/*'")
    return rng.choice(rng.choice((LABELS, LABELS, WORDS, NUMBERS, changed)))


def tree_changed(text, rng, other):
    """A bracket with all that is in it removed, repeated, wrapped, emptied, moved or replaced."""
    pieces = PIECES.findall(text)
    spans = _spans(pieces)
    if not spans:
        return text
    start, stop = rng.choice(spans)
    own = "".join(pieces[start:stop])
    way = rng.randrange(7)
    if way == 0:
        new = rng.choice(EMPTY)
    elif way == 1:
        new = own * min(rng.choice((2, 2, 3, 50)), 1 + LARGEST // len(own))
    elif way == 2:
        depth = min(rng.choice((1, 1, 1, 1, 2, *DEPTHS)), LARGEST // 4)
        new = f"({rng.choice((*LABELS, ''))} " * depth + own + ")" * depth
    elif way == 3:
        new = re.sub(r"\A\([^\s()]*|\)\Z", "", own)
    elif way == 4:
        new = _some_tree(PIECES.findall(other), rng)
    elif way == 5:
        new = own + rng.choice(("", " ", "\n")) + _some_tree(pieces, rng)
    else:
        new = ""
        pieces.insert(rng.randrange(stop, len(pieces) + 1), own)
    return "".join((*pieces[:start], new, *pieces[stop:]))


def _spans(pieces):
    """Where brackets begin and end, of those that do both."""
    found, left = [], []
    for at, piece in enumerate(pieces):
        if piece == "(":
            left.append(at)
        elif piece == ")" and left:
            found.append((left.pop(), at + 1))
    return found


def _some_tree(pieces, rng):
    spans = _spans(pieces)
    start, stop = rng.choice(spans) if spans else (0, 0)
    return "".join(pieces[start:stop])


def attached(text, rng, _other):
    """A bracket that ends before or after another one where it did not, so that both stay whole."""
    pieces = PIECES.findall(text)
    spans = _spans(pieces)
    if not spans:
        return text
    (_, stop), (_, other) = rng.choice(spans), rng.choice(spans)
    closing = pieces.pop(stop - 1)
    pieces.insert(other - (stop <= other), closing)
    return "".join(pieces)


def leaf_cut(text, rng, _other):
    """A leaf cut in two, or joined with the next, as other tokens would be."""
    leaves = list(LEAF.finditer(text))
    if not leaves:
        return text
    number = rng.randrange(len(leaves))
    one, other = leaves[number], leaves[(number + 1) % len(leaves)]
    at = rng.randrange(len(one["word"]) + 1)
    if rng.random() < 0.5 and other.start() >= one.end():
        between = text[one.end() : other.start()]
        word = f"({one['tag']} {one['word']}{other['word']})"
        return text[: one.start()] + word + between + text[other.end() :]
    halves = (f"({one['tag']} {half})" for half in (one["word"][:at], one["word"][at:]))
    return text[: one.start()] + " ".join(halves) + text[one.end() :]


def parameter_changed(text, rng, _other):
    """A line of parameters replaced or added."""
    lines = text.split("\n")
    values = (
        rng.choice((*LABELS, *LABELS, *WORDS, *NUMBERS)) for _ in range(rng.choice((1, 2, 2, 3)))
    )
    line = rng.choice((" ", "\t", "  ", "=")).join((rng.choice(KEYWORDS), *values))
    at = rng.randrange(len(lines))
    lines[at : at + rng.randrange(2)] = [line] * rng.choice((1, 1, 1, 1, 300))
    return "\n".join(lines)


TREES = (tree_changed, piece_changed, attached, leaf_cut)
PARAMETERS = (parameter_changed,)
