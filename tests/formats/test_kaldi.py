from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import kaldi
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED

WORDS = st.lists(st.text("abcäßב.,?'<>-", min_size=1, max_size=6), max_size=4).map(" ".join)


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("meeteval").io.KeyedText


def test_utterances_are_units():
    (script,) = kaldi.parse("b-1 so it rained\r\n\r\na-2\r\na-1  yes \r\n", "text")
    assert script.texts == ["so it rained", "", "yes"]
    assert script.lines.tolist() == [1, 3, 4]
    document = to_document(script, units=TIMED["kaldi"].units)
    assert document.segmentation.boundaries.tolist() == [2, 3]
    assert document.track.start is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text: no words; write UTTERANCE WORDS on each line"),
        ("a\nb\n", "text: no words; "),
        ("a yes\nb no\na so\n", "text:3: the utterance 'a' is on line 1 too; "),
    ],
)
def test_broken_files(text, message):
    with pytest.raises(FormatError) as error:
        kaldi.parse(text, "text")
    assert str(error.value).startswith(message)


@pytest.mark.filterwarnings("ignore")
@given(texts=st.lists(WORDS, min_size=1, max_size=12).filter(any))
def test_meeteval_reads_the_same(peer, texts):
    text = "".join(f"u{at} {each}\n" for at, each in enumerate(texts))
    assert [line.transcript for line in peer.parse(text).lines] == kaldi.parse(text)[0].texts


CELLS_OF_JUNK = st.sampled_from("utt-1 utt-2 yes no ; é \0".split(" "))
JUNK = st.lists(st.lists(CELLS_OF_JUNK, min_size=2, max_size=2) | st.lists(CELLS_OF_JUNK))


@given(JUNK)
def test_junk_is_read_or_refused(lines):
    for end in ("\n", "\r\n", "\u2028"):
        text = end.join(" ".join(cells) for cells in lines)
        with suppress(FormatError):
            assert all(len(script) for script in kaldi.parse(text, "x"))
