"""Chunks of a text and excerpts that answer questions, by characters; their files and values.

Chunks are JSON lines. Questions are the CSV of Chroma's chunking evaluation: `question`,
`corpus_id` and `references`, a JSON list of excerpts with `content`, `start_index` and `end_index`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, SegmentationError, shortened

if TYPE_CHECKING:
    from caesura.core.json_values import Json, JsonObject

Span = tuple[int, int]
CHUNK_CURE = 'write a chunk per line: {"document": "a", "start": 0, "end": 800}'
QUESTION_CURE = (
    "write the columns question, corpus_id and references, a JSON list of "
    '{"start_index": 0, "end_index": 80, "content": "…"}'
)
GIVE = "give pairs of a start and an end, in characters, or a path"
GIVE_GOLD = "give a path, or for each document a list of questions: lists of excerpts {start, end}"
COLUMNS = ("corpus_id", "references")
LARGEST = 1 << 40
"""Beyond all offsets."""
LONGEST_CELL = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """Where chunks of a text begin and end, in order of their starts; they may overlap."""

    starts: IntArray
    ends: IntArray
    source: str = "<chunks>"

    @classmethod
    def from_spans(cls, spans: Iterable[Span], source: str = "<chunks>") -> Chunks:
        """Sort spans, given in any order."""
        places = np.array(sorted(spans), np.int64).reshape(-1, 2)
        return cls(places[:, 0], places[:, 1], source)

    def __len__(self) -> int:
        return self.starts.size


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that answers a question: its place and, if it is given, its text and its line."""

    start: int
    end: int
    content: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """The questions about one document, each with its excerpts."""

    excerpts: tuple[tuple[Excerpt, ...], ...]
    source: str = "<questions>"

    def __len__(self) -> int:
        return sum(map(len, self.excerpts))

    @property
    def columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """For each excerpt the index of its question, its start and its end."""
        rows = [(at, e.start, e.end) for at, own in enumerate(self.excerpts) for e in own]
        question, starts, ends = np.array(rows, np.int64).reshape(-1, 3).T
        return question, starts, ends


Gold = Questions | Chunks
"""What chunks are scored against: excerpts of questions, or the chunks of a person."""


def parse_chunks(text: str, source: str = "<chunks>", document: str = "") -> dict[str, Chunks]:
    """The chunks by document; lines that name none are of the one that the file is named after.

    >>> parse_chunks('{"document": "a", "start": 0, "end": 5}')["a"].ends
    array([5])
    """
    spans: dict[str, list[Span]] = {}
    for line, written in enumerate(text.split("\n"), 1):
        if written.strip():
            chunk = _loaded(written, dict, source, line, CHUNK_CURE)
            name = chunk.get("document", document)
            if not isinstance(name, str) or not name:
                raise FormatError(source, "a chunk without a document", CHUNK_CURE, line=line)
            span = _span(chunk, ("start", "end"), source, line, CHUNK_CURE)
            spans.setdefault(name, []).append(span)
    if not spans:
        raise FormatError(source, "no chunks", CHUNK_CURE)
    return {name: Chunks.from_spans(own, source) for name, own in spans.items()}


def parse_questions(text: str, source: str = "<questions>") -> dict[str, Questions]:
    """The questions about each document, by its name."""
    limit = csv.field_size_limit(LONGEST_CELL)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        return _questions(reader, source)
    except csv.Error as problem:
        raise FormatError(
            source, f"not CSV: {problem}", QUESTION_CURE, line=reader.line_num
        ) from None
    finally:
        csv.field_size_limit(limit)


def _questions(reader: csv.DictReader[str], source: str) -> dict[str, Questions]:
    absent = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if absent:
        raise FormatError(source, f"no column {' or '.join(absent)}", QUESTION_CURE, line=1)
    excerpts: dict[str, list[tuple[Excerpt, ...]]] = {}
    for row in reader:
        name, line = row["corpus_id"], reader.line_num
        if not name or not row["references"]:
            problem = "a question without a document or excerpts"
            raise FormatError(source, problem, QUESTION_CURE, line=line)
        excerpts.setdefault(name, []).append(_excerpts(row["references"], source, line))
    if not excerpts:
        raise FormatError(source, "no questions", QUESTION_CURE)
    return {name: Questions(tuple(own), source) for name, own in excerpts.items()}


def _excerpts(written: Json, source: str, line: int) -> tuple[Excerpt, ...]:
    """The excerpts of a question, at least one."""
    if isinstance(written, str):
        written = _loaded(written, list, source, line, QUESTION_CURE)
    if not written:
        problem = "a question without excerpts"
        raise FormatError(source, problem, "remove it: no chunk can answer it", line=line)
    excerpts = []
    for each in written:
        if not isinstance(each, dict):
            problem = f"'{shortened(str(each))}' is not an excerpt"
            raise FormatError(source, problem, QUESTION_CURE, line=line)
        keys = ("start_index", "end_index") if "start_index" in each else ("start", "end")
        start, end = _span(each, keys, source, line, QUESTION_CURE)
        content = each.get("content")
        excerpts.append(Excerpt(start, end, content if isinstance(content, str) else None, line))
    return tuple(excerpts)


def _loaded(written: str, kind: type, source: str, line: int, cure: str) -> Any:
    """A value of JSON, of a kind."""
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise FormatError(source, f"not JSON: '{shortened(written)}'", cure, line=line)
    return value


def _span(written: JsonObject, keys: tuple[str, str], source: str, line: int, cure: str) -> Span:
    """Two offsets, the second beyond the first."""
    start, end = (written.get(key) for key in keys)
    if type(start) is not int or type(end) is not int:
        problem = f"{keys[0]} and {keys[1]} are not two whole numbers"
        raise FormatError(source, problem, cure, line=line)
    if not 0 <= start < end < LARGEST:
        problem = f"from {start} to {end}: it ends before it begins, or is empty or huge"
        cure = "count characters from 0; the end is exclusive"
        raise FormatError(source, problem, cure, line=line)
    return start, end


def as_chunks(value: object, *, source: str = "<chunks>") -> Chunks:
    """Convert a list of pairs to the chunks of one document.

    >>> as_chunks([(0, 5), (5, 9)]).ends
    array([5, 9])
    """
    if isinstance(value, Chunks):
        return value
    listed: Any = value.tolist() if hasattr(value, "tolist") else value
    try:
        spans = [(start, end) for start, end in listed]
    except (TypeError, ValueError):
        raise SegmentationError(f"{source}: {value!r} is not chunks; {GIVE}") from None
    for start, end in spans:
        if type(start) is not int or type(end) is not int or not 0 <= start < end < LARGEST:
            raise SegmentationError(f"{source}: ({start!r}, {end!r}) is no chunk; {GIVE}")
    return Chunks.from_spans(spans, source)


def as_questions(value: object) -> dict[str, Gold]:
    """Convert questions by document, each a list of excerpts, to what chunks are scored against."""
    if not isinstance(value, Mapping) or not value:
        raise SegmentationError(f"<gold>: {value!r} is not questions; {GIVE_GOLD}")
    return {
        name: Questions(
            tuple(_excerpts(each, f"<gold>/{name}", number) for number, each in enumerate(own))
        )
        for name, own in value.items()
    }
