"""`caesura demo`: the main job on embedded data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.saving import Saving

if TYPE_CHECKING:
    from caesura.api.evaluation import Evaluation

SAMPLE = Path(__file__).parents[1] / "sample"
REFERENCES = ("ann1", "ann2", "ann3")
SYSTEMS = ("rules", "neural")
PAGE = "caesura-demo.html"
OPEN = """
Open in a browser: {page}"""
NEXT = """
Try next, on this sample or on files of your own:
  cd {folder}
  caesura agreement ann1.txt ann2.txt ann3.txt
  caesura transcript neural.txt --ref ann1.txt --ref ann2.txt --ref ann3.txt --by-mark
  caesura transcript --help"""


@click.command()
@options.output_options
def demo(format: str, output: str | None, saving: Saving, quiet: bool) -> None:
    """Score two systems against three annotators on a transcript that comes with caesura.

    A page with the same, and the words, is written to caesura-demo.html or where --html says.
    """
    from dataclasses import replace

    found = score_sample(**saving.arguments)
    page = saving.html or (PAGE if os.access(".", os.W_OK) else None)
    replace(saving, html=page).save(found)
    options.emit(found.summary, found.page, format, output)
    if format == "table" and not quiet:
        click.echo(OPEN.format(page=Path(page).resolve()) if page else "")
        click.echo(NEXT.format(folder=SAMPLE))


def score_sample(**saving: Any) -> Evaluation:
    """Score the sample."""
    from caesura.api.evaluate import evaluate

    ours, theirs = (
        {name: str(SAMPLE / f"{name}.txt") for name in names} for names in (SYSTEMS, REFERENCES)
    )
    return evaluate(ours, theirs, **saving)
