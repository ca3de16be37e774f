"""SubRip."""

import pytest

from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, script

ONE = "1\n00:00:01,000 --> 00:00:02,500\nWell, it rained.\n"
TWO = "2\n00:00:03,000 --> 00:00:04,000\nA lot\nthat day\n"
BOTH = f"{ONE}\n{TWO}"
SOUND = [(1, 2.5, "Well, it rained."), (3, 4, "A lot that day")]


def read(text, fields="start end texts"):
    return pieces("srt", text, fields)


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f"{ONE}{TWO}",
        f"{ONE}\n\n\n{TWO}",
        BOTH.replace("2\n00", "1\n00"),
        BOTH.replace("2\n00", "00").replace("1\n00", "00"),
        BOTH.replace("2\n00", " 2 \n\n00"),
        BOTH.replace(",000", ".000").replace(",500", ".500"),
        BOTH.replace(",500", ",5").replace("00:00:03,000", "0:0:3"),
        BOTH.replace("00:00:0", "00:0"),
        BOTH.replace(" --> ", "-->"),
        BOTH.replace(",500\n", ",500  X1:100 X2:200 Y1:1 Y2:2\n"),
        BOTH.replace("it rained", "<i>it</i> <font color='#fff'>rained</FONT>"),
        BOTH.replace("A lot", r"{\an8}A<br/>lot"),
        BOTH.replace("A lot\n", "\n  A lot \n\n"),
        f"{TWO}\n{ONE}",
    ],
)
def test_the_same_subtitles(text):
    assert read(text) == SOUND


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
    assert read(f"{BOTH}\n{tail}") == SOUND


def test_numbers_can_be_text():
    first = "1\n00:00:01,000 --> 00:00:02,000\n1984\n\n2\n00:00:02,000 --> 00:00:03,000\n42\n"
    assert read(first, "texts") == ["1984", "42"]
    assert read(first.replace("2\n00", "00"), "texts") == ["1984", "42"]


def test_what_looks_like_a_tag_and_is_none_stays():
    line = "a < b > c <3 {x} - Yes. - No & &amp; 5->6"
    assert read(ONE.replace("Well, it rained.", line), "texts") == [line]


def test_overlapping_cues_stay():
    assert read(ONE + TWO.replace("00:00:03,000", "00:00:01,000"), "start") == [1, 1]


def test_lines_are_those_of_the_time_lines():
    assert read(f"\n{BOTH}", "lines ends") == [(3, True), (7, True)]


TIMES = "00:00:01.000 --> 00:00:02.500"
CURE = f"write a time line as {TIMES}"
EMPTY = f" no subtitles; give a file with text under time lines such as {TIMES}"
THIRD = f"{ONE}\n2\n{{}}\nWell\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Just text.\n", EMPTY),
        ("1\n00:00:01,000 --> 00:00:02,000\n", EMPTY),
        (
            ONE + TWO.replace("00:00:04,000", "00:00:02,000"),
            "5: a piece that begins at 3.00 and ends at 2.00; "
            "times must be 0 or more, and a piece must not end before it begins",
        ),
        *(
            (THIRD.format(line), f"6: '{line}' is not a time line; {CURE}")
            for line in (
                "00:00:03,000 --> 00:00:xx",
                "-00:00:03,000 --> 00:00:04,000",
                "00:00:63,000 --> 00:02:04,000",
                "999999:00:01,000 --> 999999:00:02,000",
            )
        ),
        (
            THIRD.format("00:00:03,000 -> 00:00:04,000"),
            f"6: '00:00:03,000 ->' is not a time line; {CURE}",
        ),
        (
            THIRD.format("00:00:03,000 - -> 00:00:04,000").replace("\n", "\r\n"),
            f"6: '00:00:03,000 - ->' is not a time line; {CURE}",
        ),
    ],
)
def test_errors_say_where_and_how_to_mend(text, expected):
    assert message("srt", text) == f"x:{expected}"


def test_words_and_their_times():
    found = document("srt", BOTH, "segments")
    assert found.words == ["well", "it", "rained", "a", "lot", "that", "day"]
    assert found.segmentation.masses.tolist() == [3, 4]
    assert found.track.start[[0, 3]].tolist() == [1_000_000, 3_000_000]
    assert found.track.end[6] == 4_000_000
    assert document("srt", BOTH).form == "srt-marks"
    unmarked = BOTH.replace("rained.", "rained")
    assert document("srt", unmarked).segmentation.masses.tolist() == [3, 4]
    assert document("srt", unmarked, "marks").segmentation.masses.tolist() == [7]


def test_what_is_written():
    written = write_scripts([script("srt", f"{TWO}\n{ONE}")], "srt")
    assert written == f"{ONE}\n2\n00:00:03,000 --> 00:00:04,000\nA lot that day\n\n"
