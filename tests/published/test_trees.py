"""Published trees: what the definition gives of them, and what other programs print."""

import pytest

from caesura.core.counts import Matches
from caesura.tasks.trees.format import parse_brackets
from caesura.tasks.trees.measures import Brackets

BUG, KOREAN = ("evalb/bug.tst", "evalb/bug.gld"), ("jp/korean.sys", "jp/korean.gold")


@pytest.fixture
def trees(shared):
    """Both sides of a pair of files."""

    def read(pair, **options):
        paths = (shared / "data" / "trees" / name for name in pair)
        return [parse_brackets(path.read_bytes(), str(path), **options) for path in paths]

    return read


def test_sentences_that_evalb_cannot_score(trees):
    found = Brackets().count(*trees(BUG))
    assert found.brackets == Matches(71, 52, 42)
    assert [round(100 * each, 2) for each in (
        found.brackets.precision, found.brackets.recall, found.brackets.f1
    )] == [57.72, 62.83, 60.17]  # fmt: skip
    assert (found.unlabelled.tp, found.tags) == (73, Matches(141, 34, 34))
    assert (found.crossing, found.paired, found.sentences, found.complete) == (36, 5, 5, 0)
    assert (found.without_crossing, found.few_crossing) == (0, 1)


def test_empty_elements_that_are_kept(trees):
    """As jp-evalb counts, which knows no empty elements."""
    found = Brackets().count(*trees(BUG, keep_empty=True))
    assert (found.brackets, found.tags) == (Matches(71, 52, 44), Matches(141, 34, 36))


def test_korean(trees):
    """148 and 123 sentences; jp-evalb, whose alignment differs, prints 2,708 3,714 3,605."""
    system, gold = trees(KOREAN)
    assert (gold.text.sentence_ends.size, gold.text.token_ends.size) == (148, 4209)
    assert (system.text.sentence_ends.size, system.text.token_ends.size) == (123, 4014)
    found = Brackets().count(system, gold)
    assert found.brackets == Matches(2703, 3605 - 2703, 3714 - 2703)
    assert [round(100 * each, 2) for each in (
        found.brackets.precision, found.brackets.recall, found.brackets.f1
    )] == [74.98, 72.78, 73.86]  # fmt: skip
    assert (found.unlabelled.tp, found.tags.tp) == (2826, 3597)
    assert (found.crossing, found.paired_crossing, found.paired) == (598, 450, 103)
    assert (found.without_crossing, found.few_crossing, found.complete) == (26, 46, 15)


def test_korean_by_the_algorithm_of_jp_evalb(trees):
    found = Brackets(algorithm="jp").count(*trees(KOREAN))
    assert found.brackets == Matches(2720, 3605 - 2720, 3714 - 2720)
    assert (found.tags.tp, found.crossing, found.complete) == (3597, 598, 15)
