"""What the summary of transcripts has besides scores: agreement, ceiling, axes and streams."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from caesura.core.alignment_scores import ALIGNED
from caesura.core.results import Streams
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.catalog import Catalog
from caesura.scores.read_forms import reference_words
from caesura.scores.systems import scored_ceiling, scored_references
from caesura.tasks.transcript.options import RANKED, VARY


def with_references(
    summary: Summary, table: CountTable, documents: CountTable, scores: Catalog
) -> Summary:
    """Add the agreement of the references, the human ceiling, axes and streams."""
    references, systems = summary.references, [system.name for system in summary.systems]
    axes = _axes(documents)
    varies = summary.options.get("missing") == VARY
    has_ceiling = len(references) > 2
    found = replace(
        summary,
        words=reference_words(documents, axes, references),
        axes=axes,
        agreement=scored_references(documents, references, scores, varies=varies),
        ceiling=scored_ceiling(documents, systems, references, scores) if has_ceiling else None,
        streams=_streams(summary, table, scores),
    )
    if not documents.measures.keys().isdisjoint(RANKED):
        from caesura.tasks.transcript.curves import ranking_curves

        used = dict(summary.options.get("thresholds") or ())
        found = replace(found, curves=ranking_curves(documents, systems, references, used))
    if not varies:
        return found
    from caesura.tasks.transcript.varying import with_panels

    return with_panels(found, documents)


def _streams(summary: Summary, table: CountTable, scores: Catalog) -> Streams | None:
    """The scores by speaker or channel, where these were requested."""
    kind = summary.options["streams"] or summary.options["by"]
    if not kind or not summary.systems:
        return None
    from caesura.scores.streams import streams_of

    return streams_of(summary, table, scores)


def _axes(documents: CountTable) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    own = documents.measures.get(ALIGNED)
    if own is None:
        return {}
    keys = documents.names.keys(own.keys)
    there = own.there(len(documents))
    return {
        name: str(keys[np.flatnonzero(column)[-1]].reference)
        for name, column in zip(documents.documents, there.T, strict=True)
        if column.any()
    }
