import json
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats import nlp
from caesura.formats._shared.script import UNKNOWN
from caesura.formats._shared.script_documents import to_document

HEADER = "token|speaker|ts|endTs|punctuation|case|tags\n"
WORDS = "Well|1|0.5|0.75|,|UC|[]\nit|1|0.75|0.9||LC|[]\nrained|1|||.|LC|[]\nYes|2|2|3|?|UC|['x']\n"


def parse(text):
    (script,) = nlp.parse(text, "f.nlp")
    return script


@pytest.mark.parametrize(
    "text",
    [
        HEADER + WORDS,
        HEADER + WORDS + "\n \n",
        (HEADER + WORDS).rstrip("\n"),
        "\ufeff" + (HEADER + WORDS).replace("\n", "\r\n"),
        (HEADER + WORDS).replace("\n", "\r"),
        HEADER + WORDS.replace("0.5|", "0.50|"),
        (HEADER + WORDS).replace("]\n", "]|x\n").replace("tags\n", "tags|wer_tags\n"),
    ],
)
def test_the_same_words(text):
    script = parse(text)
    assert script.texts == ["Well,", "it", "rained.", "Yes?"]
    assert script.start.tolist() == [500_000, 750_000, UNKNOWN, 2_000_000]
    assert script.end.tolist() == [750_000, 900_000, UNKNOWN, 3_000_000]
    assert script.speakers == ["1", "1", "1", "2"]
    assert script.lines.tolist() == [2, 3, 4, 5]


def test_only_tokens_and_marks_are_needed():
    script = parse("punctuation|token\n.|yes\n|no\u2028\n")
    assert (script.texts, script.start, script.speakers) == (["yes.", "no\u2028"], None, None)


def test_words_and_units():
    document = to_document(parse(HEADER + WORDS), units="marks")
    assert document.words == ["well", "it", "rained", "yes"]
    assert document.segmentation.masses.tolist() == [3, 1]
    assert document.track.speaker.names == ("1", "2")


@pytest.mark.parametrize("mark", ["-", "–", "--"])
def test_a_dash_is_no_part_of_the_word(mark):
    """In CORAAL and Earnings-21: `26|1|||-||N/A|[]`."""
    text = HEADER + f"there-|1||||LC|[]\n26|1|||{mark}|CA|[]\nOh|1|||.|UC|[]\n"
    document = to_document(parse(text), units="marks")
    assert document.words == ["there-", "26", "oh"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f":1: no column 'token'; the first line names the columns: {HEADER.strip()}"),
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
def test_errors_say_where_and_how_to_mend(text, message):
    with pytest.raises(FormatError, match=f"^{re.escape('f.nlp' + message)}"):
        nlp.parse(text, "f.nlp")


def test_a_file_in_another_encoding(tmp_path):
    path = tmp_path / "a.nlp"
    path.write_bytes((HEADER + "caf\xe9|1|||.|LC|[]\n").encode("latin-1"))
    with pytest.raises(FormatError, match=r"a\.nlp:2: byte 0xe9 is not UTF-8; "):
        caesura.read(path)
    assert caesura.read(path, encoding="latin-1").words == ["café"]


@pytest.mark.slow
def test_many_words():
    text = HEADER + "".join(f"w{i}|1|{i}.25|{i}.5||LC|[]\n" for i in range(200_000))
    script = parse(text)
    assert script.texts[-1] == "w199999"
    assert np.array_equal(script.start, np.arange(200_000) * 1_000_000 + 250_000)


@given(st.data())
def test_damage_is_an_error_or_a_script(data):
    text = HEADER + WORDS
    for _ in range(data.draw(st.integers(1, 4))):
        at, stop = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        stop = min(stop, at + data.draw(st.sampled_from([0, 1, 5, 100])))
        text = (
            text[:at]
            + data.draw(
                st.sampled_from(
                    ["", "\n", "|", "9", "-", "nan", "\r", "\x85", "ts", "e9", "é", " ", "inf"]
                )
            )
            + text[stop:]
        )
    with suppress(FormatError):
        assert to_document(parse(text)).segmentation.length > 0


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
