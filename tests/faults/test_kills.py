"""A handful of kills; `scripts/faults --kills N` does as many as asked for."""

import os
import tempfile
from pathlib import Path

import pytest

from support.fault_corpus import HAS_DASK
from support.killer import Killer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc"),
]


@pytest.fixture(scope="module")
def killer(tmp_path_factory):
    """Kills runs, whose temporary files nobody removes then."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patched:
        patched.setenv("TMPDIR", place)
        killer = Killer(tmp_path_factory.mktemp("kills"), seed=3)
        yield killer
        killer.close()
    os.chdir(before)


@pytest.mark.parametrize(
    ("engine", "victims"),
    [
        ("serial", ["torn", "main"]),
        ("processes", ["worker", "main", "forkserver"]),
        pytest.param(
            "dask", ["scheduler"], marks=pytest.mark.skipif(not HAS_DASK, reason="needs Dask")
        ),
    ],
)
def test_whoever_is_killed_a_resumed_run_gives_the_same_bytes(killer, engine, victims):
    for victim in victims:
        killer.disturb(engine, victim)
    killer.require_equal()
