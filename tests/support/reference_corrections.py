"""Slow twins of scored corrections, written from the definitions, for texts of equal characters."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

Edit = tuple[int, int, str, str, int]
Sentence = tuple[list[str], list[Edit]]
Three = tuple[int, int, int]


def placed(sentences: list[Sentence]) -> list[tuple[int, int, list[Any]]]:
    """Each sentence with the characters at its edges, and its edits by tokens of the whole."""
    edges = [0]
    for tokens, _ in sentences:
        for token in tokens:
            edges.append(edges[-1] + len(token))
    found, start = [], 0
    for tokens, edits in sentences:
        own = [
            (edges, start + first, start + last, kind, correction, who)
            for first, last, kind, correction, who in edits or [(-1, -1, "noop", "", 0)]
        ]
        found.append((edges[start], edges[start + len(tokens)], own))
        start += len(tokens)
    return found


def blocks(system: list[Sentence], gold: list[Sentence]) -> list[tuple[list[Any], list[Any], int]]:
    """The edits of both sides between characters at which both end a sentence, and its end."""
    sides = placed(system), placed(gold)
    shared = sorted({0} | {end for _, end, _ in sides[0]} & {end for _, end, _ in sides[1]})
    found = []
    for start, end in pairwise(shared):
        ours, theirs = (
            [edit for low, high, edits in side if start <= low and high <= end for edit in edits]
            for side in sides
        )
        found.append((ours, theirs, end))
    return found


def keys(edit: Any, match: str, end: int) -> list[Any]:
    """What is compared of an edit; several things where tokens are."""
    edges, first, last, kind, correction, _ = edit
    if kind == "noop" or (kind == "UNK" and match in ("correction", "type")):
        return []
    if match == "token":
        if first == last:
            return [(edges[first], edges[first + 1] if edges[first] < end else end)]
        return [(edges[at], edges[at + 1]) for at in range(first, last)]
    span = edges[first], edges[last]
    return [span + {"correction": (correction,), "type": (correction, kind), "span": ()}[match]]


def by_annotator(
    edits: list[Any], match: str, end: int, inner: set[int]
) -> dict[int, dict[Any, list[str]]]:
    """The types of edits by annotator and by what is compared.

    Insertions where only one side ends a sentence are counted one by one.
    """
    found: dict[int, dict[Any, list[str]]] = {}
    for edit in edits:
        own = found.setdefault(edit[-1], {})
        for key in keys(edit, match, end):
            place: Any = key
            if key[0] == key[1] and key[0] in inner:
                place = key, sum(other[0] == key for other in own)
            own.setdefault(place, []).append(edit[3])
    return found


def compare(ours: dict[Any, list[str]], theirs: dict[Any, list[str]]) -> dict[str, list[int]]:
    """Right, extra and missing edits by type."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for key, kinds in theirs.items():
        for kind in kinds:
            found[kind][0 if key in ours else 2] += 1
    for key, kinds in ours.items():
        for kind in kinds if key not in theirs else ():
            found[kind][1] += 1
    return dict(found)


def total(by_type: dict[str, list[int]]) -> Three:
    """All types together."""
    tp, fp, fn = (sum(each[at] for each in by_type.values()) for at in range(3))
    return tp, fp, fn


def score(tp: int, fp: int, fn: int, beta: Fraction) -> Fraction:
    """F, which is 1 where nothing is wrong."""
    weighted = (1 + beta**2) * tp
    return weighted / (weighted + beta**2 * fn + fp) if tp + fp + fn else Fraction(1)


def corrections(
    system: list[Sentence], gold: list[Sentence], match: str, beta: str = "1/2"
) -> dict[str, list[int]]:
    """Right, extra and missing edits by type; in each block the annotators with the best F."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    ends = [{end for _, end, _ in placed(side)} for side in (system, gold)]
    for ours, theirs, end in blocks(system, gold):
        found = [
            compare(a, b)
            for a in by_annotator(ours, match, end, ends[0] ^ ends[1]).values()
            for b in by_annotator(theirs, match, end, ends[0] ^ ends[1]).values()
        ]

        def quality(by_type: dict[str, list[int]]) -> tuple[Fraction, int, int, int]:
            tp, fp, fn = total(by_type)
            return score(tp, fp, fn, Fraction(beta)), tp, -fp, -fn

        for kind, three in max(found, key=quality).items():
            sums[kind] = [a + b for a, b in zip(sums[kind], three, strict=True)]
    return dict(sums)
