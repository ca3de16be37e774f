"""Slow, obvious twins of the term discovery and word segmentation measures.

Pure Python, written from the specification alone.  Times are Decimals, so that nothing is rounded:
the twins agree with the program wherever no time lies exactly on an edge that floats blur (half a
phone, midway between two phone boundaries).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from math import nan, sqrt

Label = tuple[str, Decimal, Decimal, str]
Interval = tuple[str, Decimal, Decimal]
Clusters = Mapping[str, Sequence[Interval]]
Numbers = tuple[int, int, int]

NEAR = Decimal("0.030")
SHORT = Decimal("0.060")
SILENCES = {"SIL", "SPN"}


def ratio(above: int | Fraction, below: int | Fraction) -> float:
    """above / below, nan where below is 0."""
    return nan if below == 0 else float(Fraction(above) / Fraction(below))


def intervals(clusters: Clusters) -> list[Interval]:
    """Every interval, in whatever clusters it is, once."""
    return sorted({each for members in clusters.values() for each in members})


def overlap(a: Interval, b: Label) -> Decimal:
    """How long two stretches of one recording share; not above 0 where they do not."""
    return min(a[2], b[2]) - max(a[1], b[1])


def covered(found: Interval, gold: Iterable[Label]) -> list[Label]:
    """Start < off and end > on."""
    here = [each for each in gold if each[0] == found[0] and overlap(found, each) > 0]
    return sorted(here, key=lambda each: each[1])


def is_kept(found: Interval, phone: Label) -> bool:
    """30 ms of a phone of at least 60 ms, or half of a shorter one."""
    duration, common = phone[2] - phone[1], overlap(found, phone)
    return common >= NEAR if duration >= SHORT else common * 2 >= duration


def transcription(found: Interval, phones: Iterable[Label]) -> tuple[Label, ...]:
    """The covered phones; the first and the last only if enough of them is covered."""
    here = covered(found, phones)
    ends = {0, len(here) - 1}
    return tuple(p for at, p in enumerate(here) if at not in ends or is_kept(found, p))


def labels(phones: Iterable[Label]) -> tuple[str, ...]:
    """The labels alone."""
    return tuple(phone[3] for phone in phones)


# --- Profile 2017 ---------------------------------------------------------------------


def boundary(found: Clusters, phones: Sequence[Label], words: Sequence[Label]) -> Numbers:
    """Hits, discovered and gold boundaries: starts among starts, ends among ends."""
    heard = [transcription(each, phones) for each in intervals(found)]
    starts = {(each[0][0], each[0][1]) for each in heard if each}
    ends = {(each[-1][0], each[-1][2]) for each in heard if each}
    begins, stops = {(w[0], w[1]) for w in words}, {(w[0], w[2]) for w in words}
    return len((starts & begins) | (ends & stops)), len(starts | ends), len(begins | stops)


def token(found: Clusters, phones: Sequence[Label], words: Sequence[Label]) -> Numbers:
    """Hits, intervals and words; a hit is spelled as the word it covers the most of."""
    heard = {each: transcription(each, phones) for each in intervals(found)}
    heard = {each: phones for each, phones in heard.items() if phones}
    hit = {
        word
        for each, own in heard.items()
        for word in most_covered(each, words)[:1]
        if labels(covered(word[:3], phones)) == labels(own)
    }
    return len(hit), len(heard), len(words)


def most_covered(found: Interval, words: Sequence[Label]) -> list[Label]:
    """The words an interval covers the largest part of, the first of them first."""
    here = covered(found, words)
    parts = [Fraction(overlap(found, word)) / Fraction(word[2] - word[1]) for word in here]
    return [word for word, part in zip(here, parts, strict=True) if part == max(parts)]


def coverage(found: Clusters, phones: Sequence[Label]) -> tuple[int, int]:
    """Covered phones and phones, silence apart."""
    heard = {phone for each in intervals(found) for phone in transcription(each, phones)}
    spoken = [phone for phone in phones if phone[3] not in SILENCES]
    return len(heard & set(spoken)), len(spoken)


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int:
    """Levenshtein's, by rows."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(row[-1] + 1, before[j] + 1, before[j - 1] + (x != y)))
    return row[-1]


