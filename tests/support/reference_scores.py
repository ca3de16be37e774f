"""A slow twin of the rules of scoring: rows in a dict, one score at a time, no arrays."""

import math
from itertools import combinations

from caesura.core.mean import mean
from caesura.core.table import CountTable


def sums_of(rows):
    """The counts of each measure and key, rows of the same added."""
    found = {}
    for row in rows.rows() if isinstance(rows, CountTable) else rows:
        key = row.system, row.measure, row.reference, row.left_out
        found[key] = found[key] + row.counts if key in found else row.counts
    return found


class Scored:
    """The scores of one document, or of a sum; `known` are the measures that any document has."""

    def __init__(self, rows, catalog, known):
        self.counts, self.catalog, self.known = sums_of(rows), catalog, known

    def value(self, measure, score, system, reference=None, left_out=None):
        """One score; undefined where a measure was counted, but not here."""
        counts = self.counts.get((system, measure.name, reference, left_out))
        if counts is None and measure.name in self.known and not score.is_count:
            return math.nan
        return score.value(measure.counts.zero() if counts is None else counts)

    def between(self, measure, score, one, other):
        """A score of one person against another; a pair is counted one way only."""
        if (other, measure.name, one, None) in self.counts:
            return score.value(self.counts[other, measure.name, one, None].swapped())
        return self.value(measure, score, one, other)

    def is_asked(self, measure):
        return not measure.asked_by or measure.name in self.known

    def has_mean(self, measure, score):
        is_rate = not score.is_count and score.of != "references"
        return measure.kind == "pair" and self.is_asked(measure) and is_rate

    def system(self, name, references):
        scores = {}
        for measure in self.catalog.measures:
            for score in measure.scores:
                if measure.kind == "panel":
                    scores[score.key] = self.value(measure, score, name)
                elif self.has_mean(measure, score):
                    each = [self.value(measure, score, name, r) for r in references]
                    scores[score.key_in("mean")] = mean(each)
        return scores

    def against(self, name, reference):
        scores = {}
        for measure in self.catalog.measures:
            if measure.kind == "pair" and self.is_asked(measure):
                scores |= {
                    score.key: self.value(measure, score, name, reference)
                    for score in measure.scores
                    if score.of != "references"
                }
        return scores

    def pairs(self, references):
        measures = [m for m in self.catalog.measures if m.of_references and self.is_asked(m)]
        return {
            (a, b): {
                score: self.value(measure, score, a, b)
                for measure in measures
                for score in measure.scores
                if score.of != "systems"
            }
            for a, b in combinations(references, 2)
        }

    def agreement(self, references):
        scores = {}
        for measure in self.catalog.measures:
            if measure.kind == "references" and self.is_asked(measure):
                scores |= {s.key: self.value(measure, s, None) for s in measure.scores}
        pairs = list(self.pairs(references).values())
        measures = [m for m in self.catalog.measures if m.of_references and self.is_asked(m)]
        for score in (s for m in measures for s in m.scores if s.of != "systems"):
            scores[score.key_in("agreement")] = mean([pair[score] for pair in pairs])
        return scores

    def ceiling(self, name, references):
        left_out = [name] if name in references else references
        scores = {}
        for key, entry in self.catalog.shown("ceiling").items():
            measure, score = entry.measure, entry.score
            if measure.kind == "panel":
                each = [self.value(measure, score, name, None, one) for one in left_out]
            else:
                every = [other for other in references if other != name]
                reached = {other: self.between(measure, score, name, other) for other in every}
                each = [mean([reached[o] for o in every if o != one]) for one in left_out]
            scores[key] = mean(each)
        return scores


def slowly(rows, catalog, references):
    """All scores of the system `s` and of the references, one document after another."""
    documents = list(dict.fromkeys(row.document for row in rows))
    ours = {row.measure for row in rows if row.system == "s"}
    every = {row.measure for row in rows}

    def scored(known, document=None):
        return Scored([r for r in rows if document in (None, r.document)], catalog, known)

    each = {d: scored(ours, d).system("s", references) for d in documents}
    agreed = {d: scored(every, d).agreement(references) for d in documents}
    whole, of_all = scored(ours), scored(every)
    pairs = of_all.pairs(references).items()
    return {
        "micro": whole.system("s", references),
        "macro": means(each),
        "undefined": undefined(each),
        "by_document": each,
        "by_reference": {r: whole.against("s", r) for r in references},
        "agreement": of_all.agreement(references),
        "agreement_macro": means(agreed),
        "agreement_by_document": agreed,
        "pairs": {pair: {s.key: v for s, v in own.items()} for pair, own in pairs},
        "ceiling": {n: of_all.ceiling(n, references) for n in (*references, "s")}
        if len(references) > 2
        else {},
    }


def means(each):
    keys = next(iter(each.values()))
    return {key: mean([scores[key] for scores in each.values()]) for key in keys}


def undefined(each):
    keys = next(iter(each.values()))
    gaps = {key: sum(math.isnan(scores[key]) for scores in each.values()) for key in keys}
    return {key: number for key, number in gaps.items() if number}
