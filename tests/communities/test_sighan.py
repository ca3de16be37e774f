"""Errors of words by their spans, against a slow twin."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.sighan.measure import WordErrorCounts, WordErrors
from caesura.measures.joint import AlignedTexts
from caesura.tasks._aligned_text import block_ends
from support.random_texts import any_pair, text
from support.results import result

PKU = {
    "insertions": 1807, "deletions": 9892, "substitutions": 12381,
    "precision": 0.8526488518699306, "recall": 0.7865998543670716, "f1": 0.8182937221853991,
}  # fmt: skip
"""jieba's words of the PKU test set."""
DICTIONARIES = st.none() | st.sets(st.sampled_from(["a", "b", "ab", "aa", "ba", "c"]))


def aligned(system, gold):
    return AlignedTexts.from_texts(text(system), text(gold))


def spans(line):
    """The words of a line by their first and last character."""
    found, at = [], 0
    for word in line:
        found.append((at, at + len(word), word))
        at += len(word)
    return found


def errors_of_a_line(ours, theirs):
    """Words between two that are right on both sides, one stretch after another."""
    shared = set(spans(ours)) & set(spans(theirs))
    sides = []
    for line in (ours, theirs):
        sizes, number = {}, 0
        for is_right, group in groupby(spans(line), lambda each: each in shared):
            words = list(group)
            if is_right:
                number += len(words)
            else:
                sizes[number] = len(words)
        sides.append(sizes)
    pairs = [(sides[0].get(at, 0), sides[1].get(at, 0)) for at in {*sides[0], *sides[1]}]
    return [
        sum(max(0, a - b) for a, b in pairs), sum(max(0, b - a) for a, b in pairs),
        sum(min(a, b) for a, b in pairs), shared,
    ]  # fmt: skip


@st.composite
def lines(draw):
    """Lines of the same characters, cut differently."""
    sides = [], []
    for _ in range(draw(st.integers(1, 4))):
        line = draw(st.text("ab", min_size=1, max_size=8))
        for side in sides:
            cuts = sorted(draw(st.sets(st.integers(1, len(line)))) | {len(line)})
            side.append([line[a:b] for a, b in zip([0, *cuts], cuts, strict=False)])
    return sides


@given(lines(), DICTIONARIES)
def test_where_characters_are_the_same_spans_are_compared(pair, dictionary):
    system, gold = pair
    found = WordErrors(dictionary).count(aligned(system, gold))
    each = [errors_of_a_line(*both) for both in zip(system, gold, strict=True)]
    errors = found.insertions, found.deletions, found.substitutions
    assert errors == tuple(map(sum, zip(*(own[:3] for own in each), strict=True)))
    if dictionary is None:
        assert found.oov == found.iv == 0
        return
    words = [
        (word in dictionary, (start, stop, word) in own[3])
        for own, line in zip(each, gold, strict=True)
        for start, stop, word in spans(line)
    ]
    assert found.iv == sum(known for known, _ in words)
    assert found.iv_right == sum(known and right for known, right in words)
    assert found.oov == len(words) - found.iv
    assert found.oov_right == sum(right for _, right in words) - found.iv_right


@given(any_pair(), DICTIONARIES)
def test_parts_add_up_to_what_the_joint_counts_have(pair, dictionary):
    texts = aligned(*pair)
    found, joint = WordErrors(dictionary).count(texts), texts.counts.tokens
    assert found.substitutions + found.deletions == joint.fn
    assert found.substitutions + found.insertions == joint.fp
    assert dictionary is None or found.oov_right + found.iv_right == joint.tp
    points = block_ends(texts, sentences=1)
    numbers = texts.sentences.system[points], texts.sentences.gold[points]
    parts = WordErrors(dictionary).count_parts(texts, *numbers)
    assert sum(parts, WordErrorCounts.zero()) == found


@pytest.mark.parametrize(
    ("system", "gold", "errors"),
    [
        ([["ab", "c", "d"]], [["a", "b", "cd"]], (0, 0, 3)),
        ([["ab"], ["c", "d"]], [["a", "b"], ["cd"]], (1, 1, 2)),
        ([["ab", "c"]], [["ax", "c"]], (0, 0, 1)),
    ],
)
def test_neighbouring_stretches_of_a_line_are_one(system, gold, errors):
    found = WordErrors().count(aligned(system, gold))
    assert (found.insertions, found.deletions, found.substitutions) == errors


def test_the_test_set_of_pku(run, shared, folder):
    data, here = shared / "data" / "communities" / "sighan", folder()
    gold = (data / "pku_test_gold.utf8").read_text("utf-8").split()
    (here / "words.txt").write_text("\n".join(sorted(set(gold[:60000]))) + "\n", "utf-8")
    sides = data / "pku_jieba.utf8", "--gold", data / "pku_test_gold.utf8"
    found = caesura_scores(run, *sides, "--dictionary", "words.txt")
    assert {name: found[name] for name in PKU} == PKU


def caesura_scores(run, *arguments):
    return result(run, "score", "sighan", *arguments)["systems"][0]["micro"]


def test_words_of_lines(run, folder):
    """Equal words at other places are wrong, and ideographic spaces separate words."""
    folder(gold="和平 和\n", ours="和 平和\n", wide="我\u3000们 走\n", narrow="我 们 走\n")
    found = caesura_scores(run, "ours.txt", "--gold", "gold.txt")
    assert (found["recall"], found["substitutions"]) == (0, 2)
    assert caesura_scores(run, "narrow.txt", "--gold", "wide.txt")["f1"] == 1
    (system,) = result(run, "text", "narrow.txt", "--gold", "wide.txt")["systems"]
    assert system["micro"]["token_f1"] == 0.4


@pytest.mark.parametrize(
    ("dictionary", "line"),
    [("a\nb\n\nit rained all night\n", ":4: 4 words on a line"), ("\n \n", ": no words")],
)
def test_a_dictionary_is_a_list(run, folder, dictionary, line):
    folder(gold="a b\n", ours="ab\n", words=dictionary)
    command = ("score", "sighan", "ours.txt", "--gold", "gold.txt", "--dictionary", "words.txt")
    status, _, error = run(*command)
    assert status == 1
    assert f"words.txt{line}" in error


def test_words_in_text(run, folder):
    folder(gold="ab c\n", ours="a b c\n", words="ab\n")
    also = ("--also", "words", "--also", "classic", "--dictionary", "words.txt")
    assert "Errors of words" in run("text", "ours.txt", "--gold", "gold.txt", *also)[1]
