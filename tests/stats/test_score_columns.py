"""Scores from outside: what a file of them may look like, and what it may not."""

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.stats.external_scores import parse_outside, read_outside

NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=4)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def table(text):
    return {score.name: dict(score.values) for score in parse_outside(text, "x.csv")}


@pytest.mark.parametrize(
    "text",
    [
        "document,system,rouge,rating\na,s,.5,3\nb,s,.25,\n",
        "document;system;rouge;rating\na;s;,5;3\nb;s;0,25;\n",
        "Document\tSYSTEM\trouge\trating\r\na\ts\t.5\t3\r\nb\ts\t.25\tNA\r\n",
        "\n,document, system ,rouge,rating,\n0,a,s,5e-1,3,\n,,,,\n1,b,s,.25,nan,,\n",
        '"document","system","rouge","rating"\n"a","s","0.5","3"\n"b","s","0.25",""\n',
        "system,document,value,measure\ns,a,.5,rouge\ns,a,3,rating\ns,b,.25,rouge\ns,b,,rating\n",
    ],
)
def test_one_table_in_many_forms(text):
    found = table(text)
    assert found["rouge"] == {("a", "s"): 0.5, ("b", "s"): 0.25}
    assert found["rating"]["a", "s"] == 3
    assert math.isnan(found["rating"]["b", "s"])


def test_scores_of_documents_or_of_systems():
    (score,) = parse_outside("document,rouge\na,1\n", "x.csv")
    assert (score.has_documents, score.has_systems, dict(score.values)) == (
        True, False, {("a", None): 1.0}
    )  # fmt: skip
    (score,) = parse_outside("system,rouge\ns,1\n", "x.csv")
    assert (score.has_documents, score.has_systems, dict(score.values)) == (
        False, True, {(None, "s"): 1.0}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv:1: empty; begin with a header"),
        ("a,s,1\n", "x.csv:1: no column 'document' or 'system'; begin with a header"),
        ("document\na\n", "x.csv:1: no column of scores; begin"),
        ("document,r\n", "x.csv:1: a header without values; add a line"),
        ("\ndocument,r,r\n", "x.csv:2: two columns 'r'; rename one"),
        ("document,r\na,1\n\nb\n", "x.csv:4: 1 cell where the header has 2; write one"),
        ("document,r\na,1,2\n", "x.csv:2: 3 cells where the header has 2; write one"),
        ("document,r\na,1\n,2\n", "x.csv:3: no document; name it"),
        ("document,measure,value\na,,2\n", "x.csv:2: no measure; name it"),
        ("document,r\na,good\n", "x.csv:2: 'good' for 'r' is not a number; leave it empty"),
        ("document,r\na,1_0\n", "x.csv:2: '1_0' for 'r' is not a number; leave it empty"),
        ('document,r\na,"1,5"\n', "x.csv:2: '1,5' for 'r' is not a number; write a decimal point"),
        ("document\tr\na\t1,234\n", "x.csv:2: '1,234' for 'r' is not a number; write a decimal"),
        ("document;r\na;1.234,5\n", "x.csv:2: '1.234,5' for 'r' is not a number; leave it"),
        ("document,r\na,1\na,2\n", "x.csv:3: 'r' for 'a' is also on line 2; give one value"),
        (
            "document,system,r\na,s,1\na,t,2\na,s,\n",
            "x.csv:4: 'r' for 'a' of 's' is also on line 2; give one value",
        ),
        ('document,r\na,1\nb,"2\n\n', "x.csv:3: unexpected end of data; close all quotes"),
    ],
)
def test_bad_tables(text, message):
    with pytest.raises(FormatError) as error:
        parse_outside(text, "x.csv")
    assert error.value.message.startswith(message)
    assert "\n" not in error.value.message


def test_byte_order_marks_and_other_encodings(tmp_path):
    path = tmp_path / "x.csv"
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes("document;r\nä;0,5\n".encode(encoding))
        assert dict(read_outside(str(path))[0].values) == {("ä", None): 0.5}
    path.write_bytes("document;r\nä;0,5\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"x.csv:2: byte 0xe4 is not UTF-8; save the file as UT"):
        read_outside(str(path))


@given(st.dictionaries(st.tuples(NAMES, NAMES), NUMBERS, min_size=1), st.sampled_from(",;\t"))
def test_what_csv_writes_is_read(cells, separator):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator)
    writer.writerow(["document", "system", "score"])
    writer.writerows([*place, value] for place, value in cells.items())
    wanted = {place: math.nan if value is None else value for place, value in cells.items()}
    assert table(file.getvalue())["score"] == pytest.approx(wanted, nan_ok=True)
