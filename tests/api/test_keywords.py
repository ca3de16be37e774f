"""Options are declared once: keywords, commands and docs are made from the declaration."""

import subprocess
import sys

import pytest

from support.paths import ROOT
from support.scripts import load

CALLS = """
from caesura import evaluate

evaluate("a", "b", window=3)
evaluate("a", gold="b", task="morphemes", force=True, seed=3)
evaluate("a", gold="b", profile="phones", tolerance="20ms")
evaluate("a", gold="b", task="morphemes", window=3)  # bad
evaluate("a", gold="b", task="trees", labels="ful")  # bad
evaluate("a", "b", task="transkript")  # bad
evaluate("a", gold="b", profile="phones", near=2)  # bad
"""


def test_the_keywords_are_written_anew():
    keywords = load(ROOT / "docs" / "keywords.py")
    assert keywords.PAGE.read_text("utf-8") == keywords.keywords(), "run `python docs/keywords.py`"


@pytest.mark.slow
def test_types_refuse_options_of_other_tasks(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "calls.py").write_text(CALLS)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "calls.py"),
         "--cache-dir", str(tmp_path / "cache"), "--follow-imports", "silent"],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    bad = {at for at, line in enumerate(CALLS.splitlines(), 1) if line.endswith("# bad")}
    lines = [line for line in checked.stdout.splitlines() if ": error:" in line]
    assert {int(line.split(":")[1]) for line in lines} == bad, checked.stdout
