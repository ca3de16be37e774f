"""A slow twin of scores where annotators vary: plain sets, one document after another.

A corpus is {document: (slots, {person: boundaries}, {system: boundaries})}, with the end dropped.
"""

import math
from fractions import Fraction
from itertools import combinations

from support.reference_transcript import reference_windows

NAN = math.nan


def share(part, whole):
    return float(Fraction(part) / Fraction(whole)) if whole else NAN


def weighted(pairs):
    """The mean of values with weights, those that are undefined left out."""
    known = [(value, weight) for value, weight in pairs if not math.isnan(value) and weight]
    if not known:
        return NAN
    most = max(weight for _, weight in known)
    parts = [(value * (weight / most), weight / most) for value, weight in known]
    return math.fsum(part for part, _ in parts) / math.fsum(weight for _, weight in parts)


def people(corpus):
    return sorted({name for _, panel, _ in corpus.values() for name in panel})


def f1(pairs):
    """F1 of summed counts, of pairs of sets."""
    both, every = sum(len(a & b) for a, b in pairs), sum(len(a) + len(b) for a, b in pairs)
    return share(2 * both, every)


def cohen(pairs):
    """Cohen's κ over all slots, of (slots, set, set)."""
    n = sum(slots for slots, _, _ in pairs)
    a, b = (sum(len(each[at]) for each in pairs) for at in (1, 2))
    differ = sum(len(one ^ other) for _, one, other in pairs)
    if not n:
        return NAN
    chance = Fraction(a * b + (n - a) * (n - b), n * n)
    return float((1 - Fraction(differ, n) - chance) / (1 - chance)) if chance < 1 else NAN


def ratings(corpus):
    """For each slot with several people, how many there are and how many have a boundary."""
    return [
        (len(panel), sum(slot in own for own in panel.values()))
        for slots, panel, _ in corpus.values()
        if len(panel) > 1
        for slot in range(slots)
    ]


def fleiss(units):
    if not units:
        return NAN
    agree = sum(Fraction(k * (k - 1) + (n - k) * (n - k - 1), n * (n - 1)) for n, k in units)
    share = sum(Fraction(k, n) for n, k in units) / len(units)
    chance = share**2 + (1 - share) ** 2
    return float((agree / len(units) - chance) / (1 - chance)) if chance != 1 else NAN


def alpha(units):
    every, ones = sum(n for n, _ in units), sum(k for _, k in units)
    differ = sum(Fraction(2 * k * (n - k), n - 1) for n, k in units)
    mixed = 2 * ones * (every - ones)
    return float(1 - differ * (every - 1) / mixed) if mixed else NAN


def rgar(panels):
    """Votes at places that several share, and the most that there could be."""
    shared = most = 0
    for panel in panels:
        places = set().union(*panel) if len(panel) > 1 else ()
        votes = [sum(place in own for own in panel) for place in places]
        shared += sum(n for n in votes if n > 1)
        most += len(panel) * len(votes)
    return share(shared, most)


def agreement(corpus):
    units = ratings(corpus)
    found = {"rgar": rgar([[*panel.values()] for _, panel, _ in corpus.values()])}
    found["fleiss_kappa"] = fleiss(units)
    found["fleiss_kappa_boundaries"] = fleiss([(n, k) for n, k in units if k])
    found["krippendorff_alpha"] = alpha(units)
    each = {pair: _shared(corpus, *pair) for pair in combinations(people(corpus), 2)}
    size = {pair: sum(slots for slots, _, _ in own) for pair, own in each.items()}
    found["cohen_kappa_mean"] = weighted([(cohen(each[pair]), size[pair]) for pair in each])
    scores = [(f1([(a, b) for _, a, b in each[pair]]), size[pair]) for pair in each]
    found["pairwise_f1_mean"] = weighted(scores)
    return found


def _shared(corpus, one, other):
    return [
        (slots, panel[one], panel[other])
        for slots, panel, _ in corpus.values()
        if one in panel and other in panel
    ]


def wisebe(cases, limit=2):
    """WiSeBE and F1 over windows, of (boundaries, panel)."""
    inside = placed = hit = wanted = 0
    for own, panel in cases:
        found = reference_windows(panel, limit)
        inside += sum(any(a <= each <= b for a, b in found) for each in own)
        hit += sum(any(a <= each <= b for each in own) for a, b in found)
        placed, wanted = placed + len(own), wanted + len(found)
    p, r = share(inside, placed), share(hit, wanted)
    f = 0.0 if 0 in (p, r) else 2 * p * r / (p + r)
    return {"wisebe": f * rgar([panel for _, panel in cases]), "window_f1": f}


def needed(rule, n):
    """How many of n have to share a boundary."""
    if rule == "majority":
        return n // 2 + 1
    return rule if isinstance(rule, int) else max(1, math.ceil(rule * n))


def consensus(corpus, system, rule="majority"):
    cases = []
    for _, panel, systems in corpus.values():
        least = needed(rule, len(panel))
        if least <= len(panel) and system in systems:
            places = set().union(*panel.values())
            kept = {at for at in places if sum(at in own for own in panel.values()) >= least}
            cases.append((systems[system], kept))
    return f1(cases)


def either(corpus, system):
    errors, mean = 0, Fraction(0)
    for _, panel, systems in corpus.values():
        if system in systems:
            own, each = systems[system], [*panel.values()]
            errors += len(own - set().union(*each)) + len(set.intersection(*each) - own)
            mean += Fraction(sum(map(len, each)), len(each))
    return share(errors, mean)


def scored(corpus, system):
    own = [(each[2][system], [*each[1].values()]) for each in corpus.values() if system in each[2]]
    found = wisebe(own) | {"consensus_f1": consensus(corpus, system)}
    found["ser_either"] = either(corpus, system)
    each = []
    for person in people(corpus):
        docs = [d for d in corpus.values() if person in d[1] and system in d[2]]
        pairs = [(d[2][system], d[1][person]) for d in docs]
        each.append((f1(pairs), sum(slots for slots, _, _ in docs)))
    return found | {"f1_mean": weighted(each)}


def ceiling(corpus, system=None):
    """What people reach, or a system beside each, and the mean of that."""
    found, sizes = {}, {}
    for person in people(corpus):
        docs = [d for d in corpus.values() if person in d[1] and len(d[1]) > 1]
        docs = [d for d in docs if system is None or system in d[2]]
        if not docs:
            continue
        own = [d[1][person] if system is None else d[2][system] for d in docs]
        others = [{n: b for n, b in d[1].items() if n != person} for d in docs]
        cases = zip(own, others, strict=True)
        found[person] = wisebe([(mine, [*panel.values()]) for mine, panel in cases])
        sizes[person] = sum(d[0] for d in docs)
        each = []
        for other in people(corpus):
            both = [at for at, panel in enumerate(others) if other in panel]
            pairs = [(own[at], others[at][other]) for at in both]
            each.append((f1(pairs), sum(docs[at][0] for at in both)))
        found[person]["f1_mean"] = weighted(each)
    keys = ("wisebe", "window_f1", "f1_mean")
    mean = {key: weighted([(found[p][key], sizes[p]) for p in found]) for key in keys}
    return found, mean
