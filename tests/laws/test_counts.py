import json
import math
import pickle
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.api.lists import MEASURES
from caesura.communities.chunks.offsets import Chunks, Excerpt, Questions
from caesura.communities.disrpt.measure import SegEvalCounts
from caesura.communities.morphemes.morphs import parse_morphs
from caesura.core.counts import harmonic, pearson, ratio
from caesura.core.mean import mean
from caesura.core.measure import DocumentMeasure, LineMeasure
from caesura.core.panel_counts import PanelCounts
from caesura.core.segmentation import Document, Track, panel
from caesura.core.treebank_table import AnnotatedText
from caesura.formats.conllu import parse_conllu
from caesura.measures.joint import AlignedTexts
from caesura.measures.treebank import METRICS, Treebank
from caesura.tasks.corrections.format import parse_m2
from caesura.tasks.trees.format import parse_brackets, parse_forest
from support import reference_transcript as reference
from support.hypothesis_settings import FEW
from support.random_counts import some_counts
from support.random_texts import conllu, text
from support.rates import scores
from support.strategies import at

CLASSES = sorted({measure.counts for measure in MEASURES.values()}, key=lambda cls: cls.__name__)
EVERY_CLASS = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
THOUSANDTHS = st.integers(0, 1000).map(lambda n: n / 1000)


@EVERY_CLASS
@FEW
@given(data=st.data())
def test_counts_survive_pickle_and_json(cls, data):
    counts = data.draw(some_counts(cls))
    again = pickle.loads(pickle.dumps(counts))
    assert again == counts
    assert type(again) is cls
    unsaid = {"by_size": (), "references": 0} if isinstance(counts, PanelCounts) else {}
    known = asdict(counts)
    unsaid = {name: empty for name, empty in unsaid.items() if name in known}
    if not cls.has_levels:
        assert unsaid | counts.to_dict() == known
    assert cls.from_dict(json.loads(json.dumps(counts.to_dict()))) == counts


@EVERY_CLASS
@FEW
@given(data=st.data())
def test_counts_add_like_numbers(cls, data):
    a, b, c = (data.draw(some_counts(cls)) for _ in range(3))
    assert a + b == b + a
    assert (a + b) + c == a + (b + c) == sum([a, b, c])
    assert a + cls.zero() == cls.zero() + a == a
    assert sum([a, b], start=cls.zero()) == a + b
    assert type(a + b) is cls


def test_the_sum_of_nothing_is_0_and_scores_nothing():
    for cls in CLASSES:
        zero = cls.zero()
        assert sum([zero]) == zero
        if cls is not SegEvalCounts:  # the scripts print 0 where there are no units
            assert all(math.isnan(rate) for rate in scores(zero).values()), cls


def test_different_things_do_not_add():
    zeros = [cls.zero() for cls in CLASSES]
    for one, other in product(zeros, [*zeros, 1, None, "x", ()]):
        if isinstance(other, type(one)):
            continue
        with pytest.raises(TypeError, match="unsupported operand"):
            one + other
        with pytest.raises(TypeError):
            other + one


def annotated(*sentences):
    """A treebank of words only."""
    table, words = parse_conllu(conllu(*sentences).encode()), text(sentences)
    return AnnotatedText(table, words)


def counts_of_terms(_):
    phones = [("f", 0, 1, "a"), ("f", 1, 2, "b")]
    found = {"1": [("f", 0, 2), ("f", 0, 1)]}
    return caesura.terms(found, phones=phones, words=phones).counts


def counts_by_sacrebleu(measure):
    pytest.importorskip("sacrebleu")
    return measure.count(["a b c d"], ["a b c e"])


TREES = b"(S (A (B b)))", b"(S (B b))"
EDITS = b"S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0", b"S a b\n"


def counts_of_chunks(measure):
    ours, excerpt = Chunks.from_spans([(0, 2), (2, 4)]), Excerpt(1, 3)
    gold = Questions(((excerpt,),)) if measure.name == "excerpts" else ours
    return measure.count(ours, gold, "abcd")


MORPHS = b"ab\ta @@b\n", b"ab\tab\t010\n"
KINDS = {
    "text": lambda each: each.count(text([["a", "b"], ["c"]]), text([["a", "b", "c"]])),
    "utterances": lambda each: each.count(text([["a", "bc"]]), text([["a", "b", "c"]])),
    "speech": counts_of_terms,
    "sentences": lambda each: each.count(caesura.resegment("a b", ["a", "c"])),
    "translation": counts_by_sacrebleu,
    "aligned": lambda each: each.count(AlignedTexts.from_texts(text([["a"]]), text([["a"]]))),
    "trees": lambda each: each.count(*map(parse_brackets, TREES)),
    "corrections": lambda each: each.count(*map(parse_m2, EDITS)),
    "morphemes": lambda each: each.count(*map(parse_morphs, MORPHS)),
    "chunks": counts_of_chunks,
    "lines": lambda each: each.count(*map(parse_forest, TREES)),
    "treebank": lambda each: each.count(annotated(["a", "bc"]), annotated(["a"], ["bc"]), None),
    "references": lambda each: each.count(panel([at(9, 3, 5), at(9, 3, 6)])),
    "pair": lambda each: each.count(at(9, 3, 5), at(9, 3, 6)),
    "panel": lambda each: each.count(at(9, 3, 5), panel([at(9, 3, 5), at(9, 3, 6)])),
}


