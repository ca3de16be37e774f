import lzma

import numpy as np
import pytest

from caesura.detect.training.data import (
    GAP,
    gather,
    labelled,
    read_labelled,
    require_ends,
    widespread,
)
from caesura.errors import FormatError


def test_labels_and_marks_are_read_alike(tmp_path):
    path = tmp_path / "talks.txt.xz"
    path.write_bytes(lzma.compress(b"well/C is/O it/Q yes/P\n\nand/O so/E on/S\n"))
    first, second = read_labelled(str(path))
    assert first.words == ["well", "is", "it", "yes"]
    assert first.labels.tolist() == labelled("Well, is it? Yes.").labels.tolist() == [1, 0, 3, 2]
    assert second.labels.tolist() == [0, 2, 2]


def test_punctuated_text_is_one_document(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text("He/she came.\nShe left, I think!\n")
    (document,) = read_labelled(str(path))
    assert document.words == ["he/she", "came", "she", "left", "i", "think"]
    assert document.labels.tolist() == [0, 2, 0, 1, 0, 2]


def test_text_without_punctuation_is_refused():
    with pytest.raises(FormatError, match="no punctuation"):
        labelled("so it rained a lot")


def test_marks_of_all_scripts_end_units():
    assert labelled("你 好 ， 他 在 吗 ？ 走 。").labels.tolist() == [0, 1, 0, 0, 3, 2]
    assert labelled("a b. c; d", marks=";").labels.tolist() == [0, 0, 2, 0]
    assert labelled("a, b. c", marks=",").labels.tolist() == [2, 0, 0]


def test_text_in_which_no_unit_ends_is_refused():
    commas = labelled("so, it rained, a lot")
    with pytest.raises(FormatError) as caught:
        require_ends([commas], "the text")
    assert str(caught.value) == (
        "the data: no mark that ends a unit in the text; give more punctuated text, or name its "
        "marks with marks=…"
    )
    require_ends([commas, labelled("Yes.")], "the text")


def test_documents_are_parted_by_silence():
    one, two = labelled("a b."), labelled("b c, b?")
    corpus = gather([[one], [two]])
    assert corpus.words[0] == "b"
    assert corpus.starts.tolist() == [0, 2 + GAP]
    assert corpus.ids.size == 5 + 2 * GAP
    assert np.flatnonzero(corpus.ids).tolist() == [0, 1, 2 + GAP, 3 + GAP, 4 + GAP]
    assert (corpus.labels[corpus.ids == 0] == 255).all()
    assert [corpus.words[at - 1] for at in corpus.ids[corpus.ids > 0]] == list("abbcb")


def test_widespread_words_come_first():
    assert widespread([["x"] * 9 + ["y"] * 4, ["y"] * 4]) == ["y", "x"]
