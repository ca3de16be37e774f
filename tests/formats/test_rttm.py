from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import rttm
from caesura.formats._shared.clock_times import SECOND
from caesura.formats._shared.script import Script
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import write_scripts

WORDS = st.text("abcäßב.,?'-", min_size=1, max_size=6)
TYPES = st.sampled_from(rttm.TYPES)


@st.composite
def scripts(draw):
    """A recording in which speakers on two channels take turns, or speak at once."""
    size = draw(st.integers(1, 14))
    gaps = draw(st.lists(st.integers(0, 3 * SECOND), min_size=size, max_size=size))
    speakers = draw(st.lists(st.sampled_from(["ann", "bob", ""]), min_size=size, max_size=size))
    channels = draw(st.lists(st.sampled_from("12"), min_size=size, max_size=size))
    ends = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    ends[-1] = True
    start = np.cumsum(np.array(gaps) + SECOND)
    length = np.array(draw(st.lists(st.integers(2, SECOND), min_size=size, max_size=size)))
    return Script(
        texts=draw(st.lists(WORDS, min_size=size, max_size=size)),
        start=start,
        end=start + length,
        ends=ends,
        types=[draw(TYPES) if is_end else "" for is_end in ends.tolist()],
        speakers=speakers,
        channels=channels,
        recording="talk",
    )


def as_rows(script):
    return list(
        zip(
            script.texts,
            script.start.tolist(),
            script.end.tolist(),
            script.ends.tolist(),
            script.types,
            script.speakers,
            script.channels,
            strict=True,
        )
    )


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
    (script,) = rttm.parse(text, "x.rttm")
    assert script.texts == ["Did", "no", "rain"]
    assert script.ends.tolist() == [False, True, True]
    assert script.types == ["", "statement", "question"]
    assert script.speakers == ["ann", "bob", "ann"]
    assert script.lines.tolist() == [7, 10, 6]
    document = to_document(script, units=TIMED["rttm"].units)
    assert document.segmentation.boundaries.tolist() == [1, 2]
    assert document.segmentation.marks.tolist() == ["statement", "question"]


def test_the_units_of_nobody_are_those_of_the_channel():
    text = line("LEXEME", 0, 1, "a", "lex") + line("LEXEME", 1, 1, "b", "lex", "bob")
    text += line("LEXEME", 2, 1, "c", "lex", "bob", channel="2")
    (script,) = rttm.parse(text + line("SU", 0, 2, subtype="statement", speaker="<NA>"))
    assert script.ends.tolist() == [False, True, False]


@pytest.mark.parametrize("place", [{"channel": "2"}, {"file": "other"}])
def test_units_without_any_word_are_left_out(place):
    text = line("LEXEME", 0, 1, "a", "lex") + line("LEXEME", 1, 1, "b", "lex")
    (script,) = rttm.parse(text + line("SU", 0, 2, subtype="statement", **place))
    assert script.ends.tolist() == [False, False]


def test_words_without_units():
    (script,) = rttm.parse(line("LEXEME", 0, 1, "yes.", "lex") + line("LEXEME", 1, 1, "no", "lex"))
    assert script.ends is script.types is None
    document = to_document(script, units=TIMED["rttm"].units)
    assert document.segmentation.boundaries.tolist() == [0, 1]


def test_segments_of_speakers():
    text = (
        line("SPKR-INFO", "<NA>", "<NA>", subtype="adult_female")
        + line("SPEAKER", 2, 2, speaker="bob")
        + line("SPEAKER", 0, 2.5)
        + line("SPEAKER", 7, 0)
        + line("SPEAKER", 0, 1, file="other", speaker="<NA>")
    )
    script, other = rttm.parse(text, "x.rttm")
    assert (script.recording, other.recording) == ("talk", "other")
    assert (script.speakers, other.speakers) == (["ann", "bob"], [""])
    document = to_document(script, units=TIMED["rttm"].units)
    assert (document.text, document.form, document.recording) == (None, "rttm-segments", "talk")
    assert document.track.end.tolist() == [2_500_000, 4_000_000]
    assert document.segmentation.boundaries.tolist() == [0, 1]
    assert document.track.edges is None


def test_words_are_read_before_segments_unless_these_are_chosen():
    text = line("SPEAKER", 0, 5) + line("LEXEME", 0, 1, "yes", "lex")
    assert rttm.parse(text)[0].texts == ["yes"]
    assert rttm.parse(text, tier="phones?")[0].texts == ["yes"]
    (script,) = rttm.parse(text, tier="SPEAKER")
    assert (script.texts, script.end.tolist()) == ([""], [5_000_000])


