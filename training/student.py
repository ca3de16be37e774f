"""How a student begins: with some of its teacher's layers, heads and words."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from caesura.detect.detector import Vocabulary
from former import Attention, TorchFormer
from pieces import WordPieces
from teacher import Teacher


@torch.no_grad()
def begin(
    student: TorchFormer,
    teacher: Teacher,
    pieces: WordPieces,
    words: Sequence[str],
    vocabulary: Vocabulary,
) -> TorchFormer:
    """Give a student what it can hold of its teacher: layers, places and vectors of words.

    Of a layer it gets the heads and the inner cells with the largest weights. A word's vector is
    the mean of those of its pieces, along as many axes as the student has.
    """
    last = len(teacher.layers) - 1
    for at, layer in enumerate(student.layers):
        take_layer(layer, teacher.layers[round(at * last / max(1, len(student.layers) - 1))])
    student.places.copy_(teacher.places[: len(student.places)])
    _copy(student.norm, teacher.norm)
    _copy(student.out, teacher.out)
    vectors = _vectors(teacher, pieces)
    frequent = len(vocabulary.words)
    middle = vectors[:frequent].mean(0)
    axes = torch.linalg.svd(vectors[:frequent] - middle, full_matrices=False)[2]
    axes = axes[: student.vectors.table.shape[1]]
    low = (vectors - middle) @ axes.T
    scale = low.std()
    student.widen.weight.copy_(axes.T * scale)
    student.widen.bias.copy_(middle)
    rows = torch.from_numpy(vocabulary.parts(words)).to(low.device)
    student.vectors.table.copy_(_table(low / scale, rows, vocabulary))
    return student


def _vectors(teacher: Teacher, pieces: WordPieces) -> Tensor:
    """The mean vector of the pieces of each distinct word."""
    weight = teacher.table.weight
    flat, offsets = (torch.from_numpy(x).to(weight.device) for x in (pieces.flat, pieces.offsets))
    return functional.embedding_bag(flat, weight.float(), offsets, mode="mean")[1:]


def _table(low: Tensor, rows: Tensor, vocabulary: Vocabulary) -> Tensor:
    """Frequent words have their vectors; a part has half the mean of the words it is a part of."""
    table = torch.zeros(vocabulary.size, low.shape[1], device=low.device)
    count = torch.zeros(vocabulary.size, 1, device=low.device)
    for column in rows.T:
        table.index_add_(0, column, low)
        count.index_add_(0, column, torch.ones_like(low[:, :1]))
    table /= 2 * count.clamp(min=1)
    frequent = len(vocabulary.words)
    table[1 : 1 + frequent] = low[:frequent]
    return table


@torch.no_grad()
def take_layer(student: Attention, teacher: Attention) -> None:
    """Give a layer the heads and the inner cells of another that have the largest weights."""
    heads, size = teacher.heads, teacher.mix.weight.shape[1] // teacher.heads
    qkv = teacher.qkv.weight.unflatten(0, (3, heads, size))
    mix = teacher.mix.weight.unflatten(1, (heads, size))
    kept = _largest(qkv[2].flatten(1).norm(dim=1) * mix.norm(dim=(0, 2)), student.heads)
    student.qkv.weight.copy_(qkv[:, kept].flatten(0, 2))
    student.qkv.bias.copy_(teacher.qkv.bias.view(3, heads, size)[:, kept].flatten())
    student.mix.weight.copy_(mix[:, kept].flatten(1))
    student.mix.bias.copy_(teacher.mix.bias)
    cells = _largest(
        teacher.up.weight.norm(dim=1) * teacher.down.weight.norm(dim=0), len(student.up.weight)
    )
    student.up.weight.copy_(teacher.up.weight[cells])
    student.up.bias.copy_(teacher.up.bias[cells])
    student.down.weight.copy_(teacher.down.weight[:, cells])
    student.down.bias.copy_(teacher.down.bias)
    _copy(student.norm1, teacher.norm1)
    _copy(student.norm2, teacher.norm2)


def _largest(worth: Tensor, count: int) -> Tensor:
    return worth.topk(count).indices.sort().values


def _copy(ours: torch.nn.Module, theirs: torch.nn.Module) -> None:
    for kind in ("weight", "bias"):
        getattr(ours, kind).copy_(getattr(theirs, kind))
