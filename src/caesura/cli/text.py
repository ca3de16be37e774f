"""`caesura text`: tokens and sentences in text, jointly."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, OUTPUT, argument, command
from caesura.cli.detecting import run_on_text, runs_of, sentences_only
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS


@command()
@argument("systems", nargs=-1, metavar="SYSTEM...")
@options.reference_option("--gold", "gold", "The gold text.")
@INPUT.option(
    "--run", multiple=True, metavar="DETECTOR", main=True,
    help="Also run a segmenter on --raw and score it: DETECTOR or NAME=DETECTOR, one of `caesura "
    "list detectors`, such as nltk, spacy, syntok or 'cmd:./mine {input}'. nltk, spacy, stanza, "
    "syntok and blingfire are scored on tokens, too, others on sentences only.",
)  # fmt: skip
@INPUT.option(
    "--raw", metavar="RAW", default=None, main=True,
    help="The raw text for --run: a file, or a folder if GOLD is one.",
)  # fmt: skip
@task_options(TASKS["text"])
@options.missing_option
@options.error_options
@OUTPUT.option(
    "--conll", is_flag=True, help="Print the scores in the layout of UD's evaluation script."
)
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def text(
    systems: tuple[str, ...],
    gold: str,
    run: tuple[str, ...],
    raw: str | None,
    by_document: bool,
    conll: bool,
    **given: Any,
) -> None:
    """Score tokens and sentences jointly against a gold standard.

    SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob of texts (matched by file
    name), - or a URL. The characters may differ; text that cannot be aligned is reported.

    \b
    Examples:
      caesura text nltk.txt spacy.txt --gold gold.conllu --units words
      caesura text out/nltk --gold gold/ --show-errors 10
      caesura text parsed.conllu --gold gold.conllu --conll
      caesura text --run nltk --run spacy --raw raw.txt --gold gold.conllu
    """
    scoring = Scoring.from_options(TASKS["text"], given)
    if conll and scoring.given["format"] != "table":
        raise click.UsageError("--conll has its own layout; remove --format")
    if conll and (by_document or scoring.given["show_errors"]):
        raise click.UsageError("--conll has its own layout; remove --by-document and --show-errors")
    if conll and scoring.given["confidence"]:
        raise click.UsageError("--conll has its own layout, without intervals; remove --confidence")
    runs = runs_of(run, systems)
    ours: list[Any] = [*systems, *run_on_text(runs, raw, given)]
    given["sentences_only"] = sentences_only(runs)
    found = scoring.evaluate(ours, gold=gold, **given)
    if conll:
        from caesura.tasks.text.output import conll_text

        options.put(conll_text(found.summary), scoring.given["output"])
        scoring.finish(found)
    else:
        scoring.show(found, by_document=by_document)
