"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from caesura.output.tables import Page

F = TypeVar("F", bound=Callable[..., Any])
OUTPUT_FORMATS = ("table", "json", "csv", "markdown", "latex")
PROFILES = ("paper", "tool")


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


encoding_option = click.option(
    "--encoding", metavar="NAME", default=None,
    help="The files' encoding, if neither UTF-8 nor told by a byte-order mark.",
)  # fmt: skip

file_options = _together(
    encoding_option,
    click.option(
        "--missing", type=click.Choice(["error", "skip"]), default="error", show_default=True,
        help="What to do with a document that is not in every folder.",
    ),
)  # fmt: skip

form_options = _together(
    click.option(
        "--input", metavar="FORM", default="auto", show_default=True,
        help="How files are read: auto, lines (one unit per line), marks (. ? ! ; end a unit), "
        "slashes (units parted by //), binary (0 or 1 for each word), or a format of `caesura list "
        "formats`. auto: by the suffix or content; else // present, slashes; only 0 and 1, binary; "
        "several lines, lines; else marks.",
    ),
    click.option(
        "--units", type=click.Choice(["auto", "marks", "segments"]), default="auto",
        show_default=True,
        help="What ends a unit in timed formats: the marks in the text, or the ends of the "
        "format's own segments (subtitles, intervals, utterances). auto: as the format has it.",
    ),
    click.option(
        "--marks", metavar="CHARS", default=".?!;", show_default=True,
        help="The marks that end a unit.",
    ),
)  # fmt: skip

reading_options = _together(
    form_options,
    click.option(
        "--normalize", metavar="RULES", default=None,
        help="Normalise words before they are compared, by rules parted by commas: fillers, "
        "hyphens, contractions, numbers, … (all are in the documentation).",
    ),
    click.option(
        "--align", is_flag=True,
        help="Where words differ, align them by edit distance with one reference's, carry the "
        "boundaries over and report the word error rate and coverage.",
    ),
    click.option(
        "--axis-from", metavar="REF", default=None,
        help="With --align: the reference that gives the words: its name, `first`, or `medoid`, "
        "the one with the fewest word errors against the others.  [default: medoid]",
    ),
    click.option(
        "--axis", type=click.Choice(["words", "time"]), default="words", show_default=True,
        help="time: boundaries are moments, matched one to one at most --tolerance apart; words "
        "need not be the same.",
    ),
    click.option(
        "--streams", type=click.Choice(["speaker", "channel"]), default=None,
        help="Keep speakers or channels apart, each on an axis of its own: for overlapping "
        "speech. Their names have to be the same in all files.",
    ),
    file_options,
)  # fmt: skip

final_options = _together(
    click.option(
        "--final", type=click.Choice(["drop", "keep"]), default=None,
        help="Whether the end of the transcript counts as a boundary.  [default: drop]",
    ),
    click.option(
        "--profile", type=click.Choice(PROFILES), default="paper", show_default=True,
        help="paper: --window 2 --final drop, the published figures; tool: --window 3 --final "
        "keep, what the authors' program does. Either option can still be given.",
    ),
    click.option(
        "--near", type=click.IntRange(min=1), default=2, show_default=True,
        help="B and S: two boundaries less than so many words apart may be one near miss (n_t).",
    ),
)  # fmt: skip

window_option = click.option(
    "--window", default=None, metavar="N",
    help="WiSeBE: a gap of more than so many words parts two windows; on --axis time seconds, "
    "such as 1.5s.  [default: 2, or 1s]",
)  # fmt: skip

tolerance_option = click.option(
    "--tolerance", default=None, metavar="N",
    help="How far a boundary may be off: words for F1 ±2; on --axis time seconds, such as 0.5s, "
    "for every score.  [default: 2, or 0.5s]",
)  # fmt: skip

run_option = click.option(
    "--run", multiple=True, metavar="DETECTOR",
    help="Also score a detector that is run on the spot: DETECTOR or NAME=DETECTOR, one of "
    "`caesura list detectors`, such as s1, best, every:12, pauses:0.5 or 'cmd:./mine {input}'. It "
    "sees the words of the first reference (or of --axis-from), without case and punctuation.",
)  # fmt: skip

