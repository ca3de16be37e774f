"""Whisper's JSON, and that of programs like it."""

import json

import numpy as np
import pytest

from support.pieces import document, pieces, script
from support.pieces import message as refused

CURE = "give the JSON that Whisper writes"


def read(data, fields="texts"):
    return pieces("whisper", data if isinstance(data, str) else json.dumps(data), fields)


def message(text):
    return refused("whisper", text if isinstance(text, str) else json.dumps(text))


def word(text, start=None, end=None, **more):
    times = {"start": start, "end": end}
    return {"word": text, **{k: v for k, v in times.items() if v is not None}, **more}


def segment(text, start=0.0, end=9.0, **more):
    return {"id": 0, "start": start, "end": end, "text": text, **more}


WORDS = [word(" Well,", 0, 0.5), word(" it", 0.5, 0.62), word(" rained.", 0.62, 1.5)]
OPENAI = {
    "text": " Well, it rained. A lot",
    "segments": [
        segment(" Well, it rained.", 0, 1.5, words=WORDS),
        segment(" A lot", 2, 3, words=[word(" A", 2, 2.5), word(" lot", 2.5, 3)]),
    ],
    "language": "en",
}
X = [
    {
        "start": 0,
        "end": 1.5,
        "text": " Well, it rained.",
        "speaker": "SPEAKER_00",
        "words": [
            word("Well,", 0, 0.5, score=0.9, speaker="SPEAKER_01"),
            word("it"),
            word("rained.", 0.62, 1.5, score=0.8, speaker=None),
        ],
    }
]


@pytest.mark.parametrize(
    "data",
    [
        OPENAI,
        OPENAI["segments"],
        {"segments": OPENAI["segments"], "info": {"duration": 3}},
        json.dumps(OPENAI).replace('"word": ', '"probability": 0.5, "word": '),
        json.dumps(OPENAI).replace('"word": ', '"confidence": 0.5, "text": '),
        json.dumps(OPENAI).replace('"word": " ', '"word": "'),
    ],
)
def test_words_of_segments(data):
    assert read(data, "texts start end ends speakers") == [
        ("Well,", 0, 0.5, False, None),
        ("it", 0.5, 0.62, False, None),
        ("rained.", 0.62, 1.5, True, None),
        ("A", 2, 2.5, False, None),
        ("lot", 2.5, 3, True, None),
    ]


def test_segments_without_words():
    segments = [segment(" Well, it\n rained.", 0, 1.5), segment(" A lot", 2, 3, words=[])]
    data = json.dumps({"text": "", "segments": [*segments, segment("  ", 3, 4)]})
    assert read(data, "texts start ends") == [("Well, it rained.", 0, True), ("A lot", 2, True)]
    found = document("whisper", data, "segments")
    assert found.words == ["well", "it", "rained", "a", "lot"]
    assert found.segmentation.masses.tolist() == [3, 2]


def test_segments_with_and_without_words():
    found = read([segment(" Oh, yes.", 0, 1), segment("", 2, 3, words=WORDS)], "texts ends")
    assert found == [("Oh, yes.", True), ("Well,", False), ("it", False), ("rained.", True)]


def test_words_without_times_and_speakers_of_whisperx():
    found = read({"segments": X, "word_segments": X[0]["words"]}, "texts start speakers")
    assert found == [
        ("Well,", 0, "SPEAKER_01"), ("it", None, "SPEAKER_00"), ("rained.", 0.62, "SPEAKER_00"),
    ]  # fmt: skip
    only = read({"word_segments": X[0]["words"]}, "texts ends")
    assert only == [("Well,", None), ("it", None), ("rained.", None)]


def test_whisper_cpp():
    def piece(text, start, end):
        return {"timestamps": {"from": "x"}, "offsets": {"from": start, "to": end}, "text": text}

    data = {
        "systeminfo": "x",
        "transcription": [piece(" Well.", 0, 1500), piece(" Yes", 1500, 2000)],
    }
    assert read(data, "texts end") == [("Well.", 1.5), ("Yes", 2)]


SERVICE = [word("Well", 0, 0.5), word("twenty", 0.5, 1), word("one", 1, 1.5), word("Yes", 2, 3)]


