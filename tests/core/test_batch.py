"""Batches: many documents counted in one pass give what each gives alone, for every measure."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.bits import alternate, bits_of, moved_down, moved_up, sizes
from caesura.core.counts import Counts
from caesura.core.measure import PairMeasure, ReferenceMeasure
from caesura.core.segmentation import Document, Panel
from caesura.core.table import CountTable
from caesura.errors import SegmentationError
from caesura.measures.boundary import Boundary, Consensus, Either, Tolerant
from caesura.run.inputs import Case
from caesura.tasks import TASKS as OBJECTS
from caesura.tasks.transcript import pairings
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.pairings import measures_of
from support.hypothesis_settings import MANY
from support.strategies import ALSO, FINALS, ON_WORDS, at, each_of, groups, typed

LENGTHS = st.integers(0, 30) | st.sampled_from([0, 1, 2])


@st.composite
def documents(draw, members):
    """Some versions of some documents, some of them with marks."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        versions = draw(groups(members, members, length=draw(LENGTHS)))
        if draw(st.booleans()):
            versions = [draw(typed(each) | st.just(each)) for each in versions]
        found.append(versions)
    return found


def batches(found):
    """Each version of all documents."""
    return [SegmentationBatch.from_segmentations(each) for each in zip(*found, strict=True)]


TASKS = st.builds(
    Transcript,
    window=st.integers(0, 9) | st.just(1000),
    final=FINALS,
    tolerance=st.integers(0, 5) | st.just(1000),
    k=st.integers(0, 8) | st.sampled_from([50, 300]),
    near=st.integers(1, 5) | st.just(1000),
    also=st.just(ALSO),
)


OF_BOUNDARIES = [
    name
    for name, each in OBJECTS["transcript"].measures.items()
    if each.asked_by != "also" or name in ON_WORDS
]


@MANY
@given(TASKS, st.integers(2, 6).flatmap(documents))
def test_many_documents_are_counted_as_each_alone(task, found):
    """For every measure of boundaries on words."""
    for name in OF_BOUNDARIES:
        own = replace(task, also=tuple(ON_WORDS), missing="vary" if "extent" in name else "")
        (measure,) = (each for each in measures_of(own) if each.name == name)
        cases = with_scores(found) if "ranking" in name else found
        together, alone = counted_both_ways(measure, cases)
        assert each_of(together, len(cases)) == alone, name
        assert type(together) is measure.counts


def with_scores(found):
    """The same with systems that have scores, without documents that have no words."""
    return [
        [replace(own[0], scores=np.linspace(0, 1, len(own[0]), dtype=np.float32)), *own[1:]]
        for own in found
        if len(own[0])
    ]


def counted_both_ways(measure, found):
    """The counts of many documents in one pass, and of each."""
    if not found:
        return measure.counts.zero(), []
    ours, *theirs = batches(found)
    if measure.kind == "pair":
        alone = [measure.count(each[0], each[1]) for each in found]
        return measure.count_each(ours, theirs[0]), alone
    panel = PanelBatch.from_members(theirs)
    if measure.kind == "panel":
        alone = [measure.count(each[0], Panel(tuple(each[1:]))) for each in found]
        return measure.count_each(ours, panel), alone
    return measure.count_each(panel), [measure.count(Panel(tuple(each[1:]))) for each in found]


@dataclass(frozen=True, slots=True)
class Shared(Counts):
    boundaries: int


class OfReferences(ReferenceMeasure):
    """A measure as a plug-in may have it, which counts one document at a time."""

    counts = Shared

    def count(self, panel):
        first, *others = ({*each.boundaries.tolist()} for each in panel.members)
        return Shared(sum(len(first & each) for each in others))


@given(documents(3))
def test_a_measure_of_references_that_counts_one_document_counts_many(found):
    together = OfReferences().count_each(PanelBatch.from_members(batches(found)))
    alone = [OfReferences().count(Panel(tuple(each))) for each in found]
    assert each_of(together, len(found)) == alone


