"""Transcripts: how they are read and scored, and the rows of one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from caesura.align.versions import Versions, ends_open
from caesura.core.alignment_scores import ALIGNED
from caesura.core.consensus import consensus_rule
from caesura.core.format import FormatOptions
from caesura.core.option import OptionValues
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.score import BOUNDARY
from caesura.core.segmentation import Document
from caesura.core.table import CountTable
from caesura.errors import FormatError, UnknownNameError, UsageError, option
from caesura.formats.transcripts import read, read_many
from caesura.measures.geometry import WORDS, CellGrid, ClockAxis
from caesura.measures.geometry import Axis as MeasureAxis
from caesura.run.inputs import Case
from caesura.tasks.transcript.input_stats import sources_of
from caesura.tasks.transcript.measures import MEASURES
from caesura.tasks.transcript.options import (
    COUNTS,
    TranscriptOptions,
    ranked,
)
from caesura.tasks.transcript.pairings import (
    count_versions,
    document_measures_of,
    measures_of,
)
from caesura.tasks.transcript.written_options import require_consensus

if TYPE_CHECKING:
    from caesura.tasks.transcript.report import KeptTranscript

Keep = Callable[[Versions], None]
"""Takes all versions of a document when they are on one axis of words, or of time."""
LABELLED = "disrpt-"
"""How forms begin whose units have labels; what follows is the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(TranscriptOptions):
    """Reads and counts documents; what it counts are its options."""

    def __post_init__(self) -> None:
        consensus_rule(self.consensus)
        is_on = "has_time" if self.is_on_signal else "has_words"
        for name in (each for each in self.also if "@" not in each and each != BOUNDARY):
            is_further = name in MEASURES and name not in MEASURES.always
            if not is_further or not getattr(MEASURES[name], is_on):
                names = (*MEASURES.asked_for, *MEASURES.added())
                known = [each for each in names if getattr(MEASURES[each], is_on)]
                raise UnknownNameError("measure to add", name, [*known, BOUNDARY])

    @classmethod
    def parse(cls, given: OptionValues) -> OptionValues:
        """The values of fields; scores with a parameter are measures to add."""
        values = TranscriptOptions.parse(given)
        if any("@" in each for each in values.get("also", ())):
            values["also"] = MEASURES.named(values["also"])
        return values

    def with_option(self, name: str, value: str) -> Transcript:
        """The same with an option as users write it, such as a tolerance of 0.5s."""
        if name in COUNTS and not value.isdigit():
            raise UsageError(f"'{value}' is not a whole number; write one, as in Pk@8")
        given = int(value) if name in COUNTS else value
        values = TranscriptOptions.parse({"axis": self.axis, name: given})
        return replace(self, **{name: values[name]})

    def count(self, case: Case, keep: Keep = lambda _: None) -> CountTable:
        """Read one document in every version and count it."""
        return count_documents(case.document, *self.versions(case), self, keep)

    def count_and_read(self, case: Case) -> tuple[CountTable, list[KeptTranscript]]:
        """The same, and its reading, if all versions are on one axis of words, or of time."""
        from caesura.tasks.transcript.report import Clock, clock_reading, reading_of

        kept: list[Versions] = []
        table = self.count(case, kept.append)
        if self.is_on_signal:
            axis: Clock = "samples" if self.axis == "samples" else "time"
            made = partial(clock_reading, case.document, tolerance=self.tolerance, axis=axis)
            return table, [made(each) for each in kept]
        return table, [reading_of(case.document, each, self.final) for each in kept]

    def count_many(self, cases: Sequence[Case]) -> CountTable | None:
        """Read many documents and count them in one pass; None if each has to be counted alone."""
        if not self.is_counted_together:
            return None
        names = [case.document for case in cases]
        return count_together(names, self._read_many(cases), self)

    def _read_many(
        self, cases: Sequence[Case]
    ) -> list[tuple[dict[str, Document], dict[str, Document]]]:
        """Every document's versions, systems and references, all read together."""
        paths = [path for case in cases for path in case.files]
        read = read_many(
            paths,
            input=self.input,
            units=self.units,
            marks=self.marks,
            tokens=self.tokens,
            encoding=self.encoding,
            **self.of_format,
        )
        found = iter(read)

        def taken(side: Mapping[str, Any]) -> dict[str, Document]:
            return {n: next(found) if isinstance(v, str) else v for n, v in side.items()}

        return [(taken(case.systems), taken(case.references)) for case in cases]

    def versions(self, case: Case) -> tuple[dict[str, Document], dict[str, Document]]:
        """Read one document in every version: the systems' and the references'."""
        systems, references = self._read(case.systems), self._read(case.references)
        systems = {**systems, **self._run(references)}
        if self.uem:
            from caesura.tasks.transcript.uem import with_regions

            return with_regions(systems, references, self.uem, case.document)
        return systems, references

    def _run(self, references: Mapping[str, Document]) -> dict[str, Document]:
        """What detectors say of the words of the first reference, or the one that is the axis."""
        if not self.runs:
            return {}
        words = references.get(self.axis_from) or next(iter(references.values()))
        if words.text is None:
            cure = "put a reference with words first"
            raise FormatError(words.source, "has boundaries but no words to run on", cure)
        from caesura.detect.sentences import detected

        return {name: detected(spec, words) for name, spec in self.runs}

    @property
    def has_blocks(self) -> bool:
        """Whether documents can be cut: on one axis of words, without what is counted whole."""
        every = (MEASURES.measure(name) for name in self.also)
        is_whole = any(each.cut == "whole" for each in every)
        return self.axis == "words" and not (self.streams or is_whole)

    @property
    def is_counted_together(self) -> bool:
        """Whether many documents may be counted in one pass."""
        alone = self.align or self.by or self.blocks or self.runs or self.streams
        return self.axis == "words" and not alone

    def _read(self, paths: Mapping[str, Any]) -> dict[str, Document]:
        read_one = partial(
            read,
            input=self.input,
            units=self.units,
            marks=self.marks,
            tokens=self.tokens,
            encoding=self.encoding,
            **self.of_format,
        )
        return {
            name: read_one(each) if isinstance(each, str) else each for name, each in paths.items()
        }

    def require_consensus(self, references: int) -> None:
        """Raise an error if a document has too few references; where they vary, it is left out."""
        if not self.varies:
            require_consensus(self.consensus, references)

    @property
    def of_format(self) -> FormatOptions:
        """The options of some formats."""
        options: FormatOptions = {"tier": self.tier, "rate": self.rate, "force": self.force}
        if self.scores != "probabilities":
            options["scores"] = self.scores
        return {**options, "axis": self.axis} if self.is_on_signal else options

    def advice(self, forms: Sequence[str]) -> list[str]:
        """Warnings of options of formats that no file takes, given their forms."""
        from caesura.formats.registry import useless

        told: list[str] = []
        if forms and (self.tier or self.rate or self.units != "auto"):
            told += useless({"tier": self.tier, "rate": self.rate, "units": self.units}, forms)
        has_scores = any(each.counts.has_levels for each in self.asked_for.values())
        if (self.threshold or self.scores == "logits") and not has_scores:
            given = option("threshold", "…") if self.threshold else option("scores", self.scores)
            told.append(f"{given} has no effect: no system has scores")
        return told

    def after(self, table: CountTable) -> Transcript:
        """The options with the measures of scores, if any were counted."""
        names = ranked(table)
        return replace(self, also=tuple(dict.fromkeys((*self.also, *names)))) if names else self

    @property
    def counted_axis(self) -> MeasureAxis:
        """The axis of boundaries: words, or a clock."""
        if self.is_on_signal:
            return ClockAxis(self.tolerance, self.axis == "samples")
        return WORDS

    @property
    def deviation_unit(self) -> int:
        """What deviations are counted in: microseconds, or samples, as 1000 of them."""
        return 1000 if self.axis == "samples" else 1

    @property
    def grid(self) -> CellGrid | None:
        """The cells of a clock; None on words."""
        cells = CellGrid(self.step, self.axis == "samples", self.whole_cells)
        return cells if self.is_on_signal else None


