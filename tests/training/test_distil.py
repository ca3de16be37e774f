"""From a teacher that reads pieces of words to a student that reads words, on a toy language."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from caesura.detect.detector import Detector, Vocabulary, segment  # noqa: E402
from caesura.detect.training.data import UNKNOWN, LabelledCorpus, gather, labelled  # noqa: E402
from caesura.detect.training.loop import Feed, Held, Lexicon, Schedule, fit  # noqa: E402
from caesura.detect.training.networks import exported, rounded  # noqa: E402
from former import Attention, TorchFormer  # noqa: E402
from pieces import WordPieces  # noqa: E402
from student import begin, take_layer  # noqa: E402
from teacher import (  # noqa: E402
    Teacher,
    feed_of,
    lexicon_of,
    opinions,
)

PLAN = Schedule(steps=300, batch=32, rate=3e-3, warm=0.1, looks=2, average=0.95)


def toy(count):
    random = np.random.default_rng(1)
    nouns, verbs = ["dog", "cat", "child"], ["ran", "fell", "slept", "sang"]
    return " ".join(
        f"the {random.choice(nouns)} {random.choice(verbs)}"
        + (f" and {random.choice(verbs)}" if random.random() < 0.3 else "")
        + "."
        for _ in range(count)
    )


@pytest.fixture(scope="module")
def corpus():
    return gather([[labelled(toy(400))], [labelled(toy(50))]])


@pytest.fixture(scope="module")
def pieces(corpus):
    """Every word is spelled in halves; 0 to 3 are padding, begin, silence and what hides."""
    halves = [[word[:2], word[2:]] if len(word) > 2 else [word] for word in corpus.words]
    distinct = dict.fromkeys(half for word in halves for half in word)
    number = {half: at for at, half in enumerate(distinct, 4)}
    return WordPieces.from_spelling([[number[half] for half in word] for word in halves], 1, 2, 3)


@pytest.fixture(scope="module")
def taught(corpus, pieces):
    row, is_last = pieces.spell(corpus)
    feed = feed_of(row, lexicon_of(pieces, "cpu"), [1.0, 2.0], "cpu")
    torch.manual_seed(1)
    teacher = Teacher(
        pieces.size, (1, 2), size=64, inner=64, layers=2, window=14, margin=3, dropout=0
    )
    torch.nn.init.normal_(teacher.places, std=0.3)
    held = Held(feed.ids, corpus.labels[corpus.ids > 0], is_last, feed.lexicon)
    return *fit(teacher, feed, PLAN, held.score, lambda _: None), feed, is_last


def test_a_corpus_in_pieces():
    pieces = WordPieces.from_spelling([[5], [6, 7], [8] * 9], 1, 2, 3)
    ids = np.array([2, 1, 0, 0, 0, 3, 0, 0], np.int32)
    labels = np.array([0, 2, UNKNOWN, UNKNOWN, UNKNOWN, 3, UNKNOWN, UNKNOWN], np.uint8)
    row, is_last = pieces.spell(LabelledCorpus([], ids, labels, np.array([0, 5])))
    assert row.ids.tolist() == [6, 7, 5, 2, 8, 8, 8, 8, 8, 8, 2]
    assert np.flatnonzero(is_last).tolist() == [1, 2, 9]
    assert row.labels[is_last].tolist() == [0, 2, 3]
    assert (row.labels[~is_last] == UNKNOWN).all()
    assert row.starts.tolist() == [0, 4]


def test_a_teacher_learns(taught):
    assert taught[1] > 0.99


def test_opinions_are_of_words(taught, corpus):
    teacher, _, feed, is_last = taught
    is_word = corpus.ids > 0
    odds = opinions(teacher, feed, is_last, is_word)
    assert odds.shape == (corpus.ids.size, 4)
    assert not odds[~torch.from_numpy(is_word)].any()
    is_end = odds.numpy()[is_word][:, 2] > 0.5
    assert (is_end == (corpus.labels[is_word] == 2)).mean() > 0.99


def test_a_student_learns_from_its_teacher(taught, corpus, pieces):
    teacher, _, feed, is_last = taught
    vocabulary = Vocabulary(tuple(corpus.words[:6]), 40)
    lexicon = Lexicon.from_vocabulary(vocabulary, corpus.words, "cpu")
    torch.manual_seed(1)
    shape = {"size": 4, "hidden": 64, "inner": 24, "layers": 2, "heads": 1}
    student = TorchFormer(vocabulary.size, **shape, window=16, margin=3)
    begin(student, teacher, pieces, corpus.words, vocabulary)
    odds = opinions(teacher, feed, is_last, corpus.ids > 0)
    # The marks are hidden from it: what it learns it has from the teacher.
    blind = replace(corpus, labels=np.where(corpus.ids > 0, 0, UNKNOWN).astype(np.uint8))
    words = Feed.from_corpus(blind, lexicon, "cpu", odds=odds)
    ids = torch.from_numpy(corpus.ids)
    held = Held(ids, corpus.labels[corpus.ids > 0], corpus.ids > 0, lexicon)
    plan = replace(PLAN, soft=1.0)
    best, score = fit(student, words, plan, held.score, lambda _: None)
    assert score > 0.99
    network = Detector.from_weights(exported(rounded(best), vocabulary, {"threshold": 0.5}))
    said = "the dog ran and sang the cat fell the child slept".split()
    assert segment(network.probabilities(said)).boundaries.tolist() == [4, 7, 10]


def test_a_layer_of_the_same_size_is_the_same():
    torch.manual_seed(2)
    theirs, ours = (Attention(12, 3, 4, 16, 0.0) for _ in range(2))
    take_layer(ours, theirs)
    x = torch.randn(2, 5, 12)
    torch.testing.assert_close(ours(x), theirs(x))


def test_heads_and_cells_that_say_nothing_are_left_out():
    torch.manual_seed(3)
    theirs, ours = Attention(12, 3, 4, 16, 0.0), Attention(12, 2, 4, 10, 0.0)
    with torch.no_grad():
        theirs.mix.weight[:, 4:8] = 0
        theirs.down.weight[:, :6] = 0
    take_layer(ours, theirs)
    x = torch.randn(2, 5, 12)
    torch.testing.assert_close(ours(x), theirs(x))


def test_a_teacher_takes_the_weights_of_bert():
    teacher = Teacher(7, (1, 2), size=32, inner=8, layers=1, window=6, margin=1)
    linear = {
        "attention.self.query": (32, 32),
        "attention.self.key": (32, 32),
        "attention.self.value": (32, 32),
        "attention.output.dense": (32, 32),
        "intermediate.dense": (8, 32),
        "output.dense": (32, 8),
    }
    shapes = {f"encoder.layer.0.{name}.weight": shape for name, shape in linear.items()}
    shapes |= {f"encoder.layer.0.{name}.bias": shape[:1] for name, shape in linear.items()}
    norms = ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"]
    for kind in ("weight", "bias"):
        shapes |= {f"{name}.LayerNorm.{kind}": (32,) for name in norms}
    rows = {"word": 7, "position": 20, "token_type": 2}
    shapes |= {f"embeddings.{name}_embeddings.weight": (n, 32) for name, n in rows.items()}
    random = np.random.default_rng(4)
    arrays = {n: random.normal(size=s).astype(np.float32) for n, s in shapes.items()}
    teacher.take(arrays)
    values = arrays["encoder.layer.0.attention.self.value.weight"]
    np.testing.assert_array_equal(teacher.layers[0].qkv.weight.detach().numpy()[64:], values)
    assert teacher(torch.zeros(3, 6, 1, dtype=torch.long)).shape == (3, 4, 4)
