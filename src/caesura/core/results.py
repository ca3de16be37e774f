"""Results: the data that scores, statistics, tables, the report and JSON share."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from caesura.core.profile import Profile
from caesura.core.score import Scores
from caesura.core.task import ALSO, Kind, Task
from caesura.errors import number

if TYPE_CHECKING:
    import numpy.typing as npt

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
class Typed:
    """Marks at one reference's boundaries: all together, and one by one."""

    correct: int
    substitutions: int
    deletions: int
    insertions: int
    by_mark: dict[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A system against one reference."""

    scores: Scores
    typed: Typed | None = None


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
    columns: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
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

    def column(self, key: str) -> npt.NDArray[Any]:
        """One score of all documents."""
        found: npt.NDArray[Any] = self.columns[key][self.system]
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
    """Two references against each other."""

    references: tuple[str, str]
    scores: Scores


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
    pairs: tuple[ReferencePair, ...]
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
    """Annotators and systems, with one reference left out at a time; `human` is the average."""

    human: Scores
    annotators: dict[str, Scores]
    systems: dict[str, Scores] = field(default_factory=dict)
    confidence: CeilingIntervals | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One system minus another on one score; `better`, `equal` and `worse` count units."""

    difference: float
    low: float
    high: float
    p: float
    effect_size: float
    better: int
    equal: int
    worse: int
    p_holm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The power to detect the observed difference, and the sample size for 80% power."""

    units: int
    power: float
    units_needed: int | None
    annotators: int
    annotators_needed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """All about the differences of two systems: the first minus the second."""

    systems: tuple[str, str]
    micro: dict[str, Difference]
    macro: dict[str, Difference] = field(default_factory=dict)
    power: dict[str, Power] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Systems with intervals, and what differs between them."""

    systems: tuple[System, ...]
    comparisons: tuple[Contrast, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons:
    """The result of `caesura compare`."""

    caesura: str
    of: Kind
    signature: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    confidence: Resampled
    baseline: str | None
    systems: tuple[System, ...]
    comparisons: tuple[Contrast, ...]
    ceiling: Compared | None = None
    task: Literal["compare"] = "compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A correlation and its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedPair:
    """The correlations of two scores over documents and their systems, or over systems."""

    measures: tuple[str, str]
    over: Literal["documents", "systems"] = "documents"
    points: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlations:
    """The result of `caesura correlate`."""

    caesura: str
    of: Kind
    signature: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    systems: tuple[str, ...]
    confidence: Resampled
    pairs: tuple[CorrelatedPair, ...]
    task: Literal["correlate"] = "correlate"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptSystem:
    """One system at each value of an option: one score, its rank, and all scores."""

    name: str
    score: tuple[float, ...]
    rank: tuple[int, ...]
    micro: tuple[Scores, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The values between which two systems change ranks."""

    systems: tuple[str, str]
    between: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The result of `caesura transcript --sweep`."""

    caesura: str
    of: Kind
    signature: str
    option: str
    values: tuple[int, ...]
    score: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    systems: tuple[SweptSystem, ...]
    crossings: tuple[Crossing, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    task: Literal["sweep"] = "sweep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of scoring: everything that tables, the report and JSON show.

    `notes` say how inputs were read where that was guessed, `warnings` what looks misread.
    `words` are those on which transcripts are scored. `profile` is that of a community. `skipped`
    are the documents that were left out, with the reason.
    """

    caesura: str
    task: Task
    signature: str
    options: Mapping[str, Any]
    references: tuple[str, ...]
    documents: tuple[str, ...]
    words: int = 0
    systems: tuple[System, ...] = ()
    sources: dict[str, Version] = field(default_factory=dict)
    axes: dict[str, str] = field(default_factory=dict)
    agreement: ReferenceAgreement | None = None
    ceiling: Ceiling | None = None
    streams: Streams | None = None
    gold: Corpus | None = None
    confidence: Resampled | None = None
    comparison: Comparisons | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    profile: Profile | None = None
    skipped: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """Whose scores they are: a profile's, or a task's; also the command that it is of."""
        return Kind(self.task, self.profile, tuple(self.options.get(ALSO) or ()))

    @property
    def task_kind(self) -> Kind:
        """The kind without its profile: the scores of the task under their own names."""
        return self.kind._replace(profile=None)

    def __repr__(self) -> str:
        sides = (
            ("system", self.systems),
            ("reference", self.references),
            ("document", self.documents),
        )
        return f"<Summary of {self.kind}: {', '.join(number(len(s), noun) for noun, s in sides)}>"

    def by_document(self) -> Iterator[tuple[str, str, Scores]]:
        """The scores of every system on each document, document by document."""
        names = [system.name for system in self.systems]
        each = zip(*(system.by_document.values() for system in self.systems), strict=True)
        for document, scores in zip(self.documents, each, strict=False):
            for name, own in zip(names, scores, strict=True):
                yield document, name, own
