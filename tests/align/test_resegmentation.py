"""Texts in the segments of a reference: what holds of any text."""

import random
import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import caesura
from caesura.align import resegmentation as cuts
from caesura.formats.text_files import lines_of
from support.noisy_words import noisy
from support.random_segments import TOKENS, joined, noisy_pairs, references, texts

UNITS = st.sampled_from(["auto", "words", "characters"])


def words_of(lines):
    return [word for line in lines for word in line.split()]


def bare(word):
    """A word in lower case without punctuation at its edges."""
    inner = "".join("x" if unicodedata.category(each)[0] in "LNM" else "." for each in word)
    return word[len(inner) - len(inner.lstrip(".")) : len(inner.rstrip("."))].lower()


def as_compared(lines, tokens):
    """The words of lines as they are compared."""
    how = {"exact": str, "lower": str.lower, "bare": bare}[tokens]
    return [each for word in words_of(lines) if (each := how(word))]


@given(texts(), references(), TOKENS, UNITS)
def test_words_out_are_the_words_in(text, reference, tokens, units):
    found = caesura.resegment(text, reference, tokens=tokens, units=units)
    assert len(found.lines) == len(reference)
    assert "".join(words_of(found.lines)) == "".join(words_of(text))
    assert not any(re.search(r"[\r\n]|^\s|\s$|\s\s", line) for line in found.lines)
    if units == "words":
        assert words_of(found.lines) == words_of(text)


@given(texts(), references(), TOKENS)
def test_edits_are_those_of_the_whole(text, reference, tokens):
    found = caesura.resegment(text, reference, tokens=tokens, units="words")
    least = Levenshtein.distance(as_compared(text, tokens), as_compared(reference, tokens))
    assert found.edits.sum() == found.fit.errors == least
    each = [as_compared([line], tokens) for line in found.lines]
    other = [as_compared([line], tokens) for line in reference]
    assert found.edits.tolist() == [
        Levenshtein.distance(*pair) for pair in zip(each, other, strict=True)
    ]


@given(texts(), references(), TOKENS)
def test_edits_of_characters_are_those_of_the_whole(text, reference, tokens):
    found = caesura.resegment(text, reference, tokens=tokens, units="characters")
    least = Levenshtein.distance(found.text.compared, found.reference.compared)
    assert found.edits.sum() == found.fit.errors == least
    if tokens == "exact":
        assert "".join(found.text.compared) == "".join(words_of(text))


@given(texts(), references(), TOKENS, UNITS)
def test_its_own_output_has_the_same_edits(text, reference, tokens, units):
    first = caesura.resegment(text, reference, tokens=tokens, units=units)
    again = caesura.resegment(first.lines, reference, tokens=tokens, units=units)
    assert again.edits.sum() == first.edits.sum()


@given(references(), st.sampled_from(["exact", "lower"]), UNITS)
def test_the_reference_is_cut_where_it_is(reference, tokens, units):
    """Whatever its segments are; only blank ones may have moved."""
    found = caesura.resegment(reference, reference, tokens=tokens, units=units)
    assert found.edits.tolist() == [0] * len(reference)
    assert [words_of([line]) for line in found.lines] == [words_of([line]) for line in reference]


def test_line_ends_of_any_system():
    for end in ("\n", "\r\n", "\r"):
        text = f"a b{end}{end}c d{end}"
        assert lines_of(text) == ["a b", "", "c d"]
        assert caesura.resegment("a b c d", text).lines == ["a b", "", "c d"]
        assert caesura.resegment(text, "a\nb c d").lines == ["a", "b c d"]


def test_nothing_in_segments():
    for text in ("", [], [""], ["", " "], "\n\n", "\u00a0"):
        found = caesura.resegment(text, ["a b", "", "c"])
        assert found.lines == ["", "", ""]
        assert found.edits.tolist() == [2, 0, 1]
        assert found.slack() == [(0, 0)] * 3


def test_spaces_that_do_not_break_separate_words():
    found = caesura.resegment("10\u00a0km\u202f! on", ["10 km", "! on"])
    assert found.lines == ["10 km", "! on"]
    assert found.edits.sum() == 0


