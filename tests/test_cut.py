"""Each measure says how documents may be cut: the counts of the parts add up to the whole's."""

from dataclasses import fields, replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caesura.api.lists import MEASURES
from caesura.core.segmentation import Panel
from caesura.core.task import ALSO
from caesura.core.treebank import AnnotatedText
from caesura.formats.brackets import parse_brackets
from caesura.formats.conllu import parse_conllu
from caesura.measures.base import Cut
from caesura.measures.joint import AlignedTexts
from caesura.tasks import TASKS as OBJECTS
from caesura.tasks.blocks import Block, part, straddled
from caesura.tasks.pairings import measures_of
from caesura.tasks.transcript import Transcript
from strategies import TASKS, groups, typed
from texts import conllu, same_characters, text

CUTTABLE = [name for name, each in OBJECTS["transcript"].measures.items() if each.cut != "whole"]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_says_how_it_may_be_cut(name):
    assert vars(MEASURES[name]).get("cut") in get_args(Cut)


def sides(measure, versions):
    """What a measure takes: a candidate and a reference, or the panel of the others."""
    if measure.kind == "pair":
        return versions[:2]
    panel = Panel(tuple(versions[1:]))
    return [panel] if measure.kind == "references" else [versions[0], panel]


def allowed(measure, versions):
    """After which words a document may be cut."""
    length = len(versions[0])
    if measure.cut != "spans":
        return list(range(length - 1))
    one, other = sides(measure, versions)
    is_pair = measure.kind == "pair"
    spans = [measure.spans(one, other)] if is_pair else [*measure.spans([one], other)]
    return np.flatnonzero(~straddled(length, spans)[:-1]).tolist()


def counted(measure, versions, block):
    """The counts of one part, at the end of which the whole may not end."""
    if measure.cut == "overlap":
        k = measure.overlap(versions[1])
        return replace(measure, k=k).count(*(block.seen(each, k) for each in versions[:2]))
    is_inner = not block.is_last and "final" in {field.name for field in fields(measure)}
    own = replace(measure, final="drop") if is_inner else measure
    return own.count(*sides(measure, [part(each, block.start, block.end) for each in versions]))


@settings(max_examples=100)
@pytest.mark.parametrize("name", CUTTABLE)
@given(st.data())
def test_parts_add_up_to_the_whole(name, data):
    also = (name,) if MEASURES[name].asked_by == ALSO else ()
    task = replace(data.draw(TASKS), also=also)
    (measure,) = (each for each in measures_of(task) if each.name == name)
    length = data.draw(st.integers(1, 80))
    versions = data.draw(groups(2, 5, length=length))
    if data.draw(st.booleans()):
        versions = [data.draw(typed(each)) for each in versions]
    places = allowed(measure, versions)
    chosen = data.draw(st.sets(st.sampled_from(places))) if places else set()
    ends = [0, *(place + 1 for place in sorted(chosen)), length]
    blocks = [Block(start, end, length) for start, end in pairwise(ends)]
    total = sum((counted(measure, versions, each) for each in blocks), measure.counts.zero())
    assert total == measure.count(*sides(measure, versions))


def test_a_transcript_with_a_measure_of_the_whole_is_not_cut():
    assert not Transcript(su=True).has_blocks
    assert [each.name for each in measures_of(Transcript(su=True)) if each.cut == "whole"] == ["su"]


def annotated(sentences):
    return AnnotatedText(parse_conllu(conllu(*sentences).encode()), text(sentences))


def parsed(sentences):
    """Trees over sentences: a bracket around each, and around every two tokens."""
    lines = []
    for each in sentences:
        leaves = [f"(T {token})" for token in each]
        pairs = [f"(P {' '.join(leaves[at : at + 2])})" for at in range(0, len(leaves), 2)]
        lines.append(f"(TOP (S {' '.join(pairs)}))")
    return parse_brackets("\n".join(lines).encode())


def text_counts(name, pair):
    one, other = ([each for each in side if each] for side in pair)
    if name == "joint":
        return MEASURES[name]().count(text(one), text(other))
    if name in ("words", "diff"):
        return MEASURES[name]().count(AlignedTexts.from_texts(text(one), text(other)), {"a", "bc"})
    if MEASURES[name].kind == "trees":
        return MEASURES[name]().count(parsed(one), parsed(other))
    return MEASURES[name]().count(annotated(one), annotated(other), None)


@pytest.mark.parametrize("name", [name for name, each in MEASURES.items() if each.cut == "sync"])
@given(same_characters().filter(lambda pair: pair[0]), same_characters().filter(lambda p: p[0]))
def test_texts_add_up_where_sentences_of_both_sides_end(name, first, second):
    whole = [one + other for one, other in zip(first, second, strict=True)]
    assert text_counts(name, whole) == text_counts(name, first) + text_counts(name, second)
