"""What the summary of sentences has besides scores."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.catalog import Catalog
from caesura.scores.read_forms import reference_words


def with_words(
    summary: Summary,
    table: CountTable,  # noqa: ARG001
    documents: CountTable,
    scores: Catalog,  # noqa: ARG001
) -> Summary:
    """Add how many words the reference has."""
    return replace(summary, words=reference_words(documents, {}, summary.references))
