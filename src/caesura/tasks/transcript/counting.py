"""Transcripts: how they are read and scored, and the rows of one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from caesura.align.versions import Versions, ends_open, extent_of
from caesura.core.alignment_scores import ALIGNED
from caesura.core.consensus import consensus_rule
from caesura.core.format import FormatOptions
from caesura.core.line_breaks import BREAKS
from caesura.core.measure import LineMeasure
from caesura.core.row import SOURCE, Portion, Row, SourceCounts
from caesura.core.score import BOUNDARY
from caesura.core.segmentation import BoolArray, Document, IntArray, Segmentation
from caesura.core.table import CountTable
from caesura.errors import FormatError, UnknownNameError, UsageError, option
from caesura.formats.transcripts import read_many
from caesura.io.files import read_text
from caesura.io.paths import stamp
from caesura.measures.geometry import WORDS, CellGrid, ClockAxis
from caesura.measures.geometry import Axis as MeasureAxis
from caesura.run.inputs import Case
from caesura.tasks.transcript.measures import MEASURES
from caesura.tasks.transcript.options import COUNTS, TranscriptOptions, ranked, require_consensus
from caesura.tasks.transcript.pairings import (
    count_in_blocks,
    count_versions,
    document_measures_of,
    measures_of,
)

if TYPE_CHECKING:
    from caesura.align.words import Edits
    from caesura.tasks.transcript.report import KeptTranscript

Sides = tuple[Mapping[str, Document], Mapping[str, Document]]
"""The systems and the references of a document."""
LABELLED = "disrpt-"
"""How forms begin whose units have labels; what follows is the label."""


Regions = dict[str, dict[str, list[tuple[int, int]]]]
"""The regions of each channel of each recording."""
NO_LENGTH = "no_length"
"""The sign of a signal whose length is not known."""
CURE = "write the name of a document and its length on each line, separated by a tab or a comma"
ALIKE = 0.5
"""The share of aligned words that are equal below which a text is probably another: in transcripts
of the same speech it is .79 or more, in texts of different speech .47 or less."""
STRETCH, SHORTEST = 0.05, 5
"""The share of the words, and the number, from which on a stretch that the other side lacks is no
error of a recogniser: their longest are below .01 of the words."""
STRAY = 10
"""How many words of a stretch make up for one that was aligned by chance."""
SLIPPED = 20
"""The number of boundaries that fit one word off and do not fit where they are."""
TIMES = 3
"""How much better they must fit: this many times as many."""
SHARE = 0.3
"""The share of the boundaries of the stretch that must fit one word off."""
SIDES = {"late": 1, "early": -1}

Votes = npt.NDArray[np.integer[Any]]


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

    def with_option(self, name: str, value: str) -> Transcript:
        """The same with an option as users write it, such as a tolerance of 0.5s."""
        if name in COUNTS and not value.isdigit():
            raise UsageError(f"'{value}' is not a whole number; write one, as in Pk@8")
        given = int(value) if name in COUNTS else value
        values = self.parse({"axis": self.axis, name: given})
        return replace(self, **{name: values[name]})

    def count(self, case: Case) -> CountTable:
        """Read one document in every version and count it."""
        return count_documents(case.document, *self.versions(case), self)

    def count_and_read(self, case: Case) -> tuple[CountTable, list[KeptTranscript]]:
        """The same, and its reading, if all versions are on one axis of words, or of time."""
        from caesura.tasks.transcript.report import Clock, clock_reading, reading_of

        table, on_axes = _counted([case.document], [self.versions(case)], self)
        if self.streams:
            return table, []
        (on,) = on_axes
        if self.is_on_signal:
            axis: Clock = "samples" if self.axis == "samples" else "time"
            return table, [clock_reading(case.document, on, self.tolerance, axis)]
        return table, [reading_of(case.document, on, self.final)]

    def count_many(self, cases: Sequence[Case]) -> CountTable | None:
        """Read many documents and count them in one pass; None if each has to be counted alone.

        They are counted together on words, if nothing is asked for that depends on the document.
        """
        if not cases or not self.is_counted_together:
            return None
        if any(not case.references or case.systems.keys() & case.references for case in cases):
            return None
        paths = [path for case in cases for path in case.files]
        read_ones = iter(read_many(paths, **self.reading))

        def versions(side: Mapping[str, Any]) -> dict[str, Document]:
            return {n: next(read_ones) if isinstance(v, str) else v for n, v in side.items()}

        documents = [(versions(case.systems), versions(case.references)) for case in cases]
        return _counted([case.document for case in cases], documents, self)[0]

    def versions(self, case: Case) -> tuple[dict[str, Document], dict[str, Document]]:
        """Read one document in every version: the systems' and the references'."""
        how = self.reading
        systems, references = (
            {n: read_many([v], **how)[0] if isinstance(v, str) else v for n, v in side.items()}
            for side in (case.systems, case.references)
        )
        return systems | self._run(references), references

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

    @property
    def of_format(self) -> FormatOptions:
        """The options of some formats."""
        options: FormatOptions = {"tier": self.tier, "rate": self.rate, "force": self.force}
        if self.scores != "probabilities":
            options["scores"] = self.scores
        return {**options, "axis": self.axis} if self.is_on_signal else options

    @property
    def reading(self) -> dict[str, Any]:
        """How files are read."""
        names = ("input", "units", "marks", "tokens", "encoding")
        return {**{name: getattr(self, name) for name in names}, **self.of_format}

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
) -> CountTable:
    """Count one document that is in memory."""
    return _counted([name], [(systems, references)], task)[0]


def _counted(
    names: Sequence[str], documents: Sequence[Sides], task: Transcript
) -> tuple[CountTable, list[Versions]]:
    """Count documents: what was read of them, what is on axes, and then the documents as a whole.

    Those with as many systems and references are counted in one pass. Streams are added up. The
    second result is the versions on axes, of which each document, or each stream, has one.
    """
    sources: list[Row] = []
    alignments: list[Row] = []
    in_blocks: list[CountTable] = []
    as_wholes: list[Row] = []
    on_axes: list[Versions] = []
    passes: dict[tuple[int, int, Transcript], list[tuple[str, Portion, Versions]]] = {}
    for name, sides in zip(names, documents, strict=True):
        read, versions, own_task = _comparable(name, *sides, task)
        axes, aligned = _on_axes(name, versions, own_task)
        alignments += aligned
        on_axes += axes.values()
        ends: list[int] = []
        for stream, axis in axes.items():
            on, axis_task = axis, own_task
            if own_task.is_on_signal:
                axis_task = replace(own_task, final="drop")
            elif own_task.final == "keep" and any(map(ends_open, on.everyone.values())):
                on, axis_task = on.with_open_ends(), replace(own_task, final="drop")
            portions = [(stream, on)]
            if own_task.blocks and own_task.has_blocks and on.panel.slots("keep"):
                in_blocks.append(count_in_blocks(name, on, axis_task))
                ends = [portion.block for portion in in_blocks[-1].portions]
                portions = []
            if own_task.by:
                portions += on.by(own_task.by)
            for speaker, part in portions:
                sizes = len(part.systems), len(part.references)
                alike = passes.setdefault((*sizes, axis_task), [])
                alike.append((name, Portion(stream=speaker), part))
        on_words = axes.get(None) if own_task.axis == "words" else None
        read_from = sources_of(read.everyone, on_words)
        read_rows, whole_rows = _rows_of_whole(name, versions, read_from, own_task, ends)
        sources += read_rows
        as_wholes += whole_rows
    tables = [CountTable.from_rows(alignments)] if alignments else []
    tables += in_blocks
    for (*_, axis_task), alike in passes.items():
        titles, portions_alike, versions_alike = zip(*alike, strict=True)
        measures = measures_of(axis_task)
        tables.append(count_versions(titles, portions_alike, versions_alike, measures))
    counted = CountTable.from_tables(tables)
    if task.streams:
        counted = CountTable.from_tables([counted.sum(lambda name, _: name), counted])
    others = [CountTable.from_rows(as_wholes)] if as_wholes else []
    return CountTable.from_tables([CountTable.from_rows(sources), counted, *others]), on_axes


def _comparable(
    name: str,
    systems: Mapping[str, Document],
    references: Mapping[str, Document],
    task: Transcript,
) -> tuple[Versions, Versions, Transcript]:
    """All versions of a document as they were read, and with words and types that compare.

    If some have scores of places, the task counts these, too.
    """
    if not references:
        raise UsageError("no references; give at least one")
    if not task.varies:
        require_consensus(task.consensus, len(references))
    documents = (*references.values(), *systems.values())
    if any(document.segmentation.scores is not None for document in documents):
        from caesura.tasks.transcript.thresholds import at_thresholds

        systems, task = at_thresholds(systems, references, task)
    read = versions = Versions(references, systems)
    if task.is_on_signal:
        read = versions = with_extents(versions, task, name)
    labelled = {each.form: each.source for each in documents if each.form.startswith(LABELLED)}
    if len(labelled) > 1:
        (one, first), (other, second) = [*labelled.items()][:2]
        problem = f"its labels are {other.removeprefix(LABELLED)}, those of {first} are "
        problem += one.removeprefix(LABELLED)
        raise FormatError(second, problem, "give files with the same labels")
    if task.normalize:
        from caesura.align.normalize import compose

        versions = versions.each(partial(compose(task.normalize).apply, streams=task.streams))
    return read, versions.with_common_types(), task


def _on_axes(
    name: str, versions: Versions, task: Transcript
) -> tuple[dict[str | None, Versions], list[Row]]:
    """All versions on one axis, or on one for each stream; and how their words were aligned."""
    axes: dict[str | None, Versions] = {}
    alignments: list[Row] = []
    for stream, own in versions.streams(task.streams) if task.streams else [(None, versions)]:
        if task.is_on_signal:
            axes[stream] = own.on_clock(task.final, task.edges, task.axis)
            continue
        on, aligned = own.on_words(align=task.align, axis=task.axis_from)
        axes[stream] = on
        alignments += [
            Row(key, name, ALIGNED, on.axis, counts, stream=stream)
            for key, counts in aligned.items()
        ]
    return axes, alignments


def _rows_of_whole(
    name: str,
    versions: Versions,
    sources: dict[str, SourceCounts],
    task: Transcript,
    ends: Sequence[int],
) -> tuple[list[Row], list[Row]]:
    """What was read of each version, and what is counted of them as they were read.

    That is counted in blocks with some ends, if there are any.
    """
    measures = document_measures_of(task)
    installed = []
    for measure in measures:
        needs = measure.needs if isinstance(measure, LineMeasure) else ""
        installed += [] if needs and find_spec(needs) is None else [measure]
    if len(installed) < len(measures):
        sources = {n: _with_signs(source, {"no_sacrebleu": 1}) for n, source in sources.items()}
    rows: list[Row] = []
    for measure, (system, ours) in product(installed, versions.systems.items()):
        forms = {reference.form for reference in versions.references.values()}
        by_line = measure if isinstance(measure, LineMeasure) else None
        if by_line and by_line.pairs_lines and {*forms, ours.form} != {BREAKS}:
            sources[system] = _with_signs(sources[system], {"in_segments": 1})
        for reference, theirs in versions.references.items():
            if by_line and ends:
                counted = zip(ends, by_line.count_blocks(ours, theirs, np.array(ends)), strict=True)
            else:
                counted = zip([0], [measure.count(ours, theirs)], strict=True)
            rows += [
                Row(system, name, measure.name, reference, counts, block=block)
                for block, counts in counted
            ]
    return [Row(n, name, SOURCE, None, source) for n, source in sources.items()], rows


# --- Regions and lengths --------------------------------------------------------------


def with_extents(versions: Versions, task: Transcript, name: str) -> Versions:
    """The versions of a document with the regions to score, and with its length.

    Regions are of the recording of this name. The length, which all signals among the versions have
    then, is given for all, in a table by name, or is the largest that a version needs.
    """
    if task.uem:
        references = versions.references.values()
        recordings = [document.recording for document in references if document.recording]
        regions = _regions(task.uem, [*recordings, name])
        for document in references:
            start, end = document.track.start, document.track.end
            if start is None or end is None or not end.size:
                continue
            first, last = int(start.min()), int(end.max())
            if not ((regions[:, 0] < last) & (regions[:, 1] > first)).any():
                recording = document.recording or document.source
                problem = f"its regions hold nothing of '{recording}' in {document.source}"
                raise FormatError(task.uem, problem, "check the times; regions are in seconds")
        versions = versions.each(partial(replace, regions=regions))
    documents = [*versions.everyone.values()]
    if not any(document.is_signal for document in documents):
        return versions
    extent = task.duration or task.n
    if not extent and task.lengths:
        extent = _read_lengths(task.lengths, task.axis, stamp(task.lengths)).get(name, 0)
    signs = {} if extent or any(document.extent for document in documents) else {NO_LENGTH: 1}
    needing = [each.needs_length for each in task.asked_for.values() if each.needs_length]
    if signs and needing:
        problem = f"no length, which {needing[0]} needs"
        cure = f"say how long it is, with {option('n', '…')} or {option('lengths', '…')}"
        raise FormatError(documents[0].source, problem, cure)
    extent = extent or extent_of(documents, task.axis)

    def with_extent(document: Document) -> Document:
        if not document.is_signal:
            return document
        return replace(document, extent=extent, signs={**document.signs, **signs})

    return versions.each(with_extent)


def _regions(uem: str, names: list[str]) -> IntArray:
    """The regions of a recording with one of some names, a row each; those that touch are one."""
    from caesura.formats.nist import UEM_FORM

    by_recording = _read_regions(uem, stamp(uem))
    name = next((name for name in names if name in by_recording), None)
    if name is None:
        problem = f"no regions of '{names[0]}'"
        raise FormatError(uem, problem, f"add a line {UEM_FORM}, or leave the recording out")
    (channel, first), *others = by_recording[name].items()
    for other, regions in others:
        if regions != first:
            problem = f"'{name}' has other regions on channel {other} than on channel {channel}"
            raise FormatError(uem, problem, "give all channels of a recording the same regions")
    rows = np.array(first, dtype=np.int64)
    apart = rows[1:, 0] > rows[:-1, 1]
    is_first, is_last = np.append(True, apart), np.append(apart, True)
    return np.stack((rows[is_first, 0], rows[is_last, 1]), axis=1)


@lru_cache(maxsize=4)
def _read_regions(uem: str, _: tuple[int, ...]) -> Regions:
    from caesura.formats.nist import parse_uem

    by_recording: Regions = {}
    for (recording, channel), regions in parse_uem(read_text(uem), uem).items():
        by_recording.setdefault(recording, {})[channel] = regions
    return by_recording


@lru_cache(maxsize=4)
def _read_lengths(path: str, axis: str, _: tuple[int, ...]) -> dict[str, int]:
    """The lengths by name; a first line that is a heading is left out."""
    import csv

    from caesura.formats.signals import Scale

    lines = read_text(path).splitlines()
    mark = "\t" if any("\t" in line for line in lines) else ","
    scale = Scale("samples" if axis == "samples" else "time", 0, path)
    lengths: dict[str, int] = {}
    for at, row in enumerate(csv.reader(lines, delimiter=mark), 1):
        cells = [cell.strip() for cell in row if cell.strip()]
        if not cells or (at == 1 and not any(digit.isdigit() for digit in cells[-1])):
            continue
        if len(cells) < 2:
            raise FormatError(path, "no name and length", CURE, line=at)
        lengths[cells[0]] = scale.at(cells[1], at, "a length")
        if not lengths[cells[0]]:
            raise FormatError(path, "a length of 0", CURE, line=at)
    return lengths


# --- What was read, and signs of a misreading -----------------------------------------


def sources_of(documents: Mapping[str, Document], on: Versions | None) -> dict[str, SourceCounts]:
    """What was read of each version; with slips, if all are `on` one axis of words."""
    sources = {name: SourceCounts.from_document(each) for name, each in documents.items()}
    if on is None:
        return sources
    systems, references = (
        {name: each.segmentation for name, each in side.items()}
        for side in (on.systems, on.references)
    )
    for name, slip in slips(systems, references):
        sources[name] = _with_signs(sources[name], slip)
    for name, (_, edits) in on.misheard.items():
        signs = alignment_signs(edits, on.everyone[on.axis].segmentation.length)
        sources[name] = _with_signs(sources[name], signs)
    return sources


def _with_signs(source: SourceCounts, signs: Mapping[str, int]) -> SourceCounts:
    return replace(source, signs={**source.signs, **signs})


def alignment_signs(edits: Edits, length: int) -> dict[str, int]:
    """What is odd about words aligned with an axis of some length: none alike, or a part missing.

    `unlike` is 1 if too few aligned words are equal, `alike` their percentage; `lacks` is the
    stretch of the axis, and `adds` that of the version, that the other side does not have.
    """
    aligned = edits.hits + edits.substitutions
    if edits.hits < ALIKE * aligned or not aligned:
        return {"unlike": 1, "alike": 100 * edits.hits // max(1, aligned)}
    is_missing = np.ones(length, np.bool_)  # words of the axis that no word is aligned with
    is_missing[edits.landing[edits.is_aligned]] = False
    stretches = {"lacks": _longest(is_missing), "adds": _longest(~edits.is_aligned)}
    return {
        f"{kind}_{end}": place
        for kind, places in stretches.items()
        for end, place in zip(("from", "to"), places, strict=False)
    }


def _longest(which: BoolArray) -> tuple[int, ...]:
    """The first and the last word of the longest stretch, from 1 on; none if it is short.

    A stray word that is not in it costs as much as STRAY that are: the largest sum of neighbours,
    as the largest difference of running sums.
    """
    sums = np.cumsum(np.where(which, 1, -STRAY))
    lowest = np.minimum.accumulate(np.append(0, sums[:-1]))  # before each word, the least so far
    if not sums.size or (sums - lowest).max() < max(SHORTEST, STRETCH * which.size):
        return ()
    last = int((sums - lowest).argmax())
    first = int(np.append(0, sums[:last]).argmin())
    return first + 1, last + 1


def slips(
    systems: Mapping[str, Segmentation], references: Mapping[str, Segmentation]
) -> Iterator[tuple[str, dict[str, int]]]:
    """The slip of each version, on one axis, against all references, or all others if it is one.

    A slip is a stretch whose boundaries look one word late or early: the words, counted from 1.

    >>> gold = Segmentation.from_masses([3] * 30)
    >>> late = Segmentation.from_masses([4, *[3] * 28, 2])
    >>> dict(slips({"ours": late}, {"gold": gold}))["ours"]
    {'late_from': 4, 'late_to': 88}
    """
    everyone = {**systems, **references}
    if not everyone or max(each.boundaries.size for each in everyone.values()) <= SLIPPED:
        return
    length = next(iter(everyone.values())).length
    votes = np.zeros(length + 2, np.int32)  # of references, one word late
    for each in references.values():
        votes[each.boundaries[:-1] + 1] += 1
    for name, each in everyone.items():
        ends = each.boundaries[:-1]
        votes[ends + 1] -= name in references
        slip = _slip(ends, votes) if ends.size >= SLIPPED else {}
        votes[ends + 1] += name in references
        if slip:
            yield name, slip


def _slip(ends: IntArray, votes: Votes) -> dict[str, int]:
    """The stretch of the most boundaries that fit one word off; `votes` begin one word early."""
    here = votes[ends + 1] > 0  # (boundaries,) those that fit where they are
    for side, by in SIDES.items():
        there = votes[ends + 1 - by] > 0
        if np.count_nonzero(there & ~here) < SLIPPED:
            continue
        # The range with the largest sum of gains, the shortest of several.
        sums = np.append(0, np.cumsum(there.astype(np.int64) - here))
        stop = int(np.argmax(sums - np.minimum.accumulate(sums)))
        start = stop - int(np.argmin(sums[stop::-1]))
        hits, misses = (int(np.count_nonzero(fits[start:stop])) for fits in (there, here))
        if hits - misses >= SLIPPED and hits >= max(TIMES * misses, SHARE * (stop - start)):
            first, last = int(ends[start]), int(ends[stop - 1])
            return {f"{side}_from": first + 1, f"{side}_to": last + 1}
    return {}
