"""Slow, obvious twins of the transcript measures, to test the fast code against.

Pure Python, written from the specification alone.  Positions are sets of word indices
to which the caller has already applied the final=drop/keep policy; `slots` is the
number of positions that could hold a boundary, so all lie in range(slots).  Undefined
(x/0) is nan.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from math import hypot, isnan, nan, sqrt

ABSENT = "-"


def ratio(above: int | Fraction, below: int | Fraction) -> float:
    """above / below, nan where below is 0."""
    return nan if below == 0 else float(Fraction(above) / Fraction(below))


def harmonic(p: float, r: float) -> float:
    """2pr / (p + r); 0 if either is 0 or just one is undefined, nan if both are."""
    if isnan(p) and isnan(r):
        return nan
    if isnan(p) or isnan(r) or p == 0 or r == 0:
        return 0.0
    return 2 * p * r / (p + r)


def votes(references: list[set[int]]) -> Counter[int]:
    """d_j = number of references with a boundary at j, for every j with d_j > 0."""
    return Counter(j for reference in references for j in reference)


# --- WiSeBE ---------------------------------------------------------------------------


def reference_windows(references: list[set[int]], limit: int) -> list[tuple[int, int]]:
    """(first, last) of each maximal run of d_j > 0 whose gaps are all <= limit."""
    positions = sorted(votes(references))
    windows: list[tuple[int, int]] = []
    for j in positions:
        if windows and j - windows[-1][1] <= limit:
            windows[-1] = (windows[-1][0], j)
        else:
            windows.append((j, j))
    return windows


def wisebe(candidate: set[int], references: list[set[int]], limit: int) -> dict[str, int]:
    """RGPB = sum of d_j >= 2, RGHA = m #{d_j > 0}, D = sum of distances to windows."""
    windows = reference_windows(references, limit)
    d = votes(references)
    inside = {c for c in candidate if any(i <= c <= j for i, j in windows)}
    hit = [(i, j) for i, j in windows if any(i <= c <= j for c in candidate)]
    edges = [edge for window in windows for edge in window]
    outside = candidate - inside
    return {
        "inside": len(inside),
        "candidates": len(candidate),
        "hit": len(hit),
        "windows": len(windows),
        "rgpb": sum(d_j for d_j in d.values() if d_j >= 2),
        "rgha": len(references) * len(d),
        "distance": sum(min(abs(c - e) for e in edges) for c in outside if edges),
    }


def wisebe_scores(counts: dict[str, int], m: int) -> dict[str, float]:
    """P = inside/candidates, R = hit/windows, F1 harmonic, WiSeBE = F1 RGPB/RGHA."""
    precision = ratio(counts["inside"], counts["candidates"])
    recall = ratio(counts["hit"], counts["windows"])
    f1 = harmonic(precision, recall)
    agreement = ratio(counts["rgpb"], counts["rgha"]) if m >= 2 else nan
    smooth_p, smooth_r = smooth(counts)
    smooth_f1 = harmonic(smooth_p, smooth_r)
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "agreement": agreement,
        "score": f1 * agreement,
        "smooth_precision": smooth_p,
        "smooth_recall": smooth_r,
        "smooth_f1": smooth_f1,
        "smooth_score": smooth_f1 * agreement,
    }


def smooth(counts: dict[str, int]) -> tuple[float, float]:
    """(inside + outside/D) / candidates, (hit + missed/D) / windows, x/D = 0 if D = 0."""
    inside, candidates = counts["inside"], counts["candidates"]
    hit, windows = counts["hit"], counts["windows"]
    inverse = Fraction(1, counts["distance"]) if counts["distance"] else Fraction(0)
    return (
        ratio(inside + (candidates - inside) * inverse, candidates),
        ratio(hit + (windows - hit) * inverse, windows),
    )


# --- One reference --------------------------------------------------------------------


def boundary(candidate: set[int], reference: set[int], slots: int) -> dict[str, int]:
    """tp = |C and R|, fp = |C not R|, fn = |R not C|, and the slots."""
    return {
        "tp": len(candidate & reference),
        "fp": len(candidate - reference),
        "fn": len(reference - candidate),
        "slots": slots,
    }


def boundary_scores(counts: dict[str, int]) -> dict[str, float]:
    """F1 = 2tp/(2tp+fp+fn), SER = (fp+fn)/(tp+fn), CER = (fp+fn)/slots, P, R, kappa."""
    tp, fp, fn, slots = counts["tp"], counts["fp"], counts["fn"], counts["slots"]
    return {
        "precision": ratio(tp, tp + fp),
        "recall": ratio(tp, tp + fn),
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "ser": ratio(fp + fn, tp + fn),
        "cer": ratio(fp + fn, slots),
        "over_segmentation": ratio(tp + fp - (tp + fn), tp + fn),
        "r_value": r_value(tp, tp + fp, tp + fn),
        "kappa": kappa_from_table(tp, fp, fn, slots - tp - fp - fn),
    }


