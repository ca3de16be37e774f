"""Excerpts in chunks, against a slow twin and the figures of Chroma's data."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.chunks.measures import SCALE, ChunkBoundaries, Excerpts
from caesura.communities.chunks.offsets import Chunks, Excerpt, Questions
from support.reference_chunks import omega

LENGTH = 40
SPANS = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 12)).map(
    lambda each: (each[0], min(each[0] + each[1], LENGTH))
)
QUESTIONS = st.lists(st.lists(SPANS, min_size=1, max_size=3), min_size=1, max_size=4)
TEXTS = st.text("ab", min_size=LENGTH, max_size=LENGTH)


def questions(excerpts):
    return Questions(tuple(tuple(Excerpt(*span) for span in own) for own in excerpts))


@given(st.lists(SPANS, max_size=8), QUESTIONS, TEXTS)
def test_excerpts_are_as_their_slow_twin(spans, excerpts, text):
    chunks = Chunks.from_spans(spans)
    counts = Excerpts().count(chunks, questions(excerpts), text)
    ours = [omega(sorted(spans), own) for own in excerpts]
    moved = [(text.find(text[a:b]), text.find(text[a:b]) + b - a) for a, b in spans]
    theirs = [omega(moved, own, touching=True) for own in excerpts]
    assert counts.omega == sum(round(each[0] * SCALE) for each in ours)
    assert counts.omega_chroma == sum(round(each[0] * SCALE) for each in theirs)
    assert (counts.touched, counts.cut) == (sum(o[1] for o in ours), sum(o[2] for o in ours))
    assert counts.touched_chroma == sum(each[1] for each in theirs)


@given(st.lists(SPANS, max_size=6), QUESTIONS, TEXTS, st.integers(0, 4))
def test_questions_add_up(spans, excerpts, text, at):
    chunks, gold = Chunks.from_spans(spans), questions(excerpts)
    edges = np.array([0, min(at, len(excerpts)), len(excerpts)])
    one, other = Excerpts.count_parts(chunks, gold, text, edges)
    assert one + other == Excerpts().count(chunks, gold, text)


def test_boundaries_do_not_count_the_end_of_the_text():
    ours, gold = Chunks.from_spans([(0, 4), (4, 9)]), Chunks.from_spans([(0, 4), (4, 6), (6, 9)])
    counts = ChunkBoundaries().count(ours, gold, "a" * 9)
    assert (counts.tp, counts.fp, counts.fn) == (1, 0, 1)
