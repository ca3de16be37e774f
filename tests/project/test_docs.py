"""Docs cannot rot: what there is, they tell; that their examples run is tested in test_examples."""

import inspect
import json
import re
from dataclasses import fields

import pytest

import caesura
from caesura.api.lists import FORMATS, MEASURES
from caesura.cli import cli
from caesura.core.row import Row
from caesura.detect import DETECTORS
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from support.every_task import EXAMPLES
from support.paths import DOCS, PACKAGE, ROOT
from support.scripts import load

PAGES = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
OTHERS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
CALLS = re.findall(r"^\| \[`(\w+)`\]\(\S+\) \| `(.*?)` \|", PAGES["python.md"], re.MULTILINE)
generate = load(DOCS / "generate.py")


@pytest.mark.parametrize(
    ("page", "made"),
    [("cli.md", "reference"), ("measures/index.md", "index"), ("published.md", "published"),
     ("demo.svg", "picture")],
)  # fmt: skip
def test_a_page_is_what_its_source_says(page, made):
    assert (DOCS / page).read_text("utf-8") == getattr(generate, made)(), "run scripts/generate"


def test_every_command_measure_format_and_detector_is_told():
    text = "\n".join([(ROOT / "README.md").read_text("utf-8"), *PAGES.values()])
    assert [name for name in cli.commands if f"caesura {name}" not in text] == []
    assert set(generate.measure_pages()) == set(MEASURES), "a page says `<!-- measures: NAME -->`"
    assert [name for name in FORMATS if f"`{name}`" not in PAGES["inputs.md"]] == []
    assert [name for name in DETECTORS if f"`{name}" not in PAGES["detectors.md"]] == []


def test_links_lead_somewhere():
    pages = {DOCS / name: text for name, text in PAGES.items()}
    pages |= {ROOT / name: (ROOT / name).read_text("utf-8") for name in OTHERS}
    for page, text in pages.items():
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
    for path in re.findall(r"`((?:src|docs|scripts|report)/[\w./-]+)`", pages[ROOT / OTHERS[1]]):
        assert (ROOT / path).exists(), path
    for file, name in re.findall(r"([\w/]+\.py):([\w.]+)", PAGES["design.md"]):
        defined = (PACKAGE / file).read_text("utf-8")
        assert re.search(rf"\b{name.split('.')[-1]}\b", defined), f"design.md: {file}:{name}"


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_the_arguments_of_a_call_are_those_it_takes(name, arguments):
    found = inspect.signature(getattr(caesura, name)).parameters.values()
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in found]
    assert str(inspect.Signature(plain)).replace("'", '"') == f"({arguments})"


@pytest.mark.parametrize("task", ["transcript", "agreement", "text", "sentences", "trees"])
def test_every_key_of_the_json_is_told(run, tmp_path, monkeypatch, task):
    """But for options, which have the names of the command line, and names that users give."""
    EXAMPLES[task].write(tmp_path)
    monkeypatch.chdir(tmp_path)
    how = [*("--confidence", "--resamples", "20"), *(["--compare"] * (task != "agreement"))]
    found = json.loads(run(*EXAMPLES[task].line, *how, "-f", "json")[1])
    keys = re.findall(r'"([a-z_]{3,})": ', json.dumps(found | {"options": None}))
    told = {name for text in PAGES.values() for name in re.findall(r"`([\w@.]+)`", text)}
    assert {*keys} - told == set()


def test_every_score_field_and_attribute_is_told():
    told = set(re.findall(r"`(\w+)`", PAGES["measures/index.md"]))
    for task in ("transcript", "text", "terms", "utterances"):
        assert {*catalog(TASKS[task]).systems, *catalog(TASKS[task]).references} <= told
    rows = PAGES["output.md"].split("\n## Rows\n")[1].split("\n## ")[0]
    assert {each.name for each in fields(Row)} <= {*re.findall(r"^`(\w+)`", rows, re.MULTILINE)}
    public = {name for name in dir(caesura.Evaluation) if not name.startswith("_")}
    assert [name for name in public if not re.search(rf"`{name}\b", PAGES["python.md"])] == []
