"""A command that is ended leaves no program running and nothing in the temporary directory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.waiting import is_running, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is running"),
]

# nohup and shells let what they start ignore signals, and all that starts from there.
COMMAND = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    "from caesura.__main__ import main; main()",
]
PROGRAM = """#!/bin/sh
[ -e fixed ] && exec cat "$1"
sleep 600 &
echo $$ $! >> pids
echo $PPID >> workers
grep -q bad "$1" || wait
until [ "$(wc -l < pids)" -ge "$PROGRAMS" ]; do sleep .05; done
kill $!
exit 3
"""
"""Runs forever; on a text with the word `bad`, it fails as soon as PROGRAMS are running."""
ENGINES = {"serial": 1, "processes": 2, "dask": 2}
"""How many programs run at a time."""


@pytest.fixture
def begin(tmp_path, monkeypatch, short_folder):
    """Run a program that never ends on four documents; wait until as many run as can."""
    monkeypatch.chdir(tmp_path)
    for name in "sr":
        Path(name).mkdir()
    for name in "abcd":
        for side in "sr":
            Path(side, f"{name}.txt").write_text("so it rained\n")
    Path("program").write_text(PROGRAM)
    Path("program").chmod(0o755)
    command = [*COMMAND, "transcript", "s", "--ref", "r", "--run", "cmd:./program {input}"]
    started = []

    def start(engine):
        process = subprocess.Popen(
            [*command, "--engine", engine, "-j", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "PROGRAMS": str(ENGINES[engine])},
        )  # fmt: skip
        started.append(process)
        assert until(lambda: len(words("pids")) >= 2 * ENGINES[engine])
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
    for pid in filter(is_running, words("pids")):
        os.kill(pid, signal.SIGKILL)


def words(name):
    return [*map(int, Path(name).read_text().split())] if Path(name).exists() else []


def require_no_program():
    assert until(lambda: not any(map(is_running, words("pids"))), 10)


def require_no_file(folder):
    assert until(lambda: not [*folder.rglob("*")], 10)


@pytest.mark.parametrize("to", ["process", "group"])
@pytest.mark.parametrize("engine", ["serial", "processes"])
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal(begin, short_folder, name, status, engine, to):
    process = begin(engine)
    assert [*short_folder.rglob("input.txt")]
    (os.kill if to == "process" else os.killpg)(process.pid, getattr(signal, name))
    _, errors = process.communicate(timeout=60)
    problem = "error: stopped after 0 of 4 documents; run with --rows FILE to be able to resume\n"
    assert (process.returncode, errors) == (status, problem)
    require_no_program()
    require_no_file(short_folder)


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_an_error(begin, short_folder, engine):
    for side in "sr":
        Path(side, "a.txt").write_text("bad\n")
    _, errors = begin(engine).communicate(timeout=60)
    assert errors == "error: ./program: exit status 3; it printed: nothing; fix the program\n"
    require_no_program()
    require_no_file(short_folder)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_a_worker_is_ended(begin, short_folder, name):
    process = begin("processes")
    Path("fixed").touch()
    os.kill(words("workers")[0], getattr(signal, name))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    if name == "SIGTERM":
        require_no_program()
    require_no_file(short_folder)


def test_workers_end_when_the_process_that_started_them_is_killed(begin):
    process = begin("processes")
    assert len({*words("workers")}) == 2
    process.kill()
    assert until(lambda: not any(map(is_running, words("workers"))))


def test_a_cluster_of_this_machine(begin, short_folder):
    pytest.importorskip("distributed")
    process = begin("dask")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 143, errors
    require_no_program()
    assert not [*short_folder.glob("caesura-*")]
