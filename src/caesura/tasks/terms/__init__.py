"""Terms that systems find in speech, against its phones and words."""

from __future__ import annotations

from caesura.core.format import Format
from caesura.core.registry import Later, Registry
from caesura.core.task import Task

TERMS = Task(
    name="terms",
    command="terms",
    summary="Score terms discovered in speech: boundaries, tokens, types, groups.",
    called=Later("caesura.tasks.terms.command:COMMAND"),
    unit="unit",
    scored="terms",
    behind="the clusters",
    against=("phones", "words"),
    plan=Later("caesura.tasks.terms.plan:corpus"),
    resampled="recording",
    options=Later("caesura.tasks.terms.options:TermsOptions"),
    counter=Later("caesura.tasks.terms.counting:TermsTask"),
    formats=(
        Format(
            name="class",
            holds="speech",
            about="discovered intervals as `Class 1` and FILE ON OFF lines",
            reader=Later("caesura.tasks.terms.format:parse_clusters"),
        ),
        Format(
            name="phn",
            holds="speech",
            about="gold phones or words as FILE ON OFF LABEL lines (.phn, .wrd)",
            reader=Later("caesura.tasks.terms.interval_lines:parse_intervals"),
            suffixes=(".phn", ".wrd"),
        ),
        Format(
            name="ctm",
            holds="speech",
            about="gold phones or words as FILE CHANNEL START DURATION LABEL lines",
            reader=Later("caesura.tasks.terms.interval_lines:parse_intervals"),
            suffixes=(".ctm",),
        ),
        Format(
            name="textgrid",
            holds="speech",
            about="gold phones or words in the tiers `phones` and `words`",
            reader=Later("caesura.tasks.terms.interval_lines:read_intervals"),
            suffixes=(".textgrid",),
        ),
    ),
    measures=Registry({"terms": "caesura.tasks.terms.measures:Terms"}),
    extras=Later("caesura.tasks.terms.extras:of_corpus"),
    page=Later("caesura.tasks.terms.tables:terms_page"),
)
