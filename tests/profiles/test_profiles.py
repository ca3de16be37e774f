"""Profiles of other communities: what is declared exists, and every command line knows it."""

import json

import pytest

import caesura
from caesura.core.option import declared
from caesura.errors import UsageError
from caesura.profiles import PROFILES
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from support.public_names import ALSO_GIVEN, FILES
from support.public_names import PROFILES as SAMPLES

EVERY = pytest.mark.parametrize("name", PROFILES)
LINES = {"gold": "ab c\nde\n", "ours": "a b c\nde\n"}


@EVERY
def test_a_profile_is_declared_in_full(name):
    profile = PROFILES[name]
    scores = catalog(TASKS[profile.task]).systems
    assert {each.key for each in profile.scores.values()} <= set(scores)
    assert profile.main in profile.scores
    options = declared(TASKS[profile.task].options_class)
    assert {*profile.takes, *profile.options} <= set(options)
    assert profile.about == profile.about.strip(".")


@EVERY
def test_its_own_scores_are_those_that_are_compared(name):
    profile = PROFILES[name]
    found = catalog(TASKS[profile.task], profile)
    assert list(found.systems)[: len(profile.scores)] == list(profile.scores)
    assert set(found.shown("compare")) <= set(profile.scores)
    assert set(found.shown("headline")) == {profile.main}
    assert not found.has_groups


@EVERY
def test_it_is_listed(run, name):
    about = PROFILES[name].about
    _, listed, _ = run("list", "profiles")
    _, helped, _ = run("score", "--help")
    assert f" {name} " in listed
    for shown in (listed, helped):
        assert about in " ".join(shown.split())


def test_options_of_others_are_refused(run, folder):
    folder(**LINES)
    status, _, _ = run("score", "sighan", "ours.txt", "--gold", "gold.txt", "--tier", "words")
    assert status == 2
    with pytest.raises(UsageError, match="sighan has no option window; it has dictionary"):
        caesura.evaluate("ours.txt", gold="gold.txt", profile="sighan", window=3)


def test_scores_have_both_names(folder):
    folder(**LINES)
    found = caesura.evaluate("ours.txt", gold="gold.txt", profile="sighan")
    ours = found.systems["ours"]
    assert (ours.f1, ours.recall) == (ours.token_f1, ours.token_recall) == (4 / 7, 2 / 3)
    assert found.to_dict()["task"] == "score"
    assert found.to_dict()["profile"] == "sighan"
    assert repr(found) == "<Evaluation of score sighan: ours: f1 .571; 1 reference, 1 document>"


def test_rows_keep_the_profile(run, folder):
    folder(**LINES, worse="a b c d e\n")
    command = ("score", "sighan", "ours.txt", "worse.txt", "--gold", "gold.txt")
    status, out, _ = run(*command, "--rows", "r.jsonl", "-f", "json", "--by-document")
    assert status == 0
    assert json.loads(out)["systems"][1]["micro"]["substitutions"] == 2
    _, compared, _ = run("compare", "r.jsonl")
    assert compared.splitlines()[1].split()[:4] == ["system", "P", "R", "F"]
    assert run("report", "r.jsonl", "-o", "r.html")[0] == 0


def test_gates_take_its_names(run, folder):
    folder(**LINES)
    command = ("score", "sighan", "ours.txt", "--gold", "gold.txt", "--fail-under")
    assert run(*command, "F=0.5")[0] == run(*command, "token_f1=0.5")[0] == 0
    status, _, error = run(*command, "f1=0.6")
    assert (status, "ours: f1 .571 is under 0.6" in error) == (3, True)


def test_rows_of_an_unknown_profile_are_an_error(run, folder):
    path = folder(**LINES)
    run("score", "sighan", "ours.txt", "--gold", "gold.txt", "--rows", "r.jsonl")
    text = (path / "r.jsonl").read_text().replace('"profile": "sighan"', '"profile": "no"')
    (path / "r.jsonl").write_text(text)
    status, _, error = run("report", "r.jsonl", "-o", "r.html")
    assert (status, "rows of an unknown profile 'no'" in error) == (1, True)


def test_two_golds_of_a_text_are_refused(run, folder):
    folder(**LINES)
    status, _, error = run("score", "sighan", "ours.txt", "--gold", "gold.txt", "--gold", "b.txt")
    assert (status, "give --gold once" in error) == (2, True)


@pytest.mark.parametrize("name", ["phones", "speakers"])
def test_errors_name_no_option_that_a_profile_lacks(run, folder, name):
    folder(**LINES)
    status, _, error = run("score", name, "ours.txt", "--gold", "gold.txt")
    assert (status, "no time for the end of a unit" in error) == (1, True)
    assert "--axis" not in error


@EVERY
def test_what_its_own_table_has_is_not_repeated(name, tmp_path, monkeypatch):
    """Of the scores that a profile names, none comes again in a table of all documents."""
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    (tmp_path / "gold.txt").write_text(LINES["gold"])
    monkeypatch.chdir(tmp_path)
    path = SAMPLES[name]
    page = caesura.evaluate(
        {"s": path}, gold={"r": path}, profile=name, **ALSO_GIVEN.get(name, {})
    ).page()
    own, *others = page.tables
    task = catalog(TASKS[PROFILES[name].task])
    keys = {PROFILES[name].scores[column.key].key for column in own.columns if column.key}
    keys |= {task.short_names.get(key, key) for key in keys}
    assert own.id == "profile"
    assert not {column.key for table in others for column in table.columns} & keys
    assert len({table.title for table in page.tables}) == len(page.tables)


def test_sentences_are_shown_if_lines_are_cut_differently(folder):
    folder(**LINES, merged="a b c de\n")
    ids = {
        name: [table.id for table in caesura.evaluate(f"{name}.txt", gold="gold.txt",
               profile="sighan").page().tables]
        for name in ("ours", "merged")
    }  # fmt: skip
    assert ids == {
        "ours": ["profile", "tokens"],
        "merged": ["profile", "sentences", "tokens"],
    }
