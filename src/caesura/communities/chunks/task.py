"""Chunks from end to end: those of systems, and of chunkers that are run, against questions.

And excerpts that chunks cut as they are listed, and as segments of the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from os import PathLike, fspath
from typing import Any, Literal

from caesura.communities.chunks.measures import ChunkBoundaries, Excerpts
from caesura.communities.chunks.offsets import (
    Chunks,
    Gold,
    Questions,
    as_chunks,
    as_questions,
    check_chunker,
    parse_chunks,
    parse_questions,
    run_chunker,
)
from caesura.communities.chunks.options import ChunksOptions
from caesura.core.arrays import even_edges
from caesura.core.json_values import typed
from caesura.core.option import OptionValues
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import FormatError, SourceError, UsageError, option, shortened
from caesura.io.cwd import listed
from caesura.io.files import read_text, stem
from caesura.io.paths import is_url, list_url
from caesura.output.pages import plain_page
from caesura.output.report.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.output.tables import Errors, Found, Page, Readings, cut, passage
from caesura.run.given import Given, Plan, Sides, distinct_sides, named_sides, sources
from caesura.run.inputs import Case, Source, match, named_path, not_matched
from caesura.run.naming import default_name
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared

TABLES: dict[View, tuple[str, str]] = {
    "unit": ("excerpts", "Excerpts in chunks"),
    "other": ("chunk_boundaries", "Boundaries of chunks"),
}
"""The tables by view, with id and title."""


@dataclass(frozen=True, slots=True)
class GoldText:
    """What chunks of a document are scored against, and the path of its text."""

    gold: Gold
    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """A chunker that is to be run on a document."""

    spec: str


def score_chunks(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score systems and chunkers against one gold.

    What a system has of other documents is left out.
    """
    options = ChunksTask.from_given(given)
    runs = []
    for written in options.run:  # CHUNKER or NAME=CHUNKER
        name, _, spec = written.rpartition("=")
        check_chunker(spec)
        runs.append(Source(name or spec, spec))
    if options.documents is None:
        raise UsageError(
            f"chunks are scored on the texts of documents; give their folder with "
            f"{option('documents', '…')}"
        )
    theirs, gold = _gold(sides.gold, options.encoding)
    texts = _gold_texts(gold, options.documents, theirs.path)
    systems, _ = named_sides(sides.systems, None)
    ours = [_with_chunks(each, texts, options.encoding) for each in _systems(systems)]
    ours += [replace(each, documents=dict.fromkeys(texts, Run(each.path))) for each in runs]
    ours, (theirs,) = distinct_sides(ours, [replace(theirs, documents=texts)])
    cases = match(ours, [theirs], missing=shared.missing)
    names = [each.name for each in ours], [theirs.name]
    plan = Plan(task, options, cases, *names, skipped=not_matched([*ours, theirs]))
    with counting(prepared(plan, shared), shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of chunks."""
    return summary_of_scores(counted, counted.table.by_document())


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables."""
    return plain_page(summary, TABLES, **details)


def _gold(given: object, encoding: str | None) -> tuple[Source, Mapping[str, Gold]]:
    """The gold under its name: questions or, as JSON lines, chunks; or questions in memory."""
    source = Source("gold", "<gold>")
    value = given
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, value),) = given.items()
        source = Source(name, fspath(value)) if isinstance(value, str | PathLike) else source
    elif isinstance(given, str | PathLike):
        source = _source(fspath(given))
    if given and not isinstance(value, str | PathLike):
        return source, as_questions(given)
    text = read_text(source.path, encoding)
    if text.lstrip()[:1] == "{":
        return source, parse_chunks(text, source.path, stem(source.path))
    return source, parse_questions(text, source.path)


def _gold_texts(gold: Mapping[str, Gold], folder: str, source: str) -> dict[str, GoldText]:
    """The gold of each document, with the path of its text."""
    paths = _paths_by_name(folder)
    texts = {}
    for name, excerpts in gold.items():
        files = paths.get(name, [])
        if len(files) != 1:
            number = "no text" if not files else f"{len(files)} texts"
            cure = f"give one file per document, named {name}.txt or the like"
            raise SourceError(source, f"{number} of the document '{name}'", cure)
        texts[name] = GoldText(excerpts, files[0])
    return texts


