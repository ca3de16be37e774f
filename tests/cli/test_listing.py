"""`caesura list`: what there is is listed, and readable in a narrow terminal."""

import pytest

from caesura.cli.listing import PROFILES
from caesura.core.measure import Measure
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from caesura.tasks.transcript.options import PROFILES as OPTIONS

LISTS = ("measures", "formats", "detectors", "profiles")


@pytest.mark.parametrize("task", TASKS)
def test_every_score_is_listed(run, task):
    words = run("list", "measures")[1].replace(",", " ").split()
    scores = catalog(TASKS[task])
    assert {*scores.systems, *scores.references} <= set(words)


def test_measures_of_communities_are_listed_under_them(run):
    out = run("list", "measures")[1]
    assert "music_rand_mean" not in out.partition("caesura text\n")[0]
    assert "music_rand_mean" in out.partition("caesura score music\n")[2]


def test_a_score_has_its_direction_its_label_and_its_help(run):
    lines = [line.split() for line in run("list", "measures")[1].splitlines()]
    (wd,) = (line for line in lines if line[:1] == ["windowdiff_mean"])
    assert " ".join(wd[1:]).startswith("↓ WD: WindowDiff: windows with different numbers")


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_terminal(run, monkeypatch, what, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    status, out, _ = run("list", what)
    assert status == 0
    assert max(map(len, out.splitlines())) <= columns


def test_every_profile_is_listed(run):
    assert list(PROFILES["transcript"]) == list(OPTIONS)
    assert tuple(PROFILES["terms"]) == Measure.choices["profile"]
    out = run("list", "profiles")[1]
    named = {tuple(line.split()[:2]) for line in out.splitlines()}
    assert {(command, name) for command in PROFILES for name in PROFILES[command]} <= named
    assert "--window 3 --final keep" in " ".join(out.split())


def test_detectors_have_what_they_need_and_their_licence(run):
    lines = {line.split()[0]: line for line in run("list", "detectors")[1].splitlines()}
    assert "CC BY-SA 4.0" in lines["s1"]
    assert "punctuated" in lines["nltk"]
    assert "word times" in lines["pauses"]
