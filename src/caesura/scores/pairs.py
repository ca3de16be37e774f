"""Pairs: the references against each other, all pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.counts import Counts, exact_means
from caesura.core.results import ReferencePair, SharedMarks
from caesura.core.row import Key
from caesura.core.score import Score, Scores, values
from caesura.core.segmentation import IntArray
from caesura.core.sheet import RowLayout, Sheet
from caesura.core.task import ALSO
from caesura.measures.base import Measure
from caesura.measures.mark_consensus import MarkConsensus
from caesura.scores.catalog import Catalog
from caesura.scores.columns import Columns, dicts, in_parts

Names = Sequence[str]
NONE = -1


@dataclass(frozen=True, slots=True)
class Pairs:
    """For each measure where the counts of one name against another are: ours × theirs."""

    ours: Names
    theirs: Names
    places: dict[str, tuple[type[Counts], IntArray]]

    @classmethod
    def from_layout(cls, layout: RowLayout, ours: Names, theirs: Names) -> Pairs:
        """Find all pairs in one pass over the keys."""
        row, column = ({name: at for at, name in enumerate(side)} for side in (ours, theirs))
        found = {}
        for measure, rows in layout.measures.items():
            grid, numbers = np.full(len(ours) * len(theirs), NONE, np.int64), layout.numbers
            places, own = [], []
            for at in rows:
                who, _, whom, left_out = layout.keys[at]
                if who in row and whom in column and left_out is None:
                    places.append(row[who] * len(theirs) + column[whom])
                    own.append(numbers[at])
            if own:
                grid[places] = own
                found[measure] = layout.kinds[rows[0]], grid.reshape(len(ours), len(theirs))
        return cls(ours, theirs, found)

    def counts(self, sheet: Sheet, measure: type[Measure], where: Any = ...) -> Any:
        """The counts of a measure, arrays of pairs × units; zero where there are none.

        `where` says which pairs, in the grid of ours × theirs.
        """
        if measure.name not in self.places:
            return measure.counts.zero()
        kind, numbers = self.places[measure.name]
        return counts_at(sheet, kind, numbers[where])


def counts_at(sheet: Sheet, kind: type[Counts], numbers: IntArray) -> Counts:
    """Counts of arrays, in the shape of the numbers and with one axis more for the units."""
    counts = sheet.tallies[kind].arrays(numbers)
    if (numbers != NONE).all():
        return counts
    there = (numbers != NONE)[..., None]
    return kind.from_items({item: each * there for item, each in counts.items().items()})


def agreement_columns(sheet: Sheet, pairs: Pairs, catalog: Catalog) -> Columns:
    """The agreement of the references: the coefficients, and means over their pairs."""
    number = len(pairs.ours) * (len(pairs.ours) - 1) // 2

    def scored(part: Sheet) -> Scores:
        scores: Scores = {}
        for measure in catalog.measures:
            place = part.layout.place(Key(None, measure.name, None))
            if measure.kind == "references" and (place or measure.asked_by != ALSO):
                counts = measure.counts.zero() if place is None else _at(part, place)
                scores |= values(measure.scores, counts)
        for score, each in _of_pairs(part, pairs, catalog).items():
            scores[score.key_in("agreement")] = exact_means(each)
        return scores

    return in_parts(sheet, 1, scored, number)


def shared_marks(total: Sheet) -> SharedMarks | None:
    """The marks that the references share; None where there are none."""
    place = total.layout.place(Key(None, MarkConsensus.name, None))
    if place is None:
        return None
    kind, number = place
    counts: Any = total.tallies[kind].at(number)
    each = {name: values(MarkConsensus.by_mark, own) for name, own in counts.by_mark.items()}
    return SharedMarks(**counts.overall.to_dict(), by_mark=each) if each else None


def _at(sheet: Sheet, place: tuple[type[Counts], int]) -> Counts:
    kind, number = place
    return sheet.tallies[kind].arrays([number])


def scored_pairs(sheet: Sheet, pairs: Pairs, catalog: Catalog) -> tuple[ReferencePair, ...]:
    """The references against each other, of the sum of all documents."""
    names = list(combinations(pairs.ours, 2))
    columns = {score.key: each for score, each in _of_pairs(sheet, pairs, catalog).items()}
    each = zip(names, dicts(columns, len(names)), strict=True)
    return tuple(ReferencePair(references=pair, scores=own) for pair, own in each)


def _of_pairs(sheet: Sheet, pairs: Pairs, catalog: Catalog) -> dict[Score, npt.NDArray[Any]]:
    """The scores of every pair of references: arrays of pairs × units."""
    where = np.triu_indices(len(pairs.ours), 1)
    shape = where[0].size, len(sheet)
    found = {}
    for measure in catalog.measures:
        is_counted = measure.asked_by != ALSO or measure.name in pairs.places
        if measure.of_references and is_counted:
            counts = pairs.counts(sheet, measure, where)
            for score in measure.scores:
                if score.of != "systems":
                    found[score] = np.broadcast_to(score.value(counts), shape)
    return found
