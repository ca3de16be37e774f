"""Annotators that vary: who has what, and what users should know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from caesura.core.consensus import votes_needed
from caesura.core.results import ReferencePair
from caesura.core.segmentation import BoolArray
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.errors import number
from caesura.measures.boundary import Boundary
from caesura.scores.panels import panel_sizes, who_has

NAMED = 3
"""How many pairs a warning names."""
MANY = 5
"""How many boundaries two annotators have in common if it is odd that they have no other."""


def with_panels(summary: Summary, documents: CountTable) -> Summary:
    """The summary with who has which documents, and with notes and warnings of it."""
    references = summary.references
    has = who_has(documents, references)
    panels = panel_sizes(documents, references)
    names = (*references, *(system.name for system in summary.systems))
    who = dict(zip(names, map(tuple, who_has(documents, names).tolist()), strict=True))
    told = [
        *_of_sharing(references, has, has_systems=bool(summary.systems)),
        *_of_copies(summary, documents),
    ]
    return replace(
        summary,
        panels=panels,
        who=who,
        warnings=(*summary.warnings, *_left_out(summary, panels, who), *told),
    )


def panel_notes(summary: Summary) -> Iterator[str]:
    """What panels of different size mean for scores."""
    sizes = [*summary.panels]
    if len(sizes) > 1:
        yield (
            f"Documents have {sizes[0]} to {number(sizes[-1], 'reference')}: WiSeBE, RGAR, either "
            "and consensus depend on their number; κ, α and means over references hardly do."
        )
    if one := summary.panels.get(1):
        of = f"{one:,} of {number(len(summary.documents), 'document')}"
        verb = "has" if one == 1 else "have"
        yield f"{of} {verb} only one reference, which counts as consensus and adds no agreement."


def _left_out(
    summary: Summary, panels: dict[int, int], who: dict[str, tuple[bool, ...]]
) -> Iterator[str]:
    """Warnings of documents that a score, or a system, is not of."""
    documents = len(summary.documents)
    rule = summary.options["consensus"]
    left = sum(times for size, times in panels.items() if votes_needed(rule, size) > size)
    if left and summary.systems:
        of = f"{left:,} of {number(documents, 'document')}"
        yield f"{of} with fewer than {number(rule, 'reference')}, left out of consensus scores"
    for system in summary.systems:
        if (scored := sum(who[system.name])) < documents:
            of = f"{scored:,} of {number(documents, 'document')}"
            yield f"{system.name} is scored on {of}, those that it has"


def _of_sharing(references: Sequence[str], has: BoolArray, *, has_systems: bool) -> Iterator[str]:
    """Warnings of annotators who share nothing, or who are not connected."""
    both = has.astype(np.int64) @ has.T
    apart = [(a, b) for a, b in combinations(range(len(references)), 2) if not both[a, b]]
    if apart:
        named = ", ".join(f"{references[a]} and {references[b]}" for a, b in apart[:NAMED])
        more = f" and {number(len(apart) - NAMED, 'other pair')}" if len(apart) > NAMED else ""
        yield f"no document is shared by {named}{more}; they have no agreement of their own"
    groups = _groups(both > 0)
    if len(groups) > 1:
        named = " | ".join(", ".join(references[at] for at in group) for group in groups[:NAMED])
        more = " | …" if len(groups) > NAMED else ""
        yield (
            f"the annotators are {len(groups)} groups that share no document ({named}{more}); "
            f"{'only the systems link them' if has_systems else 'nothing compares them'}"
        )


def _groups(is_shared: BoolArray) -> list[list[int]]:
    """The annotators who share documents, directly or through others."""
    left, groups = [*range(len(is_shared))], []
    while left:
        group = {left[0]}
        while new := {at for at in left if is_shared[[*group], at].any()} - group:
            group |= new
        groups.append(sorted(group))
        left = [at for at in left if at not in group]
    return groups


def _of_copies(summary: Summary, documents: CountTable) -> Iterator[str]:
    """A warning of annotators who have all boundaries in common, as if one were copied."""
    pairs: Sequence[ReferencePair] = summary.agreement.pairs if summary.agreement else ()
    same = [pair.references for pair in pairs if pair.scores.get("f1") == 1.0]
    if not same:
        return
    codes = np.array([documents.names.grid([a], [b])[0, 0] for a, b in same])
    counts, _ = documents.total.counts(Boundary.name, codes)
    named = [f"{a} and {b}" for (a, b), tp in zip(same, counts.tp[:, 0], strict=True) if tp >= MANY]
    if named:
        shown = ", ".join(named[:NAMED]) + (" …" if len(named) > NAMED else "")
        yield f"{shown} have the same boundaries; a copied annotation raises RGAR and the ceiling"
