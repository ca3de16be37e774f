"""Inputs of the baseline that are so long that they are counted in parts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from baselines.inputs import SEED, Sentence, tokenized, treebank
from made_text import Block, Words

WORDS = 200_000
TRANSCRIPT, TEXT, TOKENS = 12 << 20, 34 << 20, 18 << 20
"""Bytes of a version of each: of a transcript, of a text, and of a treebank without its columns."""


def make_huge(folder: Path) -> None:
    """Write five versions of a transcript, two of a text, and two of a treebank."""
    folder.mkdir()
    rng = np.random.default_rng(SEED)
    words = Words.of(WORDS, rng)
    names = [folder / f"{name}.txt" for name in ("r1", "r2", "r3", "s1", "s2")]
    Block([words.version() for _ in names], rng).write(names, TRANSCRIPT)
    pair = [folder / "gold.txt", folder / "system.txt"]
    Block([words.version(), words.version(changed=3000)], rng).write(pair, TEXT)
    _write_treebanks(folder, words)


def _write_treebanks(folder: Path, words: Words) -> None:
    """Gold, and a system that has one sentence in 50 joined to the next; also as tokens."""
    rng, wrong = Random(SEED), Random(SEED + 1)
    versions: list[list[bytes]] = [[], [], []]
    for paragraph in words.version():
        gold = [_sentence(line) for line in paragraph.splitlines()]
        joined: list[Sentence] = [[]]
        for sentence in gold:
            joined[-1] = [*joined[-1], *sentence]
            joined += [[]] if rng.randrange(50) else []
        found = [sentence for sentence in joined if sentence]
        texts = tokenized(found), treebank(found, wrong, 9), treebank(gold, wrong, 1)
        for version, text in zip(versions, texts, strict=True):
            version.append(text.removesuffix("\n").encode())
    names = ("mixed.txt", "system.conllu", "gold.conllu")
    block = Block(versions, np.random.default_rng(SEED))
    block.write([folder / name for name in names], TOKENS)


def _sentence(line: bytes) -> Sentence:
    """The words of a line; one in some is a token of two words."""
    tokens = line.decode().split()
    return [
        (each[:2], each[2:]) if each.endswith("ed") and len(each) > 4 else (each,)
        for each in tokens
    ]
