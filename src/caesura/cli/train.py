"""`caesura train`: train a detector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, RUNNING, TRAINING, Real, argument, command
from caesura.cli.exit_status import say
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS

if TYPE_CHECKING:
    from caesura.detect.training.data import Labelled


def _files(model: str) -> tuple[str, str]:
    """The files of a model: its weights and its card."""
    from caesura.detect import MODEL

    name = model.removesuffix(MODEL)
    return name + MODEL, f"{name}.md"


@command()
@argument("network", metavar="NETWORK", type=click.Choice(["s1", "s2"]))
@INPUT.option(
    "--data", multiple=True, required=True, metavar="FILES", main=True,
    help="Punctuated text to train on: a file, a folder or a glob. Repeatable.",
)  # fmt: skip
@task_options(TASKS["transcript"], ("marks", "encoding"))
@options.output_option(
    "The model to write, as MODEL.npz.",
    name="--out",
    metavar="MODEL",
    required=True,
    writes=_files,
)
@TRAINING.option(
    "--epochs", type=Real(min=0, min_open=True), metavar="N", default=20, main=True,
    show_default=True, help="The maximum number of epochs.",
)  # fmt: skip
@TRAINING.option(
    "--minutes", type=Real(min=0, min_open=True), metavar="N", default=None, main=True,
    help="The maximum training time, in minutes.",
)  # fmt: skip
@TRAINING.option(
    "--patience", type=click.IntRange(min=1), metavar="N", default=4, show_default=True,
    help="Stop after N evaluations (of 12 in all) on held-out data without improvement.",
)  # fmt: skip
@TRAINING.option(
    "--words", type=click.IntRange(min=0), metavar="N", default=18_000, show_default=True,
    help="The number of words with their own embedding; others are represented by their parts.",
)  # fmt: skip
@TRAINING.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
    help="The random seed.",
)  # fmt: skip
@RUNNING.option(
    "--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
    main=True,
    help="Where to train. auto uses the GPU if there is one.",
)  # fmt: skip
@options.quiet_option()
def train(
    network: str,
    data: tuple[str, ...],
    output: str,
    marks: str,
    encoding: str | None,
    quiet: bool,
    **how: object,
) -> None:
    """Train a detector on your own punctuated text, in any language.

    NETWORK is s1 (convolutional; fast to train and to run) or s2 (recurrent, with attention). 5% of
    every document is held out for early stopping and for choosing the threshold. A model card
    (MODEL.md) is written next to the model. Words must be separated by spaces. Training needs
    PyTorch: pip install 'caesura-eval[train]'.

    \b
    Examples:
      caesura train s1 --data 'corpus/*.txt' --out mine
      caesura segment mine.npz talk.txt
    """
    import shlex
    import sys

    from caesura.detect.weights import write
    from caesura.io.writing import replacing

    model, description = _files(output)
    documents, files = _read(data, encoding, marks)
    card, training = _needing_torch(network, how)
    # Opened first, so that a path that cannot be written fails before training.
    with replacing(description) as file:
        weights = training.run(documents, lambda line: None if quiet else say(line))
        write(model, weights)
        file.write(card(weights, files, shlex.join(sys.argv)))


def _needing_torch(network: str, how: dict[str, Any]) -> tuple[Any, Any]:
    from caesura.errors import CaesuraError

    try:
        from caesura.detect.training.training_run import Training, card
    except ImportError as problem:
        raise CaesuraError(
            f"training needs PyTorch: {problem}; pip install 'caesura-eval[train]'"
        ) from None
    return card, Training(network, **how)


def _read(
    data: tuple[str, ...], encoding: str | None, marks: str
) -> tuple[list[Labelled], list[str]]:
    from caesura.detect.training.data import read_labelled, require_ends
    from caesura.run.inputs import Source

    sources = [Source.parse(each) for each in data]
    files = [
        path
        for source in sources
        for path in (source.documents.values() if source.documents else [source.path])
    ]
    documents = [one for file in files for one in read_labelled(file, encoding, marks)]
    require_ends(documents, "the text")
    return documents, files
