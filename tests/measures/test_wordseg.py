import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caesura
import reference_terms
from caesura.core.counts import Matches
from caesura.errors import SegmentationError
from caesura.measures.wordseg import Wordseg, WordsegCounts
from scored import scores

KINDS = ("token", "type", "boundary_all", "boundary_noedge")
STREAMS = st.lists(st.text("abé日", min_size=1, max_size=9), max_size=6)


def cut(stream, marks):
    """Words of an utterance, which ends where a mark is set."""
    words = [""]
    for character, is_end in zip(stream, marks, strict=True):
        words[-1] += character
        if is_end:
            words.append("")
    return [word for word in words if word]


@st.composite
def utterances(draw, number=2):
    """The same utterances, segmented in some ways."""
    streams = draw(STREAMS)
    marks = [
        [draw(st.lists(st.booleans(), min_size=len(s), max_size=len(s))) for s in streams]
        for _ in range(number)
    ]
    return [[cut(s, m) for s, m in zip(streams, each, strict=True)] for each in marks]


def lines(side):
    return "\n".join(" ".join(words) for words in side)


@settings(max_examples=200)
@given(utterances())
def test_equals_its_twin(pair):
    system, gold = pair
    counts = caesura.wordseg(system, gold).counts
    for kind, (hits, found, wanted) in reference_terms.wordseg(system, gold).items():
        assert getattr(counts, kind) == Matches(hits, found - hits, wanted - hits)


@given(utterances())
def test_text_and_lists_are_scored_alike(pair):
    system, gold = pair
    assert caesura.wordseg(lines(system), lines(gold)).counts == caesura.wordseg(*pair).counts


@given(utterances())
def test_scores_follow_from_the_counts(pair):
    result = caesura.wordseg(*pair)
    expected = {
        f"{kind}_{name}": value
        for kind in KINDS
        for name, value in scores(getattr(result.counts, kind)).items()
    }
    assert scores(result) == pytest.approx(expected, nan_ok=True)
    assert result.score == pytest.approx(result.counts.token.f1, nan_ok=True)


@given(utterances())
def test_system_and_gold_may_change_places(pair):
    one, other = caesura.wordseg(*pair).counts, caesura.wordseg(*pair[::-1]).counts
    for kind in KINDS:
        a, b = getattr(one, kind), getattr(other, kind)
        assert (a.tp, a.fp, a.fn) == (b.tp, b.fn, b.fp)


@given(utterances(1))
def test_the_gold_itself_is_perfect(one):
    rates = scores(caesura.wordseg(*one, *one)).values()
    assert {rate for rate in rates if not math.isnan(rate)} <= {1}


@given(utterances(), utterances())
def test_tokens_and_boundaries_add(one, other):
    total = caesura.wordseg(*one).counts + caesura.wordseg(*other).counts
    whole = caesura.wordseg(one[0] + other[0], one[1] + other[1]).counts
    for kind in ("token", "boundary_all", "boundary_noedge"):
        assert getattr(total, kind) == getattr(whole, kind)
    assert whole.type_found <= total.type_found


@given(utterances())
def test_counts_survive_json(pair):
    counts = caesura.wordseg(*pair).counts
    assert WordsegCounts.from_dict(counts.to_dict()) == counts


def test_by_hand():
    counts = caesura.wordseg("the dog bites thedog\nno", "the dog bites the dog\nn o").counts
    assert counts == WordsegCounts(
        token_hits=3,
        token_found=5,
        token_gold=7,
        type_hits=3,
        type_found=5,
        type_gold=5,
        boundary_hits=3,
        boundary_found=3,
        boundary_gold=5,
        edges=4,
    )
    assert (counts.boundary_all, counts.boundary_noedge) == (Matches(7, 0, 2), Matches(3, 0, 2))


def test_quotes_and_case_are_not_made_equal():
    with pytest.raises(SegmentationError):
        caesura.wordseg("`` a", '" a')
    with pytest.raises(SegmentationError):
        caesura.wordseg("A b", "a b")


def test_one_word_for_each_utterance_has_no_inner_boundary():
    counts = caesura.wordseg("a\nb", "a\nb").counts
    assert math.isnan(counts.boundary_noedge.f1)
    assert counts.boundary_all == Matches(4, 0, 0)


@pytest.mark.parametrize("nothing", ["", "\n", []])
def test_nothing(nothing):
    counts = caesura.wordseg(nothing, nothing).counts
    assert counts == WordsegCounts.zero()
    assert all(map(math.isnan, scores(counts).values()))


@pytest.mark.parametrize(
    ("system", "gold"), [("a b", "a c"), ("a b", "a\nb"), ("a", ""), ("a b c", "a b"), ("é", "e")]
)
def test_other_characters_or_utterances(system, gold):
    with pytest.raises(SegmentationError) as error:
        caesura.wordseg(system, gold)
    expected = "the characters of the utterances differ from those of the gold"
    assert str(error.value) == expected


def test_the_line_of_a_result():
    result = caesura.wordseg("a b", "a b")
    assert str(result).startswith("token_f1 1.000  token_precision 1.000")
    assert (result.measure, Wordseg.kind) == (Wordseg(), "utterances")
