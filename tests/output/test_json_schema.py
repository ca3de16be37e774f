"""The JSON Schema of every task and profile holds for what they write, and knows no other keys."""

import json

import pytest

from caesura.communities import PROFILES
from caesura.tasks import TASKS
from support.every_task import DOCUMENTS, EXAMPLES
from support.speech_corpora import PHONES, WORDS, classes

jsonschema = pytest.importorskip("jsonschema")
TREEBANK = "1\tit\t_\tX\t_\t_\t0\troot\t_\t_\n2\trained\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
DEMO = "@demo/rules @demo/neural --ref @demo"
MORE = {
    "transcript": [f"{DEMO}/ann1", f"{DEMO} --align"],
    "text": ["ours=gold.conllu --gold gold.conllu"],
    "terms": ["found.class --phones gold.phn --words gold.wrd"],
}
"""What the examples do not write."""
NAMES = [name for name in [*EXAMPLES, "terms"] if name not in ("morphemes", "chunks")]
"""Those two write `score` as their task, which their schemas do not know."""


def validator(run, name):
    status, out, _ = run("schema", name)
    assert status == 0
    return jsonschema.Draft202012Validator(json.loads(out))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_valid(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    files = {"gold.conllu": TREEBANK, "gold.phn": PHONES, "gold.wrd": WORDS,
             "found.class": classes("f1 .5 .7, f2 .2 .4")}  # fmt: skip
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    lines = [[name, *line.split()] for line in MORE.get(name, ())]
    if name in EXAMPLES:
        EXAMPLES[name].write(tmp_path, DOCUMENTS[:1])
        compared = () if name == "agreement" else ("--compare",)
        lines.append([*EXAMPLES[name].line, "--confidence", "--resamples", "20", *compared])
    valid = validator(run, name)
    if name in TASKS:
        valid.check_schema(valid.schema)
    for line in lines:
        status, out, err = run(*line, "-f", "json")
        assert status == 0, err
        found = json.loads(out)
        valid.validate(found)
    scores = found["agreement"] if name == "agreement" else found["systems"][0]["micro"]
    scores["colour"] = 1
    with pytest.raises(jsonschema.ValidationError, match="colour"):
        valid.validate(found)


def test_every_task_and_profile_has_a_schema(run):
    for name in (*(name for name, task in TASKS.items() if task.load), *PROFILES):
        assert validator(run, name).schema["$schema"], name
    assert run("schema", "transcripts")[2].startswith("error: unknown task 'transcripts'; did you")
