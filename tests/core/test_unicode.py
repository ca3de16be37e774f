"""Unicode normalisation in linear time, equal to the standard library's."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core import unicode
from caesura.core.unicode import normalized
from caesura.formats.plain import parse
from support.hypothesis_settings import FEW

FORMS = ["NFC", "NFD", "NFKC", "NFKD"]
# Marks of several classes, some that stand for two marks, letters that combine, Hangul.
CHARACTERS = st.sampled_from(
    "aeΩ ﬁéǖ\u0300\u0301\u0308\u0316\u0327\u0344\u0345\u05b0\u0f71\u0f73\u0f81\u3099"
    "か가ᄀ\u1161\U0001d165"
) | st.characters(exclude_categories=["Cs"])
TEXTS = st.lists(CHARACTERS, max_size=60).map("".join)


@given(TEXTS, st.sampled_from(FORMS))
def test_ordered_texts_are_normalised_alike(text, form):
    ordered = unicode._ordered(form, text)
    assert unicodedata.normalize(form, ordered) == unicodedata.normalize(form, text)


@FEW
@given(TEXTS, TEXTS, st.sampled_from(["\u0301\u0316", "\u0f73", "\u0345\u0308\u0327"]))
def test_long_runs(before, after, marks):
    text = before + marks * 1000 + after
    for form in FORMS:
        assert normalized(form, text) == unicodedata.normalize(form, text)
    assert unicode._has_long_run("a" + "\u0301\u0316" * 500)


@given(TEXTS)
def test_what_is_short_is_left_to_the_library(text):
    assert not unicode._has_long_run(text + "e\u0301" * 1000)


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0f73"])
def test_many_marks_are_not_sorted_by_insertion(monkeypatch, marks):
    """The library gets nothing that it would have to sort."""
    normalize, given = unicodedata.normalize, []

    def noted(form, text):
        given.append(text)
        return normalize(form, text)

    monkeypatch.setattr(unicode.unicodedata, "normalize", noted)
    document = parse("so a" + marks * 20_000 + " it")
    assert document.segmentation.length == 3
    assert all(len(text) == 1 or normalize("NFD", text) == text for text in given)
