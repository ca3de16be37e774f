"""NIST's RTTM, and the UEM of what is scored."""

import numpy as np
import pytest

from caesura.errors import FormatError
from caesura.formats.nist import parse_uem
from caesura.formats.registry import TIMED
from caesura.formats.script import SECOND, Script, to_document
from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, script, scripts


def line(
    kind, start, length, word="<NA>", subtype="<NA>", speaker="ann", *, file="talk", channel="1"
):
    return f"{kind} {file} {channel} {start} {length} {word} {subtype} {speaker} <NA>\n"


def test_words_units_types_and_speakers():
    text = (
        ";; made by hand\n# and so is this\n"
        + line("SPKR-INFO", "<NA>", "<NA>", subtype="adult_female")
        + line("SPEAKER", 0, 5)
        + line("SU", 0, 2, subtype="question")
        + line("LEXEME", 1, 1, "rain", "lex")
        + line("LEXEME", 0, 1, "Did", "lex")
        + line("NON-LEX", 2, 1, "ha", "laugh")
        + line("SU", 0.5, 4, subtype="Statement", speaker="bob")
        + line("LEXEME", 0.5, 3.5, "no", "lex", "bob")
        + line("SU", 9, 1, subtype="incomplete")
    )
    assert pieces("rttm", text, "texts ends types speakers lines") == [
        ("Did", False, "", "ann", 7),
        ("no", True, "statement", "bob", 10),
        ("rain", True, "question", "ann", 6),
    ]
    found = document("rttm", text)
    assert found.segmentation.boundaries.tolist() == [1, 2]
    assert found.segmentation.marks.tolist() == ["statement", "question"]


def test_the_units_of_nobody_are_those_of_the_channel():
    text = line("LEXEME", 0, 1, "a", "lex") + line("LEXEME", 1, 1, "b", "lex", "bob")
    text += line("LEXEME", 2, 1, "c", "lex", "bob", channel="2")
    text += line("SU", 0, 2, subtype="statement", speaker="<NA>")
    assert pieces("rttm", text, "ends") == [False, True, False]


@pytest.mark.parametrize("place", [{"channel": "2"}, {"file": "other"}])
def test_units_without_any_word_are_left_out(place):
    text = line("LEXEME", 0, 1, "a", "lex") + line("LEXEME", 1, 1, "b", "lex")
    text += line("SU", 0, 2, subtype="statement", **place)
    assert pieces("rttm", text, "ends") == [False, False]


def test_words_without_units():
    text = line("LEXEME", 0, 1, "yes.", "lex") + line("LEXEME", 1, 1, "no", "lex")
    assert pieces("rttm", text, "ends types") == [(None, None)] * 2
    assert document("rttm", text).segmentation.boundaries.tolist() == [0, 1]


def test_segments_of_speakers():
    text = (
        line("SPKR-INFO", "<NA>", "<NA>", subtype="adult_female")
        + line("SPEAKER", 2, 2, speaker="bob")
        + line("SPEAKER", 0, 2.5)
        + line("SPEAKER", 7, 0)
        + line("SPEAKER", 0, 1, file="other", speaker="<NA>")
    )
    talk, other = scripts("rttm", text)
    assert (talk.recording, other.recording) == ("talk", "other")
    assert (talk.speakers, other.speakers) == (["ann", "bob"], [""])
    found = to_document(talk, units=TIMED["rttm"].units)
    assert (found.text, found.form, found.recording) == (None, "rttm-segments", "talk")
    assert found.track.end.tolist() == [2_500_000, 4_000_000]
    assert found.segmentation.boundaries.tolist() == [0, 1]
    assert found.track.edges is None


def test_words_are_read_before_segments_unless_these_are_chosen():
    text = line("SPEAKER", 0, 5) + line("LEXEME", 0, 1, "yes", "lex")
    assert pieces("rttm", text, "texts") == ["yes"]
    assert pieces("rttm", text, "texts", tier="phones?") == ["yes"]
    assert pieces("rttm", text, "texts end", tier="SPEAKER") == [("", 5)]