def test_segments_are_written_and_read_again():
    text = line("SPEAKER", 0, 2.5) + line("SPEAKER", 2, 2, speaker="bob", channel="2")
    scripts = rttm.parse(text)
    written = write_scripts(scripts, "rttm")
    assert written.splitlines()[0] == "SPEAKER talk 1 0.00 2.50 <NA> <NA> ann <NA> <NA>"
    (again,) = rttm.parse(written)
    assert again.end.tolist() == scripts[0].end.tolist()
    assert (again.speakers, again.channels) == (scripts[0].speakers, scripts[0].channels)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.rttm: no LEXEME lines, which hold the words; "),
        (line("FILLER", 0, 5), "x.rttm: no LEXEME lines, which hold the words; give an RTTM"),
        (
            line("SPEAKER", 0, 5) + line("SU", 0, 5, subtype="statement"),
            "x.rttm: no LEXEME lines, which hold the words; give an RTTM",
        ),
        (line("SPEAKER", 0, 5) + line("SPEAKER", 5, -1), "x.rttm:2: '-1' is not a time; "),
        (line("SPEAKER", 5, 0), "x.rttm: no SPEAKER line lasts any time; give segments that end"),
        ("LEXEME talk 1 0 1 a lex ann\n", "x.rttm:1: 8 columns; write TYPE FILE CHANNEL START"),
        (line("LEXEME", 0, -1, "a", "lex"), "x.rttm:1: '-1' is not a time; "),
        (";;\n" + line("LEXEME", "x", 1, "a", "lex"), "x.rttm:2: 'x' is not a time; "),
        (line("LEXEME", 999999999, 2, "a", "lex"), "x.rttm:1: ends at 1000000001.00; times end "),
        (line("LEXEM", 0, 1, "a", "lex"), "x.rttm:1: 'LEXEM' is not a type of RTTM; "),
        (
            line("LEXEME", 0, 1, "a", "lex") + line("SU", 0, "<NA>", subtype="statement"),
            "x.rttm:2: '<NA>' is not a time; ",
        ),
    ],
)
def test_broken_files(text, message):
    with pytest.raises(FormatError) as error:
        rttm.parse(text, "x.rttm")
    assert str(error.value).startswith(message)


@given(scripts())
def test_round_trip(script):
    (again,) = rttm.parse("".join(rttm.write([script])), "x.rttm")
    assert as_rows(again) == as_rows(script)


def test_marks_are_written_as_types():
    times = np.arange(4) * SECOND
    script = Script(
        ["so?", "it", "is.", "oh"],
        times,
        times + SECOND,
        ends=np.array([True, False, True, True]),
        types=["?", "", ".", ""],
        source="talk.txt",
    )
    written = "".join(rttm.write([script]))
    assert written.splitlines()[:2] == [
        "SU talk 1 0.00 1.00 <NA> question <NA> <NA>",
        "LEXEME talk 1 0.00 1.00 so? lex <NA> <NA>",
    ]
    (again,) = rttm.parse(written)
    assert again.types == ["question", "", "statement", "other"]
    with pytest.raises(FormatError, match="no times, which RTTM needs"):
        list(rttm.write([Script(["a"])]))


def test_what_looks_like_it():
    assert rttm.is_like(";; x\n\n" + line("SPKR-INFO", "<NA>", "<NA>"))
    assert not rttm.is_like("su casa es mi casa y de los otros nueve\n")
    assert not rttm.is_like("Speaker one said that it was time to go home\n")
    assert not rttm.is_like("")


def test_uem():
    text = ";; x\n/audio/talk.sph A 5 9.5\ntalk a 0 5\nother 1 1 2\n"
    assert rttm.parse_uem(text) == {
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
        rttm.parse_uem(text, "x.uem")
    assert str(error.value).startswith(message)


CELLS_OF_JUNK = st.sampled_from(
    "LEXEME SU NOSCORE t 1 0 0.5 -1 nan 1e99 <NA> statement ; # é \0".split(" ")
)
JUNK = st.lists(st.lists(CELLS_OF_JUNK, min_size=9, max_size=9) | st.lists(CELLS_OF_JUNK))


@given(JUNK)
def test_junk_is_read_or_refused(lines):
    for end in ("\n", "\r\n", "\u2028"):
        text = end.join(" ".join(cells) for cells in lines)
        with suppress(FormatError):
            assert all(len(script) for script in rttm.parse(text, "x"))
        assert rttm.is_like(text) in (True, False)
