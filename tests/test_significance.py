"""The page about significance shows what comes out."""

import doctest
import json
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "significance.md").read_text("utf-8")
REFS = ("--ref", "ref1.txt", "--ref", "ref2.txt", "--ref", "ref3.txt")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_python_of_the_page_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    source = "\n".join(blocks("pycon"))
    examples = doctest.DocTestParser().get_doctest(source, {}, "significance.md", None, 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.fixture
def v6(folder):
    """The boundaries of transcript v6 as files."""
    golden = json.loads((ROOT / "tests/golden/v6.json").read_text("utf-8"))
    files = {}
    for name, ends in {**golden["references"], **golden["systems"]}.items():
        values = np.zeros(golden["words"], dtype=int)
        values[ends] = 1
        files[name] = "".join(map(str, values.tolist())) + "\n"
    return folder(**files)


def shown_lines(start):
    """What the page shows from a line on, to the end of its block."""
    shown = PAGE[PAGE.index(start) :].split("```")[0]
    return [line for line in shown.splitlines() if line and not line.startswith(("$", ">"))]


@pytest.mark.usefixtures("v6")
def test_v6_as_the_page_works_it(run):
    systems = ("S1.txt", "S2.txt", *REFS)
    run("transcript", *systems, "--confidence", "--rows", "v6.jsonl", "-o", "scores.txt")
    _, out, _ = run("compare", "v6.jsonl", "--power", "--measure", "wisebe", "--measure", "f1_mean")
    printed = out.splitlines()
    assert all(line in printed for line in shown_lines("Scores, micro\n"))
    people = shown_lines("score    system   less     difference     low    high      p   p Holm")
    assert len(people) == 8
    assert all(line in printed for line in people)


@pytest.mark.usefixtures("v6")
def test_the_sweep_of_the_page(run):
    _, out, _ = run("transcript", "S1.txt", "S2.txt", *REFS, "--sweep", "window=0..10")
    lines = shown_lines("WiSeBE by window, micro")
    assert len(lines) == 11
    assert all(line in out.splitlines() for line in lines)
