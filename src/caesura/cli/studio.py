"""`caesura studio`: people make references together, in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caesura.cli.commands import INPUT, OUTPUT, RUNNING, GroupedCommand, argument, command
from caesura.cli.exit_status import say
from caesura.errors import UsageError

if TYPE_CHECKING:
    from caesura.formats.transcripts import Tokens

DEMO = "demo"
STATES = ("assigned", "in work", "finished", "sealed")
INSTALL = "the studio needs more packages; install them with: pip install 'caesura-eval[studio]'"


class StudioCommand(GroupedCommand):
    """The studio, or one of the commands that need no server, named in place of a folder."""

    @property
    def others(self) -> Mapping[str, click.Command]:
        """The commands that need no server."""
        return OFFLINE

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **how: object,
    ) -> click.Context:
        """Parse the options of the command that is named."""
        if args and args[0] in OFFLINE:
            name, *rest = args
            return OFFLINE[name].make_context(f"{info_name} {name}", rest, parent, **how)
        return super().make_context(info_name, args, parent, **how)


@click.command("studio", cls=StudioCommand)
@argument("folder", metavar="FOLDER")
@INPUT.option(
    "--tokens", type=click.Choice(["auto", "characters", "words"]), default="auto",
    show_default=True,
    help="What boundaries of new documents lie between: words, as spaces separate them or, in "
    "scripts without spaces, ICU or jieba finds them; characters; or (auto) characters in scripts "
    "without spaces.",
)  # fmt: skip
@INPUT.option(
    "--words", type=click.Choice(["bare", "written"]), default="bare", show_default=True,
    help="Show the words of new documents without case and punctuation, which tell where units "
    "end, or as they are written.",
)  # fmt: skip
@INPUT.option(
    "--import", "log", metavar="LOG", default=None,
    help="Begin with the log of an export (log.jsonl); FOLDER must be empty.",
)  # fmt: skip
@INPUT.option(
    "--lang", metavar="TAG", default="",
    help="The language of the texts, such as de or pt-BR, for fonts and screen readers.  [default: "
    "that of the script, where only one has it]",
)  # fmt: skip
@RUNNING.option(
    "--host", metavar="HOST", default="127.0.0.1", show_default=True, main=True,
    help="Where to listen; 0.0.0.0 lets other machines in, each with an invitation link.",
)  # fmt: skip
@RUNNING.option(
    "--port", type=click.IntRange(1, 65535), metavar="N", default=8765, show_default=True,
    main=True, help="The port.",
)  # fmt: skip
@RUNNING.option(
    "--url", metavar="URL", default="",
    help="The address that people use, if it is another, such as https://studio.example.org "
    "behind a proxy.",
)  # fmt: skip
@RUNNING.option("--no-browser", is_flag=True, help="Do not open the browser.")
@RUNNING.option(
    "-q", "--quiet", is_flag=True, help="Print the link only; warnings are still shown."
)
def studio(
    folder: str,
    tokens: Tokens,
    words: str,
    log: str | None,
    lang: str,
    host: str,
    port: int,
    url: str,
    no_browser: bool,
    quiet: bool,
) -> None:
    """Make references together, with agreement in sight.

    FOLDER holds transcripts in any format that caesura reads, with audio files of the same names
    beside them if there are any. Everything is saved in FOLDER/studio.sqlite as it happens.
    `caesura studio demo` opens an example with three annotators.

    Without a server: `caesura studio import` adds existing boundaries as layers of named people,
    `export` writes what the page exports, `status` shows progress and agreement. A folder that is
    called like one of these is written ./import.

    \b
    Examples:
      caesura studio demo
      caesura studio talks/
      caesura studio status talks/
      caesura studio talks/ --url https://studio.example.org
    """
    with _installed():
        from caesura.studio.launch import (
            Address,
            open_project,
            opening_page,
            serve,
            set_language,
        )
        from caesura.studio.log import read_log, restore_log
        from caesura.studio.offline import demo_folder
    address = Address(host, port, url)
    place = demo_folder() if folder == DEMO and not Path(DEMO).is_dir() else Path(folder)
    record = read_log(log) if log is not None else None
    project, notes = open_project(place, as_written=words == "written", tokens=tokens)
    for each in filter(None, [address.warning, *notes]):
        say(f"warning: {each}")
    with closing(project.store), ExitStack() as stack:

        def ready(link: str) -> None:
            told = f"the studio of {place} is open for its manager at {link}"
            say(link if quiet else f"{told} (it works once; Ctrl-C closes the studio)")
            if not no_browser:
                with suppress(OSError):  # the folder cannot be written to; the link is printed
                    click.launch(str(stack.enter_context(opening_page(place, link))))

        if record is not None:
            restore_log(project, record)
        if lang:
            set_language(project, lang)
        serve(project, address, ready)


@contextmanager
def _installed() -> Iterator[None]:
    """Say how the packages of the studio are installed, if they are not."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("caesura"):
            raise
        raise UsageError(INSTALL) from None


