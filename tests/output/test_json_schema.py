"""The JSON Schema of every task and profile holds for what they write, and knows no other keys."""

import json
import shutil

import pytest

from caesura.core.task import Kind
from caesura.output.json_schema import schema
from caesura.profiles import PROFILES
from caesura.tasks import TASKS
from support.paths import ROOT

jsonschema = pytest.importorskip("jsonschema")
DEMO = ("@demo/rules", "@demo/neural")
ALL = ("--confidence", "--compare", "--resamples", 50)
GOLD = ("--phones", "gold.phn", "--words", "gold.wrd")
COMMANDS = {
    "transcript": ("transcript", *DEMO, "--ref", "@demo", *ALL),
    "transcript one": ("transcript", *DEMO, "--ref", "@demo/ann1"),
    "transcript align": ("transcript", *DEMO, "--ref", "@demo", "--align"),
    "agreement": ("agreement", "@demo", "--confidence", "--resamples", 50),
    "text": ("text", "ours.txt", "--gold", "gold.txt", *ALL[:1], "--resamples", 50),
    "text treebank": ("text", "ours=gold.conllu", "--gold", "gold.conllu"),
    "terms": ("terms", "found.class", *GOLD),
    "trees": ("trees", "a.mrg", "--gold", "b.mrg"),
    "sentences": ("sentences", "ours.txt", "--ref", "gold.txt"),
    "corrections": ("corrections", "a.m2", "--gold", "b.m2"),
    "sighan": ("score", "sighan", "ours.txt", "--gold", "gold.txt"),
    "topics": ("score", "topics", "x.masses", "--gold", "y.masses"),
}


@pytest.fixture
def sample(tmp_path, monkeypatch):
    for place in ("tests/docs/report", "tests/docs/detectors"):
        shutil.copytree(ROOT / place, tmp_path, dirs_exist_ok=True)
    files = {
        "x.masses": "2 3 6\n", "y.masses": "2 2 7\n", "a.mrg": "(S (NP (D a)) (VP (V b)))\n",
        "b.mrg": "(S (NP (D a) (V b)))\n", "a.m2": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n",
        "b.m2": "S a b\nA 0 1|||R|||d|||REQUIRED|||-NONE-|||0\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def kind_of(name):
    name = name.split()[0]
    profile = PROFILES.get(name)
    return Kind(TASKS[profile.task if profile else name], profile)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_written_is_valid(run, sample, name):
    status, out, err = run(*COMMANDS[name], "-f", "json")
    assert status == 0, err
    jsonschema.validate(json.loads(out), schema(kind_of(name)))


@pytest.mark.parametrize("name", [*(n for n, t in TASKS.items() if t.counter), *PROFILES])
def test_schemas_are_schemas(run, name):
    status, out, _ = run("schema", name)
    assert status == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(out))


def test_other_keys_are_not_valid(run, sample):
    out = json.loads(run(*COMMANDS["topics"], "-f", "json")[1])
    out["systems"][0]["micro"]["colour"] = 1
    with pytest.raises(jsonschema.ValidationError, match="colour"):
        jsonschema.validate(out, schema(kind_of("topics")))


def test_unknown_tasks(run):
    assert run("schema", "transcripts")[2].startswith("error: unknown task 'transcripts'; did you")
