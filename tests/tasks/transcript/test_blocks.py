"""Blocks of transcripts: their counts add up to the document's, for every measure."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caesura.align.versions import Versions
from caesura.core.segmentation import Document, Segmentation
from caesura.tasks.transcript import pairings
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.pairings import block_edges
from support.reference_scores import sums_of
from support.strategies import TASKS, groups, typed

pytestmark = pytest.mark.slow
WITH_VALUES = ("windows@2", "windows@9", "tolerant@2")
"""Measures that are counted once more, with another value of an option."""


@st.composite
def versions(draw):
    """Up to two systems and three references of one length, with marks or without."""
    length = draw(st.integers(0, 200) | st.just(1))
    members = draw(groups(2, 5, length=length))
    if draw(st.booleans()):
        members = [draw(typed(each)) for each in members]
    systems = draw(st.integers(0, min(2, len(members) - 1)))
    made = [Document(each) for each in members]
    return (
        {f"s{at}": each for at, each in enumerate(made[:systems])},
        {f"r{at}": each for at, each in enumerate(made[systems:])},
    )


@settings(max_examples=100)
@given(versions(), TASKS, st.sampled_from([1, 3, 10]))
def test_blocks_add_up_to_the_document_for_every_measure(case, task, words):
    systems, references = case
    task = replace(task, also=(*task.also, *WITH_VALUES))
    whole = sums_of(count_documents("d", systems, references, task))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairings, "BLOCK_WORDS", words)
        rows = count_documents("d", systems, references, replace(task, blocks=True))
    assert sums_of(rows) == whole


@given(versions(), TASKS)
def test_blocks_tile_the_document(case, task):
    systems, references = case
    length = next(iter(references.values())).segmentation.length
    if length:
        edges = block_edges(Versions(references, systems), task).tolist()
        assert (edges[0], edges[-1]) == (0, length)
        assert all(start < end for start, end in pairwise(edges))


def speech(length, seed, *names):
    """Versions that resemble each other, as those of a talk do."""
    draw = np.random.default_rng(seed)
    true = draw.random(length) < 0.07
    made = {}
    for name in names:
        ends = (true & (draw.random(length) > 0.25)) | (draw.random(length) < 0.02)
        made[name] = Document(Segmentation.from_binary(ends))
    return made


def test_a_talk_has_a_block_for_some_50_words():
    made = speech(1600, 1, "a", "b", "c", "x", "y")
    systems, references = ({n: made[n] for n in names} for names in ("xy", "abc"))
    edges = block_edges(Versions(references, systems), Transcript())
    assert 25 <= len(edges) - 1 <= 32
    assert len(block_edges(Versions(references, systems), Transcript(window=30))) < len(edges)


def test_runs_of_different_systems_have_most_blocks_in_common():
    made = speech(5000, 2, "a", "b", "c", "x", "y")
    references = {name: made[name] for name in "abc"}
    ends = [
        set(block_edges(Versions(references, {name: made[name]}), Transcript())[1:].tolist())
        for name in "xy"
    ]
    assert len(ends[0] & ends[1]) > 0.5 * max(map(len, ends))


def test_a_long_transcript_has_no_more_than_1000_blocks():
    made = speech(200_000, 3, "a", "x")
    edges = block_edges(Versions({"a": made["a"]}, {"x": made["x"]}), Transcript())
    assert 900 < len(edges) - 1 <= 1000
