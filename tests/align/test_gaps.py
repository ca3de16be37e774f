"""What one text has and the other lacks costs that, and nothing beside it."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from caesura.align.characters import equal_runs, slide
from caesura.measures.joint import AlignedTexts, Joint
from support.hypothesis_settings import MANY, times
from support.random_texts import WORDS, any_pair, text, triples


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
