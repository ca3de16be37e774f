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
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.script_documents import to_document, to_words

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
    again = to_document(parse("".join(nlp.write([to_words(document)]))), units="marks")
    assert (again.words, again.raw) == (document.words, document.raw)


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


WORD = st.text("abcXYZé'-|$", min_size=1, max_size=6).filter(lambda word: word.strip("'"))
MARK = st.sampled_from(["", "", ",", ".", "?", "!", ";", "...", "…"])
TIME = st.one_of(st.just(UNKNOWN), st.integers(0, 10**12))


@st.composite
def scripts(draw):
    """Words with their marks, times and speakers, whose units end at marks."""
    words = draw(st.lists(st.tuples(WORD, MARK), min_size=1, max_size=8))
    size = len(words)
    start = np.array(draw(st.lists(TIME, min_size=size, max_size=size)))
    end = np.where(start == UNKNOWN, UNKNOWN, start + draw(st.integers(0, 10**6)))
    speakers = draw(st.lists(st.sampled_from(["", "1", "Ann Lee", "x|y"]), min_size=size,
                             max_size=size))  # fmt: skip
    return Script([word + mark for word, mark in words], start, end, speakers=speakers)


def times(values):
    return [UNKNOWN] * 9 if values is None else values.tolist()


@given(scripts())
def test_what_is_written_reads_the_same(script):
    again = parse("".join(nlp.write([script])))
    assert list(again.texts) == [text.replace("|", "¦") for text in script.texts]
    assert list(again.speakers) == [name.replace("|", "¦") for name in script.speakers]
    assert times(again.start)[: len(script)] == script.start.tolist()
    assert times(again.end)[: len(script)] == script.end.tolist()


@given(st.lists(st.lists(WORD, min_size=1, max_size=4), min_size=1, max_size=5))
def test_units_without_marks_stay_apart(units):
    text = "\n".join(" ".join(unit) for unit in units)
    document = caesura.document(text, input="lines")
    again = to_document(parse("".join(nlp.write([to_words(document)]))), units="marks")
    assert again.segmentation.masses.tolist() == document.segmentation.masses.tolist()


def test_a_comma_that_ends_a_unit_is_a_full_stop():
    script = Script(["a,", "b…", "c?", "d"], ends=np.array([True] * 4))
    assert "".join(nlp.write([script])) == HEADER + "".join(
        f"{word}||||{mark}|LC|[]\n"
        for word, mark in zip("abcd", [".", "….", "?", "."], strict=True)
    )


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
