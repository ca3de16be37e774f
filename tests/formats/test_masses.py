"""The lengths of units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats.script import Script, to_document
from caesura.formats.transcripts import recordings, write_scripts
from support.pieces import message, scripts


def read(text):
    return [to_document(each) for each in scripts("masses", text)]


def test_a_line_is_a_document():
    first, second = read("2 3 6\n\n 4\t4\r\n")
    assert first.segmentation.masses.tolist() == [2, 3, 6]
    assert second.segmentation.masses.tolist() == [4, 4]
    assert (first.text, first.form, second.source) == (None, "masses", "x:3")
    assert [each.recording for each in scripts("masses", "2\n3\n")] == ["1", "2"]
    assert [each.recording for each in scripts("masses", "2 3\n")] == [""]
    assert read("1000000000 1")[0].segmentation.length == 10**9 + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 3\n4 0 1", "x:2: '0' is not a length of a unit; "),
        ("2 -3", "x:1: '-3' is not"),
        ("2 3.0", "x:1: '3.0' is not"),
        ("2,3,6", "x:1: '2,3,6' is not"),
        ("2 ٣", "x:1: '٣' is not"),
        (f"1 {1 << 30}", "x:1: units of more items than any text has; "),
        ("9" * 5000, "x:1: '9999"),
    ],
)
def test_what_is_no_mass(text, expected):
    assert message("masses", text).startswith(expected)


@given(st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=9), min_size=1, max_size=4))
def test_round_trip(documents):
    found = scripts("masses", "".join(f"{' '.join(map(str, each))}\n" for each in documents))
    again = read(write_scripts(found, "masses"))
    assert [each.segmentation.masses.tolist() for each in again] == documents
    assert write_scripts([Script(["a", "b"])], "masses") == "1 1\n"


def test_lines_of_a_file_are_named_by_number(folder):
    folder(**{"a.txt": "2 3\n4 1\n", "b.txt": "2 3\n"})
    assert recordings("a.txt") == {"": ["1", "2"]}
    assert recordings("b.txt") == {}
    assert caesura.read("a.txt::2").segmentation.masses.tolist() == [4, 1]
    with pytest.raises(FormatError, match=r"2 recordings: 1, 2; name one, as a.txt::1"):
        caesura.read("a.txt")
