import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from caesura.align.characters import common_prefix, common_suffix, equal_runs, precedes
from support import reference_text
from support.hypothesis_settings import MANY
from support.random_texts import text, triples

CHARACTERS = st.one_of(
    st.text(max_size=40), st.text("ab", max_size=60), st.text("abcdé日😀", max_size=60)
)


@st.composite
def edited(draw):
    """Two streams, the second made of the first by few or many changes."""
    one = draw(CHARACTERS)
    pieces = list(one)
    changes = st.lists(st.tuples(st.integers(0, 59), st.sampled_from(["", "a", "ab", "zzz"])))
    for place, new in draw(changes):
        if place < len(pieces):
            pieces[place] = new
    return one, "".join(pieces)


PAIRS = st.tuples(CHARACTERS, CHARACTERS) | edited()


def gaps(runs):
    """What lies between the runs, before and after them: begin and end in both streams."""
    found = [(i, j, n) for i, j, n in triples(runs) if n]
    before = [(0, 0), *((i + n, j + n) for i, j, n in found)]
    after = [*((i, j) for i, j, _ in found), (runs.size_a, runs.size_b)]
    return [(i, to_i, j, to_j) for (i, j), (to_i, to_j) in zip(before, after, strict=True)]


def assert_sound(a, b, runs):
    """Runs are equal, ascend, do not touch each other and could not be longer."""
    assert (runs.size_a, runs.size_b) == (len(a), len(b))
    assert triples(runs) == [(0, 0, 0)] or runs.length.min() > 0
    assert all(a[i : i + n] == b[j : j + n] for i, j, n in triples(runs))
    between = gaps(runs)
    assert all(i <= to_i and j <= to_j for i, to_i, j, to_j in between)
    assert all((i, j) != (to_i, to_j) for i, to_i, j, to_j in between[1:-1])


def assert_maximal(a, b, runs):
    """No run could go on into the gap beside it, on both sides at once."""
    for i, to_i, j, to_j in gaps(runs):
        if i < to_i and j < to_j:
            assert a[i] != b[j]
            assert a[to_i - 1] != b[to_j - 1]


@MANY
@given(PAIRS)
def test_runs_are_sound(pair):
    runs = equal_runs(*pair)
    assert_sound(*pair, runs)
    assert_maximal(*pair, runs)


@MANY
@given(PAIRS)
@example(("dbcabdcaccadcdbdbabccdcadbdcddabcdaccda", "bbbccdaaaaadadbcabdcaadcaccdcbadabbabac"))
def test_short_streams_have_the_fewest_edits(pair):
    a, b = pair
    runs = equal_runs(a, b)
    assert edits(runs) == reference_text.fewest_edits(a, b)
    assert max(len(a), len(b)) - edits(runs) <= runs.aligned <= LCSseq.similarity(a, b)


RENAMED = st.permutations([*"abxyzé日本😀𐐷"]).map(
    lambda new: str.maketrans("abcdéz日😀xy", "".join(new))
)


@MANY
@given(PAIRS, RENAMED)
@example(("ab", "ba"), str.maketrans("ab", "ba"))
def test_renaming_characters_changes_no_run(pair, names):
    renamed = equal_runs(*(each.translate(names) for each in pair))
    assert triples(renamed) == triples(equal_runs(*pair))


@MANY
@given(PAIRS, RENAMED)
@example(("ab", "ba"), str.maketrans("ab", "ba"))
def test_one_of_two_texts_precedes_the_other_by_any_name(pair, names):
    one, other = (text([[each or "-"]]) for each in pair)
    renamed = [text([[(each or "-").translate(names)]]) for each in pair]
    assert precedes(*renamed) == precedes(one, other)
    if len(one.stream) != len(other.stream):
        assert precedes(one, other) != precedes(other, one)


def edits(runs):
    """What the runs leave to be changed, put in or left out."""
    return sum(max(to_i - i, to_j - j) for i, to_i, j, to_j in gaps(runs))


@pytest.mark.parametrize("words", [2, 5, 20, 200])
@pytest.mark.parametrize("rate", [0.001, 0.01, 0.05])
def test_few_differences_in_a_text_that_repeats_itself(words, rate):
    """Nearly as few edits as there can be, though what follows a difference comes again later."""
    a = story(words, 12_000, words=words)
    b = typed_badly(words, a, rate)
    best = Levenshtein.distance(a, b)
    assert best <= edits(equal_runs(a, b)) <= 1.1 * best + 2


