"""Scores are declared once, at their measures; everything that names them is derived."""

from dataclasses import replace

import pytest

from caesura.errors import UnknownNameError, UsageError
from caesura.scores.catalog import Catalog, catalog
from caesura.tasks import TASKS as OBJECTS


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("wisebe", "wisebe"),
        ("WiSeBE", "wisebe"),
        ("WISEBE", "wisebe"),
        ("F1", "f1_mean"),
        ("f1 rw", "window_f1"),
        ("Fleiss κ", "fleiss_kappa"),
        ("ser either", "ser_either"),
        ("F1 ±2", "tolerant_f1_mean"),
        ("f1 ±0.5s", "tolerant_f1_mean"),
    ],
)
def test_a_score_is_found_by_key_or_label(text, key):
    assert catalog(OBJECTS["transcript"]).find(text) == key


def test_a_label_of_several_scores_is_a_usage_error():
    with pytest.raises(UsageError, match="'f1' is ambiguous; choose sentence_f1 or token_f1"):
        catalog(OBJECTS["text"]).find("f1")
    entry = catalog(OBJECTS["terms"]).systems["ned"]
    twice = {key: replace(entry, key=key, label="X") for key in "ab"}
    with pytest.raises(UsageError, match="'x' is ambiguous; choose a or b"):
        Catalog("terms", (), twice, {}).find("x")


@pytest.mark.parametrize(
    ("task", "text", "hint"),
    [
        ("transcript", "wisbe", "unknown score 'wisbe'; did you mean wisebe"),
        ("transcript", "f2", "did you mean f1?"),
        ("transcript", "precison", "did you mean precision "),
        ("text", "f2", "known: .*sentence_f1, token_f1, .*; `caesura list measures` lists all"),
    ],
)
def test_unknown_scores_are_told_in_a_short_line(task, text, hint):
    with pytest.raises(UnknownNameError, match=hint) as error:
        catalog(OBJECTS[task]).find(text)
    assert len(str(error.value)) < 200


def test_gates_take_scores_of_treebanks(folder, run):
    line = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
    folder(**{"a.conllu": line})
    command = ("text", "s=a.conllu", "--gold", "a.conllu", "--fail-under", "las_f1=1")
    assert run(*command)[0] == 0