def test_combining_marks_stay_with_their_letters():
    text = "cafe\u0301 ไม่ใช่ か\u3099"
    for units in ("words", "characters"):
        found = caesura.resegment(text, ["cafe\u0301", "ไม่ใช่", "か\u3099"], units=units)
        assert found.lines == ["cafe\u0301", "ไม่ใช่", "か\u3099"]


def test_punctuation_of_bare_words_stays_with_the_word_before():
    found = caesura.resegment("« Yes » , — we LEFT .", ["yes", "We left!"], tokens="bare")
    assert found.lines == ["« Yes » , —", "we LEFT ."]
    assert found.edits.sum() == 0
    for text in ("...", "? !"):
        assert caesura.resegment(text, ["a", "b"], tokens="bare").lines == [text, ""]
    assert caesura.resegment("a b", ["...", "!"], tokens="bare").edits.sum() == 2


def test_scripts_without_spaces_are_cut_between_characters():
    text = "今日は天気がいいiPhone 15を買った"
    found = caesura.resegment(text, ["今日は天気がいい", "iPhone 15を", "買った"])
    assert found.lines == ["今日は天気がいい", "iPhone 15を", "買った"]
    assert found.edits.sum() == 0
    assert len(found.text) == 8 + 2 + 1 + 3
    assert caesura.resegment(text, ["今日は天気がいい"], units="words").edits.sum() == 2
    spaced = caesura.resegment("今日は\u3000天気", ["今日は", "天気"])
    assert spaced.lines == ["今日は", "天気"]
    assert spaced.edits.sum() == 0


def long_pair(vocabulary):
    """A text with errors, and the segments of what was said."""
    own, words = (list(map(str, each)) for each in noisy(700, 0.2, 1, vocabulary=vocabulary))
    ends = sorted(random.Random(vocabulary).choices(range(701), k=60))
    return own, [words[a:b] for a, b in pairwise([0, *ends, 700])]


@pytest.mark.parametrize(("run", "largest", "cells"), [
    (4, 1024, 1 << 22), (1, 2, 100), (2, 8, 1), (3, 64, 5000), (1 << 20, 20, 300),
])  # fmt: skip
@pytest.mark.parametrize("vocabulary", [2, 20, 1000])
def test_long_texts_in_many_matrices(monkeypatch, run, largest, cells, vocabulary):
    monkeypatch.setattr(cuts, "RUN", run)
    monkeypatch.setattr(cuts, "LARGEST", largest)
    monkeypatch.setattr(cuts, "CELLS", cells)
    own, segments = long_pair(vocabulary)
    found = caesura.resegment([" ".join(own)], joined(segments))
    least = Levenshtein.distance(own, [word for each in segments for word in each])
    assert found.edits.sum() == found.fit.errors == least
    assert words_of(found.lines) == own
    assert len(found.lines) == len(segments)


@given(st.lists(noisy_pairs(), min_size=1, max_size=4), st.randoms())
def test_no_cut_crosses_documents(pairs, chance):
    """Each is cut as if it were alone, also if segments of different documents alternate."""
    rows = [(str(at), line) for at, (_, segments) in enumerate(pairs) for line in joined(segments)]
    chance.shuffle(rows)
    docids = [name for name, _ in rows]
    own = {name: " ".join(words_of(joined(pairs[int(name)][0]))) for name in docids}
    result = caesura.evaluate(
        {"s": list(own.values())}, {"r": [line for _, line in rows]}, task="sentences",
        docids=docids, metrics="none", resegment="always",
    )  # fmt: skip
    for name, text in own.items():
        alone = caesura.resegment([text], [line for key, line in rows if key == name])
        assert result.systems["s"].by_document[name]["edits"] == alone.edits.sum()


@pytest.mark.parametrize(
    ("lines", "segment"),
    [
        (["你好", "「是」"], "你好「是」"),
        (["你好，", "１５日"], "你好，１５日"),
        (["ｶﾞｷﾞ", "ｸﾞ"], "ｶﾞｷﾞｸﾞ"),
        (["今天我买的", "iPhone 15", "很好"], "今天我买的 iPhone 15很好"),
    ],
)
def test_lines_of_scripts_without_spaces_are_joined_without(lines, segment):
    found = caesura.resegment(lines, [segment])
    assert found.lines == [segment]
    errors, characters = found.character_edits
    assert (errors.sum(), characters.sum()) == (0, len(segment))