_QUIET = RUNNING.option("-q", "--quiet", is_flag=True, help="Show warnings and errors only.")


@command("import")
@argument("folder", metavar="FOLDER")
@argument("layers", metavar="NAME=PATH...", nargs=-1, required=True)
@INPUT.option(
    "--blind", is_flag=True, main=True,
    help="State that they were made without seeing each other; otherwise they are marked, and do "
    "not count in agreement.",
)  # fmt: skip
@_QUIET
def import_command(folder: str, layers: tuple[str, ...], blind: bool, quiet: bool) -> None:
    """Add existing boundaries to a project as finished layers of named people.

    PATH is a file or a folder of files, in any format that caesura reads; documents are matched by
    name, and their words must be those of the project. Documents that it does not have are added.
    What somebody has already stays; what is imported is a further pass.

    \b
    Examples:
      caesura studio import talks/ Anna=anna/ Ben=ben/ Chloé=chloe/ --blind
      caesura studio import v6/ ann1=ann1.txt ann2=ann2.txt ann3=ann3.txt --blind
    """
    with _installed():
        from caesura.studio.offline import import_layers
    told = import_layers(Path(folder), layers, blind=blind)
    for line in () if quiet else told:
        say(line)
    if not blind:
        say("warning: they do not count in agreement; --blind states that they were made blind")


@command("export")
@argument("folder", metavar="FOLDER")
@argument("out", metavar="OUT")
@_QUIET
def export_command(folder: str, out: str, quiet: bool) -> None:
    """Write everyone's boundaries, the adjudicated ones, a data statement and the log to OUT.

    OUT is a new folder. Finished blind layers are in OUT/NAME, closed documents in
    OUT/adjudicated; what does not count is in OUT/aside.

    \b
    Examples:
      caesura studio export talks/ references/
      caesura agreement references/Anna references/Ben --missing vary
    """
    with _installed():
        from caesura.studio.offline import write_export
    files = write_export(Path(folder), Path(out))
    if not quiet:
        say(f"{len(files):,} files in {out}")


@command("status")
@argument("folder", metavar="FOLDER")
@OUTPUT.option(
    "-f", "--format", "format", type=click.Choice(["table", "json"]), default="table", main=True,
    show_default=True, help="A table, or JSON.",
)  # fmt: skip
def status_command(folder: str, format: str) -> None:
    """Show the documents of a project, its people, how far they are, and their agreement.

    \b
    Examples:
      caesura studio status talks/
      caesura studio status talks/ -f json
    """
    with _installed():
        from caesura.studio.offline import status
    found: dict[str, Any] = status(Path(folder))
    if format == "json":
        from caesura.output.json import as_json

        click.echo(as_json(found).rstrip())
    else:
        from caesura.cli.listing import columns

        click.echo("\n\n".join(columns(rows) for rows in _tables(found) if rows))


def _tables(found: dict[str, Any]) -> Iterator[list[tuple[str, ...]]]:
    """Agreement, people and documents as rows of text."""
    yield [
        (key, "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value))
        for key, value in found["agreement"].items()
        if not isinstance(value, dict)
    ]
    yield [
        (each["name"], each["role"], f"{each['finished']} of {each['assigned']} finished")
        for each in found["people"]
    ]
    yield [
        (each["name"], f"{each['words']:,} words", each["next"], _states(each["people"]))
        for each in found["documents"]
    ]


def _states(people: list[dict[str, Any]]) -> str:
    """How many people have done how much."""
    counts = ((state, sum(each["state"] == state for each in people)) for state in STATES)
    return ", ".join(f"{count} {state}" for state, count in counts if count)


OFFLINE = {"import": import_command, "export": export_command, "status": status_command}
"""The commands that need no server."""
