"""Rows files that are damaged, or of another version: an error with a line, never a traceback."""

import json

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


COMMANDS = pytest.mark.parametrize("command", ["compare", "report", "correlate"])


@COMMANDS
def test_lines_that_cannot_be(run, rows, command):
    lines, write = rows
    at = next(n for n, line in enumerate(lines, 1) if line.get("measure") == "boundary")
    counts = lines[at - 1]["counts"] | {"tp": "many"}
    for number, values, problem in (
        (1, lines[0] | {"references": []}, ":1: a header without references; "),
        (len(lines), {"end": {}}, ": a bad last line (no signature); "),
        (at, lines[at - 1] | {"counts": counts}, f':{at}: not a valid row (its tp is "many", not '),
    ):
        write(number, values)
        status, out, error = run(command, "rows.jsonl")
        assert (status, out) == (1, "")
        assert error.startswith(f"error: rows.jsonl{problem}")


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
