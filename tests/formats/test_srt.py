import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats import srt
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED

try:
    import pysubs2
except ImportError:
    pysubs2 = None
PEER = pytest.mark.skipif(pysubs2 is None, reason="needs pysubs2")

ONE = "1\n00:00:01,000 --> 00:00:02,500\nWell, it rained.\n"
TWO = "2\n00:00:03,000 --> 00:00:04,000\nA lot\nthat day\n"
CURE = "write a time line as 00:00:01.000 --> 00:00:02.500"
EMPTY = "no subtitles; give a file with text under time lines such as 00:00:01.000 --> 00:00:02.500"


def parse(text):
    (script,) = srt.parse(text, "f.srt")
    return script


def pieces(text):
    script = parse(text)
    times = zip((script.start // 1000).tolist(), (script.end // 1000).tolist(), strict=True)
    return [(*time, text) for time, text in zip(times, script.texts, strict=True)]


def texts(text):
    return parse(text).texts


SOUND = [(1000, 2500, "Well, it rained."), (3000, 4000, "A lot that day")]


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}\n{TWO}",
        f"{ONE}\n{TWO}\n\n\n",
        f"\ufeff{ONE}\n{TWO}".replace("\n", "\r\n"),
        f"{ONE}\n{TWO}".replace("\n", "\r"),
        f"{ONE}\n{TWO}".rstrip("\n"),
        f"{ONE}{TWO}",
        f"{ONE}\n\n\n{TWO}",
        f"{ONE}\n{TWO}".replace("2\n00", "1\n00"),
        f"{ONE}\n{TWO}".replace("2\n00", "00").replace("1\n00", "00"),
        f"{ONE}\n{TWO}".replace("2\n00", " 2 \n\n00"),
        f"{ONE}\n{TWO}".replace(",", ".").replace("Well.", "Well,"),
        f"{ONE}\n{TWO}".replace(",500", ",5").replace("00:00:03,000", "0:0:3"),
        f"{ONE}\n{TWO}".replace("00:00:0", "00:0"),
        f"{ONE}\n{TWO}".replace(" --> ", "-->"),
        f"{ONE}\n{TWO}".replace(",500\n", ",500  X1:100 X2:200 Y1:1 Y2:2\n"),
        f"{ONE}\n{TWO}".replace("it rained", "<i>it</i> <font color='#fff'>rained</FONT>"),
        f"{ONE}\n{TWO}".replace("A lot", r"{\an8}A<br/>lot"),
        f"{ONE}\n{TWO}".replace("A lot\n", "\n  A lot \n\n"),
        f"{TWO}\n{ONE}",
    ],
)
def test_the_same_subtitles(text):
    assert pieces(text) == SOUND


@pytest.mark.parametrize(
    "tail",
    [
        "3",
        "3\n",
        "3\n00:00:0",
        "3\n00:00:05,000 --",
        "3\n00:00:05,000 --> 00:0",
        "3\n00:00:05,000 --> 00:00:06,000",
        "3\n00:00:05,000 --> 00:00:06,000\n\n",
        "3\n00:00:05,000 --> 00:00:06,000\n<i></i>\n",
        "3\n00:00:05,000 --> 00:00:06,000\n\n4\n00:00:07,000 --> 00:00:08,000\n",
    ],
)
def test_what_is_cut_short_or_empty_is_left_out(tail):
    assert pieces(f"{ONE}\n{TWO}\n{tail}") == SOUND


def test_numbers_can_be_text():
    first = "1\n00:00:01,000 --> 00:00:02,000\n1984\n\n2\n00:00:02,000 --> 00:00:03,000\n42\n"
    assert texts(first) == ["1984", "42"]
    assert texts(first.replace("2\n00", "00")) == ["1984", "42"]


def test_what_looks_like_a_tag_and_is_none_stays():
    line = "a < b > c <3 {x} - Yes. - No & &amp; 5->6"
    assert texts(ONE.replace("Well, it rained.", line)) == [line]


def test_overlapping_cues_stay():
    assert pieces(ONE + TWO.replace("00:00:03,000", "00:00:01,000"))[1][:2] == (1000, 4000)


