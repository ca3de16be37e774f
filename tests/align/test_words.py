from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from caesura.align import words as module
from caesura.align.versions import project, require_one_axis
from caesura.align.words import edits, fewest_errors, word_ids
from caesura.core.segmentation import Document, Segmentation
from caesura.errors import WordsDifferError
from caesura.formats.plain import parse
from support.hypothesis_settings import MANY
from support.noisy_words import (
    PAIRS,
    as_codes,
    assert_sound,
    found,
    in_small_pieces,
    least_errors,
    noisy,
    patched,
)


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
    assert [each.tolist() for each in word_ids(a, b)] == expected


@given(st.lists(st.sampled_from(["é", "e\u0301", "א", "ab", "a"])))
def test_numbers_are_equal_where_words_are(words):
    one, other = word_ids(" ".join(words), " ".join(reversed(words)))
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


@given(PAIRS, st.data())
def test_wrong_cuts_are_mended(pair, data):
    a, b = pair
    place = st.tuples(st.integers(0, len(a)), st.integers(0, len(b)))
    many = data.draw(st.lists(place, max_size=4))
    cuts = sorted(zip(*(sorted(side) for side in zip(*many, strict=True)), strict=True))
    with patched(MAX_DIRECT_CELLS=0, _cuts=lambda a, b: trimmed(cuts, a, b)):
        result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors == least_errors(a, b)


def trimmed(cuts, a, b):
    return [(i, j) for i, j in cuts if i <= a.size and j <= b.size]


@MANY
@given(PAIRS)
def test_beyond_the_budget_the_alignment_is_sound_but_not_certain(pair):
    a, b = pair
    with in_small_pieces(), patched(MAX_STEPS=1):
        result = found(a, b)
    assert_sound(a, b, result)
    assert result.errors >= least_errors(a, b)
    assert result.is_certain <= (result.errors == least_errors(a, b))


@pytest.mark.parametrize("budget", [2000, 20_000])
def test_beyond_the_budget_each_stretch_has_the_fewest_errors(budget):
    heard, said = noisy(8000, 0.2, seed=3)
    with in_small_pieces(piece=64, string=6), patched(MAX_STEPS=budget):
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
    result = edits(*word_ids(a, b))
    assert result.landing.tolist() == landing
    assert "".join("01"[int(one)] for one in result.is_aligned) == aligned


@MANY
@given(PAIRS, st.sampled_from([1, 2**40]), st.booleans())
def test_numbers_of_words_do_not_matter_unless_texts_are_cut(pair, factor, negative):
    a, b = (as_codes(each) for each in pair)
    sign = -1 if negative else 1
    one, other = edits(a, b), edits(sign * factor * a, sign * factor * b)
    assert one.landing.tolist() == other.landing.tolist()
    assert one.is_aligned.tolist() == other.is_aligned.tolist()


@MANY
@given(PAIRS)
def test_words_of_one_side_alone_are_not_told_apart(pair):
    a, b = (as_codes(each) for each in pair)
    with patched(BYTE=3, MANY_WORDS=0):
        ours, theirs = module._shared(a, b)
    assert ((ours == 0) == ~np.isin(a, b)).all()
    assert ((theirs == 1) == ~np.isin(b, a)).all()
    same = ours[:, None] == theirs
    assert (same == (a[:, None] == b)).all()
    assert ours[ours > 1].size == 0 or ours.max() == np.unique(ours[ours > 1]).size + 1


@MANY
@given(PAIRS)
def test_kept_words_are_the_matching_blocks_of_rapidfuzz(pair):
    a, b = (module._words(as_codes(each)) for each in pair)
    i, j = module._hits(a, b)
    blocks = Levenshtein.editops(a, b).as_matching_blocks()
    expected = [(each.a + k, each.b + k) for each in blocks for k in range(each.size)]
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == expected


@pytest.mark.parametrize(("number", "other"), [(5000, 5000), (5000, 4000), (4000, 5000)])
def test_nothing_in_common_is_as_aligned_by_rapidfuzz(number, other):
    a, b = np.arange(number), np.arange(other) + number
    result = edits(a, b)
    assert_sound(a.tolist(), b.tolist(), result)
    assert result.errors == fewest_errors(a, b) == max(number, other)
    assert result.landing[0] == max(0, other - number)


