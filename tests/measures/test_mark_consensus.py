"""The marks that all, or most, references share."""

import json
import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.segmentation import Panel, Segmentation
from caesura.measures.marks import MarkConsensus, MarkConsensusCounts
from support.rates import scores
from support.strategies import FINALS, at, counted, each_of, groups, typed

ANNA = "it rained. we left early? yes. so we went home. then it stopped! ok"
BEN = "it rained. we left early. yes. so we went home then it stopped! ok"
CLEO = "it rained. we left early? yes so we went home. then it stopped. ok"


@st.composite
def marked(draw, least=1, most=5):
    """References with marks."""
    return [draw(typed(each)) for each in draw(groups(least, most))]


def slow(members, final):
    """Place by place, what every reference has there."""
    maps = [
        {
            j: mark or "unmarked"
            for j, mark in zip(each.boundaries.tolist(), each.marks.tolist(), strict=True)
            if j in counted(each, final)
        }
        for each in members
    ]
    if len(maps) < 2:
        return 0, {}
    places, found = sorted({j for each in maps for j in each}), {}
    for j in places:
        votes = Counter(each[j] for each in maps if j in each)
        for mark, n in votes.items():
            own = found.setdefault(mark, [0, 0, 0])
            own[0] += 1
            own[1] += n >= len(maps) // 2 + 1
            own[2] += n == len(maps)
    return len(places), found


@given(marked(), FINALS)
def test_equals_its_twin(members, final):
    counts = MarkConsensus(final).count(Panel(tuple(members)))
    places, found = slow(members, final)
    assert counts == MarkConsensusCounts(places, tuple((x, *found[x]) for x in sorted(found)))
    overall = counts.overall
    assert 0 <= overall.all <= overall.most <= overall.places
    assert overall.places <= sum(each.places for each in counts.by_mark.values())


@given(st.lists(marked(3, 3), min_size=1, max_size=4), FINALS, st.data())
def test_many_documents_are_counted_as_one_by_one(documents, final, data):
    bare = data.draw(st.lists(st.integers(0, len(documents) - 1), max_size=2))
    for document in bare:
        first, *others = documents[document]
        documents[document] = [Segmentation(first.length, first.boundaries), *others]
    members = [SegmentationBatch.from_segmentations(each) for each in zip(*documents, strict=True)]
    found = MarkConsensus(final).count_each(PanelBatch.from_members(members))
    each = each_of(found, len(documents))
    assert each == [MarkConsensus(final).count(Panel(tuple(own))) for own in documents]
    assert all(each[document] == MarkConsensusCounts.zero() for document in bare)


def test_without_marks_everything_is_undefined():
    for references in ([at(9, 4), at(9, 4)], [at(9, 4)]):
        counts = MarkConsensus().count(Panel(tuple(references)))
        assert counts == MarkConsensusCounts.zero()
        assert all(math.isnan(rate) for rate in scores(counts).values())


def test_by_hand(folder):
    folder(anna=ANNA, ben=BEN, cleo=CLEO)
    found = caesura.evaluate(references=["anna.txt", "ben.txt", "cleo.txt"]).agreement
    assert (found.typed_consensus, found.absolute_consensus) == (1, 1 / 5)
    typed = found.typed
    assert (typed["places"], typed["most"], typed["all"]) == (5, 5, 1)
    table = {mark: (*own.values(),) for mark, own in typed["by_mark"].items()}
    assert table == {"!": (1, 1, 0, 1, 0), ".": (5, 3, 1, 3 / 5, 1 / 5), "?": (1, 1, 0, 1, 0)}


def test_documents_and_blocks_add_up(folder, run):
    names = ("anna", "ben", "cleo")
    texts = {"anna": ANNA, "ben": BEN, "cleo": CLEO}
    folder(**{f"{name}__d{n}": texts[name] for name in names for n in range(2)})
    folder(**{f"long_{name}": " ".join([texts[name]] * 40) for name in names})
    status, out, _ = run("agreement", *names, "--confidence", "--resamples", "20", "-f", "json")
    assert status == 0
    found = json.loads(out)["agreement"]
    assert (found["typed"]["places"], found["typed"]["by_mark"]["."]["all"]) == (10, 2)
    assert "absolute_consensus" in found["confidence"]["micro"]
    long = [f"long_{name}.txt" for name in names]
    whole, cut = (
        json.loads(run("agreement", *long, *more, "-f", "json")[1])["agreement"]
        for more in ((), ("--confidence", "--unit", "block", "--resamples", "20"))
    )
    assert cut["typed"] == whole["typed"]
    assert cut["typed"]["places"] == 40 * 5
    low, high = cut["confidence"]["micro"]["absolute_consensus"]
    assert low <= cut["absolute_consensus"] <= high
    assert cut["absolute_consensus"] == 1 / 5


def test_the_tables(folder, run):
    folder(anna=ANNA, ben=BEN, cleo=CLEO)
    folder(plain=ANNA.replace(".", "").replace("?", "").replace("!", ""))
    status, out, _ = run("agreement", "anna.txt", "ben.txt", "cleo.txt")
    assert status == 0
    assert "The references mark by mark" in out
    marks = ("transcript", "anna.txt", "--ref", "ben.txt", "--ref", "cleo.txt")
    assert "The references mark by mark" in run(*marks, "--by-mark")[1]
    assert "The references mark by mark" not in run(*marks)[1]
    assert "mark by mark" not in run("agreement", "anna.txt", "plain.txt", "--units", "auto")[1]