def test_words_apart_lend_their_times():
    segments = [segment(" Well — twenty-one.", 0, 1.5), segment(" Yes!", 2, 3)]
    data = {"task": "transcribe", "text": "x", "words": SERVICE, "segments": segments}
    assert read(data, "texts start end ends") == [
        ("Well", 0, 0.5, False),
        ("—", None, None, False),
        ("twenty-one.", 0.5, 1.5, True),
        ("Yes!", 2, 3, True),
    ]


def test_words_apart_and_a_text():
    data = json.dumps({"text": "Well, twenty-one. Yes!", "words": SERVICE})
    assert read(data) == ["Well,", "twenty-one.", "Yes!"]
    assert document("whisper", data).segmentation.masses.tolist() == [2, 1]
    other = read({"text": "Well, 21. Yes!", "words": SERVICE}, "texts start end")
    assert other == [("Well, 21. Yes!", 0, 3)]
    alone = read({"text": "", "words": SERVICE}, "texts ends")
    assert alone == [("Well", None), ("twenty", None), ("one", None), ("Yes", None)]


def test_words_apart_that_are_others_leave_the_segments():
    data = {"words": SERVICE, "segments": [segment(" Well, 21.", 0, 1.5)]}
    assert read(data, "texts end") == [("Well, 21.", 1.5)]


def test_words_apart_without_blanks():
    words = [word("今天", 0, 1), word("下雨", 1, 2), word("OK", 2, 3)]
    data = {"words": words, "segments": [segment("今天下雨。OK?", 0, 3)]}
    assert read(data, "texts end") == [("今天", 1), ("下雨。OK?", 3)]


def test_a_text_alone():
    assert read({"text": "Well. Yes."}, "texts start") == [("Well. Yes.", None)]
    assert document("whisper", '{"text": "Well. Yes."}').track.start is None


@pytest.mark.parametrize(
    ("pieces", "joined"),
    [
        ([" twenty", "-one", " sir", "."], ["twenty-one", "sir."]),
        ([" 10", ",000", "%", " don", "'t"], ["10,000%", "don't"]),
        ([" Google", ".", "com"], ["Google.com"]),
        (["Well", " so", "-", "so"], ["Well", "so-so"]),
        (["Well ", "so ", " yes"], ["Well", "so", "yes"]),
        (["Well", "-", "so"], ["Well", "-", "so"]),
        (["今天", "下雨", "。"], ["今天", "下雨", "。"]),
        ([" OK", "今天", "下雨", "。", "B", " a"], ["OK", "今天", "下雨。B", "a"]),
        (["今", "B", " a"], ["今", "B", "a"]),
        ([" a", " ", "", " b"], ["a", "b"]),
    ],
)
def test_what_continues_a_word(pieces, joined):
    words = [word(text, at, at + 1) for at, text in enumerate(pieces)]
    assert read([segment("", 0, 9, words=words)]) == joined


def test_nothing_continues_a_word_of_another_segment():
    words = [[word(" a", 0, 1), word("b", 1, 2)], [word("c", 2, 3)]]
    assert read([segment("", words=each) for each in words], "texts end") == [("ab", 2), ("c", 3)]


def test_order_is_that_of_the_file():
    words = [word(" a", 3, 4), word(" b", 1, 5), word(" c", 1, 1)]
    assert read([segment("", words=words)], "texts start") == [("a", 3), ("b", 1), ("c", 1)]


