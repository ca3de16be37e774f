"""Prepare what the shipped networks are learned from: the words of all texts and a teacher.

    python training/prepare.py --data DATA --teacher MINILM --to WORK

DATA holds train/*.txt.xz and eval/iwslt_dev2012.txt, `word/LABEL` with one document on each line.
MINILM holds model.safetensors and tokenizer.json of all-MiniLM-L6-v2. It needs the packages
tokenizers and safetensors. WORK gets corpus.npz and teacher.npz, small enough to be sent.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from caesura.detect.training.data import Labelled, LabelledCorpus, gather, read_labelled
from caesura.detect.weights import FloatArray, pack
from pieces import MOST

SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]")
PLACES = 256


@click.command(help=__doc__.split("\n")[0] if __doc__ else None)
@click.option("--data", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--to", type=click.Path(path_type=Path), required=True)
def main(data: Path, teacher: Path, to: Path) -> None:
    """Read, spell, pack."""
    to.mkdir(parents=True, exist_ok=True)
    paths = sorted((data / "train").glob("*.txt.xz"))
    corpus = gather([list(read_labelled(str(path))) for path in paths])
    (held,) = read_labelled(str(data / "eval" / "iwslt_dev2012.txt"))
    words = list(dict.fromkeys([*corpus.words, *held.words]))
    spelled, used = spell(words, teacher / "tokenizer.json")
    names = [path.name.partition(".")[0] for path in paths]
    save(to / "corpus.npz", _corpus(corpus, names, held, words) | spelled)
    save(to / "teacher.npz", _teacher(teacher / "model.safetensors", used))
    click.echo(f"{np.count_nonzero(corpus.ids):,} words, {len(words):,} of them distinct")


def _corpus(
    corpus: LabelledCorpus, names: list[str], held: Labelled, words: list[str]
) -> dict[str, npt.NDArray[Any]]:
    index = {word: at for at, word in enumerate(words, 1)}
    return {
        "ids": corpus.ids,
        "labels": corpus.labels,
        "starts": corpus.starts,
        "names": np.array(names),
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "known": np.array(len(corpus.words)),
        "held.ids": np.array([index[word] for word in held.words], np.int32),
        "held.labels": held.labels,
    }


def spell(words: list[str], path: Path) -> tuple[dict[str, npt.NDArray[Any]], list[int]]:
    """The pieces of each word, numbered anew from those that are used; and which those are."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    special = [tokenizer.token_to_id(name) for name in SPECIAL]
    found = tokenizer.encode_batch(words, add_special_tokens=False)
    pieces = [one.ids[:MOST] or [special[-1]] for one in found]
    used = [*special, *sorted({piece for one in pieces for piece in one} - set(special))]
    number = {piece: at for at, piece in enumerate(used)}
    return {
        "pieces": np.array([number[piece] for one in pieces for piece in one], np.uint16),
        "counts": np.array([len(one) for one in pieces], np.uint8),
    }, used


def _teacher(path: Path, used: list[int]) -> dict[str, npt.NDArray[Any]]:
    """The teacher's weights by their names in BERT, of the pieces that are used, as int8."""
    from safetensors.numpy import load_file

    arrays: Mapping[str, FloatArray] = load_file(path)
    packed: dict[str, npt.NDArray[Any]] = {}
    for name, array in arrays.items():
        if name.startswith("pooler") or name.endswith("position_ids"):
            continue
        rows = {"embeddings.word_embeddings.weight": used}.get(name, slice(None))
        short = slice(PLACES) if "position" in name else rows
        packed |= pack(name, array[short].astype(np.float32))
    return packed


def save(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Arrays as an npz that is packed as tightly as zip can."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as file:
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


if __name__ == "__main__":
    main()
