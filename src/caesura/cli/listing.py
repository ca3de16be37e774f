"""`caesura list`: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@click.command("list")
@click.argument("what", type=click.Choice(["measures", "formats", "detectors"]))
def listing(what: str) -> None:
    """Say what measures, formats or detectors there are, with one line each."""
    rows = {"measures": _measures, "formats": _formats, "detectors": _detectors}[what]()
    _show(list(rows))


def _measures() -> Iterable[Sequence[str]]:
    from caesura.measures import MEASURES

    for name, measure in MEASURES.items():
        yield name, (measure.__doc__ or "").splitlines()[0]


def _formats() -> Iterable[Sequence[str]]:
    from caesura.formats import FORMATS

    yield from FORMATS.items()


def _detectors() -> Iterable[Sequence[str]]:
    from caesura.detect import DETECTORS, size_of

    yield "name", "reads", "licence", "size", "installed", "what it is"
    for name, about in DETECTORS.items():
        size = size_of(name)
        installed = "yes" if about.is_installed else f"no: {about.install}"
        weight = f"{size / 1e6:.1f} MB" if size else ""
        yield name, about.reads, about.licence, weight, installed, about.text


def _show(rows: list[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
