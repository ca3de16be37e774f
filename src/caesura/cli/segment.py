"""`caesura segment`: place boundaries in a transcript."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.commands import BOUNDARIES, OUTPUT, Real, argument, command
from caesura.cli.completion import complete_detectors
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from caesura.api.segmenting import Seen


@command()
@argument("detector", metavar="DETECTOR", shell_complete=complete_detectors)
@argument("input_path", metavar="[INPUT]", required=False)
@OUTPUT.option(
    "-f", "--format", "--to", "to", metavar="FORMAT", default=None, main=True,
    help="The output format, one of those that `caesura list formats` marks as written.  "
    "[default: by the suffix of --output, otherwise lines (one unit per line)]",
)  # fmt: skip
@options.output_option("Write to a file instead of standard output.")
@options.overwrite_option
@BOUNDARIES.option(
    "--threshold", type=Real(0, 1), default=None, metavar="P", main=True,
    help="End a unit where the probability is at least P.  [default: for best, the value with the "
    "highest expected F1; for the others, a value tuned on held-out data]",
)  # fmt: skip
@BOUNDARIES.option(
    "--mean-length", type=Real(min=1), default=None, metavar="N", main=True,
    help="Instead of using a threshold, place boundaries at the most probable places so that units "
    "have N words on average.",
)  # fmt: skip
@OUTPUT.option(
    "--probabilities", is_flag=True, main=True,
    help="Instead of units, write one tab-separated line per word: the word, the probability that "
    "a unit ends after it, and 1 if one does, otherwise 0.",
)  # fmt: skip
@task_options(TASKS["transcript"], options.FORM)
@options.quiet_option()
def segment(
    detector: str,
    input_path: str | None,
    to: str | None,
    output: str | None,
    overwrite: bool,
    threshold: float | None,
    mean_length: float | None,
    probabilities: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Segment a transcript into units.

    DETECTOR is one of `caesura list detectors` or a model written by `caesura train`. The bundled
    s1, s2 and best are for English and use only the words, not punctuation; auto gives punctuated
    text to a segmenter that reads it, and bare words to best. INPUT is a file in any format, - for
    standard input, or a URL. Networks read plain text as a stream: transcripts can be of any
    length, and output is written as soon as possible.

    \b
    Examples:
      caesura segment auto talk.txt
      caesura segment best asr.json -o asr.srt
      cat words.txt | caesura segment s1 --mean-length 12
      caesura segment best talk.ctm --probabilities
      caesura segment pauses:0.7 talk.ctm -f marks
    """
    from caesura.api.conversion import Conversion, target_of
    from caesura.api.segmenting import Job
    from caesura.io.files import STDIN
    from caesura.io.outputs import require_new

    if threshold is not None and mean_length is not None:
        raise click.UsageError("use either --threshold or --mean-length")
    if probabilities and to:
        raise click.UsageError("--probabilities has its own format; remove --format")
    if input_path is None and is_document(detector):
        raise click.UsageError(f"no detector; put one before the file: best {detector}")
    if output is not None and not overwrite:
        require_new("--output", [output])
    job = Job.from_name(detector, threshold, mean_length, probabilities=probabilities)
    if input_path is None and sys.stdin.isatty():
        raise click.UsageError("no transcript; give a file as INPUT, or pipe one in")
    conversion = Conversion(target_of(output or ".txt", to), **reading)
    path = options.path_of(input_path or STDIN)
    _write(job.pieces(path, conversion), output)
    _warn(detector, path, job.seen, quiet=quiet)


def _warn(detector: str, path: str, seen: Seen, *, quiet: bool) -> None:
    """Say what `auto` took, what the detector does not read or know, and what may be misread."""
    from caesura.cli.running import tell
    from caesura.detect import is_own, readers
    from caesura.errors import on_command_line
    from caesura.scores.notes import doubts, odd_lines, taken, unknown_words, unread_marks

    tell((taken(each, path) for each in seen.taken), (), quiet=quiet)
    tell((), odd_lines(seen.signs, path), quiet=False)
    tell((), doubts(seen.signs, path), quiet=False)
    unread = unread_marks(path, detector, seen.marks, seen.words, readers())
    tell((), map(on_command_line, unread), quiet=False)
    unknown = unknown_words(detector, seen.unknown, seen.words, is_own=is_own(detector))
    tell((), unknown, quiet=False)


def is_document(path: str) -> bool:
    """Whether the argument in place of a detector is a file to segment."""
    from caesura.detect import DETECTORS, MODEL
    from caesura.io.cwd import is_file

    return path not in DETECTORS and not path.endswith(MODEL) and is_file(path)


def _write(pieces: Iterable[str], output: str | None) -> None:
    from caesura.io.writing import replacing

    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    with replacing(output) as file:
        file.writelines(pieces)
