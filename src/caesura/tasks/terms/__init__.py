"""Terms that systems find in speech, against its phones and words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from caesura.core.format import Format
from caesura.core.task import Measures, Parts, Task

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.option import Options


def _options() -> type[Options]:
    from caesura.tasks.terms.options import TermsOptions

    return TermsOptions


def _command() -> Command:
    from caesura.tasks.terms.options import COMMAND

    return COMMAND


def _load() -> Parts:
    from caesura.tasks.terms.counting import TermsTask
    from caesura.tasks.terms.score import score_terms, summary_of, terms_page

    return Parts(
        counter=TermsTask,
        score=partial(score_terms, TERMS),
        summary=summary_of,
        page=terms_page,
    )


TERMS = Task(
    name="terms",
    command="terms",
    help="Score terms discovered in speech: boundaries, tokens, types, groups.",
    called=_command,
    unit="unit",
    scored="terms",
    behind="the clusters",
    against=("phones", "words"),
    resampled="recording",
    formats=(
        Format(
            name="class",
            holds="speech",
            about="discovered intervals as `Class 1` and FILE ON OFF lines",
        ),
        Format(
            name="phn",
            holds="speech",
            about="gold phones or words as FILE ON OFF LABEL lines (.phn, .wrd)",
            suffixes=(".phn", ".wrd"),
        ),
        Format(
            name="ctm",
            holds="speech",
            about="gold phones or words as FILE CHANNEL START DURATION LABEL lines",
            suffixes=(".ctm",),
        ),
        Format(
            name="textgrid",
            holds="speech",
            about="gold phones or words in the tiers `phones` and `words`",
            suffixes=(".textgrid",),
        ),
    ),
    measures=Measures({"terms": "caesura.tasks.terms.measures:Terms"}),
    options=_options,
    load=_load,
)