def _paths_by_name(path: str) -> dict[str, list[str]]:
    """The paths of the files in a folder by their names without suffix; any files may be there."""
    files = list_url(path) if is_url(path) else listed(path)
    paths: dict[str, list[str]] = {}
    for file in [path] if files is None else sorted(files):
        paths.setdefault(stem(file), []).append(file)
    return paths


def _systems(given: Given) -> list[Source]:
    """The systems; files are not looked into yet: their lines name documents themselves."""
    if not isinstance(given, Mapping):
        every = [given] if isinstance(given, str | PathLike) else given
        return [_source(fspath(each)) for each in every]
    systems = []
    for name, value in given.items():
        if isinstance(value, str | PathLike):
            systems.append(Source(name, fspath(value)))
        else:
            systems += sources({name: value}, as_chunks)
    return systems


def _source(text: str) -> Source:
    """Take `PATH` or `NAME=PATH`."""
    name, path = named_path(text)
    return Source(name or default_name(path), path, is_named=bool(name))


def _with_chunks(source: Source, gold: Mapping[str, object], encoding: str | None) -> Source:
    """A system with the chunks of each document that is scored."""
    chunks: dict[str, Chunks] = {}
    if isinstance(source.value, Chunks):
        (name,) = gold if len(gold) == 1 else (source.name,)
        chunks = {name: source.value}
    elif source.documents:
        for name, own in source.documents.items():
            chunks |= {name: own} if isinstance(own, Chunks) else _read(own, name, encoding)
    else:
        for name, paths in _paths_by_name(source.path).items():
            for path in paths:
                chunks |= _read(path, name, encoding)
    kept = {name: own for name, own in chunks.items() if name in gold}
    if not kept:
        cure = f"name documents as GOLD does: {', '.join([*gold][:5])}"
        raise SourceError(source.path, "chunks of none of the documents", cure)
    return replace(source, documents=kept, value=None)


