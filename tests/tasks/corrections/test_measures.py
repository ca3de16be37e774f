"""Corrections against ERRANT, against the slow twin, and what has to hold of any corrections."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.run.inputs import Case
from caesura.tasks.corrections.counting import CorrectionsTask, as_corrections
from caesura.tasks.corrections.format import parse_m2
from caesura.tasks.corrections.measures import Corrections, Types, errant_rates
from support import reference_corrections as reference
from support.random_corrections import FLAGS, compared, errant, other_cuts, same_texts, written

MATCHES = st.sampled_from(list(FLAGS))
BETAS = st.sampled_from(["1/2", "1", "2", "1/3"])
CHOICES = st.sampled_from(["best", "errant"])
ONE = st.just(1)


@pytest.fixture(scope="module")
def peer():
    return errant()


def parsed(side):
    return parse_m2(written(side).encode())


def count(pair, match="correction", annotators="best", beta=0.5):
    found = Corrections(match, annotators, beta).count(*map(parsed, pair))
    return found.tp, found.fp, found.fn


def by_type(pair, match="correction", annotators="best", beta=0.5, kind="type"):
    found = Types(match, annotators, beta).count(*map(parsed, pair))
    return {name: [each.tp, each.fp, each.fn] for name, each in found.of(kind).items()}


def figures(printed):
    """The last line of figures, and those of each type."""
    cells = [line.split() for line in printed.splitlines() if line and line[0] != "="]
    kinds = {each[0]: list(map(int, each[1:4])) for each in cells[1:] if len(each) == 7}
    return tuple(map(int, cells[-1][:3])), kinds


@given(pair=same_texts(), match=MATCHES, beta=BETAS)
def test_errant_counts_the_same(peer, pair, match, beta):
    weight = float(reference.Fraction(beta))
    options = FLAGS[match], "-b", str(weight), "-cat", "3"
    whole, kinds = figures(compared(peer, *map(written, pair), *options))
    assert count(pair, match, "errant", weight) == whole
    assert by_type(pair, match, "errant", weight) == kinds


@given(pair=same_texts(ONE), match=MATCHES)
def test_errant_counts_the_same_where_there_is_one_annotator(peer, pair, match):
    whole, kinds = figures(compared(peer, *map(written, pair), FLAGS[match], "-cat", "3"))
    assert count(pair, match) == whole
    assert by_type(pair, match) == kinds


@given(*[st.integers(0, 30)] * 3, st.sampled_from([0.5, 1, 2]))
def test_errant_rates_are_errants(peer, tp, fp, fn, beta):
    rates = tuple(round(each, 4) for each in errant_rates(tp, fp, fn, beta))
    assert rates == peer.computeFScore(tp, fp, fn, beta)


@given(pair=other_cuts() | same_texts(), match=MATCHES, beta=BETAS)
def test_the_twin_counts_the_same(pair, match, beta):
    wanted = reference.corrections(*pair, match, beta)
    weight = float(reference.Fraction(beta))
    assert by_type(pair, match, "best", weight) == wanted
    assert count(pair, match, "best", weight) == reference.total(wanted)


def test_of_equal_f_more_right_edits_decide():
    """2 right and 8 missing are as good as 1 right and 1 extra: 5/9."""
    tokens = list("abcdefghij")
    every = [(at, at + 1, "R", "x", 1) for at in range(10)]
    system = [(tokens, [(*edit[:4], 0) for edit in every[:2]])]
    assert count((system, [(tokens, [(0, 1, "R", "x", 0), *every])])) == (2, 0, 8)
    assert count((system, [(tokens, [(0, 1, "R", "x", 0), *every[1:]])])) == (1, 1, 0)


def test_insertions_on_both_sides_of_a_sentence_end_are_two_edits():
    """Also where the other side has one sentence there."""
    split = [(["a"], [(1, 1, "M", ".", 0)]), (["b"], [(0, 0, "M", "(", 0)])]
    some = [(["a"], []), (["b"], [(0, 0, "M", "[", 0)])]
    for match, wanted in (("correction", (0, 2, 1)), ("span", (1, 1, 0))):
        assert count((split, some), match) == wanted
        assert count((split, [(["a", "b"], [(1, 1, "M", "[", 0)])]), match) == wanted


@given(pair=same_texts(ONE, is_plain=True) | other_cuts(ONE, is_plain=True), match=MATCHES)
def test_other_sides_swap_precision_and_recall(pair, match):
    tp, fp, fn = count(pair, match)
    if match == "token":
        assert count(pair[::-1], match)[0] >= min(tp, 1)
    else:
        assert count(pair[::-1], match) == (tp, fn, fp)


@given(pair=same_texts(is_plain=True), match=MATCHES, annotators=CHOICES)
def test_corrections_are_right_against_themselves(pair, match, annotators):
    _, fp, fn = count((pair[0], pair[0]), match, annotators)
    assert (fp, fn) == (0, 0)


@given(pair=other_cuts(), match=MATCHES, annotators=CHOICES)
def test_other_letters_change_nothing(pair, match, annotators):
    letters = str.maketrans("abcxy", "дéß漢z")

    def renamed(side):
        return [
            ([token.translate(letters) for token in tokens],
             [(*edit[:3], edit[3].translate(letters), edit[4]) for edit in edits])
            for tokens, edits in side
        ]  # fmt: skip

    assert count(tuple(map(renamed, pair)), match, annotators) == count(pair, match, annotators)


@given(pair=other_cuts(), match=MATCHES, annotators=CHOICES)
def test_blocks_add_up(pair, match, annotators):
    sums = []
    for blocks in (False, True):
        task = CorrectionsTask(match=match, annotators=annotators, blocks=blocks)
        texts = [as_corrections(written(side), task=task) for side in pair]
        found = task.count(Case("d", {"s": texts[0]}, {"g": texts[1]}))[2:]
        for name in ("corrections", "types"):
            own = [row.counts for row in found if row.measure == name]
            sums.append(sum(own[1:], own[0]))
        ends = [row.block for row in found]
        assert all(a <= b for a, b in pairwise(ends))
    assert sums[:2] == sums[2:]
    assert sums[0] == Corrections(match, annotators).count(*map(parsed, pair))
