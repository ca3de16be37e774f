"""Figures of transcript v6 from the authors' tool and the specification."""

import json
import math

import pytest

from caesura.core.segmentation import Segmentation, panel
from caesura.formats.transcripts import read
from caesura.measures.agreement import Agreement
from caesura.measures.wisebe import Wisebe
from support import published

V6, TOOL = published.v6(), published.figures("wisebe")["tool"]
REFERENCES = ("ref1", "ref2", "ref3")
POSITIONS = V6["references"] | V6["systems"]
CANDIDATES = {"A": "S1", "B": "S2"}


@pytest.fixture
def v6():
    """Transcript v6 from its positions."""
    return {
        name: Segmentation.from_positions(found, V6["words"]) for name, found in POSITIONS.items()
    }


@pytest.fixture
def references(v6):
    return panel([v6[name] for name in REFERENCES])


def agrees_with_the_tool(counts, run):
    assert (counts.inside, counts.candidates) == (run["bs_ws"], run["candidate_borders"])
    assert counts.candidates - counts.inside == run["bs_nws"]
    assert (counts.hit, counts.windows - counts.hit) == (run["ws_bs"], run["ws_nbs"])
    assert counts.distance == run["d_ws"]
    found = [counts.precision, counts.recall, counts.f1]
    found += [counts.smooth_precision, counts.smooth_recall, counts.smooth_f1]
    names = ["Precision", "Recall", "F1", "s_Precision", "s_Recall", "s_F1"]
    assert found == pytest.approx([run[name] for name in names], rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "run", TOOL["runs"], ids=lambda run: f"{run['candidate']}-{run['window_limit']}"
)
def test_the_authors_tool(v6, references, run):
    measure = Wisebe(run["window_limit"], "keep")
    counts = measure.count(v6[CANDIDATES[run["candidate"]]], references)
    assert counts.windows == run["n_windows"]
    agrees_with_the_tool(counts, run)
    found = [counts.agreement, counts.score, counts.smooth_score]
    names = ["agreement_borders_ratio", "wisebe", "s_wisebe"]
    assert found == pytest.approx([run[name] for name in names], rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "run", TOOL["per_reference"], ids=lambda run: f"{run['candidate']}-{run['reference']}"
)
def test_the_authors_tool_with_one_reference(v6, run):
    name = run["reference"].removesuffix(".txt").replace("reference_", "ref")
    counts = Wisebe(0, "keep").count(v6[CANDIDATES[run["candidate"]]], panel([v6[name]]))
    agrees_with_the_tool(counts, run)
    assert run["wisebe"] == run["s_wisebe"] == run["agreement_borders_ratio"] == 0
    assert math.isnan(counts.agreement)
    assert math.isnan(counts.score)
    assert math.isnan(counts.smooth_score)


def test_the_agreement_the_authors_tool_finds(v6, references):
    expected = TOOL["agreement"]
    counts = Agreement("keep").count(references)
    assert references.slots("keep") == expected["n_words"]
    sizes = [v6[name].boundaries.size for name in REFERENCES]
    assert sizes == list(expected["borders"].values())
    found = [counts.rgar, counts.fleiss_kappa, counts.fleiss_kappa_boundaries]
    names = ["AR", "fleiss_kappa", "fleiss_kappa_borders_only"]
    assert found == pytest.approx([expected[name] for name in names], rel=0, abs=1e-12)


def test_v6_sizes(v6):
    assert {len(each) for each in v6.values()} == {1602}
    sizes = {name: each.positions().size for name, each in v6.items()}
    assert sizes == {"ref1": 98, "ref2": 87, "ref3": 39, "S1": 108, "S2": 92}


@pytest.mark.parametrize(
    ("system", "inside", "candidates", "hit", "f1", "score"),
    [("S1", 60, 108, 60, 0.550, 0.298), ("S2", 54, 92, 54, 0.535, 0.289)],
)
def test_v6_wisebe(v6, references, system, inside, candidates, hit, f1, score):
    counts = Wisebe().count(v6[system], references)
    assert (counts.inside, counts.candidates) == (inside, candidates)
    assert (counts.hit, counts.windows) == (hit, 110)
    assert (counts.rgpb, counts.rgha) == (185, 342)
    assert (round(counts.f1, 3), round(counts.score, 3)) == (f1, score)


def test_v6_as_in_the_readme_of_the_tool(v6, references):
    counts = Wisebe(4, "keep").count(v6["S1"], references)
    assert (counts.inside, counts.candidates) == (61, 109)
    assert (counts.hit, counts.windows) == (59, 104)
    assert (counts.rgpb, counts.rgha) == (188, 345)
    assert (round(counts.f1, 3), round(counts.agreement, 3)) == (0.563, 0.545)
    assert round(counts.score, 3) == 0.307


def test_the_text_that_the_authors_published_has_these_positions(shared):
    folder = shared / "data" / "wisebe" / "text"
    documents = {name: read(str(folder / f"{name}.txt")) for name in POSITIONS}
    for name, document in documents.items():
        assert (document.form, len(document.words)) == ("lines", V6["words"])
        assert document.segmentation.boundaries.tolist() == POSITIONS[name]
    assert len({document.text for document in documents.values()}) == 1


def test_the_fixture_is_that_of_the_shared_data(shared):
    path = shared / "data" / "wisebe" / "v6.json"
    assert json.loads(path.read_text(encoding="utf-8")).items() >= V6.items()
