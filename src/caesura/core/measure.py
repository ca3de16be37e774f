"""The base of all measures: checked options and declared scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

import numpy as np

from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.counts import Counts, single, stacked
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Document, IntArray, Panel, Segmentation
from caesura.errors import UsageError

Cut = Literal["anywhere", "spans", "whole"]
"""Where a document may be cut so that the counts of its parts add up to those of the whole.

At any place; where no span that must stay together is cut; or nowhere.
"""
Counts_co = TypeVar("Counts_co", bound=Counts, covariant=True)
"""The counts of a measure."""
Spans = tuple[IntArray, IntArray]
"""The places of first and last boundaries between which nothing may be cut."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The options of a measure are its fields; everything else is declared by its class.

    `kind` says what it compares, `counts` what it returns, `scores` what is derived from them,
    `cut` where documents may be cut. `has_time` says whether it works on the axis of time,
    `has_words` whether on that of words, `of_references` whether it compares references with each
    other, `is_optional` whether some documents may lack it, `asked_by` the option of the task that
    enables it, which has to name it if that is `also`; `is_implied` whether it is counted without
    being asked for, too. `defaults` are those of options of the task by axis, where they are not
    the task's; `ranking` is the measure of scores of places that goes with it, and
    `above_threshold` the track that scores of samples make with a threshold, if not that of each
    sample which reaches it. `needs_length` is what cannot be counted without the length of signals.
    `least_values` holds the smallest value of some options, `choices` the values of others;
    `task_options` the names that options have in a task, if others, and nothing for those that a
    task does not set.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    counts: ClassVar[type[Counts]]
    cut: ClassVar[Cut] = "anywhere"
    scores: ClassVar[tuple[Score, ...]] = ()
    has_time: ClassVar[bool] = False
    has_words: ClassVar[bool] = True
    of_references: ClassVar[bool] = False
    is_optional: ClassVar[bool] = False
    asked_by: ClassVar[str] = ""
    is_implied: ClassVar[bool] = False
    defaults: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    ranking: ClassVar[str] = ""
    needs_length: ClassVar[str] = ""
    above_threshold: ClassVar[Callable[..., Any] | None] = None
    least_values: ClassVar[dict[str, int]] = {}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "final": ("drop", "keep"),
        "algorithm": ("blocks", "literal"),
        "profile": ("2017", "paper"),
    }
    task_options: ClassVar[dict[str, str]] = {}
    of_one_panel: ClassVar[tuple[str, ...]] = ()
    """The scores that are undefined where documents have different annotators."""

    @classmethod
    def from_task(cls, task: object) -> Self:
        """The measure with the options that a task has."""
        names = {field.name: cls.task_options.get(field.name, field.name) for field in fields(cls)}
        return cls(**{field: getattr(task, name) for field, name in names.items() if name})

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:  # noqa: ARG003
        """What the signature says where it is asked for by name, of the options of its task."""
        return {}

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = self.least_values.get(field.name)
            if least is not None and value < least:
                raise UsageError(f"{field.name} cannot be {value}; choose {least} or more")
            choices = self.choices.get(field.name, (value,))
            if value not in choices:
                raise UsageError(f"{field.name} cannot be '{value}'; choose {' or '.join(choices)}")


