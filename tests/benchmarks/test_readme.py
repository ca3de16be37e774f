"""The README of the benchmarks says what each file is for."""

import re

from support.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"


def test_every_file_is_described():
    named = re.findall(
        r"^\| `([\w/]+\.py)` \|", (BENCHMARKS / "README.md").read_text(), re.MULTILINE
    )
    files = {path.relative_to(BENCHMARKS).as_posix() for path in BENCHMARKS.rglob("*.py")}
    assert {*named} == files - {"baseline.py", "baselines/__init__.py"}
    assert len(named) == len({*named})
