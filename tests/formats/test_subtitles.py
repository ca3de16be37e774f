"""What SubRip and WebVTT share: times, writing, and that pysubs2 understands them as we do."""

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats.script import UNKNOWN, Script
from caesura.formats.transcripts import write_scripts
from support.pieces import pieces, script, told
from support.random_scripts import recordings

BOTH = pytest.mark.parametrize("form", ["srt", "vtt"])
TEXTS = st.text("abcXYZ é.,?!'-", min_size=1, max_size=12).map(str.strip).filter(bool)
CUES = st.lists(
    st.tuples(st.lists(TEXTS, min_size=1, max_size=3), st.integers(0, 10**7), st.booleans()),
    min_size=1,
    max_size=5,
)


@pytest.fixture(scope="module")
def pysubs2():
    return pytest.importorskip("pysubs2")


def shown(events):
    return [(each.start / 1e3, each.end / 1e3, " ".join(each.plaintext.split())) for each in events]


@BOTH
@given(cues=CUES)
def test_pysubs2_reads_the_same(pysubs2, form, cues):
    subs, start = pysubs2.SSAFile(), 0
    for body, last, is_italic in cues:
        text = r"\N".join(body)
        text = rf"{{\i1}}{text}{{\i0}}" if is_italic else text
        subs.append(pysubs2.SSAEvent(start=start, end=start + last, text=text))
        start += last // 2
    text = subs.to_string(form)
    assume("rolled" not in script(form, text).signs)  # rolling captions are ours only to unroll
    assert pieces(form, text, "start end texts") == shown(pysubs2.SSAFile.from_string(text, form))


@BOTH
@given(script=recordings(TEXTS, step=1000))
def test_pysubs2_reads_what_we_write(pysubs2, form, script):
    peer = pysubs2.SSAFile.from_string(write_scripts([script], form), form)
    assert shown(peer) == [
        (start, end, " ".join(text.split())) for start, end, text in told(script, "start end texts")
    ]


@pytest.mark.parametrize(
    ("form", "program"), [("srt", "SubRip"), ("vtt", "WebVTT")], ids=["srt", "vtt"]
)
@pytest.mark.parametrize("times", [None, np.array([UNKNOWN])])
def test_nothing_is_written_without_times(form, program, times):
    with pytest.raises(FormatError, match=f"no times, which {program} needs; convert a file that"):
        write_scripts([Script(["a"], times, times)], form)


def test_times_are_rounded_and_missing_ones_filled():
    start, end = np.array([1_000_499, UNKNOWN, 5_000_500]), np.array([2_000_500, UNKNOWN, UNKNOWN])
    written = write_scripts([Script(["a", "b", "c"], start, end)], "srt")
    assert re.findall(".*-->.*", written) == [
        "00:00:01,000 --> 00:00:02,001",
        "00:00:02,001 --> 00:00:05,001",
        "00:00:05,001 --> 00:00:05,001",
    ]


def test_a_text_that_is_an_arrow():
    written = write_scripts([Script(["-->", "a"], np.array([0, 1000]), np.array([0, 1000]))], "srt")
    assert pieces("srt", written, "texts start") == [("-->", 0), ("a", 0.001)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "cue"),
    [("", "{at}\n{on},250 --> {off},000\nline {at}\n\n"),
     ("WEBVTT\n\n", "{on}.250 --> {off}.000\n<v 1>line {at}\n\n")],
    ids=["srt", "vtt"],
)  # fmt: skip
def test_many_subtitles(head, cue):
    count = 50_000
    times = [f"{i // 3600:02d}:{i // 60 % 60:02d}:{i % 60:02d}" for i in range(count + 1)]
    cues = (cue.format(at=at, on=times[at], off=times[at + 1]) for at in range(count))
    found = script("vtt" if head else "srt", head + "".join(cues))
    assert found.texts == [f"line {i}" for i in range(count)]
    assert np.array_equal(found.start, np.arange(count) * 1_000_000 + 250_000)
    assert np.array_equal(found.end, np.arange(1, count + 1) * 1_000_000)