def test_segments_are_written_and_read_again():
    text = line("SPEAKER", 0, 2.5) + line("SPEAKER", 2, 2, speaker="bob", channel="2")
    written = write_scripts([script("rttm", text)], "rttm")
    assert written.splitlines()[0] == "SPEAKER talk 1 0.00 2.50 <NA> <NA> ann <NA> <NA>"
    for each in (text, written):
        found = pieces("rttm", each, "end speakers channels")
        assert found == [(2.5, "ann", "1"), (4, "bob", "2")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (line("FILLER", 0, 5), ": no LEXEME lines, which hold the words; give an RTTM"),
        (
            line("SPEAKER", 0, 5) + line("SU", 0, 5, subtype="statement"),
            ": no LEXEME lines, which hold the words; give an RTTM",
        ),
        (line("SPEAKER", 0, 5) + line("SPEAKER", 5, -1), ":2: '-1' is not a time; "),
        (line("SPEAKER", 5, 0), ": no SPEAKER line lasts any time; give segments that end"),
        ("LEXEME talk 1 0 1 a lex ann\n", ":1: 8 columns; write TYPE FILE CHANNEL START"),
        (line("LEXEME", 0, -1, "a", "lex"), ":1: '-1' is not a time; "),
        (";;\n" + line("LEXEME", "x", 1, "a", "lex"), ":2: 'x' is not a time; "),
        (line("LEXEME", 999999999, 2, "a", "lex"), ":1: ends at 1000000001.00; times end "),
        (line("LEXEM", 0, 1, "a", "lex"), ":1: 'LEXEM' is not a type of RTTM; "),
        (
            line("LEXEME", 0, 1, "a", "lex") + line("SU", 0, "<NA>", subtype="statement"),
            ":2: '<NA>' is not a time; ",
        ),
    ],
)
def test_broken_files(text, expected):
    assert message("rttm", text).startswith(f"x{expected}")


def test_marks_are_written_as_types():
    times = np.arange(4) * SECOND
    marked = Script(
        ["so?", "it", "is.", "oh"],
        times,
        times + SECOND,
        ends=np.array([True, False, True, True]),
        types=["?", "", ".", ""],
        source="talk.txt",
    )
    written = write_scripts([marked], "rttm")
    assert written.splitlines()[:2] == [
        "SU talk 1 0.00 1.00 <NA> question <NA> <NA>",
        "LEXEME talk 1 0.00 1.00 so? lex <NA> <NA>",
    ]
    assert pieces("rttm", written, "types") == ["question", "", "statement", "other"]
    with pytest.raises(FormatError, match="no times, which RTTM needs"):
        write_scripts([Script(["a"])], "rttm")


def test_uem():
    text = ";; x\n/audio/talk.sph A 5 9.5\ntalk a 0 5\nother 1 1 2\n"
    assert parse_uem(text) == {
        ("talk", "a"): [(0, 5 * SECOND), (5 * SECOND, 9_500_000)],
        ("other", "1"): [(SECOND, 2 * SECOND)],
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.uem: nothing to score; write FILE CHANNEL START END on each line"),
        ("talk 1 0\n", "x.uem:1: 3 columns; "),
        ("talk 1 0 x\n", "x.uem:1: 'x' is not a time; "),
        ("talk 1 3 3\n", "x.uem:1: a stretch from 3.00 to 3.00; "),
        (
            "talk 1 2 6\ntalk 1 0 3\n",
            "x.uem:1: a stretch from 2.00 to 6.00; a stretch must end after",
        ),
    ],
)
def test_broken_uem(text, message):
    with pytest.raises(FormatError) as error:
        parse_uem(text, "x.uem")
    assert str(error.value).startswith(message)