@pytest.mark.parametrize("seed", range(3))
def test_streams_that_differ_within_a_window_have_the_fewest_edits(seed):
    """What is equal before and after may be of any length."""
    middle, around = story(seed, 4000, "abcd", words=30), BOOK[:20_000]
    a, b = (around + each + around for each in (middle, typed_badly(seed, middle, 0.3)[:4000]))
    assert edits(equal_runs(a, b)) == edits(equal_runs(b, a)) == Levenshtein.distance(a, b)


@pytest.mark.parametrize("distance", [100, 1000, 5000, 50_000])
def test_a_difference_in_a_passage_that_comes_again(distance):
    passage = "thismessageisconfidentialandmeantfortheaddresseeonly"
    parts = [BOOK[at : at + distance] for at in range(0, 4 * distance, distance)]
    a = passage.join(parts)
    changed = [f"#{passage[1:]}", passage, f"#{passage[1:]}"]
    b = "".join(part + add for part, add in zip(parts, [*changed, ""], strict=True))
    assert equal_runs(a, b).aligned == len(a) - 2


@given(CHARACTERS, CHARACTERS, CHARACTERS, CHARACTERS)
def test_at_least_the_beginning_and_the_end_are_aligned(begin, one, other, end):
    runs = equal_runs(begin + one + end, begin + other + end)
    assert runs.aligned >= len(begin) + len(end)


@pytest.mark.parametrize("size", [0, 1, 10, 23, 24, 25, 100])
@pytest.mark.parametrize("around", ["", "same"])
def test_a_little_against_very_much(size, around):
    a, b = around + "x" * size + around, around + "y" * 5000 + around
    runs = equal_runs(a, b)
    assert_sound(a, b, runs)
    assert runs.aligned == 2 * len(around)


@given(PAIRS)
@example(("", ""))
@example(("ab", "xyz"))
def test_offsets_at_the_same_place_of_a_run_have_one_number(pair):
    a, b = pair
    runs = equal_runs(a, b)
    for side in ("left", "right"):
        ours = runs.axis_a(np.arange(len(a) + 1), side).tolist()
        theirs = runs.axis_b(np.arange(len(b) + 1), side).tolist()
        assert ours == sorted(set(ours))
        assert theirs == sorted(set(theirs))
        shared = {
            (i + k, j + k)
            for i, j, n in triples(runs)
            for k in (range(1, n + 1) if side == "left" else range(n))
        }
        found = {(i, theirs.index(x)) for i, x in enumerate(ours) if x in theirs}
        assert shared <= found
        assert all(point in shared or is_an_edge(point, runs) for point in found)


def is_an_edge(point, runs):
    """Whether two offsets are at an end of the same gap, in which a's part comes before b's."""
    edges = (((i, j), (to_i, to_j), (to_i, j)) for i, to_i, j, to_j in gaps(runs))
    return any(point in each for each in edges)


@given(PAIRS)
def test_offsets_of_one_stream_in_the_other(pair):
    a, b = pair
    runs = equal_runs(a, b)
    inside = {j + k: i + k for i, j, n in triples(runs) for k in range(1, n + 1)}
    expected = [inside.get(offset, len(a) + 1) for offset in range(len(b) + 1)]
    assert runs.from_b_to_a(np.arange(len(b) + 1)).tolist() == expected


@given(PAIRS)
def test_where_gaps_are(pair):
    a, b = pair
    runs = equal_runs(a, b)
    before, begins = runs.gaps()
    found = [j for i, to_i, j, to_j in gaps(runs) if (i, j) != (to_i, to_j)]
    assert begins.tolist() == found
    ends = [0, *(j + n for _, j, n in triples(runs))]
    assert [ends[number] for number in before.tolist()] == found


