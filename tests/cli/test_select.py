"""`--select` and `--cite`: some keys of the JSON, and whom to cite."""

import json

import pytest

from caesura.communities import PROFILES
from caesura.published.citations import citations
from caesura.tasks import TASKS

DEMO = ("transcript", "@demo/rules", "--ref", "@demo", "-q")


def test_some_keys(run):
    status, out, _ = run(*DEMO, "-f", "json", "--select", "wisebe,rgar")
    found = json.loads(out)
    assert status == 0
    assert set(found) == {"caesura", "task", "signature", "systems", "agreement", "ceiling"}
    assert set(found["systems"][0]["micro"]) == {"wisebe", "rgar"}
    whole = json.loads(run(*DEMO, "-f", "json")[1])
    assert found["systems"][0]["micro"]["wisebe"] == whole["systems"][0]["micro"]["wisebe"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ((*DEMO, "-f", "json", "--select", "wisbe"), "unknown key 'wisbe'; did you mean wisebe?"),
        ((*DEMO, "--select", "wisebe"), "--select"),
        (("cite", "windoes"), "did you mean windows?"),
    ],
)
def test_what_cannot_be_selected_or_cited(run, line, problem):
    status, out, err = run(*line)
    assert (status, out, problem in err) == (2, "", True)


def test_citations_of_a_run(run):
    status, out, err = run(*DEMO, "-f", "json", "--cite")
    assert (status, json.loads(out)["task"]) == (0, "transcript")
    assert err.startswith("@software{caesura,\n")
    assert "@inproceedings{gonzalez-gallardo-2018-wisebe,\n" in err
    signature = json.loads(out)["signature"]
    assert run("cite", signature)[1].strip() == err.strip()


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("", 1),
        ("windows", 2),
        ("wisebe", 1),
        ("@wisebe-v6", 1),
        ("sighan", 1),
        ("@demo", 1),
        ("caesura:0.1.0|task:transcript|set:wisebe-v6@1", 2),
    ],
)
def test_cite(run, name, entries):
    status, out, _ = run("cite", *filter(None, [name]))
    assert status == 0
    assert sum(line.startswith("@") for line in out.splitlines()) == entries


@pytest.mark.parametrize("name", [*TASKS, *PROFILES])
def test_every_task_and_profile_can_be_cited(name):
    assert citations(name).startswith("@")


@pytest.mark.parametrize(
    ("name", "works"),
    [
        ("corrections", ["2025.coling-main.52"]),
        ("trees", ["10.1162/coli_a_00512", "2405.14150"]),
        ("text", ["2024.lrec-main.119", "2504.01342"]),
    ],
)
def test_the_authors_of_alignments_are_cited(run, name, works):
    for out in (run("cite", name)[1], run("cite", f"caesura:0.2.0|task:{name}|docs:1")[1]):
        assert [work for work in works if work not in out] == []
