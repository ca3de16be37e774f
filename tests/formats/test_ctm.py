"""NIST's CTM."""

from decimal import Decimal
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats.script import SECOND, UNKNOWN, Script
from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, script, scripts, told

CELLS = st.text("abcxyzäßב.,?'-&", min_size=1, max_size=6)
NAMES = st.text("abcdefg_-0123", min_size=1, max_size=6)
MOMENTS = st.integers(0, 10**10)
ROWS = st.lists(
    st.tuples(NAMES, st.sampled_from("12AB"), MOMENTS, st.integers(0, 10**7), CELLS),
    min_size=1,
    max_size=12,
)


def as_rows(scripts):
    return [
        (each.recording, *row) for each in scripts for row in told(each, "channels start end texts")
    ]


def shown(rows):
    lines = [
        f"{name} {channel} {start / SECOND:.6f} {length / SECOND:.6f} {word}"
        for name, channel, start, length, word in rows
    ]
    return "\n".join(lines)


def read(text, fields="texts"):
    return pieces("ctm", text, fields)


def test_words_channels_and_times():
    text = ";; made by hand\nt A 0.50 0.25 Hello, 0.9\n\nt B 1 .5 there.\n"
    assert read(text, "texts start end channels speakers ends lines") == [
        ("Hello,", 0.5, 0.75, "A", None, None, 2), ("there.", 1, 1.5, "B", None, None, 4),
    ]  # fmt: skip
    assert script("ctm", text).recording == "t"


def test_marks_end_units():
    found = document("ctm", "t 1 0 1 yes.\nt 1 1 1 it\nt 1 2 1 is.\n")
    assert found.segmentation.boundaries.tolist() == [0, 2]
    assert found.form == "ctm-marks"


def test_recordings_in_order_of_appearance_their_words_by_start():
    found = scripts("ctm", "b 1 2 1 two\na 1 0 1 x\nb 1 1 9 one\nb 2 2 1 also\n")
    assert [each.recording for each in found] == ["b", "a"]
    assert told(found[0], "texts lines") == [("one", 3), ("two", 1), ("also", 4)]


def test_the_first_alternative_is_taken():
    lines = [
        "t 1 0 1 so",
        "t 1 * * <ALT_BEGIN>",
        "t 1 1 1 uh",
        "t 1 2 1 well",
        "t 1 * * <ALT>",
        "t 1 1 2 oh",
        "t 1 * * <ALT>",
        "t 1 1 2 @",
        "t 1 * * <ALT_END>",
        "t 1 * * <ALT_BEGIN>",
        "t 1 3 1 @",
        "t 1 * * <ALT>",
        "t 1 3 1 um",
        "t 1 * * <ALT_END>",
        "t 1 4 1 yes",
    ]
    assert read("\n".join(lines)) == ["so", "uh", "well", "yes"]


def test_eight_columns_end_in_a_speaker():
    found = script("ctm", "t 1 0 1 a 0.9 lex ann\nt 1 1 1 b 0.9\n")
    assert found.speakers == ["ann", ""]
    assert write_scripts([found], "ctm") == "t 1 0.00 1.00 a NA lex ann\nt 1 1.00 1.00 b\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (";; a comment\n\n", ": no words; "),
        ("t 1 0 1 a\nt 1 1\n", ":2: 3 columns; write FILE CHANNEL START DURATION WORD"),
        ("t 1 0 1 a b c d e\n", ":1: 9 columns; "),
        ("t 1 0 -1 a\n", ":1: '-1' is not a time; "),
        (";;\nt 1 soon 1 a\n", ":2: 'soon' is not a time; "),
        ("t 1 0 nan a\n", ":1: 'nan' is not a time; "),
        ("t 1 1e300 1 a\n", ":1: '1e300' is not a time; "),
        ("t 1 999999999 2 a\n", ":1: ends at 1000000001.00; times end at 1000000000 seconds"),
        ("t 1 * * <ALT_BEGIN>\nt 1 0 1 a\n", ":1: alternatives without an end; "),
        ("t 1 0 1 a\nt 1 * * <ALT>\n", ":2: <ALT> after nothing; alternatives are "),
    ],
)
def test_broken_files(text, expected):
    assert message("ctm", text).startswith(f"x{expected}")


def test_overlapping_words_and_words_without_duration_are_kept():
    assert read("t 1 1 2 b\nt 1 0 2 a\nt 1 1.5 0 c\n") == ["a", "b", "c"]


@given(ROWS, st.integers(1, 60))
def test_blocks_and_writing_change_nothing(rows, size):
    found = scripts("ctm", shown(rows))
    assert as_rows(scripts("ctm", write_scripts(found, "ctm"))) == as_rows(found)
    with mock.patch("caesura.formats.nist.BLOCK", size):
        parts = scripts("ctm", shown(rows))
    assert as_rows(parts) == as_rows(found)
    assert [told(each, "lines") for each in parts] == [told(each, "lines") for each in found]


@pytest.mark.filterwarnings("ignore")
@given(rows=ROWS)
def test_meeteval_reads_the_same(rows):
    peer = pytest.importorskip("meeteval").io.CTM
    theirs = [
        (
            line.filename,
            line.channel,
            float(line.begin_time),
            float(line.begin_time + line.duration),
            line.word,
        )
        for line in peer.parse(shown(rows), parse_float=Decimal).lines
    ]
    ours = scripts("ctm", shown(rows))
    assert sorted(as_rows(ours)) == sorted(theirs)
    assert len(peer.parse(write_scripts(ours, "ctm")).lines) == len(rows)


def test_writing_needs_times():
    for times, expected in ((None, "y: no times, which CTM needs"), (UNKNOWN, "y:7: a piece with")):
        known = {} if times is None else {"start": np.array([times]), "end": np.array([times])}
        with pytest.raises(FormatError, match=f"^{expected}"):
            write_scripts([Script(["a"], lines=np.array([7]), source="y", **known)], "ctm")


def test_writing_marks_the_ends_of_units_and_makes_one_cell_of_each_word():
    times = np.arange(5) * SECOND
    script = Script(
        ["Well —", "a.b", "so.”", "and,", "why?"],
        times,
        times + SECOND,
        ends=np.array([False, True, True, True, True]),
        source="my talk.txt",
    )
    written = write_scripts([script], "ctm").splitlines()
    assert written[0] == "my_talk 1 0.00 1.00 Well—"
    assert [line.split()[4] for line in written] == ["Well—", "a.b.", "so.”", "and.", "why?"]
