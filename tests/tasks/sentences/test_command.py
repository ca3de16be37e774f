"""`caesura sentences` and `caesura resegment`: what they write, and what statistics are made of."""

import json
import sys
from pathlib import Path

import pytest

from support.results import result

NOUNS = "cat dog house tree river".split()
VERBS = "runs sleeps eats sees hears takes gives finds".split()
LINES = [f"The {noun} {verb} what the child {verb}." for noun in NOUNS for verb in VERBS]


def heard(lines, every):
    """The words of lines, some of them wrong, without line ends."""
    words = enumerate(" ".join(lines).split(), 1)
    return " ".join("hum" if at % every == 0 else word for at, word in words)


@pytest.fixture
def texts(folder):
    """A reference and two systems, one of them better."""
    return folder(ref="\n".join(LINES), good=heard(LINES, 19), poor=heard(LINES, 5))


def read(path):
    return Path(path).read_text(encoding="utf-8")


def scored(run, *arguments):
    return result(run, "sentences", *arguments)


def test_scores_are_those_of_sacrebleu_on_the_lines_written(texts, run):
    sacrebleu = pytest.importorskip("sacrebleu")
    (system,) = scored(run, "poor.txt", "--ref", "ref.txt")["systems"]
    assert (system["segments"], system["words"]) == (40, 40 * 7)
    assert system["wer"] == system["edits"] / (40 * 7)
    assert 0 < system["cer"] < system["wer"] < 1
    status, out, _ = run("resegment", "poor.txt", "--to", "ref.txt")
    lines = out.splitlines()
    assert (status, len(lines)) == (0, 40)
    wanted = {
        "bleu": sacrebleu.corpus_bleu(lines, [LINES]).score,
        "chrf": sacrebleu.corpus_chrf(lines, [LINES]).score,
        "chrf_plus": sacrebleu.corpus_chrf(lines, [LINES], word_order=2).score,
        "ter": sacrebleu.corpus_ter(lines, [LINES]).score,
    }
    assert {name: system[name] for name in wanted} == pytest.approx(wanted, rel=1e-9)


def test_blocks_add_up_to_the_document(texts, run):
    """Each segment is one, of all measures."""
    plain = scored(run, "good.txt", "poor.txt", "--ref", "ref.txt")["systems"]
    told = scored(
        run, "good.txt", "poor.txt", "--ref", "ref.txt", "--rows", "rows.jsonl", "--confidence",
        "--compare", "--resamples", "200",
    )  # fmt: skip
    assert [each["micro"] for each in told["systems"]] == [each["micro"] for each in plain]
    rows = [json.loads(line) for line in read("rows.jsonl").splitlines()[1:]]
    for name, each in zip(("good", "poor"), plain, strict=True):
        own = [row for row in rows if row.get("system") == name and row["measure"] == "sentences"]
        assert [row["block"] for row in own] == list(range(1, 41))
        for count in ("segments", "words", "edits"):
            assert sum(row["counts"][count] for row in own) == each[count]
    for each in told["systems"]:
        for score, (low, high) in each["confidence"]["micro"].items():
            assert low <= each[score] <= high, score


def test_comparisons_from_rows_are_those_of_the_run(texts, run, monkeypatch):
    """Also without sacrebleu, and if each system has a file of its own."""
    pytest.importorskip("sacrebleu")
    how = "--resamples", "200"
    told = scored(
        run, "good.txt", "poor.txt", "--ref", "ref.txt", "--rows", "rows.jsonl", "--compare", *how
    )
    for name in ("good", "poor"):
        run("sentences", f"{name}.txt", "--ref", "ref.txt", "--rows", f"{name}.jsonl", "-q")
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    wanted = told["comparison"]["comparisons"]
    for paths in (["rows.jsonl"], ["good.jsonl", "poor.jsonl"]):
        assert result(run, "compare", *paths, *how)["comparisons"] == wanted
    assert wanted[0]["systems"] == ["poor", "good"]
    assert {*wanted[0]["micro"]} == {"wer", "cer", "bleu", "chrf", "chrf_plus", "ter"}
    assert wanted[0]["micro"]["wer"]["difference"] > 0
    assert wanted[0]["micro"]["wer"]["p"] < 0.05


