"""-j, --engine, --resume and --keep-going: the same files, byte for byte, whatever happens."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from caesura.io.files import read_bytes
from caesura.run.rows_file import END, Header
from caesura.run.rows_writer import RowsWriter
from caesura.run.worker import Worker
from caesura.tasks.transcript.counting import Transcript
from support.counted_runs import seen_by
from support.fault_corpus import COMMAND, make_corpus

pytestmark = pytest.mark.slow

TRANSCRIPT = ("transcript", "S1=s1", "S2=s2", "--ref", "anna", "--ref", "ben")
ROWS = Path("made.jsonl")
SUFFIXES = pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])


@pytest.fixture(autouse=True)
def _corpus(tmp_path, monkeypatch):
    """Twelve documents in four versions, each a folder."""
    monkeypatch.chdir(tmp_path)
    make_corpus(tmp_path, documents=12)


def rows_of(run, *arguments):
    status, _, errors = run(*arguments, "--rows", ROWS)
    assert status == 0, errors
    assert END in ROWS.read_bytes()
    return ROWS.read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        (*TRANSCRIPT, "--confidence", "--resamples", "20", "--unit", "block"),
        (*TRANSCRIPT, "--align"),
        ("agreement", "anna", "ben"),
        ("text", "S1=s1", "S2=s2", "--gold", "anna", "--algorithm", "literal"),
    ],
)
def test_rows_and_results_are_the_same(run, command):
    expected = run(*command, "-f", "json", "--engine", "serial")
    rows = rows_of(run, *command, "--engine", "serial")
    assert run(*command, "-f", "json", "-j", "2") == expected
    made = ("-f", "json", "--rows", ROWS, "--engine", "processes", "-j", "2")
    assert run(*command, *made) == expected
    assert ROWS.read_bytes() == rows


def stop(run, *options):
    """Run into a bad document, which leaves unfinished rows, and mend it."""
    bad = Path("s1/d6.txt")
    ROWS.unlink(missing_ok=True)
    good = bad.read_text()
    bad.write_text("something else\n")
    assert run(*TRANSCRIPT, "--rows", ROWS, *options)[0] == 1
    assert END not in ROWS.read_bytes()
    bad.write_text(good)


def test_going_on_after_an_error_counts_only_what_is_left(run, monkeypatch):
    expected = rows_of(run, *TRANSCRIPT, "--resume")  # of nothing: it begins
    stop(run)
    seen = seen_by(monkeypatch)
    assert rows_of(run, *TRANSCRIPT, "--resume") == expected
    assert [part.case.document for chunk in seen for part in chunk] == [
        f"d{at}" for at in range(6, 12)
    ]


@pytest.mark.parametrize("command", ["compare", "report", "merge"])
def test_rows_without_an_end_are_unfinished(run, command):
    stop(run)
    made = ("-o", "page.html") if command == "report" else ()
    message = "error: made.jsonl: unfinished; continue with --resume\n"
    assert run(command, ROWS, *made) == (1, "", message)


def test_a_run_that_counts_nothing_leaves_rows_as_they_were(run):
    expected = rows_of(run, *TRANSCRIPT)
    Path("s1/d0.txt").write_text("something else\n")
    assert run(*TRANSCRIPT, "--rows", ROWS)[0] == 1
    assert ROWS.read_bytes() == expected
    assert run(*TRANSCRIPT, "--rows", "new.jsonl")[0] == 1
    assert not Path("new.jsonl").exists()


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (("--window", "3"), "window was 2 and is 3 now; resume with the same options"),
        (("S3=s2",), 'systems was ["S1", "S2"] and is ["S1", "S2", "S3"] now'),
    ],
)
def test_rows_of_another_run(run, changed, problem):
    stop(run)
    before = ROWS.read_bytes()
    status, _, errors = run(*TRANSCRIPT, *changed, "--rows", ROWS, "--resume")
    assert status == 2
    assert problem in errors
    assert ROWS.read_bytes() == before


@pytest.mark.parametrize("how", [(), ("--resume",)])
@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.gz"])
def test_a_file_that_is_not_ours_is_never_overwritten(run, how, name):
    Path(name).write_text("something of mine\n")
    status, _, errors = run(*TRANSCRIPT, "--rows", name, *how)
    assert status == 2
    assert f"{name} is not a rows file, and is not overwritten; choose another path" in errors
    assert Path(name).read_text() == "something of mine\n"


@SUFFIXES
def test_a_document_that_was_changed_is_counted_again(run, suffix):
    """Those before it are kept, also from the middle of a compressed part."""
    left = Path(f"{ROWS}{suffix}")
    command = (*TRANSCRIPT, "--rows", left, "--engine", "serial")
    assert run(*command)[0] == 0
    Path("s1/d6.txt").write_text(Path("anna/d6.txt").read_text())
    assert run(*command, "--resume")[0] == 0
    resumed = read_bytes(str(left))
    assert run(*command)[0] == 0
    assert read_bytes(str(left)) == resumed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")
def test_two_runs_do_not_share_rows(run):
    header = Header(caesura="0", task="", references=(), options={})
    with RowsWriter.open(str(ROWS), header):
        for how in ((), ("--resume",)):
            status, _, errors = run(*TRANSCRIPT, "--rows", ROWS, *how)
            assert status == 1
            assert "another run is writing to it" in errors


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_rows_go_to_a_pipe(run):
    expected = rows_of(run, *TRANSCRIPT)
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(Path("pipe").read_bytes)
        assert run(*TRANSCRIPT, "--rows", "pipe")[0] == 0
        assert read.result() == expected
    command = [*COMMAND, *TRANSCRIPT, "-q", "--rows", "/dev/stdout", "-o", "table.txt"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == expected


def test_failures_are_kept_and_tried_again(run, monkeypatch):
    """Bad documents that are left out are in the rows, until they are fixed."""
    bad, command = Path("s1/d5.txt"), (*TRANSCRIPT, "--rows", ROWS, "--keep-going")
    good = bad.read_text()
    bad.write_text("something else\n")
    first, rows = run(*command), ROWS.read_bytes()
    assert first[0] == 1
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "__call__", None)
        assert run(*command, "--resume") == first
    assert ROWS.read_bytes() == rows
    bad.write_text(good)
    assert run(*command, "--resume")[0] == 0
    assert ROWS.read_bytes() == rows_of(run, *TRANSCRIPT)


def test_ctrl_c(run, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Transcript, "count", stop)
    monkeypatch.setattr(Transcript, "count_many", stop)
    message = "error: stopped after 0 of 12 documents; run with --rows FILE to be able to resume\n"
    assert run(*TRANSCRIPT) == (130, "", message)


def test_keep_going(run):
    whole = run(*TRANSCRIPT)
    assert run(*TRANSCRIPT, "--keep-going") == whole
    Path("s2/d5.txt").write_text("other words\n")
    Path("anna/d7.txt").write_bytes(b"\xff\n")
    status, _, errors = run(*TRANSCRIPT)
    assert (status, errors.count("\n")) == (1, 1)
    for how in ("serial", "processes"):
        made = ("-f", "json", "--engine", how, "--rows", ROWS)
        status, out, errors = run(*TRANSCRIPT, "--keep-going", *made)
        assert status == 1
        first, second, last = errors.splitlines()
        assert first.startswith("left out: d5: s2/d5.txt:1: the words differ at word 1")
        assert second.startswith("left out: d7: anna/d7.txt:1: byte 0xff is not UTF-8")
        assert last == "error: 2 of 12 documents left out; fix or remove them"
        documents = json.loads(out)["documents"]
        assert len(documents) == 10
        assert not {"d5", "d7"} & set(documents)
        *_, last = ROWS.read_text().splitlines()
        assert json.loads(last)["end"]["failed"] == ["d5", "d7"]


def test_a_bad_line_of_one_file_of_many(run, folder):
    head = "token|punctuation\n"
    folder(**{f"{side}__{name}.nlp": f"{head}yes|.\n" for side in "sr" for name in "abc"})
    folder(**{"s__b.nlp": f"{head}so\n"})
    problem = "s/b.nlp:2: 'so' has 1 column where the first line names 2; give the line all columns"
    problem += ", or leave such lines out with --force"
    cure = ", or leave such documents out with --keep-going"
    for jobs in "12":
        status, out, errors = run("transcript", "s", "--ref", "r", "-j", jobs)
        assert (status, out, errors) == (1, "", f"error: {problem}{cure}\n")
    status, out, errors = run("transcript", "s/b.nlp", "--ref", "r=r/b.nlp")
    assert (status, out, errors) == (1, "", f"error: {problem}\n")


def test_keep_going_with_nothing_left(run, folder):
    folder(s__a="one\n", s__b="one\n", r__a="two\n", r__b="two\n")
    status, out, errors = run("transcript", "s", "--ref", "r", "--keep-going")
    assert (status, out) == (1, "")
    assert errors.startswith("error: no document could be scored; fix them: s/a.txt:1: the")


def test_progress_on_a_terminal(run, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    status, _, errors = run(*TRANSCRIPT)
    assert status == 0
    assert "12 of 12 documents" in errors
    assert run(*TRANSCRIPT, "-q")[2] == ""
