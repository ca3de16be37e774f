"""CoNLL-U, as a table of words: the columns, the tokens and what is wrong."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.core.treebank_table import COLUMNS, TreebankTable
from caesura.errors import FormatError
from caesura.formats import conllu as module
from caesura.formats.conllu import parse_conllu, surface_text
from caesura.formats.equivalences import TABLES
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextOptions, parse_filled
from support.hypothesis_settings import MANY
from support.random_texts import conllu, line, treebank

ORDER = "number words from 1 in each sentence, and put ranges before their words"


def parse(*parts):
    return parse_conllu("".join(parts).encode(), "f.conllu")


def exactly(message):
    return f"^{re.escape(message)}$"


@pytest.fixture(scope="session")
def read(tmp_path_factory):
    """Read text as a file of CoNLL-U."""
    path = tmp_path_factory.mktemp("conllu") / "f.conllu"

    def call(content, **options):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_tokens(path, TextOptions(**options))

    return call


def sentences(text):
    return [
        text.tokens(int(start), int(stop))
        for start, stop in zip(
            np.append(0, text.sentence_ends[:-1]), text.sentence_ends, strict=True
        )
    ]


class Naive:
    """A plain reading of CoNLL-U that is sound."""

    def __init__(self, content):
        self.words, self.tokens, self.heads, self.in_range = [], [], [], []
        for block in re.split(r"\n{2,}", content):
            rows = [row.split("\t") for row in block.split("\n") if row and row[0] != "#"]
            self.add([row for row in rows if "." not in row[0]])

    def add(self, rows):
        first, covered = len(self.words), 0
        size = sum("-" not in row[0] for row in rows)
        tokens = []
        for row in rows:
            if "-" in row[0]:
                covered = int(row[0].split("-")[1])
                tokens.append(row[1])
                continue
            number = int(row[0])
            if number > covered:
                tokens.append(row[1])
            self.words.append(row)
            self.in_range.append(number <= covered)
            self.heads.append(self.head(row[6], first, size))
        self.tokens += [tokens] if tokens else []

    @staticmethod
    def head(value, first, size):
        if not re.fullmatch("[0-9]+", value) or int(value) > size:
            return TreebankTable.NO_HEAD
        return first + int(value) - 1 if int(value) else TreebankTable.ROOT


@st.composite
def treebanks(draw):
    random = draw(st.randoms(use_true_random=False))
    stream = draw(st.text("abcdé日😀ABÀ", max_size=25))
    content = treebank(random, stream)
    blank = draw(st.sampled_from(["\n", "\n\n", "\n# a comment\n\n"]))
    head = draw(st.sampled_from(["_", "99", "-1", "x", "1", "01", ""]))
    content = content.replace("\n\n", "\n" + blank)
    if draw(st.booleans()):
        content = content.replace("\t0\troot", f"\t{head}\troot")
    return content


@MANY
@given(treebanks().filter(str.strip))
def test_tables_are_those_of_a_plain_reading(read, content):
    naive, found = Naive(content), read(content)
    table = found.treebank.table
    assert table.in_range.tolist() == naive.in_range
    assert table.heads().tolist() == naive.heads
    for name in COLUMNS:
        values, which = table.values(name, table.words)
        column = [row[COLUMNS.index(name)].encode() for row in naive.words]
        assert [values[at] for at in which] == column
        assert len(set(values)) == len(values)
    bare = [["".join(token.split()) for token in sentence] for sentence in naive.tokens]
    assert sentences(found.text) == bare
    forms = ["".join(form.split()) for form in table.forms(np.arange(table.words.size))]
    assert forms == ["".join(row[1].lower().split()) for row in naive.words]


@given(treebanks().filter(str.strip))
def test_words_and_lines_are_those_of_a_plain_reading(read, content):
    rows, naive = content.split("\n"), Naive(content)
    words = read(content, units="words").text
    for number in words.lines.tolist():
        assert rows[number - 1].split("\t")[0] in ("1", "01") or rows[number - 1].startswith("1-")
    pairs = zip(words.tokens(0, words.token_ends.size), naive.words, naive.in_range, strict=True)
    for form, row, in_range in pairs:
        wanted = "".join(row[1].split())
        assert form == wanted or (in_range and form.lower() == wanted.lower())
    assert words.sentence_ends.size == len(naive.tokens)


DU = line("1-2", "du") + line(1, "de") + line(2, "le")


@pytest.mark.parametrize(
    ("content", "tokens", "words"),
    [
        (DU + line(3, "pain"), ["du", "pain"], ["de", "le", "pain"]),
        (line("0.1", "x") + DU, ["du"], ["de", "le"]),
        (DU.replace("\n", "\n" + line("0.1", "x"), 1), ["du"], ["de", "le"]),
        (DU.replace("\n2\t", f"\n{line('1.1', 'x')}{line('1.2', 'y')}2\t"), ["du"], ["de", "le"]),
        (DU + line("2.1", "x") + line(3, "b"), ["du", "b"], ["de", "le", "b"]),
        (line("1-1", "au") + line(1, "à"), ["au"], ["à"]),
        (DU + line("3-4", "du") + line(3, "de") + line(4, "le"), ["du"] * 2, ["de", "le"] * 2),
        ("# c\n" + line(1, "a") + "# c\n" + line(2, "b") + "# c\n", ["a", "b"], ["a", "b"]),
        ("\n\n" + line(1, "a") + "\n\n\n# c\n\n", ["a"], ["a"]),
        (line(1, "a")[:-1], ["a"], ["a"]),
        (conllu(["a", "b"]).replace("\n", "\r\n")[:-4], ["a", "b"], ["a", "b"]),
        (line(1, "1 000") + line(2, "km"), ["1000", "km"], ["1000", "km"]),
        (line(1, "#") + line(2, "_"), ["#", "_"], ["#", "_"]),
        (line(1, "``") + line(2, "''"), ['"', '"'], ['"', '"']),
        (line("01", "a") + line("02", "b"), ["a", "b"], ["a", "b"]),
        ("\ufeff" + conllu(["a"] * 12), ["a"] * 12, ["a"] * 12),
    ],
)
def test_by_hand(read, content, tokens, words):
    assert sentences(read(content).text) == [tokens]
    assert sentences(read(content, units="words").text) == [words]


def outcome(content, source="f.conllu"):
    """All that a table holds, or the error."""
    try:
        table = parse_conllu(content, source)
    except FormatError as problem:
        return str(problem)
    lines = np.arange(table.line.size)
    arrays = (table.line, table.sentence, table.words, table.tokens, table.in_range, table.heads())
    cells = [table.texts(name, lines) for name in COLUMNS]
    return [each.tolist() for each in (*arrays, table.unlike)], cells, table.surface


CHANGES = [*"\t\n-.07\x01\u00a0", "", "\n\n", "\r\n", "# text = a\n", "#\t"]


@MANY
@given(
    treebanks().filter(str.strip),
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(CHANGES)), max_size=3),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(1, 300),
)
def test_parts_change_neither_tables_nor_errors(content, changes, end, size):
    for place, new in changes:
        at = int(place * len(content))
        content = content[:at] + new + content[at + 1 :]
    data = content.replace("\n", end).encode()
    whole = outcome(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART", size)
        assert outcome(data) == whole


FORMS = st.text("ab`'é日\u00a0 \u3000\x01\x1f😀", min_size=1, max_size=12) | st.sampled_from(
    ["``", "''", "'", "don't", "é" * 40]
)


@MANY
@given(st.lists(st.lists(FORMS, min_size=1, max_size=4), min_size=1), st.sampled_from([*TABLES]))
def test_texts_of_known_tokens_are_those_of_tokenized_text(sentences, name):
    data = "".join("".join(line(n, f) for n, f in enumerate(s, 1)) + "\n" for s in sentences)
    table, equivalences = parse(data), TABLES[name]
    first = np.flatnonzero(np.diff(table.sentence[table.tokens], prepend=-1))
    ends = np.append(first[1:], table.tokens.size)
    wanted = parse_filled(table.surface, equivalences=equivalences, normalize=None, source="")
    found = surface_text(table.surface, table.form_widths(table.tokens), ends, equivalences)
    if found is None:
        assert name == "english-contractions" or re.search(r"[\s\0]", table.surface[:-1].decode())
        return
    assert (found.stream, found.token_ends.tolist()) == (wanted.stream, wanted.token_ends.tolist())
    assert found.sentence_ends.tolist() == wanted.sentence_ends.tolist()


@pytest.mark.parametrize(
    ("value", "head"),
    [
        *(("0", TreebankTable.ROOT), ("1", 2), ("3", 4), ("002", 3)),
        *((v, TreebankTable.NO_HEAD) for v in ("4", "_", "", "-1", "1.1", "²", "9" * 30)),
    ],
)
def test_heads(value, head):
    before, rest = conllu(["x", "y"]), line(2, "b") + line(3, "c")
    table = parse(before, line(1, "a", "_", "_", "_", "_", value), rest)
    assert table.heads()[2] == head


NO_WORDS = "f.conllu: no words; give a CoNLL-U file that contains sentences"


def id_error(number, shown):
    cure = "write a number, a range (4-5) or an empty node (4.1)"
    return f"f.conllu:{number}: the id '{shown}'; {cure}"


def order_error(number, shown):
    return f"f.conllu:{number}: the word id '{shown}' is out of order; {ORDER}"


def range_error(number, shown):
    return f"f.conllu:{number}: the range '{shown}' does not fit the words that follow; {ORDER}"


def columns_error(number, size):
    return f"f.conllu:{number}: {size}; CoNLL-U has ten, separated by tabs"


A, B = line(1, "a"), line(2, "b")
ERRORS = {
    "blank lines": ("\n\n\n", NO_WORDS),
    "comments alone": ("# a\n# b\n\n", NO_WORDS),
    "empty nodes alone": (line("0.1", "a"), NO_WORDS),
    "a range that runs backwards": (line("10-0", "ab") + line(1, "a"), range_error(1, "10-0")),
    "a range alone": (line("1-2", "ab"), NO_WORDS),
    "columns before ids": (
        line("x", "a") + "\n" + A + "\n" + A[:-3] + "\n", columns_error(5, "9 columns"),
    ),
    "lines that end with CRLF": (
        ("# c\n" + A + B + "\n" + A + line("x", "b")).replace("\n", "\r\n"), id_error(6, "x"),
    ),
    "a NUL byte": (line(1, "a\0b"), "f.conllu:1: a NUL byte: not a text file; save it as UTF-8"),
    "nine columns": (A + B[:-3] + "\n", columns_error(2, "9 columns")),
    "eleven columns": ("# c\n" + A[:-1] + "\t_\n", columns_error(2, "11 columns")),
    "a line of blanks": (A + "  \n" + A, columns_error(2, "1 column")),
    "blanks for tabs": (A.replace("\t", "    "), columns_error(1, "1 column")),
    "old ends of lines": (conllu(["a", "b"]).replace("\n", "\r"), columns_error(1, "19 columns")),
    **{
        f"the id {each:.9}": (A + line(each, "b"), id_error(2, each[:20]))
        for each in (*"a 1- -2 1.x .1 1. 1-2-3 1-2.1 +2 ١".split(), "", " ", "9" * 25)
    },
    "a sentence from 0": (line(0, "a"), order_error(1, "0")),
    "a sentence from 2": (conllu(["a"]) + line(2, "b"), order_error(3, "2")),
    "an id left out": (A + line(3, "b"), order_error(2, "3")),
    "a missing blank line": (A + B + "# c\n" + A, order_error(4, "1")),
    "a long id": (line("9" * 19, "b"), order_error(1, "9" * 19)),
    "a range too long": (line("1-3", "ab") + A + B, range_error(1, "1-3")),
    "a range into the next sentence": (
        line("1-2", "ab") + A + "\n" + A + B, range_error(1, "1-2"),
    ),
    "a range after its words": (A + B + line("1-2", "ab"), range_error(3, "1-2")),
    "a range before other words": (A + B + line("2-3", "x") + line(3, "c"), range_error(3, "2-3")),
    "a range at the end": (A + "\n" + A + B + line("3-4", "x"), range_error(5, "3-4")),
    "a very long range": (
        conllu(["a"] * 5) + line(f"1-{10**16}", "ab") + A + B, range_error(7, f"1-{10**16}"),
    ),
    "ranges that overlap": (
        line("1-2", "ab") + A + line("2-3", "bc") + B + line(3, "c"),
        f"f.conllu:3: the range '2-3' overlaps the one before; {ORDER}",
    ),
    "no form": (A + line(2, ""), "f.conllu:2: a token without a form; write _ if it has none"),
    "a range without form": (
        line("1-2", "") + A + B, "f.conllu:1: a token without a form; write _ if it has none",
    ),
}  # fmt: skip


@pytest.mark.parametrize("size", [1, 1 << 20])
@pytest.mark.parametrize(("content", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_whatever_the_parts(monkeypatch, content, message, size):
    monkeypatch.setattr(module, "PART", size)
    with pytest.raises(FormatError, match=exactly(message)):
        parse(content)


X = conllu(["x"])


@pytest.mark.parametrize("size", [1, 20, 1 << 20])
@pytest.mark.parametrize(
    ("content", "unlike"),
    [
        ("# text = a c\n" + A + B, [0]),
        (X + "# id\n# text = a\n" + A + B, [1]),
        ("# text = a b c\n" + A + B, [0]),
        ("# text = \n" + A + B, [0]),
        (X + X + "# text = a\n" + A + "\n# text = b\n" + A, [3]),
        ("# text = a b c\n" + A + B + "\n# text = d\n" + line(1, "c") + line(2, "d"), [0, 1]),
        ("# text = a\n" + A + B + "\n# text = b a\n" + A, [0, 1]),
        ("# text = a\n# text = b\n" + A + "\n" + X, [0]),
        (X + "# text = a\n# text = \n# text = x\n" + A, [1]),
        ("# text = de le\n" + DU, [0]),
        ("\n\n# text = b\n" + A, [2]),
        ("# text = a b\n" + A + B, []),
        ("# text = a\u00a0b \n" + A + B, []),
        ("# text = du pain\n" + DU + line(3, "pain"), []),
        ("# text = 1 000 km\n" + line(1, "1 000") + line(2, "km"), []),
        ("# text = a\n\n" + A + B, []),
        ("# text=x\n" + A, []),
        ("# text_en = x\n" + A, []),
        ("#text = x\n" + A, []),
        (A + B + "\n# text = x\n", []),
        (A + "# text = a b\n" + B, []),
        ("# text = a\n" + A + "\n" + A + B + "\n# text = b a\n" + line(1, "b") + line(2, "a"), []),
        ("# text = a b\r\n" + A.replace("\n", "\r\n") + B, []),
        ("# text = a x\n" + A + line("1.1", "e") + line(2, "x"), []),
    ],
)
def test_sentences_whose_text_has_other_characters_are_noted(monkeypatch, content, unlike, size):
    monkeypatch.setattr(module, "PART", size)
    table = parse(content)
    assert table.words.size
    assert table.unlike.tolist() == unlike


@MANY
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("abé"), min_size=1, max_size=3), st.text("abé ")),
        min_size=1,
    )
)
def test_sentences_whose_text_differs(sentences):
    content = "".join(f"# text = {told}\n{conllu(tokens)}" for tokens, told in sentences)
    wanted = [at for at, (a, b) in enumerate(sentences) if "".join(a) != b.replace(" ", "")]
    assert parse(content).unlike.tolist() == wanted


@pytest.mark.parametrize("form", [" ", "\u00a0", " \u3000 ", "\u2028"])
@pytest.mark.parametrize("before", ["", DU, line("1-2", "ab")])
def test_a_form_of_white_space(read, form, before):
    number = before.count("\n") + 1
    content = before + (line(3, form) if before == DU else line(1, form) + line(2, "b"))
    for units in ("words",) if number == 2 else ("tokens", "words"):
        message = f"f.conllu:{number}: a blank form; give the token a form"
        with pytest.raises(FormatError, match=rf"{re.escape(message)}$"):
            read(content, units=units)


@pytest.mark.parametrize("blank", "\r\v\f\x1c\x1d\x1e\x1f")
@pytest.mark.parametrize("form", ["a{}b", "{}b", "a{}"])
def test_control_characters_in_a_form_part_nothing(read, blank, form):
    """White space inside a token is no part of the stream, but the token stays one."""
    found = read(line(1, form.format(blank)) + line(2, "c") + "\n" + line(1, "d"))
    wanted = form.format("")
    assert sentences(found.text) == [[wanted, "c"], ["d"]]


@pytest.mark.parametrize(
    ("form", "normalize", "expected"),
    [("e\u0301", "nfc", "é"), ("\u00b4", "nfkc", "\u0301"), ("ﬁ x", "nfkc", "fix")],
)
def test_forms_are_normalised(read, form, normalize, expected):
    text = read(line(1, form) + line(2, "b"), normalize=normalize).text
    assert text.tokens(0, 2) == [expected, "b"]


@given(
    st.lists(st.text("ab", max_size=4) | st.text(max_size=3), min_size=1).map(
        lambda drawn: [re.sub(r"[\0\t\n\r]", "", value) or "_" for value in drawn]
    )
)
@example(["a" * 300, "a" * 299, "a" * 300])
@example(["ab", "ba", "aab", "aba", "_"])
def test_values_of_a_column(values):
    content = "".join(line(at, "x", value) for at, value in enumerate(values, 1))
    table = parse_conllu(content.encode("utf-8", "replace"))
    found, which = table.values("lemma", table.words)
    wanted = [value.encode("utf-8", "replace") for value in values]
    assert [found[at] for at in which] == wanted
    assert sorted(found) == sorted(set(wanted))
    assert table.values("lemma", np.zeros(0, dtype=np.int64))[0] == []
