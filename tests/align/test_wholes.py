"""Whole sentences: of alignments that cost the same, one that keeps them."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.align.characters import equal_runs, slide
from caesura.align.wholes import keep_whole
from caesura.measures import joint
from caesura.measures.joint import AlignedTexts
from support import reference_text
from support.hypothesis_settings import MANY
from support.random_texts import text, triples

SENTENCES = st.sampled_from(
    ["no .", "no no .", "no no no .", "yes .", "yes no .", "I know .", "o .", "."]
)


@st.composite
def dropped(draw):
    """Short, repetitive sentences, of which the system lacks some."""
    gold = draw(st.lists(SENTENCES, min_size=1, max_size=6))
    kept = draw(st.lists(st.booleans(), min_size=len(gold), max_size=len(gold)))
    return [each for each, is_kept in zip(gold, kept, strict=True) if is_kept], gold


PAIRS = dropped() | st.tuples(st.lists(SENTENCES, max_size=4), st.lists(SENTENCES, max_size=5))


def aligned(system, gold):
    return AlignedTexts.from_texts(
        *(text([each.split() for each in side]) for side in (system, gold))
    )


def cost(alignment):
    """The edits of an alignment."""
    sizes = len(alignment.system.stream), len(alignment.gold.stream)
    runs = [(0, 0, 0), *triples(alignment.runs), (*sizes, 0)]
    return sum(max(i - a - n, j - b - n) for (a, b, n), (i, j, _) in pairwise(runs))


@MANY
@given(PAIRS)
@example((["no no .", "I know ."], ["no .", "no no .", "yes .", "I know ."]))
@example((["no no no .", "yes no ."], ["no no .", "yes no .", "no no no .", "yes .", "yes no ."]))
def test_as_many_sentences_as_any_alignment_of_the_fewest_edits_keeps(pair):
    found = aligned(*pair)
    streams = [["".join(each.split()) for each in side] for side in pair]
    assert found.right_sentences >= reference_text.most_whole(*streams)


@MANY
@given(PAIRS)
def test_as_many_sentences_and_no_more_edits_or_as_many_equal_characters_as_before(pair):
    system, gold = (text([each.split() for each in side]) for side in pair)
    if system.stream == gold.stream:
        return
    runs = slide(equal_runs(system.stream, gold.stream), system, gold)
    before = AlignedTexts(system, gold, runs)
    after = AlignedTexts(system, gold, keep_whole(runs, system, gold))
    assert cost(after) <= cost(before) or after.aligned >= before.aligned
    assert after.right_sentences >= before.right_sentences
    for i, j, size in triples(after.runs):
        assert system.stream[i : i + size] == gold.stream[j : j + size]
    for (a, b, n), (i, j, _) in pairwise(triples(after.runs)):
        assert a + n <= i
        assert b + n <= j


@pytest.mark.parametrize(
    ("system", "gold", "sentences", "tokens"),
    [
        (["no no .", "I know ."], ["no .", "no no .", "yes .", "I know ."], 2, 6),
        # One word is missing here and another there: replacing characters takes fewer edits.
        (
            ["It was very .", "I would extremely not go ."],
            ["It was very pleased .", "I would not go ."],
            *(2, 9),
        ),
        # Of chains that cost the same, the one that leaves a sentence of each text between them.
        (["the the", "the the"], ["the", "the the"], 2, 3),
    ],
)
def test_by_hand(system, gold, sentences, tokens):
    found = aligned(system, gold)
    assert (found.right_sentences, found.right_tokens) == (sentences, tokens)


@pytest.mark.parametrize("seed", range(3))
def test_words_dropped_before_and_after_the_ends_of_sentences(seed):
    """All sentences are right, though characters of the dropped words could replace each other."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(4, 9))) for _ in range(999)]
    gold = [[*chance.choices(words, k=chance.randint(5, 12)), "."] for _ in range(200)]
    system = [sentence.copy() for sentence in gold]
    for at in range(0, 200, 2):
        del system[at][-2]
        system[at + 1].insert(2, chance.choice(words))
    found = AlignedTexts.from_texts(text(system), text(gold))
    assert found.right_sentences >= 199


@pytest.mark.parametrize("seed", range(3))
def test_sentences_dropped_from_a_long_dialogue(seed, monkeypatch):
    """Most of what is torn without it is whole."""
    chance = random.Random(seed)
    kinds = ["no .", "no no .", "yes .", "I know .", "so it is , they said ."]
    gold = [chance.choice(kinds) + f" {at} ." * (at % 7 == 0) for at in range(600)]
    system = [each for each in gold if chance.random() < 0.9]
    found = aligned(system, gold).right_sentences
    monkeypatch.setattr(joint, "keep_whole", lambda runs, *_: runs)
    before = aligned(system, gold).right_sentences
    assert len(system) - found <= (len(system) - before) / 2
