"""Older scores by characters, against sets of places."""

import numpy as np
from hypothesis import given

import caesura
from caesura.measures.joint import AlignedTexts
from caesura.tasks._aligned_text import block_ends
from caesura.tasks.text.measures import Classic
from support.random_texts import any_pair, same_characters, text


def begins(sentences, unit):
    """The places at which units begin."""
    places, at = set(), 0
    for sentence in sentences:
        for number, token in enumerate(sentence):
            if unit == "token" or not number:
                places.add(at)
            at += len(token)
    return places, at


def counted(system, gold):
    return Classic().count(AlignedTexts.from_texts(text(system), text(gold)))


@given(same_characters().filter(lambda pair: pair[0]))
def test_where_characters_are_the_same_places_are_compared(pair):
    found = counted(*pair)
    for unit in ("sentence", "token"):
        (ours, _), (theirs, size) = (begins(side, unit) for side in pair)
        own = getattr(found, f"{unit}_begins")
        assert (own.tp, own.fp, own.fn) == (
            len(ours & theirs), len(ours - theirs), len(theirs - ours),
        )  # fmt: skip
        assert own.distance == len(ours ^ theirs)
        assert own.accuracy == (size - len(ours ^ theirs)) / size
        assert own.error + own.accuracy == 1


@given(any_pair())
def test_swapping_the_sides_swaps_what_is_missing_and_what_is_too_much(pair):
    one, other = counted(*pair), counted(*pair[::-1])
    for unit in ("sentence", "token"):
        mine, yours = (getattr(each, f"{unit}_begins") for each in (one, other))
        assert (mine.fp, mine.fn) == (yours.fn, yours.fp)


@given(any_pair().filter(lambda pair: pair[0] and pair[1]))
def test_blocks_add_up(pair):
    texts = AlignedTexts.from_texts(*map(text, pair))
    points = block_ends(texts, sentences=1)
    edges = texts.sentences.system[points], texts.sentences.gold[points]
    parts = Classic().count_parts(texts, *edges)
    assert sum(parts[1:], parts[0]) == Classic().count(texts)


def test_a_sentence_cut_in_two_by_hand():
    gold = ["Click here To view it .", "The end ."]
    ours = ["Click here", "To view it .", "The end ."]
    found = caesura.evaluate({"ours": ours}, gold=gold, also="classic")
    (system,) = found.systems.values()
    assert system.classic["sentences"]["accuracy"] == 0.96
    assert system.classic["sentences"]["distance"] == 1
    assert np.isclose(system.classic["sentences"]["f1"], 0.8)
    assert system.sentence_f1 == 0.4