def counts_of_documents(measure):
    if getattr(measure, "needs", ""):
        pytest.importorskip(measure.needs)
    if isinstance(measure, LineMeasure):
        texts = "a <eol> b <eob>", "a b <eob>"
        return measure.count(*(caesura.document(each) for each in texts))
    return measure.count(document(at(9, 3, 5)), document(at(9, 3, 6)))


def document(segmentation):
    """A document whose words last a microsecond each."""
    start = np.arange(len(segmentation))
    return Document(segmentation, track=Track(start, start + 1))


def counts_of_a_case(measure):
    if issubclass(measure, DocumentMeasure):
        return counts_of_documents(measure())
    return KINDS[measure.kind](measure())


@pytest.mark.parametrize("name", MEASURES)
def test_counts_of_a_case_survive_json(name):
    counts = counts_of_a_case(MEASURES[name])
    assert type(counts) is MEASURES[name].counts
    assert type(counts).from_dict(json.loads(json.dumps(counts.to_dict()))) == counts


def test_treebank_counts_by_hand():
    counts = Treebank().count(annotated(["a", "bc"]), annotated(["a"], ["bc"]), None)
    assert counts.to_dict() == {
        "system": 2, "gold": 2, "words": 2, "upos": 2, "xpos": 2, "ufeats": 2, "alltags": 2,
        "lemmas": 2, "uas": 1, "las": 1, "content_system": 0, "content_gold": 0, "content": 0,
        "clas": 0, "mlas": 0, "blex": 0,
        **{f"empty_{name}_{side}": 2 for name in ("lemma", "upos", "xpos", "feats")
           for side in ("system", "gold")}, "flat_system": 2, "flat_gold": 2,
    }  # fmt: skip
    assert (counts + counts).of("uas").f1 == counts.of("uas").f1 == 0.5
    assert (counts + counts).accuracy("las") == 0.5
    found = [name for name in scores(counts) if name.endswith("_f1")]
    assert found == [f"{name}_f1" for name in METRICS]


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(1, 2, 0.5), (0, 3, 0.0), (3, 0, math.nan), (0, 0, math.nan), (10**30, 10**30, 1.0)],
)
def test_ratio(part, whole, expected):
    assert ratio(part, whole) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (0.5, 0.5, 0.5),
        (1, 0.5, 2 / 3),
        (0, 1, 0),
        (0, 0, 0),
        (0, math.nan, 0),
        (math.nan, 0, 0),
        (math.nan, math.nan, math.nan),
    ],
)
def test_harmonic(a, b, expected):
    assert harmonic(a, b) == pytest.approx(expected, nan_ok=True)
    assert reference.harmonic(a, b) == pytest.approx(expected, nan_ok=True)


@given(THOUSANDTHS, THOUSANDTHS)
def test_harmonic_equals_its_twin(a, b):
    assert harmonic(a, b) == pytest.approx(reference.harmonic(a, b), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], math.nan),
        ([math.nan], math.nan),
        ([1, math.nan, 2], 1.5),
        ([0.1] * 10, 0.1),
        ([1e16, 1, -1e16], 1 / 3),
    ],
)
def test_mean_leaves_out_what_is_undefined(values, expected):
    assert mean(values) == pytest.approx(expected, rel=1e-15, nan_ok=True)


@given(st.lists(st.tuples(THOUSANDTHS, THOUSANDTHS)))
def test_pearson_equals_its_twin(points):
    x, y = [a for a, _ in points], [b for _, b in points]
    assert pearson(x, y) == pytest.approx(reference.pearson(x, y), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([1, 2, 3], [3, 2, 1], -1),
        ([1, 2, math.nan, 3], [2, 4, 0, 6], 1),
        ([1, 2, 3], [2, math.nan, 6], 1),
        ([1, 2], [math.nan, 3], math.nan),
        ([1, 1, 1], [1, 2, 3], math.nan),
        ([0.1, 0.1, 0.1], [1, 2, 3], math.nan),
        ([1], [1], math.nan),
        ([], [], math.nan),
    ],
)
def test_pearson_of_the_defined_pairs(x, y, expected):
    assert pearson(x, y) == pytest.approx(expected, nan_ok=True)


def test_pearson_needs_as_many_of_each():
    with pytest.raises(ValueError, match="zip"):
        pearson([1, 2], [1])


def test_a_rate_of_a_count_beyond_53_bits_is_rounded_once():
    large, small = np.array([(1 << 61) + 3], object), np.array([36])
    assert ratio(large, small)[0] == ((1 << 61) + 3) / 36
