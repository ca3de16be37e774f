"""`caesura segment`: place boundaries in a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterable


@click.command()
@click.argument("detector")
@click.argument("input_path", metavar="INPUT", default="-")
@click.option(
    "-f", "--format", "--to", "to", metavar="FORMAT", default=None,
    help="What to write: a format of `caesura list formats`.  [default: by the suffix of "
    "--output, else lines, one unit per line]",
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="FILE", default=None,
    help="Write to a file, not to standard output.",
)  # fmt: skip
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=None, metavar="P",
    help="A unit ends where it is at least so probable.  [default: what was best on held-out data]",
)  # fmt: skip
@click.option(
    "--mean-length", type=click.FloatRange(min=1), default=None, metavar="N",
    help="Instead of a threshold: the most probable ends, so many that units are N words long on "
    "the mean.",
)  # fmt: skip
@click.option(
    "--probabilities", is_flag=True,
    help="Write a line for each word instead: the word, the probability that a unit ends after it, "
    "and 1 where one does, parted by tabs.",
)  # fmt: skip
@options.form_options
@options.encoding_option
def segment(
    detector: str,
    input_path: str,
    to: str | None,
    output: str | None,
    threshold: float | None,
    mean_length: float | None,
    probabilities: bool,
    **reading: Any,
) -> None:
    """Place unit boundaries in a transcript.

    DETECTOR is a name of `caesura list detectors` or a model that `caesura train` wrote; s1, s2 and
    best come with caesura, are for English, and look at words alone, not at punctuation. INPUT is a
    file in any format, - for standard input, or a URL. Plain text is read piece by piece: a
    transcript may be of any length, and what is decided is written at once.

    \b
    caesura segment s2 talk.txt
    caesura segment best asr.json -o asr.srt
    cat words.txt | caesura segment s1 --mean-length 12
    caesura segment best talk.ctm --probabilities
    caesura segment pauses:0.7 talk.ctm -f marks
    """
    from caesura.tasks.convert import Conversion, target_of
    from caesura.tasks.segment import Job

    if threshold is not None and mean_length is not None:
        raise click.UsageError("--threshold and --mean-length exclude each other")
    if probabilities and to:
        raise click.UsageError("--probabilities has a form of its own; leave --format out")
    job = Job.from_name(detector, threshold, mean_length, probabilities=probabilities)
    conversion = Conversion(target_of(output or ".txt", to), **reading)
    _write(job.pieces(input_path, conversion), output)


def _write(pieces: Iterable[str], output: str | None) -> None:
    from caesura.io.files import replacing

    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    with replacing(output) as file:
        file.writelines(pieces)
