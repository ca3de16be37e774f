from contextlib import suppress
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import ctm
from caesura.formats._shared.clock_times import SECOND
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.script_documents import to_document

CELLS = st.text("abcxyzäßב.,?'-&", min_size=1, max_size=6)
NAMES = st.text("abcdefg_-0123", min_size=1, max_size=6)
MOMENTS = st.integers(0, 10**10)
ROWS = st.tuples(NAMES, st.sampled_from("12AB"), MOMENTS, st.integers(0, 10**7), CELLS)


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("meeteval").io.CTM


def one(text):
    (script,) = ctm.parse(text, "x.ctm")
    return script


def as_rows(scripts):
    return [
        (script.recording, *row)
        for script in scripts
        for row in zip(
            script.channels, script.start.tolist(), script.end.tolist(), script.texts, strict=True
        )
    ]


def shown(rows):
    lines = [
        f"{name} {channel} {start / SECOND:.6f} {length / SECOND:.6f} {word}"
        for name, channel, start, length, word in rows
    ]
    return "\n".join(lines)


def test_words_channels_and_times():
    script = one(";; made by hand\nt A 0.50 0.25 Hello, 0.9\n\nt B 1 .5 there.\n")
    assert script.texts == ["Hello,", "there."]
    assert script.start.tolist() == [500_000, 1_000_000]
    assert script.end.tolist() == [750_000, 1_500_000]
    assert script.channels == ["A", "B"]
    assert script.speakers is script.ends is None
    assert script.lines.tolist() == [2, 4]
    assert script.recording == "t"


def test_marks_end_units():
    document = to_document(one("t 1 0 1 yes.\nt 1 1 1 it\nt 1 2 1 is.\n"))
    assert document.segmentation.boundaries.tolist() == [0, 2]
    assert document.form == "ctm-marks"


def test_recordings_in_order_of_appearance_their_words_by_start():
    scripts = ctm.parse("b 1 2 1 two\na 1 0 1 x\nb 1 1 9 one\nb 2 2 1 also\n", "x.ctm")
    assert [script.recording for script in scripts] == ["b", "a"]
    assert scripts[0].texts == ["one", "two", "also"]
    assert scripts[0].lines.tolist() == [3, 1, 4]


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
    assert one("\n".join(lines)).texts == ["so", "uh", "well", "yes"]


def test_eight_columns_end_in_a_speaker():
    script = one("t 1 0 1 a 0.9 lex ann\nt 1 1 1 b 0.9\n")
    assert script.speakers == ["ann", ""]
    assert "".join(ctm.write([script])) == "t 1 0.00 1.00 a NA lex ann\nt 1 1.00 1.00 b\n"


def test_line_ends_of_all_kinds():
    for end in ("\n", "\r\n", "\r"):
        script = one(end.join(["t 1 0 1 a", "", "t 1 1 1 b", ""]))
        assert script.texts == ["a", "b"]
        assert script.lines.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.ctm: no words; write FILE CHANNEL START DURATION WORD"),
        (";; a comment\n\n", "x.ctm: no words; "),
        ("t 1 0 1 a\nt 1 1\n", "x.ctm:2: 3 columns; write FILE CHANNEL START DURATION WORD"),
        ("t 1 0 1 a b c d e\n", "x.ctm:1: 9 columns; "),
        ("t 1 0 -1 a\n", "x.ctm:1: '-1' is not a time; "),
        ("t 1 -2 1 a\n", "x.ctm:1: '-2' is not a time; "),
        (";;\nt 1 soon 1 a\n", "x.ctm:2: 'soon' is not a time; "),
        ("t 1 0 nan a\n", "x.ctm:1: 'nan' is not a time; "),
        ("t 1 1e300 1 a\n", "x.ctm:1: '1e300' is not a time; "),
        ("t 1 999999999 2 a\n", "x.ctm:1: ends at 1000000001.00; times end at 1000000000 seconds"),
        ("t 1 * * <ALT_BEGIN>\nt 1 0 1 a\n", "x.ctm:1: alternatives without an end; "),
        ("t 1 0 1 a\nt 1 * * <ALT>\n", "x.ctm:2: <ALT> after nothing; alternatives are "),
    ],
)
def test_broken_files(text, message):
    with pytest.raises(FormatError) as error:
        ctm.parse(text, "x.ctm")
    assert str(error.value).startswith(message)


