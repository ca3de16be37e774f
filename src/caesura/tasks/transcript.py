"""Transcripts: how they are read and scored, and the rows of one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from caesura.align.versions import Versions, ends_open
from caesura.core.row import Row
from caesura.core.rows import Rows
from caesura.core.segmentation import Document, Final
from caesura.core.sheet import Sheet
from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.formats import FormatOptions, read, read_many
from caesura.measures.axis import WORDS, ClockAxis
from caesura.measures.axis import Axis as MeasureAxis
from caesura.measures.base import LineMeasure, Measure
from caesura.run.cases import Case
from caesura.tasks.objects import TRANSCRIPT
from caesura.tasks.options.transcript import TranscriptOptions
from caesura.tasks.pairings import (
    count_on_words,
    count_one,
    document_measures_of,
    measures_of,
)
from caesura.tasks.sources import sources_of
from caesura.tasks.together import count_versions
from caesura.tasks.whole import rows_of_documents, with_signs_of_documents

if TYPE_CHECKING:
    from caesura.tasks.blocks import CutOptions
    from caesura.tasks.readings import AnyReading
    from caesura.tasks.transcript_parts import TranscriptCounts, TranscriptPart, Uncounted

Keep = Callable[[Versions], None]
"""Takes all versions of a document when they are on one axis of words, or of time."""
Axis = Literal["words", "time"]
LABELLED = "disrpt-"
"""How forms begin whose units have labels; what follows is the label."""
HUGE, SMALL = 32 << 20, 1 << 18
"""Bytes of all versions together, and of each, from which on a document is counted in parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(TranscriptOptions):
    """Reads and counts documents; what it counts are its options."""

    def __post_init__(self) -> None:
        is_on = "has_time" if self.axis == "time" else "has_words"
        for name in self.also:
            if name not in TRANSCRIPT.further or not getattr(TRANSCRIPT.measures[name], is_on):
                known = [each for each, kind in further().items() if getattr(kind, is_on)]
                raise UnknownNameError("measure to add", name, known)

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, lambda _: None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[AnyReading]]:
        """The same, and its reading, if all versions are on one axis of words, or of time."""
        from caesura.tasks.readings import clock_reading, reading_of

        kept: list[Versions] = []
        rows = self._count(case, kept.append)
        if self.axis == "time":
            return rows, [clock_reading(case.document, each, self.tolerance) for each in kept]
        return rows, [reading_of(case.document, each, self.final) for each in kept]

    def _count(self, case: Case, keep: Keep) -> list[Row]:
        if self.axis == "time" or not self.su:
            return count_documents(case.document, *self.versions(case), self, keep)
        from caesura.tasks.nist import are_rttm, md_eval_rows, noted, with_md_eval

        task = replace(self, align=True) if are_rttm(case, self.input) else self
        rows = count_documents(case.document, *self.versions(case), task, keep)
        exact = md_eval_rows(case, self.uem, self.input, self.encoding)
        return with_md_eval(rows if self.align else noted(rows), exact)

    def count_many(self, cases: Sequence[Case]) -> Rows | None:
        """Read many documents and count them in one pass; None if each has to be counted alone."""
        if not self.is_counted_together:
            return None
        names = [case.document for case in cases]
        sheet = count_together(names, self._read_many(cases), self)
        return None if sheet is None else Rows([sheet])

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
        if self.uem and self.axis == "time":
            from caesura.tasks.uem import with_regions

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

    def plan(self, case: Case, size: int | None = None) -> list[TranscriptPart]:
        """The parts of a huge plain text; none if it is counted whole."""
        paths = {**case.references, **case.systems}
        if (case.weight if size is None else size) < max(HUGE, SMALL * len(paths)):
            return []
        asks_more = self.align or self.normalize or self.by or self.encoding or self.runs
        if asks_more or document_measures_of(self) or not self.has_blocks or not case.is_on_disk:
            return []
        from caesura.tasks.cuts import form_of
        from caesura.tasks.transcript_parts import plan

        _require_consensus(self, len(case.references))
        forms = {name: form_of(path, self.input) for name, path in paths.items()}
        found = plan(case, forms, self.cut_options) if all(forms.values()) else []
        return found if len(found) > 1 else []

    def count_part(self, part: TranscriptPart) -> TranscriptCounts | Uncounted:
        """Count one part."""
        from caesura.tasks.transcript_parts import count_part

        return count_part(part, self.cut_options, partial(_counted_with, self))

    def replan(
        self, parts: Sequence[TranscriptPart], counted: Sequence[TranscriptCounts | Uncounted]
    ) -> list[TranscriptPart]:
        """The parts, joined where a version ends too early, with the k that is right."""
        from caesura.tasks.transcript_parts import replan

        return replan(parts, counted, self.cut_options)

    def merge(
        self, parts: Sequence[TranscriptPart], counted: Sequence[TranscriptCounts]
    ) -> list[Row]:
        """The rows of a document whose parts were counted."""
        from caesura.tasks.transcript_parts import merge

        signs = {"guessed": 1} if self.input == "auto" else {}
        return merge(parts, counted, self.cut_options, signs)

    @property
    def has_blocks(self) -> bool:
        """Whether documents can be cut: on one axis of words, without what is counted whole."""
        every = (TRANSCRIPT.measures[name] for name in self.also)
        is_whole = any(each.cut == "whole" and not issubclass(each, LineMeasure) for each in every)
        return self.axis == "words" and not (self.streams or self.su or is_whole)

    @property
    def is_counted_together(self) -> bool:
        """Whether many documents may be counted in one pass."""
        alone = self.align or self.by or self.blocks or self.runs or self.streams or self.su
        return self.axis == "words" and not alone

    @property
    def cut_options(self) -> CutOptions:
        """The options that decide where a transcript may be cut."""
        from caesura.tasks.blocks import CutOptions

        return CutOptions(
            window=self.window,
            tolerance=self.tolerance,
            near=self.near,
            k=self.k,
            final=self.final,
            marks=self.marks,
            blocks=self.blocks,
            consensus=self.consensus,
            also=self.also,
            costs=self.costs,
        )

    def _read(self, paths: Mapping[str, Any]) -> dict[str, Document]:
        read_one = partial(
            read,
            input=self.input,
            units=self.units,
            marks=self.marks,
            encoding=self.encoding,
            **self.of_format,
        )
        return {
            name: read_one(each) if isinstance(each, str) else each for name, each in paths.items()
        }

    @property
    def of_format(self) -> FormatOptions:
        """The options of some formats."""
        return {"tier": self.tier, "rate": self.rate, "force": self.force}

    def advice(self, forms: Sequence[str]) -> list[str]:
        """Warnings of options of formats that no file takes, given their forms."""
        from caesura.tasks.partners import useless

        return [*useless({**self.of_format, "units": self.units}, forms)] if forms else []

    @property
    def counted_axis(self) -> MeasureAxis:
        """The axis of boundaries: words, or time."""
        return ClockAxis(self.tolerance) if self.axis == "time" else WORDS


