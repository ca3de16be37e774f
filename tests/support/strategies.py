"""Random segmentations for hypothesis, and what the slow twins need of them."""

import numpy as np
from hypothesis import strategies as st

from caesura.core.measure import PairMeasure, PanelMeasure, ReferenceMeasure
from caesura.core.measure_table import MeasureTable
from caesura.core.segmentation import OUTSIDE, Segmentation, panel
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.measures import MEASURES

FINALS = st.sampled_from(["drop", "keep"])
ON_WORDS = {
    name: each
    for name, each in ((name, MEASURES[name]) for name in MEASURES.asked_for)
    if each.has_words and issubclass(each, (PairMeasure, PanelMeasure, ReferenceMeasure))
}
"""The measures of boundaries on words that are counted where they are asked for."""
ALSO = tuple(name for name, each in ON_WORDS.items() if each.cut != "whole")
TASKS = st.builds(
    Transcript,
    window=st.integers(0, 6),
    final=FINALS,
    tolerance=st.integers(0, 4),
    k=st.integers(0, 8),
    near=st.integers(1, 5),
    also=st.just(ALSO),
)
LENGTHS = st.integers(0, 60) | st.sampled_from([0, 1, 2])
MARKS = [*".?!;", ""]
LABELS = ["seg", "conn", OUTSIDE]


def positions(length):
    """Sets of boundaries: none, all, few or many of them."""
    if not length:
        return st.just(set())
    one = st.integers(0, length - 1)
    many = st.lists(st.booleans(), min_size=length, max_size=length)
    return st.one_of(
        st.just(set()),
        st.just(set(range(length))),
        st.sets(one, max_size=5),
        many.map(lambda drawn: {j for j, is_one in enumerate(drawn) if is_one}),
    )


@st.composite
def shifted(draw, original, length):
    """The same boundaries, each moved by up to three words or left out."""
    moves = st.sampled_from([None, -3, -2, -1, 0, 0, 0, 1, 2, 3])
    drawn = {j: draw(moves) for j in sorted(original)}
    moved = {j + move for j, move in drawn.items() if move is not None}
    return {j for j in moved if 0 <= j < length}


@st.composite
def groups(draw, least, most, *, length=None):
    """Segmentations of one length, the later ones often near misses of the first."""
    length = draw(LENGTHS) if length is None else length
    size = draw(st.integers(least, most))
    first = draw(positions(length))
    others = [draw(positions(length) | shifted(first, length)) for _ in range(size - 1)]
    return [Segmentation.from_positions(sorted(each), length) for each in [first, *others]]


def segmentations():
    return groups(1, 1).map(lambda members: members[0])


def pairs():
    """A candidate and a reference."""
    return groups(2, 2)


def panels(least=1, most=6):
    return groups(least, most).map(panel)


def judged(least=1, most=6):
    """A candidate and a panel of references."""
    return groups(least + 1, most + 1).map(lambda members: (members[0], panel(members[1:])))


@st.composite
def typed_pairs(draw):
    """A candidate and a reference, all boundaries with marks (or the empty mark)."""
    return [draw(typed(each)) for each in draw(pairs())]


def typed(segmentation, marks=None):
    """The same segmentation with marks, or with labels."""
    if marks is None:
        return typed(segmentation, MARKS) | typed(segmentation, LABELS)
    size = segmentation.boundaries.size
    marks = st.lists(st.sampled_from(marks), min_size=size, max_size=size)
    return marks.map(
        lambda drawn: Segmentation(
            segmentation.length, segmentation.boundaries, np.array(drawn, dtype=np.str_)
        )
    )


def counted(segmentation, final):
    """The boundaries that count, as the twins take them."""
    every = set(segmentation.boundaries.tolist())
    return every if final == "keep" else every - {segmentation.length - 1}


def counted_each(panel, final):
    return [counted(member, final) for member in panel.members]


def room(segmentation, final):
    """The number of positions that could hold a boundary."""
    return len(range(segmentation.length) if final == "keep" else range(1, segmentation.length))


def each_of(counts, documents):
    """The counts of each document, of counts whose fields are arrays."""
    return [*MeasureTable.from_arrays(counts, np.zeros(1, np.int64), documents).each()]


def masses(*lengths):
    return Segmentation.from_masses(lengths)


def at(length, *boundaries):
    return Segmentation.from_positions(list(boundaries), length)
