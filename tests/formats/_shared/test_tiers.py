"""One tier of a TextGrid or an ELAN file, chosen by its name."""

import pytest

from caesura.errors import FormatError
from caesura.formats import eaf, rttm, textgrid
from caesura.formats._shared.script_documents import to_document
from support.interval_files import eaf as elan
from support.interval_files import grid, speakers

PHONES = [(0, 0.5, ""), (0.5, 1, "s"), (1, 1.25, "?"), (1.5, 2, "t")]
GRID = grid(words=[(0.5, 2, "so")], phones=PHONES, tones=[(0.7, "H*")])
TIERS = "'words', 'phones'"
ELAN = elan(Ann=[(0, 2000, "so it")], phones=[(0, 500, ""), (500, 900, "s"), (1000, 1400, "ow")])


def edges(script):
    return (to_document(script).track.edges / 1e6).tolist()


def test_every_edge_counts_also_of_silence():
    (script,) = textgrid.parse(GRID, tier="phones")
    assert script.texts == ["", "s", "?", "t"]
    assert edges(script) == [0, 0.5, 1, 1.25, 1.5, 2]
    assert edges(eaf.parse(ELAN, tier="phones")[0]) == [0, 0.5, 0.9, 1, 1.4]


def test_intervals_are_units_on_words():
    document = to_document(textgrid.parse(GRID, tier="phones")[0])
    assert (document.words, document.form) == (["s", "t"], "textgrid-intervals")
    assert document.segmentation.boundaries.tolist() == [0, 1]


def test_intervals_are_words_if_they_are_wanted():
    document = to_document(textgrid.parse(GRID, tier="phones")[0], units="intervals")
    assert document.words == ["∅", "s", "?", "t"]
    assert document.segmentation.masses.tolist() == [1, 1, 1, 1]
    assert document.track.edges.tolist() == [0, 500_000, 1_000_000, 1_250_000, 1_500_000, 2_000_000]


def test_a_tier_without_words():
    document = to_document(textgrid.parse(grid(a=[(0, 1, ""), (1, 2, "")]), tier="a")[0])
    assert document.text is None
    assert document.segmentation.masses.tolist() == [1, 1]
    assert document.track.edges.tolist() == [0, 1_000_000, 2_000_000]


def test_a_tier_whose_name_implies_something_else():
    assert textgrid.parse(GRID, tier="words")[0].is_tier
    assert eaf.parse(ELAN, tier="Ann")[0].texts == ["so it"]


@pytest.mark.parametrize(
    ("wanted", "names", "found"),
    [
        ("phones?", ["words", "phones"], 1),
        ("phones?", ["mine"], 0),
        ("phones?", ["phones?", "phones"], 0),
        ("phones", ["phones"], 0),
    ],
)
def test_the_tier_that_is_taken(wanted, names, found):
    from caesura.formats._shared.tiers import chosen

    assert chosen(names, wanted, "x") == found


UNKNOWN = "x: no tier 'phone' among 'words', 'phones'; choose one with tier=…"
BROKEN = {
    "unknown": (textgrid, GRID, "phone", UNKNOWN),
    "unknown in ELAN": (
        eaf, ELAN, "phone", "x: no tier 'phone' among 'Ann', 'phones'; choose one with tier=…"
    ),
    "neither the name nor the only one": (
        textgrid, grid(a=[(0, 1, "a")], b=[(0, 1, "b")]), "phones?",
        "x: no tier 'phones' among 'a', 'b'; choose one with tier=…",
    ),
    "points": (
        textgrid, GRID, "tones",
        "x:32: the tier 'tones' is a point tier; choose an interval tier",
    ),
    "only points": (
        textgrid, grid(a=[(1, "a")]), "phones?", "x: no tier 'phones' among its points; choose one",
    ),
    "overlap": (
        textgrid, grid(a=[(0, 1, "a"), (0.5, 2, "b")]), "a",
        "x:15: the interval 0.50–2.00 of the tier 'a' begins before the end of 0.00–1.00",
    ),
    "negative": (
        textgrid, grid(a=[(1, 0.5, "a")]), "a",
        "x:12: the interval 1.00–0.50 of the tier 'a' ends before it begins; fix its times",
    ),
    "overlap in ELAN": (
        eaf, elan(a=[(0, 1000, "a"), (500, 2000, "b")]), "a",
        "x:1: the interval 0.50–2.00 of the tier 'a' begins before the end of 0.00–1.00",
    ),
    "empty": (
        eaf, elan(a=[], b=[(0, 1, "b")]), "a",
        "x: a tier without intervals; choose another with tier=…",
    ),
    "unread": (
        textgrid, grid(phones=[(0, 1, "a")]), "",
        "x: no words in any tier; give an interval tier that contains the words, or choose one of "
        "'phones' with tier=…",
    ),
    "RTTM": (
        rttm, speakers((0, 1, "A")), "phones",
        "x: no tier 'phones'; its lines are of the types SPEAKER; choose tier=\"SPEAKER\"",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("form", "text", "tier", "message"), BROKEN.values(), ids=BROKEN)
def test_errors(form, text, tier, message):
    with pytest.raises(FormatError) as caught:
        form.parse(text, "x", tier=tier)
    assert str(caught.value).startswith(message)


def test_two_tiers_of_one_name():
    text = grid(a=[(0, 1, "a")], b=[(0, 1, "b")]).replace('"b"', '"a"')
    with pytest.raises(FormatError, match="x: 2 tiers 'a'; give them different names"):
        textgrid.parse(text, "x", tier="a")
