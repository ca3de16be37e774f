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
