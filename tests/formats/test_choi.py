"""Choi's files of topics."""

import pytest

from caesura.core.segmentation import NO_BREAK
from support.pieces import document, message

TEXT = "==========\nIt rained .\nWe left ,  early .\n==========\nYes .\n==========\n"


def test_sentences_are_items_as_they_stand():
    found = document("choi", TEXT)
    assert found.segmentation.masses.tolist() == [2, 1]
    assert found.words[1] == NO_BREAK.join("We left , early .".split())
    assert (found.form, found.is_verbatim, found.raw) == ("choi", True, None)
    assert [found.place(at) for at in range(3)] == ["x:2", "x:3", "x:5"]


@pytest.mark.parametrize(
    ("text", "masses"),
    [
        ("a b\nc\n==========\nd", [2, 1]),
        ("===\n\na b\nc\r\n===\n===\n\nd\n", [2, 1]),
        ("a  b\r\nc\r\n========== \r\nd\r\n==========\r\n", [2, 1]),
        ("a b\nc\nd", [3]),
    ],
)
def test_rules_before_after_and_next_to_others_make_no_topic(text, masses):
    found = document("choi", text)
    assert found.segmentation.masses.tolist() == masses
    assert found.words == [f"a{NO_BREAK}b", "c", "d"]


def test_no_sentences():
    text = "==========\n==========\n"
    assert message("choi", text).startswith("x: no sentences; write one on each line")
