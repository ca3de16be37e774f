import math

import pytest
from hypothesis import given

from caesura.core.segmentation import panel
from caesura.measures.agreement import Agreement, AgreementCounts
from caesura.measures.boundary import Boundary
from caesura.measures.wisebe import Wisebe
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import FINALS, at, counted_each, groups, panels, room


@MANY
@given(panels(), FINALS)
def test_equals_its_twins(references, final):
    slots, each = room(references.members[0], final), counted_each(references, final)
    votes = reference.wisebe(set(), each, 2)
    expected = {
        "rgar": reference.wisebe_scores(votes, len(each))["agreement"],
        "fleiss_kappa": reference.fleiss_kappa(each, slots),
        "fleiss_kappa_boundaries": reference.fleiss_kappa_boundaries(each),
        "krippendorff_alpha": reference.krippendorff_alpha(each, slots),
    }
    counts = Agreement(final).count(references)
    assert scores(counts) == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
    assert counts.score == pytest.approx(expected["fleiss_kappa"], abs=1e-12, nan_ok=True)


@given(panels(), FINALS)
def test_rgar_is_that_of_wisebe(references, final):
    counts = Agreement(final).count(references)
    wisebe = Wisebe(final=final).count(references.members[0], references)
    assert (counts.rgpb, counts.rgha) == (wisebe.rgpb, wisebe.rgha)


@given(panels(2), FINALS)
def test_the_order_of_the_references_makes_no_difference(references, final):
    turned = panel(references.members[::-1])
    assert Agreement(final).count(references) == Agreement(final).count(turned)


@given(groups(1, 1), FINALS)
def test_references_that_are_the_same_agree_wholly(members, final):
    found = scores(Agreement(final).count(panel(members * 3)))
    assert {rate for rate in found.values() if not math.isnan(rate)} <= {1.0}


@given(panels(2, 2), FINALS)
def test_alpha_of_two_is_above_kappa_by_its_small_sample_correction(references, final):
    counts = Agreement(final).count(references)
    expected = (
        1 - (1 - counts.fleiss_kappa) * (1 - 1 / counts.ratings) if counts.ratings else math.nan
    )
    assert counts.krippendorff_alpha == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_case_worked_by_hand():
    references = panel([at(6, 1, 3), at(6, 1), at(6, 1, 4)])
    counts = Agreement().count(references)
    assert counts == AgreementCounts(
        ratings=15,
        marked=5,
        pairs=30,
        agreeing=22,
        ratings_some=9,
        pairs_some=18,
        agreeing_some=10,
        rgpb=3,
        rgha=9,
    )
    assert counts.rgar == 1 / 3
    assert counts.fleiss_kappa == pytest.approx((22 / 30 - 5 / 9) / (4 / 9))
    assert counts.fleiss_kappa_boundaries == pytest.approx((10 / 18 - 41 / 81) / (40 / 81))
    assert counts.krippendorff_alpha == pytest.approx(1 - (8 / 30) / (2 * 5 * 10 / (15 * 14)))


def test_one_reference_agrees_with_nobody():
    counts = Agreement().count(panel([at(9, 4)]))
    assert counts == AgreementCounts.zero()
    assert all(math.isnan(rate) for rate in scores(counts).values())


@pytest.mark.parametrize("length", [0, 1, 9])
def test_without_boundaries_everything_is_undefined(length):
    counts = Agreement().count(panel([at(length), at(length)]))
    assert all(math.isnan(rate) for rate in scores(counts).values())


def test_boundaries_everywhere_leave_the_coefficients_undefined():
    counts = Agreement("keep").count(panel([at(3, 0, 1), at(3, 0, 1)]))
    assert counts.rgar == 1
    assert math.isnan(counts.fleiss_kappa)
    assert math.isnan(counts.fleiss_kappa_boundaries)
    assert math.isnan(counts.krippendorff_alpha)


def test_cohens_kappa_of_a_pair_comes_from_boundary():
    a, b = at(9, 2, 4), at(9, 4, 6)
    assert Boundary().count(a, b).kappa == pytest.approx((6 / 8 - 40 / 64) / (1 - 40 / 64))


def test_counts_of_any_length_have_a_size():
    ratings = 10**30
    counts = AgreementCounts(ratings, 0, 2 * ratings, 0, 0, 0, 0, 0, 0)
    assert counts.size == 3
