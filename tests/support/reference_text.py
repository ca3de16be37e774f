"""Slow, obvious twins of what text is scored with, written from the specification alone."""

import re
from itertools import pairwise

Sentences = list[list[str]]
Span = tuple[int, int]
Run = tuple[int, int, int]
Point = tuple[int, int]

QUOTES = {"``": '"', "''": '"'}
ASCII_BLANKS = " \t\v\f\x1c\x1d\x1e\x1f"


def tokenize(text: str, *, quotes: bool = True) -> Sentences:
    """One sentence a line; blanks of ASCII part tokens, other white space is no part of them."""
    sentences = []
    for line in re.split("\r\n|\r|\n", text):
        tokens = re.split(f"[{ASCII_BLANKS}]", line)
        if quotes:
            tokens = [QUOTES.get(token, token) for token in tokens]
        bare = ["".join(token.split()) for token in tokens]
        sentences.append([token for token in bare if token])
    return [sentence for sentence in sentences if sentence]


def numbered_lines(text: str) -> list[int]:
    """The numbers of the lines that hold sentences."""
    lines = re.split("\r\n|\r|\n", text)
    return [number for number, line in enumerate(lines, 1) if tokenize(line)]


def spans(units: list[str]) -> list[Span]:
    """Where each unit begins and ends in the stream of characters."""
    ends = edges(units)
    return list(pairwise(ends))


def edges(units: list[str]) -> list[int]:
    ends = [0]
    for unit in units:
        ends.append(ends[-1] + len(unit))
    return ends


def flat(sentences: Sentences) -> list[str]:
    return [token for sentence in sentences for token in sentence]


def joined(sentences: Sentences) -> list[str]:
    return ["".join(sentence) for sentence in sentences]


def same_spans(system: list[str], gold: list[str]) -> int:
    """True positives where the characters are the same: the spans that both have."""
    return len(set(spans(system)) & set(spans(gold)))


def matches_of_equal_streams(system: Sentences, gold: Sentences) -> tuple[int, int]:
    """Sentences and tokens that are right."""
    return same_spans(joined(system), joined(gold)), same_spans(flat(system), flat(gold))


def fewest_edits(a: str, b: str) -> int:
    """The characters to change, put in or leave out, by the full table."""
    row = list(range(len(b) + 1))
    for i, mine in enumerate(a, 1):
        before, row = row, [i]
        for j, yours in enumerate(b, 1):
            row.append(min(before[j - 1] + (mine != yours), before[j] + 1, row[j - 1] + 1))
    return row[-1]


def most_whole(system: list[str], gold: list[str]) -> int:
    """How many equal sentences some alignment of the fewest edits keeps whole, by the full table.

    From the end of both on: an edit costs 1, and an equal sentence on both sides counts.
    """
    (a, ours), (b, theirs) = (
        ("".join(side), dict(zip(edges(side), side, strict=False))) for side in (system, gold)
    )
    best = {(len(a), len(b)): (0, 0)}
    for i in range(len(a), -1, -1):
        for j in range(len(b), -1, -1):
            ways = [best[i, j]] if (i, j) in best else []
            for to_i, to_j in ((i + 1, j), (i, j + 1), (i + 1, j + 1)):
                if (to_i, to_j) in best:
                    cost, whole = best[to_i, to_j]
                    ways.append((cost + (a[i:to_i] != b[j:to_j]), whole))
            if ours.get(i, "") and ours.get(i) == theirs.get(j):
                cost, whole = best[i + len(ours[i]), j + len(ours[i])]
                ways.append((cost, whole - 1))
            best[i, j] = min(ways)
    return -best[0, 0][1]


def points(runs: list[Run]) -> set[Point]:
    """Every pair of offsets at the same place in the closure of an equal run."""
    return {(i + k, j + k) for i, j, n in runs for k in range(n + 1)}


def sync_points(system: list[str], gold: list[str], runs: list[Run]) -> list[Point]:
    """The points at which units end on both sides, with the start and the end of both."""
    ours, theirs = edges(system), edges(gold)
    found = {(a, b) for a, b in points(runs) if a in ours and b in theirs}
    return sorted(found | {(0, 0), (ours[-1], theirs[-1])})


def blocks(
    system: list[str], gold: list[str], runs: list[Run]
) -> list[tuple[list[str], list[str]]]:
    """The units between neighbouring sync points."""
    result = []
    for (a, b), (to_a, to_b) in pairwise(sync_points(system, gold, runs)):
        ours = between(system, a, to_a)
        theirs = between(gold, b, to_b)
        result.append((ours, theirs))
    return result


def between(units: list[str], start: int, stop: int) -> list[str]:
    placed = zip(units, spans(units), strict=True)
    return [unit for unit, (begin, end) in placed if start <= begin and end <= stop]


def right_sentences(system: Sentences, gold: Sentences, runs: list[Run]) -> int:
    found = blocks(joined(system), joined(gold), runs)
    return sum(len(ours) == len(theirs) == 1 for ours, theirs in found)


def right_tokens(system: Sentences, gold: Sentences, runs: list[Run]) -> int:
    return sum(tokens_in_common(*block) for block in blocks(flat(system), flat(gold), runs))


def tokens_in_common(ours: list[str], theirs: list[str]) -> int:
    """1 for equal tokens; where characters differ, what a common subsequence has at most."""
    if "".join(ours) == "".join(theirs):
        return int(len(ours) == len(theirs) == 1)
    return common_subsequence(ours, theirs)


def common_subsequence(ours: list[str], theirs: list[str]) -> int:
    """The length of the longest one."""
    best = [0] * (len(theirs) + 1)
    for mine in ours:
        before = best[:]
        for j, yours in enumerate(theirs):
            best[j + 1] = max(before[j + 1], best[j], before[j] + (mine == yours))
    return best[-1]


def literal(system: Sentences, gold: Sentences) -> tuple[int, int]:
    """What the paper's algorithm, made to end, finds right: sentences and tokens."""
    sentences = tokens = 0
    for (i, to_i), (j, to_j) in literal_blocks(joined(system), joined(gold)):
        sentences += is_literally_right(joined(system), joined(gold), i, to_i, j, to_j)
        ours, theirs = flat(system[i:to_i]), flat(gold[j:to_j])
        for (a, to_a), (b, to_b) in literal_blocks(ours, theirs):
            tokens += is_literally_right(ours, theirs, a, to_a, b, to_b)
    return sentences, tokens


def is_literally_right(
    left: list[str], right: list[str], i: int, to_i: int, j: int, to_j: int
) -> bool:
    return to_i - i == to_j - j == 1 and left[i] == right[j]


def literal_blocks(left: list[str], right: list[str]) -> list[tuple[Span, Span]]:
    """Take a pair; unless it is equal, grow the shorter side until the next pair is equal."""
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        to_i, to_j = i + 1, j + 1
        is_equal = left[i] == right[j]
        while not is_equal and left[to_i : to_i + 1] != right[to_j : to_j + 1]:
            on_left = len("".join(left[i:to_i])) <= len("".join(right[j:to_j]))
            if to_i < len(left) and (on_left or to_j == len(right)):
                to_i += 1
            else:
                to_j += 1
        result.append(((i, to_i), (j, to_j)))
        i, j = to_i, to_j
    return result