def test_documents_in_folders_are_those_of_docids(folder, run):
    """One by one, and all together."""
    pytest.importorskip("sacrebleu")
    documents = {"a": LINES[:8], "b": LINES[8:16], "c": LINES[16:24]}
    own = {name: heard(lines, 5) for name, lines in documents.items()}
    folder(
        **{f"refs__{name}": "\n".join(lines) for name, lines in documents.items()},
        **{f"out__{name}": text for name, text in own.items()},
        all="\n".join(LINES[:24]),
        ids="\n".join(f"docid={name},segid={at}" for name in documents for at in range(8)),
        names="\n".join(name for name in documents for _ in range(8)),
        text="\n".join(own.values()),
    )
    (folders,) = scored(run, "s=out", "--ref", "refs")["systems"]
    for ids in ("ids.txt", "names.txt"):
        (file,) = scored(run, "s=text.txt", "--ref", "all.txt", "--docids", ids)["systems"]
        assert file == folders
    assert sum(each["edits"] for each in folders["by_document"].values()) == folders["edits"]
    assert run("resegment", "out", "--to", "refs", "-o", "fitted") == (0, "", "")
    status, out, _ = run("resegment", "text.txt", "--to", "all.txt", "--docids", "ids.txt")
    assert status == 0
    assert out == "".join(read(f"fitted/{name}.txt") for name in documents)


def test_lines_that_fit_are_taken_as_they_are(folder, run):
    """Unless they are to be cut anew; what was guessed is told."""
    folder(ref="a b\nc d\n", s="a\nb c d\n")
    plain = ("sentences", "s.txt", "--ref", "ref.txt", "--metrics", "none")
    notes = run(*plain, notes=True)[2]
    assert notes == "read as the reference's segments: s.txt, 2 segments\n"
    for how, edits in (("auto", 2), ("never", 2), ("always", 0)):
        assert result(run, *plain, "--resegment", how)["systems"][0]["edits"] == edits


def test_errors_segment_by_segment(folder, run):
    folder(ref="it rained\nwe left early\n", s="it rained hard we\tleft\n")
    status, out, _ = run(
        "sentences", "s.txt", "--ref", "ref.txt", "--metrics", "none", "--show-errors", "1",
        "--errors", "errors.tsv", "--tokens", "exact",
    )  # fmt: skip
    assert status == 0
    assert "Segments with the most edits: 1 of 2 segments with edits" in out
    assert [line.split("\t") for line in read("errors.tsv").splitlines()] == [
        ["system", "document", "segment", "edits", "words", "reference", "text"],
        ["s", "document", "1", "1", "2", "it rained", "it rained hard"],
        ["s", "document", "2", "1", "3", "we left early", "we left"],
    ]


def test_json_of_resegment(folder, run):
    folder(ref="it rained\n\nwe left early\n", s="It rained, hard.\nWe left\n")
    told = result(run, "resegment", "s.txt", "--to", "ref.txt")
    assert (told["task"], told["segments"], told["edits"]) == ("resegment", 3, 3)
    assert told["documents"]["document"] == {
        "words": 5, "edits": 3, "is_minimal": True,
        "segments": [
            {"text": "It rained, hard.", "words": [0, 3], "edits": 2, "slack": [1, 0]},
            {"text": "", "words": [3, 3], "edits": 0, "slack": [0, 0]},
            {"text": "We left", "words": [3, 5], "edits": 1, "slack": [0, 0]},
        ],
    }  # fmt: skip


def test_standard_input(folder, run):
    folder(ref="it rained\nwe left\n", s="it rained we left\n", ids="x\nx\n")
    text, lines = b"it rained we left\n", "it rained\nwe left\n"
    assert run("resegment", "-", "--to", "ref.txt", stdin=text) == (0, lines, "")
    assert run("resegment", "s.txt", "--to", "-", stdin=lines.encode()) == (0, lines, "")
    ids = "resegment", "s.txt", "--to", "ref.txt", "--docids", "-"
    assert run(*ids, stdin=b"x\nx\n") == (0, lines, "")
    status, _, error = run("resegment", "-", "--to", "-", stdin=text)
    assert (status, "can be read only once" in error) == (2, True)


