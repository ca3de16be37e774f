"""WebVTT."""

import pytest

from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, script

ONE = "00:00:01.000 --> 00:00:02.500\nWell, it rained.\n"
TWO = "00:03.000 --> 00:04.000\nA lot\nthat day\n"
BOTH = f"WEBVTT\n\n{ONE}\n{TWO}"
SOUND = [(1, 2.5, "Well, it rained."), (3, 4, "A lot that day")]


def read(text, fields="start end texts"):
    return pieces("vtt", text, fields)


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
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
    assert read(text) == SOUND


def test_a_text_may_look_like_a_block():
    text = BOTH.replace("A lot", "NOTE A lot").replace("Well", "STYLE\nNOTE\nWell")
    assert read(text, "texts") == ["STYLE NOTE Well, it rained.", "NOTE A lot that day"]
    assert read(BOTH.replace("00:03", "NOTEBOOK\n00:03"), "texts")[1] == "A lot that day"


def test_entities_and_what_is_none():
    text = BOTH.replace("A lot", "AT&T &amp; &lt;i&gt; R&D; &copy &amp;lt; &#10; a < b")
    assert read(text, "texts")[1] == "AT&T & <i> R&D; &copy &lt; a < b that day"


def test_speakers():
    text = BOTH.replace("A lot", "<v.loud Ann &amp; Bob  Lee>A lot").replace("day", "day</v>")
    assert read(text, "speakers texts") == [
        ("", "Well, it rained."), ("Ann & Bob Lee", "A lot that day"),
    ]  # fmt: skip
    assert read(BOTH.replace("A lot", "<v>A lot"), "speakers") == [None, None]


def test_speakers_share_a_cue():
    body = "<v Ann>four <v Bob><i>fou</i></v> r\n<v></v><v Eve> </v>"
    text = BOTH.replace("A lot\nthat day", body)
    assert read(text, "speakers start end texts lines")[1:] == [
        ("Ann", 3, 3.5, "four", 6), ("Bob", 3.5, 3.875, "fou", 6), ("", 3.875, 4, "r", 6),
    ]  # fmt: skip
    assert document("vtt", text, "segments").segmentation.masses.tolist() == [3, 1, 1, 1]


CURE = "write a time line as 00:00:01.000 --> 00:00:02.500"
EMPTY = (
    " no subtitles; give a file with text under time lines such as 00:00:01.000 --> 00:00:02.500"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WEBVTT", EMPTY),
        ("WEBVTT\n\nNOTE nothing\n", EMPTY),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann></v>\n", EMPTY),
        (
            BOTH.replace("02.500", "00.500"),
            "3: a piece that begins at 1.00 and ends at 0.50; "
            "times must be 0 or more, and a piece must not end before it begins",
        ),
        (
            BOTH.replace("00:04.000", "4.000"),
            f"6: '00:03.000 --> 4.000' is not a time line; {CURE}",
        ),
        (BOTH.replace("A lot", "A --> lot"), f"7: 'A --> lot' is not a time line; {CURE}"),
        (
            BOTH.replace("WEBVTT\n", "WEBVTT\n\nNOTE a\nb\n").replace("03.000 -->", "03.000 ->"),
            f"9: '00:03.000 ->' is not a time line; {CURE}",
        ),
    ],
)
def test_errors_say_where_and_how_to_mend(text, expected):
    assert message("vtt", text) == f"x:{expected}"


def test_what_is_written():
    read = script("vtt", BOTH.replace("A lot", "<v Ann>A &lt; lot"))
    assert write_scripts([read], "vtt") == (
        f"WEBVTT\n\n{ONE}\n00:00:03.000 --> 00:00:04.000\n<v Ann>A &lt; lot that day\n\n"
    )