def test_lines_are_those_of_the_time_lines():
    script = parse(f"\n{ONE}\n{TWO}")
    assert script.lines.tolist() == [3, 7]
    assert script.ends.all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", EMPTY),
        ("\n\n", EMPTY),
        ("Just text.\n", EMPTY),
        ("1\n00:00:01,000 --> 00:00:02,000\n", EMPTY),
        (
            ONE + TWO.replace("00:00:04,000", "00:00:02,000"),
            "5: a piece that begins at 3.00 and ends at 2.00; "
            "times must be 0 or more, and a piece must not end before it begins",
        ),
        (
            ONE + "\n2\n00:00:03,000 --> 00:00:xx\nWell\n",
            f"6: '00:00:03,000 --> 00:00:xx' is not a time line; {CURE}",
        ),
        (
            ONE + "\n2\n-00:00:03,000 --> 00:00:04,000\nWell\n",
            f"6: '-00:00:03,000 --> 00:00:04,000' is not a time line; {CURE}",
        ),
        (
            ONE + "\n2\n00:00:63,000 --> 00:02:04,000\nWell\n",
            f"6: '00:00:63,000 --> 00:02:04,000' is not a time line; {CURE}",
        ),
        (
            ONE + "\n2\n00:00:03,000 -> 00:00:04,000\nWell\n",
            f"6: '00:00:03,000 ->' is not a time line; {CURE}",
        ),
        (
            (ONE + "\n2\n00:00:03,000 - -> 00:00:04,000\nWell\n").replace("\n", "\r\n"),
            f"6: '00:00:03,000 - ->' is not a time line; {CURE}",
        ),
        (
            "1\n999999:00:01,000 --> 999999:00:02,000\nA\n",
            f"2: '999999:00:01,000 --> 999999:00:02,000' is not a time line; {CURE}",
        ),
    ],
)
def test_errors_say_where_and_how_to_mend(text, message):
    place = "f.srt:" if message[0].isdigit() else "f.srt: "
    with pytest.raises(FormatError, match=f"^{re.escape(place + message)}$"):
        srt.parse(text, "f.srt")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"{ONE}\n{TWO}".encode(), 7),
        (f"{ONE}\n{TWO}".encode("utf-16"), 7),
        (b"\xef\xbb\xbf" + ONE.encode(), 3),
    ],
)
def test_files(tmp_path, content, words):
    path = tmp_path / "a.srt"
    path.write_bytes(content)
    document = caesura.read(path)
    assert document.segmentation.length == words
    assert document.form == "srt-marks"


def test_a_file_in_another_encoding(tmp_path):
    path = tmp_path / "a.srt"
    path.write_bytes(ONE.replace("rained", "neigté").encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.srt:3: byte 0xe9 is not UTF-8; "):
        caesura.read(path)
    assert "neigté" in caesura.read(path, encoding="latin-1").words


@pytest.mark.parametrize(
    ("head", "like"),
    [(ONE, True), (ONE[2:], True), (ONE.replace("\n", "\r\n"), True), ("WEBVTT\n\n", False)],
)
def test_told_by_content(head, like):
    assert TIMED["srt"].is_like(head) is like


def test_words_and_their_times():
    document = to_document(parse(f"{ONE}\n{TWO}"), units="segments")
    assert document.words == ["well", "it", "rained", "a", "lot", "that", "day"]
    assert document.segmentation.masses.tolist() == [3, 4]
    assert document.track.start[[0, 3]].tolist() == [1_000_000, 3_000_000]
    assert document.track.end[6] == 4_000_000
    assert to_document(parse(f"{ONE}\n{TWO}")).segmentation.masses.tolist() == [3, 4]
    unmarked = f"{ONE}\n{TWO}".replace("rained.", "rained")
    assert to_document(parse(unmarked)).segmentation.masses.tolist() == [3, 4]
    assert to_document(parse(unmarked), units="marks").segmentation.masses.tolist() == [7]


@pytest.mark.slow
def test_many_subtitles():
    count = 200_000
    times = [f"{i // 3600:02d}:{i // 60 % 60:02d}:{i % 60:02d}" for i in range(count + 1)]
    text = "".join(
        f"{i}\n{times[i]},250 --> {times[i + 1]},000\nline {i}\n\n" for i in range(count)
    )
    script = parse(text)
    assert script.texts == [f"line {i}" for i in range(count)]
    assert np.array_equal(script.start, np.arange(count) * 1_000_000 + 250_000)
    assert np.array_equal(script.end, np.arange(1, count + 1) * 1_000_000)


LINE = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2060\ufeff"), max_size=20
)
TRICKY = st.lists(
    st.sampled_from(
        ["-->", "->", "<i>", "</v>", "<v A>", "<", ">", "&", "&amp;", "{\\an8}", "42", "NOTE", "-",
         "00:00:01,000 --> 00:00:02,000", "00:00:01.000 -> 1", "WEBVTT", "<00:01.000>", "<br>",
         "a", "é", "نعم", "--", "- ->", "\n\n", "\r", "\x85", "<.x>", "{", "\\", "</>", "<:>"]
    ),
    max_size=6,
)  # fmt: skip
TEXTS = st.one_of(LINE, TRICKY.map(" ".join), TRICKY.map("".join))


