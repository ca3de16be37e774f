"""From a trained network to the released model."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import torch

from caesura.detect.training.data import CLASSES
from caesura.detect.training.networks import TorchNetwork
from caesura.detect.vocabulary import Vocabulary
from caesura.detect.weights import Weights


def exported(network: TorchNetwork, vocabulary: Vocabulary, about: Mapping[str, object]) -> Weights:
    """A network as a model; `about` may add the threshold and the card."""
    arrays = {
        name: array.detach().float().cpu().numpy() for name, array in network.arrays().items()
    }
    itself = {
        "kind": network.kind,
        "shape": network.shape,
        "classes": list(CLASSES),
        "buckets": vocabulary.buckets,
    }
    return Weights(arrays, vocabulary.words, itself | dict(about))


@torch.no_grad()
def rounded(network: TorchNetwork) -> TorchNetwork:
    """The network with its weights rounded as they are in a model."""
    copied = copy.deepcopy(network)
    for weight in copied.parameters():
        if weight.ndim > 1:
            rows = weight.flatten(1)
            scale = rows.abs().amax(1, keepdim=True) / 127
            steps = torch.where(scale > 0, scale, 1)
            weight.copy_((torch.round(rows / steps) * scale).view_as(weight))
    return copied
