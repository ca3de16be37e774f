"""Signals for the page: packed numbers, boundaries and labelled spans of each version."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.json_values import plain
from caesura.output.report.readings import taken
from caesura.output.report.views import (
    ClockReading,
    PackedSpans,
    packed,
    packed_places,
    places,
    unpacked,
)


@given(st.lists(st.integers(0, 1 << 53)), st.sampled_from([1, 7, 10_000]))
def test_numbers_come_back(values, unit):
    values = [each // unit * unit for each in values]
    assert unpacked(packed(np.array(values, np.int64))).tolist() == values


def test_a_million_places_are_a_few_bytes_each():
    moments = np.cumsum(np.random.default_rng(1).integers(1, 100, 1_000_000)) * 10_000
    assert len(packed_places(moments)) < 1_400_000
    assert (places(packed_places(moments)) == moments).all()


def kept(systems, references, axis="time"):
    (found,) = caesura.evaluate(systems, references, axis=axis).readings()
    return taken(found)


def spans_of(reading, name):
    own = reading.spans[name]
    starts, lengths = places(own.starts).tolist(), unpacked(own.lengths).tolist()
    labels = [(*own.names, "")[code - 1] for code in unpacked(own.codes).tolist()]
    return [(a / 1e6, (a + b) / 1e6, c) for a, b, c in zip(starts, lengths, labels, strict=True)]


def test_labels_and_words_are_spans(folder):
    words = (".5 .5 so", "1 1 we", "4 1 left.", "6 1 They", "7 1 slept.")
    folder(
        **{
            "gold.txt": "0.0\tIntro\n2.5\tVerse\n9\tEnd\n",
            "ours.lab": "0 2 a\n2 9 b\n1 3 a\n",
            "said.ctm": "".join(f"d 1 {word}\n" for word in words),
        }
    )
    reading = kept({"ours": "ours.lab"}, {"gold": "gold.txt", "said": "said.ctm"})
    assert (reading.axis, reading.length) == ("time", 9_000_000)
    assert spans_of(reading, "gold") == [(0, 2.5, "Intro"), (2.5, 9, "Verse")]
    assert spans_of(reading, "ours") == [(0, 2, "a"), (1, 3, "a"), (2, 9, "b")]
    assert spans_of(reading, "said") == [(0.5, 5, "so we left."), (6, 8, "They slept.")]
    assert places(reading.references["gold"]).tolist() == [2_500_000]


def test_scores_are_bytes(folder, tmp_path):
    np.save(tmp_path / "ours.npy", np.array([0, 0.5, 1, 0.2], np.float32))
    folder(**{"gold.txt": "2\n"})
    reading = kept({"ours": str(tmp_path / "ours.npy")}, {"gold": "gold.txt"}, axis="samples")
    assert (reading.axis, reading.length, reading.scores["ours"][:4]) == ("samples", 4, "/3/+")


SPANS = PackedSpans(starts="1:AAM=", lengths="1:AwQ=", codes="1:AQA=", names=("a",))
READING = ClockReading(
    document="d", tolerance=1, references={"r": "1:Aw=="}, systems={"s": "1:BA=="}, length=9,
    axis="samples", spans={"s": SPANS},
)  # fmt: skip


def test_systems_of_two_runs_are_joined():
    both = READING.joined(READING.renamed("t"))
    assert ([*both.systems], [*both.spans]) == (["s", "t"], ["s", "t"])
    assert taken(plain(both)) == both


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"systems": {"s": "1:Cg=="}}, "boundaries beyond its end"),
        ({"systems": {"s": "1:gA=="}}, "a number without an end"),
        ({"systems": {"s": "x:AA=="}}, "a number that is too large"),
        ({"systems": {"s": "1:****"}}, "base64"),
        ({"length": -1}, "a length that cannot be"),
        ({"spans": {"s": {**plain(SPANS), "names": []}}}, "spans that do not lie on its axis"),
    ],
)
def test_what_is_damaged_is_refused(change, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        taken(plain(READING) | change)
