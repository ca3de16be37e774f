"""-j, --engine, --resume and --keep-going: the same files, byte for byte, whatever happens."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from caesura.io.files import read_bytes
from caesura.run.rows_file import END, Header
from caesura.run.rows_writer import RowsWriter
from caesura.run.worker import Worker

pytestmark = pytest.mark.slow

WORDS = "so it rained a lot and then we went home to eat and sleep".split()
TRANSCRIPT = ("transcript", "S1=s1", "S2=s2", "--ref", "anna", "--ref", "ben")
TEXT = ("text", "S1=s1", "S2=s2", "--gold", "anna")
COMMAND = [sys.executable, "-c", "from caesura.cli import main; main()"]
# A shell lets what it starts in the background ignore interrupts, and all that starts from there.
LISTENING = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from caesura.cli import main; main()",
]


def units(generator, words):
    lines, line = [], []
    for word in words:
        line.append(word)
        if generator.random() < 0.2:
            lines.append(" ".join(line))
            line = []
    return "\n".join([*lines, " ".join(line)]).strip() + "\n"


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Twenty-four documents in four versions, each a folder."""
    monkeypatch.chdir(tmp_path)
    generator = random.Random(7)
    for at in range(24):
        words = generator.choices(WORDS, k=generator.randrange(20, 400))
        for who in ("s1", "s2", "anna", "ben"):
            (tmp_path / who).mkdir(exist_ok=True)
            (tmp_path / who / f"d{at}.txt").write_text(units(generator, words))
    return tmp_path


def rows_of(run, *arguments):
    path = Path("made.jsonl")
    status, _, errors = run(*arguments, "--rows", path)
    assert status == 0, errors
    assert END in path.read_bytes()
    return path.read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        TRANSCRIPT,
        (*TRANSCRIPT, "--confidence", "--resamples", "20", "--unit", "block"),
        (*TRANSCRIPT, "--align"),
        ("agreement", "anna", "ben"),
        TEXT,
        (*TEXT, "--algorithm", "literal"),
    ],
)
def test_rows_and_results_are_the_same(run, corpus, command):
    expected = run(*command, "-f", "json", "--engine", "serial")
    rows = rows_of(run, *command, "--engine", "serial")
    assert run(*command, "-f", "json", "-j", "2") == expected
    made = ("-f", "json", "--rows", "made.jsonl", "--engine", "processes", "-j", "2")
    assert run(*command, *made) == expected
    assert Path("made.jsonl").read_bytes() == rows


def test_resume_asks_for_rows(run, corpus):
    status, _, errors = run(*TRANSCRIPT, "--resume")
    assert status == 2
    assert "name them with --rows" in errors


def test_resume_of_nothing_begins(run, corpus):
    expected = rows_of(run, *TRANSCRIPT)
    assert rows_of(run, *TRANSCRIPT, "--resume") == expected


def stopped(run, at, *options):
    """Run into a bad document; gives the unfinished rows that are left."""
    bad, left = Path(f"s1/d{at}.txt"), Path("made.jsonl")
    left.unlink(missing_ok=True)
    good = bad.read_text()
    bad.write_text("something else\n")
    assert run(*TRANSCRIPT, "--rows", "made.jsonl", *options)[0] == 1
    assert END not in left.read_bytes()
    bad.write_text(good)
    return left


def test_going_on_after_an_error_counts_only_what_is_left(run, corpus, monkeypatch):
    expected = rows_of(run, *TRANSCRIPT)
    stopped(run, 11)
    counted = []
    count = Worker.__call__

    def seen(self, chunk):
        counted.extend(part.case.document for part in chunk)
        return count(self, chunk)

    monkeypatch.setattr(Worker, "__call__", seen)
    assert rows_of(run, *TRANSCRIPT, "--resume") == expected
    assert counted == [f"d{at}" for at in range(11, 24)]


@pytest.mark.parametrize("command", ["compare", "report", "merge"])
def test_rows_without_an_end_are_unfinished(run, corpus, command):
    stopped(run, 11)
    made = ("-o", "page.html") if command == "report" else ()
    message = "error: made.jsonl: unfinished; continue with --resume\n"
    assert run(command, "made.jsonl", *made) == (1, "", message)


def test_without_resume_a_run_begins_again(run, corpus):
    expected = rows_of(run, *TRANSCRIPT)
    left = stopped(run, 11)
    assert rows_of(run, *TRANSCRIPT) == expected
    left.write_bytes(b"")
    assert rows_of(run, *TRANSCRIPT) == expected


