"""A slow twin of scored morphs, written from the definitions, line by line."""

from __future__ import annotations

from functools import cache


@cache
def common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The length of the longest common subsequence."""
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + common(one[1:], other[1:])
    return max(common(one[1:], other), common(one, other[1:]))


@cache
def distance(one: str, other: str) -> int:
    """The fewest insertions, deletions and substitutions of characters."""
    if not one or not other:
        return len(one) + len(other)
    ways = distance(one[1:], other), distance(one, other[1:])
    return min(*(way + 1 for way in ways), distance(one[1:], other[1:]) + (one[0] != other[0]))


def morphs_of(line: str) -> tuple[str, ...]:
    """The morphs of a line; blanks, ` @@` and `|` separate them."""
    return tuple(line.replace(" @@", " ").replace("|", " ").split(" "))


def edges(line: str) -> set[int]:
    """After how many characters that are no blanks there is a blank, inside the line."""
    text = line.replace(" @@", " ")
    size = len(text.replace(" ", ""))
    places = {len(text[:at].replace(" ", "")) for at, sign in enumerate(text) if sign == " "}
    return places - {0, size}


def counts_of_line(word: str, system: str, gold: str) -> tuple[int, ...]:
    """The counts of a line, in the order of `MorphCounts`."""
    ours, theirs = morphs_of(system), morphs_of(gold)
    edits = distance("|".join(ours), "|".join(theirs))
    parts = [line.replace(" @@", " ").replace(" ", "") for line in (word, system, gold)]
    morphs = (1, int(ours == theirs), common(ours, theirs), len(ours), len(theirs), edits)
    if word.replace(" ", "") != parts[1] or parts[1] != parts[2]:
        return (*morphs, 0, 0, 0, 0)
    inner = [edges(line) - edges(word) for line in (system, gold)]
    return (*morphs, 1, len(inner[0] & inner[1]), len(inner[0]), len(inner[1]))
