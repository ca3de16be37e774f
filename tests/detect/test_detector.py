import numpy as np
import pytest

from caesura.detect.detector import KINDS, Detector, Threshold, segment
from caesura.errors import UsageError
from support.paths import GOLDEN


@pytest.fixture(scope="module")
def expected():
    with np.load(GOLDEN / "detect.npz") as stored:
        return {name: stored[name] for name in stored.files}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def detector(kind):
    return Detector.from_file(str(GOLDEN / f"detect_{kind}.npz"))


def test_numpy_says_what_pytorch_said(kind, detector, expected):
    found = detector.probabilities(expected["words"].tolist())
    np.testing.assert_allclose(found, expected[kind], atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 97, 5000])
def test_a_stream_gives_the_same_as_the_whole(detector, size):
    words = [f"w{at * at % 37}" for at in range(6000)]
    pieces = [words[at : at + size] for at in range(0, len(words), size)]
    streamed = np.concatenate(list(detector.stream(pieces)))
    np.testing.assert_allclose(streamed, detector.probabilities(words), atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 2, 17])
def test_short_documents(detector, count):
    found = detector.probabilities(["w1"] * count)
    assert found.shape == (count, 4)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)


def test_far_words_do_not_matter(detector):
    words = [f"w{at * at % 37}" for at in range(20000)]
    part = detector.probabilities(words[:12288])
    np.testing.assert_allclose(part[:9000], detector.probabilities(words)[:9000], atol=1e-5)


ODDS = np.array([[0.9, 0, 0.1, 0], [0.1, 0, 0.3, 0.6], [0.6, 0, 0.4, 0], [1, 0, 0, 0]], np.float32)


def test_boundaries_at_a_threshold():
    found = segment(ODDS, Threshold(0.3))
    assert found.boundaries.tolist() == [1, 2, 3]
    assert found.marks.tolist() == ["?", ".", "."]


@pytest.mark.parametrize(
    ("mean", "boundaries"), [(1, [0, 1, 2, 3]), (2, [1, 3]), (4, [3]), (100, [3])]
)
def test_boundaries_at_a_mean_length(mean, boundaries):
    assert segment(ODDS, mean=mean).boundaries.tolist() == boundaries


def test_no_words_no_boundaries():
    assert segment(np.zeros((0, 4), np.float32), mean=5).length == 0


@pytest.mark.parametrize("mean", [0, 0.5, float("nan")])
def test_a_mean_length_below_one(mean):
    with pytest.raises(UsageError, match="give 1 or more"):
        segment(ODDS, mean=mean)
