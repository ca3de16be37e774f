"""Help: options in groups, whole summaries, and completion by the shell."""

import os
import re
import subprocess
import sys

import click
import pytest

from caesura.cli import cli, sections
from caesura.cli.commands import GROUPS, GroupedOption
from caesura.cli.listing import LISTS
from caesura.communities import PROFILES

NAMES = sorted(cli.commands)
OTHER_NAMES = {
    "--ref": ["--gold"],
    "--gold": ["--ref"],
    "--to": ["--ref", "--gold"],
    "--output": ["--out"],
    "--out": ["--output"],
}
"""The options that have aliases, by the name that the help shows."""


def ran(*arguments):
    """Run the program itself: exit status, standard output, standard error."""
    run = [sys.executable, "-m", "caesura", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def options_of(name):
    return [each for each in cli.commands[name].params if isinstance(each, click.Option)]


@pytest.mark.parametrize("name", [None, *NAMES])
def test_help_fits_the_terminal(run, monkeypatch, name):
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        status, out, _ = run(*filter(None, [name]), "--help")
        assert status == 0
        assert max(map(len, out.splitlines())) <= columns


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_in_a_group_with_its_help_and_its_aliases(run, name):
    full = run(name, "--help")[1]
    titles = [group.title for group in GROUPS]
    shown = [line.rstrip(":") for line in full.splitlines() if line.rstrip(":") in titles]
    assert shown == [each for each in titles if each in {own.group for own in options_of(name)}]
    for each in options_of(name):
        assert isinstance(each, GroupedOption)
        assert each.help
        is_format = (name, each.name) in {("segment", "to"), ("convert", "to")}
        expected = [] if is_format else OTHER_NAMES.get(each.opts[-1], [])
        assert [*each.aliases] == expected
        assert not expected or f"[also {', '.join(expected)}]" in " ".join(full.split())


def test_commands_are_summarized_in_whole(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("--help")[1]
    assert "..." not in out.replace("[ARGS]...", "")
    for name in NAMES:
        assert " ".join(cli.commands[name].help.split("\n\n")[0].split()) in " ".join(out.split())


def test_every_command_is_in_one_section_and_has_the_usual_options():
    assert sorted(name for names in sections().values() for name in names) == NAMES
    for name in NAMES:
        flags = {flag for each in options_of(name) for flag in each.opts}
        assert {"--debug", *(["--quiet"] if name != "list" else [])} <= flags, name


def test_without_a_command_the_help_is_shown():
    status, out, err = ran()
    assert (status, out) == (2, "")
    assert err == ran("--help")[1]
    lines = err.splitlines()
    assert "\\n" not in err
    assert sum(line.startswith("    caesura ") for line in lines) == 3
    assert [line[:-1] for line in lines if line[:-1] in sections()] == [*sections()]


ALONE = ("demo", "list", "sets", "reproduce", "cite")
"""The commands that need no arguments."""


@pytest.mark.parametrize("name", [each for each in NAMES if each not in ALONE])
def test_without_arguments_a_command_says_what_is_missing(run, name):
    status, out, err = run(name)
    assert (status, out) == (2, "")
    usage, hint, *lines = err.splitlines()
    assert usage.startswith(f"Usage: caesura {name} ")
    assert hint == f"Try 'caesura {name} --help' for help."
    assert lines[1].startswith("Error: Missing ")
    assert "\\n" not in err
    assert "\\t" not in err


def test_without_a_profile_they_are_listed():
    lines = ran("score")[2].splitlines()
    start = lines.index("Error: Missing argument 'PROFILE'. Choose one of these:")
    assert [line.split()[0] for line in lines[start + 1 :]] == [*PROFILES]


@pytest.mark.parametrize("name", NAMES)
def test_the_short_help_has_some_of_the_options_and_names_the_full_help(run, name):
    status, short, _ = run(name, "-h")
    full = run(name, "--help")[1]
    shown = {*re.findall(r"^  (--?[\w-]+)", short, re.MULTILINE)}
    assert status == 0
    assert shown == {each.opts[0] for each in options_of(name) if each.main}
    assert short.splitlines()[0] == full.splitlines()[0]
    assert short.endswith(f"\ncaesura {name} --help shows all options.\n")
    assert len(short.splitlines()) < min(60, len(full.splitlines()) + 1)


def test_aliases_are_taken(run, folder):
    path = folder(a="it rained\nwe left\n", b="it rained we left\n")
    assert run("transcript", "b.txt", "--gold", "a.txt", "--out", "s.txt")[0] == 0
    assert run("text", "b.txt", "--ref", "a.txt", "--out", "t.txt")[0] == 0
    for option in ("--to", "--ref", "--gold"):
        command = ("resegment", "b.txt", option, "a.txt", "--out", "r.txt", "--overwrite")
        assert run(*command)[0] == 0
        assert (path / "r.txt").read_text() == (path / "a.txt").read_text()
    for option in ("-o", "--out", "--output"):
        status, _, err = run("train", "s1", "--data", "no.txt", option, "mine")
        assert (status, "no.txt" in err) == (1, True)
    status, _, err = run("text", "b.txt", "--gold", "a.txt", "--ref", "b.txt")
    assert (status, "2 of --gold; give --gold once" in err) == (2, True)


@pytest.mark.parametrize("name", PROFILES)
def test_the_help_of_a_profile_has_its_options_only(run, name):
    profile = PROFILES[name]
    others = {each for other in PROFILES.values() for each in other.takes} - {*profile.takes}
    for flag in ("-h", "--help"):
        lines = run("score", name, flag)[1].splitlines()
        shown = {line.split()[0].rstrip(",") for line in lines if line.startswith("  -")}
        named = {each.name for each in options_of("score") if each.opts[0] in shown}
        assert lines[0] == f"Usage: caesura score {name} SYSTEM... --gold GOLD [OPTIONS]"
        assert {*profile.takes} - {"encoding"} <= named
        assert not named & others
        assert not any(f"caesura score {other} " in "\n".join(lines) for other in PROFILES
                       if other != name)  # fmt: skip


def test_what_can_be_listed_is_listed(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert [line.split()[2] for line in out.splitlines() if line.startswith("caesura")] == [*LISTS]


def completing(words):
    """What a shell says to the program when the last of the words is to be completed."""
    return {
        "_CAESURA_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_completion_is_written(run, monkeypatch, shell):
    monkeypatch.setenv("_CAESURA_COMPLETE", f"{shell}_source")
    status, out, _ = run()
    assert (status, "_CAESURA_COMPLETE" in out) == (0, True)


def test_the_program_itself_completes():
    environment = os.environ | completing(["caesura", "tra"])
    run = [sys.executable, "-m", "caesura"]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert "plain,transcript" in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["caesura", "tra"], ["plain", "transcript"]),
        (["caesura", "transcript", "--fail-o"], ["plain", "--fail-over"]),
        (["caesura", "transcript", "--ref", "go"], ["file", "go"]),
        (["caesura", "transcript", "--run", "syn"], ["plain", "syntok"]),
        (["caesura", "segment", "be"], ["plain", "best"]),
        (["caesura", "list", "me"], ["plain", "measures"]),
    ],
)
def test_what_is_completed(run, monkeypatch, words, offered):
    for name, value in completing(words).items():
        monkeypatch.setenv(name, value)
    assert offered in [line.split(",") for line in run()[1].splitlines()]