def test_a_run_that_counts_nothing_leaves_rows_as_they_were(run, corpus):
    expected = rows_of(run, *TRANSCRIPT)
    Path("s1/d0.txt").write_text("something else\n")
    assert run(*TRANSCRIPT, "--rows", "made.jsonl")[0] == 1
    assert Path("made.jsonl").read_bytes() == expected
    assert run(*TRANSCRIPT, "--rows", "new.jsonl")[0] == 1
    assert not Path("new.jsonl").exists()


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_of_a_finished_run_are_resumed_as_they_are(run, corpus, monkeypatch, suffix):
    name = f"made.jsonl{suffix}"
    first = run(*TRANSCRIPT, "--rows", name, "-f", "json")
    expected = read_bytes(name)
    monkeypatch.setattr(Worker, "__call__", None)
    assert run(*TRANSCRIPT, "--rows", name, "--resume", "-f", "json") == first
    assert read_bytes(name) == expected


def test_rows_of_other_options(run, corpus):
    left = stopped(run, 11)
    before = left.read_bytes()
    status, _, errors = run(*TRANSCRIPT, "--rows", "made.jsonl", "--resume", "--window", "3")
    assert status == 2
    assert "window was 2 and is 3 now; resume with the same options" in errors
    assert left.read_bytes() == before


def test_rows_of_other_systems(run, corpus):
    stopped(run, 11)
    command = ("transcript", "S3=s2", "--ref", "anna", "--ref", "ben", "--rows", "made.jsonl")
    status, _, errors = run(*command, "--resume")
    assert status == 2
    assert 'systems was ["S1", "S2"] and is ["S3"] now' in errors


@pytest.mark.parametrize("how", [(), ("--resume",)])
@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.gz"])
def test_a_file_that_is_not_ours_is_never_overwritten(run, corpus, how, name):
    Path(name).write_text("something of mine\n")
    status, _, errors = run(*TRANSCRIPT, "--rows", name, *how)
    message = f"{name} is not a rows file, and is not overwritten; choose another path"
    assert status == 2
    assert message in errors
    assert Path(name).read_text() == "something of mine\n"


def test_a_document_that_was_changed_is_counted_again(run, corpus):
    stopped(run, 11)
    words = Path("anna/d3.txt").read_text().split()
    Path("s1/d3.txt").write_text("\n".join(words))
    found = rows_of(run, *TRANSCRIPT, "--resume")
    assert found == rows_of(run, *TRANSCRIPT)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_that_are_torn_anywhere(run, corpus, monkeypatch, suffix):
    """Whatever is left of them, and with several documents in a member or one."""
    left, seconds = Path(f"made.jsonl{suffix}"), random.Random(3)
    monkeypatch.setattr("caesura.run.rows_writer.SECONDS", -1)
    assert run(*TRANSCRIPT, "--rows", left, "--engine", "serial", "--with-text")[0] == 0
    expected, whole = read_bytes(str(left)), left.read_bytes()
    for cut in [*range(0, 100, 7), 99.9]:
        left.write_bytes(whole[: int(len(whole) * cut / 100)])
        monkeypatch.setattr("caesura.run.rows_writer.SECONDS", seconds.choice((-1, 99)))
        command = (*TRANSCRIPT, "--rows", left, "--resume", "--with-text", "--engine", "serial")
        assert run(*command)[0] == 0, cut
        assert read_bytes(str(left)) == expected, cut


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_that_are_cut_inside_a_member(run, corpus, suffix):
    """A document in the middle has changed: those before it are kept."""
    left = Path(f"made.jsonl{suffix}")
    command = (*TRANSCRIPT, "--rows", left, "--engine", "serial")
    assert run(*command)[0] == 0
    Path("s1/d12.txt").write_text(Path("anna/d12.txt").read_text())
    assert run(*command, "--resume")[0] == 0
    resumed = read_bytes(str(left))
    assert run(*command)[0] == 0
    assert read_bytes(str(left)) == resumed


@pytest.mark.parametrize(
    "rubbish",
    [b"\0" * 100, b'{"done": "d11"}\n', b"{}\n[]\n", b"\xff\n", b'{"end": {}}\n'],
)
def test_rows_with_rubbish_at_their_end(run, corpus, rubbish):
    expected = rows_of(run, *TRANSCRIPT)
    left = stopped(run, 11)
    left.write_bytes(left.read_bytes() + rubbish)
    assert rows_of(run, *TRANSCRIPT, "--resume") == expected


def test_rows_with_a_number_changed(run, corpus):
    """What does not fit its checksum is counted again."""
    expected = rows_of(run, *TRANSCRIPT)
    left = stopped(run, 11)
    left.write_bytes(left.read_bytes().replace(b'"tp": ', b'"tp": 1', 30))
    assert rows_of(run, *TRANSCRIPT, "--resume") == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")
