"""Transcripts: how they are read and scored, and the rows of one document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from caesura import __version__
from caesura.align import carry, require_one_axis
from caesura.counts import Counts
from caesura.errors import UsageError
from caesura.formats import MARKS, read
from caesura.measures import (
    Agreement,
    Boundary,
    Consensus,
    Edit,
    Either,
    Marks,
    PairMeasure,
    PanelMeasure,
    Tolerant,
    Windows,
    Wisebe,
)
from caesura.rows import Row, SourceCounts
from caesura.segmentation import Document, Final, Panel
from caesura.sources import Case
from caesura.tasks.blocks import count_in_blocks


@dataclass(frozen=True, slots=True)
class Transcript:
    """How transcripts are read and scored; every option that can change a number.

    `blocks` changes none: the counts are those of parts of each document, which add up to it.
    """

    window: int = 2
    final: Final = "drop"
    marks: str = MARKS
    input: str = "auto"
    consensus: int = 0
    tolerance: int = 2
    k: int = 0
    near: int = 2
    align: bool = False
    encoding: str | None = None
    blocks: bool = False

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return count_documents(case.document, *self.versions(case), self)

    def versions(self, case: Case) -> tuple[dict[str, Document], dict[str, Document]]:
        """Read one document in every version: the systems' and the references'."""
        return self._read(case.systems), self._read(case.references)

    def _read(self, paths: Mapping[str, str]) -> dict[str, Document]:
        return {
            name: read(path, input=self.input, marks=self.marks, encoding=self.encoding)
            for name, path in paths.items()
        }

    @property
    def pair_measures(self) -> tuple[PairMeasure, ...]:
        """Measures against one reference at a time."""
        return (
            Boundary(self.final),
            Marks(self.final),
            Tolerant(self.tolerance, self.final),
            Windows(self.k),
            Edit(self.near),
        )

    @property
    def panel_measures(self) -> tuple[PanelMeasure, ...]:
        """Measures against all references at once."""
        wisebe = Wisebe(self.window, self.final)
        return (wisebe, Consensus(self.consensus, self.final), Either(self.final))

    def signature(self, task: str, forms: Iterable[str], references: int, documents: int) -> str:
        """Every option that can change a number, in one line that is printed beside them."""
        fields = {
            "caesura": __version__,
            "task": task,
            "window": self.window,
            "final": self.final,
            "marks": self.marks,
            "input": "+".join(forms) or "arrays",
            "refs": references,
            "docs": documents,
            "near": self.near,
        }
        if task == "transcript":
            fields["consensus"] = self.consensus or references // 2 + 1
            fields["tolerance"] = self.tolerance
            fields["k"] = self.k or "auto"
        if self.align:
            fields["align"] = "words"
        return "|".join(f"{name}:{value}" for name, value in fields.items())


def count_documents(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    task: Transcript,
) -> list[Row]:
    """Count one document that is in memory."""
    if not references:
        raise UsageError("no references; give at least one")
    if not 0 <= task.consensus <= len(references):
        raise UsageError(
            f"a consensus of {task.consensus} asks for more references than there are; "
            f"choose 1 to {len(references)}"
        )
    systems, references, rows = _one_axis(name, systems, references, task)
    if task.blocks and references[next(iter(references))].segmentation.length:
        return rows + count_in_blocks(systems, references, task, partial(_counted, name))
    return rows + _counted(name, systems, references, task)


def _counted(
    name: str, systems: Mapping[str, Document], references: Mapping[str, Document], task: Transcript
) -> list[Row]:
    """Count versions that are on one axis."""
    panel = Panel(tuple(document.segmentation for document in references.values()))
    return [
        *_panel_rows(name, systems, references, panel, task),
        *_pair_rows(name, systems, references, task),
        *_reference_rows(name, references, panel, task),
    ]


def _one_axis(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    task: Transcript,
) -> tuple[dict[str, Document], dict[str, Document], list[Row]]:
    """Put all on the words of the first reference that has words."""
    everyone = {**references, **systems}
    sources = {key: SourceCounts.of(document) for key, document in everyone.items()}
    rows = [Row(key, name, "source", None, counts) for key, counts in sources.items()]
    first = next(iter(references))
    axis = next((key for key in references if references[key].text is not None), first)
    others = {key: document for key, document in everyone.items() if key != axis}
    if not task.align:
        require_one_axis(everyone[axis], list(others.values()))
        return dict(systems), dict(references), rows
    for key, document in others.items():
        everyone[key], counts = carry(document, everyone[axis])
        rows.append(Row(key, name, "alignment", axis, counts))
    return {key: everyone[key] for key in systems}, {key: everyone[key] for key in references}, rows


def _panel_rows(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    panel: Panel,
    task: Transcript,
) -> list[Row]:
    """Score systems against all references, and systems and people against all but one."""
    rows = [
        Row(system, name, measure.name, None, measure.count(document.segmentation, panel))
        for system, document in systems.items()
        for measure in task.panel_measures
    ]
    wisebe = Wisebe(task.window, task.final)
    for index, (left_out, person) in enumerate(references.items()):
        others = panel.without(index)
        if not len(others):
            break
        rows += [
            Row(key, name, wisebe.name, f"-{left_out}", wisebe.count(each.segmentation, others))
            for key, each in {left_out: person, **systems}.items()
        ]
    return rows


def _pair_rows(
    name: str, systems: Mapping[str, Document], references: Mapping[str, Document], task: Transcript
) -> list[Row]:
    def count(measure: PairMeasure, candidate: Document, reference: Document) -> Counts:
        return measure.count(candidate.segmentation, reference.segmentation)

    return [
        Row(system, name, measure.name, reference, count(measure, candidate, wanted))
        for system, candidate in systems.items()
        for reference, wanted in references.items()
        for measure in task.pair_measures
    ]


def _reference_rows(
    name: str, references: Mapping[str, Document], panel: Panel, task: Transcript
) -> list[Row]:
    rows = [Row(None, name, Agreement.name, None, Agreement(task.final).count(panel))]
    for (a, ours), (b, theirs) in combinations(references.items(), 2):
        for measure in (Boundary(task.final), Edit(task.near)):
            counts = measure.count(ours.segmentation, theirs.segmentation)
            rows.append(Row(a, name, measure.name, b, counts))
    return rows
