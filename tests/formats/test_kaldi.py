"""Kaldi's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.pieces import document, message, pieces

WORDS = st.lists(st.text("abcäßב.,?'<>-", min_size=1, max_size=6), max_size=4).map(" ".join)


def test_utterances_are_units():
    text = "b-1 so it rained\r\n\r\na-2\r\na-1  yes \r\n"
    assert pieces("kaldi", text, "texts lines") == [("so it rained", 1), ("", 3), ("yes", 4)]
    found = document("kaldi", text)
    assert found.segmentation.boundaries.tolist() == [2, 3]
    assert found.track.start is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", "x: no words; "),
        ("a yes\nb no\na so\n", "x:3: the utterance 'a' is on line 1 too; "),
    ],
)
def test_broken_files(text, expected):
    assert message("kaldi", text).startswith(expected)


@pytest.mark.filterwarnings("ignore")
@given(texts=st.lists(WORDS, min_size=1, max_size=12).filter(any))
def test_meeteval_reads_the_same(texts):
    peer = pytest.importorskip("meeteval").io.KeyedText
    text = "".join(f"u{at} {each}\n" for at, each in enumerate(texts))
    assert [line.transcript for line in peer.parse(text).lines] == pieces("kaldi", text, "texts")