@MANY
@given(PAIRS, st.sampled_from([1, 1 << 31]))
def test_fewest_errors_are_those_of_the_alignment(pair, budget):
    a, b = (as_codes(each) for each in pair)
    assert fewest_errors(a, b) == edits(a, b).errors
    with in_small_pieces(), patched(MAX_STEPS=budget):
        assert fewest_errors(a, b) == edits(a, b).errors


@pytest.mark.parametrize(
    ("a", "b", "hits"),
    [
        ("you know then stopped", "then it stopped", 2),
        ("long term growth we're not there", "longterm growth we are not there", 3),
        ("say x y now", "say y z now", 3),
    ],
)
def test_of_as_many_errors_more_words_are_equal(a, b, hits):
    assert edits(*word_ids(a, b)).hits == hits


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=15)


def document(words, positions=(), marks=None):
    return Document(Segmentation.from_positions(positions, len(words), marks), " ".join(words))


def carried(ours, theirs, positions):
    found = project(document(ours.split(), positions), document(theirs.split()))
    return found.document.segmentation.positions().tolist(), found.counts


@pytest.mark.parametrize(
    ("ours", "theirs", "positions", "landed", "merged", "lost"),
    [
        ("a b c d", "a x c d", [1], [1], 0, 0),  # a substituted word
        ("a b new c d", "a b c d", [2], [1], 0, 0),  # after an inserted word: to the one before
        ("a b new c d", "a b c d", [1, 2], [1], 1, 0),  # two that land together count once
        ("new a b", "a b", [0], [], 0, 1),  # nothing before it
        ("a b c d", "a b x y c d", [1], [1], 0, 0),  # the axis has more words
        ("a b c new", "a b c", [2], [], 1, 0),  # at the end, which everybody has
    ],
)
def test_where_a_boundary_lands(ours, theirs, positions, landed, merged, lost):
    got, counts = carried(ours, theirs, positions)
    assert (got, counts.merged, counts.lost) == (landed, merged, lost)


def test_marks_travel_with_their_boundaries():
    moved = project(parse("is it? yes it is. good!"), parse("was it yes it is good")).document
    assert moved.segmentation.boundaries.tolist() == [1, 4, 5]
    assert moved.segmentation.marks.tolist() == ["?", ".", "!"]


@given(WORDS, WORDS, st.data())
def test_carrying_is_sound(ours, theirs, data):
    positions = data.draw(st.sets(st.integers(0, len(ours) - 1)))
    axis = document(theirs)
    found = project(document(ours, sorted(positions)), axis)
    moved, counts = found.document, found.counts
    inner = positions - {len(ours) - 1}
    assert counts.errors == Levenshtein.distance(ours, theirs)
    assert counts.words == len(theirs)
    assert moved.segmentation.length == len(theirs)
    assert moved.segmentation.positions().size == len(inner) - counts.merged - counts.lost
    require_one_axis(axis, [moved])


@given(WORDS, st.data())
def test_equal_words_are_left_as_they_are(words, data):
    positions = data.draw(st.sets(st.integers(0, len(words) - 1)))
    ours = document(words, sorted(positions))
    assert project(ours, document(words)).document is ours


@given(WORDS, WORDS)
def test_the_first_difference_is_found(ours, theirs):
    a, b = document(ours), document(theirs)
    assume(ours != theirs)
    shared = next(
        (i for i, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y),
        min(len(ours), len(theirs)),
    )
    with pytest.raises(WordsDifferError, match=f"at word {shared + 1}:"):
        require_one_axis(a, [b])


def test_a_word_that_is_the_beginning_of_another():
    with pytest.raises(
        WordsDifferError, match=r"at word 2: here “it \[rain\]”, in .*“it \[rains\]”"
    ):
        require_one_axis(parse("it rains"), [parse("it rain")])
    with pytest.raises(WordsDifferError, match=r"at word 2: here “it” is the end"):
        require_one_axis(parse("it rains"), [parse("it")])
