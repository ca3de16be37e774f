"""What every format must do, on the valid files that the fuzzer starts from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats.detection import by_content, detect
from caesura.formats.registry import TIMED
from caesura.formats.script import to_document
from caesura.io.files import decode
from fuzz.kinds import transcripts
from fuzz.mutations import mutated
from support.compared_documents import outcome
from support.hypothesis_settings import MANY
from support.pieces import message, scripts, told

KINDS = {name: kind for name, kind in transcripts().items() if name in TIMED}
FIELDS = "texts start end ends types speakers channels lines confidence"
ENCODINGS = ("utf-8-sig", "utf-16", "utf-32")
LINE_ENDS = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "none at the end": lambda text: text.rstrip("\n"),
    "blank lines at the end": lambda text: f"{text}\n\n",
}
NO_CR = ("conllu", "jsonl", "scores")
"""Formats whose definition does not allow old line ends."""
BY_NAME = ("kaldi", "phn", "times", "labels", "scenes")
"""Formats that nothing in a file tells."""
EMPTY = {
    "srt": ": no subtitles; give a file with text under time lines such as 00:00:01.000 --> ",
    "vtt": ": no subtitles; give a file with text under time lines such as 00:00:01.000 --> ",
    "ass": ": no subtitles; give a file with text under time lines such as 00:00:01.000 --> ",
    "ttml": ":1: broken XML (no element found); give TTML in which each <p> has begin and end",
    "whisper": ":1: not valid JSON (Expecting value); give the JSON that Whisper writes",
    "aws": ":1: not valid JSON (Expecting value); give the JSON that Amazon Transcribe writes",
    "seglst": ":1: not valid JSON (Expecting value); give a list of objects such as {",
    "tsv": ":1: no columns of Whisper's; the columns are start, end, text, times in whole mil",
    "chat": ": no utterances; write utterances as *CHI:, a tab, the words and a terminator",
    "nlp": ":1: no column 'token'; the first line names the columns: token|speaker|ts|endTs|",
    "ctm": ": no words; write FILE CHANNEL START DURATION WORD [CONFIDENCE] on each line",
    "stm": ": no segments; write FILE CHANNEL SPEAKER START END TEXT on each line",
    "rttm": ": no LEXEME lines, which hold the words; give an RTTM file with words and units,",
    "kaldi": ": no words; write UTTERANCE WORDS on each line",
    "textgrid": ":1: this is not a TextGrid; save it from Praat as a text file: it begins wi",
    "eaf": ":1: broken XML (no element found); save it from ELAN again",
    "phn": ": no intervals; write FILE ON OFF LABEL, or ON OFF LABEL on each line",
    "disrpt": ": no tokens; give a line for each token",
    "choi": ": no sentences; write one on each line, ========== between topics",
    "segeval": ":1: not valid JSON (Expecting value); write {",
    "conllu": ": no words; give a CoNLL-U file that contains sentences",
    "jsonl": ':1: an empty file; the first line is {"schema": "transcript", "version": 1}',
    "nemo": ": no words; give a file with the words of a transcript",
    "masses": ": no masses; write the lengths of the units as whole numbers from 1 on, separ",
    "scores": ":1: no words; write a word and its score on each line",
}


def everything(form, text):
    """All that is read, whichever recordings there are."""
    found = scripts(form, text, rate=16000)
    return [(each.recording, each.version, told(each, FIELDS)) for each in found]


def valid(form):
    return [seed.decode() for seed in KINDS[form].seeds]


@pytest.mark.parametrize("form", KINDS)
def test_encodings_and_line_ends(form):
    for text in valid(form):
        expected = everything(form, text)
        for encoding in ENCODINGS:
            assert everything(form, decode(text.encode(encoding), "x")) == expected
        for name, change in LINE_ENDS.items():
            if name != "CR" or form not in NO_CR:
                assert everything(form, change(text)) == expected, name


@pytest.mark.parametrize("form", KINDS)
def test_a_format_is_told_by_its_name_and_its_content(form, tmp_path):
    for text in valid(form):
        path = tmp_path / f"talk{KINDS[form].suffix or '.txt'}"
        path.write_text(text)
        if TIMED[form].suffixes:
            assert detect(str(path)) == form
        if form not in BY_NAME:
            assert by_content(text) in (form, "")
    assert form in BY_NAME or by_content(valid(form)[0]) == form


@pytest.mark.parametrize("form", EMPTY)
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file(form, text):
    assert message(form, "").startswith(f"x{EMPTY[form]}")
    assert message(form, text).startswith("x:")


@pytest.mark.parametrize("form", KINDS)
def test_bytes_that_are_not_utf8_are_named_with_their_line(form, tmp_path):
    path = tmp_path / "talk"
    path.write_bytes(valid(form)[0].rstrip("\n").encode() + b"\n\xe9\n")
    line = path.read_bytes().count(b"\n")
    with pytest.raises(FormatError) as error:
        caesura.read(path, input=form)
    assert str(error.value).startswith(f"{path}:{line}: byte 0xe9 is not UTF-8; ")


@MANY
@given(form=st.sampled_from([*KINDS]), rng=st.randoms(use_true_random=False))
def test_a_damaged_file_is_read_or_refused_in_one_line(form, rng):
    kind = KINDS[form]
    data = mutated(rng.choice(kind.seeds), kind.shape, rng, rng.choice(kind.seeds))
    found = outcome(read_all, form, data)
    if isinstance(found, tuple):
        assert found[1].startswith("x:")
        assert "\n" not in found[1]


def read_all(form, data):
    for each in scripts(form, decode(data, "x"), rate=16000):
        to_document(each, units=TIMED[form].units)
