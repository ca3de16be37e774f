import pytest

from caesura.core.segmentation import NO_BREAK
from caesura.errors import FormatError
from caesura.formats import choi
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import by_content

TEXT = "==========\nIt rained .\nWe left ,  early .\n==========\nYes .\n==========\n"


def read(text):
    return to_document(choi.parse(text, "a.ref")[0], units=TIMED["choi"].units)


def test_sentences_are_items_as_they_stand():
    document = read(TEXT)
    assert document.segmentation.masses.tolist() == [2, 1]
    assert document.words[1] == NO_BREAK.join("We left , early .".split())
    assert (document.form, document.is_verbatim, document.raw) == ("choi", True, None)
    assert [document.place(at) for at in range(3)] == ["a.ref:2", "a.ref:3", "a.ref:5"]


@pytest.mark.parametrize(
    "text",
    [
        "a b\nc\n==========\nd",
        "===\n\na b\nc\r\n===\n===\n\nd\n",
        "a  b\r\nc\r\n========== \r\nd\r\n==========\r\n",
    ],
)
def test_rules_before_after_and_next_to_others_make_no_topic(text):
    document = read(text)
    assert document.segmentation.masses.tolist() == [2, 1]
    assert document.words == [f"a{NO_BREAK}b", "c", "d"]


def test_without_rules_all_is_one_topic():
    assert read("a\nb\nc\n").segmentation.masses.tolist() == [3]


@pytest.mark.parametrize("text", ["", " \n", "==========\n==========\n"])
def test_no_sentences(text):
    with pytest.raises(FormatError, match=r"^a.ref: no sentences; write one on each line"):
        read(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [(TEXT, "choi"), ("a\n=====\nb", "choi"), ("a ===== b\nc", ""), ("a\n==\nb", "")],
)
def test_detected_by_a_line_of_equals_signs(text, form):
    assert by_content(text) == form
