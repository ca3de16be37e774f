import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.segmentation import panel
from caesura.measures.wisebe import Wisebe, WisebeCounts
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import FINALS, at, counted, counted_each, judged

RATES = {
    "wisebe": "score",
    "window_precision": "precision",
    "window_recall": "recall",
    "window_f1": "f1",
    "rgar": "agreement",
    "wisebe_smooth": "smooth_score",
    "window_precision_smooth": "smooth_precision",
    "window_recall_smooth": "smooth_recall",
    "window_f1_smooth": "smooth_f1",
}


@MANY
@given(judged(), st.integers(0, 12), FINALS)
def test_equals_its_twin(pair, window, final):
    candidate, references = pair
    counts = Wisebe(window, final).count(candidate, references)
    expected = reference.wisebe(counted(candidate, final), counted_each(references, final), window)
    rates = reference.wisebe_scores(expected, len(references))
    if len(references) < 2:
        expected |= {"rgpb": 0, "rgha": 0}
    assert counts.to_dict() == expected
    wanted = {name: rates[twin] for name, twin in RATES.items()}
    assert scores(counts) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_a_case_worked_by_hand():
    references = panel([at(30, 3, 9, 20), at(30, 5, 9, 10), at(30, 5, 21)])
    candidate = at(30, 0, 4, 9, 15, 25)
    counts = Wisebe().count(candidate, references)
    # The windows are 3-5, 9-10 and 20-21; 0, 15 and 25 lie 3, 5 and 4 words outside.
    assert counts == WisebeCounts(
        inside=2, candidates=5, hit=2, windows=3, rgpb=4, rgha=18, distance=12
    )
    assert counts.precision == 2 / 5
    assert counts.recall == 2 / 3
    assert counts.f1 == pytest.approx(1 / 2)
    assert counts.agreement == 2 / 9
    assert counts.score == pytest.approx(1 / 9)
    assert counts.smooth_precision == pytest.approx((2 + 3 / 12) / 5)
    assert counts.smooth_recall == pytest.approx((2 + 1 / 12) / 3)


@pytest.mark.parametrize(("window", "number"), [(0, 4), (1, 3), (2, 2), (3, 2), (4, 1)])
def test_a_window_starts_where_the_gap_is_greater_than_the_limit(window, number):
    references = panel([at(20, 3, 5), at(20, 9, 10)])
    assert Wisebe(window).count(at(20), references).windows == number


def test_smooth_scores_are_undefined_by_time():
    """A distance in microseconds would give next to no credit, one in seconds a lot."""
    counts = caesura.wisebe(
        caesura.times([1, 3], duration=9),
        [caesura.times([1.1, 5], duration=9), caesura.times([1.2, 5.1], duration=9)],
        window="0.5s",
        tolerance="0.1s",
    ).counts
    assert counts.f1 > 0
    assert math.isnan(counts.smooth_f1)
    assert math.isnan(counts.smooth_score)
    assert math.isnan(sum([counts, counts], type(counts).zero()).smooth_precision)
