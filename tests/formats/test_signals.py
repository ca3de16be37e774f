"""Points and labelled intervals: every way to write them, and what is wrong in one."""

import json

import pytest

from caesura import read
from caesura.core.labels import Labels
from caesura.errors import FormatError
from caesura.formats.detection import detect
from support.pieces import document, message, pieces, script, scripts

POINTS = {
    "120.5\n300\n": [120.5, 300],
    "1:02.5\n1:00:02\n": [62.5, 3602],
    "0:00 Welcome\n4:05 - A long title\n": [0, 245],
    "[120.5, 300]": [120.5, 300],
    "# a comment\n1e2\n\n": [100],
    "": [],
}
INTERVALS = [
    ("", "0.0\t12.5\tverse\n12.5\t20\tchorus one\n"),
    ("", "0 12.5 verse\n12.5 20 chorus one\n"),
    ("a/b.wav", "a/b.wav\tstreet\t0.0\t12.5\tverse\na/b.wav\tstreet\t12.5\t20\tchorus one\n"),
    ("b.wav", "0.0\t12.5\tverse\tb.wav\n12.5\t20\tchorus one\tb.wav\n"),
    ("", "start,end,label\n0,12.5,verse\n12.5,20,chorus one\n"),
    ("b", "filename;onset;offset;event_label\nb;0;12.5;verse\nb;12.5;20;chorus one"),
    ("", '[[0, 12.5, "verse"], [12.5, 20, "chorus one"]]'),
    (
        "",
        '[{"start": 0, "end": 12.5, "label": "verse"},\n'
        '{"start": 12.5, "end": 20, "label": "chorus one"}]',
    ),
    ("", "WEBVTT\n\n00:00.000 --> 00:12.500\nverse\n\n00:12.500 --> 00:20.000\nchorus one\n"),
]


@pytest.mark.parametrize("text", POINTS)
def test_points(text, folder):
    assert pieces("times", text, "start") == POINTS[text]
    folder(a=text)
    assert read("a.txt", axis="time").form.startswith("times")


@pytest.mark.parametrize(("recording", "text"), INTERVALS)
def test_intervals(recording, text):
    found = pieces("labels", text, "start end speakers")
    assert found == [(0, 12.5, "verse"), (12.5, 20, "chorus one")]
    assert script("labels", text).recording == recording


def test_a_label_holds_until_the_next_time_and_the_end_is_the_length():
    text = "0.0\tSilence\n0.25\tIntro\n53.5\tVerse\n260.0\tEnd\n"
    found = pieces("times", text, "end speakers")
    assert found == [(0.25, "Silence"), (53.5, "Intro"), (260, "Verse")]
    assert script("times", text).extent == 260_000_000


def test_frames(folder):
    text = "sil\nsil\npour\npour\npour\nsil\n"
    found = script("labels", text, axis="samples")
    assert (found.start.tolist(), found.end.tolist(), found.extent) == ([0, 2, 5], [2, 5, 6], 6)
    assert pieces("labels", text, "end", axis="time", rate=10) == [0.2, 0.5, 0.6]
    assert "without their rate" in message("labels", text)
    folder(a=text)
    assert read("a.txt", axis="samples").form.startswith("labels")


def test_series_of_annotators_with_and_without_a_length():
    data = {"bank": {"n": 500, "annotations": {"6": [], "7": [90, 53]}}, "apple": {"6": [319]}}
    found = scripts("times", json.dumps(data), axis="samples")
    told = [(each.label, each.start.tolist(), each.extent) for each in found]
    assert told == [("6/bank", [], 500), ("7/bank", [53, 90], 500), ("6/apple", [319], 0)]
    assert found[1].signs == {"unsorted": 1}


def test_a_rate_makes_times_of_samples():
    assert pieces("times", "16000\n32000\n", "start", rate=16000) == [1, 2]


@pytest.mark.parametrize(
    ("form", "axis", "text", "expected"),
    [
        ("times", "time", "1\n-2\n", "2: '-2' is not a time"),
        ("times", "time", "1\nword\n", "2: 'word' does not begin with a time"),
        ("times", "samples", "1\n2.5\n", "2: '2.5' is not a sample"),
        ("times", "time", '{"a":\n {"b": "x"}}', "2: 'a/b' is not a list of points or intervals"),
        ("times", "time", "[1,\n true]", "2: 'True' is not a time"),
        ("labels", "time", "0\t5\ta\n9\t7\tb\n", "2: an end before its start"),
        ("labels", "time", "0 5 a\n5 end b\n", "2: '5 end b' has no start and end"),
        ("labels", "time", "0 3000000 a\n3000000 9000000 b\n", "1: times that look like samples"),
        ("labels", "time", "end,label\n1,a\n", "1: no column start or time"),
        ("labels", "time", "[[0, 5],\n[9, 7]]", "2: an end before its start"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(form, axis, text, expected):
    assert message(form, text, axis=axis).startswith(f"x:{expected}")


def test_the_axis_decides_what_numbers_are(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("2\r\n3\r\n6\r\n".encode("utf-16"))
    assert detect(str(path)) == "masses"
    assert read(path, axis="time").track.edges.tolist() == [2 * 10**6, 3 * 10**6, 6 * 10**6]
    assert read(path, axis="samples").track.edges.tolist() == [2, 3, 6]


def test_labels_of_a_document():
    own = Labels.from_document(document("labels", "0 4 a\n2 6 b\n6 8 a\n"))
    assert (own.names, own.codes.tolist()) == (("a", "b"), [0, 1, 0])
    with pytest.raises(FormatError, match="inside another"):
        own.require_apart("x")
