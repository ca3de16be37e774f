"""Comparisons from rows: by hand, with people, in words, and from several files."""

import math
from dataclasses import replace

import numpy as np
import pytest

from caesura.core.comparisons import Difference
from caesura.core.row import Row
from caesura.core.segmentation import Document, Segmentation
from caesura.core.table import CountTable
from caesura.errors import UsageError
from caesura.measures.boundary import BoundaryCounts
from caesura.output.render import as_latex, as_markdown
from caesura.output.statistics import compare_page, in_words
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize
from caesura.stats.resampling import Resampling
from caesura.stats.saved_runs import Contest
from caesura.stats.significance import compare
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents

pytestmark = pytest.mark.slow

REFERENCES = ("a", "b", "c")
QUALITY = {"a": 0.2, "b": 0.25, "c": 0.3, "good": 0.25, "fair": 0.4, "poor": 0.7}
TASK = Transcript()


def corpus(documents=12, systems=("fair", "good", "poor"), seed=3):
    """Rows of made-up documents: everyone misses some of the same boundaries and adds a few."""
    draw = np.random.default_rng(seed)
    rows = []
    for index in range(documents):
        true = draw.random(300) < 0.1
        found = {
            name: (true & (draw.random(300) > missed)) | (draw.random(300) < 0.02)
            for name, missed in QUALITY.items()
        }
        made = {name: Document(Segmentation.from_binary(ends)) for name, ends in found.items()}
        sides = ({name: made[name] for name in side} for side in (systems, REFERENCES))
        rows += count_documents(f"d{index}", *sides, TASK).rows()
    return rows


ROWS = corpus()
TABLE = CountTable.from_rows(ROWS)
CONTEST = Contest(
    TABLE, ("fair", "good", "poor"), REFERENCES, catalog(TASKS["transcript"]), "signature"
)
HOW = Resampling(resamples=5000)


@pytest.fixture(scope="module")
def summary():
    return compare(CONTEST, HOW, "fair")


def contest(rows, systems, references=REFERENCES):
    table = CountTable.from_rows(rows)
    return Contest(table, systems, references, catalog(TASKS["transcript"]))


def boundaries(**systems):
    """Rows of systems against one reference, from the counts of each document."""
    return [
        Row(name, f"d{at}", "boundary", "r", BoundaryCounts(*counts, 50))
        for name, every in systems.items()
        for at, counts in enumerate(every)
    ]


def values(summary, one, other, score="wisebe", mean="micro"):
    (found,) = [each for each in summary.comparisons if each.systems == (one, other)]
    return getattr(found, mean)[score]


def test_differences_are_of_the_scores(summary):
    scores = summarize(TASKS["transcript"], ROWS, CONTEST.systems, REFERENCES, TASK).systems
    fair, good, _ = scores
    for mean in ("micro", "macro"):
        for score in ("wisebe", "f1_mean", "pk_mean", "boundary_similarity_mean"):
            expected = getattr(good, mean)[score] - getattr(fair, mean)[score]
            found = values(summary, "good", "fair", score, mean)
            assert found.difference == pytest.approx(expected, abs=1e-9)
            assert found.low <= found.difference <= found.high


def test_what_differs_is_shown_and_what_does_not_is_not(summary):
    assert values(summary, "poor", "fair").p_holm < 0.01
    rows = [row for row in ROWS if row.system not in ("fair", "poor")]
    rows += [replace(row, system="twin") for row in rows if row.system == "good"]
    found = values(compare(contest(rows, ("good", "twin")), HOW, "good"), "twin", "good")
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)
    assert math.isnan(found.effect_size)
    assert (found.better, found.equal, found.worse) == (0, 12, 0)


def test_macro_scores_are_compared_where_both_are_defined():
    """Six documents are equal; on six others only y has boundaries, all of them wrong or right."""
    nothing, half, right, low = (0, 0, 10), (5, 5, 5), (10, 0, 0), (4, 6, 6)
    rows = boundaries(y=[half] * 6 + [right] * 6, x=[low] + [half] * 5 + [nothing] * 6)
    summary = compare(contest(rows, ("y", "x"), ("r",)), Resampling(), "y")
    found = values(summary, "x", "y", "precision_mean", "macro")
    assert found.difference == pytest.approx(-0.1 / 6)
    assert (found.better, found.equal, found.worse, found.p) == (0, 5, 1, 1)
    gaps = np.array([-0.1, 0, 0, 0, 0, 0])
    assert found.effect_size == pytest.approx(gaps.mean() / gaps.std(ddof=1))
    page = compare_page(summary, mean="macro", measures=("precision_mean",))
    assert "P of x and y is compared on 6 of 12 documents" in " ".join(page.notes)
    assert not any("of 12 documents" in note for note in compare_page(summary).notes)


