"""Rules: a table of counts into scores, each rule once, on arrays.

An array of scores has the axes systems × references × units, or what is left of them. Whether a
unit is a sum, a document, a stream or a resample makes no difference here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from caesura.core.arrays import Array, Numeric, sorted_distinct
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


def scores_of(
    table: CountTable,
    measure: type[Measure],
    keyed: Mapping[str, Score],
    codes: IntArray,
    units: slice = EVERY,
    *,
    over: int | None = None,
    turned: bool = False,
) -> Columns:
    """Scores of a measure by key, in the shape of the codes × units; undefined if not counted.

    With `over`, the means along that axis, weighted by how much each number is of where that
    varies. A measure that no unit has was not asked for: its scores are those of no counts.
    """
    shape = (*codes.shape, len(range(len(table))[units]))
    counts: Any = measure.counts.zero()
    there: Any = np.True_
    if measure.name in table.measures:
        counts, there = table.counts(measure.name, codes, units)
    counts = counts.swapped() if turned else counts
    is_full = there.all()
    weights = extents(table, EXTENT, codes, units) if over is not None and keyed else None
    found: Columns = {}
    for key, score in keyed.items():
        value = np.broadcast_to(score.value(counts), shape)
        if not is_full and not score.is_count:
            value = np.where(there, value, NAN)
        if over == 1 and score.is_count and shape[1] == 1:
            value = value[:, 0]
        elif over is not None:
            value = means_of(value, weights, over)
        found[key] = value
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


def asked(table: CountTable, catalog: Catalog) -> list[type[Measure]]:
    """The measures that were counted, or are always counted."""
    return [each for each in catalog.measures if not each.asked_by or each.name in table.measures]


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
    pairs, alone = table.names.grid(systems, references), table.names.grid(systems)[:, 0]
    scores: Columns = {}
    for measure in asked(table, catalog):
        if measure.kind == "pair":
            own = [each for each in measure.scores if each.has_mean and each.of != "references"]
            wanted = {each.key_in("mean"): each for each in own if not each.joint}
            found = scores_of(table, measure, wanted, pairs, units, over=1)
            joint = [each for each in measure.scores if each.joint and not is_drawn]
            if joint:
                counts, _ = table.counts(measure.name, pairs, units)
                made = getattr(counts, joint[0].joint)(extents(table, EXTENT, pairs, units))
                found |= {each.key_in("mean"): made[each.take or each.key] for each in joint}
                keys = [each.key_in("mean") for each in measure.scores]
                found = {key: found[key] for key in keys if key in found}
            scores |= found
        elif measure.kind == "panel":
            scores |= scores_of(
                table, measure, {each.key: each for each in measure.scores}, alone, units
            )
        elif measure.kind != "references":
            gold, is_counted = _gold(table, measure, systems, references)
            if is_counted or not measure.is_optional:
                codes = table.names.grid(systems, [gold])[:, 0]
                scores |= scores_of(
                    table, measure, {each.key: each for each in measure.scores}, codes, units
                )
    return catalog.named(scores)


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
    for measure in asked(table, catalog):
        if measure.kind == "pair":
            own = {each.key: each for each in measure.scores if each.of != "references"}
            scores |= scores_of(table, measure, own, codes)
    return scores


def reference_pair_scores(
    table: CountTable,
    codes: IntArray,
    catalog: Catalog,
    units: slice = EVERY,
    *,
    over: int | None = None,
) -> Columns:
    """The references against each other, pairs × units, or means over them, under their keys.

    A pair is counted one way only.
    """
    scores: Columns = {}
    for measure in asked(table, catalog):
        if measure.of_references:
            own = [each for each in measure.scores if each.of != "systems"]
            keyed = {each.key if over is None else each.key_in("agreement"): each for each in own}
            scores |= scores_of(table, measure, keyed, codes, units, over=over)
    return scores


def pair_codes(table: CountTable, references: Names, *, shared: bool = False) -> IntArray:
    """The codes of all pairs of references, in order, or of those that share documents."""
    one, other = np.triu_indices(len(references), 1)
    number = table.names.numbers(references)
    codes = coded(number[one], number[other], 0)
    own = table.measures.get(EXTENT) if shared else None
    return codes if own is None else codes[own.find(codes) >= 0]


def agreement_scores(
    table: CountTable, references: Names, catalog: Catalog, units: slice = EVERY
) -> Columns:
    """The agreement of the references: the coefficients, and means over their pairs."""
    scores: Columns = {}
    for measure in asked(table, catalog):
        if measure.kind == "references":
            codes = table.names.grid([None])[0]
            found = scores_of(
                table, measure, {each.key: each for each in measure.scores}, codes, units
            )
            scores |= {key: value[0] for key, value in found.items()}
            if set(measure.of_one_panel) & scores.keys() and EXTENT in table.measures:
                is_one = _is_one_panel(table, references, units)
                for key in measure.of_one_panel:
                    scores[key] = np.where(is_one, scores[key], NAN)
    codes = pair_codes(table, references, shared=True)
    return scores | reference_pair_scores(table, codes, catalog, units, over=0)


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
    number = table.names.numbers(names)
    return {
        key: scores_of(table, entry.measure, {key: entry.score}, coded(number, 0, number))[key]
        if entry.measure.kind == "panel"
        else _person_pairs(table, names, references, entry)
        for key, entry in catalog.shown("ceiling").items()
    }


def scores_beside(
    table: CountTable, systems: Names, references: Names, catalog: Catalog
) -> Columns:
    """Scores of systems on the documents of each person, against the others of these.

    The axes are systems × people × units.
    """
    codes = table.names.grid(systems, [None] * len(references), out=list(references))
    return {
        key: scores_of(table, entry.measure, {key: entry.score}, codes)[key]
        if entry.measure.kind == "panel"
        else _pair_means(table, systems, references, entry)
        for key, entry in catalog.shown("ceiling").items()
    }


def human_means(table: CountTable, references: Names, people: Columns) -> Columns:
    """The means of what people reach, people × units."""
    number = table.names.numbers(references)
    weights = extents(table, PANEL_EXTENT, coded(number, 0, number))
    return {key: means_of(each, weights) for key, each in people.items()}


def _pair_means(table: CountTable, names: Names, references: Names, entry: Entry) -> Array:
    """Systems against each of the references but one, on average; on what that one has."""
    keyed = {entry.key: entry.score}
    if EXTENT not in table.measures:
        codes = table.names.grid(names, references)
        reached = scores_of(table, entry.measure, keyed, codes)[entry.key]
        every = range(len(references))
        return np.stack([means(np.delete(reached, at, axis=1), axis=1) for at in every], axis=1)
    people, nobody = table.names.numbers(references), table.names.numbers([""])
    keys = table.measures[EXTENT].keys
    beside = keys[decoded(keys)[2] > 0]
    others = np.append(people, nobody)[_others(table, beside, references)]
    ours = table.names.numbers(names)[:, None, None]
    codes = coded(ours, others[None], people[None, :, None])
    return scores_of(table, entry.measure, keyed, codes, over=2)[entry.key]


def _person_pairs(table: CountTable, names: Names, references: Names, entry: Entry) -> Array:
    """Each annotator against each other, on average; the other way, a pair's counts are swapped."""
    place = {name: at for at, name in enumerate(references)}
    chosen = np.array([place[name] for name in names])
    one, other, _ = decoded(pair_codes(table, references, shared=True))
    both = np.concatenate([coded(0, one, other), coded(0, other, one)])
    others = _others(table, both, references)[chosen]
    person = np.broadcast_to(chosen[:, None], others.shape)
    number, is_there = table.names.numbers(references), others >= 0
    one, other = np.minimum(person, others)[is_there], np.maximum(person, others)[is_there]
    codes = coded(number[one], number[other], 0)
    is_turned = (others < person)[is_there] & (entry.measure.name in table.measures)
    keyed = {entry.key: entry.score}
    turned = scores_of(table, entry.measure, keyed, codes, turned=True)[entry.key]
    straight = scores_of(table, entry.measure, keyed, codes)[entry.key]
    grid = np.full((*others.shape, len(table)), NAN)
    grid[is_there] = np.where(is_turned[:, None], turned, straight)
    shared, weights = extents(table, EXTENT, codes), None
    if shared is not None:
        weights = np.zeros_like(grid)
        weights[is_there] = shared
    return means_of(grid, weights, 1)


def _others(table: CountTable, codes: IntArray, references: Names) -> IntArray:
    """For each person the places of those who share documents, given codes of the two.

    Rows are filled up with -1. Few of a hundred annotators share documents with a given one.
    """
    place = np.full(len(table.names.each) + 2, -1)
    place[table.names.numbers(references)] = np.arange(len(references))
    _, other, person = (place[each] for each in decoded(codes))
    person, other = np.divmod(sorted_distinct(person * len(references) + other), len(references))
    rank = np.arange(person.size) - np.searchsorted(person, person)
    found = np.full((len(references), rank.max(initial=0) + 1), -1)
    found[person, rank] = other
    return found


def in_parts(table: CountTable, rule: Rule) -> Columns:
    """Scores of some units after others, so that few numbers are in memory at a time."""
    rows = max((each.values.shape[1] for each in table.measures.values()), default=0)
    step = max(1, AT_ONCE * len(table) // max(1, rows))
    parts = [rule(table, slice(at, at + step)) for at in range(0, max(1, len(table)), step)]
    if len(parts) == 1:
        return parts[0]
    return {key: np.concatenate([part[key] for part in parts], axis=-1) for key in parts[0]}
