"""Brackets, tags and crossing against the slow twin, and what has to hold of any trees."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.counts import Matches
from caesura.tasks.trees import brackets
from caesura.tasks.trees.brackets import match
from caesura.tasks.trees.format import parse_brackets
from caesura.tasks.trees.measures import Brackets, Breakdown
from support import reference_trees
from support.hypothesis_settings import FEW
from support.random_texts import triples
from support.random_trees import (
    CUTS,
    OTHER,
    add_empty,
    add_failed,
    add_unary,
    any_pair,
    copied,
    lines,
    pairs,
)

OPTIONS = st.fixed_dictionaries(
    {"labels": st.sampled_from(["cut", "full"]), "keep_empty": st.booleans()}
)
EQUAL_CHARACTERS = pairs(before=(add_empty, add_failed, add_unary))


def parsed(forest, **options):
    return parse_brackets(lines(forest).encode(), **options)


def count(pair, algorithm="blocks", **options):
    return Brackets(algorithm=algorithm).count(*(parsed(side, **options) for side in pair))


def groups(pair, kind, algorithm="blocks", **options):
    """What is right, too much and missing, by label or by length."""
    sides = (parsed(side, **options) for side in pair)
    found = Breakdown(algorithm=algorithm).count(*sides)
    return {name: numbers(matches) for name, matches in found.of(kind).items()}


def numbers(matches):
    return matches.tp, matches.fp, matches.fn


def assert_as_the_twin_counts(pair, algorithm="blocks", **options):
    """The twin is given the equal runs where characters differ."""
    aligned = match(*(parsed(side, **options) for side in pair), algorithm)
    runs = aligned.texts.runs
    sides = [reference_trees.side(lines(side), **options) for side in pair]
    wanted = reference_trees.score(*sides, None if runs is None else triples(runs), algorithm)
    found = Brackets(algorithm=algorithm).count(aligned.ours.trees, aligned.theirs.trees)
    both = "\n".join(map(lines, pair))
    groups = Breakdown(algorithm=algorithm).count(aligned.ours.trees, aligned.theirs.trees)
    by_label, by_length = (
        {name: numbers(matches) for name, matches in groups.of(kind).items()}
        for kind in ("label", "length")
    )
    assert {
        "brackets": numbers(found.brackets),
        "unlabelled": numbers(found.unlabelled),
        "tags": numbers(found.tags),
        "crossing": found.crossing,
        "crossing_within": found.paired_crossing,
        "one_to_one": found.paired,
        "none": found.without_crossing,
        "two_or_less": found.few_crossing,
        "complete": found.complete,
        "by_label": by_label,
        "by_length": by_length,
    } == {key: wanted[key] for key in wanted if key not in ("tokens", "sentences")}, both
    assert found.sentences == wanted["sentences"][0] + wanted["sentences"][2], both


ALGORITHMS = pytest.mark.parametrize("algorithm", ["blocks", "jp"])


@ALGORITHMS
@given(pair=EQUAL_CHARACTERS, options=OPTIONS)
def test_trees_of_equal_characters(pair, algorithm, options):
    assert_as_the_twin_counts(pair, algorithm, **options)


@ALGORITHMS
@given(pair=any_pair(), options=OPTIONS)
def test_trees_of_characters_that_differ(pair, algorithm, options):
    assert_as_the_twin_counts(pair, algorithm, **options)


@pytest.mark.parametrize("size", [1, 5])
@given(pair=any_pair(), algorithm=st.sampled_from(["blocks", "jp"]), options=OPTIONS)
def test_brackets_are_compared_in_pieces_of_any_size(pair, size, algorithm, options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "PIECE", size)
        assert_as_the_twin_counts(pair, algorithm, **options)


@ALGORITHMS
@given(pair=pairs(tuple(OTHER), size=12), options=OPTIONS)
def test_trees_of_few_characters_that_differ(pair, algorithm, options):
    assert_as_the_twin_counts(pair, algorithm, **options)


@FEW
@given(pairs(size=300))
def test_long_sentences(pair):
    assert_as_the_twin_counts(pair)


@given(EQUAL_CHARACTERS, st.integers(0, 99), st.lists(st.sampled_from(CUTS), min_size=1))
def test_cutting_tokens_and_joining_sentences_changes_no_bracket(pair, seed, cuts):
    chance, (system, gold) = random.Random(seed), pair
    other = [copied(tree) for tree in system]
    for change in cuts:
        change(chance, other)
    found, wanted = count((other, gold)), count(pair)
    assert (found.brackets, found.unlabelled) == (wanted.brackets, wanted.unlabelled)
    assert found.crossing == wanted.crossing
    assert groups((other, gold), "label") == groups(pair, "label")


@given(EQUAL_CHARACTERS, OPTIONS)
def test_swapping_sides_swaps_precision_and_recall(pair, options):
    """But the crossing brackets are those of the system."""
    one, other = count(pair, **options), count(pair[::-1], **options)
    for name in ("brackets", "unlabelled", "tags"):
        found, swapped = getattr(one, name), getattr(other, name)
        assert found == Matches(swapped.tp, swapped.fn, swapped.fp)
    assert (one.paired, one.complete) == (other.paired, other.complete)
    assert one.without_crossing == other.without_crossing
    assert bool(one.crossing) == bool(other.crossing)


def test_crossing_is_not_symmetric():
    """One bracket of the gold is crossed by two of the system."""
    gold = [["S", ["X", ("A", "a"), ("A", "b")], ("A", "c"), ("A", "d")]]
    system = [["S", ("A", "a"), ["Y", ["X", ("A", "b"), ("A", "c")], ("A", "d")]]]
    assert (count((system, gold)).crossing, count((gold, system)).crossing) == (2, 1)


@pytest.mark.parametrize("size", [1, 1000])
def test_chains_of_one_label_match_one_to_one(size):
    one, other = (
        parse_brackets(f"(TOP {'(NP ' * number}(NN a){')' * number})".encode())
        for number in (size, size + 3)
    )
    found = Brackets().count(one, other)
    assert found.brackets == found.unlabelled == Matches(size, 0, 3)
    assert (found.complete, found.crossing) == (0, 0)
    found = Brackets(algorithm="jp").count(one, other)
    assert found.brackets == found.unlabelled == Matches(1, size - 1, size + 2)
    assert found.complete == 0


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (b"(S (NP (JJ old) (NN man)) (VP (VBD slept)) (. .))",
         b"(S (NP (NN man)) (VP (VBD slept)) (. .))"),
        (b"(S (NP (NN man)) (VP (VBD slept) (RB well)))", b"(S (NP (NN man)) (VP (VBD slept)))"),
    ],
)  # fmt: skip
def test_tokens_that_one_side_lacks_join_their_neighbours_in_jp(gold, system):
    one, other = parse_brackets(system), parse_brackets(gold)
    size = len(one.first)
    for pair in ((one, other), (other, one)):
        found = Brackets(algorithm="jp").count(*pair)
        assert found.brackets == Matches(size, 0, 0)
        assert found.complete == 1


def test_equal_brackets_of_jp_match_once_and_all_count():
    """The minimal case: 3 right of 4 in the gold, 3 in the system."""
    gold = parse_brackets(b"(TOP (S (NP (NP (NN x))) (VP (VBD ran))))")
    system = parse_brackets(b"(TOP (S (NP (NN x)) (VP (VBD ran))))")
    found = Brackets(algorithm="jp").count(system, gold)
    assert (found.bracket_tp, found.bracket_gold, found.bracket_system) == (3, 4, 3)
    assert (found.brackets.recall, found.brackets.precision) == (0.75, 1)


def test_trees_without_words_are_sentences_without_tokens():
    gold = parse_brackets(b"(TOP (S (A a)))\n(TOP (S (A b)))\n(())\n")
    system = parse_brackets(b"(TOP ())\n(TOP (S (A b)))\n(())\n(TOP)\n")
    found = Brackets().count(system, gold)
    assert found.brackets == found.tags == Matches(1, 0, 1)
    assert (found.sentences, found.paired, found.complete, found.few_crossing) == (3, 2, 2, 2)


def test_deep_trees():
    """Brackets that all begin with the text against those that all end with it."""
    levels = 10_000
    begin = "(S " * levels + "(A b)" + " (A b))" * (levels - 1) + " (NN a))"
    end = "(S (A b) " * levels + "(NN a)" + ")" * levels
    one, other = (parse_brackets(text.encode()) for text in (begin, end))
    assert Brackets().count(one, one).brackets == Matches(levels, 0, 0)
    found = Brackets().count(one, other)
    assert (found.brackets, found.crossing) == (Matches(1, levels - 1, levels - 1), levels - 1)


# What the points are, by hand: system, gold, brackets right, too many, missing.
BY_HAND = {
    "other tokens": ("(S (X (A ab)) (Y (A c)))", "(S (X (A a) (A b)) (Y (A c)))", 3, 0, 0),
    "an edge in a token": ("(S (X (A ab)) (Y (A c)))", "(S (X (A a)) (Y (A bc)))", 1, 2, 2),
    "two sentences": ("(S (X (A a)))\n(S (X (A b)))", "(S (X (A a)) (X (A b)))", 2, 2, 1),
    "an added word": ("(S (X (A a)) (A x) (X (A b)))", "(S (X (A a)) (X (A b)))", 3, 0, 0),
    "an added word inside": ("(S (X (A a) (A x)) (X (A b)))", "(S (X (A a)) (X (A b)))", 3, 0, 0),
    "an added phrase": ("(S (X (A a)) (X (A x)) (X (A b)))", "(S (X (A a)) (X (A b)))", 3, 1, 0),
    "another word": ("(S (X (A x)) (X (A b)))", "(S (X (A a)) (X (A b)))", 3, 0, 0),
    "two other words": (
        "(S (X (A q)) (Z (A x)) (X (A b)))", "(S (X (A a)) (Z (A z)) (X (A b)))", 2, 2, 2,
    ),
    "nothing in common": ("(S (X (A a)) (Y (A b)))", "(S (X (A x)) (Y (A y)))", 1, 2, 2),
    "an added word at the end": ("(S (A a) (X (A x)))", "(S (A a))", 1, 1, 0),
    "another case": ("(S (X (A THE)))", "(S (X (A the)))", 2, 0, 0),
    "escapes": ("(S (X (A -LRB-) (A ``)))", "(S (X (A -lrb-) (A '')))", 2, 0, 0),
    "slashes": (r"(S (X (A 1\/2)) (Y (A \*)))", "(S (X (A 1) (A /2)) (Y (A *)))", 3, 0, 0),
    "ß": ("(S (X (A STRASSE)) (Y (A b)))", "(S (X (A straße)) (Y (A b)))", 3, 0, 0),
    "labels that are cut": ("(S (X-SBJ=1 (A a)))", "(S (X (A a)))", 2, 0, 0),
    "labels that begin with a dash": ("(S (-LRB- (A a)))", "(S (-LRB (A a)))", 2, 0, 0),
    "equal brackets": ("(S (S (S (A a))))", "(S (S (A a)))", 2, 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("case", BY_HAND.values(), ids=BY_HAND)
def test_brackets_by_hand(case):
    system, gold, *wanted = case
    found = Brackets().count(*(parse_brackets(side.encode()) for side in (system, gold)))
    assert found.brackets == Matches(*wanted)
