"""`caesura resegment`: a text put into the segments of a reference."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.task_command import side_option
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS
from caesura.tasks.sentences.options import DOCIDS


@command()
@argument("text", metavar="HYP")
@options.reference_option(
    "--to", "reference", "The reference, one segment per line.", metavar="REF"
)
@side_option(DOCIDS)
@task_options(TASKS["sentences"], ("tokens", "units", "encoding"), {"units": "--level"})
@options.missing_option
@OUTPUT.option(
    "-f", "--format", type=click.Choice(["text", "json"]), default="text", show_default=True,
    main=True,
    help="text: one line for each reference segment; json: also the edits of each, and how far "
    "each cut could move at no cost.",
)  # fmt: skip
@options.output_option("Write to a file; if HYP is a folder, to a folder.", metavar="PATH")
@options.overwrite_option
@options.quiet_option()
def resegment(
    text: str, reference: str, format: str, output: str | None, overwrite: bool, **given: Any
) -> None:
    """Put a text into the segments of a reference.

    Every word of HYP goes into one segment of REF, in order, so that the sum of word edits over all
    segments is the least possible. One line is written for each segment, empty ones included; the
    words are those of HYP, as they are. HYP and REF are files, - or URLs, or two folders of texts
    that are matched by file name.

    \b
    Examples:
      caesura resegment hyp.txt --to ref.txt -o fitted.txt
      caesura resegment hyp.txt --to ref.txt --docids docids.txt
      caesura resegment out/ --to refs/ -o fitted/
      caesura resegment hyp.txt --to ref.txt -f json
    """
    from caesura.api.resegmenting import Resegmenting
    from caesura.cli.exit_status import say
    from caesura.errors import on_command_line
    from caesura.io.outputs import require_apart, require_new
    from caesura.scores.notes import left_out

    given.pop("quiet")
    text, reference = options.path_of(text), options.path_of(reference)
    done = Resegmenting.from_options(text, reference, **given)
    for each in (*left_out(done.skipped, len(done.documents)), *done.warnings):
        say(f"warning: {on_command_line(each)}")
    if output is not None:
        places = [*done.files(format, output).values()]
        require_apart({"--output": places}, [text, reference])
        if not overwrite:
            require_new("--output", places or [output])
    done.write(format, output, options.put)
