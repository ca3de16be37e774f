"""Mutations of bracketed trees and of evalb's parameters, as text."""

import re

from fuzz.values import DEPTHS, NUMBERS, WORDS

PIECES = re.compile(r"[()]|\s+|[^\s()]+")
LEAF = re.compile(r"\((?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)")
SPACES = (
    *(" ", "\n", "\t", "", "  ", "\r\n", "\r", "\n\n", "\v", "\f", "\x1c", "\x1f", " \n "),
    *("\x85", "\xa0", "\u2028", "\u3000", "\u200b", "\0"),
)
LABELS = (
    *("TOP", "ROOT", "S1", "S", "NP", "NP-SBJ", "NP=2", "-NONE-", "-NONE-x", "-LRB-", "-RRB-"),
    *("PRT", "ADVP", "POS", "``", "''", '"', "'", "/", "\\/", "\\*", "\\", "-", "=", "--", "*"),
    *("X-", "=X", "-lrb-", "-LSB", "-RCB-", "top", "?", ".", ",", ":", "#", "it", "rained"),
)
EMPTY = (
    *("()", "( )", "(NP)", "(NP )", "( NP)", "( NP )", "(())", "(-NONE- *)", "(NP (-NONE- *))"),
    *("(TOP)", "(TOP )", "(NP ())", "(NN\n)", "word", "(NN a b)"),
)
KEYWORDS = (
    *("DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED", "DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH"),
    *("QUOTE_LABEL", "EQ_LABEL", "EQ_WORD", "CUTOFF_LENGTH", "delete_label", "#", ""),
)
LARGEST = 1 << 16
"""About how many characters are added at once, at most."""


def bracket_changed(text, rng, _other):
    """A bracket removed, repeated, moved, turned, or another sign in its place."""
    pieces = PIECES.findall(text)
    brackets = [at for at, piece in enumerate(pieces) if piece in ("(", ")")]
    if not brackets:
        return text + rng.choice("()")
    at = rng.choice(brackets)
    way = rng.randrange(5)
    if way == 0:
        del pieces[at]
    elif way == 1:
        pieces[at] *= rng.choice((2, 2, 3, *DEPTHS))
    elif way == 2:
        pieces.insert(rng.randrange(len(pieces)), pieces.pop(at))
    elif way == 3:
        pieces[at] = ")" if pieces[at] == "(" else "("
    else:
        pieces[at] = rng.choice(("[", "}", "<", "（", "-LRB-", "\\(", "()", ")("))
    return "".join(pieces)


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
        new = rng.choice(("", *EMPTY))
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
    """A bracket that closes or opens later or earlier, beyond what stands beside it."""
    pieces = PIECES.findall(text)
    spans = [span for span in _spans(pieces) if span[1] - span[0] > 5]
    if not spans:
        return text
    start, stop = rng.choice(spans)
    inner = [span for span in _spans(pieces) if start < span[0] and span[1] < stop]
    after = [span for span in _spans(pieces) if span[0] >= stop][:1]
    if inner and (not after or rng.random() < 0.5):
        at, to = stop - 1, rng.choice(inner)[rng.randrange(2)]
    else:
        at, to = stop - 1, after[0][1] if after else stop
    pieces.insert(to, pieces[at])
    del pieces[at + (to <= at)]
    return "".join(pieces)


def string_changed(text, rng, _other):
    """A label, tag or word removed, swapped with another or replaced."""
    pieces = PIECES.findall(text)
    strings = [at for at, piece in enumerate(pieces) if not piece.isspace() and piece not in "()"]
    if not strings:
        return text
    at, to = rng.choice(strings), rng.choice(strings)
    way = rng.randrange(6)
    if way == 0:
        pieces[at] = ""
    elif way == 1:
        pieces[at], pieces[to] = pieces[to], pieces[at]
    elif way == 2:
        pieces[at] = rng.choice((*WORDS, *NUMBERS))
    elif way == 3:
        pieces[at] = rng.choice((pieces[at].swapcase(), pieces[at] + rng.choice("-=|\\/*'")))
    else:
        pieces[at] = rng.choice(LABELS)
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


def spaces_changed(text, rng, _other):
    """White space of another kind, at one place or at all."""
    pieces = PIECES.findall(text)
    spaces = [at for at, piece in enumerate(pieces) if piece.isspace()]
    new = rng.choice(SPACES)
    if rng.random() < 0.3 or not spaces:
        pieces.insert(rng.randrange(len(pieces) + 1), new)
    elif rng.random() < 0.7:
        pieces[rng.choice(spaces)] = new
    else:
        old = pieces[rng.choice(spaces)]
        pieces = [new if piece == old else piece for piece in pieces]
    return "".join(pieces)


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


TREES = (
    *(tree_changed, attached, string_changed, leaf_cut) * 2,
    *(bracket_changed, spaces_changed),
)
PARAMETERS = (parameter_changed,)
