"""SegLST, NeMo's manifests and Whisper's .tsv."""

import json

import pytest

import caesura
from caesura.formats.detection import detect
from support.pieces import message, pieces, scripts, told

SEGLST = [
    {"session_id": "a", "speaker": "ann", "start_time": 1.5, "end_time": "2", "words": "it rained"},
    {"session_id": "b", "speaker": "bob", "start_time": 0, "end_time": 1, "words": "no"},
    {"session_id": "a", "speaker": "bob", "start_time": 0.5, "end_time": 1, "words": "did it"},
]
NEMO = (
    '{"audio_filepath": "/data/a.wav", "offset": 2.5, "duration": 1.25, "text": "it rained"}\n'
    '{"audio_filepath": "/data/a.wav", "duration": 1, "text": "did it", "speaker": "ann"}\n\n'
    '{"audio_filepath": "b.flac", "duration": null, "text": "no"}\n'
)
TSV = "start\tend\ttext\n0\t1500\tSo it rained.\n1500\t2750\tDid\tit?\n"


def test_seglst():
    a, b = scripts("seglst", json.dumps(SEGLST))
    assert (a.recording, b.recording) == ("a", "b")
    fields = "texts start end speakers"
    assert told(a, fields) == [("did it", 0.5, 1, "bob"), ("it rained", 1.5, 2, "ann")]
    assert told(b, fields) == [("no", 0, 1, "bob")]


def test_meeteval_writes_it(folder):
    meeteval = pytest.importorskip("meeteval")
    pytest.importorskip("simplejson")  # with which meeteval writes
    place = folder() / "talk.json"
    segments = [each | {"end_time": float(each["end_time"])} for each in SEGLST]
    meeteval.io.SegLST(segments).dump(place)
    assert detect(str(place)) == "seglst"
    assert caesura.read(f"{place}::a").words == ["did", "it", "it", "rained"]


def test_nemo():
    a, b = scripts("nemo", NEMO)
    assert (a.recording, b.recording) == ("a", "b")
    assert told(a, "texts start end") == [("did it", 0, 1), ("it rained", 2.5, 3.75)]
    assert told(b, "texts start") == [("no", None)]


def test_whisper_tsv():
    assert pieces("tsv", TSV, "texts end") == [("So it rained.", 1.5), ("Did\tit?", 2.75)]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_nemo_is_detected_whatever_its_name(name, folder):
    assert detect(str(folder(**{name: NEMO}) / name)) == "nemo"


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("seglst", '[{"session_id": "a"}]', "segment 1 has no 'words'"),
        ("seglst", '[{"words": "a", "start_time": "x"}]', 'a time that is none: "x"'),
        ("nemo", '{"text": "a"}\n{"text": ', "x:2: this line is not JSON"),
        ("nemo", "[1]", "x:1: the line is not an object"),
        ("tsv", "start\tend\ttext\n0.5\t1\tso\n", "x:2: '0.5\t1\tso' is not a line of"),
        ("tsv", "start\tend\ttext\n", "no words"),
    ],
)
def test_what_is_wrong_is_said(form, text, expected):
    assert expected in message(form, text)
