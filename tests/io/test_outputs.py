"""No command replaces one of its inputs, however it is spelt, and no output another."""

import os
import shutil
from pathlib import Path

import click
import pytest

import caesura
from caesura.cli import COMMANDS
from caesura.cli.commands import NO_PATHS
from caesura.errors import UsageError

ONE, OTHER = "it rained\nwe left\n", "it rained we\nleft\n"
TREES = "(S (NP (N rain)) (VP (V falls)))\n"
M2 = "S it rain .\nA 1 2|||R:VERB|||rains|||REQUIRED|||-NONE-|||0\n"

FILES = {
    "s": ONE, "g": OTHER, "s.mrg": TREES, "g.mrg": TREES, "s.m2": M2, "g.m2": M2,
    "s.class": "Class 1\nr 0 1\n\n", "g.phn": "r 0 1 a\n", "g.wrd": "r 0 1 b\n",
    "known": "it\n", "x.svg": ONE,
}  # fmt: skip
SCORING = {
    "transcript": ("s.txt", "--ref", "g.txt"),
    "agreement": ("s.txt", "g.txt"),
    "text": ("s.txt", "--gold", "g.txt"),
    "trees": ("s.mrg", "--gold", "g.mrg"),
    "corrections": ("s.m2", "--gold", "g.m2"),
    "sentences": ("s.txt", "--ref", "g.txt"),
    "terms": ("s.class", "--phones", "g.phn", "--words", "g.wrd"),
    "score": ("sighan", "s.txt", "--gold", "g.txt"),
    "segment": ("every:2", "s.txt"),
    "resegment": ("s.txt", "--to", "g.txt"),
}
OUTPUTS = [
    (name, max(param.opts, key=len))
    for name in SCORING
    for param in COMMANDS[name].params
    if getattr(param, "writes", None)
]


@pytest.fixture
def place(folder):
    """A folder of inputs of all kinds, and a function that says what is in it."""
    place = folder(**FILES)
    return lambda: {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(("command", "option"), OUTPUTS)
def test_no_option_of_any_command_replaces_an_input_or_is_empty(run, place, command, option):
    before, arguments = place(), SCORING[command]
    inputs = [each for each in arguments if "." in each]
    for each in (inputs[0], inputs[-1]):
        status, out, err = run(command, *arguments, option, f"./{each}")
        assert (status, out) == (2, "")
        problem = f"{option} ./{each} would replace an input, {each}; choose another file"
        assert err == f"error: {problem}\n"
    status, _, error = run(command, *arguments, option, "")
    assert (status, error) == (2, f"error: {option} is empty; give a file name\n")
    assert place() == before


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_that_names_a_file_to_write_says_so(command):
    writes = "write", "also write", "also p", "the file to w", "the model to", "also save"
    for param in COMMANDS[command].params:
        text = getattr(param, "help", "") or ""
        if param.type is click.STRING and text.lower().startswith(writes):
            assert param.writes, param.opts
        assert param.metavar not in NO_PATHS or not getattr(param, "writes", None)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (("convert", "in.txt", "ann1.txt"), "ann1.txt"),
        (("convert", "in.txt", "out/", "--to", "slashes"), "out/in.txt"),
        (("segment", "every:2", "in.txt", "-o", "ann1.txt"), "ann1.txt"),
        (("resegment", "in.txt", "--to", "ref.txt", "-o", "ann1.txt"), "ann1.txt"),
        (("resegment", "ours", "--to", "theirs", "-o", "out"), "out/in.txt"),
    ],
)
def test_a_file_is_replaced_only_with_overwrite(run, tmp_path, monkeypatch, command, output):
    monkeypatch.chdir(tmp_path)
    for name in ("in.txt", "ref.txt", "ours/in.txt", "theirs/in.txt", output):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("a b\nc d\n" if name != output else "precious\n")
    status, out, err = run(*command)
    assert (status, out, Path(output).read_text()) == (2, "", "precious\n")
    assert f"{output} exists; choose another file, or add --overwrite" in err
    assert run(*command, "--overwrite")[0] == 0
    assert "a b" in Path(output).read_text()
    Path(output).unlink()
    assert run(*command)[0] == 0


def test_files_are_known_by_their_identity(run, place, tmp_path):
    (tmp_path / "in").mkdir()
    shutil.copy("s.txt", "in/d.txt")
    Path("link.txt").symlink_to("s.txt")
    Path("hard.txt").hardlink_to("s.txt")
    before = place()
    for inputs, output in [
        (("s.txt",), tmp_path / "s.txt"),
        (("S=s.txt",), "s.txt"),
        (("s.txt",), "link.txt"),
        (("link.txt",), "s.txt"),
        (("s.txt",), "hard.txt"),
        (("in",), "in/d.txt"),
        (("in/*.txt",), "in/d.txt"),
        (("s.txt::d",), "s.txt"),
        ((f"file://{tmp_path}/s.txt",), "s.txt"),
    ]:
        status, _, err = run("transcript", *inputs, "--ref", "g.txt", "-o", output)
        assert (status, "would replace an input" in err) == (2, True)
        assert place() == before


def test_what_options_read_is_an_input_too(run, place):
    before = place()
    for option in ("--uem", "--fail-if-worse-than"):
        arguments = ("transcript", "s.txt", "--ref", "g.txt", option, "known.txt")
        assert run(*arguments, "--rows", "known.txt")[0] == 2
    assert run("resegment", "s.txt", "--to", "g.txt", "-o", "g.txt")[0] == 2
    assert place() == before


def test_a_model_card_does_not_replace_its_data(run, folder):
    place = folder(**{"talks.md": ONE})
    status, _, err = run("train", "s1", "--data", "talks.md", "--out", "talks.npz")
    assert (status, err) == (
        2, "error: --out talks.md would replace an input; choose another file\n"
    )  # fmt: skip
    assert (place / "talks.md").read_text() == ONE


def test_folders_of_outputs_do_not_replace_inputs(run, folder):
    place = folder(hyp__d=ONE, ref__d=OTHER)
    for output, status, text in (("hyp", 2, ONE), ("ref", 2, OTHER), ("new", 0, OTHER)):
        assert run("resegment", "hyp", "--to", "ref", "-o", output)[0] == status
        assert (place / output / "d.txt").read_text() == text


def test_two_outputs_are_two_files(run, place):
    before = place()
    arguments = ("transcript", "s.txt", "--ref", "g.txt")
    for outputs in [("-o", "new", "--html", "./new"), ("--rows", "a", "--html", "./a")]:
        status, _, err = run(*arguments, *outputs)
        assert (status, "are the same file" in err) == (2, True)
    assert place() == before
    assert run(*arguments, "-o", os.devnull, "--html", os.devnull)[0] == 0


def test_python_does_not_replace_inputs(folder):
    place = folder(s=ONE, g=OTHER)
    with pytest.raises(UsageError, match=r"rows s\.txt would replace an input"):
        caesura.evaluate("s.txt", "g.txt", rows="s.txt")
    found = caesura.evaluate({"ours": "s.txt"}, "g.txt")
    for write in (found.html, found.save):
        with pytest.raises(UsageError, match="would replace an input"):
            write(str(place / "g.txt"))
    assert [(place / name).read_text() for name in ("s.txt", "g.txt")] == [ONE, OTHER]