def test_lengths_must_be_the_same_in_every_document():
    one, other = (SegmentationBatch.from_segmentations([at(4), at(size)]) for size in (5, 7))
    for measure in (Boundary(), Tolerant()):
        with pytest.raises(SegmentationError, match="5 items cannot be compared with 7"):
            measure.count_each(one, other)
    for measure in (Consensus(), Either()):
        with pytest.raises(SegmentationError, match="5 items cannot be compared with 7"):
            measure.count_each(one, PanelBatch.from_members([other, other]))


@given(st.data(), TASKS, st.integers(0, 2))
def test_documents_are_counted_together_as_one_by_one(data, task, systems):
    names = ["a", "b", "c", "d"]
    found = [
        tuple({name: Document(each) for name, each in zip(side, versions, strict=True)}
              for side, versions in ((names[:systems], each[:systems]),
                                     (names[systems:], each[systems:])))
        for each in data.draw(documents(len(names)))
    ]  # fmt: skip
    also = data.draw(st.sampled_from([(), ("choi",), ("discourse", "choi", "spans")]))
    task = replace(task, also=also)
    cases = [Case(f"d{number}", *each) for number, each in enumerate(found)]
    assert task.count_many(cases) == CountTable.from_tables([task.count(case) for case in cases])


def test_what_cannot_be_counted_together():
    one, other = Document(at(4)), Document(at(4, 2))
    same = [Case("a", {"s": one}, {"r": other})] * 2
    assert Transcript().count_many(same) is not None
    ways = {"align": True, "by": "speaker", "streams": "speaker", "axis": "time", "blocks": True}
    for options in ({name: value} for name, value in ways.items()):
        assert Transcript(**options).count_many(same) is None
    assert Transcript().count_many([]) is None
    assert Transcript().count_many([Case("a", {"s": one}, {})]) is None
    assert Transcript().count_many([Case("a", {"r": one}, {"r": other})]) is None


@pytest.mark.parametrize("name", ["boundary", "edit"])
@given(st.data())
def test_pairs_of_references_are_counted_with_bits(name, data):
    task = replace(data.draw(TASKS), near=data.draw(st.integers(1, 8) | st.just(70)))
    (measure,) = (each for each in measures_of(task) if each.name == name)
    length = data.draw(LENGTHS | st.integers(60, 200))
    members = data.draw(groups(1, 5, length=length))
    wanted = [measure.count(a, b) for a, b in combinations(members, 2)]
    for rows in measure.count_pairs(members), PairMeasure.count_pairs(measure, members):
        sized = zip(rows, range(len(members) - 1, 0, -1), strict=True)
        assert [each for row, size in sized for each in each_of(row, size)] == wanted


@given(st.lists(st.integers(0, 199)), st.integers(0, 210))
def test_bits_move(drawn, by):
    positions = np.unique(np.array(drawn, np.int64))
    bits = bits_of([positions], 200)
    up, down = (positions + by)[positions + by < 256], (positions - by)[positions >= by]
    assert moved_up(bits, by).tolist() == bits_of([up], 256).tolist()
    assert moved_down(bits, by).tolist() == bits_of([down], 256).tolist()
    assert sizes(bits).tolist() == [positions.size]


@given(st.lists(st.booleans(), max_size=200), st.integers(1, 5))
def test_every_other_bit_of_a_chain(drawn, step):
    linked = np.array([False] * step + drawn)
    taken = np.zeros_like(linked)
    for place in range(step, linked.size):
        taken[place] = linked[place] and not taken[place - step]
    bits, wanted = (bits_of([np.flatnonzero(each)], linked.size) for each in (linked, taken))
    assert alternate(bits, step).tolist() == wanted.tolist()


@pytest.mark.slow
@given(documents(5), TASKS)
def test_many_references_make_no_difference(found, task):
    systems = {"s": Document(found[0][0])}
    references = {str(at): Document(each) for at, each in enumerate(found[0][1:])}
    few = count_documents("d", systems, references, task)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairings, "MANY", 2)
        patch.setattr(pairings, "AT_ONCE", 30)
        assert count_documents("d", systems, references, task) == few
