"""Rows files that are damaged, or of another version: an error with a line, never a traceback."""

import json
from pathlib import Path

import pytest

import caesura

OURS, THEIRS = ["a b", "c d"], ["a", "b c d"]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """A file of rows, as a list of lines, and a function that writes it anew."""
    monkeypatch.chdir(tmp_path)
    found = caesura.evaluate({"s": OURS, "t": THEIRS}, {"r": THEIRS, "q": OURS})
    found.save("rows.jsonl", with_text=True)
    lines = (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()

    def write(number, values):
        changed = [*lines[: number - 1], json.dumps(values), *lines[number:]]
        (tmp_path / "rows.jsonl").write_text("\n".join(changed) + "\n", "utf-8")

    return [json.loads(line) for line in lines], write


@pytest.mark.parametrize("command", ["compare", "report", "correlate"])
@pytest.mark.parametrize("field", ["task", "signature", "references", "documents", "options"])
def test_a_header_without_a_field(run, rows, command, field):
    lines, write = rows
    write(1, {name: value for name, value in lines[0].items() if name != field})
    status, out, error = run(command, "rows.jsonl")
    assert (status, out) == (1, "")
    assert error.startswith(f"error: rows.jsonl:1: a bad header (no {field}); ")


@pytest.mark.parametrize("command", ["compare", "report", "correlate"])
def test_a_header_that_names_no_reference(run, rows, command):
    lines, write = rows
    write(1, lines[0] | {"references": []})
    status, out, error = run(command, "rows.jsonl")
    assert (status, out) == (1, "")
    assert error.startswith("error: rows.jsonl:1: a header without references; ")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"widow": 1}, "bad options (unknown: widow); "),
        ({"final": "perhaps"}, "bad options (final: 'perhaps' is not a valid "),
        ({"tolerance": "x"}, "bad options (tolerance: 'x' is not a valid int); "),
    ],
)
def test_a_header_with_impossible_options(run, rows, options, problem):
    lines, write = rows
    write(1, lines[0] | {"options": lines[0]["options"] | options})
    status, _, error = run("report", "rows.jsonl")
    assert (status, error.startswith(f"error: rows.jsonl:1: {problem}")) == (1, True), error


def test_a_task_that_is_unknown(run, rows):
    lines, write = rows
    write(1, lines[0] | {"task": "poetry"})
    status, _, error = run("report", "rows.jsonl")
    assert (status, error.startswith("error: rows.jsonl:1: ")) == (1, True), error


@pytest.mark.parametrize("command", ["compare", "report", "correlate"])
def test_a_row_with_a_word_for_a_number(run, rows, command):
    lines, write = rows
    at = next(n for n, line in enumerate(lines, 1) if line.get("measure") == "boundary")
    write(at, lines[at - 1] | {"counts": lines[at - 1]["counts"] | {"tp": "many"}})
    status, _, error = run(command, "rows.jsonl")
    assert status == 1
    assert error.startswith(
        f'error: rows.jsonl:{at}: not a valid row (its tp is "many", not a count); '
    )


def test_readings_of_version_0_1(run, rows):
    lines, write = rows
    at = next(n for n, line in enumerate(lines, 1) if "reading" in line)
    assert run("report", "rows.jsonl", "-o", "new.html")[0] == 0
    reading = {key: value for key, value in lines[at - 1]["reading"].items() if key != "kind"}
    write(at, {"reading": reading})
    assert run("report", "rows.jsonl", "-o", "old.html")[0] == 0


def test_patterns_of_version_0_1(run, folder):
    """Patterns of errors had a kind then, and readings had none."""
    folder(sys="a b\nc d\n", gold="a b c d\n")
    run("text", "sys.txt", "--gold", "gold.txt", "--rows", "rows.jsonl", "--with-text")
    *lines, last = Path("rows.jsonl").read_text("utf-8").splitlines()
    reading = json.loads(last)["reading"]
    assert run("report", "rows.jsonl", "-o", "new.html")[0] == 0
    del reading["kind"]
    for pattern in reading["patterns"]:
        pattern["kind"] = pattern.pop("direction")
    Path("rows.jsonl").write_text("\n".join([*lines, json.dumps({"reading": reading})]), "utf-8")
    assert run("report", "rows.jsonl", "-o", "old.html")[0] == 0
    assert Path("old.html").read_text("utf-8") == Path("new.html").read_text("utf-8")


def test_word_alignments_of_version_0_1(run, folder):
    """They did not count how many might not be the best."""
    folder(sys="a b\nc e\n", ref="a b c d\n")
    run("transcript", "sys.txt", "--ref", "ref.txt", "--align", "--rows", "rows.jsonl")
    new = run("compare", "rows.jsonl", "-f", "json")
    text = Path("rows.jsonl").read_text("utf-8")
    assert ', "uncertain": 0' in text
    Path("rows.jsonl").write_text(text.replace(', "uncertain": 0', ""), "utf-8")
    assert run("compare", "rows.jsonl", "-f", "json") == new
