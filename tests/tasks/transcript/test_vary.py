"""Annotators that vary from document to document."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import caesura
from caesura.api.saved import saved_report
from caesura.core.consensus import consensus_rule, votes_needed
from caesura.core.mean import means, weighted_means
from caesura.core.segmentation import Segmentation
from caesura.core.segmentation import panel as panel_of
from caesura.errors import UsageError
from caesura.measures.agreement import Agreement, AgreementCounts
from caesura.measures.boundary import EitherCounts
from caesura.output.json import summary_json
from support import reference_vary as twin
from support.hypothesis_settings import FEW
from support.paths import GOLDEN

VARY = json.loads((GOLDEN / "vary.json").read_text())
PEOPLE = ("anna", "ben", "carla")
CORPORA = {"four": "1234", "five": "12345"}


def binary(slots, boundaries):
    """A segmentation as a list of 0 and 1, of which the last stands for the end."""
    return [int(at in boundaries) for at in range(slots + 1)]


def corpus(documents):
    """What the twin takes, of the documents of the worked example."""
    every = {name: VARY["documents"][name] for name in documents}
    return {
        name: (
            own["words"] - 1,
            {who: set(own[who]) for who in PEOPLE if who in own},
            {"ours": set(own["ours"])},
        )
        for name, own in every.items()
    }


def sides(of):
    """Systems and references as `evaluate` takes them."""
    found = [{}, {}]
    for name, (slots, panel, systems) in of.items():
        for side, own in zip(found, (systems, panel), strict=True):
            for who, boundaries in own.items():
                side.setdefault(who, {})[name] = binary(slots, boundaries)
    return found


def evaluated(of, **options):
    systems, references = sides(of)
    order = {name: references[name] for name in sorted(references)}
    return caesura.evaluate(systems, order, missing="vary", **options).to_dict()


def near(found, wanted):
    for key, value in wanted.items():
        own = math.nan if found[key] is None else found[key]
        assert own == pytest.approx(math.nan if value is None else value, abs=1e-6, nan_ok=True), (
            key
        )


@pytest.fixture(scope="module", params=CORPORA)
def example(request):
    return evaluated(corpus(CORPORA[request.param])), VARY["expected"][request.param]


def test_agreement_of_the_example(example):
    found, wanted = example
    agreement = wanted["agreement"]
    near(found["agreement"], {k: v for k, v in agreement.items() if isinstance(v, float)})
    kappa = agreement["fleiss_units_of_two_or_more"]["kappa"]
    assert found["agreement"]["fleiss_kappa"] == pytest.approx(kappa, abs=1e-6)
    pairs = {"+".join(each["references"]): each for each in found["agreement"]["pairs"]}
    assert pairs.keys() == agreement["pairs"].keys()
    for name, own in agreement["pairs"].items():
        near(pairs[name], own)
    sizes = [len(each) for each in wanted["panels"].values()]
    assert found["panels"] == {str(size): sizes.count(size) for size in sorted({*sizes})}
    assert f"|refs:3/{min(sizes)}-3|" in found["signature"]
    assert "consensus:majority" in found["signature"]


def test_system_of_the_example(example):
    found, wanted = example
    (system,), ours = found["systems"], wanted["ours"]
    counts = {k: v for k, v in ours["wisebe_counts"].items() if k not in ("rgpb", "rgha")}
    assert {key: system["micro"][key] for key in counts} == counts
    keys = ("window_precision", "window_recall", "window_f1", "rgar", "wisebe", "ser_either")
    near(system["micro"], {key: ours[key] for key in keys})
    means = ours["mean_over_references_weighted_by_slots"]
    near(system["micro"], {f"{key}_mean": value for key, value in means.items()})
    near(system["macro"], ours["macro"])
    for name, own in ours["by_reference"].items():
        near(system["by_reference"][name], own)
    for name, own in wanted["by_document"].items():
        scores = {**found["agreement"]["by_document"][name], **system["by_document"][name]}
        near(scores, own)


def test_consensus_of_the_example(example):
    _, wanted = example
    documents = list(wanted["panels"])
    for rule, own in wanted["ours"]["consensus"].items():
        each = evaluated(corpus(documents), consensus=rule)
        micro = each["systems"][0]["micro"]
        near(micro, {f"consensus_{key}": own[key] for key in ("precision", "recall", "f1")})
        left = len(documents) - own["documents"]
        told = [line for line in each["warnings"] if "left out of consensus" in line]
        assert [line.split(" ")[0] for line in told] == ([str(left)] if left else [])


def test_ceiling_of_the_example(example):
    found, wanted = example
    ceiling, own = found["ceiling"], wanted["ceiling_weighted_by_slots"]
    near(ceiling["human"], own["human"])
    near(ceiling["systems"]["ours"], own["systems"]["ours"])
    assert ceiling["documents"] == own["documents"]
    for name in PEOPLE:
        near(ceiling["annotators"][name], own["annotators"][name])
        near(ceiling["beside"]["ours"][name], own["systems_beside"]["ours"][name])


def test_kappa_and_alpha_are_those_of_irrcac():
    """Six units, one to three raters each; the last, with one, does not count."""
    units = [(1, 1), (0, 0, 0), (1, 0), (0, 0), (1, 1, 1), (0,)]
    total = sum(map(_one_slot, units), AgreementCounts.zero())
    assert total.fleiss_kappa == pytest.approx(0.6, abs=1e-12)
    assert total.krippendorff_alpha == pytest.approx(0.694444, abs=1e-6)


def _one_slot(ratings):
    """The counts of one slot with a rating of each annotator."""
    members = [Segmentation(2, np.array([0, 1] if each else [1])) for each in ratings]
    return Agreement("drop").count(panel_of(members))


@st.composite
def designs(draw, most=5, full=False):
    """Random corpora: who has which document, and two systems that may lack some."""
    names = [f"p{at}" for at in range(draw(st.integers(2, most)))]
    found = {}
    for at in range(draw(st.integers(1, 6))):
        slots = draw(st.integers(1, 12))
        places = st.sets(st.integers(0, slots - 1), max_size=slots)
        who = names if full else draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        lacks = not full and at and draw(st.booleans())
        systems = ("a",) if lacks else ("a", "b")
        panel = {name: draw(places) for name in sorted(who)}
        found[f"d{at}"] = slots, panel, {name: draw(places) for name in systems}
    return found


@FEW
@given(designs())
def test_scores_equal_the_twins(of):
    found = evaluated(of)
    near(found["agreement"], twin.agreement(of)) if len(twin.people(of)) > 1 else None
    for system in found["systems"]:
        near(system["micro"], twin.scored(of, system["name"]))
    for own in found["systems"]:
        name = own["name"]
        assert [*own["by_document"]] == [d for d in of if name in of[d][2]]
    if len(twin.people(of)) > 2:
        people, human = twin.ceiling(of)
        assert found["ceiling"]["annotators"].keys() == people.keys()
        near(found["ceiling"]["human"], human)
        for person, scores in people.items():
            near(found["ceiling"]["annotators"][person], scores)
        for name in ("a", "b"):
            beside, mean = twin.ceiling(of, name)
            near(found["ceiling"]["systems"][name], mean)
            for person, scores in beside.items():
                near(found["ceiling"]["beside"][name][person], scores)


@FEW
@given(designs())
def test_alpha_equals_krippendorffs(of):
    units = twin.ratings(of)
    values = {bit for n, k in units for bit, has in ((1, k), (0, n - k)) if has}
    assume(len(values) == 2)
    counts = np.array([[n - k, k] for n, k in units])
    krippendorff = pytest.importorskip("krippendorff")
    wanted = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    found = evaluated(of)["agreement"]["krippendorff_alpha"]
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
@FEW
@given(designs(most=4, full=True))
def test_full_designs_are_scored_as_ever(of):
    systems, references = sides(of)
    plain = caesura.evaluate(systems, references, confidence=True, resamples=20).to_dict()
    found = evaluated(of, confidence=True, resamples=20)
    assert found["options"].pop("missing") == "vary"
    assert found["panels"].keys() == {str(len(references))}
    for key in ("signature", "options", "references", "documents", "words", "sources"):
        assert found[key] == plain[key], key
    for pair in found["agreement"]["pairs"]:
        assert pair.pop("documents") == len(of)
        pair.pop("slots")
    assert found["agreement"] == plain["agreement"]
    if "ceiling" in found:
        found["ceiling"].pop("beside")
        found["ceiling"].pop("documents")
        assert found["ceiling"] == plain["ceiling"]
    for own in found["systems"]:
        for against in own["by_reference"].values():
            assert against.pop("documents") == len(of)
            against.pop("slots")
    assert found["systems"] == plain["systems"]


@pytest.mark.slow
@FEW
@given(designs(), st.randoms(use_true_random=False))
def test_names_and_order_change_no_bit(of, random):
    names, documents = twin.people(of), [*of]
    new = dict(zip(names, random.sample([f"q{at}" for at in range(9)], len(names)), strict=True))
    moved = dict(zip(documents, random.sample(documents, len(documents)), strict=True))
    other = {
        moved[name]: (of[name][0], {new[who]: own for who, own in of[name][1].items()}, of[name][2])
        for name in documents
    }
    one, two = evaluated(of), evaluated(other)
    assert one["agreement"].pop("pairs", None) is not None
    for key in ("rgar", "fleiss_kappa", "krippendorff_alpha", "cohen_kappa_mean", "macro"):
        assert one["agreement"][key] == two["agreement"][key], key
    for a, b in zip(one["systems"], two["systems"], strict=True):
        assert (a["micro"], a["macro"]) == (b["micro"], b["macro"])
    if "ceiling" in one:
        for key in ("human", "systems"):
            assert one["ceiling"][key] == two["ceiling"][key]


@pytest.fixture(scope="module")
def large():
    """A corpus of 24 documents, of which system b lacks every third."""
    rng = np.random.default_rng(5)
    of = {}
    for at in range(24):
        who = sorted(rng.choice(8, size=int(rng.integers(1, 5)), replace=False).tolist())
        slots = int(rng.integers(5, 40))
        drawn = [{*np.flatnonzero(rng.random(slots) < 0.2).tolist()} for _ in range(len(who) + 2)]
        systems = {"a": drawn[0], "b": drawn[1]} if at % 3 else {"a": drawn[0]}
        of[f"d{at}"] = slots, dict(zip([f"p{n}" for n in who], drawn[2:], strict=True)), systems
    return of


def test_processes_blocks_and_rows_give_the_same(large, tmp_path):
    one = evaluated(large)
    near(one["agreement"], twin.agreement(large))
    for system in one["systems"]:
        near(system["micro"], twin.scored(large, system["name"]))
    rows = str(tmp_path / "rows.jsonl")
    assert evaluated(large, jobs=2, rows=rows) == one
    assert summary_json(saved_report([rows])[0])["systems"] == one["systems"]
    assert evaluated(large, rows=rows, resume=True) == one
    assert evaluated(large, blocks=True, unit="block")["systems"] == one["systems"]


def test_comparisons_and_their_ceiling_are_of_shared_documents(large):
    found = evaluated(large, compare=True, confidence=True, resamples=50, unit="document")
    kept = {name: each for name, each in large.items() if "b" in each[2]}
    assert sorted(found["comparison"]["documents"]) == sorted(kept)
    notes = found["comparison"]["confidence"]["notes"]
    assert notes[0] == f"Compared on {len(kept)} of 24 documents, those that all systems have."
    low, high = found["systems"][1]["confidence"]["micro"]["f1_mean"]
    assert low < found["systems"][1]["micro"]["f1_mean"] < high
    for own in found["comparison"]["systems"]:
        near(own["micro"], twin.scored(kept, own["name"]))
    people, ours, _ = found["comparison"]["ceiling"]["systems"]
    near(people["micro"], twin.ceiling(kept)[1])
    near(ours["micro"], twin.ceiling(kept, "a")[1])


def test_what_is_left_out_is_told():
    system, references = sides(corpus("12"))
    system["ours"]["9"] = [1, 0]
    found = caesura.evaluate(system, references, missing="vary").to_dict()
    assert found["skipped"] == {"9": "in no reference"}
    assert found["warnings"][0] == "1 of 3 documents left out, in no reference: 9"


def test_sharing_is_checked():
    of = {
        "d0": (6, {"p": {1}, "q": {2}}, {"s": {1}}),
        "d1": (6, {"x": {1}, "y": {2}}, {"s": {1}}),
        "d2": (12, {"x": {*range(6)}, "z": {*range(6)}}, {"s": {1}}),
    }
    warnings = "\n".join(evaluated(of)["warnings"])
    assert "no document is shared by p and x, p and y, p and z and 4 other pairs" in warnings
    assert "the annotators are 2 groups that share no document (p, q | x, y, z)" in warnings
    assert "x and z have the same boundaries" in warnings


def test_other_tasks_do_not_vary():
    with pytest.raises(UsageError, match="is for annotators of transcripts, not for text"):
        caesura.evaluate({"s": {"d": [["a"]]}}, gold={"d": [["a"]]}, missing="vary")


@pytest.mark.parametrize(
    ("given", "rule", "needs"),
    [
        ("majority", 0, [1, 2, 2, 3]),
        ("2", 2, [2, 2, 2, 2]),
        ("2/3", "2/3", [1, 2, 2, 3]),
        ("70%", "7/10", [1, 2, 3, 3]),
        (0.5, "1/2", [1, 1, 2, 2]),
        ("all", "all", [1, 2, 3, 4]),
        ("100%", "all", [1, 2, 3, 4]),
    ],
)
def test_consensus_rules(given, rule, needs):
    assert consensus_rule(given) == rule
    assert [votes_needed(rule, n) for n in range(1, 5)] == needs
    told = Fraction(rule) if "/" in str(rule) else {0: "majority", "all": Fraction(1)}.get(rule, 2)
    assert [twin.needed(told, n) for n in range(1, 5)] == needs


@pytest.mark.parametrize("given", ["1.0", 1.0, "most", "3/2", "0%", "-1", "1/0", ""])
def test_bad_consensus_rules(given):
    wanted = "1 or all" if str(given) == "1.0" else "neither a number"
    with pytest.raises(UsageError, match=wanted):
        consensus_rule(given)


VALUES = st.lists(st.floats(0, 1) | st.just(math.nan), min_size=1, max_size=9)


@given(VALUES, st.data())
def test_weighted_means_equal_the_twin(values, data):
    """With equal weights, they have the bits of means."""
    weights = [data.draw(st.integers(0, 99)) for _ in values]
    wanted = twin.weighted([*zip(values, weights, strict=True)])
    assert np.array_equal(weighted_means(values, weights), wanted, equal_nan=True)
    equal = weighted_means(values, [data.draw(st.integers(1, 999))] * len(values))
    assert np.array_equal(equal, means(values), equal_nan=True)


def test_rows_without_the_number_of_references_fit_those_with_it():
    known, unknown = EitherCounts(1, 0, 3, 9, 3), EitherCounts(0, 0, 0, 6)
    assert (known + unknown).ser == EitherCounts(1, 0, 3, 15).ser
    assert EitherCounts.from_dict({"fp": 0, "fn": 0, "errors": 0, "boundaries": 6}) == unknown


def test_annotators_who_share_nothing_have_no_agreement(run, tmp_path):
    for name, document in (("p", "a"), ("q", "b")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{document}.txt").write_text("it rained\nwe left\n")
    folders = [str(tmp_path / name) for name in "pq"]
    status, out, err = run("agreement", *folders, "--missing", "vary", "-f", "json")
    found = json.loads(out)
    assert status == 0
    assert found["agreement"]["pairs"] == []
    assert found["agreement"]["fleiss_kappa"] is None
    assert "refs:2/1" in found["signature"]
    assert "(p | q); nothing compares them" in err
    assert run("agreement", *folders, "--missing", "vary")[0] == 0
    assert "--missing vary" in run("agreement", *folders)[2]
    assert "--missing vary" not in run("text", folders[0], "--gold", folders[1])[2]


TURNS = {"so it rained": "A", "and then": "B", "we left it there": "A", "yes it was": "B"}


def spoken(folder, only="AB"):
    """Two documents of two speakers; p has one of them, q both, and b one, in other units."""
    for document, who in {"d1": "pqab", "d2": "qa"}.items():
        for at, name in enumerate(who):
            lines = []
            for number, (text, speaker) in enumerate(TURNS.items()):
                units = text.split(" ", 1) if (at + number) % 3 == 1 else [text]
                lines += [f"x 1 {speaker} 0 1 {each}\n" for each in units if speaker in only]
            (folder / name).mkdir(exist_ok=True, parents=True)
            (folder / name / f"{document}.stm").write_text("".join(lines))
    return [str(folder / name) for name in "ab"], [str(folder / name) for name in "pq"]


def test_speakers_of_documents_that_vary(tmp_path):
    how = {"missing": "vary", "pool": True}
    whole = caesura.evaluate(*spoken(tmp_path / "all"), streams="speaker", **how).to_dict()
    by = caesura.evaluate(*spoken(tmp_path / "all"), by="speaker", **how).to_dict()
    streams, sizes = whole["streams"]["by_stream"], whole["streams"]["sizes"]
    assert sizes == by["streams"]["sizes"]
    for name, scores in streams.items():
        alone = caesura.evaluate(*spoken(tmp_path / name, name), missing="vary").to_dict()
        assert sizes[name]["words"] == alone["words"]
        for system in alone["systems"]:
            near(scores[system["name"]], system["micro"])
