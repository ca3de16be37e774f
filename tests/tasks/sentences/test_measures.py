"""Rates of sentences, as jiwer and sacrebleu compute them, from sums of counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align.resegmentation import Resegmented
from caesura.core.arrays import even_edges
from caesura.measures.translation import Bleu, BleuCounts, Chrf, ChrfCounts, Ter, TerCounts
from caesura.tasks.sentences.counting import SentenceCounts, Sentences
from support.hypothesis_settings import FEW
from support.random_segments import TOKENS, joined, noisy_pairs

NEAR = {"rel": 1e-9, "abs": 1e-9}
EASY = ["The", "the", "cat", "cats", "sat", "sat.", "on", "mat,", "1,000.5", "U.S.", "it's", "(x)",
        "–", "“quoted”", "ends", "&amp;", "über", "naïve", "5%", "."]  # fmt: skip
TRANSLATIONS = {
    "bleu": (Bleu(), "BLEU", {"force": True}),
    "chrf": (Chrf(), "CHRF", {}),
    "chrf_plus": (Chrf(), "CHRF", {"word_order": 2}),
    "ter": (Ter(), "TER", {}),
}


@pytest.fixture(scope="module")
def jiwer():
    return pytest.importorskip("jiwer")


@pytest.fixture(scope="module")
def sacrebleu():
    return pytest.importorskip("sacrebleu")


@st.composite
def translations(draw, most=6, words=8):
    """Lines of a system and a reference, much alike, some of them empty."""
    word = st.sampled_from(EASY)
    reference = draw(st.lists(st.lists(word, max_size=words), min_size=1, max_size=most))
    changes = [list, lambda x: x[1:], lambda x: x[:-1], lambda x: x[::-1], lambda x: [*x, *x, "."]]
    system = [draw(st.sampled_from([*changes, lambda _: []]))(line) for line in reference]
    return joined(system), joined(reference)


@given(noisy_pairs(most=12, lines=3), TOKENS)
def test_rates_are_those_of_jiwer(jiwer, pair, tokens):
    lines, segments = map(joined, pair)
    found = caesura.resegment(lines, segments, tokens=tokens, units="words")
    counts = Sentences().count(found)
    ours = [" ".join(found.text.compared[a:b]) for a, b in found.spans]
    theirs = [" ".join(found.reference.compared[a:b]) for a, b in found.segments]
    told = jiwer.process_words(theirs, ours)
    assert counts.edits == told.substitutions + told.insertions + told.deletions
    assert counts.words == told.hits + told.substitutions + told.deletions
    assert counts.segments == len(segments)
    if counts.words:
        assert counts.wer == told.wer
        assert counts.cer == jiwer.cer(theirs, ours)
    else:
        assert np.isnan([counts.wer, counts.cer]).all()


def test_rates_of_characters_are_those_of_jiwer(jiwer):
    system, reference = ["今天天气很坏iPhone 15", "我们走"], ["今天天气很好iPhone 14", "我们走吧"]
    found = Resegmented.as_they_are(system, reference, "exact", "auto")
    counts = Sentences().count(found)
    assert (counts.words, counts.edits) == (6 + 2 + 4, 3)
    assert counts.cer == jiwer.cer(reference, system) == 3 / (len("".join(reference)))


@given(translations())
@pytest.mark.parametrize("score", TRANSLATIONS)
def test_scores_are_those_of_sacrebleu(sacrebleu, score, pair):
    system, reference = pair
    measure, kind, options = TRANSLATIONS[score]
    theirs = getattr(sacrebleu, kind)(**options).corpus_score(system, [reference]).score
    found = getattr(measure.count(system, reference), score)
    if any(reference):
        assert found == pytest.approx(theirs, **NEAR)
    elif any(system):
        assert score == "ter" or found == theirs == 0 or np.isnan(found)
    else:
        assert np.isnan(found)


@FEW
@given(translations(most=8), st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("score", TRANSLATIONS)
def test_resampled_scores_are_those_of_sacrebleu(sacrebleu, score, pair, seed):
    """From arrays of sums, as a bootstrap makes them."""
    system, reference = pair
    measure, kind, options = TRANSLATIONS[score]
    size = len(reference)
    parts = measure.count_parts(system, reference, np.arange(size + 1))
    assert sum(parts[1:], parts[0]) == measure.count(system, reference)
    drawn = np.random.default_rng(seed).integers(size, size=(6, size))
    table = np.array([list(each.to_dict().values()) for each in parts])
    counts = type(parts[0])(*table[drawn].sum(axis=1).T)
    metric = getattr(sacrebleu, kind)(**options)
    for found, rows in zip(getattr(counts, score), drawn.tolist(), strict=True):
        chosen = ([side[at] for at in rows] for side in (system, reference))
        ours, theirs = chosen
        if any(theirs):
            assert found == pytest.approx(metric.corpus_score(ours, [theirs]).score, **NEAR)


# N-grams that match and that there are, by order; the lengths of both sides.
COUNTS = {
    "all right": ((4, 3, 2, 1), (4, 3, 2, 1), (4, 4)),
    "no bigram": ((2, 0, 0, 0), (4, 3, 2, 1), (4, 4)),
    "no trigram": ((3, 1, 0, 0), (4, 3, 2, 1), (4, 6)),
    "nothing": ((0, 0, 0, 0), (4, 3, 2, 1), (4, 4)),
    "no words": ((0, 0, 0, 0), (0, 0, 0, 0), (0, 4)),
    "too short for 4-grams": ((3, 2, 1, 0), (3, 2, 1, 0), (3, 3)),
    "too short for anything else": ((1, 0, 0, 0), (1, 0, 0, 0), (1, 9)),
    "longer": ((4, 3, 2, 1), (9, 8, 7, 6), (9, 4)),
}


def test_smoothing_is_that_of_sacrebleu(sacrebleu):
    wanted = {
        name: sacrebleu.BLEU.compute_bleu(list(right), list(total), *lengths, "exp").score
        for name, (right, total, lengths) in COUNTS.items()
    }
    found = {
        name: BleuCounts(*lengths, *right, *total).bleu
        for name, (right, total, lengths) in COUNTS.items()
    }
    assert found == pytest.approx(wanted, **NEAR)
    rows = [[*lengths, *right, *total] for right, total, lengths in COUNTS.values()]
    assert BleuCounts(*np.array(rows).T).bleu == pytest.approx([*wanted.values()], **NEAR)


@given(st.lists(st.integers(0, 5), min_size=24, max_size=24))
def test_any_sums_of_chrf_are_those_of_sacrebleu(sacrebleu, drawn):
    values = [
        each for at in range(0, 24, 3) for each in (*drawn[at : at + 2], min(drawn[at : at + 3]))
    ]
    if not any(values):
        return
    for score, options in (("chrf", {}), ("chrf_plus", {"word_order": 2})):
        metric = sacrebleu.CHRF(**options)
        size = 3 * metric.order
        theirs = metric._compute_f_score(values[:size])
        if any(values[:size]):
            assert getattr(ChrfCounts(*values), score) == pytest.approx(theirs, **NEAR)


def test_what_is_undefined():
    assert np.isnan(SentenceCounts(1, 0, 3, 0, 5).wer)
    assert np.isnan(TerCounts(3, 0).ter)
    assert TerCounts(3, 2).ter == 150


@pytest.mark.parametrize("tokenize", ["13a", "intl", "char", "zh", "none"])
def test_tokenizers_are_those_of_sacrebleu(sacrebleu, tokenize):
    system, reference = ["U.S. it's 5%, 天气很好 (x)", ""], ["The U.S. is 5% 天气好 (x).", "y"]
    metric = sacrebleu.BLEU(tokenize=tokenize, force=True)
    theirs = metric.corpus_score(system, [reference])
    assert Bleu(tokenize).count(system, reference).bleu == pytest.approx(theirs.score, **NEAR)
    assert Bleu(tokenize).signature.split(",") == str(metric.get_signature()).split("|")


def test_edges_of_blocks_are_even():
    for size in (1, 2, 999, 1000, 1001, 4321):
        edges = even_edges(size, in_blocks=True)
        sizes = np.diff(edges)
        assert (edges[0], edges[-1], sizes.size) == (0, size, min(1000, size))
        assert sizes.max() - sizes.min() <= 1
