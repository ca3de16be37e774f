import json
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats import whisper
from caesura.formats._shared.script import UNKNOWN
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED

CURE = "give the JSON that Whisper writes"


def parse(data):
    (script,) = whisper.parse(data if isinstance(data, str) else json.dumps(data), "f.json")
    return script


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
        "\ufeff" + json.dumps(OPENAI, indent=1).replace("\n", "\r\n"),
        json.loads(json.dumps(OPENAI).replace('"word": ', '"probability": 0.5, "word": ')),
        json.loads(json.dumps(OPENAI).replace('"word": ', '"confidence": 0.5, "text": ')),
        json.loads(json.dumps(OPENAI).replace('"word": " ', '"word": "')),
    ],
)
def test_words_of_segments(data):
    script = parse(data)
    assert script.texts == ["Well,", "it", "rained.", "A", "lot"]
    assert script.start.tolist() == [0, 500_000, 620_000, 2_000_000, 2_500_000]
    assert script.end.tolist() == [500_000, 620_000, 1_500_000, 2_500_000, 3_000_000]
    assert np.flatnonzero(script.ends).tolist() == [2, 4]
    assert script.speakers is None


def test_segments_without_words():
    segments = [segment(" Well, it\n rained.", 0, 1.5), segment(" A lot", 2, 3, words=[])]
    script = parse({"text": "", "segments": [*segments, segment("  ", 3, 4)]})
    assert script.texts == ["Well, it rained.", "A lot"]
    assert script.start.tolist() == [0, 2_000_000]
    assert script.ends.all()
    document = to_document(script, units="segments")
    assert document.words == ["well", "it", "rained", "a", "lot"]
    assert document.segmentation.masses.tolist() == [3, 2]


def test_segments_with_and_without_words():
    script = parse([segment(" Oh, yes.", 0, 1), segment("", 2, 3, words=WORDS)])
    assert script.texts == ["Oh, yes.", "Well,", "it", "rained."]
    assert script.ends.tolist() == [True, False, False, True]


def test_words_without_times_and_speakers_of_whisperx():
    script = parse({"segments": X, "word_segments": X[0]["words"]})
    assert script.texts == ["Well,", "it", "rained."]
    assert script.start.tolist() == [0, UNKNOWN, 620_000]
    assert script.speakers == ["SPEAKER_01", "SPEAKER_00", "SPEAKER_00"]
    only = parse({"word_segments": X[0]["words"]})
    assert (only.texts, only.ends) == (script.texts, None)


def test_whisper_cpp():
    def piece(text, start, end):
        return {"timestamps": {"from": "x"}, "offsets": {"from": start, "to": end}, "text": text}

    data = {
        "systeminfo": "x",
        "transcription": [piece(" Well.", 0, 1500), piece(" Yes", 1500, 2000)],
    }
    script = parse(data)
    assert script.texts == ["Well.", "Yes"]
    assert script.end.tolist() == [1_500_000, 2_000_000]


SERVICE = [word("Well", 0, 0.5), word("twenty", 0.5, 1), word("one", 1, 1.5), word("Yes", 2, 3)]


def test_words_apart_lend_their_times():
    segments = [segment(" Well — twenty-one.", 0, 1.5), segment(" Yes!", 2, 3)]
    script = parse({"task": "transcribe", "text": "x", "words": SERVICE, "segments": segments})
    assert script.texts == ["Well", "—", "twenty-one.", "Yes!"]
    assert script.start.tolist() == [0, UNKNOWN, 500_000, 2_000_000]
    assert script.end.tolist() == [500_000, UNKNOWN, 1_500_000, 3_000_000]
    assert script.ends.tolist() == [False, False, True, True]


def test_words_apart_and_a_text():
    script = parse({"text": "Well, twenty-one. Yes!", "words": SERVICE})
    assert script.texts == ["Well,", "twenty-one.", "Yes!"]
    assert to_document(script).segmentation.masses.tolist() == [2, 1]
    other = parse({"text": "Well, 21. Yes!", "words": SERVICE})
    assert other.texts == ["Well, 21. Yes!"]
    assert (other.start.tolist(), other.end.tolist()) == ([0], [3_000_000])
    alone = parse({"text": "", "words": SERVICE})
    assert (alone.texts, alone.ends) == (["Well", "twenty", "one", "Yes"], None)


def test_words_apart_that_are_others_leave_the_segments():
    script = parse({"words": SERVICE, "segments": [segment(" Well, 21.", 0, 1.5)]})
    assert (script.texts, script.end.tolist()) == (["Well, 21."], [1_500_000])


def test_words_apart_without_blanks():
    words = [word("今天", 0, 1), word("下雨", 1, 2), word("OK", 2, 3)]
    script = parse({"words": words, "segments": [segment("今天下雨。OK?", 0, 3)]})
    assert script.texts == ["今天", "下雨。OK?"]
    assert script.end.tolist() == [1_000_000, 3_000_000]


def test_a_text_alone():
    script = parse({"text": "Well. Yes."})
    assert (script.texts, script.start.tolist()) == (["Well. Yes."], [UNKNOWN])
    assert to_document(script).track.start is None


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
    assert parse([segment("", 0, 9, words=words)]).texts == joined


def test_nothing_continues_a_word_of_another_segment():
    words = [[word(" a", 0, 1), word("b", 1, 2)], [word("c", 2, 3)]]
    script = parse([segment("", words=each) for each in words])
    assert script.texts == ["ab", "c"]
    assert script.end.tolist() == [2_000_000, 3_000_000]


