"""`caesura sets`: the named test sets, what each is, and their download."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.exit_status import say
from caesura.cli.listing import columns
from caesura.errors import UsageError

if TYPE_CHECKING:
    from caesura.sets.named_sets import TestSet

ACTIONS = ("show", "get")


@command("sets")
@argument("action", required=False, type=click.Choice(ACTIONS), metavar="[show|get]")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option()
def sets(action: str | None, name: str | None, quiet: bool) -> None:
    """List the named test sets, show one, or download one.

    A set can be given wherever a path can: `--ref @NAME` means all its references, `@NAME/FILE`
    one of its files. Small sets come with caesura; `get` downloads another into the user's cache
    (or into the folder CAESURA_DATA) and checks it. Scoring never downloads anything. Describe
    your own sets in ~/.config/caesura/sets/NAME.toml, or in a folder that --sets (or CAESURA_SETS)
    names.

    \b
    Examples:
      caesura sets
      caesura sets show wisebe-v6
      caesura sets get zerospeech2017-mandarin
      caesura transcript ours.txt --ref @demo
    """
    from caesura.sets.named_sets import names, test_set

    if action and name is None:
        raise UsageError(f"name a set: caesura sets {action} NAME; `caesura sets` lists them")
    known = [test_set(each) for each in (names() if name is None else [name])]
    for warning in filter(None, (each.warning for each in known)):
        say(f"warning: {warning}")
    if action is None:
        rows = [("set", "command", "language", "size", "here", "title")]
        click.echo(columns([*rows, *map(_row, known)]))
        return
    (chosen,) = known
    if action == "get":
        _get(chosen, quiet=quiet)
    else:
        click.echo(_shown(chosen))


def _row(chosen: TestSet) -> tuple[str, ...]:
    here = "yes" if chosen.is_here else "no"
    return f"@{chosen.name}", chosen.kind, chosen.language, chosen.size, here, chosen.title


def _shown(chosen: TestSet) -> str:
    """All that is known about a set."""
    here = "yes" if chosen.is_here else f"no; caesura sets get {chosen.name}"
    rows = [
        ("set", f"@{chosen.name}, version {chosen.version}"), ("title", chosen.title),
        ("about", chosen.about), ("command", f"caesura {chosen.kind}"),
        ("language", chosen.language), ("size", chosen.size), ("format", chosen.read),
        ("licence", chosen.licence), ("source", chosen.source),
        ("download", chosen.archive.url if chosen.archive else ""), ("here", here),
    ]  # fmt: skip
    files = [(f"@{chosen.name}/{file.name}", file.role, file.sha256) for file in chosen.files]
    blocks = [columns([row for row in rows if row[1]]), columns(files), chosen.citation.strip()]
    return "\n\n".join(filter(None, blocks))


def _get(chosen: TestSet, *, quiet: bool) -> None:
    """Download what is missing, with a bar on a terminal unless quiet, and print the paths."""
    from caesura.sets.download import get

    with _Bar(f"@{chosen.name}", is_shown=not quiet and sys.stderr.isatty()) as bar:
        paths = get(chosen, bar)
    for path in paths:
        click.echo(path)


class _Bar:
    """A line on a terminal with how much has come, if it is shown."""

    def __init__(self, label: str, *, is_shown: bool) -> None:
        self.label, self.is_shown, self.is_used, self.percent = label, is_shown, False, -1

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_used:
            click.echo(err=True)

    def __call__(self, done: int, every: int) -> None:
        percent = 100 * done // every if every else done >> 20
        if percent == self.percent or not self.is_shown:
            return
        self.is_used, self.percent = True, percent
        part = f"{percent:3} %" if every else f"{percent} MB"
        click.echo(f"\r{self.label}: {part} of {every / 1e6:,.1f} MB", nl=False, err=True)
