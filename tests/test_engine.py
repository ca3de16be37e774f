"""One corpus on every engine: the same rows, in the same order, whatever happens to workers."""

import pickle
import time
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import pytest

from caesura.errors import (
    CaesuraError,
    FormatError,
    MissingDocumentError,
    SourceError,
    UsageError,
    WorkerError,
)
from caesura.run import engines
from caesura.run.cases import Case
from caesura.run.counting import Failure, count_all, leaving_out
from caesura.run.engines import bundles, engine
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
    expected = list(count_all(cases, Lengths()))
    assert list(count_all(cases, Lengths(), map=engine(name, jobs))) == expected


def test_little_work_is_done_here(cases, monkeypatch):
    monkeypatch.setattr(engines, "_Pool", None)
    assert len(list(count_all(cases, Lengths(), map=engine("", 8)))) == len(cases)


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
    assert len(list(count_all(cases, Lengths(), map=engine("", 2)))) == len(cases)
    assert started == [2]


@pytest.mark.parametrize("name", ["threads", "dusk", "serial=2", "processes=tcp://h"])
def test_an_unknown_engine(name):
    with pytest.raises(UsageError, match="choose serial, processes, dask or dask=ADDRESS"):
        engine(name)


@pytest.mark.parametrize("name", ["serial", "processes"])
def test_an_error_is_the_same_everywhere(tmp_path, name):
    cases = corpus(tmp_path, ["a", "b", "bad", "c"])
    with pytest.raises(FormatError, match=r"bad:3: bad; mend it$"):
        list(count_all(cases, Lengths(), map=engine(name, 2)))


@pytest.mark.parametrize("name", ["serial", "processes"])
def test_leaving_bad_documents_out(tmp_path, name):
    cases = corpus(tmp_path, ["a", "b", "bad", "c"])
    failures = []
    rows = list(count_all(cases, Lengths(), map=leaving_out(engine(name, 2), failures)))
    assert [row.document for row in rows] == ["a", "b", "c"]
    assert failures == [Failure("bad", f"{tmp_path / 'bad'}:3: bad; mend it")]


@dataclass(frozen=True)
class Misused:
    def count(self, case):
        raise UsageError("not like this")


def test_the_command_line_at_fault_is_no_bad_document(cases):
    with pytest.raises(UsageError):
        list(count_all(cases, Misused(), map=leaving_out(map, [])))


def test_a_worker_that_is_killed(tmp_path):
    (tmp_path / "deaths").write_text("1")
    cases = corpus(tmp_path, [*(f"d{at}" for at in range(20)), "fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    found = list(count_all(cases, task, map=engine("processes", 2)))
    assert [row.document for row in found] == [case.document for case in cases]
    assert (tmp_path / "deaths").read_text() == "-1"


def test_workers_that_are_always_killed(tmp_path):
    (tmp_path / "deaths").write_text("99")
    cases = corpus(tmp_path, ["fatal", "z"])
    task = Lengths(str(tmp_path / "deaths"))
    with pytest.raises(WorkerError, match=r"^fatal: the processes that count it are killed"):
        list(count_all(cases, task, map=engine("processes", 2)))


def test_stopping_early_ends_the_workers(cases):
    import multiprocessing

    rows = count_all(cases, Lengths(), map=engine("processes", 2))
    next(rows)
    rows.close()
    deadline = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not multiprocessing.active_children()


class Unsteady:
    """Workers that die at the moments given, without any process."""

    jobs = 2
    size = engines.BUNDLE

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
    weights = engines._weights(cases)
    found = list(engines._shared_out(lambda case: case.document, cases, weights, workers))
    assert found == [case.document for case in cases]
    assert workers.restarts == len(deaths)


def weighed(found, cases, weights):
    weight = dict(zip((case.document for case in cases), weights, strict=True))
    return [sum(weight[case.document] for case in bundle) for bundle in found]


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_bundles_are_of_even_size_and_the_last_small(jobs):
    cases = [Case(f"d{at}", {}, {}) for at in range(4000)]
    weights = [10_000 if at % 10 else 100_000 for at in range(4000)]
    found = list(bundles(cases, weights, jobs))
    assert [case for bundle in found for case in bundle] == cases
    sizes = weighed(found, cases, weights)
    left = sum(weights)
    for size, bundle in zip(sizes, found, strict=True):
        assert len(bundle) == 1 or size <= min(engines.BUNDLE, left / (4 * jobs))
        left -= size
    assert [len(bundle) for bundle in found[-3:]] == [1, 1, 1]
    assert len(found) < 4000 / 10


def test_no_bundle_has_too_many_cases():
    cases = [Case(f"d{at}", {}, {}) for at in range(10_000)]
    assert max(map(len, bundles(cases, [1] * len(cases), 2))) == engines.MOST


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