def test_overlapping_words_and_words_without_duration_are_kept():
    assert one("t 1 1 2 b\nt 1 0 2 a\nt 1 1.5 0 c\n").texts == ["a", "b", "c"]


@given(st.lists(ROWS, min_size=1, max_size=12))
def test_round_trip(rows):
    scripts = ctm.parse(shown(rows), "x.ctm")
    again = ctm.parse("".join(ctm.write(scripts)), "x.ctm")
    assert as_rows(again) == as_rows(scripts)


@given(st.lists(ROWS, min_size=1, max_size=12), st.integers(1, 60))
def test_blocks_change_nothing(rows, size):
    text = shown(rows)
    blocks = list(ctm._blocks(text, size))
    assert "".join(block for block, _ in blocks) == text
    tables = [ctm.CellTable.from_text(block, above) for block, above in blocks]
    whole = ctm.CellTable.from_text(text)
    assert [line for table in tables for line in table.lines.tolist()] == whole.lines.tolist()
    assert [word for table in tables for word in table.column(4)] == whole.column(4)


@pytest.mark.filterwarnings("ignore")
@given(rows=st.lists(ROWS, min_size=1, max_size=12))
def test_meeteval_reads_the_same(peer, rows):
    text = shown(rows)
    theirs = [
        (
            line.filename,
            line.channel,
            int(line.begin_time * SECOND),
            int((line.begin_time + line.duration) * SECOND),
            line.word,
        )
        for line in peer.parse(text, parse_float=Decimal).lines
    ]
    assert sorted(as_rows(ctm.parse(text, "x.ctm"))) == sorted(theirs)
    written = "".join(ctm.write(ctm.parse(text, "x.ctm")))
    assert len(peer.parse(written).lines) == len(rows)


def test_writing_needs_times():
    bare = Script(["a"], source="y.txt")
    with pytest.raises(FormatError, match=r"y\.txt: no times, which CTM needs"):
        list(ctm.write([bare]))
    some = Script(["a"], np.array([UNKNOWN]), np.array([UNKNOWN]), lines=np.array([7]))
    with pytest.raises(FormatError, match=r":7: a piece without a time"):
        list(ctm.write([some]))


def test_writing_marks_the_ends_of_units_and_makes_one_cell_of_each_word():
    times = np.array([0, SECOND])
    script = Script(
        ["Well —", "yes"],
        times,
        times + SECOND,
        ends=np.array([False, True]),
        source="my talk.txt",
    )
    assert "".join(ctm.write([script])) == ("my_talk 1 0.00 1.00 Well—\nmy_talk 1 1.00 1.00 yes.\n")


def test_a_word_that_has_a_mark_gets_no_other():
    times = np.arange(4)
    words = ["a.b", "so.”", "and,", "why?"]
    script = Script(words, times, times, ends=np.ones(4, dtype=np.bool_))
    written = [line.split()[4] for line in ctm.write([script])]
    assert written == ["a.b.", "so.”", "and.", "why?"]


def test_what_looks_like_it():
    assert ctm.is_like(";; hello\nt A 0.5 0.25 yes 0.9\nt A 0.75 0.25 no\n")
    assert ctm.is_like("t A 0.5 0.25 yes NA lex ann\n")
    assert not ctm.is_like("so it rained\nyes\n")
    assert not ctm.is_like("t A ann 0.5 0.75 <o> yes it is\n")
    assert not ctm.is_like("")


CELLS_OF_JUNK = st.sampled_from(
    "t 1 0.5 -1 nan 1e9 1e99 ;; @ * <ALT_BEGIN> <ALT> <ALT_END> é \0".split(" ")
)
JUNK = st.lists(st.lists(CELLS_OF_JUNK, min_size=5, max_size=5) | st.lists(CELLS_OF_JUNK))


@given(JUNK)
def test_junk_is_read_or_refused(lines):
    for end in ("\n", "\r\n", "\u2028"):
        text = end.join(" ".join(cells) for cells in lines)
        with suppress(FormatError):
            assert all(len(script) for script in ctm.parse(text, "x"))
        assert ctm.is_like(text) in (True, False)
