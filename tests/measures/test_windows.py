import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.measures.windows import WindowCounts, Windows, mean_k
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import counted, masses, pairs, segmentations


@MANY
@given(pairs(), st.integers(0, 70))
def test_equals_its_twins(pair, k):
    hypothesis, wanted = (reference.masses(counted(each, "drop"), len(each)) for each in pair)
    pk, total = reference.pk(hypothesis, wanted, k or None)
    windowdiff, _ = reference.window_diff(hypothesis, wanted, k or None)
    counts = Windows(k).count(*pair)
    assert counts == WindowCounts(pk, windowdiff, total)
    expected = {"pk": reference.ratio(pk, total), "windowdiff": reference.ratio(windowdiff, total)}
    assert scores(counts) == pytest.approx(expected, rel=1e-12, nan_ok=True)


@MANY
@given(segmentations())
def test_the_default_k_equals_its_twin(segmentation):
    wanted = reference.masses(counted(segmentation, "drop"), len(segmentation))
    k = mean_k(segmentation.length, segmentation.boundaries.size)
    assert k == reference.window_size(wanted)


@pytest.mark.parametrize(
    ("lengths", "k"),
    [((10,), 5), ((9,), 4), ((11,), 6), ((13,), 6), ((1, 1), 2), ((5, 6), 3), ((2, 3, 6), 2)],
)
def test_the_default_k_is_half_the_mean_unit_rounded_half_to_even(lengths, k):
    assert mean_k(sum(lengths), len(lengths)) == k


@given(pairs(), st.integers(1, 20))
def test_candidate_and_reference_may_change_places_where_k_is_given(pair, k):
    assert Windows(k).count(*pair) == Windows(k).count(*pair[::-1])


@pytest.mark.parametrize(
    ("candidate", "wanted", "pk", "windowdiff"),
    [
        ((2, 3, 6), (2, 2, 7), 2 / 9, 2 / 9),
        ((5, 7), (6, 6), 2 / 9, 2 / 9),
        ((5, 1, 1, 5), (6, 6), 2 / 9, 5 / 9),
        ((13,), (1,) * 13, 1, 1),
        ((12,), (6, 6), 1 / 3, 1 / 3),
    ],
)
def test_worked_examples(candidate, wanted, pk, windowdiff):
    counts = Windows().count(masses(*candidate), masses(*wanted))
    assert (counts.pk, counts.windowdiff) == pytest.approx((pk, windowdiff), rel=1e-12)