@st.composite
def scripts(draw, texts=TEXTS, speakers=None, latest=10**9):
    """Scripts with times to a thousandth of a second, in order."""
    spoken = draw(st.lists(texts, min_size=1, max_size=6))
    size = len(spoken)
    start = np.sort(draw(st.lists(st.integers(0, latest), min_size=size, max_size=size)))
    last = draw(st.lists(st.integers(0, 10**5), min_size=size, max_size=size))
    names = None if speakers is None else [draw(speakers) for _ in spoken]
    return Script(spoken, start * 1000, (start + last) * 1000, speakers=names)


def shown(script):
    rows = zip(script.texts, script.start.tolist(), script.end.tolist(), strict=True)
    names = script.speakers or [""] * len(script)
    return [
        (" ".join(text.split()), start, end, name)
        for (text, start, end), name in zip(rows, names, strict=True)
        if text.split()
    ]


@given(scripts())
@example(Script(["-->", "a"], np.array([0, 1000]), np.array([0, 1000])))
def test_what_is_written_reads_the_same(script):
    written = "".join(srt.write([script]))
    if not shown(script):
        assert written == ""
        return
    again = parse(written)
    assert shown(again) == shown(script)
    assert "".join(srt.write([again])) == written


def test_what_is_written():
    written = "".join(srt.write(srt.parse(f"{TWO}\n{ONE}", "f.srt")))
    assert written == f"{ONE}\n2\n00:00:03,000 --> 00:00:04,000\nA lot that day\n\n"


def test_times_are_rounded_and_missing_ones_filled():
    start, end = np.array([1_000_499, UNKNOWN, 5_000_500]), np.array([2_000_500, UNKNOWN, UNKNOWN])
    written = "".join(srt.write([Script(["a", "b", "c"], start, end)]))
    assert re.findall(".*-->.*", written) == [
        "00:00:01,000 --> 00:00:02,001",
        "00:00:02,001 --> 00:00:05,001",
        "00:00:05,001 --> 00:00:05,001",
    ]


@pytest.mark.parametrize("times", [None, np.array([UNKNOWN])])
def test_nothing_is_written_without_times(times):
    with pytest.raises(FormatError, match="no times, which SubRip needs; convert a file that has"):
        list(srt.write([Script(["a"], times, times)]))


PLAIN = st.text("abcXYZ é.,?!'-", min_size=1, max_size=12).map(str.strip).filter(bool)


@st.composite
def files(draw):
    """Well-formed files as another program writes them."""
    subs = pysubs2.SSAFile()
    start = 0
    for body in draw(st.lists(st.lists(PLAIN, min_size=1, max_size=3), min_size=1, max_size=5)):
        start += draw(st.integers(0, 10**7))
        last = draw(st.integers(0, 10**5))
        subs.append(pysubs2.SSAEvent(start=start, end=start + last, text=r"\N".join(body)))
        if draw(st.booleans()):
            subs[-1].text = rf"{{\i1}}{subs[-1].text}{{\i0}}"
    return subs


@PEER
@given(files(), st.sampled_from(["\n", "\r\n"]))
def test_pysubs2_reads_the_same(subs, line_end):
    text = subs.to_string("srt").replace("\n", line_end)
    assume("rolled" not in parse(text).signs)  # rolling captions are ours only to unroll
    peer = pysubs2.SSAFile.from_string(text.replace(line_end, "\n"), "srt")
    assert pieces(text) == [
        (event.start, event.end, " ".join(event.plaintext.split())) for event in peer
    ]


@PEER
@given(scripts(texts=PLAIN, latest=3 * 10**8))
def test_pysubs2_reads_what_we_write(script):
    peer = pysubs2.SSAFile.from_string("".join(srt.write([script])), "srt")
    found = [(event.plaintext, event.start * 1000, event.end * 1000, "") for event in peer]
    assert found == shown(script)


@given(st.data())
def test_damage_is_an_error_or_a_script(data):
    text = f"{ONE}\n{TWO}"
    for _ in range(data.draw(st.integers(1, 4))):
        at, stop = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        stop = min(stop, at + data.draw(st.sampled_from([0, 1, 5, 100])))
        text = (
            text[:at]
            + data.draw(
                st.sampled_from(
                    ["", "\n", "\n\n", "-->", "9", ":", ",", "<", ">", "\r", "\x85", "é", "{\\"]
                )
            )
            + text[stop:]
        )
    with suppress(FormatError):
        assert to_document(parse(text)).segmentation.length > 0
