"""The training of one network: AdamW, a warm-up and a slope to zero, and an average of weights."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from caesura.detect.training.data import UNKNOWN
from caesura.detect.training.feed import Batch, Feed
from caesura.detect.training.networks import Network


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train; it ends with the first of `steps`, `seconds`, `patience`.

    `patience` is the number of looks at held out words without a better one; `soft` is the share
    of a teacher's odds in what is learned, where there are any.
    """

    seconds: float = math.inf
    steps: float = math.inf
    batch: int = 512
    rate: float = 3e-3
    decay: float = 0.01
    warm: float = 0.03
    average: float = 0.999
    looks: int = 12
    patience: int = 12
    soft: float = 0.8
    seed: int = 1


def fit(
    network: Network,
    feed: Feed,
    plan: Plan,
    look: Callable[[Network], float],
    tell: Callable[[str], None] = print,
) -> tuple[Network, float]:
    """Train; returns the averaged network that did best when looked at, and how well."""
    device = feed.ids.device
    generator = torch.Generator(device).manual_seed(plan.seed)
    optimizer = torch.optim.AdamW(
        groups(network, plan), lr=plan.rate, betas=(0.9, 0.98), fused=device.type == "cuda"
    )
    average = copy.deepcopy(network)
    pairs = list(average.parameters()), list(network.parameters())
    best, best_score, since, seen = average, -math.inf, 0, 0
    begun, step, next_look = time.monotonic(), 0, 1 / plan.looks
    losses = torch.zeros((), device=device)
    done = 0.0
    while done < 1:
        done = max((time.monotonic() - begun) / plan.seconds, step / plan.steps)
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * group["scale"] * slope(min(done, 1), plan.warm)
        batch = feed.draw(plan.batch, network.window, network.margin, generator)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            logits = network(batch.rows)
        loss = loss_of(logits.float(), batch, plan.soft)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(pairs[1], 1.0)
        optimizer.step()
        step += 1
        seen += batch.labels.numel()
        weight = 1 - min(plan.average, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(*pairs, weight)
            losses.lerp_(loss.detach(), 0.02 if step > 50 else 1 / step)
        if done >= next_look or done >= 1:
            score = look(average)
            spent = time.monotonic() - begun
            tell(
                f"{spent:6.0f} s  step {step:6d}  {seen / 1e6:7.1f}M words  "
                f"loss {losses.item():.4f}  held out {100 * score:.2f}"
            )
            next_look = (math.floor(done * plan.looks) + 1) / plan.looks
            since += 1
            if score > best_score:
                best, best_score, since = copy.deepcopy(average), score, 0
            if since >= plan.patience:
                break
    return best, best_score


def groups(network: nn.Module, plan: Plan) -> list[dict[str, object]]:
    """Weights decay, biases and vectors of words do not."""
    decaying = [p for n, p in network.named_parameters() if p.ndim > 1 and "table" not in n]
    others = [p for n, p in network.named_parameters() if p.ndim <= 1 or "table" in n]
    return [
        {"params": decaying, "weight_decay": plan.decay, "scale": 1.0},
        {"params": others, "weight_decay": 0.0, "scale": 1.0},
    ]


def slope(done: float, warm: float) -> float:
    """The rate, as a share of the highest: up while warming, then down along half a cosine."""
    if done < warm:
        return max(done / warm, 0.02)
    return 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm)))


def loss_of(logits: Tensor, batch: Batch, soft: float) -> Tensor:
    """Cross entropy with the classes, mixed with that to a teacher's odds where there are any."""
    flat, labels = logits.flatten(0, 1), batch.labels.flatten().long()
    hard = functional.cross_entropy(flat, labels, ignore_index=UNKNOWN)
    if batch.odds is None:
        return hard
    known = (labels != UNKNOWN).float()
    far = -(batch.odds.flatten(0, 1).float() * flat.log_softmax(-1)).sum(-1)
    return (1 - soft) * hard + soft * (far * known).sum() / known.sum().clamp(min=1)
