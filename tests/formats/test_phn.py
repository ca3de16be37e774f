"""Phones in time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.formats.transcripts import read, recordings
from support.pieces import document, message, pieces, script, scripts, told

TIMIT = "0 3050 h#\n3050 4559 sh\n4559 5723 ix\n5723 6642 h#\n"


def spans(text, **options):
    return pieces("phn", text, "texts start end", **options)


def test_seconds_of_several_recordings():
    two, one = scripts("phn", "b 0 0.5 s\nb 0.5 0.75 ih\na 0.10 0.20 x\n")
    assert (two.recording, one.recording) == ("b", "a")
    assert told(two, "texts start end") == [("s", 0, 0.5), ("ih", 0.5, 0.75)]
    assert told(one, "texts start end") == [("x", 0.1, 0.2)]


def test_samples_of_timit():
    assert script("phn", TIMIT, rate=16000).recording == ""
    assert spans(TIMIT, rate=16000)[:2] == [("h#", 0, 0.190625), ("sh", 0.190625, 0.284938)]
    found = document("phn", TIMIT, rate=16000)
    assert found.track.edges.tolist() == [0, 190_625, 284_938, 357_688, 415_125]
    expected = "x:1: times in samples, without their rate; give rate=16000 for TIMIT, or rate=1"
    assert message("phn", TIMIT).startswith(expected)


@pytest.mark.parametrize(
    ("text", "rate", "end"),
    [
        ("0.0 1 a\n1 2 b\n", 0, 2),
        ("0.0 1 a\n1 2 b\n", 16000, 2),
        ("0 1e-1 b\n", 0, 0.1),
        ("0 2 b\n", 1, 2),
        ("f 0 2 b\n", 0, 2),
        ("f 0 2 b\n", 16000, 0.000125),
    ],
)
def test_a_decimal_point_or_a_name_means_seconds(text, rate, end):
    assert spans(text, rate=rate)[-1][::2] == ("b", end)


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_samples_are_rounded(rate, sample):
    found = script("phn", f"{sample} {sample} a\n", rate=rate)
    assert abs(int(found.start[0]) * rate - sample * 1_000_000) * 2 <= rate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.0 1.0\n", ":1: 2 columns; write FILE ON OFF LABEL, or ON OFF LABEL"),
        ("0.0 1.0 a\nf 1.0 2.0 b\n", ":2: 4 columns; "),
        ("0.0 -1.0 a\n", ":1: '-1.0' is not a time; "),
        ("0.0 a 1.0\n", ":1: 'a' is not a time; "),
        ("1.0 0.5 a\n", ":1: the interval 1.00–0.50 of the tier 'of the file' ends before"),
        ("f 0.0 1.0 a\nf 0.5 2.0 b\n", ":2: the interval 0.50–2.00 of the tier 'f' begins"),
    ],
)
def test_broken_files(text, expected):
    assert message("phn", text).startswith(f"x{expected}")


def test_recognised_by_its_name(folder):
    place = folder(**{"one.phn": TIMIT, "two.wrd": "a 0 0.5 so\nb 0 0.5 it\n"})
    found = read(place / "one.phn", rate=16000)
    assert (found.form, found.words[1:3]) == ("phn-intervals", ["sh", "ix"])
    assert recordings(str(place / "two.wrd")) == {"": ["a", "b"]}
    assert recordings(str(place / "one.phn"), rate=16000) == {}


@pytest.mark.slow
def test_many_intervals():
    text = "".join(f"{at} {at + 1} p\n" for at in range(200_000))
    assert document("phn", text, rate=100).track.edges.size == 200_001
