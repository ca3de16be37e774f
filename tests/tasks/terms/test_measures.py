import contextlib
import io
import math
import random
import warnings
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.tasks.terms import measures
from caesura.tasks.terms.measures import TermCounts, Terms
from support import reference_terms
from support.rates import scores
from support.speech_corpora import (
    PAIR,
    PHONES,
    WORDS,
    Corpus,
    Maker,
    classes,
    counted,
    discovered,
    numbers,
)

RANDOM = st.randoms(use_true_random=False)
MEASURES = ("boundary", "token", "type", "grouping")


def rates(counts, measure):
    matches = getattr(counts, measure)
    return matches.precision, matches.recall


# --- Against the published tool -------------------------------------------------------


class Tool:
    """zerospeech-tde on a corpus; what it prints is thrown away."""

    def __init__(self, corpus, folder):
        pytest.importorskip("tde")
        with contextlib.redirect_stdout(io.StringIO()):
            self._read(corpus, folder)

    def _read(self, corpus, folder):
        from tde.readers.disc_reader import Disc
        from tde.readers.gold_reader import Gold

        paths = [folder / name for name in ("found.class", "gold.phn", "gold.wrd")]
        for path, text in zip(paths, corpus.text, strict=True):
            path.write_text(text)
        found, phones, words = map(str, paths)
        self.gold = Gold(wrd_path=words, phn_path=phones)
        self.disc = Disc(found, self.gold)

    def scores(self):
        """Precision and recall, or the rate and a number, of each measure."""
        from tde.measures.boundary import Boundary
        from tde.measures.coverage import Coverage
        from tde.measures.grouping import Grouping
        from tde.measures.ned import Ned
        from tde.measures.token_type import TokenType

        boundary, tokens = Boundary(self.gold, self.disc), TokenType(self.gold, self.disc)
        coverage, ned, grouping = (
            Coverage(self.gold, self.disc), Ned(self.disc), Grouping(self.disc),
        )  # fmt: skip
        boundary.compute_boundary()
        tokens.compute_token_type()
        coverage.compute_coverage()
        grouping.compute_grouping()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Mean of empty slice", RuntimeWarning)
            warnings.filterwarnings("ignore", "invalid value encountered", RuntimeWarning)
            ned.compute_ned()
        (token_p, type_p), (token_r, type_r) = tokens.precision, tokens.recall
        return {
            "boundary": (boundary.precision, boundary.recall),
            "token": (token_p, token_r),
            "type": (type_p, type_r),
            "grouping": (grouping.precision, grouping.recall),
            "coverage": (coverage.coverage, coverage.n_phones),
            "ned": (ned.ned, ned.n_pairs),
            "intervals": (len(self.disc.intervals), sum(map(len, self.disc.clusters.values()))),
        }

    def is_ambiguous(self):
        """Whether a hit depends on the order of a set: on which of two words covered alike."""
        from tde.utils import overlap

        for file, on, off, _, ngram in self.disc.intervals:
            parts = [
                (overlap((on, off), (word[0], word[1]))[0], word)
                for word in self.gold.words[file].overlap(on, off)
            ]
            best = [word for part, word in parts if part == max(parts)[0]]
            hits = {self.spelled(file, word) == ngram for word in best}
            if len(best) > 1 and True in hits:
                return True
        return False

    def spelled(self, file, word):
        return tuple(phone[2] for phone in sorted(self.gold.phones[file].overlap(word[0], word[1])))


def our_scores(corpus):
    counts = corpus.counted()
    found = sum(map(len, corpus.clusters.values()))
    return {measure: rates(counts, measure) for measure in MEASURES} | {
        "coverage": (counts.coverage, counts.phones),
        "ned": (counts.ned, counts.ned_pairs),
        "intervals": (counts.intervals, found - counts.dropped),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "fine"), [(0, 1), (1, 10)])
def test_equals_the_published_tool(seed, fine, tmp_path):
    pytest.importorskip("tde")
    chance, unclear = random.Random(seed), 0
    for _ in range(250):
        corpus = Maker(chance, fine=fine).corpus()
        if not corpus.clusters:
            continue
        tool = Tool(corpus, tmp_path)
        if tool.is_ambiguous():
            unclear += 1
            continue
        ours, theirs = our_scores(corpus), tool.scores()
        for name, pair in theirs.items():
            assert ours[name] == pytest.approx(pair, abs=1e-12, nan_ok=True), (name, corpus.text)
    assert unclear < 25


