"""SegLST, NeMo's manifests and Whisper's .tsv."""

import json

import pytest

import caesura
from caesura.errors import FormatError
from caesura.formats.segment_records import parse_nemo, parse_seglst, parse_tsv
from caesura.formats.transcripts import detect

SEGLST = [
    {"session_id": "a", "speaker": "ann", "start_time": 1.5, "end_time": "2", "words": "it rained"},
    {"session_id": "b", "speaker": "bob", "start_time": 0, "end_time": 1, "words": "no"},
    {"session_id": "a", "speaker": "bob", "start_time": 0.5, "end_time": 1, "words": "did it"},
]  # fmt: skip
NEMO = (
    '{"audio_filepath": "/data/a.wav", "offset": 2.5, "duration": 1.25, "text": "it rained"}\n'
    '{"audio_filepath": "/data/a.wav", "duration": 1, "text": "did it", "speaker": "ann"}\n\n'
    '{"audio_filepath": "b.flac", "duration": null, "text": "no"}\n'
)
TSV = "start\tend\ttext\n0\t1500\tSo it rained.\n1500\t2750\tDid\tit?\n"


def test_seglst():
    a, b = parse_seglst(json.dumps(SEGLST))
    assert (a.recording, b.recording) == ("a", "b")
    assert a.texts == ["did it", "it rained"]
    assert a.start.tolist() == [500_000, 1_500_000]
    assert a.end.tolist() == [1_000_000, 2_000_000]
    assert a.speakers == ["bob", "ann"]
    assert (b.texts, b.speakers, b.end.tolist()) == (["no"], ["bob"], [1_000_000])


def test_meeteval_writes_it(folder):
    meeteval = pytest.importorskip("meeteval")
    pytest.importorskip("simplejson")  # with which meeteval writes
    place = folder()
    meeteval.io.SegLST([each | {"end_time": float(each["end_time"])} for each in SEGLST]).dump(
        place / "talk.json"
    )
    assert detect(str(place / "talk.json")) == "seglst"
    talk = caesura.read(f"{place}/talk.json::a")
    assert talk.words == ["did", "it", "it", "rained"]


def test_nemo():
    a, b = parse_nemo(NEMO)
    assert (a.recording, a.texts) == ("a", ["did it", "it rained"])
    assert a.start.tolist() == [0, 2_500_000]
    assert a.end.tolist() == [1_000_000, 3_750_000]
    assert (b.recording, b.start) == ("b", None)


def test_whisper_tsv():
    (talk,) = parse_tsv(TSV)
    assert talk.texts == ["So it rained.", "Did\tit?"]
    assert talk.end.tolist() == [1_500_000, 2_750_000]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("x.json", json.dumps(SEGLST, indent=1), "seglst"),
        ("x.json", NEMO, "nemo"),
        ("x.jsonl", NEMO, "nemo"),
        ("x.tsv", TSV, "tsv"),
        ("x", NEMO, "nemo"),
    ],
)
def test_they_are_detected(name, text, form, folder):
    path = folder() / name
    path.write_text(text)
    assert detect(str(path)) == form


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (parse_seglst, '[{"session_id": "a"}]', "segment 1 has no 'words'"),
        (parse_seglst, '[{"words": "a", "start_time": "x"}]', 'a time that is none: "x"'),
        (parse_nemo, '{"text": "a"}\n{"text": ', "<nemo>:2: this line is not JSON"),
        (parse_nemo, "[1]", "<nemo>:1: the line is not an object"),
        (parse_tsv, "start\tend\ttext\n0.5\t1\tso\n", "<tsv>:2: '0.5\t1\tso' is not a line of"),
        (parse_tsv, "start\tend\ttext\n", "no words"),
    ],
)
def test_what_is_wrong_is_said(parse, text, message):
    with pytest.raises(FormatError) as error:
        parse(text)
    assert message in str(error.value)
