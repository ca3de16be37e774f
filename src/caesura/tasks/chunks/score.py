"""Chunks from end to end: those of systems, and of chunkers that are run, against questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from caesura.core.option import OptionValues
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import SourceError, UsageError, option
from caesura.io.cwd import exists, listed
from caesura.io.files import read_text, stem
from caesura.io.urls import is_url, list_url
from caesura.output.tables import Page
from caesura.output.tables.pages import plain_page
from caesura.run.given import Given, Plan, Sides, distinct_sides, named_sides, sources
from caesura.run.inputs import Source, match, not_matched
from caesura.run.naming import default_name
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.chunks import chunkers
from caesura.tasks.chunks.counting import ChunksTask
from caesura.tasks.chunks.data import Chunks, Gold, GoldText, Run
from caesura.tasks.chunks.format import parse_chunks, parse_questions
from caesura.tasks.chunks.values import as_chunks, as_gold

TABLES: dict[View, tuple[str, str]] = {
    "unit": ("excerpts", "Excerpts in chunks"),
    "other": ("chunk_boundaries", "Boundaries of chunks"),
}
"""The tables by view, with id and title."""


def score_chunks(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score systems and chunkers against one gold.

    What a system has of other documents is left out.
    """
    options = ChunksTask.from_given(given)
    runs = [_run(each) for each in options.run]
    if options.documents is None:
        raise UsageError(
            f"chunks are scored on the texts of documents; give their folder with "
            f"{option('documents', '…')}"
        )
    theirs, questions = _golden(sides.gold)
    read_gold = as_gold(questions) if questions else _read_gold(theirs.path, options.encoding)
    gold = _with_texts(read_gold, _texts(options.documents), theirs.path)
    systems, _ = named_sides(sides.systems, None)
    ours = [_parsed(each, gold, options.encoding) for each in _systems(systems, as_chunks)]
    ours += [replace(each, documents=dict.fromkeys(gold, Run(each.path))) for each in runs]
    ours, (theirs,) = distinct_sides(ours, [replace(theirs, documents=gold)])
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


def _run(text: str) -> Source:
    """Take `CHUNKER` or `NAME=CHUNKER`."""
    name, _, spec = text.rpartition("=")
    chunkers.check(spec)
    return Source(name or spec, spec)


def _systems(given: Given, read: Callable[..., Chunks]) -> list[Source]:
    """The systems; files are not looked into yet: their lines name documents themselves."""
    if isinstance(given, Mapping):
        named = [
            [Source(name, fspath(each))]
            if isinstance(each, str | PathLike)
            else sources({name: each}, read)
            for name, each in given.items()
        ]
        return [source for own in named for source in own]
    every = [given] if isinstance(given, str | PathLike) else given
    return [_source(fspath(each)) for each in every]


def _source(text: str) -> Source:
    """Take `PATH` or `NAME=PATH`."""
    name, equals, path = text.partition("=")
    if not equals or is_url(text) or exists(text):
        name, path = "", text
    return Source(name or default_name(path), path, is_named=bool(name))


def _golden(given: object) -> tuple[Source, Any]:
    """The gold under its name, and its questions if they are in memory."""
    if isinstance(given, str | PathLike):
        return _source(fspath(given)), None
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, value),) = given.items()
        if isinstance(value, str | PathLike):
            return Source(name, fspath(value)), None
    return Source("gold", "<gold>"), given


def _texts(path: str) -> dict[str, list[str]]:
    """The paths of the files in a folder by their names without suffix; any files may be there."""
    files = list_url(path) if is_url(path) else listed(path)
    found: dict[str, list[str]] = {}
    for file in [path] if files is None else sorted(files):
        found.setdefault(stem(file), []).append(file)
    return found


def _with_texts(
    gold: Mapping[str, Gold], texts: Mapping[str, list[str]], source: str
) -> dict[str, GoldText]:
    """The gold of each document, with the path of its text."""
    for name in gold:
        paths = texts.get(name, [])
        if len(paths) != 1:
            number = "no text" if not paths else f"{len(paths)} texts"
            cure = f"give one file per document, named {name}.txt or the like"
            raise SourceError(source, f"{number} of the document '{name}'", cure)
    return {name: GoldText(own, texts[name][0]) for name, own in gold.items()}


def _read_gold(path: str, encoding: str | None) -> Mapping[str, Gold]:
    """Questions or, as JSON lines, chunks."""
    text = read_text(path, encoding)
    return (
        parse_chunks(text, path, stem(path))
        if text.lstrip()[:1] == "{"
        else parse_questions(text, path)
    )


def _parsed(source: Source, gold: Mapping[str, object], encoding: str | None) -> Source:
    """A system with the chunks of each document that is scored."""
    if isinstance(source.value, Chunks):
        found = dict.fromkeys(gold, source.value) if len(gold) == 1 else {source.name: source.value}
    else:
        files = {name: [path] for name, path in (source.documents or {}).items()}
        found = {}
        for name, paths in (files or _texts(source.path)).items():
            for path in paths:
                found |= {name: path} if isinstance(path, Chunks) else _read(path, name, encoding)
    kept = {name: own for name, own in found.items() if name in gold}
    if not kept:
        cure = f"name documents as GOLD does: {', '.join([*gold][:5])}"
        raise SourceError(source.path, "chunks of none of the documents", cure)
    return replace(source, documents=kept, value=None)


def _read(path: str, name: str, encoding: str | None) -> dict[str, Chunks]:
    return parse_chunks(read_text(path, encoding), path, name)
