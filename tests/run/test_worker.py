"""The C library keeps what is freed, where it is one that can be told to."""

import platform
import subprocess
import sys

import pytest

from caesura.run import worker as machine

FAULTS = """
import resource
import sys
import numpy as np
from caesura.run.worker import keep_memory
if sys.argv[1] == "kept":
    keep_memory()
def touch():
    [np.ones(1 << 20, dtype=np.uint8) for _ in range(32)]
touch()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    touch()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how):
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, how],
        check=True, capture_output=True, text=True, env={"MALLOC_TRIM_THRESHOLD_": "65536"},
    )  # fmt: skip
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_freed_memory_is_kept():
    assert faults("kept") < faults("given back") / 10


@pytest.mark.parametrize("problem", [OSError, TypeError, AttributeError])
def test_other_libraries_are_left_alone(monkeypatch, problem):
    def none(_):
        raise problem

    monkeypatch.setattr(machine.ctypes, "CDLL", none)
    machine.keep_memory()
