"""A small run imports no package that it does not need."""

import json
import subprocess
import sys

import pytest

from support.paths import SAMPLE

pytestmark = pytest.mark.slow

REFERENCES = ["--ref", "ann1.txt", "--ref", "ann2.txt", "--ref", "ann3.txt"]
RUN = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
from caesura.cli import main
main()
"""
HEAVY = {
    "concurrent.futures", "distributed", "fsspec", "importlib.metadata", "importlib.resources",
    "multiprocessing", "pandas", "pyarrow", "scipy", "tarfile", "tempfile", "torch", "zipfile",
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "others"),
    [
        (["transcript", "neural.txt", *REFERENCES], {"rapidfuzz"}),
        (["agreement", "ann1.txt", "ann2.txt", "-f", "json"], {"rapidfuzz"}),
        (["text", "neural.txt", "--gold", "ann1.txt"], set()),
        (["--help"], {"numpy", "rapidfuzz"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments, others):
    run = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(run, cwd=SAMPLE, capture_output=True, text=True, check=True)
    assert not (HEAVY | others) & set(json.loads(done.stderr.splitlines()[-1]))
