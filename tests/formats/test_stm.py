"""NIST's STM."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats.script import SECOND, Script
from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, scripts, told

NAMES = st.text("abcdefg_-0123", min_size=1, max_size=6)
WORDS = st.lists(st.text("abcäßב.,?'<>-", min_size=1, max_size=6), max_size=4).map(" ".join)
PLAIN = st.lists(st.text("abcäßב.,?'-", min_size=1, max_size=6), max_size=4).map(" ".join)
LENGTHS = st.integers(0, 10**8)


def rows_of(words):
    row = st.tuples(NAMES, st.sampled_from("1A"), NAMES, st.integers(0, 10**9), LENGTHS, words)
    return st.lists(row, min_size=1, max_size=10)


def shown(rows):
    lines = [
        f"{name} {channel} {speaker} {start / SECOND:.6f} {(start + length) / SECOND:.6f} {words}"
        for name, channel, speaker, start, length, words in rows
    ]
    return "\n".join(lines)


def as_rows(scripts):
    return [
        (each.recording, *row)
        for each in scripts
        for row in told(each, "channels speakers start end texts")
    ]


def test_segments_speakers_and_labels():
    text = (
        ";; CATEGORY 0\nt 1 ann 0.5 2.5 <o,f0,female> So  it {rained / uh} .\n"
        "t 1 inter_segment_gap 2.5 3 <o,,>\n"
        "t 1 bob 3 4 IGNORE_TIME_SEGMENT_IN_SCORING\n"
        "t 2 bob 4 5 yes { @ / oh }\n"
    )
    assert pieces("stm", text, "texts speakers channels start lines") == [
        ("So it rained .", "ann", "1", 0.5, 2), ("yes", "bob", "2", 4, 5),
    ]  # fmt: skip
    assert document("stm", text).segmentation.boundaries.tolist() == [2, 3]


def test_segments_are_sorted_and_may_overlap():
    found = scripts("stm", "b 1 x 3 9 later\na 1 x 0 1 other\nb 1 y 1 4 sooner\n")
    assert [each.recording for each in found] == ["b", "a"]
    assert found[0].texts == ["sooner", "later"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t 1 inter_segment_gap 0 1 hello\n", ": no segments; "),
        ("t 1 ann 0 1 a\nt 1 ann 0\n", ":2: 4 columns; write FILE CHANNEL SPEAKER"),
        ("t 1 ann 0 x a\n", ":1: 'x' is not a time; "),
        ("t 1 ann -1 1 a\n", ":1: '-1' is not a time; "),
        (";;\nt 1 ann 2 1 a\n", ":2: a piece that begins at 2.00 and ends at 1.00; "),
    ],
)
def test_broken_files(text, expected):
    assert message("stm", text).startswith(f"x{expected}")


@given(rows_of(WORDS))
def test_round_trip(rows):
    found = scripts("stm", shown(rows))
    assert as_rows(scripts("stm", write_scripts(found, "stm"))) == as_rows(found)


@pytest.mark.filterwarnings("ignore")
@given(rows=rows_of(PLAIN))
def test_meeteval_reads_the_same(rows):
    peer = pytest.importorskip("meeteval").io.STM
    theirs = [
        (
            line.filename,
            line.channel,
            line.speaker_id,
            float(line.begin_time),
            float(line.end_time),
            line.transcript,
        )
        for line in peer.parse(shown(rows), parse_float=Decimal).lines
    ]
    assert sorted(as_rows(scripts("stm", shown(rows)))) == sorted(theirs)


def test_writing_without_speakers_or_with_white_space():
    times = np.array([0])
    script = Script(["<uh> yes\tit is"], times, times + SECOND, recording="my talk")
    written = write_scripts([script], "stm")
    assert written == "my_talk 1 unknown 0.00 1.00 <o,f0,unknown> <uh> yes it is\n"
    with pytest.raises(FormatError, match="no times, which STM needs"):
        write_scripts([Script(["a"])], "stm")


def first_alternatives(words):
    """The slow twin: the innermost braces are replaced, until there is nothing more to replace."""
    before = None
    while before != words:
        before, words = words, re.sub(r"\{([^{}/]*)/[^{}]*\}", r"\1", words)
    return " ".join(word for word in words.split() if word != "@")


def read_words(words):
    return pieces("stm", f"t 1 ann 0 1 <o> so {words}\n", "texts")[0].removeprefix("so").strip()


@given(st.text("{}/a @", max_size=30))
def test_alternatives(words):
    assert read_words(words) == first_alternatives(words)


@pytest.mark.slow
def test_alternatives_nested_deep():
    deep = 100_000
    assert read_words("{ x " * deep + "/ y }" * deep) == " ".join(["x"] * deep)
    assert read_words("{" * deep + "a" + "/b}" * deep) == "a"
    assert read_words("{" * deep) == "{" * deep
