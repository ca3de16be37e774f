import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.segmentation import panel
from caesura.errors import SegmentationError
from caesura.measures.boundary import (
    Boundary,
    Consensus,
    Either,
    EitherCounts,
    Tolerant,
    TolerantCounts,
)
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.reference_matching import matches_within
from support.strategies import FINALS, at, counted, counted_each, judged, pairs, room


@MANY
@given(pairs(), FINALS)
def test_boundary_equals_its_twin(pair, final):
    candidate, wanted = pair
    counts = Boundary(final).count(candidate, wanted)
    expected = reference.boundary(
        counted(candidate, final), counted(wanted, final), room(wanted, final)
    )
    assert counts.to_dict() == expected
    rates = scores(counts) | {"kappa": counts.kappa}
    assert rates == pytest.approx(reference.boundary_scores(expected), rel=1e-12, nan_ok=True)


@given(pairs(), FINALS)
def test_kappa_equals_cohens_kappa_of_the_ratings(pair, final):
    a, b = pair
    expected = reference.cohen_kappa(counted(a, final), counted(b, final), room(a, final))
    found = Boundary(final).count(a, b).kappa
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize(
    ("candidate", "wanted", "rates"),
    [
        (at(10, 3, 5), at(10, 3, 7), [1 / 2, 1 / 2, 1 / 2, 1, 2 / 9, 0, 0.5732233047]),
        (at(10), at(10, 3), [math.nan, 0, 0, 1, 1 / 9, -1, 0.2928932188]),
        (at(10, 3), at(10), [0, math.nan, 0, math.nan, 1 / 9, math.nan, math.nan]),
        (at(10), at(10), [math.nan, math.nan, math.nan, math.nan, 0, math.nan, math.nan]),
        (at(1), at(1), [math.nan] * 7),
        (at(0), at(0), [math.nan] * 7),
        (at(4, 0, 1, 2), at(4, 1), [1 / 3, 1, 1 / 2, 2, 2 / 3, 2, -0.7071067812]),
    ],
)
def test_boundary_rates(candidate, wanted, rates):
    found = scores(Boundary().count(candidate, wanted))
    names = "precision", "recall", "f1", "ser", "cer", "over_segmentation", "r_value"
    assert [found[name] for name in names] == pytest.approx(rates, nan_ok=True)


def test_kappa_is_undefined_when_everything_is_one_category():
    assert math.isnan(Boundary().count(at(5), at(5)).kappa)
    assert math.isnan(Boundary("keep").count(at(3, 0, 1), at(3, 0, 1)).kappa)
    assert Boundary().count(at(5), at(5, 1)).kappa == 0
    assert Boundary().count(at(5, 1), at(5, 1)).kappa == 1


@MANY
@given(judged(), FINALS, st.integers(0, 6))
def test_consensus_equals_its_twin(pair, final, least):
    candidate, references = pair
    least = min(least, len(references))
    together = reference.consensus(counted_each(references, final), least or None)
    expected = reference.boundary(counted(candidate, final), together, room(candidate, final))
    assert Consensus(least, final).count(candidate, references).to_dict() == expected


@pytest.mark.parametrize("least", [3, 9])
def test_a_consensus_of_more_than_all_is_refused(least):
    references = panel([at(5, 1), at(5, 2)])
    message = f"a consensus of {least} among 2 references"
    with pytest.raises(SegmentationError, match=f"^{message}$"):
        Consensus(least).count(at(5), references)


@MANY
@given(judged(), FINALS)
def test_either_equals_its_twin(pair, final):
    candidate, references = pair
    counts = Either(final).count(candidate, references)
    expected = reference.either(counted(candidate, final), counted_each(references, final))
    m = expected["m"]
    assert (counts.fp, counts.fn) == (expected["fp"], expected["fn"])
    assert counts.errors == m * (counts.fp + counts.fn)
    assert counts.boundaries == expected["slots_sum"]
    found = scores(counts)["ser_either"]
    assert found == pytest.approx(reference.either_ser(expected), rel=1e-12, nan_ok=True)


def test_either_forgives_what_some_reference_has():
    references = panel([at(20, 3, 7), at(20, 3, 9, 11, 13)])
    assert Either().count(at(20, 3, 9, 15), references) == EitherCounts(1, 0, 2, 6)
    assert Either().count(at(20, 7), references) == EitherCounts(0, 1, 2, 6)
    assert Either().count(at(20, 3), references).ser == 0
    assert Either().count(at(20, 9, 15), references).ser == 2 / 3


@MANY
@given(pairs(), FINALS, st.integers(0, 8))
def test_tolerant_equals_its_twin(pair, final, tolerance):
    candidate, wanted = pair
    placed, asked = counted(candidate, final), counted(wanted, final)
    matches = matches_within(placed, asked, tolerance)
    counts = Tolerant(tolerance, final).count(candidate, wanted)
    assert counts == TolerantCounts(matches, len(placed), len(asked))
    assert list(scores(counts).values()) == pytest.approx(
        [
            reference.ratio(matches, len(placed)),
            reference.ratio(matches, len(asked)),
            reference.ratio(2 * matches, len(placed) + len(asked)),
        ],
        rel=1e-12,
        nan_ok=True,
    )