def ned(found: Clusters, phones: Sequence[Label]) -> tuple[Fraction, int]:
    """The sum of edit distance / longer length over pairs within clusters, and their number."""
    total, pairs = Fraction(0), 0
    for members in found.values():
        heard = [labels(own) for each in members if (own := transcription(each, phones))]
        bare = [[label for label in own if label != "SIL"] for own in heard]
        for a, b in combinations(bare, 2):
            longer = max(len(a), len(b))
            total += Fraction(edit_distance(a, b), longer) if longer else 1
            pairs += 1
    return total, pairs


def grouping(found: Clusters, phones: Sequence[Label]) -> Numbers:
    """|T(found and gold)|, |T(found)|, |T(gold)|, where T(X) are the tokens in pairs X."""
    heard = {each: transcription(each, phones) for each in intervals(found)}
    known = [each for each, own in heard.items() if own]
    gold = {
        frozenset((a, b))
        for a, b in combinations(known, 2)
        if labels(heard[a]) == labels(heard[b]) and (a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1])
    }
    together = {
        frozenset(pair)
        for members in found.values()
        for pair in combinations([each for each in members if heard[each]], 2)
    }

    def tokens(pairs: Iterable[frozenset[Interval]]) -> int:
        return len({tuple(p[1:] for p in heard[each]) for pair in pairs for each in pair})

    return tokens(together & gold), tokens(together), tokens(gold)


# --- Profile paper --------------------------------------------------------------------


def phone_boundaries(file: str, phones: Iterable[Label]) -> list[Decimal]:
    """Where a phone of a recording begins or ends."""
    return sorted({time for phone in phones if phone[0] == file for time in phone[1:3]})


def nearest(file: str, time: Decimal, phones: Iterable[Label]) -> Decimal | None:
    """The nearest phone boundary, if it is less than 30 ms away."""
    edge = min(phone_boundaries(file, phones), key=lambda edge: (abs(edge - time), edge))
    return edge if abs(edge - time) < NEAR else None


def paper_boundary(found: Clusters, phones: Sequence[Label], words: Sequence[Label]) -> Numbers:
    """Hits, discovered and gold boundaries; an edge near no phone boundary is wrong."""
    edges = {(each[0], time) for each in intervals(found) for time in each[1:]}
    gold = {(word[0], time) for word in words for time in word[1:3]}
    placed = {(file, nearest(file, time, phones)) for file, time in edges}
    return len(placed & gold), len(edges), len(gold)


def paper_token(found: Clusters, phones: Sequence[Label], words: Sequence[Label]) -> Numbers:
    """Hits, intervals and words; a hit has both edges on those of a word."""
    placed = {
        (file, nearest(file, on, phones), nearest(file, off, phones))
        for file, on, off in intervals(found)
    }
    return len(placed & {word[:3] for word in words}), len(intervals(found)), len(words)


def r_value(hits: int, found: int, gold: int) -> float:
    """Räsänen et al. (2009): 1 - (|r1| + |r2|) / 2."""
    if not gold:
        return nan
    rate, over = hits / gold, found / gold - 1
    return 1 - (sqrt((1 - rate) ** 2 + over**2) + abs((-over + rate - 1) / sqrt(2))) / 2


# --- Word segmentation ----------------------------------------------------------------


def word_spans(utterances: Sequence[Sequence[str]]) -> set[tuple[int, int, int]]:
    """(utterance, start, stop) of every word."""
    spans: set[tuple[int, int, int]] = set()
    for number, words in enumerate(utterances):
        ends = [sum(map(len, words[:at])) for at in range(len(words) + 1)]
        spans |= {(number, start, stop) for start, stop in pairwise(ends)}
    return spans


def wordseg(system: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> dict[str, Numbers]:
    """Hits, found and gold of tokens, types and boundaries, with and without the edges."""
    ours, theirs = word_spans(system), word_spans(gold)
    my_types, their_types = ({word for words in side for word in words} for side in (system, gold))
    mine, yours = ({(n, x) for n, *ends in side for x in ends} for side in (ours, theirs))
    outer = {(n, x) for n, words in enumerate(gold) for x in (0, sum(map(len, words)))}
    return {
        "token": (len(ours & theirs), len(ours), len(theirs)),
        "type": (len(my_types & their_types), len(my_types), len(their_types)),
        "boundary_all": (len(mine & yours), len(mine), len(yours)),
        "boundary_noedge": (len((mine & yours) - outer), len(mine - outer), len(yours - outer)),
    }