def test_two_runs_do_not_share_rows(run, corpus):
    header = Header(caesura="0", task="", references=(), options={})
    with RowsWriter.open("made.jsonl", header):
        for how in ((), ("--resume",)):
            status, _, errors = run(*TRANSCRIPT, "--rows", "made.jsonl", *how)
            assert status == 1
            assert "another run is writing to it" in errors


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_rows_go_to_a_pipe(run, corpus):
    expected = rows_of(run, *TRANSCRIPT)
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(Path("pipe").read_bytes)
        assert run(*TRANSCRIPT, "--rows", "pipe")[0] == 0
        assert read.result() == expected
    shown = subprocess.run(
        [*COMMAND, *TRANSCRIPT, "-q", "--rows", "/dev/stdout", "-o", "table.txt"],
        check=True, capture_output=True,
    )  # fmt: skip
    assert shown.stdout == expected


def test_failures_are_kept_and_tried_again(run, corpus, monkeypatch):
    """Bad documents that are left out are in the rows, until they are fixed."""
    bad, command = Path("s1/d5.txt"), (*TRANSCRIPT, "--rows", "made.jsonl", "--keep-going")
    good = bad.read_text()
    bad.write_text("something else\n")
    first = run(*command)
    rows = Path("made.jsonl").read_bytes()
    assert first[0] == 1
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "__call__", None)
        assert run(*command, "--resume") == first
    assert Path("made.jsonl").read_bytes() == rows
    bad.write_text(good)
    assert run(*command, "--resume")[0] == 0
    resumed = Path("made.jsonl").read_bytes()
    assert rows_of(run, *TRANSCRIPT) == resumed


@pytest.mark.parametrize("how", ["serial", "processes"])
def test_ctrl_c(corpus, how):
    slow = Path("slow.sh")
    slow.write_text("#!/bin/sh\nsleep 0.1\ncat\n")
    slow.chmod(0o755)
    rows = ["--run", "slow=cmd:./slow.sh", "--rows", "made.jsonl"]
    command = [*LISTENING, *TRANSCRIPT, *rows, "--engine", how]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    left = Path("made.jsonl")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if left.exists() and b'"done"' in left.read_bytes():
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 24 documents; run it again with the same options and --resume" in errors
    assert errors.count("\n") == 1
    subprocess.run([*COMMAND, *TRANSCRIPT, *rows, "--resume", "-q"], check=True)
    assert left.read_text().count('{"done": ') == 24


def test_ctrl_c_without_rows(run, corpus, monkeypatch):
    from caesura.tasks.transcript.counting import Transcript

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Transcript, "count", stop)
    monkeypatch.setattr(Transcript, "count_many", stop)
    message = "error: stopped after 0 of 24 documents; run with --rows FILE to be able to resume\n"
    assert run(*TRANSCRIPT) == (130, "", message)


def test_keep_going(run, corpus):
    Path("s2/d5.txt").write_text("other words\n")
    Path("anna/d7.txt").write_bytes(b"\xff\n")
    status, _, errors = run(*TRANSCRIPT)
    assert status == 1
    assert errors.count("\n") == 1
    for how in ("serial", "processes"):
        status, out, errors = run(
            *TRANSCRIPT, "--keep-going", "-f", "json", "--engine", how, "--rows", "made.jsonl"
        )
        assert status == 1
        lines = errors.splitlines()
        assert len(lines) == 3
        assert lines[0].startswith("left out: d5: s2/d5.txt:1: the words differ at word 1")
        assert lines[1].startswith("left out: d7: anna/d7.txt:1: byte 0xff is not UTF-8")
        assert lines[2] == "error: 2 of 24 documents left out; fix or remove them"
        documents = json.loads(out)["documents"]
        assert len(documents) == 22
        assert not {"d5", "d7"} & set(documents)
        *_, last = Path("made.jsonl").read_text().splitlines()
        assert json.loads(last)["end"]["failed"] == ["d5", "d7"]


def test_a_bad_line_of_one_file_of_many(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head, word = "token|punctuation\n", "yes|.\n"
    for side in ("s", "r"):
        (tmp_path / side).mkdir()
        for name in "abc":
            (tmp_path / side / f"{name}.nlp").write_text(head + word)
    (tmp_path / "s" / "b.nlp").write_text(head + "so\n")
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


def test_keep_going_where_all_is_well(run, corpus):
    assert run(*TRANSCRIPT, "--keep-going") == run(*TRANSCRIPT)


def test_an_unknown_engine(run, corpus):
    status, _, errors = run(*TRANSCRIPT, "--engine", "cloud")
    assert status == 2
    assert "unknown engine 'cloud'; choose serial, processes, dask" in errors


def test_progress_on_a_terminal(run, corpus, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    status, _, errors = run(*TRANSCRIPT)
    assert status == 0
    assert "24 of 24 documents" in errors
    assert run(*TRANSCRIPT, "-q")[2] == ""
