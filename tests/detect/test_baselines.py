import numpy as np
import pytest

from caesura.core.segmentation import Document, Segmentation, Track
from caesura.detect.sentences import segmenter
from caesura.errors import SourceError, UsageError

WORDS = Document(Segmentation.from_masses([3, 4, 3]), "a b c d e f g h i j")


@pytest.mark.parametrize(
    ("spec", "masses"),
    [("none", [10]), ("all", [1] * 10), ("every:4", [4, 4, 2]), ("every:99", [10])],
)
def test_baselines(spec, masses):
    assert segmenter(spec)(WORDS).masses.tolist() == masses


def test_random_has_as_many_units_as_the_reference_and_a_seed():
    found = segmenter("random")(WORDS)
    assert found.boundaries.size == 3
    assert found == segmenter("random:12345")(WORDS)
    several = [segmenter(f"random:{seed}")(WORDS).boundaries.tolist() for seed in range(9)]
    assert len({tuple(each) for each in several}) > 1


def test_pauses():
    start = np.array([0, 1_000_000, 2_600_000, Track.UNKNOWN, 9_000_000])
    end = np.array([900_000, 1_900_000, 3_000_000, Track.UNKNOWN, 9_500_000])
    document = Document(Segmentation.from_masses([5]), "a b c d e", track=Track(start, end))
    assert segmenter("pauses")(document).boundaries.tolist() == [1, 4]
    assert segmenter("pauses:0.1")(document).boundaries.tolist() == [0, 1, 4]
    with pytest.raises(SourceError, match="no word times"):
        segmenter("pauses")(WORDS)


@pytest.mark.parametrize(
    "spec", ["every", "every:0", "every:1.5", "random:x", "pauses:-1", "none:3"]
)
def test_arguments_that_make_no_sense(spec):
    with pytest.raises(UsageError):
        segmenter(spec)


@pytest.mark.parametrize("spec", ["none", "all", "every:3", "random"])
def test_a_single_word(spec):
    assert segmenter(spec)(Document(Segmentation.from_masses([1]))).boundaries.tolist() == [0]
