"""`caesura score chunks`: the figures of Chroma's data, chunkers, and bad files."""

import csv
import io
import json

import pytest

import caesura
from caesura.errors import CaesuraError
from support.results import result

TEXT = "One two. Three four!\n\nFive six seven."
FIGURES = {
    "fixed:400": (0.357829, 0.356588, 1.8696, 1.8732),
    "fixed:800": (0.232090, 0.232090, 1.4710, 1.4710),
    "fixed:1600": (0.137863, 0.137863, 1.2283, 1.2283),
    "fixed:800:400": (0.162182, 0.161975, 2.9275, 2.9312),
    "paragraphs": (0.239299, 0.149053, 1.0688, 1.3043),
}
"""PrecisionΩ, also as Chroma's program has it, and chunks touched, of 276 questions."""


def table(*rows):
    file = io.StringIO()
    csv.writer(file).writerows([("question", "references", "corpus_id"), *rows])
    return file.getvalue()


def excerpt(start, end, content=None):
    own = {"start_index": start, "end_index": end}
    return own | ({} if content is None else {"content": content})


QUESTIONS = table(
    ("who?", json.dumps([excerpt(9, 20, "Three four!")]), "a"),
    ("what?", json.dumps([excerpt(4, 14, "two. Three"), excerpt(22, 26)]), "a"),
)


@pytest.fixture
def texts(folder):
    return folder(**{"texts__a.txt": TEXT, "questions.csv": QUESTIONS})


def test_chromas_figures(shared):
    data = shared / "data/events/chunks"
    found = caesura.evaluate(
        gold=str(data / "questions.csv"), profile="chunks", documents=str(data),
        run=tuple(FIGURES),
    )  # fmt: skip
    assert found.systems["fixed:400"].chunk_excerpts == 452
    for name, figures in FIGURES.items():
        own = found.systems[name]
        shown = own.precision_omega, own.precision_omega_chroma
        touched = own.chunks_touched, own.chunks_touched_chroma
        assert tuple(round(each, 6) for each in shown) == pytest.approx(figures[:2], abs=1.1e-6)
        assert tuple(round(each, 4) for each in touched) == figures[2:]


def test_the_command(run, texts):
    lines = [{"document": "a", "start": s, "end": e} for s, e in ((0, 20), (20, 37))]
    (texts / "ours.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    command = ("score", "chunks", "ours.jsonl", "--run", "sentences", "--run", "p=paragraphs")
    status, out, error = run(*command, "--gold", "questions.csv", "--documents", "texts")
    assert (status, error) == (0, "")
    assert "PrecisionΩ" in out
    assert "Boundaries" not in out
    found = result(run, *command, "--gold", "questions.csv", "--documents", "texts")
    systems = {each["name"]: each for each in found["systems"]}
    ours = systems["ours"]["micro"]
    assert ours["precision_omega"] == pytest.approx((11 / 20 + 14 / 37) / 2, abs=1e-12)
    assert (ours["chunks_touched"], ours["excerpts_cut"]) == (1.5, 0)
    assert systems["sentences"]["micro"]["excerpts_cut"] == 1
    assert systems["p"]["micro"]["size"] == 18.5


def test_a_gold_chunking(run, texts):
    (texts / "a.jsonl").write_text('{"start": 0, "end": 22}\n{"start": 22, "end": 37}\n')
    command = ("score", "chunks", "--run", "sentences", "--gold", "a.jsonl", "--documents", "texts")
    scores = result(run, *command)["systems"][0]["micro"]
    assert (scores["precision"], scores["recall"]) == (0.5, 1)
    assert scores["precision_omega"] is None


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bad.csv", "", "no column corpus_id or references"),
        ("bad.csv", table(("q", "[]", "a")), ":2: a question without excerpts"),
        ("bad.csv", table(("q", "{}", "a")), ":2: not JSON"),
        ("bad.csv", table(("q", json.dumps([excerpt(5, 5)]), "a")), "ends before it begins"),
        ("bad.csv", table(("q", json.dumps([excerpt(0, 3, "Two")]), "a")), "are 'One', not 'Two'"),
        ("bad.csv", table(("q", json.dumps([excerpt(30, 99)]), "a")), "characters 30 to 99"),
        ("bad.csv", table(("q", json.dumps([excerpt(0, 3)]), "b")), "no text of the document 'b'"),
        ("bad.csv", table(("q", json.dumps([excerpt("0", 3)]), "a")), "not two whole numbers"),
        ("ours.jsonl", "x", ":1: not JSON"),
        ("ours.jsonl", '{"start": 0, "end": 5}', "chunks of none of the documents"),
        ("ours.jsonl", '{"document": "a", "start": 5, "end": 2}', ":1: from 5 to 2"),
        ("ours.jsonl", '{"document": "a", "start": 0, "end": 99}', "ends at 99"),
        ("ours.jsonl", "", "no chunks"),
    ],
)
def test_bad_questions_and_chunks(run, texts, name, text, said):
    (texts / name).write_text(text)
    gold, ours = (name, "ours=a.jsonl") if name == "bad.csv" else ("questions.csv", name)
    (texts / "a.jsonl").write_text('{"document": "a", "start": 0, "end": 20}\n')
    status, _, error = run("score", "chunks", ours, "--gold", gold, "--documents", "texts")
    assert status == 1
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--run", "fixed"), "needs a size"),
        (("--run", "fixed:5:5"), "larger than the overlap"),
        (("--run", "sentences:5:2"), "has no overlap"),
        (("--run", "fixd:5"), "did you mean"),
        ((), "Missing argument"),
    ],
)
def test_bad_chunkers(run, texts, options, said):
    given = ("--gold", "questions.csv", "--documents", "texts")
    status, _, error = run("score", "chunks", *options, *given)
    assert status in (1, 2)
    assert said in error
    status, _, error = run("score", "chunks", "--run", "fixed:5", *given[:2])
    assert (status, "--documents" in error) == (2, True)


def test_values(texts):
    gold = {"a": [[{"start": 9, "end": 20}]]}
    found = caesura.evaluate(
        {"ours": {"a": [(0, 20), (20, 37)]}}, gold=gold, task="chunks", documents="texts"
    )
    assert found.systems["ours"].precision_omega == pytest.approx(11 / 20, abs=1e-12)
    with pytest.raises(CaesuraError, match="no chunk"):
        caesura.evaluate({"s": {"a": [(3, 1)]}}, gold=gold, task="chunks", documents="texts")


@pytest.mark.parametrize("name", ["langchain", "semchunk", "chonkie"])
def test_third_party_chunkers_are_named_if_they_are_not_there(run, texts, name):
    from caesura.communities.chunks.offsets import OUTSIDE

    given = ("--gold", "questions.csv", "--documents", "texts", "-q")
    status, out, error = run("score", "chunks", "--run", f"{name}:12", *given)
    if status:
        assert f"pip install {OUTSIDE[name][0]}" in error
    else:
        assert "PrecisionΩ" in out
