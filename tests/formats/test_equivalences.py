import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import FormatError, SourceError, UnknownNameError
from caesura.formats.equivalences import QUOTES, TABLES, Equivalences, load
from caesura.formats.texts import parse_tokens


def tokens(raw, rows):
    text = parse_tokens(raw.encode(), equivalences=Equivalences("f", tuple(rows)))
    return text.tokens(0, text.token_ends.size)


def exactly(message):
    return f"^{re.escape(message)}$"


def twin(sentence, rows):
    """Rewrite from left to right, the longest row first."""
    table = {tuple(a.split()): b.split() for a, b in rows}
    longest = max(map(len, table), default=0)
    result = []
    while sentence:
        for size in range(longest, 0, -1):
            if tuple(sentence[:size]) in table:
                result += table[tuple(sentence[:size])]
                sentence = sentence[size:]
                break
        else:
            result.append(sentence[0])
            sentence = sentence[1:]
    return result


SIMPLE = st.sampled_from("a b ab . ``".split())
ROWS = st.dictionaries(SIMPLE, st.sampled_from("x y é".split()), max_size=4).map(dict.items)


PAIRS = st.tuples(st.sampled_from("abc"), st.sampled_from("abc")).map(" ".join)
LONGER = st.dictionaries(PAIRS, st.sampled_from(["x y", "y x"]), max_size=3).map(dict.items)


@given(
    st.tuples(st.lists(SIMPLE, max_size=12), ROWS)
    | st.tuples(st.lists(st.sampled_from("abc"), max_size=12), LONGER)
)
def test_rows_of_one_token_or_two_are_rewritten(drawn):
    sentence, rows = drawn
    assert tokens(" ".join(sentence), rows) == twin(sentence, rows)


@pytest.mark.parametrize(
    ("raw", "rows", "expected"),
    [
        ("a aa a", [("a", "b")], "b aa b"),
        ("ca \t n't", [("ca n't", "can not")], "can not"),
        ("ca\nn't", [("ca n't", "can not")], "ca n't"),
        ("ca n't", [("n't", "not"), ("ca n't", "can not")], "can not"),
        ("a\u00a0 b", [("a", "x")], "a b"),
        ("日 本", [("日", "本")], "本 本"),
        ("`` ''", QUOTES.items(), '" "'),
        ("`` ''", [("``", "«"), ("''", "»")], "« »"),
        ("`` ''", [("``", '"')], "\" ''"),
        ("`` ''", [("''", '"')], '`` "'),
        ("a\x1ca\x1fa", [("a", "b")], "b b b"),
    ],
)
def test_by_hand(raw, rows, expected):
    assert tokens(raw, rows) == expected.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I ca n't go", "I can not go"),
        ("DO N'T", "DO NOT"),
        ("don't", "donot"),
        ("We'll", "Wewill"),
        ("`` Let 's ''", '" Let us "'),
        ("GON NA", "GOING TO"),
    ],
)
def test_english_contractions(one, other):
    assert caesura.joint(one, other, equivalences="english-contractions").tokens.f1 == 1
    assert caesura.joint(one, other).tokens.f1 < 1


def test_every_row_has_as_many_tokens_on_both_sides():
    for table in TABLES.values():
        assert all(len(a.split()) == len(b.split()) for a, b in table.rows)
        assert load(table.name) is table
        assert len(dict(table.rows)) == len(table.rows)
        assert table.has_quotes == (table.name != "none")


@pytest.fixture
def table(tmp_path):
    def write(content):
        path = tmp_path / "table.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def test_a_table_from_a_file(table):
    path = table("# brackets\n(\t-LRB-\n\n)\t-RRB-\r\nca  n't\tcan not\n``\t\"\n''\t\"\n")
    found = load(path)
    assert found.name == path
    assert found.rows == (
        ("(", "-LRB-"), (")", "-RRB-"), ("ca n't", "can not"), ("``", '"'), ("''", '"')
    )  # fmt: skip
    assert found.has_quotes


NUMBERS = "have different numbers of tokens; replace each token by one token"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a\tb\na b\n", "2: 1 column; write TOKENS, a tab, and TOKENS"),
        ("a\tb\tc\n", "1: 3 columns; write TOKENS, a tab, and TOKENS"),
        ("a\tb\n\nca n't\tcannot\n", f"3: 'ca n't' and 'cannot' {NUMBERS}"),
        ("a\t\n", f"1: 'a' and '' {NUMBERS}"),
        ("\ta\n", f"1: '' and 'a' {NUMBERS}"),
    ],
)
def test_a_malformed_table(table, content, problem):
    path = table(content)
    with pytest.raises(FormatError, match=exactly(f"{path}:{problem}")):
        load(path)


def test_tables_that_cannot_be_read(table):
    with pytest.raises(FormatError, match=r"table\.tsv:2: byte 0xff is not UTF-8"):
        load(table(b"a\tb\n\xff\tc\n"))
    message = "no/table.tsv: no such file or directory; check the path"
    with pytest.raises(SourceError, match=exactly(message)):
        load("no/table.tsv")
    assert load(table("# nothing\n")).rows == ()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("quote", "did you mean quotes?"),
        ("english", "known: english-contractions, none, quotes"),
        ("german-contractions", "did you mean english-contractions?"),
    ],
)
def test_an_unknown_table(name, hint):
    message = f"unknown table of equivalences '{name}'; {hint}"
    with pytest.raises(UnknownNameError, match=exactly(message)):
        load(name)
