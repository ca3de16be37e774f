"""Real recognisers and real transcribers, whose words differ: the figures of the worked pages."""

import importlib.util
import json
import re
from itertools import pairwise

import pytest

from support.paths import ROOT

pytestmark = pytest.mark.slow

RULES = "nonwords,fragments,numbers,hyphens,contractions,fillers"
RECOGNISERS = ["amazon", "google", "microsoft", "speechmatics"]
TEAMS = ["amberscript", "coraal", "rev", "rev_aa"]


def shown(value):
    return f"{value:.3f}".removeprefix("0") if isinstance(value, float) else f"{value:,}"


def told(page):
    """The tables of a page, as lists of cells."""
    lines = (ROOT / "docs" / page).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]


def scored(run, *arguments):
    status, out, err = run(*arguments, "-f", "json")
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.fixture
def repaired(shared, tmp_path):
    """The references, one of them with marks and capitals a row higher from line 10,875 on."""
    folder = shared / "data" / "asr" / "earnings21" / "reference"
    fixed = tmp_path / "reference"
    fixed.mkdir()
    for path in folder.iterdir():
        rows = [line.split("|") for line in path.read_text().splitlines()]
        if path.stem == "4341191":
            for row, below in pairwise(rows[10_874:]):
                row[4:6] = below[4:6]
        (fixed / path.name).write_text("".join("|".join(row) + "\n" for row in rows))
    return fixed


def rates_of(run, shared, reference, *options):
    """What the page shows of the recognisers, by name."""
    folder = shared / "data" / "asr" / "earnings21"
    systems = [folder / name for name in RECOGNISERS]
    command = ("transcript", *systems, "--ref", f"reference={reference}", "--align", *options)
    status, out, _ = run(*command, "-f", "json")
    assert status == 0
    summary = json.loads(out)
    shown_of = {}
    for system in summary["systems"]:
        against = system["by_reference"]["reference"]
        rates = [against[name] for name in ("f1", "precision", "recall", "ser")]
        words = [system[name] for name in ("word_error_rate", "coverage", "merged", "lost")]
        shown_of[system["name"]] = list(map(shown, rates + words))
    return shown_of, summary["warnings"]


@pytest.mark.parametrize("rules", ["", RULES])
def test_four_recognisers(run, shared, repaired, rules):
    table = told("recognisers.md")
    found, warnings = rates_of(run, shared, repaired, *(["--normalize", rules] if rules else []))
    assert all([name, *rates] in table for name, rates in found.items())
    assert warnings == []


def test_the_reference_that_slips(run, shared, repaired):
    table = told("recognisers.md")
    public = shared / "data" / "asr" / "earnings21" / "reference"
    for name, reference in (("the public reference", public), ("the repaired one", repaired)):
        found, _ = rates_of(run, shared, reference)
        assert [name, *(rates[0] for rates in found.values())] in table


def test_four_teams(run, shared):
    folder = shared / "data" / "asr" / "coraal"
    summary = scored(run, "agreement", *(folder / name for name in TEAMS), "--align")
    agreement, table = summary["agreement"], told("teams.md")
    names = ["rgar", "fleiss_kappa", "fleiss_kappa_boundaries", "krippendorff_alpha"]
    names += [f"{name}_mean" for name in ("cohen_kappa", "pairwise_f1")]
    names.append("pairwise_boundary_similarity_mean")
    assert [shown(agreement[name]) for name in names] in table
    for pair in agreement["pairs"]:
        values = [pair[name] for name in ("cohen_kappa", "f1", "boundary_similarity")]
        assert [*pair["references"], *map(shown, values)] in table
    fields = ("words", "units", "word_error_rate", "coverage", "merged", "lost")
    for name, source in summary["sources"].items():
        assert [name, *(shown(source[field]) for field in fields)] in table
    people = summary["ceiling"]["annotators"] | {"human average": summary["ceiling"]["human"]}
    for name, scores in people.items():
        assert [name, *(shown(scores[key]) for key in ("wisebe", "window_f1", "f1_mean"))] in table
    assert set(summary["axes"].values()) == {"rev", "rev_aa"}


def test_each_team_against_the_others(run, shared):
    """Every team can be the system and all others the references."""
    folder = shared / "data" / "asr" / "coraal"
    references = [f"--ref={folder / name}" for name in TEAMS[1:]]
    summary = scored(run, "transcript", folder / TEAMS[0], *references, "--align")
    assert shown(summary["systems"][0]["micro"]["wisebe"]) == ".534"


def test_what_word_errors_cost(shared, monkeypatch):
    path = ROOT / "benchmarks" / "mishearing.py"
    spec = importlib.util.spec_from_file_location("mishearing", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "mishearing", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RATES", (0.0, 0.05, 0.15))
    found = module.study(shared / "data" / "wisebe" / "text", "S1")
    rows = {row[0]: row for row in told("alignment.md") if re.fullmatch(r"\d+%", row[0])}
    for rate, finding in found.items():
        _, errors, in_place, score, _ = rows[f"{rate:.0%}"]
        assert (errors, in_place) == (shown(finding.word_error_rate), shown(finding.in_place))
        assert score.split()[0] == shown(finding.score)
    assert found[0.0].score - found[0.15].score < 0.015
