"""Morphs as files have them: columns, blanks, line ends, encodings, and what is wrong with them."""

import pytest

from caesura.communities.morphemes.morphs import parse_morphs
from caesura.errors import FormatError


def columns(text):
    found = parse_morphs(text.encode())
    return found.words, found.morphs, found.categories, list(found.lines), dict(found.signs)


def test_two_columns_and_three():
    assert columns("reader\tread @@er\n") == (["reader"], ["read @@er"], [], [1], {})
    assert columns("reader\tread @@er\t010\nfoot\tfoot\t000\n")[2] == ["010", "000"]
    assert columns("reader\tread @@er\t010\nfoot\tfoot\n")[2] == ["010", ""]
    assert columns("reader\tread @@er\t\nfoot\tfoot\t \n")[2] == []


def test_line_ends_and_blank_lines():
    assert columns("a\tb\rc\td e") == (["a", "c"], ["b", "d e"], [], [1, 2], {})
    assert columns("\na\tb\n  \n\nc\td\n\n") == (["a", "c"], ["b", "d"], [], [2, 5], {})


def test_other_scripts_are_kept_as_they_are():
    arabic, marks = "كتابها", "e\u0301te\u0301"
    text = f"{arabic}\tكتاب @@ها\n{marks}\te\u0301t @@e\u0301\na b\u00a0c\ta b\u00a0c\u2028\x85\n"
    words, morphs, *_, signs = columns(text)
    assert words == [arabic, marks, "a b\u00a0c"]
    assert morphs == ["كتاب @@ها", "e\u0301t @@e\u0301", "a b\u00a0c\u2028\x85"]
    assert signs == {}


@pytest.mark.parametrize(
    "morphs", ["", " ", "a ", " a", "a  b", "a @@ b", "a @@", "@@", "@@a b", "a @@ @@b"]
)
def test_odd_morphs_are_noticed(morphs):
    signs = columns(f"a\ta\nab\t{morphs}\nb\t{morphs}\n")[-1]
    assert signs == {"odd_morphs": 2, "odd_morphs_at": 2}


@pytest.mark.parametrize("morphs", ["a@@", "a @@@b", "a | b", "a@@b", "a @b", ". . ."])
def test_morphs_that_are_not_odd(morphs):
    assert columns(f"a\t{morphs}\n")[-1] == {}


BAD = {
    "an empty file": ("", "s: no lines; write a word, a tab"),
    "no tab": ("a\tb\nread @@er\n", "s:2: no tab in 'read @@er'; write a word, a tab"),
    "columns too many": ("a\tb\t010\tx\n", "s:1: 4 columns"),
    "a blank word": ("a\tb\n  \tb\n", "s:2: no word before the tab"),
    "a NUL byte": ("a\tb\nc\t\0d\n", "s:2: a NUL byte"),
    "a column of lemmas": (
        "".join(f"a\tb\t{at}\n" for at in range(1001)), "s: 1,001 different categories in the",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD)
def test_what_is_wrong(text, problem):
    with pytest.raises(FormatError) as raised:
        parse_morphs(text.encode(), "s")
    assert str(raised.value).startswith(problem)
