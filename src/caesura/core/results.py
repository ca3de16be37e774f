"""Results: the data that scores, statistics, tables, the report and JSON share."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, repeat
from typing import Literal, overload

from caesura.core.arrays import Array
from caesura.core.score import Scores

Mean = Literal["micro", "macro"]
Interval = tuple[float, float]
Intervals = dict[str, Interval]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """What was resampled and how; every option that can change an interval or a p-value."""

    level: float
    method: str
    unit: str
    units: int
    documents: int
    resamples: int
    seed: int
    exact: bool | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Places with similar scores: their mean score, the share with a boundary, and how many."""

    score: float
    share: float
    places: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingCurve:
    """Scores by threshold of a system that gives a score for each place, from the highest on.

    `used` is the threshold of its boundaries, if one was given or chosen.
    """

    name: str
    used: float | None
    thresholds: tuple[float, ...]
    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    bins: tuple[CalibrationBin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Marks at one reference's boundaries: all together, and one by one."""

    correct: int
    substitutions: int
    deletions: int
    insertions: int
    by_mark: dict[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A system against one reference; `shared` is how much they share, where that varies."""

    scores: Scores
    typed: Typed | None = None
    shared: Scores = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Scores of parts of a corpus: their mean, their standard deviation, and each of them."""

    mean: Scores
    std: Scores
    undefined: dict[str, int]
    each: dict[str, Scores]


@dataclass(frozen=True, eq=False)
class DocumentScores(Mapping[str, Scores]):
    """The scores of each document, made of columns when they are asked for.

    Each column has the scores of many systems, those of `system` in one of its rows.
    """

    documents: Sequence[str] = ()
    columns: Mapping[str, Array] = field(default_factory=dict)
    system: int = 0

    def __getitem__(self, document: str) -> Scores:
        at = self._places[document]
        return {key: column.item(self.system, at) for key, column in self.columns.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return repr(dict(self.items()))

    def items(self) -> ItemsView[str, Scores]:
        """Every document with its scores, made of whole columns."""
        return _Items(self)

    def values(self) -> ValuesView[Scores]:
        """The scores of every document, made of whole columns."""
        return _Values(self)

    def each(self) -> Iterator[Scores]:
        """The scores of one document after another."""
        keys = tuple(self.columns)
        columns = [column[self.system].tolist() for column in self.columns.values()]
        rows = zip(*columns, strict=True) if keys else [()] * len(self)
        return (dict(zip(keys, row, strict=True)) for row in rows)

    def column(self, key: str) -> Array:
        """One score of all documents."""
        found: Array = self.columns[key][self.system]
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {document: at for at, document in enumerate(self.documents)}


class _Items(ItemsView[str, Scores]):
    _mapping: DocumentScores

    def __iter__(self) -> Iterator[tuple[str, Scores]]:
        return zip(self._mapping, self._mapping.each(), strict=True)


class _Values(ValuesView[Scores]):
    _mapping: DocumentScores

    def __iter__(self) -> Iterator[Scores]:
        return self._mapping.each()


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """The scores of one system: of summed counts, their means over documents, and the details.

    `alignment` says how its words were aligned, `spreads` holds parts and talkers of a corpus,
    `groups` the scores of groups of units, by kind of group and by name.
    """

    name: str
    micro: Scores
    macro: Scores = field(default_factory=dict)
    macro_undefined: dict[str, int] = field(default_factory=dict)
    by_document: Mapping[str, Scores] = field(default_factory=DocumentScores)
    by_reference: dict[str, Against] = field(default_factory=dict)
    alignment: Scores = field(default_factory=dict)
    spreads: dict[str, Spread] = field(default_factory=dict)
    groups: dict[str, dict[str, Scores]] = field(default_factory=dict)
    confidence: dict[Mean, Intervals] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePair:
    """Two references against each other; `shared` is how much they share, where that varies."""

    references: tuple[str, str]
    scores: Scores
    shared: Scores = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ReferencePairs(Sequence[ReferencePair]):
    """All pairs of references, made of columns when they are asked for; there may be many."""

    references: Sequence[str] = ()
    columns: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return math.comb(len(self.references), 2)

    @overload
    def __getitem__(self, index: int) -> ReferencePair: ...
    @overload
    def __getitem__(self, index: slice) -> list[ReferencePair]: ...
    def __getitem__(self, index: int | slice) -> ReferencePair | list[ReferencePair]:
        return [*self][index]

    def __iter__(self) -> Iterator[ReferencePair]:
        keys, columns = tuple(self.columns), [each.tolist() for each in self.columns.values()]
        scores = zip(*columns, strict=True) if columns else repeat(())
        for pair, own in zip(combinations(self.references, 2), scores, strict=False):
            yield ReferencePair(references=pair, scores=dict(zip(keys, own, strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMarks:
    """Places with a boundary, those with the same mark in most or all references, and by mark."""

    places: int
    most: int
    all: int
    by_mark: dict[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceAgreement:
    """How far the references agree."""

    micro: Scores
    macro: Scores
    by_document: Mapping[str, Scores]
    pairs: Sequence[ReferencePair]
    pearson_rgar_fleiss_kappa: float
    typed: SharedMarks | None = None
    confidence: dict[Mean, Intervals] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CeilingIntervals:
    """The intervals of the ceiling."""

    human: Intervals
    annotators: dict[str, Intervals]
    systems: dict[str, Intervals]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Annotators and systems, with one reference left out at a time; `human` is the average.

    Where annotators vary, `beside` has what systems reach on the documents of each, and
    `documents` how many those are.
    """

    human: Scores
    annotators: dict[str, Scores]
    systems: dict[str, Scores] = field(default_factory=dict)
    confidence: CeilingIntervals | None = None
    beside: dict[str, dict[str, Scores]] | None = None
    documents: dict[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What was read of one system or reference, and how its words were aligned.

    `by_document` holds the rates of the alignment in each document.
    """

    words: int
    units: int
    alignment: Scores = field(default_factory=dict)
    by_document: Mapping[str, Scores] = field(default_factory=DocumentScores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One speaker or channel: its words, each reference's boundaries, and the systems' scores.

    `document` is None where there is only one, or where the name is pooled over all.
    """

    document: str | None
    name: str
    words: int | None
    boundaries: dict[str, int]
    systems: dict[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """The speakers or channels, the largest first."""

    kind: str
    each: tuple[Stream, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The gold of a corpus of speech."""

    recordings: int
    words: int
    phones: int
