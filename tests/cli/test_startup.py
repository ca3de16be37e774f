"""A small run imports nothing that it does not need."""

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
    "concurrent.futures", "distributed", "fsspec", "importlib.resources", "multiprocessing",
    "pandas", "pyarrow", "scipy", "tarfile", "tempfile", "torch", "zipfile",
    "caesura.detect.detector", "caesura.output.report", "caesura.run.rows_writer",
    "caesura.stats.significance", "caesura.stats.matrix",
    "caesura.tasks.terms.counting",
}  # fmt: skip
FORMATS = {
    f"caesura.formats.{name}" for name in ("ctm", "eaf", "jsonl", "rttm", "textgrid", "whisper")
}


def modules_of(*arguments):
    run = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(run, cwd=SAMPLE, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("format", ["table", "json"])
@pytest.mark.parametrize(
    "arguments",
    [["transcript", "neural.txt", *REFERENCES], ["agreement", "ann1.txt", "ann2.txt", "ann3.txt"]],
    ids=lambda arguments: arguments[0],
)
def test_scoring_a_transcript_imports_only_what_it_needs(arguments, format):
    found = modules_of(*arguments, "-f", format)
    others = {
        "rapidfuzz",
        "caesura.align.normalize",
        "caesura.tasks.text.counting",
        "caesura.cli.text",
    }
    assert not found & (HEAVY | FORMATS | others)


@pytest.mark.parametrize("format", ["table", "json"])
def test_scoring_a_text_imports_only_what_it_needs(format):
    found = modules_of("text", "neural.txt", "--gold", "ann1.txt", "-f", format)
    assert not found & (
        HEAVY | FORMATS | {"caesura.tasks.transcript.counting", "caesura.cli.transcript"}
    )
