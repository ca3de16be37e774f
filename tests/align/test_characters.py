"""Equal runs of two streams, and gaps between them; what one text has costs that, and no more."""

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from caesura.align.characters import common_prefix, common_suffix, equal_runs, precedes, slide
from caesura.measures.joint import AlignedTexts, Joint
from support import reference_text
from support.hypothesis_settings import MANY, times
from support.random_texts import WORDS, any_pair, text, triples

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


def stories(words):
    """Sentences that end in a mark; characters can be cut into tokens in one way only."""
    body = st.lists(st.sampled_from(words), min_size=1, max_size=8)
    return st.lists(body.map(lambda tokens: [*tokens, "."]), min_size=1, max_size=8)


STORIES = st.one_of(stories(WORDS), stories("ab"), stories(["a"]), stories(["the", "cat"]))


def without(sentences, *dropped):
    return [sentence for at, sentence in enumerate(sentences) if at not in dropped]


def assert_costs_only(sentences, *dropped):
    """Nothing but what was dropped is missing, whichever side it was dropped from."""
    short, whole = text(without(sentences, *dropped)), text(sentences)
    size = sum(len(sentences[at]) for at in dropped)
    missing = Joint().count(short, whole)
    assert (missing.sentences.fp, missing.tokens.fp) == (0, 0)
    assert (missing.sentences.fn, missing.tokens.fn) == (len(dropped), size)
    added = Joint().count(whole, short)
    assert (added.sentences.fn, added.tokens.fn) == (0, 0)
    assert (added.sentences.fp, added.tokens.fp) == (len(dropped), size)


@MANY
@given(STORIES, st.data())
def test_dropped_neighbours_cost_those_sentences(sentences, data):
    start = data.draw(st.integers(0, len(sentences) - 1))
    stop = data.draw(st.integers(start + 1, len(sentences)))
    assert_costs_only(sentences, *range(start, stop))


def split(sentences):
    return [sentence.split() for sentence in sentences]


def apart(size):
    """Places of which no two are neighbours."""
    return st.sets(st.integers(0, size - 1)).map(
        lambda drawn: sorted(at for at in drawn if at - 1 not in drawn)
    )


ONCE = (
    "air art bag bat box cat cow cup day dog ear egg eye fan fox gun hat ice ink jam key kid leg "
    "lip man map net nut oil owl pan pen pie pig rat sea sky sun tea toy"
).split()


@st.composite
def varied_stories(draw):
    """Sentences that have no word in common but the last.

    They have at least three words: the few letters of a shorter one between two that are dropped
    can all be found in these, in order, and then nothing tells which were meant.
    """
    words, sentences = draw(st.permutations(ONCE)), []
    while words:
        size = draw(st.integers(3, 9)) if len(words) > 11 else len(words)
        sentences.append([*words[:size], "."])
        words = words[size:]
    return sentences


@given(varied_stories(), st.data())
def test_dropped_sentences_cost_those_sentences(sentences, data):
    assert_costs_only(sentences, *data.draw(apart(len(sentences))))


@pytest.mark.parametrize(
    ("sentences", "dropped"),
    [
        (["the cat .", "the dog .", "a mat ."], [0, 2]),
        (["cat dog .", "the dog .", "mat .", "the dog ."], [0, 2]),
        (["It rained .", "It snowed .", "It rained ."], [0, 2]),
        (["He said so .", "She left .", "They said no .", "I stayed ."], [0, 2]),
    ],
)
def test_two_dropped_sentences_by_hand(sentences, dropped):
    assert_costs_only(split(sentences), *dropped)


def novel(seed, size):
    """Sentences of many different words, as texts have them."""
    chance = random.Random(seed)
    known = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(999)]
    return [[*chance.choices(known, k=chance.randint(3, 25)), "."] for _ in range(size)]


@pytest.mark.parametrize("size", [1, 10, 100, 500])
def test_a_missing_chapter_beside_other_differences(size):
    sentences = novel(1, 1000)
    system = [list(sentence) for sentence in without(sentences, *range(200, 200 + size))]
    system[10][0] = system[-10][0] = "#"
    counts = Joint().count(text(system), text(sentences))
    assert (counts.sentences.fp, counts.sentences.fn) == (0, size)
    lost = sum(map(len, sentences[200 : 200 + size]))
    assert (counts.tokens.fp, counts.tokens.fn) == (2, lost + 2)


def test_tokens_that_differ_in_a_sentence_that_comes_again():
    """They cost themselves, and not what lies between the sentence and its like."""
    notice = "This message is confidential and meant for the addressee only .".split()
    gold = [each for sentence in novel(1, 300)[::50] for each in (sentence, notice)]
    gold = [*novel(2, 50), *gold, *novel(3, 50)]
    system = [list(sentence) for sentence in gold]
    for number in (51, 55, 61):
        assert system[number] == notice
        system[number][0] = "Th1s"
    counts = Joint().count(text(system), text(gold))
    assert (counts.sentences.fp, counts.sentences.fn) == (0, 0)
    assert (counts.tokens.fp, counts.tokens.fn) == (3, 3)