class PairMeasure(Measure, Generic[Counts_co]):
    """A measure of one candidate against one reference; it has `count` or `count_each`."""

    kind: ClassVar[str] = "pair"

    def count(self, candidate: Segmentation, reference: Segmentation) -> Counts_co:
        """Count one candidate against one reference."""
        sides = map(SegmentationBatch.from_one, (candidate, reference))
        return single(self.count_each(*sides))

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> Counts_co:
        """Count many documents; the fields of the counts are arrays."""
        numbers = range(len(candidate))
        sides = [(candidate.segmentation(at), reference.segmentation(at)) for at in numbers]
        return stacked(self.counts, [self.count(*each) for each in sides])

    def count_pairs(self, members: Sequence[Segmentation]) -> Iterator[Counts_co]:
        """Count each version of one document against all after it."""
        for at, one in enumerate(members[:-1]):
            others = SegmentationBatch.from_segmentations(members[at + 1 :])
            yield self.count_each(
                SegmentationBatch.from_batches([SegmentationBatch.from_one(one)] * len(others)),
                others,
            )

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut, if anything."""
        raise NotImplementedError


class DocumentMeasure(Measure):
    """A measure of a whole document against one reference: its words, its times, its speakers.

    It is counted before words are aligned.
    """

    kind: ClassVar[str] = "pair"
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    asked_by: ClassVar[str] = ALSO

    def count(self, candidate: Document, reference: Document) -> Counts:
        """Count one document against a reference."""
        raise NotImplementedError


class PlacedCounts(NamedTuple):
    """Counts whose fields are arrays, one number for each part of a document, and its place.

    `at` is the word of the reference at which, or about at which, a part begins.
    """

    counts: Counts
    at: IntArray


class LineMeasure(DocumentMeasure):
    """A measure of documents that is a sum over lines, so that blocks of them can be resampled.

    `needs` names the package without which it cannot be counted, and is left out; `pairs_lines`
    says whether it compares lines of the system with those of the reference.
    """

    cut: ClassVar[Cut] = "anywhere"
    needs: ClassVar[str] = ""
    pairs_lines: ClassVar[bool] = False

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each line."""
        raise NotImplementedError

    def count(self, candidate: Document, reference: Document) -> Counts:
        """Count one document against a reference."""
        return self.count_blocks(candidate, reference, np.array([reference.segmentation.length]))[0]

    def count_blocks(
        self, candidate: Document, reference: Document, ends: IntArray
    ) -> list[Counts]:
        """Count the lines that begin before each end of a block and after the one before it.

        The last end is the length of the axis, which may have other words than the reference.
        """
        counts, at = self.count_lines(candidate, reference)
        at = at * int(ends[-1]) // max(1, reference.segmentation.length)
        block = np.minimum(np.searchsorted(ends, at, side="right"), ends.size - 1)
        columns = [np.zeros(ends.size, np.int64) for _ in counts.items()]
        for column, values in zip(columns, counts.items().values(), strict=True):
            np.add.at(column, block, values)
        return list(map(self.counts, *(column.tolist() for column in columns)))


class GroupMeasure(Measure):
    """A measure that counts groups, such as labels; `of_group` are the scores of each.

    `titles` are those of the tables, by kind of group.
    """

    of_group: ClassVar[tuple[Score, ...]]
    titles: ClassVar[Mapping[str, str]]

    @classmethod
    def groups(cls, counts: Any) -> Mapping[str, Mapping[str, Counts]]:
        """The counts of each group, by kind and name, in the order of tables."""
        raise NotImplementedError


class PanelMeasure(Measure, Generic[Counts_co]):
    """A measure of one candidate against all references; it has `count` or `count_each`."""

    kind: ClassVar[str] = "panel"
    is_of_several: ClassVar[bool] = True
    """Whether its scores say nothing of a single reference."""

    @property
    def has_ceiling(self) -> bool:
        """Whether people are scored with it, too, each against all others."""
        return any("ceiling" in score.views for score in self.scores)

    def is_possible(self, references: int) -> bool:  # noqa: ARG002
        """Whether it can be counted with this number of references."""
        return True

    def count(self, candidate: Segmentation, panel: Panel) -> Counts_co:
        """Count one candidate against all references."""
        sides = SegmentationBatch.from_one(candidate), PanelBatch.from_panel(panel)
        return single(self.count_each(*sides))

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> Counts_co:
        """Count many documents; the fields of the counts are arrays."""
        numbers = range(len(candidate))
        sides = [(candidate.segmentation(at), panel.panel(at)) for at in numbers]
        return stacked(self.counts, [self.count(*each) for each in sides])

    def spans(self, candidates: Sequence[Segmentation], panel: Panel) -> Iterator[Spans]:
        """What must not be cut, if anything."""
        raise NotImplementedError


class ReferenceMeasure(Measure, Generic[Counts_co]):
    """A measure of the agreement of the references; it has `count` or `count_each`."""

    kind: ClassVar[str] = "references"

    def count(self, panel: Panel) -> Counts_co:
        """Count the references."""
        return single(self.count_each(PanelBatch.from_panel(panel)))

    def count_each(self, panel: PanelBatch) -> Counts_co:
        """Count many documents; the fields of the counts are arrays."""
        counts = [self.count(panel.panel(at)) for at in range(len(panel.places))]
        return stacked(self.counts, counts)
