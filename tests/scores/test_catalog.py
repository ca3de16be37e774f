"""Scores are declared once, at their measures; everything that names them is derived."""

import ast
import json
from dataclasses import replace

import pytest

from caesura.api.lists import MEASURES
from caesura.core.score import ALSO, View
from caesura.errors import UnknownNameError, UsageError
from caesura.profiles import PROFILES
from caesura.scores.catalog import MADE_OF, Catalog, catalog
from caesura.tasks import TASKS as OBJECTS
from support.paths import PACKAGE

TASKS = ("transcript", "agreement", "text", "terms")
VIEWS = View.__args__
ALLOWED = {"core", "measures", "align", "profiles.py", "published"}
"""Where scores are declared, or compared with the names that others print."""
DECLARED = (
    PACKAGE / "__init__.py",
    *(PACKAGE / "tasks").glob("*/__init__.py"),
    *(PACKAGE / "tasks").glob("*/measures.py"),
)
"""Where functions and measures are listed, some of which have the names of scores."""
SCORES = [
    (name, score)
    for name, measure in MEASURES.items()
    for score in (*measure.scores, *getattr(measure, "by_mark", ()))
]


def test_a_score_is_declared_in_full():
    for measure, score in SCORES:
        where = measure, score.key
        assert score.key.replace("_", "").isalnum(), where
        assert score.key == score.key.lower(), where
        assert score.label, where
        assert score.help.endswith("."), (*where, "one line, for tooltips and docs")
        assert "\n" not in score.help, where
        assert set(score.views) <= set(VIEWS), where
        assert not score.is_count or score.better is None, where


@pytest.mark.parametrize("task", TASKS)
def test_keys_are_unique(task):
    measures = catalog(OBJECTS[task]).measures
    keys = [score.key for each in measures if each.kind != "pair" for score in each.scores]
    keys += [
        score.key_in("mean") for each in measures if each.kind == "pair" for score in each.scores
    ]
    shared = {"rgar", "cohen_kappa_mean"}  # one of which is counted: on words, or on cells
    assert len(set(keys)) == len(keys) - len(shared & set(keys)) * (task in TASKS[:2])


def test_every_measure_belongs_to_a_task():
    names = list(dict.fromkeys(name for task in OBJECTS.values() for name in task.measures))
    assert names == list(MEASURES)
    assert all(MEASURES[name].name == name for name in names)


@pytest.mark.parametrize("task", OBJECTS)
def test_a_task_knows_what_is_counted_only_if_asked_for(task):
    every = OBJECTS[task].measures.items()
    assert OBJECTS[task].further == tuple(n for n, each in every if each.asked_by == ALSO)


def test_every_view_is_used():
    used = {view for _, score in SCORES for view in score.views} | {"alignment", *MADE_OF}
    used |= {"profile"} if PROFILES else set()
    assert used == set(VIEWS)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("wisebe", "wisebe"),
        ("WiSeBE", "wisebe"),
        ("WISEBE", "wisebe"),
        ("F1", "f1_mean"),
        ("f1 rw", "window_f1"),
        ("Fleiss κ", "fleiss_kappa"),
        ("ser either", "ser_either"),
    ],
)
def test_a_score_is_found_by_key_or_label(text, key):
    assert catalog(OBJECTS["transcript"]).find(text) == key


def test_a_label_of_several_scores_is_a_usage_error():
    entry = catalog(OBJECTS["terms"]).systems["ned"]
    twice = {key: replace(entry, key=key, label="X") for key in "ab"}
    with pytest.raises(UsageError, match="'x' is ambiguous; choose a or b"):
        Catalog("terms", (), twice, {}).find("x")


def test_an_unknown_score_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown score 'wisbe'; did you mean wisebe"):
        catalog(OBJECTS["transcript"]).find("wisbe")


@pytest.mark.parametrize(
    ("task", "text", "hint"),
    [
        ("transcript", "f2", "did you mean f1?"),
        ("transcript", "precison", "did you mean precision "),
        ("text", "f2", "known: .*sentence_f1, token_f1, .*; `caesura list measures` lists all"),
    ],
)
def test_unknown_scores_are_told_in_a_short_line(task, text, hint):
    with pytest.raises(UnknownNameError, match=hint) as error:
        catalog(OBJECTS[task]).find(text)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("view", ["all", "mean", "ceiling", "document", "compare"])
def test_what_is_shown_is_in_the_json(view, run, monkeypatch):
    monkeypatch.chdir(PACKAGE / "sample")
    refs = ("--ref", "ann1.txt", "--ref", "ann2.txt", "--ref", "ann3.txt")
    summary = json.loads(run("transcript", "neural.txt", *refs, "-f", "json")[1])
    places = {"ceiling": summary["ceiling"]["human"]}
    found = {**places.get(view, summary["systems"][0]["micro"]), **summary["agreement"]}
    assert set(catalog(OBJECTS["transcript"], None, ()).shown(view)) <= set(found)


def test_gates_take_labels(run, monkeypatch):
    monkeypatch.chdir(PACKAGE / "sample")
    command = ("transcript", "neural.txt", "--ref", "ann1.txt", "--ref", "ann2.txt", "--fail-under")
    assert run(*command, "WiSeBE=0.9")[0] == 3
    assert run(*command, "f1=0.1")[0] == 0
    status, _, error = run(*command, "wisebee=0.9")
    assert (status, "did you mean wisebe" in error) == (2, True)


def test_gates_take_scores_of_treebanks(folder, run):
    line = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
    folder(**{"a.conllu": line})
    command = ("text", "s=a.conllu", "--gold", "a.conllu", "--fail-under", "las_f1=1")
    assert run(*command)[0] == 0


@pytest.mark.slow
def test_nothing_else_lists_scores():
    """No other module has a list, tuple or dict of three or more keys of scores."""
    keys = {score.key for _, score in SCORES} | {
        key
        for task in TASKS
        for each in (catalog(OBJECTS[task]),)
        for key in (*each.systems, *each.references)
    }
    ordinary = {"precision", "recall", "f1", "tp", "fp", "fn", "words", "windows", "phones",
                "intervals", "coverage", "aligned"}  # fmt: skip
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path in DECLARED or path.relative_to(PACKAGE).parts[0] in ALLOWED:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            inside = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
            names = {each.value for each in inside if isinstance(each, ast.Constant)}
            if len((names & keys) - ordinary) > 2:
                found.append(f"{path.name}:{node.lineno}")
    assert not found


def test_what_is_printed_names_a_score():
    assert catalog(OBJECTS["transcript"]).find("F1 ±2") == "tolerant_f1_mean"
    assert catalog(OBJECTS["transcript"]).find("f1 ±0.5s") == "tolerant_f1_mean"
    with pytest.raises(UsageError, match="'f1' is ambiguous; choose sentence_f1 or token_f1"):
        catalog(OBJECTS["text"]).find("f1")