format_options = _together(
    click.option(
        "-f", "--format", type=click.Choice(OUTPUT_FORMATS), default="table", show_default=True,
        help="How the result is written.",
    ),
    click.option(
        "-o", "--output", metavar="FILE", default=None,
        help="Write the result to a file, not to standard output.",
    ),
)  # fmt: skip


saving_options = _together(
    click.option(
        "--rows", metavar="FILE", default=None,
        help="Also save the counts of every document and measure, as JSON lines.",
    ),
    click.option(
        "--with-text", is_flag=True,
        help="With --rows: save, too, what `caesura report` shows beside the scores, the words "
        "among it.",
    ),
    click.option(
        "--html", metavar="FILE", default=None,
        help="Also write a page to look at: scores, charts and the text with every boundary.",
    ),
    click.option(
        "--plot", metavar="FILE.svg", default=None, help="Also draw the main scores, as SVG."
    ),
)  # fmt: skip

output_options = _together(
    format_options,
    saving_options,
    click.option("-q", "--quiet", is_flag=True, help="No progress."),
)  # fmt: skip

gate_options = _together(
    click.option(
        "--fail-under", multiple=True, metavar="MEASURE=VALUE",
        help="Exit with 3 if a system's score (micro, as named in the JSON) is less.",
    ),
    click.option(
        "--fail-over", multiple=True, metavar="MEASURE=VALUE",
        help="The same for error rates: exit with 3 if one is more.",
    ),
    click.option(
        "--fail-if-worse-than", metavar="ROWS", default=None,
        help="Exit with 3 if a system is shown to be worse, on a main score, than the system of "
        "the same name in rows that were saved before.",
    ),
)  # fmt: skip

seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=12345, show_default=True, envvar="CAESURA_SEED",
    help="Makes what is drawn at random the same every time.",
)  # fmt: skip


def interval_options(resamples: int) -> Callable[[F], F]:
    """How intervals are made; with so many resamples, unless others are asked for."""
    return _together(
        click.option(
            "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
            show_default=True,
            help="How sure intervals are; a difference is shown if p < 1 - level.",
        ),
        click.option(
            "--resamples", type=click.IntRange(min=1), default=resamples, show_default=True,
            metavar="N",
            help="How often units are drawn, and how many permutations are tried at most.",
        ),
        click.option(
            "--method", type=click.Choice(["bca", "percentile"]), default="bca",
            show_default=True,
            help="How intervals are made: corrected for bias and skewness, or plain percentiles.",
        ),
    )  # fmt: skip


resampling_options = _together(
    interval_options(resamples=10_000),
    click.option(
        "--unit", type=click.Choice(["auto", "document", "block"]), default="auto",
        show_default=True,
        help="What is drawn: documents, or blocks inside them. auto: blocks, if there are fewer "
        "than 10 documents.",
    ),
)  # fmt: skip

confidence_option = click.option(
    "--confidence", is_flag=True, help="Add intervals to all scores, by resampling."
)

statistics_options = _together(
    confidence_option,
    click.option(
        "--compare", is_flag=True,
        help="Add the differences of the systems to the first, and whether they are real.",
    ),
    resampling_options,
)  # fmt: skip

by_document_option = click.option(
    "--by-document", is_flag=True, help="Add a table of every document."
)


def emit(result: Any, page: Callable[[], Page], format: str, output: str | None) -> None:
    """Write a result in the format asked for."""
    from caesura.output.render import RENDERERS, as_json, as_text

    if format == "json":
        text = as_json(result)
    elif format == "table":
        text = as_text(page(), color=_draws_color(output))
    else:
        text = RENDERERS[format](page())
    put(text, output)


def put(text: str, output: str | None) -> None:
    """Print a text, or write it to a file whole."""
    from caesura.io.files import replacing

    if output is None:
        click.echo(text, nl=False)
        return
    with replacing(output) as file:
        file.write(text)


def _draws_color(output: str | None) -> bool:
    import os
    import sys

    return output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def baseline_of(systems: Sequence[str], named: str | None, *, all_pairs: bool) -> str | None:
    """The system that the others are compared with; none if all are compared with all."""
    if all_pairs and named is not None:
        raise click.UsageError("--baseline and --all-pairs exclude each other")
    return None if all_pairs else named or systems[0]
