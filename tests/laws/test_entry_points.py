"""Every way in gives the same number: one call, evaluate() in memory, evaluate() on files."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.segmentation import Document
from caesura.errors import CaesuraError, FormatError
from caesura.formats.equivalences import TABLES
from caesura.tasks.terms.speech import as_clusters, as_intervals
from caesura.tasks.text.counting import TextTask, as_text, as_tokens
from caesura.tasks.transcript.values import as_document
from support.hypothesis_settings import FEW
from support.strategies import groups

WORDS = [f"w{at}" for at in range(200)]
TOKENS = st.lists(
    st.lists(st.sampled_from(["a", "bc", "d.", "é", "🙂", "ab c"]), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
ONE_CALLS = {
    "precision": lambda c, r: caesura.boundary(c, r).precision,
    "f1": lambda c, r: caesura.boundary(c, r).f1,
    "ser": lambda c, r: caesura.boundary(c, r).ser,
    "pk": lambda c, r: caesura.pk(c, r).score,
    "windowdiff": lambda c, r: caesura.windowdiff(c, r).score,
    "boundary_similarity": lambda c, r: caesura.boundary_similarity(c, r).score,
    "segmentation_similarity": lambda c, r: caesura.segmentation_similarity(c, r).score,
    "tolerant_f1": lambda c, r: caesura.tolerant(c, r).score,
}


def sentences(segmentation):
    """A segmentation as the sentences that a tool would give."""
    starts = [0, *(segmentation.boundaries + 1).tolist()]
    return [" ".join(WORDS[a:b]) for a, b in pairwise(starts)]


def same(one, other):
    return one == pytest.approx(other, nan_ok=True)


@given(groups(3, 3))
def test_one_call_and_evaluate(members):
    candidate, *references = members
    if not candidate.length:
        return
    ours = sentences(candidate)
    theirs = {name: sentences(each) for name, each in zip("ab", references, strict=True)}
    found = caesura.evaluate({"s": ours}, theirs).systems["s"]
    panel = list(theirs.values())
    assert same(found.wisebe, caesura.wisebe(ours, panel).score)
    assert same(found.window_f1, caesura.wisebe(ours, panel).f1)
    assert same(found.consensus_f1, caesura.consensus(ours, panel).f1)
    assert same(found.ser_either, caesura.either(ours, panel).score)
    for key, call in ONE_CALLS.items():
        each = [call(ours, reference) for reference in panel]
        told = [found.by_reference[name][key] for name in "ab"]
        assert same(told, each), key
        defined = [value for value in each if not math.isnan(value)]
        average = sum(defined) / len(defined) if defined else math.nan
        assert same(found[f"{key}_mean"], average), key


@FEW
@given(groups(3, 3))
def test_agreement(members):
    if not members[0].length:
        return
    panel = {name: sentences(each) for name, each in zip("abc", members, strict=True)}
    found = caesura.evaluate(references=panel).agreement
    one = caesura.agreement(list(panel.values()))
    for key in ("rgar", "fleiss_kappa", "fleiss_kappa_boundaries", "krippendorff_alpha"):
        assert same(found[key], getattr(one, key)), key
    pairs = [caesura.cohen_kappa(panel[a], panel[b]).score for a, b in ("ab", "ac", "bc")]
    assert same([pair["cohen_kappa"] for pair in found.pairs], pairs)


@given(TOKENS, TOKENS)
def test_text(system, gold):
    one = caesura.joint(system, gold)
    found = caesura.evaluate({"s": system}, gold=gold, force=True).systems["s"]
    for unit in ("token", "sentence"):
        matches = getattr(one, f"{unit}s")
        assert (found[f"{unit}_tp"], found[f"{unit}_fp"], found[f"{unit}_fn"]) == (
            matches.tp,
            matches.fp,
            matches.fn,
        )
        assert same(found[f"{unit}_f1"], matches.f1)


@FEW
@given(groups(2, 2))
def test_memory_and_files(tmp_path_factory, members):
    if not members[0].length:
        return
    place = tmp_path_factory.mktemp("files")
    values = {name: sentences(each) for name, each in zip("sr", members, strict=True)}
    for name, units in values.items():
        (place / f"{name}.txt").write_text("\n".join(units) + "\n")
    on_disk = caesura.evaluate(
        {"s": place / "s.txt"}, {"r": place / "r.txt"}, input="lines"
    ).systems["s"]
    in_memory = caesura.evaluate({"s": values["s"]}, {"r": values["r"]}).systems["s"]
    assert all(same(on_disk.micro[key], in_memory.micro[key]) for key in on_disk.micro)


@pytest.mark.parametrize(
    ("value", "masses"),
    [
        (["it rained", "we left"], [2, 2]),
        (["it  rained\nall night", "", "we left"], [4, 2]),
        (("one",), [1]),
        ("it rained // we left", [2, 2]),
        ([0, 1, 0, 0], [2, 2]),
        ([False, True, False], [2, 1]),
        (caesura.masses([3, 1]), [3, 1]),
        (Document(caesura.masses([1, 1])), [1, 1]),
        ([], []),
    ],
)
def test_what_a_value_means(value, masses):
    assert as_document(value).segmentation.masses.tolist() == masses


@pytest.mark.parametrize("value", [[1, 2, 3], [[0, 1]], [0.5], [None]])
def test_what_no_value_means(value):
    with pytest.raises(CaesuraError):
        as_document(value)


def test_what_tokens_mean():
    table = TABLES["none"]
    texts = [as_tokens(each, table) for each in ("a b\nc", ["a b", "c"], [["a", "b"], ["c"]])]
    assert [text.stream for text in texts] == ["abc"] * 3
    assert [text.sentence_ends.tolist() for text in texts] == [[2, 3]] * 3
    assert as_tokens(texts[0], table) is texts[0]
    assert as_tokens([["New York", "is"]], table).tokens(0, 2) == ["NewYork", "is"]
    assert as_text(["a b"], task=TextTask(), source="ours").treebank is None


def test_what_intervals_and_classes_mean():
    gold = as_intervals([("f", 0, 0.5, "a"), ("a file", 0, 1, "b c")], "phones")
    assert gold.files == ["a\u00a0file", "f"] or gold.files == ["f", "a\u00a0file"]
    assert as_intervals(gold, "phones") is gold
    assert as_intervals("gold.phn", "phones") == "gold.phn"
    classes = as_clusters({"x": [("f", 0, 0.5)], "y": [("f", 0.5, 1), ("g", 0, 1)]})
    assert classes.cluster.tolist() == [0, 1, 1]
    assert as_clusters(classes) is classes
    with pytest.raises(FormatError, match="an interval must end after it begins"):
        as_intervals([("f", 1, 0, "a")], "phones")
    with pytest.raises(FormatError):
        as_clusters({"x": [("f", -1, 0)]})


def test_reports_of_what_is_in_memory():
    text = caesura.evaluate({"s": [["a", "bc"]]}, gold=[["a", "b", "c"]])
    assert "split" in text.html()
    gold = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b")]
    terms = caesura.evaluate(
        {"s": {"1": [("f", 0, 0.4)]}}, phones=gold, words=[("f", 0, 0.4, "ab")]
    )
    assert '"clusters"' in terms.html()
    transcript = caesura.evaluate({"s": ["a b", "c"]}, {"r": ["a", "b c"]})
    assert '"words":"a b c"' in transcript.html().replace(": ", ":")


def test_names_of_what_has_none():
    found = caesura.evaluate([["a b", "c"], ["a", "b c"]], [["a b", "c"]])
    assert list(found.systems) == ["system1", "system2"]
    assert found.summary.references == ("reference1",)
    assert repr(found) == (
        "<Evaluation of transcript: system1: f1 1.000; system2: f1 .000; 1 reference, 1 document>"
    )
    assert repr(found.systems["system1"]) == "<system1: f1 1.000>"


def test_gold_is_one():
    with pytest.raises(CaesuraError, match="one gold, not 2"):
        caesura.evaluate({"s": ["a"]}, gold={"g": ["a"], "h": ["a"]})