@pytest.mark.parametrize("number", [1, 3, 10, 100])
def test_dropped_sentences_of_a_real_text(shared, number):
    lines = (shared / "data" / "text" / "ewt.gold.txt").read_text(encoding="utf-8").splitlines()
    dropped = random.Random(number).sample(range(0, len(lines), 2), number)
    counts = Joint().count(text(without(split(lines), *dropped)), text(split(lines)))
    lost = sum(len(lines[at].split()) for at in dropped)
    assert (counts.sentences.fp, counts.sentences.fn) == (0, number)
    assert (counts.tokens.fp, counts.tokens.fn) == (0, lost)


@pytest.mark.parametrize("word", ["the", "cat", "."])
def test_a_dropped_token_costs_that_token(word):
    gold = split(["the cat sat .", "the cat ran .", "the the cat ."])
    for number, sentence in enumerate(gold):
        for at, token in enumerate(sentence):
            if token == word:
                system = [*gold[:number], without(sentence, at), *gold[number + 1 :]]
                counts = Joint().count(text(system), text(gold))
                assert (counts.tokens.fp, counts.tokens.fn) == (0, 1)
                assert (counts.sentences.fp, counts.sentences.fn) == (0, 0)


def few_words():
    """Two short texts of very few different words, which can be aligned in many ways."""
    words = st.sampled_from([["the"], ["a", "b", "ab"], ["go", "not", "know", "would"]])
    sentences = words.flatmap(
        lambda known: st.lists(st.sampled_from(known), min_size=1, max_size=4)
    )
    return st.lists(st.lists(sentences, min_size=1, max_size=4), min_size=2, max_size=2)


@settings(max_examples=times(300))
@given(any_pair() | few_words())
@example([[["a", "b"], ["a"]], [["a"]]])
@example([[["aaa"]], [["aa"], ["x"]]])
@example([[["go"]], [["go", "not", "know"], ["go"], ["would"]]])
@example([[["the"] * 4, ["the"], ["the"] * 2], [["the"]]])
@example([[["the"] * 2, ["the"] * 2], [["the"], ["the"] * 2]])
def test_exchanging_system_and_gold_exchanges_precision_and_recall(pair):
    one, other = map(text, pair)
    forth, back = Joint().count(one, other), Joint().count(other, one)
    assert (forth.sentence_tp, forth.token_tp) == (back.sentence_tp, back.token_tp)
    assert forth.sentences.precision == pytest.approx(back.sentences.recall, nan_ok=True)
    assert forth.tokens.recall == pytest.approx(back.tokens.precision, nan_ok=True)
    assert forth.aligned == back.aligned


@MANY
@given(any_pair())
@example([[["ha", "haha"]], [["haha"]]])
@example([[["haha", "ha"]], [["haha"]]])
def test_sliding_keeps_runs_sound(pair):
    one, other = map(text, pair)
    before = equal_runs(one.stream, other.stream)
    after = slide(before, one, other)
    assert after.aligned == before.aligned
    end_a = end_b = 0
    for i, j, n in triples(after):
        assert one.stream[i : i + n] == other.stream[j : j + n]
        assert i >= end_a
        assert j >= end_b
        end_a, end_b = i + n, j + n
    assert end_a <= after.size_a == len(one.stream)
    assert end_b <= after.size_b == len(other.stream)
    assert triples(after) == [(0, 0, 0)] or after.length.min() > 0


@pytest.mark.parametrize(
    ("longer", "shorter", "starts", "size"),
    [
        ("the cat sat .\nthe cat ran .", "the cat ran .", {0}, 10),
        ("the cat sat .\nthe cat ran .", "the cat sat .", {10}, 10),
        ("a b .\na c .\na b .", "a b .\na b .", {3}, 3),
        ("the the cat", "the cat", {0, 3}, 3),
        ("ha haha", "haha", {0}, 2),
        ("haha ha", "haha", {4}, 2),
    ],
)
def test_where_a_gap_is_slid_to(longer, shorter, starts, size):
    """The gap begins and ends with units, on both sides; even where it was at the very end."""
    one, other = (text(split(each.splitlines())) for each in (longer, shorter))
    runs = AlignedTexts.from_texts(one, other).runs
    covered = {i + k for i, _, n in triples(runs) for k in range(n)}
    missing = sorted(set(range(len(one.stream))) - covered)
    assert missing in [list(range(start, start + size)) for start in starts]
