"""Texts and references that do not fit: one line with the cure, or a warning."""

from pathlib import Path

import pytest

import caesura
from caesura.errors import CaesuraError
from support.results import result

REF, TEXT = "it rained all night\nwe left early\n", "it rained all night we left early\n"
SEGMENT = "name the document of each"

# The files, the arguments of both commands, and what is said.
BAD = {
    "a blank reference": (
        {"r": "\n \n\u00a0\n"}, (), "r.txt: no reference segments; give a text with one segment",
    ),
    "too many docids": (
        {"d": "a\na\nb\n"}, ("--docids", "d.txt"),
        f"d.txt: 3 lines, but r.txt has 2 segments; {SEGMENT} reference segment, one per line",
    ),
    "other documents than lines": (
        {"d": "a\nb\n"}, ("--docids", "d.txt"),
        "s.txt: 1 line, but d.txt names 2 documents; write each document on one line, in their",
    ),
    "a blank docid": (
        {"d": "a\n \n"}, ("--docids", "d.txt"), f"d.txt:2: a blank line; {SEGMENT} segment",
    ),
    "binary docids": (
        {"d": b"a\n\x80\n"}, ("--docids", "d.txt"), "d.txt:2: byte 0x80 is not UTF-8; save",
    ),
    "a document that is missing": (
        {"s__a": TEXT, "r__a": REF, "r__b": REF}, (),
        "s: no document named 'b', which r has; add it, or skip such documents with --missing skip",
    ),
    "docids for a folder": (
        {"s__a": TEXT, "r__a": REF, "d": "a\na\n"}, ("--docids", "d.txt"),
        "s has several files; give one with --docids",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "more", "problem"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("command", ["resegment", "sentences"])
def test_bad_input_on_the_command_line(folder, run, command, files, more, problem):
    given = {name.partition("__")[0] for name in files}
    folder(**{name: text for name, text in {"s": TEXT, "r": REF}.items() if name not in given})
    folder(**files)
    text, reference = (next(Path().glob(f"{side}.txt"), Path(side)) for side in "sr")
    to = "--to" if command == "resegment" else "--ref"
    status, out, error = run(command, text, to, reference, *more)
    assert (status, out) == (2 if "several files" in problem else 1, "")
    assert error.startswith(f"error: {problem}"), error
    assert error.count("\n") == 1


BAD_OPTIONS = {
    "several references": (
        ("--ref", "s.txt"), 2, "2 references; give one, into whose segments the texts are put",
    ),
    "an unknown metric": (("--metrics", "bleu,blue"), 2, "unknown metric 'blue'; did you mean"),
    "none and one": (("--metrics", "none,bleu"), 2, "unknown metric 'none'; known: bleu, cer, chr"),
    "an unknown tokenizer": (("--tokenize", "moses"), 2, "unknown tokenizer 'moses'; "),
    "other lines": (
        ("--resegment", "never"), 1,
        "s.txt: 1 line, but r.txt has 2 segments; cut it into the same segments, or use "
        "--resegment auto",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("more", "status", "problem"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_bad_options_of_sentences(folder, run, more, status, problem):
    pytest.importorskip("sacrebleu")
    folder(s=TEXT, r=REF)
    found, out, error = run("sentences", "s.txt", "--ref", "r.txt", "-q", *more)
    assert (found, out) == (status, "")
    assert error.startswith(f"error: {problem}"), error


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (RuntimeError("It needs more.\nPlease install\n\npip install x"),
         "It needs more. Please install pip install x"),
        (OSError("no network"), "no network"),
        (ImportError("no sentencepiece."), "no sentencepiece"),
    ],
)  # fmt: skip
def test_a_tokenizer_that_cannot_be_loaded(folder, run, monkeypatch, problem, said):
    """Those for Japanese, Korean and sentence pieces need other packages or the network."""
    pytest.importorskip("sacrebleu")

    def refuse(name):
        raise problem

    monkeypatch.setattr("sacrebleu.metrics.bleu._get_tokenizer", refuse)
    folder(s=TEXT, r=REF)
    status, out, error = run("sentences", "s.txt", "--ref", "r.txt", "--tokenize", "ja-mecab")
    assert (status, out) == (1, "")
    assert error == (
        f"error: the tokenizer ja-mecab of sacrebleu cannot be used: {said}; install what it "
        "needs, or use another: --tokenize 13a\n"
    )


def test_output_of_resegment(folder, run):
    folder(s=TEXT, r=REF, out__x="", in__a=TEXT, refs__a=REF)
    one, many = ("resegment", "s.txt", "--to", "r.txt"), ("resegment", "in", "--to", "refs")
    assert run(*one, "-o", "out") == (1, "", "error: out: is a folder; give a file name\n")
    status, out, error = run(*many, "-o", "s.txt")
    assert (status, out) == (1, "")
    assert error.startswith("error: s.txt: ")
    assert error.endswith("; give a folder for the texts\n")
    assert Path("s.txt").read_text() == TEXT
    status, out, error = run(*many)
    assert (status, out) == (2, "")
    assert error == "error: a folder of texts needs a folder for them; add --output DIR\n"
    assert run(*many, "-o", "new/deep") == (0, "", "")
    assert Path("new/deep/a.txt").read_text() == REF


def test_documents_that_are_missing_can_be_skipped(folder, run):
    folder(s__a=TEXT, r__a=REF, r__b=REF)
    skip = "--missing", "skip"
    found = result(run, "sentences", "s", "--ref", "r", *skip, "--metrics", "none")
    assert found["documents"] == ["a"]
    assert run("resegment", "s", "--to", "r", "-o", "out", *skip)[0] == 0
    assert [path.name for path in Path("out").iterdir()] == ["a.txt"]


def test_an_empty_text(folder, run):
    """All segments are empty, which is told."""
    folder(s="", r=REF)
    told = "s.txt: 100% word errors; check that it is the text of its reference"
    assert run("resegment", "s.txt", "--to", "r.txt") == (0, "\n\n", f"warning: {told}\n")
    found = result(run, "sentences", "s.txt", "--ref", "r.txt")
    assert found["warnings"] == [told]
    (system,) = found["systems"]
    assert (system["edits"], system["wer"], system["cer"]) == (7, 1, 1)
    assert system.get("bleu", 0) == system.get("chrf", 0) == 0


SIDES = "rain sun wind snow fog", "cat dog cow hen pig", "red blue green black white"
TOPICS = "one two three four five", "tea milk beer wine water"


def test_a_swapped_document(folder, run):
    """Of five, two are told."""
    every = [*SIDES, *TOPICS]
    swapped = [every[1], every[0], *every[2:]]
    folder(
        s="\n".join(swapped), good="\n".join(every), d="\n".join("aabbccddee"),
        r="\n".join(each.replace(" ", "\n", 1) for each in every),
    )  # fmt: skip
    for command, to, names in (("resegment", "--to", "ab"), ("sentences", "--ref", ("s/a", "s/b"))):
        status, _, error = run(command, "s.txt", to, "r.txt", "--docids", "d.txt")
        assert status == 0
        lines = error.splitlines()
        assert [line.split(":")[1].strip() for line in lines] == list(names)
        assert all(line.startswith("warning: ") and "word errors" in line for line in lines)
        assert run(command, "good.txt", to, "r.txt", "--docids", "d.txt")[2] == ""


LINES = ["it rained", "we left"]
BAD_VALUES = {
    "no text": (None, LINES, "text: None is not a text; give a list of lines, a text with one"),
    "bytes": (b"it rained", LINES, "text: b'it rained' is not a text; give a list of lines"),
    "lines of bytes": ([b"a"], LINES, "text: line 0 is b'a', not a string; give a list"),
    "a path": ("out/s.txt", LINES, "text: 'out/s.txt' looks like a path, and a string is a text"),
    "no file": (Path("no.txt"), LINES, "no.txt: no such file or directory; check the path"),
    "blank segments": (LINES, ["", "\n"], "reference: no segments; give a text with one segment"),
}


@pytest.mark.parametrize(("text", "reference", "problem"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_values_that_are_no_texts(text, reference, problem):
    with pytest.raises(CaesuraError) as caught:
        caesura.resegment(text, reference)
    assert str(caught.value).startswith(problem)


def test_units_of_resegment_that_cannot_be():
    with pytest.raises(CaesuraError, match="units cannot be 'x'; choose auto or words or char"):
        caesura.resegment(LINES, LINES, units="x")


BAD_EVALUATIONS = {
    "tokens": ({"tokens": "x"}, "tokens cannot be 'x'; choose exact or lower or bare"),
    "resegment": ({"resegment": "x"}, "unknown way to resegment 'x'; known: always, auto, never"),
    "a list of metrics": ({"metrics": ["ter"]}, "metrics cannot be ['ter']; give a string"),
    "another task's option": ({"labels": "cut"}, "unknown option 'labels'; known: encoding"),
    "no reference": ({"references": {}}, "0 references; give one, into whose segments"),
    "gold": ({"gold": "r.txt"}, "sentences are scored against a reference; give it as references"),
    "few docids": ({"docids": ["a"]}, "docids: 1 line, but <r> has 2 segments; name the document"),
    "no docid": ({"docids": ["a", None]}, f"docids: number 1 is blank; {SEGMENT} segment"),
    "no list of docids": ({"docids": 3}, f"docids: 3 is not a list; {SEGMENT} segment, or a path"),
    "one document": ({"docids": [1, 1]}, "<s>: 2 lines, but docids names 1 document; write each"),
}  # fmt: skip


@pytest.mark.parametrize(("options", "problem"), BAD_EVALUATIONS.values(), ids=BAD_EVALUATIONS)
def test_bad_evaluations_in_python(options, problem):
    given = {"systems": {"s": LINES}, "references": {"r": LINES}, "task": "sentences"} | options
    with pytest.raises(CaesuraError) as caught:
        caesura.evaluate(**given)
    assert str(caught.value).startswith(problem)


def test_odd_characters_are_no_errors():
    """What files cannot hold, strings may."""
    for text in ("a\0b", "a\ud800b", "\ufeffit rained", "\u2028", "e\u0301" * 50):
        found = caesura.resegment(text, LINES)
        assert "".join(found.lines).split() == text.split()
        caesura.evaluate({"s": [text]}, {"r": LINES}, task="sentences", metrics="none")
