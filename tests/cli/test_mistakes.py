"""Usual mistakes on the command line: what is said, and that nothing goes wrong silently."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.cli import cli
from caesura.cli.transcript import strays

TALK = "so it rained\nall night\nand then\nit stopped\n"
OTHER = "so it\nrained all night\nand then it stopped\n"
SCORING = {
    "transcript": ("transcript", "s.txt", "--ref", "a.txt"),
    "agreement": ("agreement", "a.txt", "b.txt"),
    "text": ("text", "s.txt", "--gold", "a.txt"),
    "terms": ("terms", "f.class", "--phones", "g.phn", "--words", "g.phn"),
    "demo": ("demo",),
}


@pytest.fixture
def talk(folder):
    found = {"f.class": "Class 1\nf 0 1\nf 1 2\n\n", "g.phn": "f 0 1 a\nf 1 2 a\n"}
    return folder(a=TALK, b=OTHER, s=OTHER, **found)


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        ("s.txt --ref a.txt b.txt", "b.txt is scored as a system; did you mean --ref b.txt?"),
        ("s.txt --ref=a.txt b.txt", "b.txt is scored as a system; did you mean --ref b.txt?"),
        ("--run none --ref a.txt b.txt", "b.txt is scored as a system; did you mean --ref b.txt?"),
        (
            "s.txt --ref x=a.txt b.txt a.txt",
            "b.txt, a.txt are scored as systems; did you mean --ref b.txt --ref a.txt?",
        ),
        ("s.txt --ref a.txt --ref b.txt", ""),
        ("--ref a.txt s.txt", ""),
        ("--ref a.txt s.txt b.txt", ""),
        ("s.txt b.txt --ref a.txt", ""),
        ("s.txt --ref a.txt --by-mark b.txt", ""),
    ],
)
def test_a_system_that_was_meant_as_a_reference(run, arguments, warning):
    status, _, err = run("transcript", *arguments.split(), "-q", "-o", "out")
    assert status == 0
    warnings = [line for line in err.splitlines() if "did you mean" in line]
    assert warnings == ([f"warning: {warning}"] if warning else [])


PATHS = st.lists(st.sampled_from("abc"), max_size=3)


@given(PATHS, st.lists(st.tuples(st.sampled_from("xyz"), PATHS), min_size=1, max_size=3))
def test_strays_are_what_follows_a_reference(first, references):
    arguments = [*first, *(each for ref, own in references for each in ("--ref", ref, *own))]
    after = [each for _, own in references for each in own]
    assert strays(arguments, (*first, *after), is_expected=False) == after
    assert strays(arguments, (*first, *after), is_expected=True) == (after if first else [])


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        ("text s.txt --reference a.txt", "No such option '--reference'; use --gold."),
        ("transcript s.txt --references a.txt", "No such option '--references'; use --ref."),
        ("terms f.class --gold a.txt", "No such option '--gold'; use --phones and --words."),
        ("agreement --ref a.txt", "No such option '--ref'; references are arguments here."),
    ],
)
def test_options_that_are_called_otherwise(run, arguments, cure):
    status, _, err = run(*arguments.split())
    assert status == 2
    assert err.splitlines()[-1] == f"Error: {cure}"


@pytest.mark.parametrize("command", ["convert", "train", "list"])
def test_commands_without_references_name_none(run, command):
    status, _, err = run(command, "--ref", "a.txt")
    assert status == 2
    assert "use --" not in err
    assert "references are" not in err


def test_segment_without_a_file(run, folder, monkeypatch):
    assert run("segment", "every:2", stdin=b"so it rained") == (0, "so it\nrained\n", "")
    assert run("segment", "every:2", "-", stdin=b"so it rained")[1] == "so it\nrained\n"
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    status, out, err = run("segment", "every:2")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == "Error: no transcript; give a file as INPUT, or pipe one in"


@pytest.mark.usefixtures("talk")
def test_segment_without_a_detector(run):
    status, _, err = run("segment", "a.txt", stdin=b"")
    assert status == 2
    assert err.endswith("Error: no detector; put one before the file: best a.txt\n")


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("limit", "cure"),
    [
        ("--fail-under Pk=.3", "lower is better for pk_mean; use --fail-over Pk=.3"),
        ("--fail-under ser=.3", "lower is better for ser_mean; use --fail-over ser=.3"),
        ("--fail-over wisebe=.3", "higher is better for wisebe; use --fail-under wisebe=.3"),
    ],
)
def test_a_limit_from_the_wrong_side(run, limit, cure):
    assert run(*SCORING["transcript"], *limit.split()) == (2, "", f"error: {cure}\n")


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    "limits", ["--fail-over PK=0", "--fail-over pk=0", "--fail-under F1=1", "--fail-under WISEBE=1"]
)
def test_limits_by_label_in_any_case(run, limits):
    assert run(*SCORING["transcript"], *limits.split(), "-o", "out")[0] == 3


def saved(run, *more):
    three = ("--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")
    assert run("transcript", "s.txt", "t.txt", *three, "--rows", "r.jsonl", *more, "-q")[0] == 0


def talks(generator):
    """Transcripts of the same words, of which each version has units of its own."""
    words = [f"w{generator.randrange(99)}" for _ in range(900)]
    ends = [generator.random() < 0.2 for _ in words]
    return {
        name: " ".join(
            f"{word} //" if end != (generator.random() < error) else word
            for word, end in zip(words, ends, strict=True)
        )
        for name, error in {"a": 0.02, "b": 0.02, "c": 0.02, "s": 0.02, "t": 0.2}.items()
    }


@pytest.mark.slow
def test_only_the_scores_asked_for_are_compared(run, folder):
    folder(**talks(random.Random(5)))
    saved(run)
    status, out, _ = run("compare", "r.jsonl", "--measure", "f1_mean")
    assert status == 0
    assert "human ceiling" in out
    assert "WiSeBE" not in out
    assert re.search(r"t is worse than people on F1 by", out)
    lines = run("compare", "r.jsonl", "--measure", "f1_mean", "-f", "csv")[1].splitlines()[1:]
    assert {line.split(",")[3] for line in lines} == {"f1_mean"}
    assert "wisebe" in run("compare", "r.jsonl", "-f", "csv")[1]
    out = run("compare", "r.jsonl", "--measure", "pk_mean")[1]
    assert "ceiling" not in out


@pytest.mark.slow
def test_rows_hold_what_a_gate_needs(run, folder):
    folder(**talks(random.Random(5)))
    saved(run)
    command = ("transcript", "--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")
    gate = ("--fail-if-worse-than", "r.jsonl", "-o", "out")
    assert run(*command, "s.txt", *gate)[0] == 0
    status, _, err = run(*command, "s=t.txt", *gate)
    assert status == 3
    assert "s is worse than r.jsonl's s on WiSeBE" in err
    assert run("compare", "r.jsonl", "--mean", "macro")[0] == 0


def test_rows_of_blocks_give_the_same_scores(run, folder):
    folder(**talks(random.Random(6)))
    found = {}
    for unit in ("auto", "document"):
        saved(run, "--unit", unit, "-f", "json", "-o", f"{unit}.json")
        scores = json.loads((folder() / f"{unit}.json").read_text())
        found[unit] = [scores[key] for key in ("systems", "agreement", "documents")]
        saved_rows = (folder() / "r.jsonl").read_text()
        assert ('"block": ' in saved_rows) == (unit == "auto")
    assert found["auto"] == found["document"]


def test_every_command_can_be_quiet():
    for name in set(cli.commands) - {"list"}:
        assert "--quiet" in [each for param in cli.commands[name].params for each in param.opts]


@pytest.mark.usefixtures("talk")
def test_quiet_silences_notes(run):
    run(*SCORING["transcript"], "--rows", "r.jsonl", "-o", "out")
    assert run("report", "r.jsonl", "-q") == (0, "", "")
    assert run("report", "r.jsonl") == (0, "", "report.html\n")
    assert run("convert", "a.txt", "b.srt", "--to", "binary", "-q") == (0, "", "")
    assert run("convert", "a.txt", "b.srt", "--to", "binary")[2]


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("name", ["transcript", "agreement", "text"])
def test_quiet_keeps_warnings(run, folder, name):
    folder(**dict.fromkeys("bs", "so it rained all night and then it stopped"))
    if name == "text":
        folder(a="so it\nrained all\nnight\nand then\nit\nstopped")
    _, _, loud = run(*SCORING[name], "-o", "out", notes=True)
    _, _, quiet = run(*SCORING[name], "-o", "out", "-q", notes=True)
    assert "read as" in loud
    assert [line for line in loud.splitlines() if line.startswith("warning: ")]
    assert quiet.splitlines() == [line for line in loud.splitlines() if "read as" not in line]
