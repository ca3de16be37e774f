import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.segmentation import OUTSIDE, Segmentation
from caesura.errors import SegmentationError
from caesura.measures.units import Discourse, Starts, UnitCounts, UnitSpans
from support import reference_units
from support.rates import rates
from support.strategies import at, pairs, typed

MEASURES = [Starts(), UnitSpans(), Discourse()]
EACH = pytest.mark.parametrize("measure", MEASURES, ids=lambda each: each.name)


def labelled(*units):
    """Units as pairs of their length and their label."""
    lengths, labels = zip(*units, strict=True)
    whole = Segmentation.from_masses(lengths)
    return Segmentation(whole.length, whole.boundaries, np.array(labels))


@st.composite
def labelled_pairs(draw):
    return [draw(st.just(each) | typed(each)) for each in draw(pairs())]


@EACH
@given(pair=labelled_pairs())
def test_equals_its_twin(measure, pair):
    assert measure.count(*pair) == UnitCounts(*getattr(reference_units, measure.name)(*pair))


def test_by_hand():
    gold = labelled((2, OUTSIDE), (3, "seg"), (2, "seg"), (3, "seg"))
    ours = labelled((2, "seg"), (3, "seg"), (3, "seg"), (2, "seg"))
    assert Starts().count(ours, gold) == UnitCounts(2, 2, 1)
    assert UnitSpans().count(ours, gold) == UnitCounts(1, 3, 2)
    assert Discourse().count(ours, gold) == Starts().count(ours, gold)


def test_connectives_are_right_from_first_to_last():
    gold = labelled((1, OUTSIDE), (2, "conn"), (4, OUTSIDE), (1, "conn"), (1, OUTSIDE))
    ours = labelled((1, OUTSIDE), (1, "conn"), (5, OUTSIDE), (1, "conn"), (1, OUTSIDE))
    assert Starts().count(ours, gold) == UnitCounts(2, 0, 0)
    assert UnitSpans().count(ours, gold) == Discourse().count(ours, gold) == UnitCounts(1, 1, 1)


def test_f1_is_that_of_seg_eval_to_the_last_digit():
    counts = UnitCounts(1, 2, 4)
    p, r = 1 / 3, 1 / 5
    assert rates(Discourse(), counts) == {
        "discourse_precision": p,
        "discourse_recall": r,
        "discourse_f1": 2 * (p * r) / (p + r),
    }
    assert counts.score == counts.f1


@pytest.mark.parametrize(
    ("counts", "rates"),
    [
        ((0, 0, 0), (math.nan, math.nan, math.nan)),
        ((0, 0, 3), (math.nan, 0, 0)),
        ((0, 3, 0), (0, math.nan, 0)),
        ((0, 3, 3), (0, 0, 0)),
    ],
)
def test_undefined(counts, rates):
    found = UnitCounts(*counts)
    shown = found.precision, found.recall, found.f1
    assert shown == pytest.approx(rates, nan_ok=True)


@EACH
def test_lengths_that_differ(measure):
    with pytest.raises(SegmentationError):
        measure.count(at(3), at(4))
