"""`caesura segment`, `--run`, `caesura list detectors` and what goes wrong."""

import importlib.util
import json
from pathlib import Path

import pytest

import caesura
from support.paths import SAMPLE

WORDS = "so it rained all night what did you do we went out"
CTM = "".join(
    f"talk 1 {0.5 * at + (1.0 if at > 4 else 0):.2f} 0.40 {word}\n"
    for at, word in enumerate(WORDS.split())
)


def test_one_unit_per_line(run):
    status, out, err = run("segment", "best", stdin=WORDS.encode())
    assert (status, err) == (0, "")
    assert out == "so it rained all night\nwhat did you do\nwe went out\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s1", "best"])
def test_a_stream_gives_what_the_whole_gives(run, folder, name):
    text = (SAMPLE / "ann1.txt").read_text()
    folder(talk=text * 9)
    streamed = run("segment", name, "talk.txt")[1]
    whole = run("segment", name, "talk.txt", "-f", "binary")[1]
    found = [caesura.document(each).segmentation.boundaries.tolist() for each in (streamed, whole)]
    assert found[0] == found[1]
    assert run("segment", name, stdin=(text * 9).encode())[1] == streamed
    assert run("segment", name, stdin=(text * 9).encode("utf-16"))[1] == streamed


def test_words_stay_as_they_are_written(run):
    text = "So — “it” rained,\r\n//  all night ."
    out = run("segment", "none", stdin=text.encode())[1]
    assert out == "So — “it” rained, all night .\n"
    assert run("segment", "s1", "--threshold", "1", stdin=text.encode())[1] == out


@pytest.mark.usefixtures("folder")
def test_marks_of_before_do_not_end_units_any_more(run):
    text = "So it. rained all night. What did you do we (went!) out?"
    out = run("segment", "every:5", "-f", "marks", stdin=text.encode())[1]
    Path("out").write_text(out)
    assert caesura.read("out", input="marks").segmentation.masses.tolist() == [5, 5, 2]


def test_probabilities(run):
    rows = run("segment", "s1", "--probabilities", stdin=WORDS.encode())[1].splitlines()
    assert [row.split("\t")[0] for row in rows] == WORDS.split()
    assert all(0 <= float(row.split("\t")[1]) <= 1 for row in rows)
    assert [row[-1] for row in rows] == list("000010001001")
    whole = run("segment", "s1", "--probabilities", "--mean-length", "4", stdin=WORDS.encode())[1]
    assert [row[-1] for row in whole.splitlines()] == list("000010001001")
    never = run("segment", "s1", "--probabilities", "--threshold", "1", stdin=WORDS.encode())[1]
    assert [row[-1] for row in never.splitlines()] == list("000000000001")


@pytest.mark.parametrize(("mean", "units"), [(1, 12), (3, 4), (100, 1)])
def test_a_mean_length(run, mean, units):
    out = run("segment", "s2", "--mean-length", mean, stdin=WORDS.encode())[1]
    assert len(out.splitlines()) == units


def test_times_are_kept(run, folder):
    folder(**{"talk.ctm": CTM})
    assert run("segment", "s1", "talk.ctm", "-o", "talk.srt")[0] == 0
    document = caesura.read("talk.srt")
    assert document.segmentation.boundaries.tolist() == [4, 8, 11]
    assert document.track.start.tolist()[5] == 3_500_000
    jsonl = run("convert", "talk.ctm", "-", "--to", "jsonl")[1].encode()
    units = "so it rained all night // what did you do we went out //\n"
    assert run("segment", "pauses:0.7", "-f", "slashes", stdin=jsonl)[1] == units


@pytest.mark.slow
def test_run_and_score(run, folder):
    folder(a="so it rained all night. we went out.", b="so it it rained. all night we went out")
    refs = ("--ref", "a.txt", "--ref", "b.txt")
    for runs in (("best", "x=every:12", "random"), ("none",)):
        chosen = [part for each in runs for part in ("--run", each)]
        status, out, _ = run("transcript", *chosen, *refs, "--align", "-f", "json")
        assert status == 0
        assert [each["name"] for each in json.loads(out)["systems"]] == [
            each.partition("=")[0] for each in runs
        ]


@pytest.mark.skipif(importlib.util.find_spec("pysbd") is None, reason="needs pysbd")
def test_run_on_text(run, folder):
    folder(raw="It rained. Mr. Ames left.\nWhy?\n", gold="It rained.\nMr. Ames left.\nWhy?\n")
    options = ["--raw", "raw.txt", "--gold", "gold.txt", "--fail-under", "sentence_f1=1"]
    assert run("text", "--run", "pysbd", *options)[0] == 0
    assert run("text", "--run", "pysbd", "--run", "none", *options)[0] == 3
    folder(raws__a="Yes. No.", golds__a="Yes.\nNo.\n")
    assert run("text", "--run", "pysbd", "--raw", "raws", "--gold", "golds")[0] == 0


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("segment bset x.txt", 2, "did you mean best"),
        ("segment s1 nope.txt", 1, "nope.txt: no such file"),
        ("segment s1 x.txt -o x.what", 2, "has no suffix of a known format"),
        ("segment none x.txt --probabilities", 2, "gives no probabilities"),
        ("segment s1 x.txt --threshold .5 --mean-length 9", 2, "use either"),
        ("segment s1 x.txt --probabilities -f srt", 2, "its own format"),
        ("segment s1 empty.txt", 1, "empty.txt: no words"),
        ("segment s1 binary.txt --input binary", 1, "boundaries but no words"),
        ("segment best m.txt --probabilities", 1, "m.txt: has boundaries but no words; give the"),
        ("segment x.npz x.txt", 1, "x.npz"),
        ("transcript --run s1 --run s1 --ref x.txt", 2, "used twice"),
        ("transcript --run x=s1 --ref x=y.txt", 2, "used twice"),
        ("transcript --run s1 --ref binary.txt", 1, "no words"),
        ("text --run none --gold x.txt", 2, "--raw"),
    ],
)
def test_what_goes_wrong(run, folder, line, status, message):
    folder(x="so it rained.", empty=" \n", binary="0101", m="2 3 6")
    found, _, err = run(*line.split())
    assert found == status
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
def test_an_encoding_without_a_byte_order(run, folder, name):
    folder(x="so it".encode(f"{name}-le"))
    cure = f"use --encoding {name}-le or --encoding {name}-be"
    message = f"error: x.txt: {name.upper()} without a byte-order mark; {cure}\n"
    assert run("segment", "best", "x.txt", "--encoding", name) == (1, "", message)


