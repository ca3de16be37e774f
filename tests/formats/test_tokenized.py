"""Text whose tokens are separated by blanks."""

import re
import tracemalloc
import unicodedata
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.errors import FormatError, UnknownNameError
from caesura.formats.equivalences import TABLES
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextOptions, bare, parse_tokens
from caesura.io.files import read_utf8
from support import reference_text
from support.hypothesis_settings import MANY

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
NASTY = st.sampled_from(
    [
        *("ab\"'`.é日😀 \t\v\f\x1c\x1d\x1e\x1f\x01\x02\x08\x0e\x1b\x7f\x80\x85\x9f"),
        *"\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000",
        *"\u180e\u200b\u200d\u2060\ufeff\ufffd\uffff\u0301\u0308\ufb01\u00b4\u00a8\u1ffe\ufdfa",
        *"\U00010000\U000e0020\U0010ffff",
        *("``", "''", "👩\u200d🚀", "e\u0301"),
    ]
)
PIECES = st.lists(NASTY | st.characters(exclude_characters="\0", codec="utf-8"), max_size=30)


@st.composite
def nasty_texts(draw, ends=LINE_ENDS):
    """Lines of anything but NUL, with any ends of lines."""
    lines = draw(st.lists(PIECES.map("".join), max_size=6))
    return "".join(line + draw(ends) for line in lines) + draw(PIECES.map("".join))


def sentences(text):
    """A text as the twin has it."""
    tokens = text.tokens(0, text.token_ends.size)
    starts = [0, *text.sentence_ends.tolist()]
    return [tokens[a:b] for a, b in pairwise(starts)]


def exactly(message):
    return f"^{re.escape(message)}$"


@MANY
@given(nasty_texts())
@example("`` a ''")
@example("`\u00a0` a")
@example("a\u00a0\n\u3000\nb")
@example("\x1c``\x1f''\x1d")
def test_tokens_are_those_of_the_twin(raw):
    text = parse_tokens(raw.encode())
    assert sentences(text) == reference_text.tokenize(raw)
    assert text.stream == "".join(reference_text.flat(sentences(text)))
    plain = parse_tokens(raw.encode(), equivalences=TABLES["none"])
    assert sentences(plain) == reference_text.tokenize(raw, quotes=False)


@given(st.data(), LINE_ENDS)
def test_lines_are_those_of_the_twin(data, end):
    raw = data.draw(nasty_texts(st.just(end)))
    raw = re.sub("\r\n|\r|\n", end, raw)
    text = parse_tokens(raw.encode())
    assert text.lines.tolist() == reference_text.numbered_lines(raw)
    assert bare(raw.encode()).decode() == "".join(raw.split())


@pytest.mark.parametrize(
    ("raw", "expected", "lines"),
    [
        ("a b\r\nc\r\n", [["a", "b"], ["c"]], [1, 2]),
        ("\n\n a \n\n\nb\n", [["a"], ["b"]], [3, 6]),
        ("\r\ra\r\rb", [["a"], ["b"]], [3, 5]),
        ("a\tb  c\vd", [["a", "b", "c", "d"]], [1]),
        ("1\u00a0000 km", [["1000", "km"]], [1]),
        ("a \u3000 b", [["a", "b"]], [1]),
        ("a\u2028b", [["ab"]], [1]),
        ("\u00a0\n\u00a0\na", [["a"]], [3]),
        ("👩\u200d🚀 e\u0301", [["👩\u200d🚀", "e\u0301"]], [1]),
        ("a\x01b \x02", [["a\x01b", "\x02"]], [1]),
        (" \n\t\r\n", [], []),
        ("`` ''", [['"', '"']], [1]),
        ("```` ``a '''", [["````", "``a", "'''"]], [1]),
        ("`' '` ` '", [["`'", "'`", "`", "'"]], [1]),
        ("``\u00a0 a", [["``", "a"]], [1]),
        pytest.param("x" * 1_000_000, [["x" * 1_000_000]], [1], id="one very long token"),
    ],
)
def test_by_hand(raw, expected, lines):
    text = parse_tokens(raw.encode())
    assert (sentences(text), text.lines.tolist()) == (expected, lines)


def test_a_long_line_takes_little_more_memory_than_it_keeps():
    data = b"so it rained " * 500_000
    tracemalloc.start()
    try:
        text = parse_tokens(data)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert text.token_ends.size == 1_500_000
    assert peak < 3 * kept


@given(nasty_texts(), st.integers(0, 9))
def test_a_text_that_is_read_in_small_parts(raw, size):
    whole = parse_tokens(raw.encode())
    with mock.patch("caesura.formats.texts.PART", size):
        parts = parse_tokens(raw.encode())
    assert parts.stream == whole.stream
    assert parts.token_ends.tolist() == whole.token_ends.tolist()
    assert parts.sentence_ends.tolist() == whole.sentence_ends.tolist()
    assert parts.lines.tolist() == whole.lines.tolist()


@pytest.mark.parametrize(
    ("data", "line"), [(b"\0", 1), (b"a b\nc\0d\n", 2), (b"a\r\nb\r\n\0", 3), (b"a\rb\r\0", 3)]
)
def test_a_nul_byte_is_refused(data, line):
    message = f"f.txt:{line}: a NUL byte: not a text file; save it as UTF-8"
    with pytest.raises(FormatError, match=exactly(message)):
        parse_tokens(data, source="f.txt")