def r_value(right: int, placed: int, wanted: int) -> float:
    """1 minus half the distances in the plane of over-segmentation and recall.

    One is that to the point (0, 1), the other that to the line through it and (-1, 0).
    """
    if not wanted:
        return nan
    x, y = Fraction(placed, wanted) - 1, Fraction(right, wanted)
    to_point = hypot(x, 1 - y)
    foot = (x + y - 1) / 2
    to_line = hypot(x - foot, y - (foot + 1))
    return 1 - (to_point + to_line) / 2


def kappa_from_table(both: int, first: int, second: int, neither: int) -> float:
    """(Po - Pe) / (1 - Pe), Po = share agreeing, Pe = yes_1 yes_2 + no_1 no_2."""
    n = both + first + second + neither
    if n == 0:
        return nan
    yes_1, yes_2 = Fraction(both + first, n), Fraction(both + second, n)
    observed = Fraction(both + neither, n)
    expected = yes_1 * yes_2 + (1 - yes_1) * (1 - yes_2)
    return ratio(observed - expected, 1 - expected)


def cohen_kappa(a: set[int], b: set[int], slots: int) -> float:
    """Cohen's kappa of the two binary ratings of every position in range(slots)."""
    table = Counter((j in a, j in b) for j in range(slots))
    return kappa_from_table(
        table[True, True], table[True, False], table[False, True], table[False, False]
    )


def confusion(candidate: dict[int, str], reference: dict[int, str]) -> dict[tuple[str, str], int]:
    """Count of each (reference mark, candidate mark), '-' where a side has none."""
    positions = candidate.keys() | reference.keys()
    marks = [(reference.get(j, ABSENT), candidate.get(j, ABSENT)) for j in positions]
    return dict(Counter(marks))


def mark_scores(confusion: dict[tuple[str, str], int], mark: str) -> tuple[int, int, int]:
    """(tp, fp, fn): both sides have the mark, only candidate, only reference."""
    tp = sum(n for (ref, cand), n in confusion.items() if ref == mark and cand == mark)
    fp = sum(n for (ref, cand), n in confusion.items() if ref != mark and cand == mark)
    fn = sum(n for (ref, cand), n in confusion.items() if ref == mark and cand != mark)
    return tp, fp, fn


def typed_slots(confusion: dict[tuple[str, str], int]) -> dict[str, int]:
    """Same mark: correct; another: substitution; none: deletion; else insertion."""
    slots = {"correct": 0, "substitutions": 0, "deletions": 0, "insertions": 0}
    for (ref, cand), n in confusion.items():
        if ref == cand:
            slots["correct"] += n
        elif cand == ABSENT:
            slots["deletions"] += n
        elif ref == ABSENT:
            slots["insertions"] += n
        else:
            slots["substitutions"] += n
    return slots


# --- Windows over segments ------------------------------------------------------------


def masses(positions_inner: set[int], n: int) -> list[int]:
    """Lengths of the segments of n words cut after each word j of positions_inner."""
    cuts = [0, *sorted(j + 1 for j in positions_inner), n]
    return [b - a for a, b in pairwise(cuts)] if n else []


def labels(segment_masses: list[int]) -> list[int]:
    """Segment number of each unit, e.g. (2, 1, 3) gives 0 0 1 2 2 2."""
    return [number for number, mass in enumerate(segment_masses) for _ in range(mass)]


def window_size(reference_masses: list[int]) -> int:
    """k = max(2, round half even of (mean reference segment length / 2))."""
    segments = max(1, len(reference_masses))
    return max(2, round(Fraction(sum(reference_masses), segments) / 2))


def pk(hyp_masses: list[int], ref_masses: list[int], k: int | None = None) -> tuple[int, int]:
    """#{i < N-k : (ref_i = ref_{i+k}) != (hyp_i = hyp_{i+k})} and the N-k windows."""
    width = window_size(ref_masses) if k is None else k
    hyp, ref = labels(hyp_masses), labels(ref_masses)
    assert len(hyp) == len(ref)
    errors = 0
    for i in range(len(ref) - width):
        same_in_ref = ref[i] == ref[i + width]
        same_in_hyp = hyp[i] == hyp[i + width]
        errors += same_in_ref != same_in_hyp
    return errors, max(0, len(ref) - width)


def window_diff(
    hyp_masses: list[int], ref_masses: list[int], k: int | None = None
) -> tuple[int, int]:
    """#{i < N-k : ref and hyp differ in boundaries among units i..i+k} and N-k."""
    width = window_size(ref_masses) if k is None else k
    hyp, ref = labels(hyp_masses), labels(ref_masses)
    assert len(hyp) == len(ref)
    errors = 0
    for i in range(len(ref) - width):
        in_ref = sum(ref[j] != ref[j + 1] for j in range(i, i + width))
        in_hyp = sum(hyp[j] != hyp[j + 1] for j in range(i, i + width))
        errors += in_ref != in_hyp
    return errors, max(0, len(ref) - width)


# --- Edits and tolerance --------------------------------------------------------------


