"""One corpus on every engine: the same rows, in the same order, whatever happens to workers."""

import pickle
import time
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import pytest

from caesura import engine as engines
from caesura.engine import bundles, engine
from caesura.errors import (
    CaesuraError,
    FormatError,
    MissingDocumentError,
    SourceError,
    UsageError,
    WorkerError,
)
from caesura.evaluate import Failure, evaluate, leaving_out
from caesura.sources import Case
from lengths import Lengths


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
    expected = list(evaluate(cases, Lengths()))
    assert list(evaluate(cases, Lengths(), map=engine(name, jobs))) == expected


def test_little_work_is_done_here(cases, monkeypatch):
    monkeypatch.setattr(engines, "_Pool", None)
    assert len(list(evaluate(cases, Lengths(), map=engine("", 8)))) == len(cases)


@pytest.mark.parametrize(("name", "value"), [("BIG", 10), ("SOON", -1)])
def test_much_work_is_shared_out(cases, monkeypatch, name, value):
    monkeypatch.setattr(engines, "LONG", 0)
    monkeypatch.setattr(engines, name, value)
    started = []

    class Pool(engines._Pool):
        def __init__(self, jobs):
            started.append(jobs)
            super().__init__(jobs)

    monkeypatch.setattr(engines, "_Pool", Pool)
    assert len(list(evaluate(cases, Lengths(), map=engine("", 2)))) == len(cases)
    assert started == [2]


@pytest.mark.parametrize("name", ["threads", "dusk", "serial=2", "processes=tcp://h"])
def test_an_unknown_engine(name):
    with pytest.raises(UsageError, match="choose serial, processes, dask or dask=ADDRESS"):
        engine(name)


@pytest.mark.parametrize("name", ["serial", "processes"])
def test_an_error_is_the_same_everywhere(tmp_path, name):
    cases = corpus(tmp_path, ["a", "b", "bad", "c"])
    with pytest.raises(FormatError, match=r"bad:3: bad; mend it$"):
        list(evaluate(cases, Lengths(), map=engine(name, 2)))


@pytest.mark.parametrize("name", ["serial", "processes"])
def test_leaving_bad_documents_out(tmp_path, name):
    cases = corpus(tmp_path, ["a", "b", "bad", "c"])
    failures = []
    rows = list(evaluate(cases, Lengths(), map=leaving_out(engine(name, 2), failures)))
    assert [row.document for row in rows] == ["a", "b", "c"]
    assert failures == [Failure("bad", f"{tmp_path / 'bad'}:3: bad; mend it")]


@dataclass(frozen=True)
class Misused:
    def count(self, case):
        raise UsageError("not like this")


def test_the_command_line_at_fault_is_no_bad_document(cases):
    with pytest.raises(UsageError):
        list(evaluate(cases, Misused(), map=leaving_out(map, [])))


def test_a_worker_that_is_killed(tmp_path):
    (tmp_path / "deaths").write_text("1")
    cases = corpus(tmp_path, [*(f"d{at}" for at in range(20)), "fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    found = list(evaluate(cases, task, map=engine("processes", 2)))
    assert [row.document for row in found] == [case.document for case in cases]
    assert (tmp_path / "deaths").read_text() == "-1"


def test_workers_that_are_always_killed(tmp_path):
    (tmp_path / "deaths").write_text("99")
    cases = corpus(tmp_path, ["fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    with pytest.raises(WorkerError, match=r"^fatal: the processes that count it are killed"):
        list(evaluate(cases, task, map=engine("processes", 2)))


def test_stopping_early_ends_the_workers(cases):
    import multiprocessing

    rows = evaluate(cases, Lengths(), map=engine("processes", 2))
    next(rows)
    rows.close()
    deadline = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not multiprocessing.active_children()


class Unsteady:
    """Workers that die at the moments given, without any process."""

    jobs = 2

    def __init__(self, deaths):
        self.deaths, self.sent, self.restarts = deaths, 0, 0

    def send(self, count, bundle):
        self.sent += 1
        if self.sent in self.deaths:
            raise BrokenProcessPool
        return [count(case) for case in bundle]

    def result(self, sent):
        return sent

    def restart(self):
        self.restarts += 1

    def close(self):
        pass


@pytest.mark.parametrize("deaths", [{1}, {2}, {7}, {1, 2}, {3, 9, 30}])
def test_nothing_is_lost_or_counted_twice(cases, deaths):
    workers = Unsteady(deaths)
    found = list(engines._shared_out(lambda case: case.document, cases, workers))
    assert found == [case.document for case in cases]
    assert workers.restarts == len(deaths)


def test_bundles_are_of_even_size(tmp_path):
    for at in range(400):
        (tmp_path / f"d{at}").write_bytes(b"x" * (1000 if at % 10 else 10_000))
    cases = [Case(f"d{at}", {"s": str(tmp_path / f"d{at}")}, {}) for at in range(400)]
    found = list(bundles(cases, 2))
    assert [case for bundle in found for case in bundle] == cases
    sizes = [sum(Path(case.systems["s"]).stat().st_size for case in b) for b in found]
    assert max(sizes[:-1]) <= 2 * min(sizes[:-1]) + 10_000
    assert 16 <= len(found) <= 64


def test_no_cases():
    assert list(engine("processes", 2)(Lengths().count, [])) == []


@pytest.mark.parametrize(
    "problem",
    [
        SourceError("a.txt", "is bad", "mend it"),
        MissingDocumentError("a", "v6", "b"),
        FormatError("a.txt", "is bad", "mend it", line=3),
        WorkerError("v6"),
        UsageError("not so"),
    ],
)
def test_errors_travel(problem):
    again = pickle.loads(pickle.dumps(problem))
    assert type(again) is type(problem)
    assert str(again) == str(problem)
    assert again.status == problem.status
    assert isinstance(again, CaesuraError)
