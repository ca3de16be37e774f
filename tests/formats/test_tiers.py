"""One tier of a TextGrid or an ELAN file, chosen by its name."""

import pytest

from support.interval_files import eaf as elan
from support.interval_files import grid, speakers
from support.pieces import document, message, pieces

PHONES = [(0, 0.5, ""), (0.5, 1, "s"), (1, 1.25, "?"), (1.5, 2, "t")]
GRID = grid(words=[(0.5, 2, "so")], phones=PHONES, tones=[(0.7, "H*")])
ELAN = elan(Ann=[(0, 2000, "so it")], phones=[(0, 500, ""), (500, 900, "s"), (1000, 1400, "ow")])


def edges(document):
    return (document.track.edges / 1e6).tolist()


def test_every_edge_counts_also_of_silence():
    assert pieces("textgrid", GRID, "texts", tier="phones") == ["", "s", "?", "t"]
    found = document("textgrid", GRID, "auto", tier="phones")
    assert edges(found) == [0, 0.5, 1, 1.25, 1.5, 2]
    assert edges(document("eaf", ELAN, "auto", tier="phones")) == [0, 0.5, 0.9, 1, 1.4]


def test_intervals_are_units_on_words_or_words_if_they_are_wanted():
    found = document("textgrid", GRID, "auto", tier="phones")
    assert (found.words, found.form) == (["s", "t"], "textgrid-intervals")
    assert found.segmentation.boundaries.tolist() == [0, 1]
    found = document("textgrid", GRID, "intervals", tier="phones")
    assert found.words == ["∅", "s", "?", "t"]
    assert found.segmentation.masses.tolist() == [1, 1, 1, 1]
    assert edges(found) == [0, 0.5, 1, 1.25, 1.5, 2]


def test_a_tier_without_words():
    found = document("textgrid", grid(a=[(0, 1, ""), (1, 2, "")]), "auto", tier="a")
    assert found.text is None
    assert found.segmentation.masses.tolist() == [1, 1]
    assert edges(found) == [0, 1, 2]


def test_a_tier_whose_name_implies_something_else():
    assert document("textgrid", GRID, "auto", tier="words").form == "textgrid-intervals"
    assert pieces("eaf", ELAN, "texts", tier="Ann") == ["so it"]


@pytest.mark.parametrize(
    ("wanted", "tiers", "texts"),
    [
        ("phones?", {"words": "a", "phones": "b"}, ["b"]),
        ("phones?", {"mine": "a"}, ["a"]),
        ("phones?", {"phones?": "a", "phones": "b"}, ["a"]),
        ("phones", {"phones": "a"}, ["a"]),
    ],
)
def test_the_tier_that_is_taken(wanted, tiers, texts):
    text = grid(**{name: [(0, 1, label)] for name, label in tiers.items()})
    assert pieces("textgrid", text, "texts", tier=wanted) == texts


A = [(0, 1, "a")]
BROKEN = [
    ("textgrid", GRID, "phone", "x: no tier 'phone' among 'words', 'phones'; choose one with"),
    ("eaf", ELAN, "phone", "x: no tier 'phone' among 'Ann', 'phones'; choose one with tier=…"),
    ("textgrid", grid(a=A, b=A), "phones?", "x: no tier 'phones' among 'a', 'b'; choose one with"),
    ("textgrid", GRID, "tones", "x:32: the tier 'tones' is a point tier; choose an interval tier"),
    ("textgrid", grid(a=[(1, "a")]), "phones?", "x: no tier 'phones' among its points; choose one"),
    (
        "textgrid",
        grid(a=[*A, (0.5, 2, "b")]),
        "a",
        "x:15: the interval 0.50–2.00 of the tier 'a' begins before the end of 0.00–1.00",
    ),
    (
        "textgrid",
        grid(a=[(1, 0.5, "a")]),
        "a",
        "x:12: the interval 1.00–0.50 of the tier 'a' ends before it begins; fix its times",
    ),
    ("eaf", elan(a=[], b=A), "a", "x: a tier without intervals; choose another with tier=…"),
    ("textgrid", grid(a=A, b=A).replace('"b"', '"a"'), "a", "x: 2 tiers 'a'; give them different"),
    ("rttm", speakers((0, 1, "A")), "phones", "x: no tier 'phones'; its lines are of the types SP"),
]


@pytest.mark.parametrize(("form", "text", "tier", "expected"), BROKEN)
def test_errors(form, text, tier, expected):
    assert message(form, text, tier=tier).startswith(expected)
