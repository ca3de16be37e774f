import math

import pytest
from hypothesis import given

from caesura.core.segmentation import panel
from caesura.measures.agreement import Agreement, AgreementCounts
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import FINALS, at, counted_each, panels, room


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
    if len(each) > 1:
        assert (counts.rgpb, counts.rgha) == (votes["rgpb"], votes["rgha"])


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


def test_counts_of_any_length_have_a_size():
    ratings = 10**30
    counts = AgreementCounts(ratings, 0, 2 * ratings, 0, 0, 0, 0, 0, 0)
    assert counts.size == 3