def test_p_values_and_tallies_by_hand():
    """Three documents; x has 1, 2, 4 more right of 10 than y: p = 2/8 on recall."""
    right = {"x": (5, 6, 8), "y": (4, 4, 4)}
    rows = boundaries(**{who: [(n, 10 - n, 10 - n) for n in each] for who, each in right.items()})
    summary = compare(contest(rows, ("y", "x"), ("r",)), Resampling(), "y")
    for mean in ("micro", "macro"):
        found = values(summary, "x", "y", "recall_mean", mean)
        assert found.difference == pytest.approx(7 / 30)
        assert found.p == found.p_holm == 2 / 8
        assert (found.better, found.equal, found.worse) == (3, 0, 0)
        gaps = np.array([0.1, 0.2, 0.4])
        assert found.effect_size == pytest.approx(gaps.mean() / gaps.std(ddof=1))
        lower = values(summary, "x", "y", "ser_mean", mean)
        assert lower.difference < 0
        assert lower.better == 3, "less is better"
    notes = " ".join(summary.confidence.notes)
    assert "all 8 permutations" in notes
    assert "Only 3 documents" in notes
    assert "no p-value can be below 0.25" in notes


def test_holm_is_over_the_pairs_of_one_score(summary):
    ps = [values(summary, name, "fair").p for name in ("good", "poor")]
    low, high = sorted(ps)
    corrected = sorted(values(summary, name, "fair").p_holm for name in ("good", "poor"))
    assert corrected == pytest.approx([min(1, 2 * low), max(min(1, 2 * low), high)])


def test_the_same_seed_gives_the_same_result_bit_for_bit(summary):
    again = compare(CONTEST, HOW, "fair")
    assert str(again) == str(summary)
    other = compare(CONTEST, replace(HOW, seed=1), "fair")
    assert values(other, "good", "fair").low != values(summary, "good", "fair").low


def test_people_are_compared_on_equal_terms(summary):
    ceiling = summarize(TASKS["transcript"], ROWS, CONTEST.systems, REFERENCES, TASK).ceiling
    for score in ("wisebe", "window_f1", "f1_mean"):
        expected = ceiling.systems["poor"][score] - ceiling.human[score]
        found = values(summary.ceiling, "poor", "people", score)
        assert found.difference == pytest.approx(expected, abs=1e-12)
    assert values(summary.ceiling, "poor", "people").p_holm < 0.01
    assert values(summary.ceiling, "good", "people").p_holm > 0.05


def test_a_system_may_be_called_people():
    renamed = TABLE.renamed("good", "people")
    contest = replace(CONTEST, table=renamed, systems=("fair", "people", "poor"))
    ceiling = compare(contest, Resampling(resamples=100), "fair").ceiling
    assert [each.name for each in ceiling.systems][:2] == ["people who annotated", "fair"]


def test_pairs():
    assert CONTEST.pairs("good") == [("fair", "good"), ("poor", "good")]
    assert CONTEST.pairs(None) == [("good", "fair"), ("poor", "fair"), ("poor", "good")]
    alone = replace(CONTEST, systems=("fair",), references=("a",))
    with pytest.raises(UsageError, match="there is only one system"):
        compare(alone, HOW)


@pytest.mark.parametrize(
    ("gap", "ends", "p", "lower", "sentence"),
    [
        (0.011, (-0.02, 0.05), 0.55, False,
         "S2 is better than S1 on it by .011, 95% −.020 to .050, p = .550: not significant."),
        (-0.033, (-0.06, -0.01), 0.0004, False,
         "S2 is worse than S1 on it by .033, 95% .010 to .060, p < .001: significant."),
        (-0.033, (-0.06, -0.01), 0.0496, True,
         "S2 is better than S1 on it by .033, 95% .010 to .060, p = .0496: significant."),
        (0.0, (0.0, 0.0), 1.0, False, "S2 and S1 are equal on it."),
        (math.nan, (math.nan, math.nan), math.nan, False,
         "S2 and S1 cannot be compared on it: it is undefined."),
    ],
)  # fmt: skip
def test_in_words(gap, ends, p, lower, sentence):
    found = Difference(difference=gap, low=ends[0], high=ends[1], p=p, effect_size=0, better=0,
                       equal=0, worse=0, p_holm=p)  # fmt: skip
    assert in_words(("S2", "S1"), "it", found, 0.95, lower=lower) == sentence


def test_the_page(summary):
    page = compare_page(summary)
    scores, differences, ceiling = page.tables
    assert scores.title == "Scores, micro"
    assert [row[0] for row in scores.rows] == ["fair", "good", "poor"]
    assert [scores.text(at, 1).endswith("†") for at in (0, 2)] == [False, True]
    assert differences.columns[0].title == "score"
    assert "human ceiling" in ceiling.title
    assert any(note.startswith("† differs from fair: p < .05") for note in page.notes)
    assert "$^\\dagger$" in as_latex(page)
    assert "†" in as_markdown(page)
    macro = compare_page(summary, mean="macro", measures=["f1_mean", "cer_mean"])
    assert [column.title for column in macro.tables[0].columns] == ["system", "F1", "CER"]
