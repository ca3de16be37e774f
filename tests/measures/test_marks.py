import math

import numpy as np
import pytest
from hypothesis import given

from caesura.core.segmentation import Segmentation
from caesura.measures.marks import MarkCounts, Marks
from support import reference_transcript as reference
from support.hypothesis_settings import MANY
from support.rates import scores
from support.strategies import FINALS, MARKS, at, counted, typed_pairs

NAMES = {"": "unmarked", reference.ABSENT: "none"}


def marked(length, marks):
    """A segmentation from the marks of its boundaries; the end is added without a mark."""
    return Segmentation.from_positions(list(marks), length, np.array(list(marks.values())))


def marks_by_position(segmentation, final):
    kept = counted(segmentation, final)
    every = zip(segmentation.boundaries.tolist(), segmentation.marks.tolist(), strict=True)
    return {j: mark for j, mark in every if j in kept}


@MANY
@given(typed_pairs(), FINALS)
def test_equals_its_twin(pair, final):
    counts = Marks(final).count(*pair)
    table = reference.confusion(*(marks_by_position(each, final) for each in pair))
    named = {(NAMES.get(a, a), NAMES.get(b, b), n) for (a, b), n in table.items()}
    assert set(counts.confusion) == named
    assert list(counts.confusion) == sorted(counts.confusion)
    slots = reference.typed_slots(table)
    assert slots == {name: getattr(counts, name) for name in slots}
    for mark in MARKS:
        found = counts.of(NAMES.get(mark, mark))
        assert (found.tp, found.fp, found.fn) == reference.mark_scores(table, mark)


@given(typed_pairs(), FINALS)
def test_rates_follow_from_the_slots(pair, final):
    counts = Marks(final).count(*pair)
    placed, wanted = (len(counted(each, final)) for each in pair)
    errors = counts.substitutions + counts.deletions + counts.insertions
    expected = {
        "typed_precision": reference.ratio(counts.correct, placed),
        "typed_recall": reference.ratio(counts.correct, wanted),
        "typed_f1": reference.ratio(2 * counts.correct, placed + wanted),
        "typed_ser": reference.ratio(errors, wanted),
    }
    assert scores(counts) == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_the_right_place_with_a_wrong_mark_is_one_substitution():
    counts = Marks().count(marked(9, {3: "?", 5: "."}), marked(9, {3: ".", 5: ".", 7: "!"}))
    assert counts.confusion == (("!", "none", 1), (".", ".", 1), (".", "?", 1))
    assert counts.ser == 2 / 3
    assert counts.marks == ["!", ".", "?"]
    full_stop = counts.of(".")
    assert (full_stop.precision, full_stop.recall) == (1, 1 / 2)
    assert math.isnan(counts.of("!").precision)
    assert math.isnan(counts.of(";").f1)


def test_a_side_without_marks_counts_nothing():
    plain, typed = at(9, 3), marked(9, {3: "."})
    assert Marks().count(plain, typed) == Marks().count(typed, plain) == MarkCounts.zero()
    assert all(math.isnan(rate) for rate in scores(MarkCounts.zero()).values())
