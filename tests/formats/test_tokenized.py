import codecs
import re
import tracemalloc
import unicodedata
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.formats._shared.equivalences import TABLES
from caesura.formats.registry import TEXTS
from caesura.formats.text_file import TextOptions
from caesura.formats.texts import read_tokens
from caesura.formats.tokenized import bare, parse_tokens
from caesura.io.files import read_utf8
from support import reference_text
from support.hypothesis_settings import MANY

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
NASTY = st.sampled_from(
    [
        *"ab\"'`.é日😀",
        *" \t\v\f\x1c\x1d\x1e\x1f",
        *"\x01\x02\x08\x0e\x1b\x7f\x80\x85\x9f",
        *"\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000",
        *"\u180e\u200b\u200d\u2060\ufeff\ufffd\uffff",
        *"\u0301\u0308\ufb01\u00b4\u00a8\u1ffe\ufdfa",
        *"\U00010000\U000e0020\U0010ffff",
        "``",
        "''",
        "👩\u200d🚀",
        "e\u0301",
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


@given(nasty_texts())
def test_no_token_and_no_sentence_is_empty(raw):
    text = parse_tokens(raw.encode())
    for ends, size in (
        (text.token_ends, len(text.stream)),
        (text.sentence_ends, text.token_ends.size),
    ):
        assert ends.tolist() == sorted(set(ends.tolist()))
        assert not ends.size or (ends[0] > 0 and ends[-1] == size)
    assert text.lines.size == text.sentence_ends.size


@given(nasty_texts())
def test_bare_text_is_without_white_space(raw):
    assert bare(raw.encode()).decode() == "".join(raw.split())


@pytest.mark.parametrize(
    ("raw", "expected", "lines"),
    [
        ("a b\nc", [["a", "b"], ["c"]], [1, 2]),
        ("a b\r\nc\r\n", [["a", "b"], ["c"]], [1, 2]),
        ("a b\rc\r", [["a", "b"], ["c"]], [1, 2]),
        ("\n\n a \n\n\nb\n", [["a"], ["b"]], [3, 6]),
        ("\r\n\r\na\r\n", [["a"]], [3]),
        ("\r\ra\r\rb", [["a"], ["b"]], [3, 5]),
        ("a\tb  c\vd", [["a", "b", "c", "d"]], [1]),
        ("1\u00a0000 km", [["1000", "km"]], [1]),
        ("a \u3000 b", [["a", "b"]], [1]),
        ("a\u2028b", [["ab"]], [1]),
        ("\u00a0\n\u00a0\na", [["a"]], [3]),
        ("👩\u200d🚀 e\u0301", [["👩\u200d🚀", "e\u0301"]], [1]),
        ("a\x01b \x02", [["a\x01b", "\x02"]], [1]),
        ("", [], []),
        (" \n\t\r\n", [], []),
    ],
)
def test_by_hand(raw, expected, lines):
    text = parse_tokens(raw.encode())
    assert (sentences(text), text.lines.tolist()) == (expected, lines)


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("`` ''", ['"', '"']),
        ("```` ``a '''", ["````", "``a", "'''"]),
        ("`' '` ` '", ["`'", "'`", "`", "'"]),
        ("``\u00a0 a", ["``", "a"]),
    ],
)
def test_quotes_are_whole_tokens(raw, tokens):
    assert sentences(parse_tokens(raw.encode())) == [tokens]


def test_a_very_long_line():
    words = ["ab", "\u00a0cé", "``"] * 200_000
    text = parse_tokens((" ".join(words) + "\n").encode())
    assert (text.sentence_ends.tolist(), text.token_ends.size) == ([600_000], 600_000)
    assert text.tokens(0, 3) == ["ab", "cé", '"']


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
    with mock.patch("caesura.formats.tokenized.PART", size):
        parts = parse_tokens(raw.encode())
    assert parts.stream == whole.stream
    assert parts.token_ends.tolist() == whole.token_ends.tolist()
    assert parts.sentence_ends.tolist() == whole.sentence_ends.tolist()
    assert parts.lines.tolist() == whole.lines.tolist()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_of_many_parts(end):
    sentence = "`` Oh , 1\u00a0000 , '' sie sagte ."
    raw = (sentence + end + end) * 99_000
    text = parse_tokens(raw.encode())
    assert len(raw) > 2 * (1 << 20)
    assert text.sentence_ends.tolist() == list(range(9, 9 * 99_001, 9))
    assert text.lines.tolist() == list(range(1, 198_001, 2))
    assert text.stream == '"Oh,1000,"siesagte.' * 99_000
    assert text.tokens(9 * 98_999, 9 * 99_000) == reference_text.tokenize(sentence)[0]


