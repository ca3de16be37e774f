"""The models that come with caesura, on the sample that comes with caesura."""

import importlib.util

import numpy as np
import pytest

import caesura
from caesura.detect import NETWORKS, load, segmenter, size_of
from caesura.errors import UnknownNameError
from support.paths import PACKAGE, SAMPLE

PINNED = {
    "s1": [
        8,
        9,
        19,
        27,
        33,
        39,
        44,
        52,
        57,
        68,
        86,
        88,
        93,
        94,
        101,
        108,
        134,
        139,
        145,
        146,
        162,
        181,
        188,
        190,
        192,
        194,
        197,
        210,
        216,
        229,
        233,
        239,
        245,
        251,
        269,
        272,
        276,
        303,
        315,
        319,
        325,
        333,
        346,
        365,
        370,
        382,
        395,
        400,
        420,
        425,
    ],
    "s2": [
        0,
        8,
        9,
        27,
        33,
        39,
        44,
        52,
        57,
        68,
        85,
        86,
        88,
        94,
        101,
        107,
        108,
        139,
        145,
        146,
        162,
        181,
        188,
        190,
        192,
        194,
        197,
        207,
        210,
        216,
        229,
        233,
        239,
        245,
        251,
        253,
        272,
        276,
        303,
        315,
        319,
        333,
        342,
        346,
        365,
        381,
        382,
        395,
        400,
        425,
    ],
    "best": [
        9,
        27,
        33,
        39,
        44,
        52,
        57,
        68,
        85,
        86,
        88,
        93,
        101,
        108,
        120,
        139,
        145,
        146,
        162,
        190,
        192,
        194,
        197,
        210,
        216,
        223,
        229,
        233,
        239,
        245,
        251,
        269,
        272,
        276,
        303,
        319,
        333,
        346,
        365,
        395,
        400,
        425,
    ],
    "best:0.2636": [
        8,
        9,
        27,
        33,
        39,
        44,
        52,
        57,
        68,
        85,
        86,
        88,
        93,
        101,
        108,
        120,
        139,
        145,
        146,
        162,
        190,
        192,
        194,
        197,
        207,
        210,
        216,
        223,
        229,
        233,
        239,
        245,
        251,
        269,
        272,
        274,
        276,
        303,
        315,
        319,
        333,
        344,
        346,
        365,
        370,
        395,
        400,
        425,
    ],
}


@pytest.fixture(scope="module")
def sample():
    return caesura.read(SAMPLE / "ann1.txt")


@pytest.mark.parametrize("name", PINNED)
def test_pinned_boundaries(name, sample):
    assert segmenter(name)(sample).boundaries.tolist() == PINNED[name]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_model_has_a_card_and_is_small(name):
    card = PACKAGE / "detect" / "models" / f"{name}.md"
    assert "CC BY-SA 4.0" in card.read_text(encoding="utf-8")
    assert size_of(name) < {"best": 5.0e6}.get(name, 1.55e6)


def test_best_is_better_on_the_annotators_than_chance(sample):
    others = [caesura.read(SAMPLE / f"ann{at}.txt") for at in (1, 2, 3)]
    scores = {
        name: caesura.wisebe(segmenter(name)(sample), others).score
        for name in ("best", "random", "every:12")
    }
    assert scores["best"] > 2 * max(scores["random"], scores["every:12"])


def test_an_unknown_detector():
    with pytest.raises(UnknownNameError, match="did you mean best"):
        segmenter("bset")
    with pytest.raises(UnknownNameError):
        load("nltk")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
@pytest.mark.parametrize("name", ["s1", "s2"])
def test_a_tiny_network_learns_a_toy_language(name):
    from caesura.detect.detector import Detector, segment
    from caesura.detect.thresholds import Threshold
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