def test_order_is_that_of_the_file():
    words = [word(" a", 3, 4), word(" b", 1, 5), word(" c", 1, 1)]
    script = parse([segment("", words=words)])
    assert script.texts == ["a", "b", "c"]
    assert script.start.tolist() == [3_000_000, 1_000_000, 1_000_000]


def test_half_a_character_is_replaced():
    script = parse('[{"text": "a\\ud83d b \\ud83d\\ude00", "speaker": "\\ud83d", "start": null}]')
    assert script.texts == ["a\ufffd b 😀"]
    assert script.start.tolist() == [UNKNOWN]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f":1: not valid JSON (Expecting value); {CURE}"),
        ('{"segments": [\n{"text": "a"},\n', f":3: not valid JSON (Expecting value); {CURE}"),
        ('{"text": "a"}\n{"text": "b"}\n', f":2: not valid JSON (Extra data); {CURE}"),
        ("[" * 100_000, f": JSON nested too deeply, or a number too long; {CURE}"),
        (
            f'[{{"start": {"9" * 5000}}}]',
            f": JSON nested too deeply, or a number too long; {CURE}",
        ),
        ("3", f": neither an object nor a list; {CURE}"),
        ("{}", f": no key 'segments'; {CURE}"),
        ('{"segments": 3}', f": 'segments' is not a list; {CURE}"),
        ('{"segments": [], "words": "x"}', f": 'words' is not a list; {CURE}"),
        ("[]", f": no words; {CURE}"),
        ('{"segments": []}', f": no words; {CURE}"),
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
                json.dumps({"segments": [segment("b"), segment("a", bad)]}),
                f": segments[1] has a start that is not a time: {json.dumps(bad)}; {CURE}",
            )
            for bad in ("1.5", True, [1], {}, -1.0, 1e10, 10**400, float("inf"))
            if bad != 10**400
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
def test_errors_say_where_and_how_to_mend(text, message):
    with pytest.raises(FormatError, match=f"^{re.escape('f.json' + message)}$"):
        whisper.parse(text, "f.json")


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
    with pytest.raises(FormatError) as caught:
        parse(FOREIGN[vendor])
    seen = "in [0] the keys are text, start, duration; " if vendor == "youtube" else "the keys are "
    assert str(caught.value).startswith(f"f.json: not Whisper's JSON: {seen}")
    assert "whisper.cpp is read; convert other JSON" in str(caught.value)


def test_milliseconds_are_not_taken_for_seconds():
    words = [
        {"text": "Well,", "start": 500, "end": 740},
        {"text": "yes.", "start": 750, "end": 990},
    ]
    with pytest.raises(
        FormatError, match=r"milliseconds, not seconds: \[0\] begins at 500; the JSON"
    ):
        parse(words)
    music = [segment("[Music]", 0, 30), segment("[Music]", 30, 60)]
    assert parse(music).end.tolist() == [30_000_000, 60_000_000]


def test_a_number_that_is_too_large():
    with pytest.raises(FormatError, match=r"segments\[0\] has a start that is not a time: 1000"):
        parse({"segments": [segment("a", 10**400)]})


def test_files(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(OPENAI), encoding="utf-16")
    document = caesura.read(path)
    assert document.form == "whisper-marks"
    assert document.segmentation.masses.tolist() == [3, 2]
    path.write_bytes(json.dumps(OPENAI).replace("lot", "\xe9t\xe9").encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.json:1: byte 0xe9 is not UTF-8; "):
        caesura.read(path)
    path.write_text(json.dumps(OPENAI)[:-40])
    with pytest.raises(FormatError, match=r"a\.json:1: not valid JSON"):
        caesura.read(path)


@pytest.mark.parametrize(
    ("head", "like"),
    [
        (json.dumps(OPENAI), True),
        (json.dumps(OPENAI["segments"]), False),
        (json.dumps([segment("a", avg_logprob=-0.1)]), True),
        (json.dumps({"segments": X}), True),
        ('{"text": " So', True),
        ('{"text": "So", "id": "x"}\n', False),
        ('{\n\t"systeminfo": "AVX', True),
        ("", False),
        ("Hello there", False),
    ],
)
def test_told_by_content(head, like):
    assert TIMED["whisper"].is_like(head) is like


@pytest.mark.slow
def test_many_words():
    words = [{"word": f" w{i}", "start": i / 4, "end": i / 4 + 0.2} for i in range(200_000)]
    data = {"segments": [{"words": words[at : at + 20]} for at in range(0, 200_000, 20)]}
    script = parse(data)
    assert script.texts == [f"w{i}" for i in range(200_000)]
    assert np.array_equal(script.start, np.arange(200_000) * 250_000)
    assert int(script.ends.sum()) == 10_000


@given(st.data())
def test_damage_is_an_error_or_a_script(data):
    text = json.dumps({"segments": [*X, *OPENAI["segments"]], "words": WORDS})
    for _ in range(data.draw(st.integers(1, 4))):
        at, stop = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        stop = min(stop, at + data.draw(st.sampled_from([0, 1, 5, 100])))
        text = (
            text[:at]
            + data.draw(
                st.sampled_from(
                    ["", "null", "[]", "{}", "1", '"', ",", "NaN", "1e999", "-", "\n", "words", "e"]
                )
            )
            + text[stop:]
        )
    with suppress(FormatError):
        assert to_document(parse(text)).segmentation.length > 0


NAMES = st.sampled_from(
    ["segments", "words", "word_segments", "transcription", "text", "word", "start", "end",
     "speaker", "offsets", "from", "to"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", " a", "b."]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, VALUES) | st.lists(st.dictionaries(NAMES, VALUES)) | VALUES)
def test_any_json_is_an_error_or_a_script(data):
    with suppress(FormatError):
        assert to_document(parse(data)).segmentation.length > 0