def test_without_sacrebleu(texts, run, monkeypatch):
    """Error rates need none; a warning says that the others are left out, if they are wanted."""
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    command = "good.txt", "poor.txt", "--ref", "ref.txt"
    told = scored(run, *command)
    missing = (
        "BLEU, chrF and TER need sacrebleu, and are left out; install it with pip install "
        "'caesura-eval[translation]'"
    )
    assert told["warnings"] == [missing]
    for system in told["systems"]:
        assert {*system["micro"]} == {"segments", "words", "edits", "wer", "cer"}
        assert system["wer"] > 0
    assert scored(run, *command, "--metrics", "none")["systems"] == told["systems"]
    for name in ("bleu", "chrF++", "ter"):
        status, _, error = run("sentences", "good.txt", "--ref", "ref.txt", "--metrics", name)
        assert status == 1
        assert error == f"error: {missing.replace(', and are left out', '')}\n"


SCRIPTS = {
    "Thai": ("ฝนตกหนักมากวันนี้เราจึงอยู่บ้าน", "char"),
    "Japanese": ("きょうは雨がたくさん降ったので家にいた", "char"),
    "Chinese": ("今天下了很大的雨所以我们一直待在家里", "zh"),
    "Korean": ("오늘은 비가 많이 와서 집에 있었다", "13a"),
}


@pytest.mark.parametrize(("text", "tokenizer"), SCRIPTS.values(), ids=SCRIPTS)
def test_the_tokenizer_of_a_script(folder, run, text, tokenizer):
    """A tokenizer that does not split a script finds next to nothing right."""
    sacrebleu = pytest.importorskip("sacrebleu")
    heard = text[: len(text) // 2] + text[len(text) // 2 + 1 :]
    folder(ref=f"{text}\n" * 2, s=f"{heard}\n" * 2)
    told = scored(run, "s.txt", "--ref", "ref.txt", "--metrics", "bleu")
    wanted = sacrebleu.corpus_bleu([heard] * 2, [[text] * 2], tokenize=tokenizer, force=True)
    assert told["systems"][0]["bleu"] == pytest.approx(wanted.score)
    assert f",tok={tokenizer}," in told["signature"]
    assert f"|units:{'words' if tokenizer == '13a' else 'characters'}|" in told["signature"]
    assert tokenizer == "13a" or wanted.score > 70


def test_documents_in_two_scripts_without_spaces(folder, run):
    """The signature has the tokenizers of both."""
    pytest.importorskip("sacrebleu")
    for name, script in (("a", "Thai"), ("b", "Chinese")):
        folder(**{f"refs__{name}": SCRIPTS[script][0], f"out__{name}": SCRIPTS[script][0]})
    told = scored(run, "out", "--ref", "refs", "--metrics", "bleu")
    assert [told["signature"].count(f"tok={each},") for each in ("zh", "char", "13a")] == [1, 1, 0]


LONG = {"a": "x y z\n" + "x " * 200 + "\nx y\n", "b": "x y z\nx y\nx y\n"}


@pytest.mark.parametrize("more", [(), ("-f", "csv"), ("--by-document",), ("--html", "x.html")])
def test_one_system_has_a_segment_too_long_for_ter(folder, run, more):
    """The others have TER, and the one does not."""
    pytest.importorskip("sacrebleu")
    folder(ref="x y z\nx y\nx y\n", **LONG)
    for paths in (("a.txt", "b.txt"), ("b.txt", "a.txt")):
        status, out, error = run("sentences", *paths, "--ref", "ref.txt", *more)
        assert status == 0
        assert "a.txt: segments of more than 150 words" in error
        rows = [line.replace(",", " ,").split() for line in out.splitlines()]
        cells = {row[0]: row[-1].lstrip(",") for row in rows if row and row[0] in ("a", "b")}
        assert (cells["a"], float(cells["b"])) == ("" if "csv" in more else "–", 0)


NOTES = {
    "lower": "WER and CER count punctuation; to leave it out, use --tokens bare.\n",
    "exact": "WER and CER count punctuation and case; to leave both out, use --tokens bare.\n",
    "bare": "",
}


@pytest.mark.parametrize("tokens", NOTES)
def test_what_counts_as_an_error_is_said_below_the_table(folder, run, tokens):
    folder(ours="a b c", gold="a, b. c!")
    command = ("sentences", "ours.txt", "--ref", "gold.txt", "--metrics", "none")
    status, out, _ = run(*command, "--tokens", tokens)
    assert status == 0
    assert out.partition("\n\n")[2].partition("caesura:")[0] == NOTES[tokens]
