import math
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import caesura
from caesura.core.counts import Matches
from caesura.errors import UsageError
from caesura.formats.texts import parse_tokens
from caesura.measures import joint
from caesura.measures.joint import AlignedTexts, Joint
from support import reference_text
from support.hypothesis_settings import MANY
from support.random_texts import any_pair, same_characters, text, triples
from support.rates import scores


def lines(*sentences):
    return [sentence.split() for sentence in sentences]


def both(system, gold, algorithm="blocks"):
    counts = Joint(algorithm).count(text(system), text(gold))
    return counts.sentences, counts.tokens


# What spec/text.md says of each: system, gold, sentences and tokens right, too many, missing.
EXAMPLES = {
    "Hebrew": (["B CL FL HM HNEIM"], ["B H CL FL HM H NEIM"], (1, 0, 0), (4, 1, 3)),
    "a contraction": (["I ca n't go ."], ["I can not go ."], (1, 0, 0), (3, 2, 2)),
    "Figures 1 and 2": (
        [
            "Click here",
            "To view it .",
            "He makes some good observations on a few of the picture 's .",
        ],
        [
            "Click here To view it .",
            "He makes some good observations on a few of the picture 's .",
        ],
        (1, 2, 1),
        (19, 0, 0),
    ),
    "Figure 3": (
        ["When No. 1 Isn 't the Best"],
        ["When No. 1 Is n't the Best"],
        (1, 0, 0),
        (5, 2, 2),
    ),
    "the header of an e-mail": (
        ["From : A To : B Subject : C"],
        ["From : A", "To : B", "Subject : C"],
        (0, 1, 3),
        (9, 0, 0),
    ),
    "repeated sentences": (["x y", "y", "z"], ["x", "y", "y", "z"], (2, 1, 2), (4, 0, 0)),
    "repeated tokens": (["> * * * W P"], ["> ** * W P"], (1, 0, 0), (4, 2, 1)),
    "tokens that are parts": (["bab a"], ["b a ba"], (1, 0, 0), (0, 2, 3)),
    "a missing sentence": (["a b .", "e f ."], ["a b .", "c d .", "e f ."], (2, 0, 1), (6, 0, 3)),
    "a missing first sentence": (["c d ."], ["a b .", "c d ."], (1, 0, 1), (3, 0, 3)),
    "a missing last sentence": (["a b ."], ["a b .", "c d ."], (1, 0, 1), (3, 0, 3)),
    "an added sentence": (["a b .", "c d .", "e f ."], ["a b .", "e f ."], (2, 1, 0), (6, 3, 0)),
    "another first sentence": (["x y", "a b"], ["p q", "a b"], (2, 0, 0), (2, 2, 2)),
    "another sentence between": (
        ["a b", "x y", "c d"], ["a b", "p q", "c d"], (3, 0, 0), (4, 2, 2),
    ),
    "another last sentence": (["a b", "x y"], ["a b", "p q"], (2, 0, 0), (2, 2, 2)),
    "another sentence": (["x y"], ["p q"], (1, 0, 0), (0, 2, 2)),
    "more at the end, differently": (["aaa"], ["aa", "x"], (0, 1, 2), (0, 1, 2)),
    "more at the start, differently": (["aaa"], ["x", "aa"], (0, 1, 2), (0, 1, 2)),
    "quotes": (["`` a ''"], ['" a "'], (1, 0, 0), (3, 0, 0)),
    "equal": (["a b .", "c ."], ["a b .", "c ."], (2, 0, 0), (5, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("system", "gold", "sentences", "tokens"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples(system, gold, sentences, tokens):
    assert both(lines(*system), lines(*gold)) == (Matches(*sentences), Matches(*tokens))


def test_the_rates_of_the_hebrew_example():
    counts = caesura.joint("B CL FL HM HNEIM", "B H CL FL HM H NEIM").tokens
    assert (counts.precision, counts.recall) == (4 / 5, 4 / 7)


def test_a_token_with_white_space_inside():
    system = lines("de 1 000 mètres")
    assert both(system, [["de", "1\u00a0000", "mètres"]])[1] == Matches(2, 2, 1)
    assert caesura.joint(system, [["de", "1 000", "mètres"]]).tokens == Matches(2, 2, 1)


# What the paper's algorithm makes of the same, where and why it differs.
LITERAL = {
    "Hebrew": (["B CL FL HM HNEIM"], ["B H CL FL HM H NEIM"], 0, 3),
    "a contraction": (["I ca n't go ."], ["I can not go ."], 0, 3),
    "repeated sentences": (["x y", "y", "z"], ["x", "y", "y", "z"], 1, 2),
    "repeated tokens": (["> * * * W P"], ["> ** * W P"], 1, 3),
    "tokens that are parts": (["bab a"], ["b a ba"], 1, 1),
    "Figures 1 and 2": (*EXAMPLES["Figures 1 and 2"][:2], 1, 19),
    "Figure 3": (*EXAMPLES["Figure 3"][:2], 1, 5),
    "the header of an e-mail": (*EXAMPLES["the header of an e-mail"][:2], 0, 9),
    "equal": (*EXAMPLES["equal"][:2], 2, 5),
}


@pytest.mark.parametrize(("system", "gold", "sentences", "tokens"), LITERAL.values(), ids=LITERAL)
def test_examples_of_the_literal_algorithm(system, gold, sentences, tokens):
    found = both(lines(*system), lines(*gold), "literal")
    assert tuple(matches.tp for matches in found) == (sentences, tokens)


@MANY
@given(any_pair())
@example([[], []])
@example([[], [["a", "b"], ["c"]]])
@example([[["a", "b"], ["c"]], []])
def test_the_literal_algorithm_equals_its_twin(pair):
    counts = Joint("literal").count(*map(text, pair))
    assert (counts.sentence_tp, counts.token_tp) == reference_text.literal(*pair)
    assert [counts.sentence_system, counts.sentence_gold] == [*map(len, pair)]


@MANY
@given(same_characters())
def test_equal_characters_are_scored_by_spans(pair):
    counts = Joint().count(*map(text, pair))
    wanted = reference_text.matches_of_equal_streams(*pair)
    assert (counts.sentence_tp, counts.token_tp) == wanted
    assert AlignedTexts.from_texts(*map(text, pair)).runs is None


@MANY
@given(any_pair())
@example([[["x"], ["a"]], [["p"], ["a"]]])
@example([[["a"], ["x"]], [["a"], ["p"]]])
@example([[["aaa"]], [["aa"], ["x"]]])
@example([[], [["a"]]])
def test_blocks_are_those_of_the_definition(pair):
    """The counts are those of the twin, given the same runs."""
    system, gold = pair
    ours, theirs = text(system), text(gold)
    counts = Joint().count(ours, theirs)
    whole = [(0, 0, len(ours.stream))]
    runs = AlignedTexts.from_texts(ours, theirs).runs
    found = whole if runs is None else triples(runs)
    assert counts.sentence_tp == reference_text.right_sentences(system, gold, found)
    assert counts.token_tp == reference_text.right_tokens(system, gold, found)
    assert [counts.token_system, counts.token_gold] == [sum(map(len, side)) for side in pair]
    assert [counts.characters_system, counts.characters_gold] == [
        len("".join(reference_text.flat(side))) for side in pair
    ]


SCRIPTS = {
    "Hebrew": [chr(0x5D0 + at) for at in range(26)],
    "Chinese": [chr(0x4E00 + at) for at in range(26)],
    "astral": [chr(0x10400 + at) for at in range(26)],
    "of all widths": [chr(first + at) for at in range(7) for first in (0x61, 0xE0, 0x5D0, 0x1F600)],
}


@MANY
@given(any_pair(), st.sampled_from(list(SCRIPTS)), st.randoms(use_true_random=False))
@example([[["ab"]], [["b"], ["a"]]], "Hebrew", random.Random(1))
def test_renaming_letters_changes_no_count(pair, script, chance):
    new = iter(chance.sample(SCRIPTS[script], 26))
    letters = sorted(
        {letter for side in pair for token in reference_text.flat(side) for letter in token}
    )
    names = str.maketrans({letter: next(new) for letter in letters})
    renamed = [[[token.translate(names) for token in each] for each in side] for side in pair]
    assert Joint().count(*map(text, renamed)) == Joint().count(*map(text, pair))


HEBREW = ["ובחולון בשער 7", ".", "המנה את"], ["הושגו ובחולון .", ".", "אורי עבר"]


def test_letters_of_several_bytes_are_one_character_each():
    counts = Joint().count(*(text(lines(*side)) for side in HEBREW))
    assert (counts.sentences, counts.tokens) == (Matches(3, 0, 0), Matches(2, 4, 4))
    assert (counts.aligned, counts.characters_system, counts.characters_gold) == (8, 19, 21)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_lose_no_sentence_where_words_differ(seed, script):
    """A text of 40 sentences with 18% of its words changed, in another script."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklm", k=chance.randint(1, 7))) for _ in range(300)]
    gold = [chance.choices(words, k=chance.randint(1, 15)) for _ in range(40)]
    system = [
        [chance.choice(words) if chance.random() < 0.18 else word for word in each] for each in gold
    ]
    names = str.maketrans(dict(zip("abcdefghijklm", SCRIPTS[script], strict=False)))
    renamed = [
        [[word.translate(names) for word in each] for each in side] for side in (system, gold)
    ]
    assert Joint().count(*map(text, renamed)) == Joint().count(text(system), text(gold))


def test_undefined_rates():
    empty_system = caesura.joint("", "a b")
    assert math.isnan(empty_system.tokens.precision)
    assert empty_system.tokens.recall == empty_system.tokens.f1 == 0
    empty_gold = caesura.joint("a b", "")
    assert empty_gold.tokens.precision == 0
    assert math.isnan(empty_gold.tokens.recall)
    nothing = caesura.joint("", "")
    assert all(math.isnan(value) for value in scores(nothing).values())
    assert math.isnan(nothing.score)
    assert math.isnan(nothing.aligned_share)


def test_what_is_aligned():
    counts = Joint().count(text([["abcd"]]), text([["abxd"]]))
    assert (counts.aligned, counts.aligned_share) == (3, 0.75)
    counts = Joint().count(text([["abcd"]]), text([["ab", "cd"]]))
    assert counts.aligned_share == 1


@pytest.mark.parametrize("size", [1000, 30_000])
def test_a_long_text_of_one_word(size):
    gold = [["the"] * 10] * (size // 10)
    system = [["the"] * 10] * (size // 10 - 1) + [["the"] * 9]
    assert both(system, gold)[1] == Matches(size - 1, 0, 1)


def test_texts_that_have_nothing_in_common():
    system, gold = [["ab"] * 20] * 500, [["xyz"] * 20] * 500
    counts = Joint().count(text(system), text(gold))
    assert counts.tokens == Matches(0, 10_000, 10_000)
    assert counts.aligned == 0


def test_a_huge_block_is_scored_by_the_tokens_that_both_have(monkeypatch):
    """A block of 6 and 6 tokens, of which two and two are on both sides."""
    monkeypatch.setattr(joint, "LARGEST", 4)
    counts = Joint().count(text(lines("k a a b b l")), text(lines("l d d e e k")))
    assert counts.tokens == Matches(1, 5, 5)


def test_a_block_that_is_too_large_is_an_error(monkeypatch):
    monkeypatch.setattr(joint, "LARGEST", 3)
    system = parse_tokens(b"\nk a a b b l", source="system.txt")
    gold = parse_tokens(b"l d d e e k", source="gold.txt")
    with pytest.raises(UsageError) as caught:
        Joint().count(system, gold)
    assert str(caught.value) == (
        "system.txt:2: 6 tokens cannot be aligned with 6 tokens from gold.txt:1 on, too many to "
        "compare one by one; check that both are the same text, or split them into documents"
    )


@given(any_pair())
def test_blocks_tile_both_sides(pair):
    ours, theirs = map(text, pair)
    alignment = AlignedTexts.from_texts(ours, theirs)
    for blocks, sizes in (
        (alignment.tokens, (ours.token_ends.size, theirs.token_ends.size)),
        (alignment.sentences, (ours.sentence_ends.size, theirs.sentence_ends.size)),
    ):
        assert (blocks.system[0], blocks.gold[0]) == (0, 0)
        assert (blocks.system[-1], blocks.gold[-1]) == sizes
        system, gold = blocks.sizes
        assert (system >= 0).all()
        assert (gold >= 0).all()
        assert (system + gold > 0).all()
        assert blocks.is_one_to_one.tolist() == ((system == 1) & (gold == 1)).tolist()


@given(same_characters())
def test_blocks_of_equal_characters_say_what_is_right(pair):
    alignment = AlignedTexts.from_texts(*map(text, pair))
    for blocks, right in (
        (alignment.tokens, alignment.right_tokens),
        (alignment.sentences, alignment.right_sentences),
    ):
        assert blocks.is_one_to_one.sum() == right


@given(any_pair())
def test_the_tokens_of_blocks_are_those_of_the_text(pair):
    alignment = AlignedTexts.from_texts(*map(text, pair))
    units = [alignment.units(at) for at in range(alignment.tokens.system.size - 1)]
    assert [token for ours, _ in units for token in ours] == reference_text.flat(pair[0])
    assert [token for _, theirs in units for token in theirs] == reference_text.flat(pair[1])


def test_a_text_knows_its_places():
    gold = parse_tokens(b"\na b\n\nc d e\n", source="gold.txt")
    assert gold.tokens(1, 4) == ["b", "c", "d"]
    assert [gold.sentence_of(at) for at in range(5)] == [0, 0, 1, 1, 1]
    assert [gold.place(at) for at in (0, 2, 4, 5)] == ["gold.txt:2", *["gold.txt:4"] * 3]
    assert parse_tokens(b"", source="x").place(0) == "x"
    assert np.array_equal(gold.sentence_offsets, [2, 5])
