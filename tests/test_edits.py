from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from caesura.align import ties
from caesura.align import words as module
from caesura.align.words import Edits, codes, edits
from caesura.errors import SegmentationError

MANY = settings(max_examples=200, deadline=None)
FEW = st.lists(st.integers(0, 2), max_size=24)
SOME = st.lists(st.integers(0, 40), max_size=40)
SECOND = 1_000_000


@st.composite
def changed(draw):
    """Words, and the same with some replaced, left out or followed by others."""
    words = draw(FEW | SOME)
    pieces = [[word] for word in words]
    new = st.lists(st.integers(0, 3), max_size=5)
    for place, piece in draw(st.lists(st.tuples(st.integers(0, 39), new), max_size=8)):
        if place < len(pieces):
            pieces[place] = piece
    return words, [word for piece in pieces for word in piece]


PAIRS = st.tuples(FEW, FEW) | st.tuples(SOME, SOME) | changed()


def as_codes(words):
    return np.array(words, dtype=np.int64)


def found(a, b, **times):
    return edits(as_codes(a), as_codes(b), **{side: as_codes(each) for side, each in times.items()})


def least_errors(a, b):
    """The slow twin: one row after another of the whole matrix."""
    above = list(range(len(b) + 1))
    for i, word in enumerate(a, start=1):
        row = [i]
        for j, other in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (word != other)))
        above = row
    return above[-1]


def least_errors_and_distance(a, b, times_a, times_b):
    """The slow twin with times: the least (errors, distance) of all alignments."""

    def apart(i, j):
        time = abs(times_a[i] - times_b[j]) if min(times_a[i], times_b[j]) >= 0 else 0
        return time + ties.SUBSTITUTION * (a[i] != b[j])

    above = [(j, 0) for j in range(len(b) + 1)]
    for i in range(len(a)):
        row = [(i + 1, 0)]
        for j in range(len(b)):
            both = above[j][0] + (a[i] != b[j]), above[j][1] + apart(i, j)
            one = [(errors + 1, time) for errors, time in (above[j + 1], row[-1])]
            row.append(min(both, *one))
        above = row
    return above[-1]


def distance(result, times_a, times_b):
    """How far aligned words lie apart in time, all together, with what substitutions add."""
    pairs = [
        (times_a[i], times_b[result.landing[i]]) for i in np.flatnonzero(result.is_aligned).tolist()
    ]
    time = int(sum(abs(one - other) for one, other in pairs if min(one, other) >= 0))
    return time + ties.SUBSTITUTION * result.substitutions


def assert_sound(a, b, result):
    """The alignment is one, and says of itself what is true."""
    assert result.landing.dtype == np.int64
    assert result.is_aligned.dtype == np.bool_
    assert result.landing.size == result.is_aligned.size == len(a)
    landing, is_aligned = result.landing.tolist(), result.is_aligned.tolist()
    last, hits = -1, 0
    for word, place, aligned in zip(a, landing, is_aligned, strict=True):
        if aligned:
            assert last < place < len(b)
            hits += word == b[place]
            last = place
        assert place == last
    aligned = sum(is_aligned)
    assert result.hits == hits
    assert result.substitutions == aligned - hits
    assert result.insertions == len(a) - aligned
    assert result.deletions == len(b) - aligned
    assert result.errors == result.substitutions + result.insertions + result.deletions


def noisy(number, rate, seed, *, vocabulary=5000):
    """What a recogniser with some word error rate hears, and what was said."""
    chance = np.random.default_rng(seed)

    def drawn(size):
        return (vocabulary ** chance.random(size)).astype(np.int64)

    said = drawn(number)
    heard = said.copy()
    kind = chance.choice(4, number, p=[1 - rate, rate / 2, rate / 4, rate / 4])
    heard[kind == 1] = drawn(int((kind == 1).sum()))
    times = np.array([1, 1, 0, 2])[kind]
    heard = np.repeat(heard, times)
    extra = (np.cumsum(times) - 1)[kind == 3]
    heard[extra] = drawn(extra.size)
    return heard, said


