"""Make tests/golden/detect.npz: tiny networks with random weights and what PyTorch says of them.

    python training/golden.py

The networks come out the same everywhere, what PyTorch says of them but for the last digits.
"""

from pathlib import Path

import numpy as np
import torch

from caesura.detect.detector import Vocabulary
from caesura.detect.training.loop import Lexicon, probabilities
from caesura.detect.training.networks import exported, rounded
from caesura.detect.weights import write
from former import NETWORKS

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
SHAPES = {
    "cnn": {"size": 6, "channels": 8},
    "rnn": {"size": 6, "hidden": 8, "attention": 4},
    "former": {"size": 6, "hidden": 12, "inner": 16, "layers": 2, "heads": 3, "head": 5},
}


def main() -> None:
    """Write the networks and what they say."""
    torch.manual_seed(5)
    vocabulary = Vocabulary(tuple(f"w{at}" for at in range(20)), 30)
    words = [f"w{at}" for at in range(40)]
    lexicon = Lexicon.from_vocabulary(vocabulary, words, "cpu")
    ids = torch.randint(1, 41, (700,))
    expected = {"words": np.array(words)[ids.numpy() - 1]}
    for kind, shape in SHAPES.items():
        network = NETWORKS[kind](vocabulary.size, **shape)
        with torch.no_grad():
            for weight in network.parameters():
                weight.add_(0.4 * torch.randn_like(weight))
            network.vectors.table[0] = 0
        network = rounded(network)
        expected[kind] = probabilities(network, ids, lexicon)
        write(str(GOLDEN / f"detect_{kind}.npz"), exported(network, vocabulary, {"threshold": 0.3}))
    np.savez_compressed(GOLDEN / "detect.npz", **expected)


if __name__ == "__main__":
    main()
