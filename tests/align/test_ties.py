import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.align import words as module
from caesura.align.words import edits, word_ids
from caesura.errors import SegmentationError
from support.hypothesis_settings import MANY
from support.noisy_words import (
    PAIRS,
    as_codes,
    assert_sound,
    distance,
    found,
    in_small_pieces,
    least_errors_and_distance,
    noisy,
    patched,
    settled,
    timed,
    times,
)


@pytest.mark.parametrize(
    ("times_a", "aligned"),
    [([1, 2, 3], "101"), ([-1, -1, -1], "101"), ([0, 1, 3], "011"), ([0, 1, -1], "011")],
)
def test_of_a_word_said_twice_the_one_nearer_in_time_is_aligned(times_a, aligned):
    result = edits(
        *word_ids("the the cat", "the cat"), times_a=times(times_a), times_b=times([1, 3])
    )
    assert "".join("01"[int(one)] for one in result.is_aligned) == aligned


@MANY
@given(timed())
def test_times_add_no_errors_and_bring_words_nearer(drawn):
    a, b, times_a, times_b = drawn
    plain, near = found(a, b), found(a, b, times_a=times_a, times_b=times_b)
    assert_sound(a, b, near)
    assert near.errors == plain.errors
    assert distance(near, times_a, times_b) <= distance(plain, times_a, times_b)


@MANY
@given(timed(), st.booleans(), st.sampled_from([1, 200, 1 << 17]))
def test_ties_are_settled_as_by_the_slow_twin(drawn, is_timed, cells):
    a, b, times_a, times_b = drawn
    if not is_timed:
        times_a = [-1] * len(a)
    partner = module._partners(as_codes(a), as_codes(b))[0]
    expected = settled(a, b, times_a, times_b, partner)
    with patched(CELLS=cells):
        module.Ties(*map(as_codes, (a, b, times_a, times_b)), partner).settle()
    assert partner.tolist() == expected.tolist()


@MANY
@given(PAIRS)
def test_ties_at_seams_are_settled_as_by_the_slow_twin(pair):
    a, b = pair
    unknown = [-1] * len(a), [-1] * len(b)
    with in_small_pieces(), patched(MAX_STEPS=1):
        partner, seams = module._partners(as_codes(a), as_codes(b))
    expected = settled(a, b, *unknown, partner)
    module.Ties(*map(as_codes, (a, b, *unknown)), partner, seams).settle()
    assert partner.tolist() == expected.tolist()


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.6])
def test_ties_of_long_transcripts_are_settled_as_by_the_slow_twin(rate):
    heard, said = noisy(600, rate, seed=9, vocabulary=60)
    unknown = [-1] * heard.size, [-1] * said.size
    partner = module._partners(heard, said)[0]
    expected = settled(heard.tolist(), said.tolist(), *unknown, partner)
    assert (partner != expected).any()
    assert edits(heard, said).landing.tolist() == np.maximum.accumulate(expected).tolist()


@MANY
@given(timed())
def test_within_a_region_no_alignment_is_nearer_in_time(drawn):
    a, b, times_a, times_b = drawn
    arrays = [as_codes(each) for each in drawn]
    partner = module._partners(*arrays[:2])[0]
    regions = np.array([[0, 0, len(a), len(b)]], dtype=np.int64)
    if a and b:
        module.Ties(*arrays, partner)._settle(regions)
    result = module.edits_from_partners(*arrays[:2], partner, is_certain=True)
    assert_sound(a, b, result)
    errors = result.errors, distance(result, times_a, times_b)
    assert errors == least_errors_and_distance(a, b, times_a, times_b)


@MANY
@given(timed())
def test_regions_lie_apart_and_cover_edits_that_leave_a_choice(drawn):
    arrays = [as_codes(each) for each in drawn]
    partner = module._partners(*arrays[:2])[0]
    regions, _ = module.Ties(*arrays, partner)._regions()
    assert (regions[:, :2] <= regions[:, 2:]).all()
    assert (regions[:-1, 2:] <= regions[1:, :2]).all()
    for i, j, end_i, end_j in regions.tolist():
        assert i == 0 or j == 0 or partner[i - 1] == j - 1
        inside = partner[i:end_i]
        assert ((inside < 0) | ((inside >= j) & (inside < end_j))).all()


def test_a_region_that_is_too_large_is_left_as_it_is():
    a, b = np.arange(65), np.arange(100, 180)
    clocks = {"times_a": np.arange(65), "times_b": np.arange(80)}
    near, plain = edits(a, b, **clocks), edits(a, b)
    assert near.landing.tolist() == plain.landing.tolist()


def test_times_of_one_side_alone_change_nothing():
    result = edits(*word_ids("the the cat", "the cat"), times_a=times([0, 1, 3]))
    assert result.landing.tolist() == [0, 0, 1]


def test_times_must_be_as_many_as_words():
    with pytest.raises(SegmentationError, match="2 times for 3 words"):
        edits(*word_ids("a b c", "a"), times_a=times([1, 2]), times_b=times([1]))


@MANY
@given(PAIRS)
def test_no_alignment_of_a_small_text_has_more_equal_words(pair):
    a, b = pair
    unknown = [-1] * len(a), [-1] * len(b)
    result = found(a, b)
    if max(len(a), len(b)) <= module.PAD:
        least = least_errors_and_distance(a, b, *unknown)
        assert (result.errors, distance(result, *unknown)) == least
