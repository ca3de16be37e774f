"""Score: what is declared at a measure, and what follows from it."""

import math
from dataclasses import FrozenInstanceError

import pytest

from caesura.core.counts import Matches
from caesura.core.score import Score, matches, tallies, values
from caesura.measures.boundary import Boundary, BoundaryCounts, Consensus
from caesura.tasks.transcript.counting import Transcript

F1 = Score("f1", "F1", "2·TP / (2·TP + FP + FN).", of="both")


@pytest.mark.parametrize(
    ("view", "key"),
    [
        ("each", "f1"),
        ("pair", "f1"),
        ("mean", "f1_mean"),
        ("agreement", "pairwise_f1_mean"),
        ("document", "f1"),
    ],
)
def test_a_key_follows_from_the_view(view, key):
    assert F1.key_in(view) == key


def test_a_key_can_be_overridden():
    kappa = Score("cohen_kappa", "Cohen κ", ".", keys=(("agreement", "cohen_kappa_mean"),))
    assert kappa.key_in("agreement") == "cohen_kappa_mean"
    assert kappa.key_in("mean") == "cohen_kappa_mean"
    assert kappa.key_in("pair") == "cohen_kappa"


def test_labels_of_pairs_of_references():
    assert F1.label_in("agreement") == "pairwise F1"
    assert F1.label_in("mean") == "F1"
    assert Score("kappa", "κ", ".", of="references").label_in("agreement") == "κ"


def test_a_value_is_an_attribute_or_a_function():
    counts = BoundaryCounts(3, 1, 2, 10)
    assert F1.value(counts) == counts.f1
    assert Score("x", "x", ".", take="kappa").value(counts) == counts.kappa
    assert Score("x", "x", ".", take=lambda each: each.tp + 1).value(counts) == 4
    assert values([F1, Score("tp", "TP", ".")], counts) == {"f1": 6 / 9, "tp": 3}


def test_a_score_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        F1.key = "f2"


class Units:
    """Counts with matches of one kind of unit."""

    tokens = Matches(3, 1, 1)


def test_precision_recall_and_f1_of_units():
    scores = matches("tokens", "token", "tokens", views=("unit",), f1_views=("compare",))
    assert values(scores, Units) == {
        "token_precision": 0.75,
        "token_recall": 0.75,
        "token_f1": 0.75,
    }
    assert [score.heading for score in scores] == ["P", "R", "F1"]
    assert [score.views for score in scores] == [("unit",), ("unit",), ("unit", "compare")]
    assert {score.group for score in scores} == {"tokens"}
    assert [score.short for score in scores] == ["precision", "recall", "f1"]
    assert scores[0].help == "Precision of tokens: TP / (TP + FP)."


def test_counts_of_units():
    scores = tallies("tokens", "token", {"tp": ("TP", "Right.")}, views=("unit",))
    assert values(scores, Units) == {"token_tp": 3}
    assert scores[0].is_count
    assert scores[0].better is None


def test_a_measure_takes_the_options_of_its_task():
    task = Transcript(final="keep", consensus=2)
    assert Boundary.from_task(task) == Boundary("keep")
    assert Consensus.from_task(task).least == 2


def test_undefined_stays_undefined():
    assert math.isnan(F1.value(BoundaryCounts.zero()))
