"""One corpus on every engine: the same rows, in the same order, whatever happens to workers."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest

from caesura.errors import UsageError, WorkerError
from caesura.run import engine as engines
from caesura.run import processes
from caesura.run.inputs import Case
from support.counted_runs import rows_of
from support.process_tasks import Lengths, Threads

pytestmark = pytest.mark.slow


def corpus(folder, names):
    for at, name in enumerate(names):
        (folder / name).write_bytes(b"x" * (at * 37 % 101))
    return [Case(name, {"s": str(folder / name)}, {}) for name in names]


@pytest.fixture
def cases(tmp_path):
    return corpus(tmp_path, [f"d{at}" for at in range(60)])


@pytest.mark.parametrize("name", ["serial", "", "processes"])
@pytest.mark.parametrize("jobs", [0, 1, 2, 3])
def test_the_same_rows_in_the_same_order(cases, name, jobs):
    expected = [row for case in cases for row in Lengths().count(case)]
    assert rows_of(cases, Lengths(), name, jobs) == expected


def test_little_work_is_done_here(cases, monkeypatch):
    monkeypatch.setattr(engines.Engine, "_started", None)
    assert len(rows_of(cases, Lengths(), "", 8)) == len(cases)


@pytest.mark.parametrize(("name", "value"), [("BIG", 10), ("SOON", -1)])
def test_much_work_is_shared_out(cases, monkeypatch, name, value):
    monkeypatch.setattr(engines, "LONG", 0)
    monkeypatch.setattr(engines, name, value)
    started = []

    class Pool(processes.Pool):
        def __init__(self, jobs):
            started.append(jobs)
            super().__init__(jobs)

    monkeypatch.setattr(processes, "Pool", Pool)
    assert len(rows_of(cases, Lengths(), "", 2)) == len(cases)
    assert started == [2]


@pytest.mark.parametrize("name", ["threads", "dusk", "serial=2", "processes=tcp://h"])
def test_an_unknown_engine(name):
    with pytest.raises(UsageError, match="choose serial, processes, dask or dask=ADDRESS"):
        engines.Engine(name)


def test_a_worker_that_is_killed(tmp_path):
    (tmp_path / "deaths").write_text("1")
    cases = corpus(tmp_path, [*(f"d{at}" for at in range(20)), "fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    found = rows_of(cases, task, "processes", 2)
    assert [row.document for row in found] == [case.document for case in cases]
    assert (tmp_path / "deaths").read_text() == "-1"


def test_workers_that_are_always_killed(tmp_path):
    (tmp_path / "deaths").write_text("99")
    cases = corpus(tmp_path, ["fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    with pytest.raises(WorkerError, match=r"^fatal: its worker processes were killed"):
        rows_of(cases, task, "processes", 2)


@pytest.mark.parametrize("problem", [EOFError, ConnectionRefusedError, BrokenPipeError])
def test_processes_that_cannot_be_started(cases, monkeypatch, problem):
    """As when the process that starts the others is killed, which then starts anew."""
    monkeypatch.setattr(processes, "PAUSE", 0)
    submit, failures = ProcessPoolExecutor.submit, [problem, problem]

    def fails(self, work, chunk):
        if failures:
            raise failures.pop()
        return submit(self, work, chunk)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", fails)
    assert rows_of(cases, Lengths(), "processes", 2) == rows_of(cases, Lengths(), "serial")
    failures += [problem] * engines.TRIES
    with pytest.raises(WorkerError, match=r"^d0: its worker processes were killed"):
        rows_of(cases, Lengths(), "processes", 2)


def test_handlers_of_signals_stay(cases):
    """Only the command line handles signals; whoever calls caesura has handlers of their own."""
    numbers = signal.valid_signals()
    before = [signal.getsignal(number) for number in numbers]
    assert len(rows_of(cases, Lengths(), "processes", 2)) == len(cases)
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_worker_calculates_with_one_thread(tmp_path):
    (tmp_path / "a").write_text("")
    cases = [Case(name, {"s": str(tmp_path / "a")}, {}) for name in "abcd"]
    before = dict(os.environ)
    rows = rows_of(cases, Threads(), "processes", 2)
    assert {row.counts.words for row in rows} == {1}
    assert dict(os.environ) == before


@pytest.mark.slow
def test_a_script_without_a_guard_is_run_once(tmp_path):
    """Processes import the script that starts them, so only who asks for them gets any."""
    for side in ("ours", "theirs"):
        (tmp_path / side).mkdir()
        for number in range(9):
            (tmp_path / side / f"{number}.txt").write_text("it rained\nwe left\n" * 99)
    script = tmp_path / "script.py"
    script.write_text(
        "import caesura, caesura.run.engine\n"
        "caesura.run.engine.BIG = 0\n"
        "open('bodies', 'a').write('x')\n"
        "print(caesura.evaluate('ours', 'theirs').systems['ours'].f1)\n"
    )
    command = [sys.executable, "script.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "1.0\n", "")
    assert (tmp_path / "bodies").read_text() == "x"
