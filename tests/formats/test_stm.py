import re
from contextlib import suppress
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import stm
from caesura.formats._shared.clock_times import SECOND
from caesura.formats._shared.script import Script
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED

NAMES = st.text("abcdefg_-0123", min_size=1, max_size=6)
WORDS = st.lists(st.text("abcäßב.,?'<>-", min_size=1, max_size=6), max_size=4).map(" ".join)
PLAIN = st.lists(st.text("abcäßב.,?'-", min_size=1, max_size=6), max_size=4).map(" ".join)
LENGTHS = st.integers(0, 10**8)


def rows_of(words):
    return st.tuples(NAMES, st.sampled_from("1A"), NAMES, st.integers(0, 10**9), LENGTHS, words)


def shown(rows):
    lines = [
        f"{name} {channel} {speaker} {start / SECOND:.6f} {(start + length) / SECOND:.6f} {words}"
        for name, channel, speaker, start, length, words in rows
    ]
    return "\n".join(lines)


def as_rows(scripts):
    return [
        (script.recording, *row)
        for script in scripts
        for row in zip(
            script.channels,
            script.speakers,
            script.start.tolist(),
            script.end.tolist(),
            script.texts,
            strict=True,
        )
    ]


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("meeteval").io.STM


def test_segments_speakers_and_labels():
    text = (
        ";; CATEGORY 0\nt 1 ann 0.5 2.5 <o,f0,female> So  it {rained / uh} .\n"
        "t 1 inter_segment_gap 2.5 3 <o,,>\n"
        "t 1 bob 3 4 IGNORE_TIME_SEGMENT_IN_SCORING\n"
        "t 2 bob 4 5 yes { @ / oh }\n"
    )
    (script,) = stm.parse(text, "x.stm")
    assert script.texts == ["So it rained .", "yes"]
    assert script.speakers == ["ann", "bob"]
    assert script.channels == ["1", "2"]
    assert script.start.tolist() == [500_000, 4_000_000]
    assert script.lines.tolist() == [2, 5]
    document = to_document(script, units=TIMED["stm"].units)
    assert document.segmentation.boundaries.tolist() == [2, 3]


def test_segments_are_sorted_and_may_overlap():
    scripts = stm.parse("b 1 x 3 9 later\na 1 x 0 1 other\nb 1 y 1 4 sooner\n", "x.stm")
    assert [script.recording for script in scripts] == ["b", "a"]
    assert scripts[0].texts == ["sooner", "later"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.stm: no segments; write FILE CHANNEL SPEAKER START END TEXT"),
        ("t 1 inter_segment_gap 0 1 hello\n", "x.stm: no segments; "),
        ("t 1 ann 0 1 a\nt 1 ann 0\n", "x.stm:2: 4 columns; write FILE CHANNEL SPEAKER"),
        ("t 1 ann 0 x a\n", "x.stm:1: 'x' is not a time; "),
        ("t 1 ann -1 1 a\n", "x.stm:1: '-1' is not a time; "),
        (
            ";;\nt 1 ann 2 1 a\n",
            "x.stm:2: a piece that begins at 2.00 and ends at 1.00; ",
        ),
    ],
)
def test_broken_files(text, message):
    with pytest.raises(FormatError) as error:
        stm.parse(text, "x.stm")
    assert str(error.value).startswith(message)


@given(st.lists(rows_of(WORDS), min_size=1, max_size=10))
def test_round_trip(rows):
    scripts = stm.parse(shown(rows), "x.stm")
    again = stm.parse("".join(stm.write(scripts)), "x.stm")
    assert as_rows(again) == as_rows(scripts)


@pytest.mark.filterwarnings("ignore")
@given(rows=st.lists(rows_of(PLAIN), min_size=1, max_size=10))
def test_meeteval_reads_the_same(peer, rows):
    theirs = [
        (
            line.filename,
            line.channel,
            line.speaker_id,
            int(line.begin_time * SECOND),
            int(line.end_time * SECOND),
            line.transcript,
        )
        for line in peer.parse(shown(rows), parse_float=Decimal).lines
    ]
    assert sorted(as_rows(stm.parse(shown(rows), "x.stm"))) == sorted(theirs)


def test_writing_without_speakers_or_with_white_space():
    times = np.array([0])
    script = Script(["<uh> yes\tit is"], times, times + SECOND, recording="my talk")
    assert "".join(stm.write([script])) == (
        "my_talk 1 unknown 0.00 1.00 <o,f0,unknown> <uh> yes it is\n"
    )
    with pytest.raises(FormatError, match="no times, which STM needs"):
        list(stm.write([Script(["a"])]))


def test_what_looks_like_it():
    assert stm.is_like(";; x\nt 1 ann 0.5 2.5 <o,f0,female> so it rained\nt 1 ann 3 4\n")
    assert not stm.is_like("t A 0.5 0.25 yes 0.9\nt A 0.75 0.25 no\nt A 0.75 0.25 so\n")
    assert not stm.is_like("LEXEME t 1 0.5 0.75 yes lex ann <NA>\n")
    assert not stm.is_like("t 1 ann 2.5 0.5 so it rained\n")
    assert not stm.is_like("")


CELLS_OF_JUNK = st.sampled_from(
    "t 1 0.5 2 -1 nan 1e99 ;; @ <o> { / } inter_segment_gap é \0".split(" ")
)
JUNK = st.lists(st.lists(CELLS_OF_JUNK, min_size=6, max_size=6) | st.lists(CELLS_OF_JUNK))


@given(JUNK)
def test_junk_is_read_or_refused(lines):
    for end in ("\n", "\r\n", "\u2028"):
        text = end.join(" ".join(cells) for cells in lines)
        with suppress(FormatError):
            assert all(len(script) for script in stm.parse(text, "x"))
        assert stm.is_like(text) in (True, False)


def first_alternatives(words):
    """The slow twin: the innermost braces are replaced, until there is nothing more to replace."""
    before = None
    while before != words:
        before, words = words, re.sub(r"\{([^{}/]*)/[^{}]*\}", r"\1", words)
    return " ".join(word for word in words.split() if word != "@")


@given(st.text("{}/a @", max_size=30))
def test_alternatives(words):
    assert stm._first_alternatives(words) == first_alternatives(words)


@pytest.mark.slow
def test_alternatives_nested_deep():
    deep = 100_000
    assert stm._first_alternatives("{ x " * deep + "/ y }" * deep) == " ".join(["x"] * deep)
    assert stm._first_alternatives("{" * deep + "a" + "/b}" * deep) == "a"
    assert stm._first_alternatives("{" * deep) == "{" * deep
