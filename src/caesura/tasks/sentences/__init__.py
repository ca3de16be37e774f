"""Translations and recognised speech in the segments of a reference."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.core.task import Made, Measures, Parts, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caesura.core.command import Command
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.sentences.options import SentencesOptions

    return SentencesOptions


def _command() -> Command:
    from caesura.tasks.sentences.options import COMMAND

    return COMMAND


def _kept() -> Mapping[str, tuple[type[Any], Made]]:
    from caesura.output.report.segments import SegmentPairs, segments_readings

    return {"segment_pairs": (SegmentPairs, segments_readings)}


def _load() -> Parts:
    from caesura.tasks.sentences.counting import SentencesTask
    from caesura.tasks.sentences.score import ERRORS, score_sentences, sentences_page, summary_of

    return Parts(
        counter=SentencesTask,
        score=partial(score_sentences, SENTENCES),
        summary=summary_of,
        page=sentences_page,
        errors=lambda: ERRORS,
        kept=_kept,
    )


SENTENCES = Task(
    name="sentences",
    command="sentences",
    help="Score translations or recognised speech in the segments of a reference.",
    called=_command,
    unit="segment",
    scored="sentences",
    behind="the segments",
    against=("references",),
    measures=Measures(
        {
            "sentences": "caesura.tasks.sentences.counting:Sentences",
            "bleu": "caesura.measures.translation:Bleu",
            "chrf": "caesura.measures.translation:Chrf",
            "ter": "caesura.measures.translation:Ter",
        }
    ),
    options=_options,
    load=_load,
)
