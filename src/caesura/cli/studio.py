"""`caesura studio`: people make references together, in the browser."""

from __future__ import annotations

from contextlib import ExitStack, closing, suppress
from pathlib import Path

import click

from caesura.cli.commands import INPUT, RUNNING, argument, command
from caesura.cli.exit_status import say
from caesura.errors import UsageError

DEMO = "demo"
INSTALL = "the studio needs more packages; install them with: pip install 'caesura-eval[studio]'"


@command()
@argument("folder", metavar="FOLDER")
@INPUT.option(
    "--database", metavar="URL", default="", main=True,
    help="The database, for a team: postgresql://USER@HOST/NAME.  [default: studio.sqlite in "
    "FOLDER]",
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
@RUNNING.option(
    "--proxy", metavar="IP", default="",
    help="The address of the proxy in front of the studio; its X-Forwarded-For is believed, and "
    "nobody else's.",
)  # fmt: skip
@RUNNING.option("--no-browser", is_flag=True, help="Do not open the browser.")
@RUNNING.option(
    "-q", "--quiet", is_flag=True, help="Print the link only; warnings are still shown."
)
def studio(
    folder: str,
    database: str,
    words: str,
    log: str | None,
    host: str,
    port: int,
    url: str,
    proxy: str,
    no_browser: bool,
    quiet: bool,
) -> None:
    """Make references together, with agreement in sight.

    FOLDER holds transcripts in any format that caesura reads, with audio files of the same names
    beside them if there are any. Everything is saved in FOLDER/studio.sqlite as it happens.
    `caesura studio demo` opens an example with three annotators.

    \b
    Examples:
      caesura studio demo
      caesura studio talks/
      caesura studio talks/ --host 0.0.0.0 --url https://studio.example.org \\
          --database postgresql://caesura@localhost/talks
    """
    try:
        from caesura.studio.launch import Address, open_project, opening_page, serve
        from caesura.studio.log import read_log
        from caesura.studio.sample_project import demo_folder
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("caesura"):
            raise
        raise UsageError(INSTALL) from None
    address = Address(host, port, url, proxy)
    place = demo_folder() if folder == DEMO and not Path(DEMO).is_dir() else Path(folder)
    opened = open_project(place, database, as_written=words == "written")
    for each in filter(None, [address.warning, *opened.problems]):
        say(f"warning: {each}")
    with closing(opened.project.store), ExitStack() as stack:

        def ready(link: str) -> None:
            told = f"the studio of {place} is open for its manager at {link}"
            say(link if quiet else f"{told} (it works once; Ctrl-C closes the studio)")
            if not no_browser:
                with suppress(OSError):  # the folder cannot be written to; the link is printed
                    click.launch(str(stack.enter_context(opening_page(place, link))))

        if log is not None:
            read_log(opened.project, log)
        serve(opened, address, ready)