def count_documents(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    task: Transcript,
    keep: Keep = lambda _: None,
) -> CountTable:
    """Count one document that is in memory."""
    if not references:
        raise UsageError("no references; give at least one")
    task.require_consensus(len(references))
    if _have_scores(systems, references):
        systems, task = _with_scores(systems, references, task)
    if task.is_on_signal:
        from caesura.tasks.transcript.lengths import with_lengths

        systems, references = with_lengths(systems, references, task, name)
    versions = _comparable(systems, references, task)
    placed: list[Versions] = []
    count = _counted_apart if task.streams else _counted_on_axis
    table = count(name, versions, task, placed.append)
    for on in placed:
        keep(on)
    on_words = placed[0] if placed and task.axis == "words" else None
    sources = sources_of({**references, **systems}, on_words)
    blocks = [portion.block for portion in table.portions]
    sources, others = _with_whole(name, versions, sources, task, blocks)
    return _with_rows([name], [sources], table, others)


def count_together(
    names: Sequence[str],
    documents: Sequence[tuple[Mapping[str, Document], Mapping[str, Document]]],
    task: Transcript,
) -> CountTable | None:
    """Count many documents that are in memory, systems and references; None if it has to be alone.

    They are counted together on words, those with as many systems and references in one pass, if
    nothing is asked for that depends on the document.
    """
    if not documents or not task.is_counted_together:
        return None
    if any(not references or systems.keys() & references for systems, references in documents):
        return None
    if any(_ends_open((*a.values(), *b.values()), task) for a, b in documents):
        return None
    groups: dict[tuple[int, int], list[int]] = {}
    for at, (systems, references) in enumerate(documents):
        groups.setdefault((len(systems), len(references)), []).append(at)
    tables = [
        _counted_alike([names[at] for at in own], [documents[at] for at in own], task)
        for own in groups.values()
    ]
    place = {name: at for at, name in enumerate(names)}
    return CountTable.from_tables(tables).ordered(place)


