"""Input that nobody foresaw: a result or one line, never a traceback."""

import json

import pytest

NESTED = "[" * 5000
HEADER = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,".ljust(117)
UNCLOSED = b"\x93NUMPY\x01\x00\x76\x00" + HEADER + b"\n" + bytes(24)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_no_marks_end_no_units(run, folder):
    folder(s="it rained. we left?", r="it rained. we\nleft?")
    status, printed, _ = run("transcript", "s.txt", "--ref", "r.txt", "--marks", "", "-q")
    assert status == 0
    assert "|marks:|input:" in printed


@pytest.mark.parametrize("command", [["transcript"], ["score", "chapters"], ["score", "phones"]])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_system_without_a_document_of_the_reference(run, tmp_path, command, form):
    for path in ("s/x.lab", "t/y.lab", "r/y.lab"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text("0 1 A\n1 2 B\n2 5 A\n")
    clock = ["--axis", "time"] if command == ["transcript"] else []
    for systems in (["s"], ["s", "t"]):
        given = [*command, *systems, "--gold", "r", "--missing", "vary", *clock, "-f", form]
        status, printed, error = run(*given)
        assert (status, "Traceback" in error, bool(printed)) == (0, False, True), error
        assert "warning: s is scored on 0 of 1 document" in error


def test_nested_chunks(run, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_text("hello world")
    (tmp_path / "chunks.json").write_text(NESTED)
    (tmp_path / "gold.csv").write_text(f"question,references,corpus_id\nq,{NESTED},a\n")
    arguments = ["chunks.json", "--gold", "gold.csv", "--documents", "texts"]
    status, _, error = run("score", "chunks", *arguments)
    assert status == 1
    assert error.startswith("error: gold.csv:2: not JSON: '[[[")


def test_an_array_whose_header_is_not_closed(run, tmp_path):
    for name in ("a.npy", "b.npy"):
        (tmp_path / name).write_bytes(UNCLOSED)
    status, _, error = run("transcript", "a.npy", "--ref", "b.npy")
    assert status == 1
    assert "a.npy: not a valid array; save an array" in error


def test_numbers_of_rows_beyond_floats(run, tmp_path):
    edits = "S This are it .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\n\n"
    for name in ("a.m2", "b.m2"):
        (tmp_path / name).write_text(edits)
    run("corrections", "a.m2", "--gold", "b.m2", "--rows", "rows.jsonl")
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    header["options"]["beta"] = 10**400
    (tmp_path / "rows.jsonl").write_text("\n".join([json.dumps(header), *lines[1:], ""]))
    status, _, error = run("merge", "rows.jsonl")
    assert status == 1
    assert error.startswith("error: rows.jsonl:1: ")
    assert "is not a valid float" in error