@pytest.mark.parametrize("name", ["idna", "unicode_escape", "hex", "rot13", "no", "a\0"])
def test_an_encoding_that_is_none(run, folder, name):
    folder(x="so it rained", y="so it rained")
    shown = name.replace("\0", "\\x00")
    message = f"error: unknown encoding '{shown}'; try utf-8, utf-16 or latin-1\n"
    for line in (
        "segment best x.txt",
        "text x.txt --gold y.txt",
        "convert x.txt - --to lines",
        "train s1 --data x.txt --out m",
    ):
        assert run(*line.split(), "--encoding", name)[::2] == (2, message)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_a_named_encoding_and_a_byte_order_mark(run, folder, encoding):
    folder(x=("\ufeff" * (encoding == "utf-16-le") + WORDS).encode(encoding))
    plain = run("segment", "best", stdin=WORDS.encode())
    assert run("segment", "best", "x.txt", "--encoding", encoding) == plain


def test_marks_that_a_detector_of_words_does_not_read(run, folder):
    text = "she asked. Nobody knew!"
    folder(x=text, few=WORDS + " dr. no " + WORDS * 9)
    for more in ([], ["--probabilities"], ["-f", "slashes"]):
        err = run("segment", "best", "x.txt", *more)[2]
        assert err.startswith(
            "warning: x.txt: 2 of 4 words carry sentence marks, which best does not read; "
            "detectors of punctuated text do, such as "
        )
    assert run("segment", "best", "few.txt")[2] == ""
    assert run("segment", "none", "x.txt")[2] == ""
    assert run("convert", "x.txt", "-", "--to", "lines", "--input", "marks", "-q") == (
        0, "she asked.\nNobody knew!\n", ""
    )  # fmt: skip


def test_text_without_ends_of_units_trains_nothing(run, folder):
    folder(x="so it rained, and we left, " * 900, zh="你 好 。 他 走 了 ！ " * 900)
    options = ["--out", "m", "--epochs", 1, "--device", "cpu", "-q"]
    message = "the data: no mark that ends a unit in the text; give more punctuated text, or name "
    for data in (["x.txt"], ["zh.txt", "--marks", "|"]):
        status, _, err = run("train", "s1", "--data", *data, *options)
        assert status == 1
        assert "no punctuation to train on" in err or message in err
        assert not list(Path().glob("m*"))


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is here")
def test_training_without_torch_says_how_to_install_it(run, folder):
    folder(x="So it rained. " * 1000)
    status, _, err = run("train", "s1", "--data", "x.txt", "--out", "m.npz")
    assert status == 1
    assert "pip install 'caesura-eval[train]'" in err


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_train_and_segment(run, folder):
    folder(x="the dog ran. the cat fell. " * 500, few="So it rained.")
    options = ["--out", "m", "--words", 20, "--epochs", 1, "--device", "cpu", "-q"]
    assert run("train", "s1", "--data", "x.txt", *options) == (0, "", "")
    assert "caesura train" not in Path("m.md").read_text().partition("```")[0]
    assert run("segment", "m.npz", stdin=b"the cat fell the dog ran")[0] == 0
    assert run("train", "s1", "--data", "few.txt", *options)[0] == 1
    options[1] = "m.npz"
    assert run("train", "s1", "--data", "x.txt", *options)[0] == 0
    assert {path.name for path in Path().glob("m*")} == {"m.npz", "m.md"}
    options[1] = "no/m.npz"
    assert "choose another path" in run("train", "s1", "--data", "x.txt", *options)[2]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_train_in_another_script(run, folder):
    folder(zh="你 好 。 他 走 了 ！ " * 900, en="the dog ran and the cat fell")
    options = ["--out", "own", "--words", 20, "--epochs", 1, "--device", "cpu", "-q"]
    assert run("train", "s1", "--data", "zh.txt", *options) == (0, "", "")
    status, out, err = run("segment", "own.npz", stdin="你 好 他 走 了 你 好 他 走 了".encode())
    assert (status, out, err) == (0, "你 好\n他 走 了\n你 好\n他 走 了\n", "")
    err = run("segment", "own.npz", "en.txt")[2]
    assert "own.npz: 100% of the words are unknown" in err
    assert "English" not in err


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_train_on_a_gpu_that_is_not_there(run, folder, monkeypatch):
    folder(x="the dog ran. the cat fell. " * 500)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    options = ["--data", "x.txt", "--out", "m.npz", "--device", "cuda"]
    status, _, err = run("train", "s1", *options)
    assert status == 2
    assert "finds no GPU" in err