def edits(a: set[int], b: set[int], near: int) -> dict[str, int]:
    """Drop common ones; pair i, i+d of opposite sides, d < near; the rest is added."""
    only_a, only_b = a - b, b - a
    transposed: list[int] = []
    for d in range(1, near):
        for i in sorted(a | b):
            if (i in only_a and i + d in only_b) or (i in only_b and i + d in only_a):
                transposed.append(d)
                only_a -= {i, i + d}
                only_b -= {i, i + d}
    return {
        "matches": len(a & b),
        "additions": len(only_a) + len(only_b),
        "transpositions": len(transposed),
        "distance": sum(transposed),
    }


def edit_scores(counts: dict[str, int], slots: int, near: int) -> dict[str, float]:
    """B = 1 - (A + w) / (A + T + M), S = 1 - (A + w) / slots, w = distance / near."""
    cost = counts["additions"] + Fraction(counts["distance"], near)
    boundaries = counts["additions"] + counts["transpositions"] + counts["matches"]
    return {
        "boundary_similarity": ratio(boundaries - cost, boundaries),
        "segmentation_similarity": ratio(slots - cost, slots),
    }


# --- Several references ---------------------------------------------------------------


def either(candidate: set[int], references: list[set[int]]) -> dict[str, int]:
    """fp: only the candidate has it; fn: every reference has it, not the candidate."""
    somewhere = set[int]().union(*references)
    everywhere = {j for j in somewhere if all(j in ref for ref in references)}
    return {
        "fp": len(candidate - somewhere),
        "fn": len(everywhere - candidate),
        "slots_sum": sum(len(reference) for reference in references),
        "m": len(references),
    }


def either_ser(counts: dict[str, int]) -> float:
    """(fp + fn) / (slots_sum / m), over the mean number of reference boundaries."""
    return ratio((counts["fp"] + counts["fn"]) * counts["m"], counts["slots_sum"])


def consensus(references: list[set[int]], k: int | None = None) -> set[int]:
    """Positions with d_j >= k, default majority k = floor(m/2) + 1."""
    needed = len(references) // 2 + 1 if k is None else k
    return {j for j, d_j in votes(references).items() if d_j >= needed}


# --- Agreement of the references ------------------------------------------------------


def fleiss_from_table(table: list[tuple[int, int]], m: int) -> float:
    """(P - Pe)/(1 - Pe), P = mean of (sum_c n_ic^2 - m)/(m(m-1)), Pe = sum_c p_c^2."""
    n = len(table)
    if n == 0 or m < 2:
        return nan
    agreeing = sum(yes**2 + no**2 - m for yes, no in table)
    observed = Fraction(agreeing, n * m * (m - 1))
    p_yes = Fraction(sum(yes for yes, _ in table), n * m)
    p_no = Fraction(sum(no for _, no in table), n * m)
    expected = p_yes**2 + p_no**2
    return ratio(observed - expected, 1 - expected)


def fleiss_kappa(references: list[set[int]], slots: int) -> float:
    """Fleiss' kappa of m binary ratings over every position in range(slots)."""
    d, m = votes(references), len(references)
    return fleiss_from_table([(d[j], m - d[j]) for j in range(slots)], m)


def fleiss_kappa_boundaries(references: list[set[int]]) -> float:
    """Fleiss' kappa of m binary ratings over the positions with d_j > 0 only."""
    d, m = votes(references), len(references)
    return fleiss_from_table([(d_j, m - d_j) for d_j in d.values()], m)


def krippendorff_alpha(references: list[set[int]], slots: int) -> float:
    """1 - sum_{c!=k} o_ck / (sum_{c!=k} n_c n_k / (n-1)), o_ck the coincidences."""
    m = len(references)
    if m < 2 or slots == 0:
        return nan
    pairs = Counter(
        (j in first, j in second)
        for j in range(slots)
        for first, second in permutations(references, 2)
    )
    yes, no = True, False
    o = {(c, k): Fraction(pairs[c, k], m - 1) for c in (yes, no) for k in (yes, no)}
    n_yes, n_no = o[yes, yes] + o[yes, no], o[no, yes] + o[no, no]
    observed = o[yes, no] + o[no, yes]
    expected = 2 * n_yes * n_no / (n_yes + n_no - 1)
    return ratio(expected - observed, expected)


def pearson(x: list[float], y: list[float]) -> float:
    """r = Sxy / sqrt(Sxx Syy), the sums of products of deviations taken exactly."""
    n = len(x)
    if n < 2:
        return nan
    mean_x, mean_y = sum(map(Fraction, x)) / n, sum(map(Fraction, y)) / n
    dx, dy = [Fraction(v) - mean_x for v in x], [Fraction(v) - mean_y for v in y]
    sxy = sum(p * q for p, q in zip(dx, dy, strict=True))
    sxx, syy = sum(p * p for p in dx), sum(q * q for q in dy)
    if sxx == 0 or syy == 0:
        return nan
    return sqrt(sxy * sxy / (sxx * syy)) * (-1 if sxy < 0 else 1)
