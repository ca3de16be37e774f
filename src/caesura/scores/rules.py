"""Rules: a table of counts into scores, each rule once, on arrays.

An array of scores has the axes systems × references × units, or what is left of them. Whether a
unit is a sum, a document, a stream or a resample makes no difference here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from caesura.core.arrays import Array, Numeric
from caesura.core.counts import NAN
from caesura.core.mean import means, weighted_means
from caesura.core.measure import Measure
from caesura.core.row import EXTENT, PANEL_EXTENT
from caesura.core.score import Score
from caesura.core.segmentation import IntArray
from caesura.core.table import CountTable, coded, decoded
from caesura.scores.catalog import Catalog, Entry

Columns = dict[str, Array]
"""Scores by key, each with the units as the last axis."""
Names = Sequence[str]
Rule = Callable[[CountTable, slice], Columns]
"""The scores of some units of a table."""
EVERY = slice(None)
AT_ONCE = 1 << 20
"""About how many numbers are calculated at a time."""


def is_asked(table: CountTable, measure: type[Measure]) -> bool:
    """Whether a measure was counted, or is one that is always counted."""
    return not measure.asked_by or measure.name in table.measures


def values(
    table: CountTable,
    measure: type[Measure],
    scores: Sequence[Score],
    codes: IntArray,
    units: slice = EVERY,
    *,
    turned: bool = False,
) -> dict[Score, Array]:
    """Scores in the shape of the codes × units; undefined where nothing was counted.

    A measure that no unit has was not asked for: its scores are those of no counts.
    """
    shape = (*codes.shape, len(range(len(table))[units]))
    counts: Any = measure.counts.zero()
    there: Any = np.True_
    if measure.name in table.measures:
        counts, there = table.counts(measure.name, codes, units)
    counts = counts.swapped() if turned else counts
    is_full = there.all()
    found = {}
    for score in scores:
        value = np.broadcast_to(score.value(counts), shape)
        found[score] = value if is_full or score.is_count else np.where(there, value, NAN)
    return found


def extents(table: CountTable, measure: str, codes: IntArray, units: slice = EVERY) -> Array | None:
    """How much each number is of, in the shape of the codes × units; None where nothing varies."""
    if measure not in table.measures:
        return None
    counts, _ = table.counts(measure, codes, units)
    found: Array = counts.extent
    return found


def means_of(values: object, weights: object, axis: int = 0) -> Array:
    """The means along an axis, weighted where there are weights."""
    if weights is None:
        return np.asarray(means(values, axis=axis))
    return np.asarray(weighted_means(values, weights, axis))


def system_scores(
    table: CountTable,
    systems: Names,
    references: Names,
    catalog: Catalog,
    units: slice = EVERY,
    *,
    is_drawn: bool = False,
) -> Columns:
    """Every score of systems, systems × units: against all references, means over them, or gold.

    Optima over all references, which resamples have no use for, are left out if units are drawn.
    """
    scores: Columns = {}
    for measure in catalog.measures:
        if not is_asked(table, measure):
            continue
        if measure.kind == "pair":
            found = _means(table, measure, systems, references, units)
            if not is_drawn:
                found |= _joint(table, measure, systems, references, units)
            keys = (score.key_in("mean") for score in measure.scores)
            scores |= {key: found[key] for key in keys if key in found}
        elif measure.kind == "panel":
            scores |= _against(table, measure, systems, None, units)
        elif measure.kind != "references":
            gold, is_counted = _gold(table, measure, systems, references)
            if is_counted or not measure.is_optional:
                scores |= _against(table, measure, systems, gold, units)
    return catalog.named(scores)


def _means(
    table: CountTable, measure: type[Measure], systems: Names, references: Names, units: slice
) -> Columns:
    """The means over the references of the scores against each."""
    wanted = [
        each
        for each in measure.scores
        if each.has_mean and not each.joint and each.of != "references"
    ]
    codes = table.names.grid(systems, references)
    found, weights = values(table, measure, wanted, codes, units), None
    if found:
        weights = extents(table, EXTENT, codes, units)
    return {
        score.key_in("mean"): each[:, 0]
        if score.is_count and len(references) == 1
        else means_of(each, weights, 1)
        for score, each in found.items()
    }


def _joint(
    table: CountTable, measure: type[Measure], systems: Names, references: Names, units: slice
) -> Columns:
    """The scores that are no means over the references, but made of the counts against all."""
    scores = [score for score in measure.scores if score.joint]
    if not scores:
        return {}
    codes = table.names.grid(systems, references)
    counts, _ = table.counts(measure.name, codes, units)
    found = getattr(counts, scores[0].joint)(extents(table, EXTENT, codes, units))
    return {score.key_in("mean"): found[score.take or score.key] for score in scores}


def _against(
    table: CountTable,
    measure: type[Measure],
    systems: Names,
    reference: str | None,
    units: slice,
) -> Columns:
    """The scores against one reference, or against all together."""
    codes = table.names.grid(systems, [reference])[:, 0]
    found = values(table, measure, measure.scores, codes, units)
    return {score.key: value for score, value in found.items()}


def _gold(
    table: CountTable, measure: type[Measure], systems: Names, references: Names
) -> tuple[str | None, bool]:
    """The reference that systems are scored against, or None, and whether it was counted."""
    own = table.measures.get(measure.name)
    for reference in (*references, None) if own else ():
        if (own.find(table.names.grid(systems, [reference])) >= 0).any():  # type: ignore[union-attr]
            return reference, reference is not None
    return None, False


def pair_scores(table: CountTable, systems: Names, references: Names, catalog: Catalog) -> Columns:
    """The scores of systems against each reference, systems × references × units."""
    codes = table.names.grid(systems, references)
    scores: Columns = {}
    for measure in catalog.measures:
        if measure.kind == "pair" and is_asked(table, measure):
            wanted = [score for score in measure.scores if score.of != "references"]
            found = values(table, measure, wanted, codes)
            scores |= {score.key: value for score, value in found.items()}
    return scores


def reference_pair_scores(
    table: CountTable, codes: IntArray, catalog: Catalog, units: slice = EVERY
) -> dict[Score, Array]:
    """The references against each other, pairs × units; a pair is counted one way only."""
    found: dict[Score, Array] = {}
    for measure in catalog.measures:
        if measure.of_references and is_asked(table, measure):
            wanted = [score for score in measure.scores if score.of != "systems"]
            found |= values(table, measure, wanted, codes, units)
    return found


def pair_codes(table: CountTable, references: Names) -> IntArray:
    """The codes of all pairs of references, in order."""
    one, other = np.triu_indices(len(references), 1)
    number = table.names.numbers(references)
    return coded(number[one], number[other], 0)


def shared_pair_codes(table: CountTable, references: Names) -> IntArray:
    """The codes of the pairs of references that share documents; of all, where nothing varies."""
    codes = pair_codes(table, references)
    own = table.measures.get(EXTENT)
    return codes if own is None else codes[own.find(codes) >= 0]


def _others(table: CountTable, codes: IntArray, references: Names) -> IntArray:
    """For each person the places of those who share documents, given codes of the two.

    Rows are filled up with -1. Few of a hundred annotators share documents with a given one.
    """
    place = np.full(len(table.names.each) + 2, -1)
    place[table.names.numbers(references)] = np.arange(len(references))
    _, other, person = (place[each] for each in decoded(codes))
    person, other = np.divmod(np.unique(person * len(references) + other), len(references))
    rank = np.arange(person.size) - np.searchsorted(person, person)
    found = np.full((len(references), rank.max(initial=0) + 1), -1)
    found[person, rank] = other
    return found


def _of_both(table: CountTable, references: Names) -> IntArray:
    """Codes of a person and another one who shares documents, in both directions."""
    one, other, _ = decoded(shared_pair_codes(table, references))
    return np.concatenate([coded(0, one, other), coded(0, other, one)])


def agreement_scores(
    table: CountTable, references: Names, catalog: Catalog, units: slice = EVERY
) -> Columns:
    """The agreement of the references: the coefficients, and means over their pairs."""
    scores: Columns = {}
    for measure in catalog.measures:
        if measure.kind == "references" and is_asked(table, measure):
            found = values(table, measure, measure.scores, table.names.grid([None])[0], units)
            scores |= {score.key: value[0] for score, value in found.items()}
            if set(measure.of_one_panel) & scores.keys() and EXTENT in table.measures:
                is_one = _is_one_panel(table, references, units)
                for key in measure.of_one_panel:
                    scores[key] = np.where(is_one, scores[key], NAN)
    codes = shared_pair_codes(table, references)
    pairs = reference_pair_scores(table, codes, catalog, units)
    weights = extents(table, EXTENT, codes, units)
    return scores | {
        score.key_in("agreement"): means_of(each, weights) for score, each in pairs.items()
    }


def _is_one_panel(table: CountTable, references: Names, units: slice) -> Array:
    """In which units all documents with several annotators have the same ones.

    Then any two of them share as much as each shares with the others.
    """
    number = table.names.numbers(references)
    one, other = np.triu_indices(len(references), 1)
    own: Numeric = extents(table, PANEL_EXTENT, coded(number, 0, number), units)
    if own is None:
        return np.ones(1, np.bool_)
    shared = extents(table, EXTENT, pair_codes(table, references), units)
    is_same = (shared == own[one]) & (shared == own[other])
    is_apart = (own[one] == 0) | (own[other] == 0)
    same: Array = (is_same | is_apart).all(axis=0)
    return same


def ceiling_scores(table: CountTable, names: Names, references: Names, catalog: Catalog) -> Columns:
    """Scores against the references but one, names × units.

    Names are those of systems, for which the mean over who is left out is taken, or of references,
    each against the others.
    """
    if not set(names) <= set(references):
        codes = table.names.grid(names, [None] * len(references), out=list(references))
        weights = extents(table, PANEL_EXTENT, codes)
        beside = scores_beside(table, names, references, catalog)
        return {key: means_of(each, weights, 1) for key, each in beside.items()}
    return {
        key: (_person_panel if entry.measure.kind == "panel" else _person_pairs)(
            table, names, references, entry
        )
        for key, entry in catalog.shown("ceiling").items()
    }


def scores_beside(
    table: CountTable, systems: Names, references: Names, catalog: Catalog
) -> Columns:
    """Scores of systems on the documents of each person, against the others of these.

    The axes are systems × people × units.
    """
    return {
        key: (_panels if entry.measure.kind == "panel" else _pair_means)(
            table, systems, references, entry
        )
        for key, entry in catalog.shown("ceiling").items()
    }


def human_means(table: CountTable, references: Names, people: Columns) -> Columns:
    """The means of what people reach, people × units."""
    number = table.names.numbers(references)
    weights = extents(table, PANEL_EXTENT, coded(number, 0, number))
    return {key: means_of(each, weights) for key, each in people.items()}


def _of(table: CountTable, entry: Entry, codes: IntArray, *, turned: bool = False) -> Array:
    """One score."""
    return values(table, entry.measure, [entry.score], codes, turned=turned)[entry.score]


def _person_panel(table: CountTable, names: Names, _: Names, entry: Entry) -> Array:
    """Each annotator against all others together."""
    number = table.names.numbers(names)
    return _of(table, entry, coded(number, 0, number))


def _panels(table: CountTable, names: Names, references: Names, entry: Entry) -> Array:
    """Systems against all references but one."""
    codes = table.names.grid(names, [None] * len(references), out=list(references))
    return _of(table, entry, codes)


def _pair_means(table: CountTable, names: Names, references: Names, entry: Entry) -> Array:
    """Systems against each of the references but one, on average; on what that one has."""
    if EXTENT not in table.measures:
        reached = _of(table, entry, table.names.grid(names, references))
        every = range(len(references))
        return np.stack([means(np.delete(reached, at, axis=1), axis=1) for at in every], axis=1)
    people, nobody = table.names.numbers(references), table.names.numbers([""])
    keys = table.measures[EXTENT].keys
    beside = keys[decoded(keys)[2] > 0]
    others = np.append(people, nobody)[_others(table, beside, references)]
    ours = table.names.numbers(names)[:, None, None]
    codes = coded(ours, others[None], people[None, :, None])
    return means_of(_of(table, entry, codes), extents(table, EXTENT, codes), axis=2)


def _person_pairs(table: CountTable, names: Names, references: Names, entry: Entry) -> Array:
    """Each annotator against each other, on average; the other way, a pair's counts are swapped."""
    place = {name: at for at, name in enumerate(references)}
    chosen = np.array([place[name] for name in names])
    others = _others(table, _of_both(table, references), references)[chosen]
    person = np.broadcast_to(chosen[:, None], others.shape)
    number, is_there = table.names.numbers(references), others >= 0
    one, other = np.minimum(person, others)[is_there], np.maximum(person, others)[is_there]
    codes = coded(number[one], number[other], 0)
    is_turned = (others < person)[is_there] & (entry.measure.name in table.measures)
    grid = np.full((*others.shape, len(table)), NAN)
    grid[is_there] = np.where(
        is_turned[:, None], _of(table, entry, codes, turned=True), _of(table, entry, codes)
    )
    shared = extents(table, EXTENT, codes)
    if shared is None:
        return np.asarray(means(grid, axis=1))
    weights = np.zeros_like(grid)
    weights[is_there] = shared
    return means_of(grid, weights, 1)


def in_parts(table: CountTable, rule: Rule) -> Columns:
    """Scores of some units after others, so that few numbers are in memory at a time."""
    rows = max((each.values.shape[1] for each in table.measures.values()), default=0)
    step = max(1, AT_ONCE * len(table) // max(1, rows))
    parts = [rule(table, slice(at, at + step)) for at in range(0, max(1, len(table)), step)]
    if len(parts) == 1:
        return parts[0]
    return {key: np.concatenate([part[key] for part in parts], axis=-1) for key in parts[0]}
