import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.counts import Matches
from caesura.errors import SegmentationError
from caesura.tasks.utterances import WordsegCounts
from support import reference_terms, reference_units
from support.hypothesis_settings import MANY
from support.rates import scores

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


def reached(side):
    """Where words end, counted over all utterances."""
    return np.cumsum([len(word) for words in side for word in words]).tolist()


def clusters(side, units=None):
    """The number of the word of each character, or of each unit, given where units end."""
    each = reference_units.clusters([len(word) for words in side for word in words])
    return each if units is None else [each[end - 1] for end in units]


def lines(side):
    return "\n".join(" ".join(words) for words in side)


@MANY
@given(utterances())
def test_equals_its_twin(pair):
    system, gold = pair
    counts = caesura.wordseg(system, gold).counts
    for kind, (hits, found, wanted) in reference_terms.wordseg(system, gold).items():
        assert getattr(counts, kind) == Matches(hits, found - hits, wanted - hits)
    expected = reference_units.adjusted_rand_index(clusters(system), clusters(gold))
    assert counts.adjusted_rand_index == pytest.approx(expected, rel=1e-15, nan_ok=True)
    assert caesura.wordseg(lines(system), lines(gold)).counts == counts


@given(utterances(3))
def test_units_that_are_not_characters(three):
    system, gold, units = three
    ends = [set(reached(side)) for side in three]
    if not ends[0] | ends[1] <= ends[2]:
        with pytest.raises(SegmentationError, match="ends inside a unit"):
            caesura.wordseg(system, gold, units=units)
        return
    counts = caesura.wordseg(system, gold, units=units).counts
    ours, theirs = (clusters(side, reached(units)) for side in (system, gold))
    expected = reference_units.adjusted_rand_index(ours, theirs)
    assert counts.adjusted_rand_index == pytest.approx(expected, rel=1e-15, nan_ok=True)


@given(utterances())
def test_scores_follow_from_the_counts(pair):
    result = caesura.wordseg(*pair)
    expected = {
        f"{kind}_{name}": value
        for kind in KINDS
        for name, value in scores(getattr(result.counts, kind)).items()
    }
    expected["adjusted_rand_index"] = result.counts.adjusted_rand_index
    assert scores(result) == pytest.approx(expected, nan_ok=True)
    assert result.score == pytest.approx(result.counts.token.f1, nan_ok=True)


@given(utterances(), utterances())
def test_tokens_boundaries_and_clusters_add(one, other):
    total = caesura.wordseg(*one).counts + caesura.wordseg(*other).counts
    whole = caesura.wordseg(one[0] + other[0], one[1] + other[1]).counts
    for kind in ("token", "boundary_all", "boundary_noedge"):
        assert getattr(total, kind) == getattr(whole, kind)
    assert total.adjusted_rand_index == pytest.approx(whole.adjusted_rand_index, nan_ok=True)
    assert whole.type_found <= total.type_found


def test_by_hand():
    counts = caesura.wordseg("the dog bites thedog\nno", "the dog bites the dog\nn o").counts
    assert (counts.token, counts.type) == (Matches(3, 2, 4), Matches(3, 2, 2))
    assert (counts.boundary_all, counts.boundary_noedge) == (Matches(7, 0, 2), Matches(3, 0, 2))


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
    ("system", "gold"),
    [("a b", "a c"), ("a b", "a\nb"), ("a", ""), ("a b c", "a b"), ("`` a", '" a'), ("A b", "a b")],
)
def test_other_characters_or_utterances(system, gold):
    expected = "the characters of the utterances differ from those of the gold"
    with pytest.raises(SegmentationError, match=f"^{expected}$"):
        caesura.wordseg(system, gold)