# --- Against the twins ----------------------------------------------------------------


def made(chance, **options):
    """A corpus whose words are not silence, without intervals that floats and sets blur."""
    corpus = Maker(chance, **options).corpus()
    words = [word for word in corpus.words if word[3] != "SIL"]
    corpus = Corpus(corpus.phones, words, corpus.clusters or {"1": []})
    return corpus.only(lambda each: is_clear(each, corpus))


def is_clear(each, corpus):
    """Whether all words that an interval covers the most of are spelled alike."""
    best = reference_terms.most_covered(each, corpus.words)
    spelled = {reference_terms.labels(reference_terms.covered(w[:3], corpus.phones)) for w in best}
    return len(spelled) < 2


@given(RANDOM)
def test_2017_equals_its_twins(chance):
    corpus = made(chance, halves=False)
    counts, gold = corpus.counted(), (corpus.clusters, corpus.phones, corpus.words)
    assert numbers(counts, "boundary") == reference_terms.boundary(*gold)
    assert numbers(counts, "token") == reference_terms.token(*gold)
    assert (counts.covered, counts.phones) == reference_terms.coverage(*gold[:2])
    assert numbers(counts, "grouping") == reference_terms.grouping(*gold[:2])
    total, pairs = reference_terms.ned(*gold[:2])
    assert counts.ned_pairs == pairs
    expected = reference_terms.ratio(total, pairs)
    assert counts.ned == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(RANDOM, st.sampled_from([1, 10]))
def test_paper_equals_its_twins(chance, fine):
    corpus = made(chance, fine=fine)
    counts, gold = corpus.counted("paper"), (corpus.clusters, corpus.phones, corpus.words)
    assert numbers(counts, "boundary") == reference_terms.paper_boundary(*gold)
    assert numbers(counts, "token") == reference_terms.paper_token(*gold)


@given(RANDOM)
def test_the_profiles_differ_in_boundary_token_and_type_only(chance):
    corpus = made(chance)
    one, other = corpus.counted("2017"), corpus.counted("paper")
    same = [name for name in TermCounts.__match_args__ if not name.startswith(("bou", "tok", "ty"))]
    assert len(same) == 9
    assert {name: getattr(one, name) for name in same} == {
        name: getattr(other, name) for name in same
    }


def test_paper_by_hand():
    """.529 is 29 ms from .5, .670 exactly 30 ms from .7, .471 and .729 on the other side."""
    counts = counted(classes("f1 .529 .671", "f1 .471 .729"), profile="paper")
    assert numbers(counts, "boundary") == (2, 4, 8)
    assert numbers(counts, "token") == (1, 2, 5)
    counts = counted(classes("f1 .500 .670", "f1 .530 .700"), profile="paper")
    assert numbers(counts, "boundary") == (2, 4, 8)
    assert numbers(counts, "token") == (0, 2, 5)


def test_paper_needs_words_whose_edges_are_phone_boundaries():
    phones, words = "f 0 .1 a\nf .1 .2 b\n", "f .01 .1 A\nf .1 .2 B\n"
    counts = counted(classes("f .01 .1, f .1 .2"), phones, words, profile="paper")
    assert numbers(counts, "boundary") == (2, 3, 3)
    assert numbers(counts, "token") == (1, 2, 2)


@pytest.mark.parametrize("shift", ["0", "0.5", "0.7", "100"])
def test_midway_the_earlier_is_taken_unless_doubles_decide(shift):
    """A phone of 50 ms; the middle is 25 ms from both, as near as floats tell."""
    on, off, middle = (Decimal(shift) + Decimal(each) for each in ("0.1", "0.15", "0.125"))
    end = off + Decimal("0.1")
    phones = f"f 0 {on} x\nf {on} {off} a\nf {off} {end} b\n"
    gold = phones, f"f {on} {end} ab\nf 0 {on} x\n"
    found = classes(f"f {middle} {end}")
    assert counted(found, *gold, profile="paper").token_hits == 1
    earlier = float(middle) - float(on) <= float(off) - float(middle)
    assert counted(found, *gold, profile="paper", ties="double").token_hits == earlier