@contextmanager
def patched(**constants):
    """Other limits than those for real transcripts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in constants.items():
            patch.setattr(ties if hasattr(ties, name) else module, name, value)
        yield


def in_small_pieces(piece=4, string=2):
    """Even a few words are cut in pieces."""
    return patched(DIRECT=0, PIECE=piece, STRING=string, SAMPLE=1)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "", [[], []]),
        ("so", "", [[0], []]),
        ("it is so is it", "so", [[0, 1, 2, 1, 0], [2]]),
        ("a b", "b c a", [[0, 1], [1, 2, 0]]),
    ],
)
def test_words_are_numbered(a, b, expected):
    assert [each.tolist() for each in codes(a, b)] == expected


@given(st.lists(st.sampled_from(["é", "e\u0301", "א", "ab", "a"])))
def test_numbers_are_equal_where_words_are(words):
    one, other = codes(" ".join(words), " ".join(reversed(words)))
    assert one.tolist() == other[::-1].tolist()
    assert len(set(one.tolist())) == len(set(words))


@MANY
@given(PAIRS)
@example(([0, 1, 1, 0], []))
@example(([], [2]))
def test_no_alignment_has_fewer_errors(pair):
    a, b = pair
    result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors == least_errors(a, b) == Levenshtein.distance(a, b)
    assert result.is_certain


@MANY
@given(PAIRS)
def test_nor_where_the_words_are_cut_in_pieces(pair):
    a, b = pair
    with in_small_pieces():
        result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors == least_errors(a, b)
    assert result.is_certain


def test_there_really_are_pieces():
    heard, said = noisy(5000, 0.15, seed=1)
    with in_small_pieces(piece=64, string=4):
        cuts = module._cuts(heard, said)
    assert len(cuts) > 50
    assert all(i < to_i and j < to_j for (i, j), (to_i, to_j) in pairwise(cuts))


@settings(max_examples=30, deadline=None)
@given(PAIRS, st.data())
def test_wrong_cuts_are_mended(pair, data):
    a, b = pair
    place = st.tuples(st.integers(0, len(a)), st.integers(0, len(b)))
    many = data.draw(st.lists(place, max_size=4))
    cuts = sorted(zip(*(sorted(side) for side in zip(*many, strict=True)), strict=True))
    with patched(DIRECT=0, _cuts=lambda a, b: trimmed(cuts, a, b)):
        result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors == least_errors(a, b)


def trimmed(cuts, a, b):
    return [(i, j) for i, j in cuts if i <= a.size and j <= b.size]


@MANY
@given(PAIRS)
def test_beyond_the_budget_the_alignment_is_sound_but_not_certain(pair):
    a, b = pair
    with in_small_pieces(), patched(BUDGET=1):
        result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors >= least_errors(a, b)
    assert result.is_certain <= (result.errors == least_errors(a, b))


@pytest.mark.parametrize("budget", [2000, 20_000])
def test_beyond_the_budget_each_stretch_has_the_fewest_errors(budget):
    heard, said = noisy(8000, 0.2, seed=3)
    with in_small_pieces(piece=64, string=6), patched(BUDGET=budget):
        result = edits(heard, said)
    assert not result.is_certain
    least = Levenshtein.distance(heard.tolist(), said.tolist())
    assert least <= result.errors <= 1.001 * least


@pytest.mark.parametrize(
    ("number", "rate"), [(5000, 0), (5000, 0.05), (30_000, 0.15), (10_000, 0.3), (5000, 0.4)]
)
def test_errors_are_those_of_rapidfuzz_and_jiwer(number, rate):
    heard, said = noisy(number, rate, seed=number)
    with in_small_pieces(piece=256, string=4):
        result = edits(heard, said)
    assert_sound(heard.tolist(), said.tolist(), result)
    assert result.errors == Levenshtein.distance(heard.tolist(), said.tolist())
    jiwer = pytest.importorskip("jiwer")
    theirs = jiwer.process_words(*(" ".join(map(str, each.tolist())) for each in (said, heard)))
    assert result.errors == theirs.substitutions + theirs.deletions + theirs.insertions
    assert result.errors / said.size == theirs.wer
    assert result.insertions - result.deletions == theirs.insertions - theirs.deletions


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("added", [300, 6000])
def test_a_long_insertion_is_passed_over(added, swapped):
    heard, said = noisy(4000, 0.1, seed=5)
    foreign = np.arange(added) + 10**6
    pair = np.concatenate((heard[:2000], foreign, heard[2000:])), said
    with in_small_pieces(piece=64, string=4):
        result = edits(*(pair[::-1] if swapped else pair))
    assert result.errors == Levenshtein.distance(heard.tolist(), said.tolist()) + added


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.zeros(3000), np.zeros(2500)),
        (np.arange(3000) % 7, np.arange(2500) % 7),
        (np.arange(3000), np.arange(3000) + 3000),
        (np.arange(3000), np.roll(np.arange(3000), 1200)),
        (np.arange(3000), np.arange(3000)[::-1]),
        (np.arange(1500, 1510), np.arange(3000)),
        (np.arange(3000) * 2**50 - 2**60, np.arange(0, 3000, 2) * 2**50 - 2**60),
        (np.full(2, -1), np.full(2, -2)),
        (np.full(2, 2**61 - 1), np.zeros(2)),
    ],
    ids="same period foreign moved reversed short large negative prime".split(),
)
def test_odd_words(a, b):
    a, b = a.astype(np.int64), b.astype(np.int64)
    numbers = np.unique(np.concatenate((a, b)), return_inverse=True)[1].tolist()
    least = Levenshtein.distance(numbers[: a.size], numbers[a.size :])
    with in_small_pieces(piece=64, string=4):
        result = edits(a, b)
    assert_sound(a.tolist(), b.tolist(), result)
    assert result.errors == least


@pytest.mark.parametrize(
    ("a", "b", "landing", "aligned"),
    [
        ("so it is", "so it is", [0, 1, 2], "111"),
        ("well so it is", "so it is", [-1, 0, 1, 2], "0111"),
        ("so well it is", "so it is", [0, 0, 1, 2], "1011"),
        ("so it is well well", "so it is", [0, 1, 2, 2, 2], "11100"),
        ("so is", "so it is", [0, 2], "11"),
        ("so at is", "so it is", [0, 1, 2], "111"),
        ("we go", "we are going to go", [0, 4], "11"),
        ("we gonna go", "we are going to go", [0, 3, 4], "111"),
        ("we are going to go", "we gonna go", [0, 1, 1, 1, 2], "11001"),
        ("the the cat", "the cat", [0, 0, 1], "101"),
        ("", "the cat", [], ""),
        ("the cat", "", [-1, -1], "00"),
    ],
)
def test_where_words_land(a, b, landing, aligned):
    result = edits(*codes(a, b))
    assert result.landing.tolist() == landing
    assert "".join("01"[int(one)] for one in result.is_aligned) == aligned


@pytest.mark.parametrize(
    ("times_a", "aligned"),
    [([1, 2, 3], "101"), ([-1, -1, -1], "101"), ([0, 1, 3], "011"), ([0, 1, -1], "011")],
)
def test_of_a_word_said_twice_the_one_nearer_in_time_is_aligned(times_a, aligned):
    result = edits(*codes("the the cat", "the cat"), times_a=times(times_a), times_b=times([1, 3]))
    assert "".join("01"[int(one)] for one in result.is_aligned) == aligned


def times(seconds):
    return np.array([-1 if each < 0 else each * SECOND for each in seconds], dtype=np.int64)


def test_times_say_which_word_is_substituted():
    words = codes("we gonna go", "we are going to go")
    for middle, place in ((1, 1), (2, 2), (3, 3)):
        result = edits(*words, times_a=times([0, middle, 4]), times_b=times(range(5)))
        assert result.landing.tolist() == [0, place, 4]
        assert result.errors == 3


def test_times_say_whether_two_words_are_replaced_or_one_has_moved():
    words = codes("say x y now", "say y z now")
    moved = edits(*words, times_a=times([0, 1, 2, 4]), times_b=times([0, 2, 3, 4]))
    assert (moved.landing.tolist(), moved.hits, moved.errors) == ([0, 0, 1, 3], 3, 2)
    replaced = edits(*words, times_a=times([0, 1, 2, 4]), times_b=times([0, 1, 2, 4]))
    assert (replaced.landing.tolist(), replaced.hits, replaced.errors) == ([0, 1, 2, 3], 2, 2)


def test_a_phrase_said_twice_slides_as_a_whole():
    words = codes("i think i think so", "i think so")
    late = edits(*words, times_a=times([0, 1, 2, 3, 4]), times_b=times([2, 3, 4]))
    assert late.landing.tolist() == [-1, -1, 0, 1, 2]
    early = edits(*words, times_a=times([0, 1, 2, 3, 4]), times_b=times([0, 1, 4]))
    assert early.landing.tolist() == [0, 1, 1, 1, 2]


@st.composite
def timed(draw):
    """Two sequences of words with times, some unknown."""
    a, b = draw(PAIRS)
    unit = draw(st.sampled_from([1, SECOND // 10, SECOND]))
    time = st.integers(0, 30).map(lambda each: each * unit) | st.just(-1)
    drawn = [draw(st.lists(time, min_size=len(x), max_size=len(x))) for x in (a, b)]
    return a, b, *(sorted(each) if draw(st.booleans()) else each for each in drawn)


@MANY
@given(timed())
def test_times_add_no_errors_and_bring_words_nearer(drawn):
    a, b, times_a, times_b = drawn
    plain, near = found(a, b), found(a, b, times_a=times_a, times_b=times_b)
    assert_sound(a, b, near)
    assert near.errors == plain.errors
    assert distance(near, times_a, times_b) <= distance(plain, times_a, times_b)


@MANY
@given(timed())
def test_within_a_region_no_alignment_is_nearer_in_time(drawn):
    a, b, times_a, times_b = drawn
    arrays = [as_codes(each) for each in drawn]
    partner = module._partners(*arrays[:2])[0]
    regions = np.array([[0, 0, len(a), len(b)]], dtype=np.int64)
    if a and b:
        ties.Ties(*arrays, partner)._settle(regions, 64)
    result = module._told(*arrays[:2], partner, is_certain=True)
    assert_sound(a, b, result)
    errors = result.errors, distance(result, times_a, times_b)
    assert errors == least_errors_and_distance(a, b, times_a, times_b)


@MANY
@given(timed())
def test_regions_lie_apart_and_cover_edits_that_leave_a_choice(drawn):
    arrays = [as_codes(each) for each in drawn]
    partner = module._partners(*arrays[:2])[0]
    regions = ties.Ties(*arrays, partner)._regions()
    assert (regions[:, :2] <= regions[:, 2:]).all()
    assert (regions[:-1, 2:] <= regions[1:, :2]).all()
    for i, j, end_i, end_j in regions.tolist():
        assert i == 0 or j == 0 or partner[i - 1] == j - 1
        inside = partner[i:end_i]
        assert ((inside < 0) | ((inside >= j) & (inside < end_j))).all()


@pytest.mark.parametrize("rate", [0.05, 0.15, 0.3, 0.6])
def test_times_add_no_errors_to_long_transcripts(rate):
    heard, said = noisy(20_000, rate, seed=7, vocabulary=300)
    chance = np.random.default_rng(8)
    clocks = [np.sort(chance.integers(0, 9000 * SECOND, each.size)) for each in (heard, said)]
    with in_small_pieces(piece=256, string=5), patched(CELLS=1 << 15):
        plain = edits(heard, said)
        near = edits(heard, said, times_a=clocks[0], times_b=clocks[1])
    assert_sound(heard.tolist(), said.tolist(), near)
    assert near.errors == plain.errors
    assert distance(near, *clocks) < distance(plain, *clocks)


def test_a_region_that_is_too_large_is_left_as_it_is():
    a, b = np.arange(65), np.arange(100, 180)
    clocks = {"times_a": np.arange(65), "times_b": np.arange(80)}
    near, plain = edits(a, b, **clocks), edits(a, b)
    assert near.landing.tolist() == plain.landing.tolist()


def test_times_of_one_side_alone_change_nothing():
    result = edits(*codes("the the cat", "the cat"), times_a=times([0, 1, 3]))
    assert result.landing.tolist() == [0, 0, 1]


def test_times_must_be_as_many_as_words():
    with pytest.raises(SegmentationError, match="2 times for 3 words"):
        edits(*codes("a b c", "a"), times_a=times([1, 2]), times_b=times([1]))


@pytest.mark.parametrize(
    ("a", "b", "hits"),
    [
        ("you know then stopped", "then it stopped", 2),
        ("long term growth we're not there", "longterm growth we are not there", 3),
        ("say x y now", "say y z now", 3),
    ],
)
def test_of_as_many_errors_more_words_are_equal(a, b, hits):
    assert edits(*codes(a, b)).hits == hits


@MANY
@given(PAIRS)
def test_no_alignment_of_a_small_text_has_more_equal_words(pair):
    a, b = pair
    unknown = [-1] * len(a), [-1] * len(b)
    result = found(a, b)
    if max(len(a), len(b)) <= ties.PAD:
        least = least_errors_and_distance(a, b, *unknown)
        assert (result.errors, distance(result, *unknown)) == least


def test_errors_are_all_edits():
    result = edits(*codes("a x c e f", "a b c d e"))
    assert isinstance(result, Edits)
    counts = result.hits, result.substitutions, result.deletions, result.insertions
    assert (counts, result.errors) == ((3, 1, 1, 1), 3)
