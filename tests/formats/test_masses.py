import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError
from caesura.formats import masses
from caesura.formats._shared.script import Script
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import by_content, recordings

MASSES = st.lists(st.integers(1, 99), min_size=1, max_size=9)


def read(text):
    return [to_document(each) for each in masses.parse(text, "a.txt")]


def test_a_line_is_a_document():
    first, second = read("2 3 6\n\n 4\t4\r\n")
    assert first.segmentation.masses.tolist() == [2, 3, 6]
    assert second.segmentation.masses.tolist() == [4, 4]
    assert (first.text, first.form, second.source) == (None, "masses", "a.txt:3")
    assert [each.recording for each in masses.parse("2\n3\n")] == ["1", "2"]
    assert [each.recording for each in masses.parse("2 3\n")] == [""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.txt: no masses; write the lengths of the units"),
        ("2 3\n4 0 1", "a.txt:2: '0' is not a length of a unit; "),
        ("2 -3", "a.txt:1: '-3' is not"),
        ("2 3.0", "a.txt:1: '3.0' is not"),
        ("2,3,6", "a.txt:1: '2,3,6' is not"),
        ("2 ٣", "a.txt:1: '٣' is not"),
        (f"1 {1 << 30}", "a.txt:1: units of more items than any text has; "),
        ("9" * 5000, "a.txt:1: '9999"),
    ],
)
def test_what_is_no_mass(text, message):
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2 3 6\n", "masses"),
        ("1 1 2", "masses"),
        ("1 1 1", ""),
        ("0110", ""),
        ("2 3 six", ""),
        ("2.5 3", ""),
    ],
)
def test_detected_by_whole_numbers_that_are_no_binary_string(text, form):
    assert by_content(text) == form


def test_a_huge_document_takes_no_room():
    (document,) = read("1000000000 1")
    assert document.segmentation.length == 10**9 + 1


@given(st.lists(MASSES, min_size=1, max_size=4))
def test_round_trip(documents):
    scripts = masses.parse("".join(f"{' '.join(map(str, each))}\n" for each in documents))
    again = read("".join(masses.write(scripts)))
    assert [each.segmentation.masses.tolist() for each in again] == documents


def test_written_from_words():
    assert "".join(masses.write([Script(["a", "b"])])) == "1 1\n"


def test_lines_of_a_file_are_named_by_number(folder):
    folder(**{"a.txt": "2 3\n4 1\n", "b.txt": "2 3\n"})
    assert recordings("a.txt") == {"": ["1", "2"]}
    assert recordings("b.txt") == {}
    assert caesura.read("a.txt::2").segmentation.masses.tolist() == [4, 1]
    with pytest.raises(FormatError, match=r"2 recordings: 1, 2; name one, as a.txt::1"):
        caesura.read("a.txt")
    assert not TIMED["masses"].has_words