def test_half_a_character_is_replaced():
    text = '[{"text": "a\\ud83d b \\ud83d\\ude00", "speaker": "\\ud83d", "start": null}]'
    assert read(text, "texts start") == [("a\ufffd b 😀", None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"segments": [\n{"text": "a"},\n', f":3: not valid JSON (Expecting value); {CURE}"),
        ('{"text": "a"}\n{"text": "b"}\n', f":2: not valid JSON (Extra data); {CURE}"),
        ("[" * 100_000, f": JSON nested too deeply, or a number too long; {CURE}"),
        (f'[{{"start": {"9" * 5000}}}]', f": JSON nested too deeply, or a number too long; {CURE}"),
        ("3", f": neither an object nor a list; {CURE}"),
        ("{}", f": no key 'segments'; {CURE}"),
        ('{"segments": 3}', f": 'segments' is not a list; {CURE}"),
        ('{"segments": [], "words": "x"}', f": 'words' is not a list; {CURE}"),
        ("[]", f": no words; {CURE}"),
        ('{"segments": [{"text": " "}]}', f": no words; {CURE}"),
        ("[3]", f": [0] is not an object; {CURE}"),
        ('{"segments": [{"text": "a"}, {}]}', f": segments[1] has no 'text'; {CURE}"),
        ('{"segments": [{"text": 5}]}', f": segments[0] has no text: 5; {CURE}"),
        ('{"transcription": [{}]}', f": transcription[0] has no 'text'; {CURE}"),
        ('{"words": [{}]}', f": words[0] has no 'word'; {CURE}"),
        (
            '[{"text": "a"}, {"words": [{"word": "a"}, {"start": 3}]}]',
            f": [1].words[1] has no 'word'; {CURE}",
        ),
        ('{"segments": [{"words": ["a"]}]}', f": segments[0].words[0] is not an object; {CURE}"),
        *(
            (
                {"segments": [segment("b"), segment("a", bad)]},
                f": segments[1] has a start that is not a time: {json.dumps(bad)}; {CURE}",
            )
            for bad in ("1.5", True, [1], {}, -1.0, 1e10, float("inf"))
        ),
        (
            '{"transcription": [{"text": "a", "offsets": {"from": -5, "to": 3}}]}',
            f": transcription[0] has a from that is not a time: -5; {CURE}",
        ),
        (
            '{"segments": [{"words": [{"word": "a", "start": 2, "end": 1.5}]}]}',
            ": segments[0].words[0] begins at 2.00 and ends at 1.50; "
            "it must not end before it begins",
        ),
    ],
)
def test_errors_say_where_and_how_to_mend(text, expected):
    assert message(text) == f"x{expected}"


FOREIGN = {
    "assemblyai": {
        "id": "x", "status": "completed", "text": "Well, yes.", "confidence": 0.9,
        "words": [{"text": "Well,", "start": 500, "end": 740}, {"text": "yes.", "start": 750}],
    },
    "vosk": {"result": [{"conf": 1, "start": 0.1, "end": 0.2, "word": "well"}], "text": "well"},
    "deepgram": {"metadata": {}, "results": {"channels": [{"alternatives": []}]}},
    "transformers": {"text": " Well.", "chunks": [{"timestamp": [0, 1], "text": " Well."}]},
    "youtube": [{"text": "well", "start": 0.5, "duration": 1.5}],
}  # fmt: skip


@pytest.mark.parametrize("vendor", FOREIGN)
def test_json_of_others_is_refused(vendor):
    found = message(FOREIGN[vendor])
    seen = "in [0] the keys are text, start, duration; " if vendor == "youtube" else "the keys are "
    assert found.startswith(f"x: not Whisper's JSON: {seen}")
    assert "whisper.cpp is read; convert other JSON" in found


def test_milliseconds_are_not_taken_for_seconds():
    words = [
        {"text": "Well,", "start": 500, "end": 740},
        {"text": "yes.", "start": 750, "end": 990},
    ]
    assert "milliseconds, not seconds: [0] begins at 500; the JSON" in message(words)
    music = [segment("[Music]", 0, 30), segment("[Music]", 30, 60)]
    assert read(music, "end") == [30, 60]


def test_a_number_that_is_too_large():
    start = "segments[0] has a start that is not a time: 1000"
    assert start in message({"segments": [segment("a", 10**400)]})


@pytest.mark.slow
def test_many_words():
    words = [{"word": f" w{i}", "start": i / 4, "end": i / 4 + 0.2} for i in range(200_000)]
    data = {"segments": [{"words": words[at : at + 20]} for at in range(0, 200_000, 20)]}
    found = script("whisper", json.dumps(data))
    assert found.texts == [f"w{i}" for i in range(200_000)]
    assert np.array_equal(found.start, np.arange(200_000) * 250_000)
    assert int(found.ends.sum()) == 10_000