def count_documents(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    task: Transcript,
    keep: Keep = lambda _: None,
) -> list[Row]:
    """Count one document that is in memory."""
    if not references:
        raise UsageError("no references; give at least one")
    _require_consensus(task, len(references))
    versions = _comparable(systems, references, task)
    placed: list[Versions] = []
    if task.streams:
        rows = _rows_apart(name, versions, task)
    else:
        rows = _rows(name, versions, task, placed.append)
    for on in placed:
        keep(on)
    measures = document_measures_of(task)
    rows += rows_of_documents(name, versions, measures, rows)
    on_words = placed[0] if placed and task.axis == "words" else None
    sources = sources_of({**references, **systems}, on_words)
    sources = with_signs_of_documents(sources, versions, measures)
    return [Row(key, name, "source", None, each) for key, each in sources.items()] + rows


def count_together(
    names: Sequence[str],
    documents: Sequence[tuple[Mapping[str, Document], Mapping[str, Document]]],
    task: Transcript,
) -> Sheet | None:
    """Count many documents that are in memory, systems and references; None if it has to be alone.

    They are counted together on words, if all have the same names and nothing is asked for that
    depends on the document.
    """
    if not documents or not task.is_counted_together:
        return None
    systems, references = ([*names] for names in documents[0])
    if not references or not {*systems}.isdisjoint(references):
        return None
    if any([[*a], [*b]] != [systems, references] for a, b in documents):
        return None
    if any(_ends_open((*a.values(), *b.values()), task) for a, b in documents):
        return None
    _require_consensus(task, len(references))
    measures = document_measures_of(task)
    whole = [_comparable(*each, task) for each in documents]
    versions = [each.on_words(align=False, axis="")[0] for each in whole]
    sources = [
        with_signs_of_documents(sources_of({**theirs, **ours}, on), each, measures)
        for (ours, theirs), on, each in zip(documents, versions, whole, strict=True)
    ]
    named = zip(names, whole, strict=True)
    others = [rows_of_documents(name, each, measures, ()) for name, each in named]
    return count_versions(names, sources, versions, measures_of(task), others)


