"""Points and labelled intervals: every way to write them, and what is wrong in one."""

import json

import pytest

from caesura import read
from caesura.core.labels import Labels
from caesura.errors import FormatError
from caesura.formats import transcripts
from caesura.formats.signals import form_of, parse_labels, parse_times

SALAMI = "0.0\tSilence\n0.25\tIntro\n53.5\tVerse\n260.0\tEnd\n"
POINTS = {
    "120.5\n300\n": [120_500_000, 300_000_000],
    "1:02.5\n1:00:02\n": [62_500_000, 3_602_000_000],
    "0:00 Welcome\n4:05 - A long title\n": [0, 245_000_000],
    "[120.5, 300]": [120_500_000, 300_000_000],
    "# a comment\n1e2\n\n": [100_000_000],
    "": [],
}
INTERVALS = {
    "0.0\t12.5\tverse\n12.5\t20\tchorus one\n": (["verse", "chorus one"], ""),
    "0 12.5 verse\n12.5 20 chorus one\n": (["verse", "chorus one"], ""),
    "a/b.wav\tstreet\t0.0\t12.5\tverse\na/b.wav\tstreet\t12.5\t20\tchorus one\n": (
        ["verse", "chorus one"], "a/b.wav",
    ),
    "0.0\t12.5\tverse\tb.wav\n12.5\t20\tchorus one\tb.wav\n": (["verse", "chorus one"], "b.wav"),
    "start,end,label\n0,12.5,verse\n12.5,20,chorus one\n": (["verse", "chorus one"], ""),
    "filename;onset;offset;event_label\nb;0;12.5;verse\nb;12.5;20;chorus one": (
        ["verse", "chorus one"], "b",
    ),
    '[[0, 12.5, "verse"], [12.5, 20, "chorus one"]]': (["verse", "chorus one"], ""),
    '[{"start": 0, "end": 12.5, "label": "verse"},\n{"start": 12.5, "end": 20, "label": '
    '"chorus one"}]': (["verse", "chorus one"], ""),
    "WEBVTT\n\n00:00.000 --> 00:12.500\nverse\n\n00:12.500 --> 00:20.000\nchorus one\n": (
        ["verse", "chorus one"], "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", POINTS)
def test_points(text):
    (script,) = parse_times(text, "x")
    assert script.start.tolist() == POINTS[text]
    assert form_of(text, "time") == "times"


@pytest.mark.parametrize("text", INTERVALS)
def test_intervals(text):
    labels, recording = INTERVALS[text]
    (script,) = parse_labels(text, "x")
    assert (script.start.tolist(), script.end.tolist()) == (
        [0, 12_500_000],
        [12_500_000, 20 * 10**6],
    )
    assert (list(script.speakers), script.recording) == (labels, recording)


def test_a_label_holds_until_the_next_time_and_the_end_is_the_length():
    (script,) = parse_times(SALAMI, "x")
    assert script.end.tolist() == [250_000, 53_500_000, 260_000_000]
    assert (list(script.speakers), script.extent) == (["Silence", "Intro", "Verse"], 260_000_000)


def test_frames():
    text = "sil\nsil\npour\npour\npour\nsil\n"
    (script,) = parse_labels(text, "x", axis="samples")
    assert (script.start.tolist(), script.end.tolist(), script.extent) == ([0, 2, 5], [2, 5, 6], 6)
    (script,) = parse_labels(text, "x", axis="time", rate=10)
    assert script.end.tolist() == [200_000, 500_000, 600_000]
    assert form_of(text, "samples") == "labels"
    with pytest.raises(FormatError, match="without their rate"):
        parse_labels(text, "x")


def test_series_of_annotators_with_and_without_a_length():
    data = {"bank": {"n": 500, "annotations": {"6": [], "7": [90, 53]}}, "apple": {"6": [319]}}
    scripts = parse_times(json.dumps(data), "x", axis="samples")
    told = [(each.label, each.start.tolist(), each.extent) for each in scripts]
    assert told == [("6/bank", [], 500), ("7/bank", [53, 90], 500), ("6/apple", [319], 0)]
    assert scripts[1].signs == {"unsorted": 1}


def test_a_rate_makes_times_of_samples():
    assert parse_times("16000\n32000\n", "x", rate=16000)[0].start.tolist() == [10**6, 2 * 10**6]


WRONG = {
    ("times", "time", "1\n-2\n"): "x:2: '-2' is not a time",
    ("times", "time", "1\nword\n"): "x:2: 'word' does not begin with a time",
    ("times", "samples", "1\n2.5\n"): "x:2: '2.5' is not a sample",
    ("times", "time", '{"a":\n {"b": "x"}}'): "x:2: 'a/b' is not a list of points or intervals",
    ("labels", "time", "0\t5\ta\n9\t7\tb\n"): "x:2: an end before its start",
    ("labels", "time", "0 5 a\n5 end b\n"): "x:2: '5 end b' has no start and end",
    ("labels", "time", "0 3000000 sil\n3000000 9000000 a\n"): "x:1: times that look like samples",
    ("labels", "time", "end,label\n1,a\n"): "x:1: no column start or time",
    ("labels", "time", '[[0, 5],\n[9, 7]]'): "x:2: an end before its start",
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=list(WRONG.values()))
def test_what_is_wrong_is_named_with_its_line(case):
    form, axis, text = case
    with pytest.raises(FormatError) as problem:
        (parse_times if form == "times" else parse_labels)(text, "x", axis=axis)
    assert str(problem.value).startswith(WRONG[case])


def test_the_axis_decides_what_numbers_are(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("2\r\n3\r\n6\r\n".encode("utf-16"))
    assert transcripts.detect(str(path)) == "masses"
    assert read(path, axis="time").track.edges.tolist() == [2 * 10**6, 3 * 10**6, 6 * 10**6]
    assert read(path, axis="samples").track.edges.tolist() == [2, 3, 6]


def test_labels_of_a_document():
    (script,) = parse_labels("0 4 a\n2 6 b\n6 8 a\n", "x")
    from caesura.formats._shared.script_documents import to_document

    own = Labels.from_document(to_document(script))
    assert (own.names, own.codes.tolist()) == (("a", "b"), [0, 1, 0])
    with pytest.raises(FormatError, match="inside another"):
        own.require_apart("x")
