"""How well models do: F1 of unit ends on IWSLT, WiSeBE on v6, as a table in Markdown.

    python training/figures.py --data DATA --references 'WISEBE/ref*.txt' WORK/best-*.npz

DATA is the folder that training/prepare.py reads. The threshold is the one that is in the model.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

import caesura
from caesura.detect.detector import Detector, ends_of
from caesura.detect.sentences import load
from caesura.detect.training.data import Labelled, read_labelled

SETS = ("dev2012", "test2011", "test2011asr")


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--references", metavar="GLOB", required=True)
@click.argument("models", nargs=-1, required=True)
def main(data: Path, references: str, models: tuple[str, ...]) -> None:
    """Print a line for each model, then their mean, lowest and highest."""
    sets = {name: next(read_labelled(str(data / f"eval/iwslt_{name}.txt"))) for name in SETS}
    folder = Path(references)
    refs = [caesura.read(path) for path in sorted(folder.parent.glob(folder.name))]
    click.echo("| | dev2012 | test2011 | test2011asr | v6 | PERIOD |\n|---|---|---|---|---|---|")
    rows = np.array([row(load(model), sets, refs) for model in models])
    for name, values in zip(models, rows, strict=True):
        click.echo(told(Path(name).stem, values))
    for name in ("mean", "min", "max"):
        click.echo(told(name, getattr(rows, name)(axis=0)))


def row(model: Detector, sets: dict[str, Labelled], refs: list[caesura.Document]) -> list[float]:
    """F1 of unit ends on each set, WiSeBE on v6, F1 of the class of the period on test2011."""
    odds = {name: model.probabilities(one.words) for name, one in sets.items()}
    found = [f1(decided(model, odds[name]), one.labels >= 2) for name, one in sets.items()]
    units = model.segment(refs[0])
    period = f1(odds["test2011"].argmax(1) == 2, sets["test2011"].labels == 2)
    return [*found, caesura.wisebe(units, refs).score, period]


def decided(model: Detector, odds: np.ndarray) -> np.ndarray:
    """After which words the model ends a unit."""
    return np.concatenate([ends for _, ends in model.cut.decide([ends_of(odds)])])


def f1(guess: np.ndarray, truth: np.ndarray) -> float:
    """The F1 of what was guessed."""
    return float(2 * (guess & truth).sum() / (guess.sum() + truth.sum()))


def told(name: str, values: np.ndarray) -> str:
    """A line of the table: percent, and WiSeBE with three digits."""
    *percent, wisebe, period = values
    cells = [*(f"{100 * value:.1f}" for value in percent), f"{wisebe:.3f}", f"{100 * period:.1f}"]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
