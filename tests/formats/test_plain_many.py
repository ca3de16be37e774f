"""Many transcripts read in one pass are those that are read one by one."""

import sys

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from caesura.formats import plain as scan
from caesura.formats.plain import MARKS, parse, parse_many
from support.compared_documents import outcome, same
from support.hypothesis_settings import MANY

PIECES = [
    *" \n\t.?!;,'”", "\r", "\r\n", "\x1e", "\x1d", "a", "b", "É", "\u0301", "ß", "0", "1", "01 1",
    "//", " // ", "so it", "- ", "3.5", ".net", "\x00", "\ud800",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
ASCII = st.lists(st.sampled_from([each for each in PIECES if each.isascii()]), max_size=25)
WORDED = (TEXTS | ASCII.map("".join)).map(lambda text: f"{text} w")
FORM = st.sampled_from(["auto", "auto", "lines", "marks", "slashes"])


def one_by_one(texts, forms, *, marks, sources):
    given = zip(texts, forms, sources, strict=True)
    return [parse(text, form, marks=marks, source=source) for text, form, source in given]


def agrees(texts, forms, marks):
    given = {"marks": marks, "sources": [f"f{at}" for at in range(len(texts))]}
    wanted = outcome(one_by_one, texts, forms, **given)
    found = outcome(parse_many, texts, forms, **given)
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        assert all(map(same, found, wanted))
    else:
        assert found == wanted


@MANY
@given(st.lists(st.tuples(WORDED, FORM), max_size=8), st.sampled_from([MARKS, ".", "", "–@", "//"]))
@example([("a", "lines"), (". b", "lines"), ("c.", "lines")], MARKS)
@example([("a\n", "lines"), ("\n\nb", "lines"), ("c\x1dd", "lines")], MARKS)
@example([("01", "auto"), ("0 0", "auto"), ("a // b", "auto"), ("a", "auto")], MARKS)
def test_many_are_those_read_one_by_one(given_texts, marks):
    agrees([text for text, _ in given_texts], [form for _, form in given_texts], marks)


@MANY
@given(
    st.lists(st.tuples(TEXTS, FORM | st.just("binary")), max_size=5),
    st.sampled_from([MARKS, "a", ". "]),
)
def test_the_first_error_is_raised(given_texts, marks):
    agrees([text for text, _ in given_texts], [form for _, form in given_texts], marks)


@settings(MANY, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDED, min_size=1, max_size=4), FORM, st.sampled_from([MARKS, ".", "–@"]))
@example(["a b. c\n. d", ". e\nf"], "lines", MARKS)
def test_a_text_in_blocks_is_the_text_as_a_whole(monkeypatch, texts, form, marks):
    sources = forms = [form] * len(texts)
    wanted = parse_many(texts, forms, marks=marks, sources=sources)
    whole = scan.scan(texts[0], marks)
    with monkeypatch.context() as patched:
        patched.setattr(scan, "AT_ONCE", 3)
        found = parse_many(texts, forms, marks=marks, sources=sources)
        parts = scan.scan(texts[0], marks)
    assert all(map(same, found, wanted))
    assert parts.words == whole.words


def test_spaces_are_those_of_unicode():
    every = map(chr, range(sys.maxunicode + 1))
    assert set(scan._SPACES) == {character for character in every if character.isspace()}
