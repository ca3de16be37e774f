"""A real cluster of two workers on this machine: the same rows, also when workers are killed."""

import json
import logging
import os
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from caesura.errors import SourceError, UsageError
from caesura.run.inputs import Case
from support.counted_runs import rows_of
from support.every_task import EXAMPLES
from support.fault_corpus import make_corpus
from support.process_tasks import Lengths

if os.environ.get("CI") == "true":
    import distributed
else:
    distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def nothing_left():
    """Nothing is checked here: Dask keeps connections and loops for the clients that follow."""


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as running:
        yield running


@pytest.fixture
def cases(tmp_path):
    for at in range(40):
        (tmp_path / f"d{at}").write_bytes(b"x" * (at * 37 % 101))
    return [Case(f"d{at}", {"s": str(tmp_path / f"d{at}")}, {}) for at in range(40)]


@pytest.fixture
def corpus(folder):
    """Four documents in three versions, discovered terms, and what a command may name."""
    gold = {"gold.phn": "f1 0.0 0.1 a\nf1 0.1 0.2 b\n", "gold.wrd": "f1 0.0 0.2 ab\n"}
    place = folder(
        **gold, **{"found.class": "Class 1\nf1 0.0 0.2\n\n", "pairs.tsv": "went\tgoes\n"}
    )
    make_corpus(place, documents=4)
    with ZipFile("s1.zip", "w") as archive:
        for path in sorted(Path("s1").iterdir()):
            archive.write(path)
    return place


def scored(run, *command):
    result = run(*command, "-f", "json", "--rows", "made.jsonl")
    assert result[0] == 0, result[2]
    return result, Path("made.jsonl").read_bytes()


@pytest.mark.parametrize("task", EXAMPLES)
def test_every_task_gives_the_same(run, tmp_path, monkeypatch, cluster, task):
    monkeypatch.chdir(tmp_path)
    EXAMPLES[task].write(tmp_path)
    command = EXAMPLES[task].line
    expected = scored(run, *command, "--engine", "serial")
    assert scored(run, *command, "--engine", f"dask={cluster.scheduler_address}") == expected


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(
    "command",
    [
        ("transcript", "S1=s1", "S2=s2", "--ref", "anna", "--ref", "ben"),
        ("terms", "found.class", "--phones", "gold.phn", "--words", "gold.wrd"),
        ("transcript", "S1=s1", "--ref", "anna", "--run", "same=cmd:cat {input}"),
        ("text", "S1=s1", "--gold", "anna", "--equivalences", "pairs.tsv"),
        ("text", "S1=s1.zip", "--gold", "anna"),
    ],
)
def test_what_workers_need_travels(run, cluster, command):
    """Programs, tables and archives that a command names, to a cluster and to processes."""
    expected = scored(run, *command, "--engine", "serial")
    assert scored(run, *command, "--engine", f"dask={cluster.scheduler_address}") == expected
    assert scored(run, *command, "--engine", "processes", "-j", "2") == expected


@pytest.mark.usefixtures("corpus")
def test_standard_input_is_read_here(run, cluster):
    command = ("transcript", "S=-", "--ref", "anna/d1.txt", "-f", "json")
    words = Path("anna/d1.txt").read_bytes()
    expected = run(*command, stdin=words)
    assert expected[0] == 0
    assert run(*command, "--engine", f"dask={cluster.scheduler_address}", stdin=words) == expected


def test_a_scheduler_file(cases, cluster, tmp_path):
    place = tmp_path / "scheduler.json"
    place.write_text(json.dumps({"type": "Scheduler", "address": cluster.scheduler_address}))
    assert rows_of(cases, Lengths(), f"dask={place}") == rows_of(cases, Lengths())


def test_a_worker_that_is_killed(cases, cluster, tmp_path):
    (tmp_path / "deaths").write_text("1")
    (tmp_path / "fatal").write_bytes(b"xx")
    every = [*cases, Case("fatal", {"s": str(tmp_path / "fatal")}, {})]
    found = rows_of(every, Lengths(str(tmp_path / "deaths")), f"dask={cluster.scheduler_address}")
    assert (tmp_path / "deaths").read_text() == "-1"
    assert found == rows_of(every, Lengths(str(tmp_path / "deaths")))


def test_a_cluster_of_its_own(cases):
    assert rows_of(cases, Lengths(), "dask", 1) == rows_of(cases, Lengths())


def test_no_scheduler(cases, monkeypatch):
    monkeypatch.setattr("caesura.run.cluster.PATIENCE", 0.5)
    with pytest.raises(SourceError, match=r"^dask=tcp://127\.0\.0\.1:9: no scheduler"):
        rows_of(cases, Lengths(), "dask=tcp://127.0.0.1:9")


def test_without_distributed(cases, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'caesura-eval\[cluster\]'"):
        rows_of(cases, Lengths(), "dask")


def test_a_scheduler_that_is_lost(cases, cluster, monkeypatch):
    def lost(self, timeout=None):
        raise distributed.CancelledError

    monkeypatch.setattr(distributed.Future, "result", lost)
    place = f"dask={cluster.scheduler_address}"
    message = f"^{place}: the scheduler is gone; restart it and run this again, with resume=True"
    level = logging.getLogger("distributed.client").level
    with pytest.raises(SourceError, match=message):
        rows_of(cases, Lengths(), place)
    assert logging.getLogger("distributed.client").level == level