def test_exactly_midway_is_the_earlier():
    phones, words = "f 0 .5 a\nf .5 .53125 b\nf .53125 1 c\n", "f .5 1 bc\n"
    counts = counted(classes("f .515625 1"), phones, words, profile="paper")
    assert numbers(counts, "token") == (1, 1, 1)


# --- Sums -----------------------------------------------------------------------------


def in_each(corpus, profile):
    """The counts of each recording, from the whole corpus."""
    found = discovered(*corpus.text)
    return [Terms(profile).count(found, np.array([at])) for at in range(len(corpus.files))]


@given(RANDOM, st.sampled_from(["2017", "paper"]))
def test_recordings_add(chance, profile):
    """Boundaries, tokens and phones are sums over recordings; NED, if no cluster spans two."""
    every = [n for n in TermCounts.__match_args__ if not n.startswith(("type", "grouping"))]
    simple = [n for n in every if n.startswith(("boundary", "token")) or n in ("covered", "phones")]
    for corpus, names in ((made(chance), simple), (made(chance).within_recordings(), every)):
        some = Corpus(corpus.phones, corpus.words, corpus.clusters or {"1": []})
        whole, total = some.counted(profile), sum(in_each(some, profile))
        assert [getattr(whole, name) for name in names] == [getattr(total, name) for name in names]


@given(RANDOM, st.sampled_from(["2017", "paper"]))
def test_a_recording_of_the_corpus_is_scored_as_if_it_were_alone(chance, profile):
    corpus = made(chance)
    for file, counts in zip(corpus.files, in_each(corpus, profile), strict=True):
        assert counts == corpus.of(file).counted(profile)


@given(RANDOM)
def test_the_order_of_clusters_and_intervals_makes_no_difference(chance):
    corpus = made(chance)
    turned = {name: some[::-1] for name, some in reversed(corpus.clusters.items())}
    assert corpus.counted() == Corpus(corpus.phones[::-1], corpus.words, turned).counted()


# --- NED of large clusters ------------------------------------------------------------


def crowd(size, seed=0):
    """One cluster of many intervals on a long recording of random phones."""
    chance = random.Random(seed)
    labels = chance.choices(["a", "b", "c", "SIL"], k=600)
    phones = "".join(f"f {at / 10} {(at + 1) / 10} {label}\n" for at, label in enumerate(labels))
    starts = [(at, at + chance.randint(1, 8)) for at in chance.choices(range(590), k=size)]
    return "Class 1\n" + "".join(f"f {a / 10} {b / 10}\n" for a, b in starts), phones, "f 0 1 w\n"


def test_a_large_cluster_has_more_than_64_strings():
    here = discovered(*crowd(300)).transcribed()
    assert np.unique(here.types).size > measures.SMALL


@given(RANDOM, st.sampled_from([0, 64]), st.sampled_from([1, 7, 1 << 21]))
def test_ned_is_the_same_on_both_paths(chance, small, cells):
    corpus = made(chance)
    usual = corpus.counted()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "SMALL", small)
        patch.setattr(measures, "CELLS", cells)
        assert corpus.counted() == usual


def test_a_large_cluster_against_its_twin():
    found, phones, words = crowd(90)
    gold = [(f, Decimal(a), Decimal(b), c) for f, a, b, c in map(str.split, phones.splitlines())]
    each = [(f, Decimal(a), Decimal(b)) for f, a, b in map(str.split, found.splitlines()[1:])]
    total, pairs = reference_terms.ned({"1": each}, gold)
    counts = counted(found, phones, words)
    assert (counts.ned, counts.ned_pairs) == pytest.approx((float(total / pairs), pairs), rel=1e-12)


