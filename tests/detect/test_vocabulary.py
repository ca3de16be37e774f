import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caesura.detect.detector import PARTS, Vocabulary, distinct

VOCABULARY = Vocabulary(("so", "it", "rains"), 64)
WORDS = st.lists(st.text(min_size=1, max_size=9), max_size=20)


@given(WORDS)
def test_rows_do_not_depend_on_the_other_words(words):
    rows = VOCABULARY.rows(words)
    assert rows.shape == (len(words), PARTS)
    for word, row in zip(words, rows, strict=True):
        assert VOCABULARY.rows([word])[0].tolist() == row.tolist()


@given(WORDS)
def test_every_row_is_in_the_table(words):
    for rows in (VOCABULARY.rows(words), VOCABULARY.parts(words)):
        assert ((rows >= 0) & (rows < VOCABULARY.size)).all()
    assert (VOCABULARY.parts(words) > 3).all()


def test_frequent_words_have_one_row_and_others_four():
    assert (VOCABULARY.rows(["it", "unheard-of"]) > 0).sum(axis=1).tolist() == [1, 4]


def test_digits_are_alike():
    assert len(np.unique(VOCABULARY.rows(["1984", "2026", "0000"]), axis=0)) == 1


def test_words_with_the_same_ending_share_parts():
    a, b = VOCABULARY.parts(["evaluation", "segmentation"])
    assert (a == b).tolist() == [False, True, True, True]


def test_a_very_long_word_costs_no_memory():
    assert VOCABULARY.rows(["a" * 1_000_000, "b"]).shape == (2, PARTS)


@given(st.lists(st.sampled_from("abcdé")))
def test_distinct(words):
    different, which = distinct(words)
    assert [different[at] for at in which] == words
    assert len(set(different)) == len(different)
