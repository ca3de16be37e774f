import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats import vtt
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.script_documents import to_document

try:
    import pysubs2
except ImportError:
    pysubs2 = None
PEER = pytest.mark.skipif(pysubs2 is None, reason="needs pysubs2")

ONE = "00:00:01.000 --> 00:00:02.500\nWell, it rained.\n"
TWO = "00:03.000 --> 00:04.000\nA lot\nthat day\n"
BOTH = f"WEBVTT\n\n{ONE}\n{TWO}"
CURE = "write a time line as 00:00:01.000 --> 00:00:02.500"
EMPTY = "no subtitles; give a file with text under time lines such as 00:00:01.000 --> 00:00:02.500"


def parse(text):
    (script,) = vtt.parse(text, "f.vtt")
    return script


def pieces(text):
    script = parse(text)
    times = zip((script.start // 1000).tolist(), (script.end // 1000).tolist(), strict=True)
    return [(*time, text) for time, text in zip(times, script.texts, strict=True)]


SOUND = [(1000, 2500, "Well, it rained."), (3000, 4000, "A lot that day")]


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        BOTH.rstrip("\n"),
        "\ufeff" + BOTH.replace("\n", "\r\n"),
        BOTH.replace("\n", "\r"),
        BOTH.replace("WEBVTT\n\n", ""),
        BOTH.replace("WEBVTT\n", ""),
        BOTH.replace("WEBVTT\n\n", "WEBVTT\n"),
        BOTH.replace("WEBVTT", "WEBVTT - A title --> here\nKind: captions\nLanguage: en"),
        BOTH.replace("WEBVTT", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"),
        BOTH.replace("00:03", "intro - 1\n00:03"),
        BOTH.replace("00:03", "7\n00:03"),
        BOTH.replace("rained.\n\n", "rained.\n"),
        BOTH.replace("rained.\n\n", "rained.\n2\n"),
        BOTH.replace("02.500", "02.500 line:0 position:20% align:start"),
        BOTH.replace("02.500", "02.500\tregion:fred"),
        BOTH.replace(".000 -->", ",000 -->"),
        BOTH.replace("00:03", "NOTE a comment\nof two lines\n\n00:03"),
        BOTH.replace("00:03", "NOTE\n00:00:02.000 --> 00:00:02.100\nleft out\n\n00:03"),
        BOTH.replace("WEBVTT\n", "WEBVTT\nNOTE with no blank before\n"),
        BOTH.replace("WEBVTT\n", "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n"),
        BOTH.replace("A lot", "<c.loud>A</c> <00:03.500><b>lot</b>"),
        BOTH.replace("A lot", " \nA&nbsp;lot\u00a0"),
        BOTH.replace("Well, it", "<i.a.b>Well&#44; <lang en>i&#x74;</lang>"),
        BOTH + "\nlost\n",
        f"WEBVTT\n\n{TWO}\n{ONE}",
        BOTH + "\n00:05.000 --> 00:06.000",
        BOTH + "\n00:05.000 --> 00:06.000\n\n",
        BOTH + "\n00:05.000 --> 00:0",
        BOTH + "\n3\n00:05.0",
    ],
)
def test_the_same_subtitles(text):
    assert pieces(text) == SOUND


def test_a_text_may_look_like_a_block():
    text = BOTH.replace("A lot", "NOTE A lot").replace("Well", "STYLE\nNOTE\nWell")
    assert parse(text).texts == ["STYLE NOTE Well, it rained.", "NOTE A lot that day"]
    assert parse(BOTH.replace("00:03", "NOTEBOOK\n00:03")).texts[1] == "A lot that day"


def test_entities_and_what_is_none():
    text = BOTH.replace("A lot", "AT&T &amp; &lt;i&gt; R&D; &copy &amp;lt; &#10; a < b")
    assert parse(text).texts[1] == "AT&T & <i> R&D; &copy &lt; a < b that day"


def test_speakers():
    script = parse(
        BOTH.replace("A lot", "<v.loud Ann &amp; Bob  Lee>A lot").replace("day", "day</v>")
    )
    assert script.speakers == ["", "Ann & Bob Lee"]
    assert script.texts[1] == "A lot that day"
    assert parse(BOTH).speakers is None
    assert parse(BOTH.replace("A lot", "<v>A lot")).speakers is None


def test_speakers_share_a_cue():
    body = "<v Ann>four <v Bob><i>fou</i></v> r\n<v></v><v Eve> </v>"
    script = parse(BOTH.replace("A lot\nthat day", body))
    assert script.texts[1:] == ["four", "fou", "r"]
    assert script.speakers[1:] == ["Ann", "Bob", ""]
    assert script.start[1:].tolist() == [3_000_000, 3_500_000, 3_875_000]
    assert script.end[1:].tolist() == [3_500_000, 3_875_000, 4_000_000]
    assert script.lines.tolist() == [3, 6, 6, 6]
    document = to_document(script, units="segments")
    assert document.segmentation.masses.tolist() == [3, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f" {EMPTY}"),
        ("WEBVTT", f" {EMPTY}"),
        ("WEBVTT\n\nNOTE nothing\n", f" {EMPTY}"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann></v>\n", f" {EMPTY}"),
        (
            BOTH.replace("02.500", "00.500"),
            "3: a piece that begins at 1.00 and ends at 0.50; "
            "times must be 0 or more, and a piece must not end before it begins",
        ),
        (
            BOTH.replace("00:04.000", "4.000"),
            f"6: '00:03.000 --> 4.000' is not a time line; {CURE}",
        ),
        (
            BOTH.replace("A lot", "A --> lot").replace("WEB", "WEB"),
            f"7: 'A --> lot' is not a time line; {CURE}",
        ),
        (
            BOTH.replace("WEBVTT\n", "WEBVTT\n\nNOTE a\nb\n").replace("03.000 -->", "03.000 ->"),
            f"9: '00:03.000 ->' is not a time line; {CURE}",
        ),
    ],
)
def test_errors_say_where_and_how_to_mend(text, message):
    with pytest.raises(FormatError, match=f"^{re.escape('f.vtt:' + message)}$"):
        vtt.parse(text, "f.vtt")


