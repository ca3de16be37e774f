"""Words of multiword tokens are spelt in the case of their token, however they are annotated."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.formats.conllu import parse_text as parse
from caesura.formats.texts import TextOptions
from support.random_texts import conllu, line, treebank


def words(content):
    text = parse(content.encode(), "f", TextOptions(units="words")).text
    return text.tokens(0, text.token_ends.size)


@pytest.mark.parametrize(
    ("token", "forms", "expected"),
    [
        ("Im", "in dem", "In dem"),
        ("im", "In Dem", "in dem"),
        ("IM", "in dem", "IN DEM"),
        ("Don't", "DO N'T", "Do n't"),
        ("O'Neill's", "o'neill 's", "O'Neill 's"),
        ("Au", "à le", "À le"),
        ("À", "a a", "A a"),
        ("Στη", "ΣΕ ΤΗΣ", "Σε της"),
        ("日本", "日 本", "日 本"),
        ("1 000", "1 000", "1 000"),
        # In upper case these take more letters or bytes, in lower case fewer or more.
        ("DAS", "daß x", "daß x"),
        ("Im", "İN dem", "İN dem"),
    ],
)
def test_cases_by_hand(token, forms, expected):
    content = line("1-2", token) + conllu(forms.split(" "))
    assert words(content + conllu(["Im"])) == [*expected.split(" "), "Im"]


def recased(chance, content):
    """The words of multiword tokens in any case."""
    rows, last = [row.split("\t") for row in content.split("\n")], 0
    for row in rows:
        if re.fullmatch(r"\d+-\d+", row[0]):
            last = int(row[0].split("-")[1])
        elif row[0].isdigit() and int(row[0]) <= last:
            row[1] = "".join(chance.choice([str.lower, str.upper])(each) for each in row[1])
        elif not row[0]:
            last = 0
    return "\n".join("\t".join(row) for row in rows)


@given(st.randoms(use_true_random=False), st.text("abcdé日😀ABÀ", min_size=1, max_size=25))
def test_the_case_of_words_does_not_matter(chance, stream):
    content = treebank(chance, stream)
    assert words(recased(chance, content)) == words(content)


@pytest.mark.parametrize("name", ["partut", "pronouns", "ewt"])
def test_words_of_a_tokenizer_are_left(shared, name):
    """In English, words of multiword tokens are parts of them, in the same case."""
    path = shared / "data" / "text" / f"{name}.gold.conllu"
    forms = re.findall(r"^\d+\t([^\t]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert words(path.read_text(encoding="utf-8")) == ["".join(form.split()) for form in forms]


IM = line("1-2", "Im") + line(1, "In", *"____", 3) + line(2, "dem", *"____", 3)
IM += line(3, "Haus", *"____", 0) + "\n"


def test_one_figure_for_words(run, folder):
    """The table of words, the treebank and `--conll`, whatever the case of words is."""
    folder(**{"s.conllu": IM.replace("In", "in"), "g.conllu": IM, "plain.txt": "In dem Haus\n"})
    command = ("text", "s.conllu", "--gold", "g.conllu")
    for units in ("tokens", "words"):
        status, out, error = run(*command, "--units", units)
        assert (status, error) == (0, "")
        assert re.findall("^Words +s +(.*?) *$", out, re.MULTILINE)[0].split()[:3] == ["1.000"] * 3
    assert re.findall(r"^Words\n.*\n.*\ns +(.*)", out, re.MULTILINE)[0].split() == (
        ["3", "0", "0", *["1.000"] * 3]
    )
    words = "Words      |    100.00 |    100.00 |    100.00 |"
    for system, at in (("s.conllu", 3), ("plain.txt", 2)):
        out = run("text", system, "--gold", "g.conllu", "--conll", "--units", "words")[1]
        assert out.splitlines()[at] == words