def _counted_alike(
    names: Sequence[str],
    documents: Sequence[tuple[Mapping[str, Document], Mapping[str, Document]]],
    task: Transcript,
) -> CountTable:
    """Count documents with as many systems and references each."""
    task.require_consensus(len(documents[0][1]))
    if any(_have_scores(*each) for each in documents):
        made = [_with_scores(*each, task) for each in documents]
        documents = [(cut, own) for (cut, _), (_, own) in zip(made, documents, strict=True)]
        task = made[0][1]
    whole = [_comparable(*each, task) for each in documents]
    versions = [each.on_words(align=False, axis="")[0] for each in whole]
    sources, others = [], []
    for name, (ours, theirs), on, own in zip(names, documents, versions, whole, strict=True):
        read, rows = _with_whole(name, own, sources_of({**theirs, **ours}, on), task)
        sources.append(read)
        others += rows
    return _with_rows(names, sources, count_versions(names, versions, measures_of(task)), others)


def _with_whole(
    name: str,
    versions: Versions,
    sources: dict[str, SourceCounts],
    task: Transcript,
    blocks: Sequence[int] = (),
) -> tuple[dict[str, SourceCounts], list[Row]]:
    """What was read, and the rows of measures of whole documents, in blocks with these ends."""
    measures = document_measures_of(task)
    if not measures:
        return sources, []
    from caesura.tasks.transcript.whole import rows_of_documents, with_signs_of_documents

    rows = rows_of_documents(name, versions, measures, blocks)
    return with_signs_of_documents(sources, versions, measures), rows