def _require_consensus(task: Transcript, references: int) -> None:
    if not 0 <= task.consensus <= references:
        raise UsageError(
            f"a consensus of {task.consensus} needs more references than there are; "
            f"choose 1 to {references}"
        )


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


def _rows_apart(name: str, versions: Versions, task: Transcript) -> list[Row]:
    """Every stream on its own axis, and their sums."""
    apart = [
        replace(row, stream=stream)
        for stream, part in versions.streams(task.streams)
        for row in _rows(name, part, task, lambda _: None)
    ]
    return [*_summed(apart), *apart]


def further() -> dict[str, type[Measure]]:
    """The measures that are counted where they are asked for by name."""
    return {name: TRANSCRIPT.measures[name] for name in TRANSCRIPT.further}


def _summed(rows: list[Row]) -> list[Row]:
    sums: dict[tuple[str | None, ...], Row] = {}
    for row in rows:
        key = row.system, row.measure, row.reference, row.left_out
        counts = sums[key].counts + row.counts if key in sums else row.counts
        sums[key] = replace(row, counts=counts, stream=None)
    return list(sums.values())


def _rows(name: str, versions: Versions, task: Transcript, keep: Keep) -> list[Row]:
    """Put all versions on one axis and count them, as a whole and by who speaks."""
    if task.axis == "time":
        timed = versions.on_clock(task.final)
        keep(timed)
        return _counted(name, timed, replace(task, final="drop"))
    on, alignments = versions.on_words(align=task.align, axis=task.axis_from)
    keep(on)
    rows = [Row(key, name, "alignment", on.axis, counts) for key, counts in alignments.items()]
    if _ends_open(on.everyone.values(), task):
        on, task = on.with_open_ends(), replace(task, final="drop")
    if task.blocks and task.has_blocks and on.panel.slots("keep"):
        from caesura.tasks.blocks import count_in_blocks

        rows += count_in_blocks(name, on, task.cut_options)
    else:
        rows += _counted(name, on, task)
    if task.by:
        rows += [
            replace(row, stream=stream)
            for stream, part in on.by(task.by)
            for row in _counted(name, part, task)
        ]
    return rows


def _ends_open(documents: Iterable[Document], task: Transcript) -> bool:
    """Whether ends are to count, but one of a text of subtitles without a break there."""
    return task.final == "keep" and any(map(ends_open, documents))


def _counted_with(task: Transcript, name: str, versions: Versions, final: Final) -> list[Row]:
    """Count a part of a document, at the end of which the whole may not end."""
    return _counted(name, versions, replace(task, final=final))


def _counted(name: str, versions: Versions, task: Transcript) -> list[Row]:
    """Count a document that is on one axis."""
    systems, references = (
        {key: each.segmentation for key, each in side.items()}
        for side in (versions.systems, versions.references)
    )
    count = count_one if task.axis == "time" else count_on_words
    found = count(systems, references, measures_of(task))
    return [
        Row(key.system, name, key.measure, key.reference, counts, key.left_out)
        for key, counts in found
    ]
