"""Help: options in groups, whole summaries, and completion by the shell."""

import os
import subprocess
import sys

import click
import pytest

from caesura.cli import SECTIONS, cli
from caesura.cli.commands import GROUPS, GroupedOption
from caesura.cli.listing import LISTS

NAMES = sorted(cli.commands)


def options_of(name):
    return [each for each in cli.commands[name].params if isinstance(each, click.Option)]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", [None, *NAMES])
def test_help_fits_the_terminal(run, monkeypatch, name, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    status, out, _ = run(*filter(None, [name]), "--help")
    assert status == 0
    assert max(map(len, out.splitlines())) <= columns


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_in_a_group_and_has_help(run, name):
    titles = [group.title for group in GROUPS]
    lines = run(name, "--help")[1].splitlines()
    shown = [line.rstrip(":") for line in lines if line.rstrip(":") in titles]
    assert all(isinstance(each, GroupedOption) and each.help for each in options_of(name))
    assert shown == [
        title for title in titles if title in {each.group for each in options_of(name)}
    ]


@pytest.mark.parametrize("name", ["transcript", "text", "terms"])
def test_scoring_commands_have_the_usual_groups(name):
    groups = {each.group for each in options_of(name)}
    assert groups >= {"Input", "Statistics", "Output", "Running", "Exit status"}


def test_commands_are_summarized_in_whole(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("--help")[1]
    assert "..." not in out.replace("[ARGS]...", "")
    for name in NAMES:
        assert " ".join(cli.commands[name].help.split("\n\n")[0].split()) in " ".join(out.split())


def test_every_command_is_in_one_section():
    assert sorted(name for names in SECTIONS.values() for name in names) == NAMES


@pytest.mark.parametrize("name", [None, "transcript"])
def test_help_says_what_wisebe_is(run, name):
    out = " ".join(run(*filter(None, [name]), "--help")[1].split())
    assert "WiSeBE (window-based sentence boundary evaluation)" in out


def test_required_options_are_in_the_usage(run):
    assert "caesura transcript SYSTEM... --ref REF [OPTIONS]" in run("transcript", "--help")[1]


def test_what_can_be_listed_is_listed(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert [line.split()[2] for line in out.splitlines() if line.startswith("caesura")] == [*LISTS]


def test_caesura_is_a_module():
    run = [sys.executable, "-m", "caesura", "list"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "caesura list measures" in done.stdout


def completed(words):
    """What a shell offers for the last of the words, and of which kind it is."""
    environment = os.environ | {
        "_CAESURA_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    run = [sys.executable, "-m", "caesura"]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    return [line.split(",") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_completion_is_written(shell):
    environment = os.environ | {"_CAESURA_COMPLETE": f"{shell}_source"}
    run = [sys.executable, "-m", "caesura"]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert "_CAESURA_COMPLETE" in done.stdout
    assert "caesura" in done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["caesura", "tra"], ["plain", "transcript"]),
        (["caesura", "transcript", "--fail-o"], ["plain", "--fail-over"]),
        (["caesura", "transcript", "out"], ["file", "out"]),
        (["caesura", "transcript", "--ref", "go"], ["file", "go"]),
        (["caesura", "transcript", "--run", "syn"], ["plain", "syntok"]),
        (["caesura", "segment", "be"], ["plain", "best"]),
        (["caesura", "segment", "best", "ta"], ["file", "ta"]),
        (["caesura", "list", "me"], ["plain", "measures"]),
    ],
)
def test_what_is_completed(words, offered):
    assert offered in completed(words)
