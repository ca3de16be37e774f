"""Boundaries in transcripts, against one or several references; and their agreement."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.task import Parts, Task
from caesura.tasks.transcript.measures import MEASURES

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.option import Options
    from caesura.output.tables import Errors


def _options() -> type[Options]:
    from caesura.tasks.transcript.options import TranscriptOptions

    return TranscriptOptions


def _errors() -> Errors[Any]:
    from caesura.tasks.transcript.report import ERRORS

    return ERRORS


def _load() -> Parts:
    from caesura.tasks.transcript.counting import Transcript
    from caesura.tasks.transcript.score import score_transcripts, summary_of
    from caesura.tasks.transcript.tables import report_tables, transcript_page

    return Parts(
        counter=Transcript,
        score=partial(score_transcripts, TRANSCRIPT, AGREEMENT),
        summary=summary_of,
        page=transcript_page,
        report_tables=report_tables,
        errors=_errors,
    )


TRANSCRIPT = Task(
    name="transcript",
    command="transcript",
    help="Score boundaries in transcripts against one or several references.",
    unit="unit",
    scored="boundaries",
    behind="the words and every boundary",
    against=("references",),
    measures=MEASURES,
    options=_options,
    load=_load,
)


def _agreement_command() -> Command:
    from caesura.core.command import Command

    return Command(
        about="""REF is PATH or NAME=PATH: a file, a folder or a glob of transcripts, - or a URL.

        \b
        Examples:
          caesura agreement a.txt b.txt c.txt
          caesura agreement anna=ann/anna ben=ann/ben --by-document -f csv
        """,
        systems="REF...",
        sides=(),
        has_errors=False,
    )


def _load_agreement() -> Parts:
    from caesura.tasks.transcript.tables import agreement_page, with_who

    return replace(_load(), page=agreement_page, report_tables=with_who, errors=lambda: None)


AGREEMENT = replace(
    TRANSCRIPT,
    name="agreement",
    command="agreement",
    help="Measure inter-annotator agreement.",
    called=_agreement_command,
    has_systems=False,
    load=_load_agreement,
)
