"""`caesura score topics`: Choi's files, segeval's coders, masses; and what is wrong with them."""

import json
from math import fsum
from pathlib import Path

import pytest

import caesura
from caesura.communities import PROFILES
from support.paths import GOLDEN
from support.reference_topics import symbols
from support.results import result
from support.strategies import masses

CHOI = json.loads((GOLDEN / "choi.json").read_text())
FIGURES = (
    "pk_nltk", "windowdiff_nltk", "pk_segeval", "windowdiff_segeval", "boundary_similarity",
    "segmentation_similarity", "ghd", "pk_choi",
)  # fmt: skip
RULE = "=========="
CODERS = {"d1": {"anna": [2, 3, 6], "ben": [2, 2, 7]}, "d2": {"anna": [4, 4], "ben": [5, 3]}}
SEGEVAL = json.dumps({"items": CODERS, "segmentation_type": "linear"})


def choi(*units):
    return "\n".join([RULE, *(f"{chr(10).join(unit)}\n{RULE}" for unit in units)]) + "\n"


def cut(sentences, masses):
    """Sentences in units of some lengths."""
    sentences = iter(sentences)
    return [[next(sentences) for _ in range(mass)] for mass in masses]


@pytest.fixture
def ours(shared, tmp_path):
    """A made-up segmentation of Choi's files."""
    for name, case in CHOI["documents"].items():
        text = (shared / "data" / "communities" / "choi" / f"{name}.ref").read_text()
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("==")]
        Path(tmp_path, f"{name}.txt").write_text(choi(*cut(lines, case["hypothesis"])))
    return tmp_path


def test_choi_equals_nltk_and_segeval(run, shared, ours):
    gold = f"gold={shared / 'data' / 'communities' / 'choi'}"
    (system,) = result(run, "score", "topics", f"ours={ours}", "--gold", gold)["systems"]
    names = list(PROFILES["topics"].scores)
    assert list(system["micro"])[: len(names)] == names
    for name, case in CHOI["documents"].items():
        figures = {key: system["by_document"][name][key] for key in FIGURES}
        assert figures == pytest.approx({key: case[key] for key in FIGURES}, rel=1e-12)
    for key in FIGURES:
        mean = fsum(case[key] for case in CHOI["documents"].values()) / 50
        assert system["macro"][key] == pytest.approx(mean, rel=1e-12)
    assert system["micro"]["ghd"] == sum(case["ghd"] for case in CHOI["documents"].values())


@pytest.mark.slow
def test_the_figures_are_theirs():
    nltk = pytest.importorskip("nltk.metrics.segmentation")
    segeval = pytest.importorskip("segeval")
    for case in CHOI["documents"].values():
        ours, gold = case["hypothesis"], case["reference"]
        hypothesis, wanted = (symbols(masses(*each), "drop") for each in (ours, gold))
        assert nltk.pk(wanted, hypothesis) == case["pk_nltk"]
        assert nltk.ghd(wanted, hypothesis) == case["ghd"]
        assert float(segeval.pk(ours, gold)) == case["pk_segeval"]
        assert float(segeval.window_diff(ours, gold)) == case["windowdiff_segeval"]
        found = segeval.boundary_similarity(ours, gold)
        assert float(found) == case["boundary_similarity"]


def test_every_coder_and_every_line_has_a_name(run, folder):
    folder(**{"coders.json": SEGEVAL, "ours.masses": "2 9\n", "ours2.json": SEGEVAL})
    plain = result(run, "agreement", "coders.json", "--confidence")
    assert "b_" not in "".join(plain["agreement"])
    assert "(B)" not in run("agreement", "coders.json")[1]
    found = result(run, "agreement", "coders.json", "--also", "coders")
    assert (found["references"], found["documents"]) == (["anna", "ben"], ["d1", "d2"])
    assert {"b_agreement", "b_fleiss_kappa", "b_fleiss_pi", "b_bias"} <= set(found["agreement"])
    found = result(run, "score", "topics", "ours2.json::anna", "--gold", "coders.json")
    assert found["references"] == ["coders/anna", "coders/ben"]
    assert [each["name"] for each in found["systems"]] == ["ours2/anna"]
    assert found["systems"][0]["by_reference"]["coders/anna"]["f1"] == 1
    one = "coders.json::ben/d1"
    (ours,) = result(run, "score", "topics", "ours.masses", "--gold", one)["systems"]
    assert ours["micro"]["precision"] == 1
    found = caesura.evaluate({"ours": "coders.json::anna"}, {"gold": "coders.json"})
    assert list(found.systems) == ["ours"]
    assert found.summary.references == ("gold/anna", "gold/ben")
    folder(**{"masses.txt": "2 3 6\n\n4 4\n"})
    found = caesura.evaluate({"s": "masses.txt"}, gold="masses.txt", profile="topics")
    assert found.summary.documents == ("1", "3")


