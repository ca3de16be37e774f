"""The models that come with caesura, on the sample that comes with caesura."""

import importlib.util

import numpy as np
import pytest

import caesura
from caesura.detect import NETWORKS, size_of
from caesura.detect.sentences import load, segmenter
from caesura.errors import UnknownNameError
from support.paths import PACKAGE, SAMPLE

PINNED = {
    "s1": (50, 9932, [37, 33, 26]),
    "s2": (50, 9677, [36, 30, 24]),
    "best": (42, 7924, [32, 29, 26]),
    "best:0.2636": (48, 9442, [36, 32, 28]),
}
"""How many boundaries a model finds, the sum of their places, and how many each annotator has."""


@pytest.fixture(scope="module")
def annotators():
    return [caesura.read(SAMPLE / f"ann{at}.txt") for at in (1, 2, 3)]


@pytest.mark.parametrize("name", PINNED)
def test_pinned_boundaries(name, annotators):
    found = segmenter(name)(annotators[0])
    right = [caesura.boundary(found, each).tp for each in annotators]
    assert (found.boundaries.size, found.boundaries.sum(), right) == PINNED[name]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_model_has_a_card_and_is_small(name):
    card = PACKAGE / "detect" / "models" / f"{name}.md"
    assert "CC BY-SA 4.0" in card.read_text(encoding="utf-8")
    assert size_of(name) < {"best": 5.0e6}.get(name, 1.55e6)


def test_an_unknown_detector():
    with pytest.raises(UnknownNameError, match="did you mean best"):
        segmenter("bset")
    with pytest.raises(UnknownNameError):
        load("nltk")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
@pytest.mark.parametrize("name", ["s1", "s2"])
def test_a_tiny_network_learns_a_toy_language(name):
    from caesura.detect.detector import Detector, Threshold, segment
    from caesura.detect.training.data import labelled
    from caesura.detect.training.training_run import Training, card

    random = np.random.default_rng(1)
    nouns, verbs = ["dog", "cat", "child"], ["ran", "fell", "slept", "sang"]
    text = " ".join(
        f"the {random.choice(nouns)} {random.choice(verbs)}"
        + (f" and {random.choice(verbs)}" if random.random() < 0.3 else "")
        + "."
        for _ in range(1500)
    )
    training = Training(name, words=50, buckets=64, epochs=4, batch=16, patience=3, device="cpu")
    weights = training.run([labelled(text)], lambda _: None)
    words = "the dog ran and sang the cat fell the child slept".split()
    found = segment(
        Detector.from_weights(weights).probabilities(words), Threshold(weights.about["threshold"])
    )
    assert found.boundaries.tolist() == [4, 7, 10]
    assert "1,500" not in card(weights, ["toy.txt"], "caesura train")
