"""Pk and WindowDiff as in NLTK, in segeval and in Choi's program."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.align.versions import require_one_axis
from caesura.communities.topics.measures import Choi, ChoiCounts, ConventionCounts, Conventions
from caesura.core.batch import SegmentationBatch
from caesura.core.segmentation import NO_BREAK, Document
from caesura.errors import WordsDifferError
from caesura.formats.script import to_document
from caesura.formats.topics import parse_choi
from caesura.measures.windows import Windows
from support import reference_topics
from support.hypothesis_settings import MANY
from support.strategies import FINALS, at, each_of, masses, pairs, segmentations

WIDTHS = st.integers(0, 40)
SENTENCES = st.lists(st.integers(1, 9), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def nltk():
    return pytest.importorskip("nltk.metrics.segmentation")


def document(segmentation, sizes):
    """A document of sentences with some numbers of words."""
    sentences = (NO_BREAK.join("x" * size) for size in sizes)
    return Document(segmentation, " ".join(sentences), "choi", is_verbatim=True)


@MANY
@given(pairs(), WIDTHS, FINALS)
def test_equal_their_twins(pair, k, final):
    counts = Conventions(k, final).count(*pair)
    strings = [reference_topics.symbols(each, final) for each in pair]
    own = Windows(k).count(*pair)
    assert counts == ConventionCounts(
        *reference_topics.nltk_windows(*strings, k),
        own.pk_errors,
        own.windowdiff_errors,
        own.windows,
    )


@pytest.mark.slow
@given(pair=pairs().filter(lambda pair: len(pair[0]) > 0), final=FINALS)
def test_nltk_gives_the_same(nltk, pair, final):
    counts = Conventions(0, final).count(*pair)
    hypothesis, wanted = (reference_topics.symbols(each, final) for each in pair)
    k = round(len(wanted) / (2 * max(1, wanted.count("1"))))
    assert counts.pk_nltk == pytest.approx(nltk.pk(wanted, hypothesis), rel=1e-12)
    found = nltk.windowdiff(wanted, hypothesis, k)
    assert counts.windowdiff_nltk == pytest.approx(found, rel=1e-12)


@given(st.lists(pairs(), min_size=1, max_size=5), WIDTHS, FINALS)
def test_many_documents_are_counted_as_each(many, k, final):
    sides = (SegmentationBatch.from_segmentations(side) for side in zip(*many, strict=True))
    found = each_of(Conventions(k, final).count_each(*sides), len(many))
    assert found == [Conventions(k, final).count(*pair) for pair in many]


def test_all_five_differ():
    """The example of the docs."""
    ours, gold = masses(2, 3, 6), masses(5, 6)
    counts = Conventions().count(ours, gold)
    assert (counts.pk_segeval, counts.windowdiff_segeval) == (0.25, 0.25)
    assert (counts.pk_nltk, counts.windowdiff_nltk) == (0, pytest.approx(1 / 3))
    kept = Conventions(final="keep").count(ours, gold)
    assert (kept.pk_nltk, kept.windowdiff_nltk) == (pytest.approx(2 / 9), pytest.approx(2 / 9))


def test_nltk_calls_all_right_where_its_window_sees_nothing(nltk):
    counts = Conventions(final="keep").count(masses(4), masses(1, 1, 1, 1))
    assert counts.pk_nltk == nltk.pk("1111", "0001") == 0
    assert counts.pk_segeval == 1


def test_undefined_without_a_window():
    counts = Conventions(9).count(at(4), at(4))
    assert counts == ConventionCounts.zero()
    rates = counts.windowdiff_nltk, counts.pk_nltk, counts.pk_segeval
    assert all(map(math.isnan, rates))


@given(pairs().filter(lambda pair: len(pair[0]) > 0), st.data())
def test_choi_equals_its_twin(pair, data):
    length = len(pair[0])
    sizes = data.draw(st.lists(st.integers(1, 9), min_size=length, max_size=length))
    units = []
    for each in pair:
        ends = pairwise([0, *(each.boundaries + 1).tolist()])
        units.append([["x"] * sum(sizes[start:end]) for start, end in ends])
    counts = Choi().count(*(document(each, sizes) for each in pair))
    assert counts == ChoiCounts(*reference_topics.choi_pk(*units))


def test_choi_counts_words_and_rounds_half_up():
    """Units of 3 and 2 words: k is 1.25, so 1; of 5 and 5, 2.5, so 3, where half to even is 2."""
    counts = Choi().count(document(masses(2), (3, 2)), document(masses(1, 1), (3, 2)))
    assert counts == ChoiCounts(errors=1, windows=4)
    counts = Choi().count(document(masses(2), (5, 5)), document(masses(1, 1), (5, 5)))
    assert counts == ChoiCounts(errors=3, windows=7)


@given(segmentations().filter(len))
def test_without_words_every_item_counts_as_one(same):
    found, sizes = Document(same), [1] * len(same)
    assert Choi().count(found, found) == Choi().count(document(same, sizes), document(same, sizes))


def read(text):
    return to_document(parse_choi(text)[0])


def test_choi_of_nothing():
    empty = Document(at(0))
    assert Choi().count(empty, empty) == ChoiCounts(0, 0)


def test_choi_projects_boundaries_onto_the_sentences_of_the_reference():
    gold, ours = read("a b\nc d\n=====\ne f\ng h\n"), read("a b\nc x\n=====\ne f\ng h\n")
    assert Choi().count(ours, gold).errors == 0
    with pytest.raises(WordsDifferError, match=r"at sentence 2: here “c \[x\]”, in .*“c \[d\]”"):
        require_one_axis(gold, [ours])
