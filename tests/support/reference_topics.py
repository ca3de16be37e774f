"""Slow twins of the measures of topic segmentation, written from their definitions."""

from fractions import Fraction
from itertools import combinations
from math import nan

from support import reference_transcript as reference


def symbols(segmentation, final):
    """NLTK's string: a 1 for each item after which a unit ends."""
    ends = set(segmentation.positions(final).tolist())
    return "".join("01"[j in ends] for j in range(segmentation.length))


def nltk_windows(candidate, wanted, k):
    """Errors of Pk and of WindowDiff, and the windows of k symbols; k as NLTK's Pk has it."""
    k = k or round(len(wanted) / (2 * max(1, wanted.count("1"))))
    starts = range(max(0, len(wanted) - k + 1))
    seen = [(candidate[i : i + k].count("1"), wanted[i : i + k].count("1")) for i in starts]
    return sum((a > 0) != (b > 0) for a, b in seen), sum(a != b for a, b in seen), len(seen)


def choi_pk(candidate, wanted):
    """Errors and windows of Choi's Pk; both are lists of units, each a list of words."""
    ours, theirs = (
        [number for number, unit in enumerate(units) for _ in unit] for units in (candidate, wanted)
    )
    k = int(Fraction(len(theirs), 2 * len(wanted)) + Fraction(1, 2))
    pairs = [(i, i + k) for i in range(len(theirs) - k)]
    return sum((ours[i] == ours[j]) != (theirs[i] == theirs[j]) for i, j in pairs), len(pairs)


def ghd(candidate, wanted, costs):
    """The least cost over all ways to match boundaries in order: a table of prefixes."""
    insertion, deletion, shift = costs
    ours, theirs = sorted(candidate), sorted(wanted)
    table = [[insertion * j for j in range(len(theirs) + 1)]]
    for i, a in enumerate(ours):
        row = [deletion * (i + 1)]
        for j, b in enumerate(theirs):
            shifted = table[i][j] + shift * abs(a - b)
            row.append(min(shifted, table[i][j + 1] + deletion, row[j] + insertion))
        table.append(row)
    return table[-1][-1]


def coders(documents, near):
    """B of all pairs, κ, π and the bias of coders; each document is a list of (positions, n)."""
    credit = pairs = Fraction(0)
    for each in documents:
        for (a, _), (b, _) in combinations(each, 2):
            found = reference.edits(a, b, near)
            number = found["additions"] + found["transpositions"] + found["matches"]
            credit += number - found["additions"] - Fraction(found["distance"], near)
            pairs += number
    documents = [each for each in documents if each[0][1] > 1]
    shares = [Fraction(len(own), n - 1) for each in documents for own, n in each]
    slots = sum(each[0][1] - 1 for each in documents)
    own = [Fraction(sum(map(len, column)), slots) for column in _columns(documents)]
    products = [one * other for one, other in combinations(own, 2)]
    if not pairs or not products:
        return nan, nan, nan, _difference(shares, products)
    observed = credit / pairs
    each, every = sum(products) / len(products), (sum(shares) / len(shares)) ** 2
    return observed, _beyond(observed, each), _beyond(observed, every), every - each


def _columns(documents):
    return zip(*([own for own, _ in each] for each in documents), strict=True)


def _difference(shares, products):
    if not products:
        return nan
    return (sum(shares) / len(shares)) ** 2 - sum(products) / len(products)


def _beyond(observed, chance):
    return (observed - chance) / (1 - chance) if chance != 1 else nan
