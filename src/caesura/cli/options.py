"""Options that commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

import click

from caesura.cli.commands import (
    EXIT,
    INPUT,
    OUTPUT,
    RUNNING,
    STATISTICS,
    Real,
    Written,
    itself,
)
from caesura.cli.completion import complete_detectors
from caesura.cli.exit_status import say
from caesura.core.escapes import as_name
from caesura.core.resampling_defaults import LEVEL, METHOD, RESAMPLES, SEED, UNIT

if TYPE_CHECKING:
    from caesura.output.tables import Page

F = TypeVar("F", bound=Callable[..., object])
OUTPUT_FORMATS = ("table", "json", "csv", "markdown", "latex")


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


def quiet_option(
    text: str = "Hide progress and notes; warnings are still shown.", **how: object
) -> Callable[[F], F]:
    """The option that silences what is neither a result, a warning nor an error."""
    return RUNNING.option("-q", "--quiet", is_flag=True, help=text, **how)


REFERENCES = ("--ref", "--gold")
"""What systems are scored against; every command that has one of these takes both."""
OUTPUTS = ("--output", "--out")
"""Where results are written; every command that has one of these takes both, and -o."""


def _others(names: Sequence[str], own: str) -> list[str]:
    return [name for name in names if name != own]


def _only(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The only value of an option that must not be repeated."""
    if len(given) > 1:
        name = param.opts[0]
        raise click.UsageError(f"{len(given)} of {name}; give {name} once", ctx)
    return given[0] if given else None


def reference_option(
    name: str, parameter: str, text: str, *, metavar: str = "GOLD", several: bool = False
) -> Callable[[F], F]:
    """What systems are scored against, under the name that a command has for it."""
    return INPUT.option(
        name, parameter, multiple=True, required=True, metavar=metavar, help=text, main=True,
        aliases=_others(REFERENCES, name), callback=None if several else _only,
    )  # fmt: skip


def output_option(
    text: str,
    *,
    name: str = OUTPUTS[0],
    metavar: str = "FILE",
    writes: Written = itself,
    **how: object,
) -> Callable[[F], F]:
    """Where a result is written."""
    return OUTPUT.option(
        "-o", name, "output", metavar=metavar, help=text, main=True,
        aliases=_others(OUTPUTS, name), writes=writes, **how,
    )  # fmt: skip


overwrite_option = OUTPUT.option(
    "--overwrite", is_flag=True, main=True, help="Replace an output file that exists."
)
missing_option = INPUT.option(
    "--missing", type=click.Choice(["error", "skip"]), default="error", show_default=True,
    help="What to do with a document that is missing from a folder.",
)  # fmt: skip
vary_option = INPUT.option(
    "--missing", type=click.Choice(["error", "skip", "vary"]), default="error", show_default=True,
    help="What to do with a document that is missing from a folder: stop, leave it out, or (vary) "
    "score it with the references and systems that have it.",
)  # fmt: skip

FORM = ("input", "units", "tier", "rate", "force", "marks", "encoding")
"""The options of transcripts that say how files are read."""

run_option = INPUT.option(
    "--run", multiple=True, metavar="DETECTOR", shell_complete=complete_detectors, main=True,
    help="Also run and score a detector: DETECTOR or NAME=DETECTOR, one of `caesura list "
    "detectors`, such as s1, best, every:12, pauses:0.5 or 'cmd:./mine {input}'. It gets the "
    "words of the first reference (or of --axis-from), without case and punctuation; a segmenter "
    "of punctuated text gets the text as written.",
)  # fmt: skip


def format_options_with(*more: str) -> Callable[[F], F]:
    """Where a result goes, and in which format; a command may have formats of its own."""
    return _together(
        OUTPUT.option(
            "-f", "--format", type=click.Choice((*OUTPUT_FORMATS, *more)), default="table",
            show_default=True, help="The output format.", main=True,
        ),
        output_option("Write the result to a file instead of standard output."),
    )  # fmt: skip


format_options = format_options_with()


saving_options = _together(
    OUTPUT.option(
        "--cite", is_flag=True,
        help="Print BibTeX entries to cite with these scores, on standard error.",
    ),
    OUTPUT.option(
        "--select", metavar="KEYS", default=None,
        help="Keep only these keys of the JSON, such as wisebe,f1_mean.",
    ),
    OUTPUT.option(
        "--rows", metavar="FILE", default=None, main=True, writes=itself,
        help="Also save the counts of every document and measure as JSON lines, compressed "
        "if FILE ends with .gz or .zst.",
    ),
    OUTPUT.option(
        "--with-text", is_flag=True,
        help="With --rows: also save the text, for `caesura report`.",
    ),
    OUTPUT.option(
        "--html", metavar="FILE", default=None, main=True, writes=itself,
        help="Also write an HTML report: scores, charts and the text with every boundary.",
    ),
)  # fmt: skip