@pytest.mark.parametrize("size", [0, 1, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("sign", ["a", "c", "é", "😀"])
def test_common_prefix_and_suffix(size, sign):
    a, b, longer = "a" * size, "a" * size + "ba", "a" * size + sign * 2
    same = size + 2 if sign == "a" else size
    assert common_prefix(a, b) == common_prefix(b, a) == size
    assert common_prefix(longer, a + "aa") == same
    assert common_prefix(longer, longer) == size + 2
    assert common_prefix("x" + longer, longer, 1, 0) == size + 2
    turned, other = longer[::-1], "aa" + a
    assert common_suffix(turned, other, size + 2, size + 2, size + 2) == same
    assert common_suffix(turned + "x", turned, size + 2, size + 2, size) == size


def story(seed, size, letters="etaoinshrdlcumwfgypbvk", words=5000):
    """Random words of a language, without blanks."""
    chance = random.Random(seed)
    known = ["".join(chance.choices(letters, k=chance.randint(1, 10))) for _ in range(words)]
    return "".join(chance.choices(known, k=size // 5))[:size]


def typed_badly(seed, stream, rate):
    """The same with one character of many left out, changed or added."""
    chance = random.Random(seed)
    pieces = list(stream)
    for place in chance.sample(range(len(pieces)), int(len(pieces) * rate)):
        pieces[place] = chance.choice(["", "#", pieces[place] + "#"])
    return "".join(pieces)


MEGABYTE = 1_000_000
BOOK = story(1, MEGABYTE)


def shuffled(stream, size=60):
    parts = [stream[at : at + size] for at in range(0, len(stream), size)]
    random.Random(2).shuffle(parts)
    return "".join(parts)


LONG = {
    "few differences": lambda: (BOOK, typed_badly(3, BOOK, 0.001), 0.99),
    "many differences": lambda: (BOOK, typed_badly(3, BOOK, 0.02), 0.97),
    "few differences in two letters": lambda: (
        story(4, MEGABYTE, "ab"), typed_badly(3, story(4, MEGABYTE, "ab"), 0.001), 0.99,
    ),
    "a missing chapter": lambda: (
        BOOK[:300_000] + BOOK[400_000:], typed_badly(3, BOOK, 0.0005), 0.99,
    ),
    "a repeated chapter": lambda: (
        BOOK[:400_000] + BOOK[300_000:], typed_badly(3, BOOK, 0.0005), 0.99,
    ),
    "chapters exchanged": lambda: (BOOK[400_000:] + BOOK[:400_000], BOOK, 0.59),
    "shuffled sentences": lambda: (BOOK, shuffled(BOOK), 0),
    "another language": lambda: (BOOK, story(5, MEGABYTE // 2, "αβγδεζηθικλμ"), 0),
    "another book": lambda: (BOOK, story(6, MEGABYTE), 0),
    "the book backwards": lambda: (BOOK, BOOK[::-1], 0),
    "one letter": lambda: ("a" * MEGABYTE, "a" * 400_000 + "b" + "a" * MEGABYTE, 1),
    "a period": lambda: ("ab" * 500_000 + "c", "c" + "ab" * 500_000, 0.99),
    "noise in two letters": lambda: (
        story(7, 200_000, "ab", 10**4), story(8, 200_000, "ab", 10**4), 0.3,
    ),
}  # fmt: skip
"""Makes a pair of streams, and says what share of their characters is aligned at least."""


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_streams(name):
    """Runs are sound and maximal, and other names for the characters change none."""
    a, b, share = LONG[name]()
    runs = equal_runs(a, b)
    assert_sound(a, b, runs)
    assert_maximal(a, b, runs)
    assert runs.aligned >= share * min(len(a), len(b))
    letters = sorted({*a, *b})
    others = [chr(0x5D0 + at if at % 3 else 0x10400 - at) for at in range(len(letters))]
    names = str.maketrans(dict(zip(letters, others[::-1], strict=True)))
    assert triples(equal_runs(a.translate(names), b.translate(names))) == triples(runs)


@pytest.mark.parametrize("missing", [100, 1000, 10_000, 100_000, 500_000])
def test_what_follows_a_missing_chapter_is_aligned_at_once(missing):
    """A typo before and after, so that the chapter is neither at the start nor at the end."""
    short = BOOK[:200_000] + BOOK[200_000 + missing :]
    short = short[:1000] + "#" + short[1001:-1000] + "#" + short[-999:]
    runs = equal_runs(short, BOOK)
    assert runs.aligned == len(short) - 2
