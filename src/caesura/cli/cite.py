"""`caesura cite`: BibTeX."""

from __future__ import annotations

import click

from caesura.cli import options
from caesura.cli.commands import argument, command


@command("cite")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option(expose_value=False)
def cite(name: str | None) -> None:
    """Print BibTeX entries for caesura, a measure, a profile, a set or a signature.

    NAME is a measure or profile of `caesura list`, a task, a set (@NAME), or a whole signature in
    quotes. `--cite` adds the entries of a run to any scoring command.

    \b
    Examples:
      caesura cite
      caesura cite windows
      caesura cite @wisebe-v6
      caesura cite "caesura:0.2.0|task:transcript|window:2" > refs.bib
    """
    from caesura.published.citations import citations

    click.echo(citations(name or ""), nl=False)
