"""What 0.1.0 had and later versions do not: asking for it prints why, and what to use instead."""

import re

import pytest

import caesura
from caesura.removed import WRITERS

COMMANDS = {
    "--sweep": ("transcript", "s.txt", "--ref", "r.txt", "--sweep", "window=0..3"),
    "--plot": ("text", "s.txt", "--gold", "r.txt", "--plot", "p.svg"),
    "--power": ("compare", "rows.jsonl", "--power"),
    "diff": ("score", "sighan", "s.txt", "--gold", "r.txt", "--also", "diff"),
    "evalsub": ("score", "subtitles", "s.txt", "--gold", "r.txt", "--also", "evalsub"),
    "ter_br": ("score", "subtitles", "s.txt", "--gold", "r.txt", "--also", "ter_br"),
    "--sample": ("transcript", "s.txt", "--ref", "r.txt", "--sample", "1%"),
    "--proxy": ("studio", ".", "--proxy", "127.0.0.1"),
    "--database": ("studio", ".", "--database", "postgresql://x/y"),
    "--no-documents": ("merge", "rows.jsonl", "--no-documents"),
    "--su": ("transcript", "s.txt", "--ref", "r.txt", "--su"),
    **{f"writing {form}": ("convert", "s.txt", "-", "--to", form) for form in WRITERS},
    "writing ttml": ("convert", "s.txt", "s.dfxp"),
    "writing whisper": ("segment", "every:2", "s.txt", "-o", "s.json"),
}
"""A command for each option, measure or format that is gone, by what its line names."""


@pytest.mark.parametrize(("name", "command"), COMMANDS.items(), ids=COMMANDS)
def test_commands_say_what_to_use_instead(run, folder, name, command):
    folder(s="a b\nc d\n", r="a b\nc d\n")
    status, out, error = run(*command)
    assert (status, out) == (2, "")
    assert re.match(f"[Ee]rror: {name} was removed in 0.2.0; ", error.splitlines()[-1]), error


@pytest.mark.parametrize(
    ("owner", "name"), [(caesura, "sweep"), (caesura.boundary("a // b", "a // b"), "plot")]
)
def test_names_in_python_too(owner, name):
    with pytest.raises(AttributeError, match=f"^{name} was removed in 0.2.0; "):
        getattr(owner, name)
