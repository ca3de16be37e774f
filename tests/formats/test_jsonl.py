"""caesura's own JSON lines."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.formats.registry import TIMED
from caesura.formats.script import UNKNOWN, Script
from caesura.formats.transcripts import write_scripts
from caesura.io.files import decode
from support.pieces import document, message, pieces, scripts, told

HEAD = '{"caesura": "0.1.0", "schema": "transcript", "version": 1}'


def lines(*pieces):
    return "\n".join(
        [HEAD, *(each if isinstance(each, str) else json.dumps(each) for each in pieces)]
    )


def write(*several):
    return write_scripts(several, "jsonl")


def everything(script):
    return script.recording, told(script, "texts start end ends types speakers channels")


def test_what_is_written():
    script = Script(
        texts=["Well,", "“yes”."],
        start=np.array([0, 1_500_001]),
        end=np.array([UNKNOWN, 2_000_000]),
        ends=np.array([False, True]),
        types=["", "statement"],
        speakers=["Ann", "Ann"],
        channels=["1", ""],
        recording="talk",
    )
    assert write(script).splitlines() == [
        HEAD.replace("0.1.0", caesura.__version__),
        '{"text": "Well,", "start": 0.00, "end": null, "speaker": "Ann", "channel": "1", '
        '"recording": "talk", "end_of_unit": false, "type": ""}',
        '{"text": "“yes”.", "start": 1.500001, "end": 2.00, "speaker": "Ann", "channel": "", '
        '"recording": "talk", "end_of_unit": true, "type": "statement"}',
    ]


def test_only_what_is_known_is_written():
    assert write(Script(texts=["a"])).splitlines()[1:] == ['{"text": "a"}']


def test_recordings_may_be_mixed():
    one, other = scripts("jsonl", lines(
        {"text": "a", "recording": "x"}, {"text": "b", "recording": "y"},
        {"text": "c", "recording": "x", "speaker": "Ann"},
    ))  # fmt: skip
    assert (one.recording, told(one, "texts speakers lines")) == (
        "x",
        [("a", "", 2), ("c", "Ann", 4)],
    )
    assert (other.recording, told(other, "texts speakers")) == ("y", [("b", None)])


def test_what_some_pieces_do_not_tell():
    piece = {"start": 1, "end": 2.5, "end_of_unit": True, "type": "?"}
    nothing = {"text": "b", "start": None, "end_of_unit": None, "speaker": None, "other": [1]}
    text = lines({"text": "a", **piece}, nothing)
    assert pieces("jsonl", text, "texts start end ends types speakers channels") == [
        ("a", 1, 2.5, True, "?", "", None), ("b", None, None, False, "", "", None),
    ]  # fmt: skip


def test_as_a_document():
    text = lines({"text": "so what?"}, {"text": "he", "end_of_unit": True}, {"text": "x"})
    found = document("jsonl", text)
    assert found.segmentation.boundaries.tolist() == [2, 3]
    assert found.place(2) == "x:3"


KIND = {
    "empty lines": lambda text: "\n" + text.replace("\n", "\n \n"),
    "no version of ours": lambda text: text.replace('"caesura": "0.1.0", ', ""),
    "a number for a version": lambda text: text.replace('"version": 1', '"version": 1.0'),
}


@pytest.mark.parametrize("change", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(change):
    text = lines({"text": "a b", "start": 1}, {"text": "c\u2028d\x85"})
    assert pieces("jsonl", change(text), "texts start") == [("a b", 1), ("c\u2028d\x85", None)]


def test_it_is_told_by_its_content():
    assert TIMED["jsonl"].is_like(HEAD)
    assert not TIMED["jsonl"].is_like('{"text": "a"}')


# --- Round trips ------------------------------------------------------------------------

texts = st.text(st.characters(), max_size=10)
times = st.none() | st.integers(0, 10**15)


@st.composite
def recordings(draw):
    count = draw(st.integers(1, 6))

    def maybe(values):
        return draw(st.none() | st.lists(values, min_size=count, max_size=count))

    def array(values, dtype):
        return None if values is None else np.array(values, dtype=dtype)

    start, length = maybe(times), maybe(times)
    first = start or [None] * count
    end = length and [
        UNKNOWN if each is None else min(10**15, (on or 0) + each)
        for on, each in zip(first, length, strict=True)
    ]
    return Script(
        texts=draw(st.lists(texts, min_size=count, max_size=count)),
        start=array(start and [UNKNOWN if each is None else each for each in start], np.int64),
        end=array(end, np.int64),
        ends=array(maybe(st.booleans()), np.bool_),
        types=maybe(texts),
        speakers=maybe(texts),
        channels=maybe(texts),
        recording=draw(texts),
    )


@given(st.lists(recordings(), min_size=1, max_size=3, unique_by=lambda script: script.recording))
def test_everything_comes_back(several):
    found = scripts("jsonl", write(*several))
    assert [everything(each) for each in found] == [everything(each) for each in several]


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\x00", "\u2028", "\\", '"', "%s"])
def test_odd_characters(text):
    script = Script(texts=[text], speakers=[text], recording=text)
    [again] = scripts("jsonl", decode(write(script).encode(), "x"))
    assert everything(again) == everything(script)


# --- What is broken ---------------------------------------------------------------------

BEGIN = 'begin with {"schema": "transcript", "version": 1}'
NOT_JSON = "this line is not JSON; write one object on each line"
BROKEN = {
    "no head": (
        '{"text": "a"}\n',
        f'1: the first line does not say "schema": "transcript"; {BEGIN}',
    ),
    "another schema": (
        '\n{"schema": "result"}\n',
        f'2: the first line does not say "schema": "transcript"; {BEGIN}',
    ),
    "a newer version": (
        HEAD.replace("1}", "2}"),
        "1: version 2 of the schema; "
        "this caesura reads version 1: install a newer one, or write the file again",
    ),
    "an odd version": (
        HEAD.replace("1}", "true}"),
        "1: version true of the schema; "
        "this caesura reads version 1: install a newer one, or write the file again",
    ),
    "head only": (HEAD, '1: no pieces; add a line for each piece, such as {"text": "word"}'),
    "a list": (lines("[1]"), '2: a list instead of an object; write {"text": "word"}'),
    "a word": (lines("a\n"), f"2: {NOT_JSON}"),
    "a torn line": (
        lines({"text": "a"}, '{"text": "b'),
        "3: the last line is incomplete; the file is truncated: copy or write it again",
    ),
    "a torn line inside": (lines('{"text": "b', {"text": "a"}), f"2: {NOT_JSON}"),
    "nested": (lines("[" * 100_000, {"text": "a"}), f"2: {NOT_JSON}"),
    "long numbers": (lines('{"text": "a", "start": ' + "9" * 5000 + "}\n"), f"2: {NOT_JSON}"),
    "no text": (lines({"start": 1}), '2: no "text"; "text" must be a string'),
    "backwards": (
        lines({"text": "a"}, {"text": "b", "start": 2, "end": 1}),
        "3: a piece that begins at 2.00 and ends at 1.00; "
        "times must be 0 or more, and a piece must not end before it begins",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    assert message("jsonl", text) == f"x:{expected}"


STRING, SECONDS = "be a string", "be seconds, 0 or more"


@pytest.mark.parametrize(
    ("key", "value", "shown", "must"),
    [
        ("text", None, "null", STRING),
        ("text", 1, "1", STRING),
        ("text", {}, "an object", STRING),
        ("speaker", [1], "a list", STRING),
        ("end_of_unit", 1, "1", "be true or false"),
        ("start", "1", '"1"', SECONDS),
        ("start", True, "true", SECONDS),
        ("end", -0.5, "-0.5", SECONDS),
        ("end", 1e999, "Infinity", SECONDS),
        ("end", float("nan"), "NaN", SECONDS),
        ("end", 10**30, f"1{'0' * 30}", SECONDS),
    ],
)
def test_values_that_are_wrong(key, value, shown, must):
    found = message("jsonl", lines({"text": "a", key: value}))
    assert found == f'x:2: "{key}" is {shown}; "{key}" must {must}'
