"""Systems that place sentences only: their sentences are scored, their tokens are not."""

import math

from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.measures.joint import JointCounts

SENTENCES = st.lists(
    st.lists(st.sampled_from(["it", "rained", "we", "left", "."]), min_size=1, max_size=4),
    min_size=1,
    max_size=5,
)
TEXTS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=3)


def text(sentences):
    return [" ".join(tokens) for tokens in sentences]


def keys_of(unit):
    return [f"{unit}_{name}" for name in ("tp", "fp", "fn", "precision", "recall", "f1")]


@given(TEXTS, st.booleans())
def test_sentences_are_the_same_and_tokens_undefined(pairs, has_other):
    ours = {f"d{at}": text(system) for at, (system, _) in enumerate(pairs)}
    gold = {"g": {f"d{at}": text(gold) for at, (_, gold) in enumerate(pairs)}}
    systems = {"s": ours, "t": ours} if has_other else {"s": ours}
    plain = caesura.evaluate(systems, gold=gold, force=True).summary.systems
    found = caesura.evaluate(systems, gold=gold, force=True, sentences_only=["s"]).summary.systems
    assert repr(found[1:]) == repr(plain[1:])
    both = [(found[0].micro, plain[0].micro), (found[0].macro, plain[0].macro)]
    both += zip(found[0].by_document.values(), plain[0].by_document.values(), strict=True)
    for own, as_ever in both:
        assert all(math.isnan(own[key]) for key in keys_of("token"))
        kept = [key for key in own if key not in keys_of("token")]
        assert repr([own[key] for key in kept]) == repr([as_ever[key] for key in kept])
    assert {found[0].macro_undefined[key] for key in keys_of("token")} == {len(pairs)}


@given(st.builds(JointCounts, *[st.integers(0, 3)] * 9))
def test_counts_of_tokens_are_undefined_only_without_any(counts):
    left_out = counts.without_tokens()
    has_sentences = counts.sentence_system + counts.sentence_gold > 0
    assert math.isnan(left_out.tokens_tp) == has_sentences
    if counts.token_system + counts.token_gold:
        found = counts.tokens_tp, counts.tokens_fp, counts.tokens_fn
        assert found == (counts.tokens.tp, counts.tokens.fp, counts.tokens.fn)
