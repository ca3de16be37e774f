"""`caesura transcript`: boundaries in transcripts, against one or several references."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import ARGUMENTS, OUTPUT, argument, command
from caesura.cli.detecting import runs_of
from caesura.cli.running import running_options, tell
from caesura.cli.scoring import Scoring
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS


@command()
@argument("systems", nargs=-1, metavar="SYSTEM...")
@options.reference_option(
    "--ref", "references", "A reference. Repeatable.", metavar="REF", several=True
)
@options.run_option
@task_options(TASKS["transcript"])
@options.vary_option
@options.error_options
@OUTPUT.option("--by-mark", is_flag=True, help="Add a table of scores by mark.")
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def transcript(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    run: tuple[str, ...],
    by_mark: bool,
    by_document: bool,
    **given: Any,
) -> None:
    """Score boundaries in transcripts against one or several references.

    With several references, the main score is WiSeBE (window-based sentence boundary evaluation):
    a system against all references at once, weighted by how much they agree. Precision, recall, F1,
    SER, Pk, WindowDiff and others are computed for each reference; see `caesura list measures`.

    SYSTEM and REF are PATH or NAME=PATH. A path is a file, a folder or a glob of transcripts
    (matched by file name), - for standard input, or a URL; .gz, .xz and .zst are decompressed.
    The format is detected automatically: plain text, subtitles, CTM, STM, RTTM, TextGrid, ELAN,
    Whisper's JSON and others. All versions of a transcript must have the same words, ignoring case
    and punctuation; if the words differ, use --align to project the boundaries.

    \b
    Examples:
      caesura transcript out.txt --ref gold.txt
      caesura transcript s1.txt s2.txt --ref a.txt --ref b.txt --ref c.txt
      caesura transcript S1=out/s1 --ref ann/anna --ref ann/ben -f json -o s.json
      caesura transcript --run best --run every:12 --ref a.txt --ref b.txt
      caesura transcript asr.json --ref ann1.TextGrid --ref ann2.eaf --align
      caesura transcript asr.ctm --ref ref.stm --axis time --tolerance 0.5s
      caesura transcript out/s1 out/s2 --ref ann/anna --confidence --compare
      caesura transcript s1.txt --ref a.txt --ref b.txt --fail-under wisebe=0.35
    """
    scoring = Scoring.from_options(TASKS["transcript"], given)
    _warn_of_strays(systems, run)
    given["run"] = runs_of(run, systems)
    from caesura.tasks.transcript.tables import mark_tables

    found = scoring.evaluate(systems, references, **given)
    if by_mark and not mark_tables(found.summary):
        tell((), ["--by-mark has no effect: not both sides have marks"], quiet=False)
    scoring.show(found, by_mark=by_mark, by_document=by_document)


def _warn_of_strays(systems: tuple[str, ...], runs: tuple[str, ...]) -> None:
    """Warn of systems that were probably meant as references: --ref takes one value."""
    arguments = click.get_current_context().meta[ARGUMENTS]
    found = strays(arguments, systems, is_expected=not runs)
    if found:
        are = "is scored as a system" if len(found) == 1 else "are scored as systems"
        meant = " ".join(f"--ref {each}" for each in found)
        tell((), [f"{', '.join(found)} {are}; did you mean {meant}?"], quiet=False)


def strays(arguments: list[str], systems: tuple[str, ...], *, is_expected: bool) -> list[str]:
    """The systems that come directly after the value of --ref or --gold.

    If no system comes before the first of these, and one `is_expected`, they are meant to be there.

    >>> strays(["s.txt", "--ref", "a", "b"], ("s.txt", "b"), is_expected=True)
    ['b']
    >>> strays(["--ref", "a", "s.txt"], ("s.txt",), is_expected=True)
    []
    """
    starts = [
        at for at, each in enumerate(arguments) if each.partition("=")[0] in options.REFERENCES
    ]
    if not starts or (is_expected and not {*arguments[: starts[0]]} & {*systems}):
        return []
    found: list[str] = []
    for at in starts:
        after = arguments[at + 1 + (arguments[at] in options.REFERENCES) :]
        found += takewhile(lambda each: each in systems, after)
    return found
