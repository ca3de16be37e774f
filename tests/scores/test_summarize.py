"""The summary follows from rows alone, and the corpus is the sum of its documents."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.counts import Counts
from caesura.core.segmentation import Document, Segmentation
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents
from support.reference_scores import slowly
from support.strategies import groups

CORPORA = st.lists(groups(4, 4), min_size=1, max_size=4)
REFERENCES = ["a", "b", "c"]


def rows_of(corpus):
    for index, (candidate, *references) in enumerate(corpus):
        named = dict(zip(REFERENCES, map(Document, references), strict=False))
        table = count_documents(f"d{index}", {"s": Document(candidate)}, named, Transcript())
        yield from table.rows()


def summarise(rows):
    return summarize(TASKS["transcript"], list(rows), ["s"], REFERENCES, Transcript())


def test_documents_with_large_counts_can_be_asked_for():
    every = Segmentation.from_masses([2] * ((1 << 17) + 1))
    rows = count_documents("d", {"s": Document(every)}, {"a": Document(every)}, Transcript())
    summary = summarize(TASKS["transcript"], rows, ["s"], ["a"], Transcript())
    scores = summary.systems[0].by_document
    assert scores["d"]["inside"] == 1 << 17
    assert str(scores["d"]) == str(next(scores.each()))
    assert repr(summary) == "<Summary of transcript: 1 system, 1 reference, 1 document>"


@given(groups(4, 4))
def test_the_ceiling_is_leave_one_out(group):
    _, *references = group
    people = {name: Document(each) for name, each in zip(REFERENCES, references, strict=True)}
    summary = summarise(rows_of([group]))
    for name in REFERENCES:
        others = {other: own for other, own in people.items() if other != name}
        table = count_documents("d", {"p": people[name]}, others, Transcript())
        (alone,) = summarize(TASKS["transcript"], table, ["p"], [*others], Transcript()).systems
        for score in ("wisebe", "window_f1", "f1_mean"):
            found = summary.ceiling.annotators[name][score]
            assert found == pytest.approx(alone.micro[score], nan_ok=True)


SCALES = st.sampled_from([1, 1 << 16, 1 << 40, 1 << 61])


def scaled(row, factor):
    """A row with larger counts, as if its document were huge."""
    if type(row.counts).items is not Counts.items:
        return row
    items = {name: number * factor for name, number in row.counts.items().items()}
    return replace(row, counts=type(row.counts)(**items))


@given(CORPORA, st.lists(SCALES, min_size=4, max_size=4), st.integers(1, 3), st.randoms())
def test_arrays_have_the_bits_of_single_documents(corpus, factors, number, random):
    references = REFERENCES[:number]
    rows = [
        scaled(row, factors[int(row.document[1:])])
        for row in rows_of([group[: number + 1] for group in corpus])
    ]
    if random.random() < 0.5:
        random.shuffle(rows)
        rows = rows[: random.randint(1, len(rows))]
    summary = summarize(TASKS["transcript"], rows, ["s"], references, Transcript())
    system, agreement = summary.systems[0], summary.agreement
    found = {
        "micro": system.micro,
        "macro": system.macro,
        "undefined": system.macro_undefined,
        "by_document": system.by_document,
        "by_reference": {name: each.scores for name, each in system.by_reference.items()},
        "agreement": agreement.micro,
        "agreement_macro": agreement.macro,
        "agreement_by_document": agreement.by_document,
        "pairs": {each.references: each.scores for each in agreement.pairs},
        "ceiling": {**summary.ceiling.annotators, **summary.ceiling.systems}
        if summary.ceiling
        else {},
    }
    assert str(found) == str(slowly(rows, catalog(TASKS["transcript"], None, ()), references))
