"""Blocks of text: their counts add up to the text's, of tokens, sentences and trees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caesura.measures.joint import AlignedTexts, Joint, JointCounts
from caesura.run.inputs import Case
from caesura.tasks import _aligned_text as module
from caesura.tasks._aligned_text import block_ends
from caesura.tasks.text.counting import TextTask
from support.random_texts import any_pair, text
from support.reference_scores import sums_of

pytestmark = pytest.mark.slow


@settings(max_examples=300)
@given(any_pair(), st.sampled_from([1, 2]))
def test_blocks_add_up_to_the_text(pair, sentences):
    system, gold = map(text, pair)
    alignment = AlignedTexts.from_texts(system, gold)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SENTENCES", sentences)
        points = block_ends(alignment)
    parts = alignment.parts(points)
    assert sum(parts, JointCounts.zero()) == Joint().count(system, gold)
    ends = alignment.sentences.gold[points][1:].tolist()
    assert ends == sorted(set(ends))
    assert all(part.sentence_gold for part in parts) or len(parts) == 1
    assert all(value >= 0 for part in parts for value in part.items().values())


def conllu(sentences, seed):
    """A treebank of short sentences, some of them split or with other tags."""
    draw = np.random.default_rng(seed)
    lines = []
    for at in range(sentences):
        size = int(np.random.default_rng(at).integers(2, 8))
        for n in range(1, size + 1):
            tag = "NOUN" if draw.random() < 0.8 else "VERB"
            head = 0 if n == 1 else int(draw.integers(1, n))
            lines.append(f"{n}\tw{at}.{n}\tx\t{tag}\tN\t_\t{head}\tdep\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("units", ["tokens", "words"])
def test_blocks_of_treebanks_add_up(folder, units):
    folder(**{"gold.conllu": conllu(200, 1), "ours.conllu": conllu(200, 2)})
    case = Case("d", {"ours": "ours.conllu"}, {"gold": "gold.conllu"})
    task = TextTask(units=units)
    whole, parts = task.count(case), replace(task, blocks=True).count(case)
    assert sums_of(parts) == sums_of(whole)
    assert len({row.block for row in parts if row.measure == "treebank"}) == 20


def test_the_literal_algorithm_has_no_blocks(folder):
    folder(gold="a b\nc d\n" * 30, ours="a b\nc\nd\n" * 30)
    case = Case("d", {"ours": "ours.txt"}, {"gold": "gold.txt"})
    rows = TextTask(algorithm="literal", blocks=True).count(case)
    assert {row.block for row in rows} == {0}
    rows = TextTask(blocks=True).count(case)
    assert len({row.block for row in rows if row.measure == "joint"}) == 6
