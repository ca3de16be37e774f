"""Scores of trees as the library and the command give them, errors that are listed, and blocks."""

import json
from collections import Counter
from functools import reduce
from itertools import chain
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.run.inputs import Case
from caesura.tasks.trees.brackets import match
from caesura.tasks.trees.counting import TreesTask
from caesura.tasks.trees.format import parse_brackets
from caesura.tasks.trees.measures import Brackets
from caesura.tasks.trees.output import NONE, tree_errors
from support import reference_trees
from support.random_texts import triples
from support.random_trees import any_pair, lines, pairs

RATES = ("precision", "recall", "f1")


def aligned(pair, algorithm="blocks"):
    return match(*(parse_brackets(lines(side).encode()) for side in pair), algorithm)


def twin(pair):
    runs = aligned(pair).texts.runs
    sides = [reference_trees.side(lines(side)) for side in pair]
    return reference_trees.score(*sides, None if runs is None else triples(runs))


def ratio(part, whole):
    return part / whole if whole else None


def rates(tp, fp, fn):
    return [ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)]


def assert_group(found, counts):
    assert [found[key] for key in ("tp", "fp", "fn")] == list(counts)
    for value, wanted in zip((found[key] for key in RATES), rates(*counts), strict=True):
        assert value == (wanted if wanted is None else pytest.approx(wanted))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return [tmp_path_factory.mktemp("trees") / name for name in ("s.mrg", "g.mrg")]


@given(pair=any_pair())
def test_the_json_is_what_the_twin_counts(files, pair):
    for path, side in zip(files, pair, strict=True):
        path.write_text(lines(side), encoding="utf-8")
    system, gold = files
    found = caesura.evaluate({"s": system}, gold=gold, task="trees", force=True)
    (scores,) = json.loads(found.to_json())["systems"]
    wanted = twin(pair)
    for group in ("brackets", "unlabelled", "tags", "tokens", "sentences"):
        assert_group(scores[group], wanted[group])
    assert scores["tags"]["accuracy"] == scores["tags"]["recall"]
    assert scores["by_label"].keys() == wanted["by_label"].keys()
    for label, counts in wanted["by_label"].items():
        assert_group(scores["by_label"][label], counts)
    for length, counts in wanted["by_length"].items():
        assert_group(scores["by_length"][length], counts)
    sentences = wanted["sentences"][0] + wanted["sentences"][2]
    number = wanted["one_to_one"]
    assert scores["complete"] == {
        "sentences": wanted["complete"],
        "share": ratio(wanted["complete"], sentences),
    }
    assert scores["crossing"] == {
        "brackets": wanted["crossing"],
        "mean": ratio(wanted["crossing_within"], number),
        "none": ratio(wanted["none"], number),
        "two_or_less": ratio(wanted["two_or_less"], number),
    }


@pytest.mark.parametrize("algorithm", ["blocks", "jp"])
@given(pair=any_pair())
def test_errors_are_the_brackets_that_are_wrong(pair, algorithm):
    found = aligned(pair, algorithm)
    counts = Brackets(algorithm=algorithm).count(found.ours.trees, found.theirs.trees)
    errors = list(tree_errors(found, "d"))
    assert sum(len(each.system.wrong) for each in errors) == counts.brackets.fp
    assert sum(len(each.gold.wrong) for each in errors) == counts.brackets.fn
    kinds = Counter(pair for each in errors for pair in each.labels)
    both = sum(times for (mine, yours), times in kinds.items() if NONE not in (mine, yours))
    if algorithm == "blocks":
        assert both == counts.unlabelled.tp - counts.brackets.tp
    assert sum(t for (mine, _), t in kinds.items() if mine != NONE) == counts.brackets.fp
    assert sum(t for (_, yours), t in kinds.items() if yours != NONE) == counts.brackets.fn
    assert all(mine != yours for mine, yours in kinds)
    for each in errors:
        assert each.system.wrong or each.gold.wrong
        for side in (each.system, each.gold):
            assert len(side.words) == len(side.tags) == (side.ends or (0,))[-1]
            assert all(
                0 <= a < b <= len(side.words) for a, b in zip(side.first, side.last, strict=True)
            )


@given(st.lists(pairs(), min_size=8, max_size=14), st.sampled_from(["blocks", "jp"]))
def test_blocks_add_up_to_the_whole(files, several, algorithm):
    """What is resampled for intervals and tests."""
    system, gold = (list(chain(*sides)) for sides in zip(*several, strict=True))
    for path, side in zip(files, (system, gold), strict=True):
        path.write_text(lines(side), encoding="utf-8")
    case = Case("d", {"s": str(files[0])}, {"g": str(files[1])})
    wanted = {row.measure: row.counts for row in TreesTask(algorithm=algorithm).count(case)}
    rows = TreesTask(algorithm=algorithm, blocks=True).count(case)
    for measure in ("brackets", "joint"):
        own = [row.counts for row in rows if row.measure == measure]
        assert reduce(add, own) == wanted[measure]
    own = [row.counts for row in rows if row.measure == "breakdown"]
    assert sorted(reduce(add, own).groups) == sorted(wanted["breakdown"].groups)