def test_files(tmp_path):
    path = tmp_path / "a.vtt"
    path.write_bytes(BOTH.encode("utf-16"))
    assert caesura.read(path).segmentation.masses.tolist() == [3, 4]
    path.write_bytes(BOTH.replace("day", "été").encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.vtt:8: byte 0xe9 is not UTF-8; "):
        caesura.read(path)
    nameless = tmp_path / "a"
    nameless.write_text(BOTH)
    assert caesura.read(nameless).form == "vtt-marks"


def test_words_and_their_times():
    document = to_document(parse(BOTH.replace("A lot", "<v Ann>A lot")))
    assert document.words == ["well", "it", "rained", "a", "lot", "that", "day"]
    assert document.segmentation.masses.tolist() == [3, 4]
    assert document.track.end[[2, 6]].tolist() == [2_500_000, 4_000_000]
    assert [document.track.speaker.names[code] for code in document.track.speaker.codes[3:]] == [
        "Ann"
    ] * 4


@pytest.mark.slow
def test_many_subtitles():
    count = 200_000
    times = [f"{i // 3600:02d}:{i // 60 % 60:02d}:{i % 60:02d}" for i in range(count + 1)]
    text = "WEBVTT\n\n" + "".join(
        f"{times[i]}.250 --> {times[i + 1]}.000\n<v {i % 3}>line {i}\n\n" for i in range(count)
    )
    script = parse(text)
    assert script.texts == [f"line {i}" for i in range(count)]
    assert script.speakers == [str(i % 3) for i in range(count)]
    assert np.array_equal(script.start, np.arange(count) * 1_000_000 + 250_000)
    assert np.array_equal(script.end, np.arange(1, count + 1) * 1_000_000)


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
TRICKY = st.lists(
    st.sampled_from(
        ["-->", "->", "<i>", "</v>", "<v A>", "<", ">", "&", "&amp;", "{\\an8}", "42", "NOTE", "-",
         "00:00:01,000 --> 00:00:02,000", "00:00:01.000 -> 1", "WEBVTT", "<00:01.000>", "<br>",
         "a", "é", "نعم", "--", "- ->", "\n\n", "\r", "\x85", "STYLE", "{", "\\", "&#10;", ";"]
    ),
    max_size=6,
)  # fmt: skip
TEXTS = st.one_of(LINE, TRICKY.map(" ".join), TRICKY.map("".join))


@st.composite
def scripts(draw, texts=TEXTS, speakers=TEXTS, latest=10**9):
    """Scripts with times to a thousandth of a second, in order."""
    spoken = draw(st.lists(texts, min_size=1, max_size=6))
    size = len(spoken)
    start = np.sort(draw(st.lists(st.integers(0, latest), min_size=size, max_size=size)))
    last = draw(st.lists(st.integers(0, 10**5), min_size=size, max_size=size))
    names = draw(st.none() | st.lists(speakers, min_size=size, max_size=size))
    return Script(spoken, start * 1000, (start + last) * 1000, speakers=names)


def shown(script):
    rows = zip(script.texts, script.start.tolist(), script.end.tolist(), strict=True)
    names = script.speakers or [""] * len(script)
    return [
        (" ".join(text.split()), start, end, " ".join(name.split()))
        for (text, start, end), name in zip(rows, names, strict=True)
        if text.split()
    ]


@given(scripts())
def test_what_is_written_reads_the_same(script):
    written = "".join(vtt.write([script]))
    if not shown(script):
        assert written == "WEBVTT\n\n"
        return
    again = parse(written)
    assert shown(again) == shown(script)
    assert "".join(vtt.write([again])) == written


def test_what_is_written():
    script = parse(BOTH.replace("A lot", "<v Ann>A &lt; lot"))
    assert "".join(vtt.write([script])) == (
        f"WEBVTT\n\n{ONE}\n00:00:03.000 --> 00:00:04.000\n<v Ann>A &lt; lot that day\n\n"
    )


@pytest.mark.parametrize("times", [None, np.array([UNKNOWN])])
def test_nothing_is_written_without_times(times):
    with pytest.raises(FormatError, match="no times, which WebVTT needs; convert a file that has"):
        list(vtt.write([Script(["a"], times, times)]))


PLAIN = st.text("abcXYZ é.,?!'-", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(
    st.lists(st.tuples(st.lists(PLAIN, min_size=1, max_size=3), st.integers(0, 10**7)), min_size=1)
)
@PEER
def test_pysubs2_reads_the_same(rows):
    subs, start = pysubs2.SSAFile(), 0
    for body, last in rows:
        subs.append(pysubs2.SSAEvent(start=start, end=start + last, text=r"\N".join(body)))
        start += last // 2
    text = subs.to_string("vtt")
    assume("rolled" not in parse(text).signs)  # rolling captions are ours only to unroll
    peer = pysubs2.SSAFile.from_string(text, "vtt")
    assert pieces(text) == [
        (event.start, event.end, " ".join(event.plaintext.split())) for event in peer
    ]


@PEER
@given(scripts(texts=PLAIN, speakers=st.just(""), latest=3 * 10**8))
def test_pysubs2_reads_what_we_write(script):
    peer = pysubs2.SSAFile.from_string("".join(vtt.write([script])), "vtt")
    found = [(event.plaintext, event.start * 1000, event.end * 1000, "") for event in peer]
    assert found == shown(script)


@given(st.data())
def test_damage_is_an_error_or_a_script(data):
    text = BOTH.replace("A lot", "<v Ann>A &amp; lot")
    for _ in range(data.draw(st.integers(1, 4))):
        at, stop = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        stop = min(stop, at + data.draw(st.sampled_from([0, 1, 5, 100])))
        text = (
            text[:at]
            + data.draw(
                st.sampled_from(
                    [
                        "",
                        "\n",
                        "\n\n",
                        "-->",
                        "9",
                        ":",
                        ".",
                        "<v ",
                        ">",
                        "\r",
                        "NOTE",
                        "&#0;",
                        "{\\",
                    ]
                )
            )
            + text[stop:]
        )
    with suppress(FormatError):
        assert to_document(parse(text)).segmentation.length > 0