def _read(path: str, name: str, encoding: str | None) -> dict[str, Chunks]:
    return parse_chunks(read_text(path, encoding), path, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunksTask(ChunksOptions):
    """Reads texts, runs chunkers, and counts; a block is a part of the questions."""

    def count(self, case: Case) -> list[Row]:
        """Count the chunks of all systems in one document."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[CutExcerpts]]:
        """Count the chunks of all systems, and show how they cut the excerpts."""
        readings: list[CutExcerpts] = []
        return self._count(case, readings), readings

    def _count(self, case: Case, readings: list[CutExcerpts] | None) -> list[Row]:
        ((name, own),) = case.references.items()
        assert isinstance(own, GoldText)
        text = read_text(own.path, self.encoding)
        _require_inside(own, text)
        questions = own.gold if isinstance(own.gold, Questions) else Questions((), own.gold.source)
        number = len(questions.excerpts)
        has_blocks = self.blocks and number > 0
        edges = even_edges(number, in_blocks=has_blocks)
        ends = edges[1:].tolist() if has_blocks else [0]
        read = SourceCounts(1, len(text), len(own.gold), ())
        rows = [Row(name, case.document, SOURCE, None, read)]
        for system, version in case.systems.items():
            chunks = _chunks(version, text, own.path)
            read = SourceCounts(1, len(text), len(chunks), ())
            rows.append(Row(system, case.document, SOURCE, None, read))
            if isinstance(own.gold, Chunks):
                counts = ChunkBoundaries().count(chunks, own.gold, text)
                rows.append(Row(system, case.document, ChunkBoundaries.name, name, counts))
            parts = Excerpts.count_parts(chunks, questions, text, edges)
            rows += [
                Row(system, case.document, Excerpts.name, name, part, block=end)
                for end, part in zip(ends, parts, strict=True)
            ]
            if readings is not None:
                readings.append(_cut(case.document, system, chunks, questions, text))
        return rows


def _chunks(version: object, text: str, path: str) -> Chunks:
    """The chunks of a system, inside the text."""
    if isinstance(version, Run):
        return run_chunker(version.spec, text, path)
    assert isinstance(version, Chunks)
    if version.ends.max(initial=0) > len(text):
        problem = f"a chunk ends at {version.ends.max()}, but {path} has {len(text)} characters"
        raise FormatError(version.source, problem, "count characters of the same text, not bytes")
    return version


def _require_inside(own: GoldText, text: str) -> None:
    """Raise an error if an excerpt is not where it is said to be."""
    if isinstance(own.gold, Chunks):
        if own.gold.ends.max(initial=0) > len(text):
            problem = f"a chunk ends behind the end of {own.path}"
            raise FormatError(own.gold.source, problem, "count characters of the same text")
        return
    for excerpt in (each for question in own.gold.excerpts for each in question):
        passage = text[excerpt.start : excerpt.end]
        is_there = excerpt.end <= len(text) and excerpt.content in (None, passage)
        if not is_there:
            where = f"characters {excerpt.start} to {excerpt.end} of {own.path}"
            raise FormatError(
                own.gold.source,
                f"{where} are '{shortened(passage)}', not '{shortened(excerpt.content or '')}'",
                "give the text that the offsets were counted in, with its own line ends",
                line=excerpt.line,
            )


MARK = " ‖ "
"""Where a chunk ends inside an excerpt."""
COLUMNS = ("system", "place", "document", "start", "end", "cuts", "excerpt")
LONGEST = 400
"""The characters of an excerpt that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpt:
    """An excerpt, its place and its line in the gold, and its text with a mark at each cut."""

    line: int
    start: int
    end: int
    text: str
    cuts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpts:
    """The excerpts of a document, as the chunks of one system cut them."""

    document: str
    system: str
    source: str
    excerpts: tuple[CutExcerpt, ...]
    kind: Literal["cut_excerpts"] = "cut_excerpts"


def _cut(document: str, system: str, chunks: Chunks, gold: Questions, text: str) -> CutExcerpts:
    """Every excerpt, with marks where chunks end in it, unless one holds it whole."""
    cut = []
    for excerpt in (each for question in gold.excerpts for each in question):
        start, end = excerpt.start, excerpt.end
        is_whole = bool(((chunks.starts <= start) & (chunks.ends >= end)).any())
        inside = chunks.ends[(chunks.ends > start) & (chunks.ends < end)]
        places = [] if is_whole else sorted(set(inside.tolist()))
        pieces = [text[a:b] for a, b in pairwise((start, *places, end))]
        marked = MARK.join(" ".join(piece.split()) for piece in pieces)
        line, cuts = excerpt.line, len(places)
        cut.append(CutExcerpt(line=line, start=start, end=end, text=marked, cuts=cuts))
    return CutExcerpts(document=document, system=system, source=gold.source, excerpts=tuple(cut))


Cut = tuple[str, str, str, int, int, int, str]
"""The cells of an excerpt that is cut, one for each of the columns."""


def cut_excerpts(readings: Readings) -> Iterator[Cut]:
    """Every excerpt that is cut, as a run kept it."""
    for values in readings:
        kept = typed(CutExcerpts, values)
        for each in kept.excerpts:
            if each.cuts:
                place = f"{kept.source}:{each.line}"
                yield kept.system, place, kept.document, each.start, each.end, each.cuts, each.text


def shown_excerpts(cuts: Iterable[Cut], most: int) -> Found:
    """The first excerpts that are cut."""
    passages = []
    for system, place, document, start, end, _, text in islice(cuts, most):
        head = f"{place}: {document}, characters {start:,} to {end:,}"
        passages.append(passage(head, (system, cut(text, LONGEST))))
    return Found((), ("The first excerpts that are cut\n", *passages) if passages else ())


ERRORS = Errors(cut_excerpts, shown_excerpts, COLUMNS, tuple)


def excerpt_readings(kept: Iterable[CutExcerpts]) -> Iterator[SentencesReading]:
    """For each system the excerpts of a document; marks are words that the gold has not."""
    return segments_readings(_segments(each) for each in kept if each.excerpts)


def _segments(kept: CutExcerpts) -> SegmentPairs:
    pairs = tuple(
        SegmentPair(
            reference=(gold := each.text.replace(MARK, " ")),
            system=each.text,
            words=gold.count(" ") + 1,
            edits=each.cuts,
        )
        for each in kept.excerpts
    )
    return SegmentPairs(
        document=kept.document, system=kept.system, pairs=pairs, tokens="exact", units="words"
    )