def _with_rows(
    names: Sequence[str],
    sources: Sequence[Mapping[str, SourceCounts]],
    table: CountTable,
    others: Sequence[Row],
) -> CountTable:
    """The counts of documents with what was read of each before them, and other rows after them."""
    read = [
        Row(version, name, SOURCE, None, counts)
        for name, own in zip(names, sources, strict=True)
        for version, counts in own.items()
    ]
    tables = [CountTable.from_rows(read), table]
    return CountTable.from_tables([*tables, CountTable.from_rows(others)] if others else tables)


def _have_scores(systems: Mapping[str, Document], references: Mapping[str, Document]) -> bool:
    """Whether any version has a score for each place."""
    every = (*systems.values(), *references.values())
    return any(each.segmentation.scores is not None for each in every)


def _with_scores(
    systems: Mapping[str, Document], references: Mapping[str, Document], task: Transcript
) -> tuple[dict[str, Document], Transcript]:
    """Systems with boundaries where scores reach the threshold, and a task that counts scores."""
    from caesura.tasks.transcript.thresholds import at_thresholds

    return at_thresholds(systems, references, task)


def _comparable(
    systems: Mapping[str, Document], references: Mapping[str, Document], task: Transcript
) -> Versions:
    """All versions with words and types that can be compared."""
    versions = Versions(references, systems)
    _require_like_labels(versions)
    if task.normalize:
        from caesura.align.normalize import compose

        versions = versions.each(partial(compose(task.normalize).apply, streams=task.streams))
    return versions.with_common_types()


def _require_like_labels(versions: Versions) -> None:
    """Raise an error where some versions label discourse units, others connectives."""
    labelled = {
        each.form: each.source
        for each in versions.everyone.values()
        if each.form.startswith(LABELLED)
    }
    if len(labelled) > 1:
        (one, first), (other, second) = [*labelled.items()][:2]
        problem = f"its labels are {other.removeprefix(LABELLED)}, those of {first} are "
        problem += one.removeprefix(LABELLED)
        raise FormatError(second, problem, "give files with the same labels")


def _counted_apart(name: str, versions: Versions, task: Transcript, keep: Keep) -> CountTable:  # noqa: ARG001
    """Every stream on its own axis, and their sums."""
    apart = CountTable.from_tables(
        [
            _counted_on_axis(name, part, task, lambda _: None).with_portions(stream=stream)
            for stream, part in versions.streams(task.streams)
        ]
    )
    return CountTable.from_tables([apart.sum(lambda document, _: document), apart])


def _counted_on_axis(name: str, versions: Versions, task: Transcript, keep: Keep) -> CountTable:
    """Put all versions on one axis and count them, as a whole and by who speaks."""
    if task.is_on_signal:
        timed = versions.on_clock(task.final, task.edges, task.axis)
        keep(timed)
        return count_versions([name], [timed], measures_of(replace(task, final="drop")))
    on, alignments = versions.on_words(align=task.align, axis=task.axis_from)
    keep(on)
    aligned = [Row(key, name, ALIGNED, on.axis, counts) for key, counts in alignments.items()]
    tables = [CountTable.from_rows(aligned)] if aligned else []
    if _ends_open(on.everyone.values(), task):
        on, task = on.with_open_ends(), replace(task, final="drop")
    if task.blocks and task.has_blocks and on.panel.slots("keep"):
        from caesura.tasks.transcript.blocks import count_in_blocks

        tables.append(count_in_blocks(name, on, task))
    else:
        tables.append(count_versions([name], [on], measures_of(task)))
    for stream, part in on.by(task.by) if task.by else ():
        table = count_versions([name], [part], measures_of(task))
        tables.append(table.with_portions(stream=stream))
    return CountTable.from_tables(tables)


def _ends_open(documents: Iterable[Document], task: Transcript) -> bool:
    """Whether ends are to count, but one of a text of subtitles without a break there."""
    return task.final == "keep" and any(map(ends_open, documents))
