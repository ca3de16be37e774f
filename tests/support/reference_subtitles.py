"""Twins of the measures of subtitles, from their definitions, on lists of lines with tokens."""

import math
import re

EOL, EOB = "<eol>", "<eob>"
BREAK = re.compile(f"{EOL}|{EOB}")


def bare(line):
    """A line without breaks."""
    return " ".join(BREAK.sub(" ", line).split())


def with_words(line):
    """A line in which breaks are words that no tokenizer cuts."""
    return " ".join(line.replace(EOL, " µ ").replace(EOB, " § ").split())


def sigma(system, reference):
    """Sigma, BLEU_br, BLEU_nb and alpha; Sigma is nan where a precision of the bound is 0."""
    from sacrebleu.metrics import BLEU

    without = BLEU().corpus_score([*map(bare, system)], [[*map(bare, reference)]])
    found = BLEU().corpus_score([*map(with_words, system)], [[*map(with_words, reference)]])
    breaks = sum(len(BREAK.findall(line)) for line in system)
    words = sum(len(bare(line).split()) for line in system)
    alpha = breaks / words
    p1, p2, p3, p4 = without.precisions
    best = [
        (p1 + 100 * alpha) / (1 + alpha),
        ((1 - alpha) * p2 + 2 * alpha * p1) / (1 + alpha),
        ((1 - 2 * alpha) * p3 + 3 * alpha * p2) / (1 + alpha),
        ((1 - 3 * alpha) * p4 + 4 * alpha * p3) / (1 + alpha),
    ]
    value = math.nan
    if min(best) > 0 and found.bp > 0:
        bound = found.bp * math.exp(sum(map(math.log, best)) / 4)
        value = 100 * found.score / bound
    return {"sigma": value, "bleu_br": found.score, "bleu_nb": without.score, "alpha": alpha}


def ter_br(system, reference):
    """TER with every word masked."""
    from sacrebleu.metrics import TER

    ours, theirs = (
        [re.sub("[^ µ§]+", "#", with_words(line)) for line in side] for side in (system, reference)
    )
    return TER().corpus_score(ours, [theirs]).score


def cpl(system, most=42):
    """The percentage of lines of at most some characters."""
    lines = [each.strip() for each in BREAK.split(" ".join(system))]
    sizes = [len(" ".join(line.split())) for line in lines if line]
    return 100 * sum(size <= most for size in sizes) / len(sizes)


def by_type(system, reference, kind):
    """Precision, recall and F1 of one type of break, where the words are the same."""

    def places(lines):
        found, words = set(), 0
        for token in " ".join(lines).split():
            if token == kind:
                found.add(words)
            elif not BREAK.fullmatch(token):
                words += 1
        return found

    ours, theirs = places(system), places(reference)
    right = len(ours & theirs)
    return (
        right / len(ours) if ours else math.nan,
        right / len(theirs) if theirs else math.nan,
        2 * right / (len(ours) + len(theirs)) if ours or theirs else math.nan,
    )


def masses(lines, kinds):
    """The words between breaks of some kinds, the last `<eob>` left out, by white space."""
    tokens = " ".join(lines).replace(EOL, f" {EOL} ").replace(EOB, f" {EOB} ").split()
    if tokens and tokens[-1] == EOB:
        tokens = tokens[:-1]
    found = [0]
    for token in tokens:
        if token in kinds:
            found.append(0)
        elif token not in (EOL, EOB):
            found[-1] += 1
    return found


def evalsub(system, reference, kinds):
    """EvalSub's P, R and F1 of some kinds of breaks, and segeval's Pk, WindowDiff, S and B."""
    import segeval

    ours, theirs = masses(system, kinds), masses(reference, kinds)
    sides = [{sum(each[: at + 1]) for at in range(len(each))} for each in (ours, theirs)]
    right = len(sides[0] & sides[1])
    precision, recall = right / len(sides[0]), right / len(sides[1])
    f1 = 2 * precision * recall / (precision + recall) if right else 0
    if sum(ours) != sum(theirs):
        return (precision, recall, f1, *[math.nan] * 4)
    k = segeval.compute_window_size(theirs)
    windows = [
        float(each(ours, theirs, window_size=k)) if sum(ours) > k else math.nan
        for each in (segeval.pk, segeval.window_diff)
    ]
    return precision, recall, f1, *windows, *similarities(*map(strings, (ours, theirs)))


def strings(sizes, kind=1):
    """The boundary string of masses, with a type of its own."""
    import segeval

    found = segeval.boundary_string_from_masses(sizes)
    return tuple(frozenset(kind for _ in each) for each in found)


def similarities(ours, theirs):
    """segeval's S and B; nan where it stops, since there is no boundary."""
    import segeval

    if not any(ours + theirs):
        return math.nan, math.nan
    how = {"boundary_format": segeval.BoundaryFormat.sets, "n_t": 2}
    return (
        float(segeval.segmentation_similarity(ours, theirs, **how)),
        float(segeval.boundary_similarity(ours, theirs, **how)),
    )


def typed(system, reference):
    """EvalSub's S and B: blocks are of type 1, lines of type 2."""
    sides = []
    for lines in (system, reference):
        blocks, rows = strings(masses(lines, (EOB,))), strings(masses(lines, (EOL,)), 2)
        sides.append(tuple(a | b for a, b in zip(blocks, rows, strict=True)))
    same = len(sides[0]) == len(sides[1])
    return similarities(*sides) if same else (math.nan, math.nan)


def evalsub_cpl(system, most=42):
    """EvalSub's CPL_conf: every piece between breaks is a line, if it has characters or not."""
    text = " ".join(line.strip() for line in system)
    text = re.sub(f" ?({EOL}|{EOB}) ?", r"\1", text)
    for tag in (EOL, EOB):
        if text.endswith(tag):
            text = text[: -len(tag)]
            break
    pieces = BREAK.split(text)
    return 100 * sum(len(piece) <= most for piece in pieces) / len(pieces)
