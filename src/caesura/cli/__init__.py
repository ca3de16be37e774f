"""The command line: `caesura COMMAND`. It parses, calls one function and prints."""

import sys

import click

from caesura import __version__
from caesura.cli.agreement import agreement
from caesura.cli.compare import compare
from caesura.cli.convert import convert
from caesura.cli.correlate import correlate
from caesura.cli.demo import demo
from caesura.cli.listing import listing
from caesura.cli.report import report
from caesura.cli.segment import segment
from caesura.cli.terms import terms
from caesura.cli.text import text
from caesura.cli.train import train
from caesura.cli.transcript import transcript
from caesura.errors import CaesuraError


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try `caesura demo` first.",
)
@click.version_option(__version__, prog_name="caesura")
def cli() -> None:
    """How good are these boundaries?

    caesura scores segmentations: sentence boundaries in speech transcripts, against one human
    reference or many; tokens and sentences in text, jointly; terms discovered in raw speech.
    """


cli.add_command(demo)
cli.add_command(transcript)
cli.add_command(agreement)
cli.add_command(text)
cli.add_command(terms)
cli.add_command(compare)
cli.add_command(correlate)
cli.add_command(segment)
cli.add_command(train)
cli.add_command(convert)
cli.add_command(report)
cli.add_command(listing)


def main() -> None:
    """Run, and turn what went wrong into one line and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(prog_name="caesura")
    except CaesuraError as problem:
        click.echo(f"error: {problem}", err=True)
        sys.exit(problem.status)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