def test_one_very_long_token():
    text = parse_tokens(b"x" * 1_000_000)
    assert (len(text.stream), text.token_ends.tolist()) == (1_000_000, [1_000_000])


@pytest.mark.parametrize(
    ("data", "line"), [(b"\0", 1), (b"a b\nc\0d\n", 2), (b"a\r\nb\r\n\0", 3), (b"a\rb\r\0", 3)]
)
def test_a_nul_byte_is_refused(data, line):
    message = f"f.txt:{line}: a NUL byte: not a text file; save it as UTF-8"
    with pytest.raises(FormatError, match=exactly(message)):
        parse_tokens(data, source="f.txt")


def read(tmp_path, data, **options):
    path = tmp_path / "f.txt"
    path.write_bytes(data)
    return read_tokens(path, TextOptions(**options)).text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path, encoding):
    text = read(tmp_path, "déjà vu\n😀 .\n".encode(encoding))
    assert sentences(text) == [["déjà", "vu"], ["😀", "."]]
    assert (text.source, text.form) == (str(tmp_path / "f.txt"), "tokens")


def test_a_given_encoding(tmp_path):
    assert sentences(read(tmp_path, "déjà".encode("latin-1"), encoding="latin-1")) == [["déjà"]]


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"d\xe9j\xe0", 1, "0xe9"),
        (b"so\r\nit\r\n\xff", 3, "0xff"),
        (b"so\nit\n\xe2\x80", 3, "0xe2"),
        (b"a" * (1 << 20) + b"\n\xff", 2, "0xff"),
        (b"\xed\xa0\x80", 1, "0xed"),
        (b"\xc0\xa0", 1, "0xc0"),
    ],
)
def test_bytes_that_are_not_utf8(tmp_path, data, line, byte):
    cure = "save the file as UTF-8, or name its encoding with encoding=…"
    message = f"{tmp_path / 'f.txt'}:{line}: byte {byte} is not UTF-8; {cure}"
    with pytest.raises(FormatError, match=exactly(message)):
        read(tmp_path, data)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_a_character_on_the_edge_of_two_pieces(tmp_path, width):
    character = " aé日😀"[width]
    for before in range((1 << 20) - 4, (1 << 20) + 1):
        data = b"a" * before + character.encode() + b"b"
        path = tmp_path / "f"
        path.write_bytes(data)
        assert read_utf8(str(path)) == data


def test_a_character_that_is_cut_off_at_the_edge_of_a_piece(tmp_path):
    (tmp_path / "f").write_bytes(b"a" * ((1 << 20) - 1) + b"\xe2")
    with pytest.raises(FormatError, match=r"f:1: byte 0xe2 is not UTF-8"):
        read_utf8(str(tmp_path / "f"))


def test_utf8_without_its_mark(tmp_path):
    (tmp_path / "f").write_bytes(codecs.BOM_UTF8 + b"a b")
    assert read_utf8(str(tmp_path / "f")) == b"a b"


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
        ("a.txt", b"a b\n", "tokens"),
        ("a.txt", b"", "tokens"),
        ("a.txt", b"# a b\n", "tokens"),
        ("a.txt", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "conllu"),
        ("a.txt", b"# text = a\r\n\r\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\r\n\r\n", "conllu"),
        ("a", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_", "conllu"),
        ("a.conllu", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "conllu"),
        ("a.ref", b"a\tb\tc\n", "tokens"),
    ],
)
def test_the_format_is_found_by_itself(tmp_path, name, data, form):
    (tmp_path / name).write_bytes(data)
    assert read_tokens(tmp_path / name).text.form == form


@pytest.mark.parametrize("name", ["a.conllu", "a.conll", "a.conll-u", "b.x.conllu"])
def test_a_name_makes_it_conllu(tmp_path, name):
    (tmp_path / name).write_bytes(b"a b\n")
    with pytest.raises(FormatError, match=r":1: 1 column; CoNLL-U has ten, separated by tabs$"):
        read_tokens(tmp_path / name)
    assert sentences(read_tokens(tmp_path / name, TextOptions(input="tokens")).text) == [["a", "b"]]


def test_an_unknown_format(tmp_path):
    message = "unknown input format 'conll'; did you mean conllu?"
    with pytest.raises(UnknownNameError, match=exactly(message)):
        read_tokens(tmp_path / "absent", TextOptions(input="conll"))
    assert list(TEXTS) == ["tokens", "segmented", "conllu"]
    assert issubclass(UnknownNameError, UsageError)
