"""Each measure says how documents may be cut into blocks, whose counts add up to the whole's."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.api.lists import MEASURES
from caesura.core.measure import DocumentMeasure
from caesura.core.score import ALSO
from caesura.core.segmentation import Panel
from caesura.core.treebank_table import AnnotatedText
from caesura.formats.conllu import parse_conllu
from caesura.measures.joint import AlignedTexts
from caesura.measures.windows import mean_k
from caesura.tasks import TASKS as OBJECTS
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.pairings import measures_of, straddled
from caesura.tasks.trees.format import parse_brackets
from support.hypothesis_settings import MANY
from support.random_texts import conllu, same_characters, text
from support.reference_segments import part
from support.strategies import TASKS, groups, typed

CUTTABLE = [
    name
    for name, each in OBJECTS["transcript"].measures.items()
    if each.cut != "whole" and not issubclass(each, DocumentMeasure)
]
OF_TEXTS = ["joint", "treebank", "words", "brackets", "breakdown"]
"""The measures of aligned texts whose blocks are counted alone."""


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


def seen(start, end, segmentation, k):
    """A block and the k words after it: what windows that begin in it see."""
    stop = min(end + k, segmentation.length)
    inner = part(segmentation, start, max(start, stop - 1))
    return replace(inner, length=stop - start) if stop > start else inner


def counted(measure, versions, start, end):
    """The counts of one block, at the end of which the whole may not end."""
    if measure.name == "windows":
        k = measure.k or mean_k(versions[1].length, versions[1].boundaries.size)
        return replace(measure, k=k).count(*(seen(start, end, each, k) for each in versions[:2]))
    is_inner = end < len(versions[0]) and "final" in {field.name for field in fields(measure)}
    own = replace(measure, final="drop") if is_inner else measure
    return own.count(*sides(measure, [part(each, start, end) for each in versions]))


@st.composite
def cut(draw):
    """A task, versions with and without marks, scores of the first, and where to cut."""
    length = draw(st.integers(1, 80))
    versions = draw(groups(2, 5, length=length))
    if draw(st.booleans()):
        versions = [draw(typed(each)) for each in versions]
    scores = draw(st.lists(st.floats(0, 1, width=16), min_size=length, max_size=length))
    places = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return draw(TASKS), versions, np.array(scores, np.float32), places


@MANY
@given(cut())
def test_blocks_add_up_to_the_whole(case):
    """For every measure that allows it."""
    task, drawn, scores, is_end = case
    for name in CUTTABLE:
        also = (name,) if MEASURES[name].asked_by == ALSO else ()
        own = replace(task, also=also, missing="vary" if "extent" in name else "")
        (measure,) = (each for each in measures_of(own) if each.name == name)
        has_scores = "ranking" in name
        versions = [replace(drawn[0], scores=scores), *drawn[1:]] if has_scores else drawn
        ends = [place + 1 for place in allowed(measure, versions) if is_end[place]]
        edges = pairwise([0, *ends, len(versions[0])])
        total = sum((counted(measure, versions, *each) for each in edges), measure.counts.zero())
        assert total == measure.count(*sides(measure, versions)), name


def test_a_transcript_with_a_measure_of_the_whole_is_not_cut():
    task = Transcript(also=("coders",))
    assert not task.has_blocks
    assert [each.name for each in measures_of(task) if each.cut == "whole"] == ["coders"]


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
    if name == "words":
        return MEASURES[name]({"a", "bc"}).count(AlignedTexts.from_texts(text(one), text(other)))
    if MEASURES[name].kind == "trees":
        return MEASURES[name]().count(parsed(one), parsed(other))
    return MEASURES[name]().count(annotated(one), annotated(other), None)


@pytest.mark.parametrize("name", OF_TEXTS)
@given(same_characters().filter(lambda pair: pair[0]), same_characters().filter(lambda p: p[0]))
def test_texts_add_up_where_sentences_of_both_sides_end(name, first, second):
    whole = [one + other for one, other in zip(first, second, strict=True)]
    assert text_counts(name, whole) == text_counts(name, first) + text_counts(name, second)