# --- Rates by hand --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "found", "gold", "over", "r_value"),
    [
        (8, 8, 8, 0, 1),
        (4, 4, 8, -0.5, 1 - math.sqrt(0.5) / 2),
        (8, 16, 8, 1, 1 - (1 + 1 / math.sqrt(2)) / 2),
        (0, 0, 8, -1, 1 - math.sqrt(2) / 2),
        (6, 8, 8, 0, 1 - (0.25 + 0.25 / math.sqrt(2)) / 2),
        (0, 5, 0, math.nan, math.nan),
    ],
)
def test_over_segmentation_and_r_value(hits, found, gold, over, r_value):
    values = {"boundary_hits": hits, "boundary_found": found, "boundary_gold": gold}
    counts = TermCounts(**TermCounts.zero().to_dict() | values)
    expected = (over, r_value)
    got = (counts.over_segmentation, counts.r_value)
    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)
    twin = reference_terms.r_value(hits, found, gold)
    assert counts.r_value == pytest.approx(twin, abs=1e-12, nan_ok=True)


def test_homophones_put_a_ceiling_on_type_recall():
    phones = "f 0 .1 a\nf .1 .2 b\nf .2 .3 a\nf .3 .4 b\nf .4 .5 c\n"
    words = "f 0 .2 see\nf .2 .4 sea\nf .4 .5 c\n"
    counts = counted(classes("f 0 .2, f .2 .4", "f .4 .5"), phones, words)
    assert numbers(counts, "token") == (3, 3, 3)
    assert numbers(counts, "type") == (2, 2, 3)
    assert counts.type_ceiling == counts.type.recall == 2 / 3


def test_one_word_said_in_two_ways_lets_type_recall_pass_1():
    counts = counted(
        classes("f 0 .1, f .1 .3"), "f 0 .1 a\nf .1 .2 b\nf .2 .3 c\n", "f 0 .1 x\nf .1 .3 x\n"
    )
    assert counts.type.recall == counts.type_ceiling == 2


UNDEFINED = {
    "nothing discovered": ("Class 1\n", PHONES, WORDS),
    "everything dropped": (classes("f1 .580 .620, f1 .590 .610"), PHONES, WORDS),
}


@pytest.mark.parametrize("files", UNDEFINED.values(), ids=UNDEFINED)
def test_without_intervals_there_is_no_precision(files):
    counts = counted(*files)
    for measure in ("boundary", "token", "type"):
        precision, recall = rates(counts, measure)
        assert math.isnan(precision)
        assert (recall, getattr(counts, measure).f1) == (0, 0)
    assert all(map(math.isnan, (*rates(counts, "grouping"), counts.ned)))
    assert (counts.coverage, counts.over_segmentation) == (0, -1)
    assert counts.dropped == files[0].count("f1")


@pytest.mark.parametrize("profile", ["2017", "paper"])
def test_without_words_there_is_no_recall(profile):
    counts = counted(PAIR, PHONES, "f1 0 .5 SIL\n", profile=profile)
    for measure in ("boundary", "token", "type"):
        precision, recall = rates(counts, measure)
        assert precision == 0
        assert math.isnan(recall)
    assert math.isnan(counts.r_value)
    assert math.isnan(counts.type_ceiling)
    assert counts.coverage == 0.4


@pytest.mark.parametrize("profile", ["2017", "paper"])
def test_without_anything_all_is_undefined(profile):
    counts = counted("Class 1\n", "f 0 1 SIL\n", "f 0 1 SIL\n", profile=profile)
    assert counts == TermCounts.zero()
    assert all(map(math.isnan, scores(counts).values()))


def test_a_type_that_is_hit_was_found():
    """The interval is near both edges of the word, but holds too little of it to be transcribed."""
    phones, words = "f 0 .04 a\nf .04 .2 b\n", "f 0 .04 A\n"
    counts = counted(classes("f .015 .021"), phones, words, profile="paper")
    assert numbers(counts, "token") == (1, 1, 1)
    assert counts.type_hits <= counts.type_found


def test_the_score_is_f1_of_the_tokens():
    result = caesura.terms(
        {"1": [("f", 0, 0.4), ("f", 0, 0.2)]},
        phones=[("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b")],
        words=[("f", 0, 0.4, "ab")],
    )
    assert result.score == result.counts.score == pytest.approx(2 / 3)
    assert "|measure:terms|profile:2017|" in result.signature
