"""`caesura demo`: the main task on a sample."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, command
from caesura.cli.scoring import Scoring
from caesura.core.escapes import printable
from caesura.errors import UsageError
from caesura.tasks import TASKS

SAMPLE = Path(__file__).parents[1] / "sample"
SIDES = [
    {name: str(SAMPLE / f"{name}.txt") for name in names}
    for names in (("rules", "neural"), ("ann1", "ann2", "ann3"))
]
PAGE = "caesura-demo.html"
OPEN = """
Open in a browser: {page}"""
NEXT = """
Try next, with the files of this demo or with your own:
  caesura demo --files sample && cd sample
  caesura agreement ann1.txt ann2.txt ann3.txt
  caesura transcript neural.txt --ref ann1.txt --ref ann2.txt --ref ann3.txt --by-mark
  caesura transcript -h"""


@command()
@OUTPUT.option(
    "--files", metavar="FOLDER", default=None, main=True,
    help="Only copy the files of the sample to a folder.",
)  # fmt: skip
@options.output_options
def demo(files: str | None, **given: Any) -> None:
    """Score two systems against three annotators on a bundled transcript.

    Write an HTML report to caesura-demo.html, or to the path given with --html.
    """
    if files is not None:
        _copy(files)
        return
    page = given["html"] or (PAGE if os.access(".", os.W_OK) else None)
    scoring = Scoring.from_options(TASKS["transcript"], given | {"html": page})
    scoring.show(scoring.evaluate(*SIDES))
    if scoring.given["format"] == "table" and not scoring.given["quiet"]:
        click.echo(OPEN.format(page=printable(str(Path(page).resolve()))) if page else "")
        click.echo(NEXT)


def _copy(folder: str) -> None:
    """Copy the files of the sample, unless one of them is there."""
    from caesura.io.writing import make_folder, replacing

    samples = sorted(SAMPLE.glob("*.txt"))
    there = [place for each in samples if (place := Path(folder) / each.name).exists()]
    if there:
        raise UsageError(f"{there[0]} is there; choose another folder")
    make_folder(folder)
    for each in samples:
        with replacing(str(Path(folder) / each.name)) as file:
            file.write(each.read_text(encoding="utf-8"))
