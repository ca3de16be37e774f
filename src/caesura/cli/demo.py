"""`caesura demo`: the main task on a sample."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import command
from caesura.cli.scoring import Scoring
from caesura.core.escapes import printable

SAMPLE = Path(__file__).parents[1] / "sample"
SIDES = [
    {name: str(SAMPLE / f"{name}.txt") for name in names}
    for names in (("rules", "neural"), ("ann1", "ann2", "ann3"))
]
PAGE = "caesura-demo.html"
OPEN = """
Open in a browser: {page}"""
NEXT = """
Try next, on this sample or on your own files:
  cd {folder}
  caesura agreement ann1.txt ann2.txt ann3.txt
  caesura transcript neural.txt --ref ann1.txt --ref ann2.txt --ref ann3.txt --by-mark
  caesura transcript --help"""


@command()
@options.output_options
def demo(**given: Any) -> None:
    """Score two systems against three annotators on a bundled transcript.

    Write an HTML report to caesura-demo.html, or to the path given with --html.
    """
    page = given["html"] or (PAGE if os.access(".", os.W_OK) else None)
    scoring = Scoring.from_options("transcript", given | {"html": page})
    scoring.show(scoring.evaluate(*SIDES))
    if scoring.given["format"] == "table" and not scoring.given["quiet"]:
        click.echo(OPEN.format(page=printable(str(Path(page).resolve()))) if page else "")
        click.echo(NEXT.format(folder=SAMPLE))
