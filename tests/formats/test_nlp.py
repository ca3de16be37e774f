"""Rev's .nlp."""

import json

import numpy as np
import pytest

import caesura
from support.pieces import document, message, pieces, script

HEADER = "token|speaker|ts|endTs|punctuation|case|tags\n"
WORDS = "Well|1|0.5|0.75|,|UC|[]\nit|1|0.75|0.9||LC|[]\nrained|1|||.|LC|[]\nYes|2|2|3|?|UC|['x']\n"


FIELDS = "texts start end speakers lines"


@pytest.mark.parametrize(
    "text",
    [
        HEADER + WORDS,
        HEADER + WORDS.replace("0.5|", "0.50|"),
        (HEADER + WORDS).replace("]\n", "]|x\n").replace("tags\n", "tags|wer_tags\n"),
    ],
)
def test_the_same_words(text):
    assert pieces("nlp", text, FIELDS) == [
        ("Well,", 0.5, 0.75, "1", 2),
        ("it", 0.75, 0.9, "1", 3),
        ("rained.", None, None, "1", 4),
        ("Yes?", 2, 3, "2", 5),
    ]


def test_only_tokens_and_marks_are_needed():
    found = pieces("nlp", "punctuation|token\n.|yes\n|no\u2028\n", FIELDS)
    assert found == [("yes.", None, None, None, 2), ("no\u2028", None, None, None, 3)]


def test_words_and_units():
    found = document("nlp", HEADER + WORDS)
    assert found.words == ["well", "it", "rained", "yes"]
    assert found.segmentation.masses.tolist() == [3, 1]
    assert found.track.speaker.names == ("1", "2")


@pytest.mark.parametrize("mark", ["-", "–", "--"])
def test_a_dash_is_no_part_of_the_word(mark):
    """In CORAAL and Earnings-21: `26|1|||-||N/A|[]`."""
    text = HEADER + f"there-|1||||LC|[]\n26|1|||{mark}|CA|[]\nOh|1|||.|UC|[]\n"
    assert document("nlp", text).words == ["there-", "26", "oh"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n", f":1: no column 'token'; the first line names the columns: {HEADER.strip()}"),
        ("token|ts\n", ":1: no column 'punctuation'; the first line names the columns: "),
        (HEADER, ":1: no words; give a line for each word"),
        (
            HEADER + WORDS + "cut|1|2",
            ":6: 'cut|1|2' has 3 columns where the first line names 7; give the line all columns",
        ),
        (
            HEADER + WORDS + "a|b|1|2|3|.|UC|[]\n",
            ":6: 'a|b|1|2|3|.|UC|[]' has 8 columns where the first line names 7; write | inside",
        ),
        (
            HEADER + WORDS.replace("0.9", "zero"),
            ":3: 'zero' is not a time; write seconds, such as ",
        ),
        (
            HEADER + WORDS.replace("0.9", "-0.9"),
            ":3: '-0.9' is not a time; write seconds, such as ",
        ),
        (HEADER + WORDS.replace("0.9", "0.7"), ":3: a piece that begins at 0.75 and ends at 0.70;"),
    ],
)
def test_errors_say_where_and_how_to_mend(text, expected):
    assert message("nlp", text).startswith(f"x{expected}")


@pytest.mark.slow
def test_many_words():
    text = HEADER + "".join(f"w{i}|1|{i}.25|{i}.5||LC|[]\n" for i in range(200_000))
    found = script("nlp", text)
    assert found.texts[-1] == "w199999"
    assert np.array_equal(found.start, np.arange(200_000) * 1_000_000 + 250_000)


def test_lines_without_all_columns_are_left_out_if_asked_to(run, folder):
    torn = (HEADER + WORDS).replace("it|", "plants.|3||.||LC\nit|")
    folder(**{"a.nlp": torn, "b.nlp": HEADER + WORDS})
    status, _, err = run("transcript", "a.nlp", "--ref", "b.nlp")
    assert status == 1
    assert err == (
        "error: a.nlp:3: 'plants.|3||.||LC' has 6 columns where the first line names 7; give the "
        "line all columns, or leave such lines out with --force\n"
    )
    told = "a.nlp:3: 1 line without the columns that the first line names, left out"
    status, out, err = run("transcript", "a.nlp", "--ref", "b.nlp", "--force", "-f", "json")
    assert (status, err) == (0, f"warning: {told}\n")
    summary = json.loads(out)
    assert summary["warnings"] == [told]
    assert "|force:yes" in summary["signature"]
    assert summary["systems"][0]["micro"]["f1_mean"] == 1
    assert f"warning: {told}\n" in run("convert", "a.nlp", "-", "--to", "lines", "--force")[2]
    assert f"warning: {told}\n" in run("segment", "best", "a.nlp", "--force")[2]
    assert caesura.read("a.nlp", force=True).words == caesura.read("b.nlp").words