def test_pairs_of_many_coders(folder):
    """Hearst's first four: what segeval's fleiss_kappa_linear and fleiss_pi_linear say of two."""
    items = {"1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3],
             "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
             "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1]}  # fmt: skip
    folder(**{"coders.json": json.dumps({"stargazer": items})})
    found = caesura.evaluate(references="coders.json", also=("coders", "coder_pairs"))
    pairs = {each.references: each.scores for each in found.summary.agreement.pairs}
    wanted = {("1", "2"): (0.4594594594594595, 0.45909398242055444),
              ("1", "3"): (0.5294117647058824, 0.5238095238095238),
              ("1", "4"): (0.36416184971098264, 0.36)}  # fmt: skip
    for pair, (kappa, pi) in wanted.items():
        assert pairs[pair]["b_cohen_kappa"] == pytest.approx(kappa, rel=1e-14)
        assert pairs[pair]["b_scott_pi"] == pytest.approx(pi, rel=1e-14)


FILES = {
    "coders.json": SEGEVAL,
    "lacks.json": json.dumps({"d1": CODERS["d1"], "d2": {"anna": [4, 4]}}),
    "short.masses": "2 3\n",
    "eleven.masses": "2 9\n",
    "one.choi": choi(["it rained", "we left early"], ["yes"]),
    "other.choi": choi(["it rained", "we left late"], ["yes"]),
    "fewer.choi": choi(["it rained"], ["we left early"]),
    "commas.tsv": "Coder\tMasses\nanna\t2,9\n",
    "bare.tsv": "anna\t2\t9\nben\t2\t4\t5\n",
}


@pytest.mark.parametrize(
    ("system", "gold", "message"),
    [
        ("eleven.masses", "coders.json::cleo", "unknown version in coders.json 'cleo'; known: "),
        ("lacks.json", "coders.json", "lacks.json::ben: no document named 'd2', which"),
        ("short.masses", "coders.json::anna/d1", "short.masses: 5 items where coders.json::anna/d1"
         " has 11; the lengths of the units must have the same sum in all versions"),
        ("eleven.masses", "bare.tsv", "bare.tsv:1: a table of coders without its heading; write "
         "Coder and Masses on the first line"),
        ("eleven.masses", "commas.tsv", "commas.tsv:2: coder 'anna': '2,9' is not a length of a "
         "unit; write Coder and Masses on the first line, then CODER 2 3 6 …, separated by tabs"),
        ("other.choi", "one.choi", "other.choi:3: the sentences differ at sentence 2: here “we "
         "left [late]”, in one.choi:3 “we left [early]”; fix the text, or project"),
        ("fewer.choi", "one.choi", "fewer.choi:4: the sentences differ at sentence 3: here is the "
         "end, in one.choi:5 “[yes]”"),
    ],
)  # fmt: skip
def test_bad_input_is_loud(run, folder, system, gold, message):
    folder(**FILES)
    status, out, err = run("score", "topics", system, "--gold", gold)
    assert (status, out) == (2 if "unknown" in message else 1, "")
    assert err.startswith(f"error: {message}"), err
    assert err.count("\n") == 1


@pytest.mark.parametrize("costs", ["1,1", "1,1,0", "1,1,1,1", "0.5,1,1"])
def test_costs_are_three_whole_numbers(run, folder, costs):
    folder(**FILES)
    status, _, err = run("score", "topics", "one.choi", "--gold", "o=one.choi", "--costs", costs)
    assert (status, err.partition(" is not ")[0]) == (2, f"error: --costs: '{costs}'")


def test_sentences_are_aligned_when_asked(run, folder):
    folder(**FILES)
    found = result(run, "score", "topics", "other.choi", "--gold", "one.choi", "--align")
    assert found["systems"][0]["micro"]["f1"] == 1
    assert found["sources"]["other"]["word_error_rate"] == pytest.approx(1 / 3)
