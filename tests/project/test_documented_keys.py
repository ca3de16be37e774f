"""Every key that the JSON can have, and every field of a row, is told in the docs."""

import json
import re
import shutil
from dataclasses import fields

import pytest

import caesura
from caesura.core.row import Row
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from support.paths import ROOT

DOCS = ROOT / "docs"
TOLD = {
    task: set(re.findall(r"`(\w+)`", "".join((DOCS / page).read_text() for page in pages)))
    for task, pages in {
        "transcript": ("output.md", "measures/index.md"),
        "text": ("output.md", "measures/index.md"),
        "terms": ("output.md", "terms.md", "measures/index.md"),
    }.items()
}
# What stands in these is named by users; how many levels of names there are.
ONE_LEVEL = (
    "annotators",
    "axes",
    "boundaries",
    "by_document",
    "by_mark",
    "by_reference",
    "each",
    "options",
    "sizes",
    "sources",
)
BY_NAME = {**dict.fromkeys(ONE_LEVEL, 1), "by_stream": 2}
ALL = ("rules.txt", "neural.txt", "--ref", "ann1.txt", "--ref", "ann2.txt", "--ref", "ann3.txt")
MANY = ("--ref", "anna", "--ref", "ben")
GOLD = ("--phones", "gold.phn", "--words", "gold.wrd")
TALK = """WEBVTT

00:01.000 --> 00:02.000
<v Anna>it rained.

00:02.000 --> 00:03.000
<v Ben>we left.
"""
COMMANDS = {
    "transcript": ("transcript", *ALL, "--confidence", "--compare"),
    "align": ("transcript", *ALL, "--align"),
    "speakers": ("transcript", "ours=talk.vtt", "--ref", "anna=talk.vtt", "--by", "speaker"),
    "agreement": ("agreement", "ann1.txt", "ann2.txt", "ann3.txt", "--confidence"),
    "compare": ("compare", "rows.jsonl", "--resamples", "100"),
    "correlate": ("correlate", "many.jsonl"),
    "text": ("text", "ours.txt", "--gold", "gold.txt", "--confidence"),
    "treebank": ("text", "ours=gold.conllu", "--gold", "gold.conllu"),
    "terms": ("terms", "found.class", *GOLD, "--parts", "2", "--within-talker", "--confidence"),
}


def keys(value, *, names=0):
    """The keys of objects, at any depth; `names` levels of them are names that users give."""
    if isinstance(value, dict):
        for key, item in value.items():
            if names:
                yield from keys(item, names=names - 1)
                continue
            yield key
            is_by_system = key == "systems" and isinstance(item, dict)
            yield from keys(item, names=1 if is_by_system else BY_NAME.get(key, 0))
    if isinstance(value, list):
        for item in value:
            yield from keys(item)


@pytest.fixture
def sample(tmp_path, monkeypatch):
    for place in ("src/caesura/sample", "tests/docs/report", "tests/docs/detectors"):
        shutil.copytree(ROOT / place, tmp_path, dirs_exist_ok=True)
    (tmp_path / "talk.vtt").write_text(TALK)
    for name, folder in {"neural": "out", "ann1": "anna", "ann2": "ben"}.items():
        (tmp_path / folder).mkdir()
        for document in "abc":
            shutil.copy(tmp_path / f"{name}.txt", tmp_path / folder / f"{document}.txt")
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_every_key_of_the_json_is_told(run, sample):
    assert run(*COMMANDS["transcript"], "--rows", "rows.jsonl", "-o", "scores.txt")[0] == 0
    assert run("transcript", "out", *MANY, "--rows", "many.jsonl", "-o", "scores.txt")[0] == 0
    untold = set()
    for name, command in COMMANDS.items():
        status, out, err = run(*command, "-f", "json")
        assert status == 0, err
        task = {"text": "text", "treebank": "text", "terms": "terms"}.get(name, "transcript")
        untold |= set(keys(json.loads(out))) - TOLD[task]
    assert untold == set()


@pytest.mark.parametrize("task", ["transcript", "text", "terms", "utterances"])
def test_every_score_is_told(task):
    scores = catalog(TASKS[task])
    told = re.findall(r"`(\w+)`", (DOCS / "measures" / "index.md").read_text())
    assert {*scores.systems, *scores.references} <= set(told)


def test_every_field_of_a_row_is_told():
    rows = (DOCS / "output.md").read_text().split("\n## Rows\n")[1].split("\n## ")[0]
    assert {field.name for field in fields(Row)} <= set(re.findall(r"^`(\w+)`", rows, re.MULTILINE))


def test_every_attribute_of_an_evaluation_is_told():
    told = (DOCS / "python.md").read_text()
    public = {name for name in dir(caesura.Evaluation) if not name.startswith("_")}
    assert {name for name in public if not re.search(rf"`{name}\b", told)} == set()
