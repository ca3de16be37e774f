"""Bracketed trees read as the slow twin reads them, whatever the lines, and what is refused."""

import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.tasks.trees import format as brackets
from caesura.tasks.trees.format import parse_brackets, parse_forest
from support import reference_trees
from support.hypothesis_settings import MANY
from support.random_trees import any_pair, copied, lines, spread

FORESTS = any_pair().map(lambda pair: pair[0])


def as_read(text, **options):
    """What the reader makes of a text: tokens, tags, sentences, brackets over characters."""
    trees = parse_brackets(text.encode(), **options)
    size, ends = trees.text.token_ends.size, [0, *trees.text.token_ends.tolist()]
    spans = zip(*(each.tolist() for each in (
        trees.label, trees.first, trees.last)), strict=True)  # fmt: skip
    return (
        trees.text.tokens(0, size),
        [trees.names[tag] for tag in trees.tag],
        trees.text.sentence_ends.tolist(),
        sorted((trees.names[label], ends[first], ends[last]) for label, first, last in spans),
    )


def as_the_twin_reads(text, **options):
    side = reference_trees.side(text, **options)
    return (
        side.flat,
        side.tags,
        list(accumulate(map(len, side.words))),
        sorted(bracket[:3] for bracket in side.brackets),
    )


@MANY
@given(
    FORESTS,
    st.sampled_from(["cut", "full"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\v", "\x1c"]),
    st.integers(0, 99),
)
def test_the_reader_equals_its_twin(forest, labels, keep_empty, end, seed):
    text = spread(random.Random(seed), forest, end)
    options = {"labels": labels, "keep_empty": keep_empty}
    assert as_read(text, **options) == as_the_twin_reads(text, **options)


@given(FORESTS, st.sampled_from([1, 3, 20, 100]))
def test_parts_of_a_file_are_read_as_the_whole(forest, size):
    text = lines(forest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "PART", size)
        found = as_read(text)
    assert found == as_read(text)


@given(FORESTS, st.integers(0, 99))
def test_trees_know_their_lines(forest, seed):
    """The line on which each tree begins, of those that have words."""
    text = spread(random.Random(seed), forest)
    place, wanted = 0, []
    for tree in forest:
        place = text.index("(", place)
        if reference_trees.pruned(copied(tree)):
            wanted.append(text.count("\n", 0, place) + 1)
        place = end_of_tree(text, place)
    assert parse_brackets(text.encode()).text.lines.tolist() == wanted


def end_of_tree(text, place):
    depth = 0
    for at in range(place, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at + 1
    raise AssertionError


DEEP = 10_000

REFUSED = {
    "an empty file": ("", "<trees>: no trees"),
    "blank lines": (" \n\n\t", "<trees>: no trees"),
    "no trees at all": ("It rained .\nWe left .\n", "<trees>:1: 'It' where a bracket should open"),
    "other brackets": ("[S [NN a]]", "<trees>:1: '[S' where a bracket should open"),
    "an open bracket": (
        "(S (NN a))\n(TOP (S (NN a))\n(S (NN a))\n",
        "<trees>:2: the bracket '(TOP' that opens here is not closed",
    ),
    "an open bracket without a label": ("(", "<trees>:1: the bracket '(' that opens here"),
    "a closed bracket": (
        "(S (NN a))\n(S (NN a)))\n(S (NN a))",
        "<trees>:2: a bracket closes that was not opened",
    ),
    "nothing but a closed bracket": (")", "<trees>:1: a bracket closes that was not opened"),
    "a word without a tag": ("(S (NN a)\nb)", "<trees>:2: the word 'b' has no tag"),
    "a word before a bracket": ("(S a (NN b))", "<trees>:1: the word 'a' has no tag"),
    "a word in bare brackets": ("(S ( word))", "<trees>:1: the word 'word' has no tag"),
    "a word after a tree": ("(S (NN a))\nx\n", "<trees>:2: the word 'x' has no tag"),
    "two words": ("(S (NN a b))", "<trees>:1: the word 'a' has no tag"),
    "a blank word": ("(S (NN a))\n(S (NN \u00a0))\n", "<trees>:2: a blank word"),
    "a NUL byte": ("(S (NN a))\n(S (NN b\x00))\n", "<trees>:2: a NUL byte"),
    "many open brackets": ("(S" * DEEP, "<trees>:1: the bracket '(S' that opens here"),
}


@pytest.mark.parametrize(("text", "problem"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(text, problem):
    with pytest.raises(FormatError) as caught:
        parse_brackets(text.encode())
    message = str(caught.value)
    assert message.startswith(f"{problem}"), message
    assert "; " in message
    assert "\n" not in message


@pytest.mark.parametrize(("text", "problem"), REFUSED.values(), ids=REFUSED)
def test_the_same_is_refused_in_parts(monkeypatch, text, problem):
    for size in (1, 10, 20):
        monkeypatch.setattr(brackets, "PART", size)
        test_what_is_refused(text, problem)


@pytest.mark.parametrize("text", ["()", "(())", "()\n()", "( )", "(TOP )", "(TOP)", "", "\n"])
def test_evalb_reads_trees_without_words(text):
    forest = parse_forest(text.encode(), is_loose=True)
    assert forest.begins.size == forest.ends.size == text.count("(") - text.count("((")


def test_deep_trees():
    text = "(S " * DEEP + "(NN a)" + ")" * DEEP
    trees = parse_brackets(text.encode())
    assert trees.label.size == DEEP
    assert set(trees.last.tolist()) == {1}


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("(TOP (S (NN a)))", ["S"]),
        ("(ROOT (S (NN a)))", ["S"]),
        ("(S1 (S (NN a)))", ["S"]),
        ("( (S (NN a)))", ["S"]),
        ("((S (NN a)))", ["S"]),
        ("( (TOP (S (NN a))))", ["S"]),
        ("(TOP (TOP (TOP (S (NN a)))))", ["S", "TOP"]),
        ("(S (TOP (NN a)))", ["S", "TOP"]),
        ("(S ( (NN a)))", ["", "S"]),
        ("(top (NN a))", ["top"]),
        ("(TOP-1 (NN a))", ["TOP"]),
        ("(TOP (NN a))", []),
        ("(NN a)", []),
        ("(TOP (-NONE- *) (ROOT (S (NN a) (NP (-NONE- *)))))", ["S"]),
    ],
)
def test_roots_do_not_count(text, labels):
    assert [label for label, *_ in as_read(text)[3]] == labels
