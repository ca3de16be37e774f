"""Systems that place sentences only: their sentences are scored, their tokens are not."""

import math

from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.measures.joint import JointCounts
from support.random_texts import any_pair


@given(st.lists(any_pair().filter(all), min_size=1, max_size=3))
def test_sentences_are_the_same_and_tokens_undefined(pairs):
    ours, gold = ({f"d{at}": pair[side] for at, pair in enumerate(pairs)} for side in (0, 1))
    plain, found = (
        caesura.evaluate({"s": ours, "t": ours}, gold=gold, force=True, sentences_only=names)
        for names in ([], ["s"])
    )
    assert repr(found.systems["t"]) == repr(plain.systems["t"])
    (own, *_), (as_ever, *_) = found.summary.systems, plain.summary.systems
    tokens = {key for key in own.micro if key.startswith("token_")}
    both = [(own.micro, as_ever.micro), (own.macro, as_ever.macro)]
    both += zip(own.by_document.values(), as_ever.by_document.values(), strict=True)
    for scores, usual in both:
        assert all(math.isnan(scores[key]) for key in tokens)
        kept = [key for key in scores if key not in tokens]
        assert repr([scores[key] for key in kept]) == repr([usual[key] for key in kept])
    assert {own.macro_undefined[key] for key in tokens} == {len(pairs)}


@given(st.builds(JointCounts, *[st.integers(0, 3)] * 9))
def test_counts_of_tokens_are_undefined_only_without_any(counts):
    left_out = counts.without_tokens()
    has_sentences = counts.sentence_system + counts.sentence_gold > 0
    assert math.isnan(left_out.known_tokens.tp) == has_sentences
    if counts.token_system + counts.token_gold:
        assert counts.known_tokens == counts.tokens
