"""Discourse units and connectives as DISRPT has them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.segmentation import OUTSIDE
from caesura.errors import FormatError
from caesura.formats.script import to_document, to_words
from caesura.formats.transcripts import read, write_scripts
from support.pieces import document, message, script, scripts

UNITS = ["Seg=B-seg", "Seg=O", "Seg=O", "Seg=B-seg", "Seg=O"]
WORDS = ["We", "left", ",", "it", "rained"]


def row(at, form, label):
    return "\t".join((str(at), form, *"_" * 7, label)) + "\n"


def tok(labels, words=WORDS):
    return "".join(row(at, *each) for at, each in enumerate(zip(words, labels, strict=True), 1))


def units(found):
    """The units of a document: how long they are, and their labels."""
    whole = found.segmentation
    return list(zip(whole.masses.tolist(), whole.marks.tolist(), strict=True))


TWO = [(3, "seg"), (2, "seg")]


@pytest.mark.parametrize(
    "text",
    [
        tok(UNITS),
        tok(["BeginSeg=Yes", "_", "_", "BeginSeg=Yes", "_"]),
        tok([f"SpaceAfter=No|{label}|x=y" for label in UNITS]),
        tok([label.lower() for label in UNITS]),
        tok(["Seg=B-seg", "Seg=I-seg", "Seg=I-seg", "Seg=B-seg", "Seg=I-seg"]),
        "# sent_id = 1\n" + tok(UNITS).replace("4\tit", "\n# sent_id = 2\n\n1\tit"),
        tok(UNITS).replace("2\tleft", row("2-3", "left,", "_") + "2\tleft"),
        "\t\t\n\u3000\n" + tok(UNITS).replace("4\tit", "\t\t\t\t\t\t\t\t\t\n4\tit"),
        tok(UNITS).replace("3\t", "\u0663\t").replace("4\t", f"{'4' * 30}\t"),
        tok(UNITS).replace("2\tleft", row("1.1", "then", "Seg=B-seg") + "2\tleft"),
    ],
)
def test_discourse_units(text):
    found = document("disrpt", text)
    assert (found.words, units(found), found.form) == (WORDS, TWO, "disrpt-seg")


CONNECTIVES = [(1, OUTSIDE), (2, "conn"), (1, "conn"), (1, OUTSIDE)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["Conn=O", "Conn=B-conn", "Conn=I-conn", "Conn=B-conn", "Conn=O"], CONNECTIVES),
        (["_", "Conn=B-conn", "Conn=I-conn", "Conn=B-conn", "_"], CONNECTIVES),
        (["_", "Seg=B-Conn", "Seg=I-Conn", "Seg=B-Conn", "_"], CONNECTIVES),
        (["Conn=I-conn", "Conn=B-conn", "Conn=I-conn", "Conn=B-conn", "Conn=O"], CONNECTIVES),
        (["Seg=O", "Seg=B-Conn", "Seg=I-Conn", "Seg=B-Conn", "Seg=O"], CONNECTIVES),
        (["Seg=O"] * 5, [(5, OUTSIDE)]),
        (["Conn=O"] * 5, [(5, OUTSIDE)]),
        (["Conn=O"] * 4 + ["Conn=B-conn"], [(4, OUTSIDE), (1, "conn")]),
        (["Seg=O", "Seg=O", "Seg=B-seg", "Seg=O", "Seg=O"], [(2, OUTSIDE), (3, "seg")]),
        (["Conn=O", "Conn=I-conn", "Conn=O", "Conn=B-conn", "Conn=O"],
         [(3, OUTSIDE), (1, "conn"), (1, OUTSIDE)]),
    ],
)  # fmt: skip
def test_connectives_and_what_is_in_no_unit(labels, expected):
    found = document("disrpt", tok(labels))
    assert units(found) == expected
    assert found.form == ("disrpt-conn" if "onn" in "".join(labels) else "disrpt-seg")


def test_every_token_is_a_word_as_it_is_written():
    words = ["It", "—", "a  b", "IT", "..."]
    found = document("disrpt", tok(UNITS, words))
    assert found.words == ["It", "—", "a\u00a0b", "IT", "..."]
    assert [found.place(at) for at in (0, 4, 9)] == ["x:1", "x:5", "x:5"]
    assert to_words(found).texts == found.words
    composed, apart = (document("disrpt", tok(UNITS, [e, *"abcd"])) for e in ("é", "e\u0301"))
    assert composed.text == apart.text


@pytest.mark.parametrize("head", ["# newdoc id = {}\n", "# newdoc_id = {}\n", "#newdoc id={}\n"])
def test_documents(head):
    text = head.format("a") + tok(UNITS) + "\n" + head.format("b c") + tok(["Seg=O"] * 5)
    found = scripts("disrpt", text + head.format("empty"))
    assert [each.recording for each in found] == ["a", "b c"]
    assert [units(to_document(each)) for each in found] == [TWO, [(5, OUTSIDE)]]
    assert found[1].lines.tolist() == [9, 10, 11, 12, 13]


def test_documents_without_an_id_are_numbered():
    found = scripts("disrpt", "# newdoc\n" + tok(UNITS) + "# newdoc\n" + tok(UNITS))
    assert [each.recording for each in found] == ["1", "2"]


def test_a_connective_does_not_extend_into_the_next_document():
    two = tok(["Conn=O"] * 4 + ["Conn=B-conn"]), tok(["Conn=I-conn"] + ["Conn=O"] * 4)
    found = scripts("disrpt", f"# newdoc id = a\n{two[0]}# newdoc id = b\n{two[1]}")
    assert [units(to_document(each)) for each in found] == [
        [(4, OUTSIDE), (1, "conn")], [(5, OUTSIDE)],
    ]  # fmt: skip


CURE = "write Seg=B-seg or Seg=O in the last column, or Conn=B-conn, Conn=I-conn or Conn=O"
PROBLEMS = {
    ": no tokens; give a line for each token": "# newdoc id = a\n\n",
    ":2: 'it rained' has 1 column where DISRPT has 10; separate 10 columns by tabs, or give "
    "another text another suffix": "\nit rained\n",
    ":2: '2 b' has 2 columns where DISRPT has 10; separate 10 columns by tabs, or give "
    "another text another suffix": row(1, "a", "Seg=O") + "2\tb\n",
    ":1: the id 'x'; write a number, a range (4-5) or an empty node (4.1)":
        row("x", "a", "Seg=O"),
    f": no labels of discourse units or connectives; {CURE}": tok(["_"] * 5),
    f":2: the label 'x=y|Seg=B'; {CURE}": tok(["Seg=O", "x=y|Seg=B", "_", "_", "_"]),
    f":5: the label 'Conn=yes'; {CURE}": tok(["Conn=O"] * 4 + ["Conn=yes"]),
    ":3: discourse units and connectives in one file; keep one kind of labels":
        tok(["Seg=B-seg", "_", "Conn=B-conn", "_", "_"]),
    ":1: a token before the first # newdoc; begin with # newdoc id = …":
        tok(UNITS) + "# newdoc id = a\n" + tok(UNITS),
    ":7: a second document 'a'; give each another id":
        "# newdoc id = a\n" + tok(UNITS) + "# newdoc id = a\n" + tok(UNITS),
    ":3: a blank word; write _ if it has no form": tok(UNITS, ["a", "b", " ", "c", "d"]),
}  # fmt: skip


@pytest.mark.parametrize(("problem", "text"), PROBLEMS.items())
def test_problems(problem, text):
    assert message("disrpt", text) == f"x{problem}"


def test_units_that_end_at_marks_are_refused(folder):
    folder(**{"a.tok": tok(UNITS)})
    with pytest.raises(FormatError, match="no units that end at marks"):
        read("a.tok", units="marks")


def test_detection(folder):
    labelled, plain = tok(UNITS), tok(["_"] * 5)
    folder(**{"a.tok": labelled, "b.conll": "# x\n" + labelled, "c.conllu": labelled,
              "d.conll": plain})  # fmt: skip
    forms = [read(name).form for name in ("a.tok", "b.conll", "c.conllu", "d.conll")]
    assert forms == ["disrpt-seg", "disrpt-seg", "conllu-segments", "conllu-segments"]
    assert read("c.conllu", input="disrpt").form == "disrpt-seg"


def test_one_of_several_documents(folder):
    folder(**{"a.tok": "# newdoc id = x\n" + tok(UNITS) + "# newdoc id = y\n" + tok(UNITS)})
    assert [read(f"a.tok::{name}").place(0) for name in "xy"] == ["a.tok:2", "a.tok:8"]


TOKENS = st.lists(
    st.tuples(st.sampled_from(["a", "B", ".", ",", "don't", "etc."]), st.sampled_from("BIO")),
    min_size=1,
    max_size=12,
)


def is_inside(labels):
    """Which tokens are in a connective: the slow way."""
    found, inside = [], False
    for label in labels:
        inside = label == "B" or (inside and label == "I")
        found.append(inside)
    return found


@given(TOKENS)
def test_connectives_equal_their_twin(tokens):
    words, labels = zip(*tokens, strict=True)
    told = ["Conn=O" if each == "O" else f"Conn={each}-conn" for each in labels]
    inside = is_inside(labels)
    begins = [
        at == 0 or labels[at] == "B" or inside[at] != inside[at - 1] for at in range(len(labels))
    ]
    places = [at for at, begin in enumerate(begins) if begin] + [len(labels)]
    expected = [(b - a, "conn" if inside[a] else OUTSIDE) for a, b in pairwise(places)]
    found = document("disrpt", tok(told, words))
    assert units(found) == expected
    after = to_document(script("jsonl", write_scripts([to_words(found)], "jsonl")))
    assert (after.text, after.segmentation) == (found.text, found.segmentation)
