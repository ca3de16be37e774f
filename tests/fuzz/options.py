"""Values of options: drawn from what click declares, most of them plausible."""

import click

from caesura.align.normalize import RULES
from caesura.formats.registry import PLAIN, TIMED
from fuzz.values import NUMBERS, WORDS

IMPLAUSIBLE = 0.05
"""How often a value is one that nobody would type."""
SPANS = ("0", "1", "2", "3", "10", "0.5s", "20ms", "1s", "1:30", "-1", "0.4", "99999999999999")
SCORES = {
    "compare": ("f1_mean", "wisebe", "pk_mean", "token_f1", "rgar", "windows"),
    "correlate": ("f1_mean", "wisebe", "pk_mean", "token_f1", "rgar", "windows"),
    "corrections": ("edit_f0_5", "edit_f1", "edit_precision"),
    "score": (
        *("f1_mean", "f1", "pk_mean", "purity_mean", "der", "jer_mean", "sigma_mean", "token_f1"),
        *("morph_f1", "excerpts_cut"),
    ),
    "sentences": ("wer", "cer", "bleu", "ter"),
    "terms": ("boundary_f1", "coverage", "ned"),
    "text": ("token_f1", "sentence_f1"),
    "transcript": ("f1_mean", "wisebe", "pk_mean", "typed_ser_mean"),
    "trees": ("bracket_f1", "tag_f1", "crossing_none"),
}
"""Scores by command."""
SCORED = ("measures", "fail_under", "fail_over")
"""Options that name scores."""
BOUNDS = ("0", "0.5", "1", "1e9", "-1", "0.999", "nan")
FORMS = ("auto", *PLAIN, *TIMED, "tokens", "segmented", "m2")
DETECTORS = (
    *("s1", "every:3", "every:1", "none", "all", "random", "random:7", "pauses", "pauses:0.3"),
    *("fixed:9", "fixed:9:3", "sentences", "paragraphs:20", "fixed", "langchain:9"),
    *("x=every:2", "every:0", "every:x", "every", "random:-1", "pauses:nan", "cmd:", "none:1", "x"),
)
VALUES = {
    "also": (
        *("conventions", "ghd", "coders", "coder_pairs", "choi", "breaks", "sigma", "reading"),
        *("spans", "discourse", "deviation", "changes", "purity", "diarization"),
        *("wisebe", "boundary"),
    ),
    "collar": (*SPANS, "0.25", ".25", "1e400"),
    "axis_from": ("first", "medoid", "x", "r"),
    "background": ("background", "silence", "a", "", "x,y"),
    "baseline": ("s", "t", "x"),
    "consensus": (
        *("majority", "1", "2", "3", "0", "-1", "all", "2/3", "70%", "0.7", "1.0", "1/00", "0%"),
        *("100%", "150%", "nan", "1e400", "9" * 30, "1/3/2", "½", ""),
    ),
    "threshold": ("0.5", "best", "0", "1", "1.5", "nan", "from=nowhere.jsonl", "x=0.5", "best,0.2"),
    "costs": ("2,2,1", "1,1,1", "0,0,0", "3,2,0", "1,2", "1,2,3,4", "-1,2,1", "1000000000000,1,1"),
    "detector": DETECTORS,
    "documents": ("a", "a", "a/x.txt", "b", "x", ""),
    "duration": (*SPANS, "10:00"),
    "encoding": (
        *("utf-8", "utf-8-sig", "latin-1", "cp1252", "ascii", "utf-16", "utf-16-le", "utf-32"),
        *("utf-7", "idna", "punycode", "rot13", "hex", "zlib", "undefined", "unicode_escape"),
        *("raw_unicode_escape", "shift_jis", "big5", "iso2022_jp", "hz", "cp037", "charmap"),
    ),
    "engine": ("", "serial", "serial", "serial", "serial=x"),
    "epochs": ("0.001", "0.01"),
    "equivalences": ("quotes", "english-contractions", "none"),
    "evalb": ("collins", "new"),
    "input": FORMS,
    "jobs": ("1", "2", "3"),
    "level": ("0.5", "0.9", "0.95", "0.99", "0.999999", "1e-9", "0", "1"),
    "marks": (".?!;", ".", ",", "。", "?!", "ea", ". "),
    "metrics": ("auto", "none", "bleu", "chrf", "ter", "bleu,chrf", "ter,ter", "bleu,none", "wer"),
    "minutes": ("0.001", "0.01"),
    "name": ("sample", "wisebe", "wisbe", "f1_mean", "x", ""),
    "normalize": (*RULES, "numbers,hyphens,contractions,fillers", "digits,numbers", "x", ","),
    "resamples": ("1", "2", "3", "20", "50"),
    "run": DETECTORS,
    "select": ("micro", "systems.*.micro.f1_mean", "signature", "f1_mean", "x.y", ""),
    "sample": ("5", "1", "0", "50%", "x"),
    "sets": (".", ".", "nowhere", ""),
    "shard": ("1/2", "2/2", "1/1", "3/2", "0/1", "x"),
    "step": SPANS,
    "talkers": ("^(s\\d)", "(", "x", "^(.)(.)", "^()"),
    "task": ("transcript", "text", "trees", "score", "terms", "x", ""),
    "tier": ("words", "phones", "phones?", "ann", "SPEAKER", "SPEAKER?", "ann - words", "x"),
    "to": FORMS,
    "tokenize": ("auto", "13a", "char", "zh", "intl", "none", "x"),
    "tolerance": SPANS,
    "window": SPANS,
}
"""Values of options that click takes as they are, and of those that larger values make slow.

The other engines have tests of their own; here they would only take long.
"""


def value(command, option, rng):
    """A value of an option that names no file."""
    if rng.random() < IMPLAUSIBLE:
        return rng.choice(rng.choice((WORDS, NUMBERS)))
    if isinstance(option.type, click.Choice):
        return rng.choice(option.type.choices)
    if option.name in VALUES:
        return rng.choice(VALUES[option.name])
    if option.name in SCORED:
        score = rng.choice(SCORES[command.partition(" ")[0]])
        return score if option.name == "measures" else f"{score}={rng.choice(BOUNDS)}"
    return _number(option.type, rng)


def _number(kind, rng):
    """A number at the edges of a range, most often inside."""
    low, high = kind.min or 0, kind.max
    step = 1 if isinstance(kind, click.IntRange) else 0.25
    inside = (low + step * bool(kind.min_open), low + step, low + 2 * step, low + 3 * step)
    large = (high,) if high else (50, 1000, 10**6, 2**31, 2**63, 10**30)
    outside = (low - step, high + step if high else -1)
    return str(rng.choice(rng.choice((inside,) * 9 + (large, large, outside))))
