"""The summary follows from rows alone, and the corpus is the sum of its documents."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.counts import mean
from caesura.core.segmentation import Document
from caesura.run.rows import from_json, to_json
from caesura.scores.summary import summarize
from caesura.tasks.transcript import Transcript, count_documents
from strategies import groups

CORPORA = st.lists(groups(4, 4), min_size=1, max_size=4)
REFERENCES = ["a", "b", "c"]


def rows_of(corpus):
    for index, (candidate, *references) in enumerate(corpus):
        named = dict(zip(REFERENCES, map(Document, references), strict=True))
        yield from count_documents(f"d{index}", {"s": Document(candidate)}, named, Transcript())


def summarise(rows):
    return summarize("transcript", list(rows), ["s"], REFERENCES, Transcript())


@given(CORPORA)
def test_micro_is_of_summed_counts_and_macro_of_documents(corpus):
    system = summarise(rows_of(corpus)).systems[0]
    documents = system.by_document.values()
    for count in ("inside", "candidates", "hit", "windows"):
        assert system.micro[count] == sum(scores[count] for scores in documents)
    for score in ("wisebe", "f1_mean", "pk_mean", "ser_either", "boundary_similarity_mean"):
        values = [scores[score] for scores in documents]
        assert system.macro[score] == pytest.approx(mean(values), nan_ok=True)
        undefined = sum(map(math.isnan, values))
        assert system.macro_undefined.get(score, 0) == undefined


@given(CORPORA)
def test_rows_saved_and_read_give_the_same_summary(corpus):
    rows = list(rows_of(corpus))
    again = [from_json(to_json(row)) for row in rows]
    assert str(summarise(again)) == str(summarise(rows))


@given(CORPORA)
def test_the_order_of_rows_within_a_document_does_not_matter(corpus):
    rows = list(rows_of(corpus))
    turned = sorted(rows, key=lambda row: row.document)
    assert str(summarise(turned)) == str(summarise(rows))


@given(groups(4, 4))
def test_the_ceiling_is_leave_one_out(group):
    _, *references = group
    summary = summarise(rows_of([group]))
    for index, name in enumerate(REFERENCES):
        others = [r for r in REFERENCES if r != name]
        alone = (
            summarize(
                "transcript",
                count_documents(
                    "d",
                    {"p": Document(references[index])},
                    {r: Document(references[REFERENCES.index(r)]) for r in others},
                    Transcript(),
                ),
                ["p"],
                others,
                Transcript(),
            )
            .systems[0]
            .micro
        )
        person = summary.ceiling.annotators[name]
        for score in ("wisebe", "window_f1", "f1_mean"):
            assert person[score] == pytest.approx(alone[score], nan_ok=True)
