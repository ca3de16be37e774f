"""Rows as matrices: the scores of arrays are the scores of the summary, one resample at a time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.row import Row
from caesura.core.segmentation import Document
from caesura.core.table import CountTable
from caesura.errors import SourceError, UsageError
from caesura.measures.wisebe import WisebeCounts
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize
from caesura.stats.resampling import flips, weights
from caesura.stats.samples import sample_of as sample_of_table
from caesura.stats.samples import scorer
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents
from support.hypothesis_settings import FEW
from support.strategies import groups, typed

pytestmark = pytest.mark.slow

SYSTEMS, REFERENCES = ["x", "y"], ["a", "b", "c"]


@st.composite
def corpora(draw, least=1, most=4):
    """Rows of two systems and three references, with marks."""
    rows = []
    for index in range(draw(st.integers(least, most))):
        members = [Document(draw(typed(each))) for each in draw(groups(5, 5))]
        named = dict(zip([*SYSTEMS, *REFERENCES], members, strict=True))
        systems, references = ({n: named[n] for n in side} for side in (SYSTEMS, REFERENCES))
        rows += count_documents(f"d{index}", systems, references, Transcript()).rows()
    return rows


def sample_of(rows, *how, **options):
    return sample_of_table(CountTable.from_rows(rows), *how, **options)


OF_TWO = scorer(catalog(TASKS["transcript"]), ("a", "b"))
SCORER = scorer(catalog(TASKS["transcript"]), tuple(REFERENCES))


def sample(rows, **options):
    return sample_of(rows, SYSTEMS, SCORER, **options)


def same(a, b):
    return a == pytest.approx(b, abs=1e-9, nan_ok=True)


def summarise(rows):
    return summarize(TASKS["transcript"], rows, SYSTEMS, REFERENCES, Transcript())


@FEW
@given(corpora())
def test_estimates_are_the_scores_of_the_summary(rows):
    summary, found = summarise(rows), sample(rows)
    for system in summary.systems:
        estimates = found.estimates(system.name)
        for (kind, score), value in estimates.items():
            if not score.startswith("ceiling_"):
                assert same(value, getattr(system, kind)[score]), score
        reached = summary.ceiling.systems[system.name]
        assert all(same(estimates["micro", f"ceiling_{k}"], v) for k, v in reached.items())
    agreement = found.estimates(None)
    for key in ("rgar", "fleiss_kappa", "cohen_kappa_mean", "pairwise_boundary_similarity_mean"):
        assert same(agreement["micro", key], summary.agreement.micro[key])
        assert same(agreement["macro", key], summary.agreement.macro[key])
    people = summary.ceiling.human
    assert all(same(agreement["micro", f"ceiling_{k}:"], v) for k, v in people.items())


@FEW
@given(corpora(least=2))
def test_a_resample_is_a_corpus_of_what_was_drawn(rows):
    found = sample(rows)
    (drawn,) = weights(len(found), 3, 1)
    scores = found.resampled(SYSTEMS, [drawn])
    for at, times in enumerate(drawn.astype(int)):
        again = [
            replace(row, document=f"{row.document}/{copy}")
            for row in rows
            for copy in range(times[int(row.document[1:])])
        ]
        for system in summarise(again).systems:
            for (kind, score), values in scores[system.name].items():
                if not score.startswith("ceiling_"):
                    assert same(values[at], getattr(system, kind)[score]), (kind, score)


@FEW
@given(corpora(least=2, most=3))
def test_a_permutation_is_a_corpus_with_names_exchanged(rows):
    found = sample(rows)
    (tried,) = flips(len(found), 100, 1)
    differences = found.exchanged("x", "y", [tried])
    turned = {"x": "y", "y": "x"}
    for at, flip in enumerate(tried):
        again = [
            replace(row, system=turned.get(row.system, row.system))
            if flip[int(row.document[1:])]
            else row
            for row in rows
        ]
        one, other = summarise(again).systems
        for (kind, score), values in differences.items():
            if not score.startswith("ceiling_"):
                gap = getattr(one, kind)[score] - getattr(other, kind)[score]
                assert same(values[at], gap), (kind, score)


@FEW
@given(corpora(least=2))
def test_leaving_out_is_leaving_out(rows):
    found = sample(rows)
    without = found.left_out("x")
    for at, document in enumerate(found.documents):
        rest = sample([row for row in rows if row.document != document]).estimates("x")
        assert all(same(without[key][at], value) for key, value in rest.items())


def test_blocks_that_two_runs_share():
    """x was cut at 4, 7 and 10, y at 7 and 10: the units are those cut at 7 and 10."""
    counts = [WisebeCounts(n, n, n, n, n, n, n) for n in (1, 2, 4)]
    rows = [
        Row("x", "d", "wisebe", None, each, block=block)
        for each, block in zip(counts, (4, 7, 10), strict=True)
    ]
    rows += [
        Row("y", "d", "wisebe", None, counts[0], block=7),
        Row("y", "d", "wisebe", None, counts[1], block=10),
    ]
    found = sample_of(rows, SYSTEMS, OF_TWO)
    assert found.unit == "block"
    assert found.tables["x"].measures["wisebe"].values[0].tolist() == [3, 4]
    assert found.tables["y"].measures["wisebe"].values[0].tolist() == [1, 2]
    assert len(sample_of(rows, SYSTEMS, OF_TWO, unit="document")) == 1


def test_what_cannot_be_put_together():
    row = Row("x", "d", "wisebe", None, WisebeCounts.zero())
    with pytest.raises(SourceError, match="y: no rows of the document 'd'; score all systems"):
        sample_of([row], SYSTEMS, SCORER)
    with pytest.raises(UsageError, match="these rows have no blocks"):
        sample_of([row], ["x"], SCORER, unit="block")