@pytest.fixture
def read(tmp_path):
    """Read bytes as a file of text."""

    def call(data, name="f.txt", **options):
        (tmp_path / name).write_bytes(data)
        return read_tokens(tmp_path / name, TextOptions(**options)).text

    return call


EDGE = 1 << 20


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"d\xe9j\xe0", 1, "0xe9"),
        (b"so\r\nit\r\n\xff", 3, "0xff"),
        (b"so\nit\n\xe2\x80", 3, "0xe2"),
        (b"a" * EDGE + b"\n\xff", 2, "0xff"),
        (b"a" * (EDGE - 1) + b"\xe2", 1, "0xe2"),
        (b"\xed\xa0\x80", 1, "0xed"),
        (b"\xc0\xa0", 1, "0xc0"),
    ],
)
def test_bytes_that_are_not_utf8(read, tmp_path, data, line, byte):
    cure = "save the file as UTF-8, or name its encoding with encoding=…"
    message = f"{tmp_path / 'f.txt'}:{line}: byte {byte} is not UTF-8; {cure}"
    with pytest.raises(FormatError, match=exactly(message)):
        read(data)


@pytest.mark.parametrize("character", "aé日😀")
def test_a_character_on_the_edge_of_two_pieces(tmp_path, character):
    for before in range(EDGE - 4, EDGE + 1):
        data = b"a" * before + character.encode() + b"b"
        (tmp_path / "f").write_bytes(data)
        assert read_utf8(str(tmp_path / "f")) == data


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
def test_composed_and_decomposed_are_equal_after_normalisation(form):
    one, other = (
        parse_tokens(unicodedata.normalize(way, "déjà 각 Å\nñ").encode(), normalize=form)
        for way in ("NFC", "NFD")
    )
    assert one.stream == other.stream
    assert one.token_ends.tolist() == other.token_ends.tolist()
    plain = [parse_tokens(unicodedata.normalize(way, "é").encode()) for way in ("NFC", "NFD")]
    assert plain[0].stream != plain[1].stream


@pytest.mark.parametrize("mark", "\u00b4\u00a8\u1fbd\u1ffe\ufdfa\u2017\u00a0\u3000\uffe3")
def test_compatibility_never_splits_a_token(mark):
    assert unicodedata.normalize("NFKC", mark) != mark
    text = parse_tokens(f"a{mark}b c\nd".encode(), normalize="nfkc")
    bare_mark = "".join(unicodedata.normalize("NFKC", mark).split())
    assert sentences(text) == [[f"a{bare_mark}b", "c"], ["d"]]
    alone = sentences(parse_tokens(f"x {mark} y".encode(), normalize="nfkc"))
    assert alone == [["x", *[bare_mark][: len(bare_mark)], "y"]]


@MANY
@given(nasty_texts(), st.sampled_from(["NFC", "NFKC"]))
def test_normalisation_keeps_tokens_apart(raw, form):
    """As many tokens as before, each normalised by itself."""
    text = parse_tokens(raw.encode(), normalize=form.lower(), equivalences=TABLES["none"])
    before = reference_text.tokenize(raw, quotes=False)
    assert [len(sentence) for sentence in sentences(text)] == [len(each) for each in before]


@given(st.lists(st.text("aé日\u0301\u0308\ufb01Åﬀ①", min_size=1), min_size=1))
def test_tokens_are_normalised_one_by_one(tokens):
    text = parse_tokens(" ".join(tokens).encode(), normalize="nfkc")
    assert sentences(text) == [[unicodedata.normalize("NFKC", token) for token in tokens]]


@pytest.mark.parametrize("code", [0xF0020, 0xF000A, 0xF0009, 0xE000, 0x10FFFD])
def test_private_characters_stay_what_they_are(code):
    """Fonts with icons use them."""
    raw = f"é{chr(code)}b c"
    assert sentences(parse_tokens(raw.encode(), normalize="nfc")) == [raw.split()]


def test_quotes_that_compatibility_makes():
    assert sentences(parse_tokens("＂ \uff40\uff40".encode(), normalize="nfkc")) == [['"', '"']]


@pytest.mark.parametrize(
    ("name", "data", "form"),
    [
        ("a.txt", b"", "tokens"),
        ("a.txt", b"# a b\n", "tokens"),
        ("a.txt", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "conllu"),
        ("a.txt", b"# text = a\r\n\r\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\r\n\r\n", "conllu"),
        ("a", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_", "conllu"),
        ("a.ref", b"a\tb\tc\n", "tokens"),
    ],
)
def test_the_format_is_found_by_itself(read, name, data, form):
    assert read(data, name).form == form


@pytest.mark.parametrize("name", ["a.conllu", "a.conll", "a.conll-u", "b.x.conllu"])
def test_a_name_makes_it_conllu(read, name):
    with pytest.raises(FormatError, match=r":1: 1 column; CoNLL-U has ten, separated by tabs$"):
        read(b"a b\n", name)
    assert sentences(read(b"a b\n", name, input="tokens")) == [["a", "b"]]


def test_an_unknown_format(read):
    message = "unknown input format 'conll'; did you mean conllu?"
    with pytest.raises(UnknownNameError, match=exactly(message)):
        read(b"", input="conll")