def output_options_with(*more: str) -> Callable[[F], F]:
    """The options of output, with formats of a command's own."""
    return _together(format_options_with(*more), saving_options, quiet_option())


output_options = output_options_with()

gate_options = _together(
    EXIT.option(
        "--fail-under", multiple=True, metavar="MEASURE=VALUE", main=True,
        help="Exit with status 3 if a system's micro score, named as in the JSON, is below the "
        "value. Repeatable.",
    ),
    EXIT.option(
        "--fail-over", multiple=True, metavar="MEASURE=VALUE",
        help="Exit with status 3 if a score is above the value; for error rates. Repeatable.",
    ),
    EXIT.option(
        "--fail-if-worse-than", metavar="ROWS", default=None,
        help="Exit with status 3 if a system is significantly worse on a main score than the "
        "system of the same name in rows saved earlier.",
    ),
)  # fmt: skip

seed_option = STATISTICS.option(
    "--seed", type=click.IntRange(min=0), default=SEED, show_default=True, metavar="N",
    envvar="CAESURA_SEED", help="The random seed.",
)  # fmt: skip


def interval_options(resamples: int) -> Callable[[F], F]:
    """The options of intervals, with a default number of resamples."""
    return _together(
        STATISTICS.option(
            "--level", type=Real(0, 1, min_open=True, max_open=True), default=LEVEL,
            show_default=True, metavar="P",
            help="The confidence level; a difference is significant if p < 1 - level.",
        ),
        STATISTICS.option(
            "--resamples", type=click.IntRange(min=1), default=resamples, show_default=True,
            metavar="N",
            help="The number of bootstrap resamples and the maximum number of permutations.",
        ),
        STATISTICS.option(
            "--method", type=click.Choice(["bca", "percentile"]), default=METHOD,
            show_default=True,
            help="The kind of interval: bias-corrected and accelerated (BCa), or percentile.",
        ),
    )  # fmt: skip


resampling_options = _together(
    interval_options(resamples=RESAMPLES),
    STATISTICS.option(
        "--unit", type=click.Choice(["auto", "document", "block"]), default=UNIT,
        show_default=True,
        help="Resample documents, or blocks within them. auto: blocks if there are fewer than 10 "
        "documents.",
    ),
)  # fmt: skip

confidence_option = STATISTICS.option(
    "--confidence", is_flag=True, main=True,
    help="Add bootstrap confidence intervals to all scores.",
)  # fmt: skip

statistics_options = _together(
    confidence_option,
    STATISTICS.option(
        "--compare", is_flag=True, main=True,
        help="Compare the other systems with the first, with significance tests.",
    ),
    resampling_options,
)  # fmt: skip

by_document_option = OUTPUT.option(
    "--by-document", is_flag=True, main=True, help="Add a table of scores by document."
)


error_options = _together(
    OUTPUT.option(
        "--show-errors", type=click.IntRange(min=1), metavar="N", default=None, main=True,
        help="Add the N most frequent errors, and the first N.",
    ),
    OUTPUT.option(
        "--errors", metavar="FILE", default=None, writes=itself,
        help="Write every error to a tab-separated file.",
    ),
)  # fmt: skip


def emit(
    result: object,
    page: Callable[[], Page],
    format: str,
    output: str | None,
    select: str | None = None,
) -> None:
    """Write a result in the requested format; of JSON, the keys that are selected."""
    if format == "json":
        from caesura.output.json import as_json, selected

        put(as_json(selected(result, select.split(",")) if select else result), output)
        return
    from caesura.output.render import RENDERERS
    from caesura.output.terminal import as_text

    if format == "table":
        from shutil import get_terminal_size

        is_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
        width = get_terminal_size().columns if is_terminal else None
        color = is_terminal and not os.environ.get("NO_COLOR")
        put(as_text(page(), color=color, width=width), output)
    else:
        put(RENDERERS[format](page()), output)


def path_of(path: str) -> str:
    """A path that was typed; of a named set, `@SET/FILE`, the path of its file."""
    if not path.startswith("@"):
        return path
    from caesura.sets.named_sets import found_files, is_set, set_path

    if is_set(path) and (warning := found_files(path)[0].warning):
        say(f"warning: {warning}")
    return set_path(path)


def put(text: str, output: str | None) -> None:
    """Print a text, or write it to a file."""
    from caesura.io.writing import replacing

    if output is None:
        click.echo(text, nl=False)
        return
    with replacing(output) as file:
        file.write(text)


def baseline_of(systems: Sequence[str], named: str | None, *, all_pairs: bool) -> str | None:
    """The system that the others are compared with; none if all are compared with all."""
    if all_pairs and named is not None:
        raise click.UsageError("use either --baseline or --all-pairs")
    if all_pairs:
        return None
    return as_name(named) if named and named not in systems else named or systems[0]
