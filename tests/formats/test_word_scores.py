"""Scores of words and places: files, tables, arrays and values."""

import re

import numpy as np
import pytest

import caesura
from caesura.errors import CaesuraError, FormatError
from caesura.formats.detection import by_content
from caesura.formats.transcripts import read, recordings

TSV = "It\t0.1\nrained.\t0.9\nWe\t0\nleft\t1\n"


def scores_of(document):
    return document.segmentation.scores.tolist()


@pytest.fixture
def write(tmp_path):
    """Write a file, and return its path."""

    def call(name, content):
        (tmp_path / name).write_text(content)
        return str(tmp_path / name)

    return call


@pytest.mark.parametrize(
    "text",
    [
        TSV,
        TSV.replace("\n", "\r\n"),
        "It\t0.1\t0\nrained.\t0.9\t1\nWe\t0\t0\nleft\t1\t1\n",
        'word,score\nIt,0.1\n"rained.",0.9\nWe,0\nleft,1\n',
        "score;speaker;token\n0.1;a;It\n0.9;b;rained.\n0;c;We\n1;d;left\n",
    ],
)
def test_words_and_scores_are_recognised(write, text):
    """The marks in the words do not end units; scores are kept as 32-bit floats."""
    assert by_content(text.lstrip()) == "scores"
    found = read(write("a.tsv", text))
    assert found.words == ["it", "rained", "we", "left"]
    assert scores_of(found) == [float(np.float32(each)) for each in (0.1, 0.9, 0, 1)]
    assert found.segmentation.masses.tolist() == [2, 2]


def test_decisions_of_the_file_hold_without_a_threshold(write):
    found = read(write("a.tsv", "a\t0.2\t1\nb\t0.9\t0\nc\t0.1\t1\n"))
    assert found.segmentation.masses.tolist() == [1, 2]


def test_words_within_a_piece_have_no_score(write):
    """The score of a piece is that after its last word, even if the piece has none itself."""
    found = read(write("a.tsv", "New York\t0.25\nis\t0.1\n–\t0.75\nbig\t0.5\n"))
    assert found.words == ["new", "york", "is", "big"]
    assert np.isnan(scores_of(found)[0])
    assert scores_of(found)[1:] == [0.25, 0.75, 0.5]


def test_documents_of_one_table(write):
    path = write("a.csv", "document,word,score\nx,a,0.5\ny,b,0.25\nx,c,1\n")
    assert recordings(path) == {"": ["x", "y"]}
    assert read(f"{path}::x").words == ["a", "c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\t0.5\nb\t1.5\n", ":2: the score 1.5 is not from 0 to 1"),
        ("a\t0.5\nb\tno\n", ":2: the score 'no' is not a number"),
        ("a\t0.5\nb\n", ":2: 1 cells instead of 2"),
        ("a\t0.5\t1\nb\t0.5\t2\n", ":2: '2' where a unit may end"),
        ("word,score\n", ": no words"),
        ("a\tnan\n", "'nan' is not a number"),
    ],
)
def test_errors_name_the_line(write, text, message):
    with pytest.raises(FormatError, match=re.escape(message)):
        read(write("a.tsv", text), input="scores")


def test_logits(write):
    path = write("a.tsv", "a\t-800\nb\t0.0\nc\t800\nd\t2.5\n")
    found = scores_of(read(path, scores="logits"))
    assert found == [0, 0.5, 1, float(np.float32(1 / (1 + np.exp(-2.5))))]


def test_columns(write):
    head = '{"document": "x", "words": ["a", "b"], '
    reference = write("ref.jsonl", f'{head}"boundaries": [0]}}\n')
    path = write("sys.jsonl", f'{head}"scores": [0.25, null], "length": null}}\n')
    assert caesura.evaluate({"s": path}, {"r": reference}).systems["s"].average_precision == 1
    bad = write("bad.jsonl", f'{head}"scores": [0.25]}}\n')
    with pytest.raises(FormatError, match="1 scores for 2 words"):
        caesura.evaluate({"s": bad}, {"r": reference})


def test_arrays(tmp_path):
    np.save(tmp_path / "s.npy", np.array([0.1, 0.9, 0.2], np.float16))
    assert read(tmp_path / "s.npy").segmentation.masses.tolist() == [2, 1]
    np.savez(tmp_path / "s.npz", one=np.array([0.5]), two=np.array([0.1, 0.7]))
    assert recordings(str(tmp_path / "s.npz")) == {"": ["one", "two"]}
    assert scores_of(read(f"{tmp_path / 's.npz'}::two")) == [
        float(np.float32(x)) for x in (0.1, 0.7)
    ]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([{}]), "an array of objects"),
        (np.zeros((2, 2)), r"shape \(2 × 2\)"),
        (np.array([]), "an empty array"),
        (np.array([0.5, 3]), r"3 is not from 0 to 1 \(place 1\)"),
        (np.array(["a"]), "an array of <U1"),
    ],
)
def test_arrays_that_are_no_scores(tmp_path, array, message):
    np.save(tmp_path / "s.npy", array)
    with pytest.raises(FormatError, match=message):
        read(tmp_path / "s.npy")


def test_files_that_are_no_arrays(tmp_path):
    for name in ("s.npy", "s.npz"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 nothing")
        with pytest.raises(FormatError, match="not a valid"):
            caesura.evaluate(str(tmp_path / name), {"r": [0, 1]})


def test_values_of_python():
    found = caesura.probabilities([-1.0, 3.0], ["it", "rained"], logits=True)
    assert found.words == ["it", "rained"]
    for values, words in (([1.5], None), ([0.5], "two words"), ([[0.5]], None)):
        with pytest.raises(CaesuraError):
            caesura.probabilities(values, words)
