"""Chunks as JSON lines, and questions as CSV.

Questions are those of Chroma's chunking evaluation: `question`, `corpus_id` and `references`, a
JSON list of excerpts with `content`, `start_index` and `end_index`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from caesura.errors import FormatError, shortened
from caesura.tasks.chunks.data import Chunks, Excerpt, Questions, Span

if TYPE_CHECKING:
    from caesura.core.json_values import Json, JsonObject

CHUNK_CURE = 'write a chunk per line: {"document": "a", "start": 0, "end": 800}'
QUESTION_CURE = (
    "write the columns question, corpus_id and references, a JSON list of "
    '{"start_index": 0, "end_index": 80, "content": "…"}'
)
COLUMNS = ("corpus_id", "references")
LARGEST = 1 << 40
"""Beyond all offsets."""
LONGEST = 1 << 30
"""The longest cell of a table."""


def parse_chunks(text: str, source: str = "<chunks>", document: str = "") -> dict[str, Chunks]:
    """The chunks by document; lines that name none are of the one that the file is named after.

    >>> parse_chunks('{"document": "a", "start": 0, "end": 5}')["a"].ends
    array([5])
    """
    spans: dict[str, list[Span]] = {}
    for line, written in _objects(text, source):
        name = written.get("document", document)
        if not isinstance(name, str) or not name:
            raise FormatError(source, "a chunk without a document", CHUNK_CURE, line=line)
        spans.setdefault(name, []).append(_span(written, ("start", "end"), source, line))
    if not spans:
        raise FormatError(source, "no chunks", CHUNK_CURE)
    return {name: Chunks.from_spans(own, source) for name, own in spans.items()}


def _objects(text: str, source: str) -> Iterator[tuple[int, JsonObject]]:
    """The objects of JSON lines with their line numbers; empty lines are passed over."""
    for line, written in enumerate(text.split("\n"), 1):
        if written.strip():
            yield line, _loaded(written, dict, source, line, CHUNK_CURE)


def parse_questions(text: str, source: str = "<questions>") -> dict[str, Questions]:
    """The questions about each document, by its name."""
    before = csv.field_size_limit(LONGEST)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        return _questions(reader, source)
    except csv.Error as problem:
        raise FormatError(
            source, f"not CSV: {problem}", QUESTION_CURE, line=reader.line_num
        ) from None
    finally:
        csv.field_size_limit(before)


def _questions(reader: csv.DictReader[str], source: str) -> dict[str, Questions]:
    absent = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if absent:
        raise FormatError(source, f"no column {' or '.join(absent)}", QUESTION_CURE, line=1)
    found: dict[str, list[tuple[Excerpt, ...]]] = {}
    for row in reader:
        name, line = row["corpus_id"], reader.line_num
        if not name or not row["references"]:
            raise FormatError(
                source, "a question without a document or excerpts", QUESTION_CURE, line=line
            )
        found.setdefault(name, []).append(as_excerpts(row["references"], source, line))
    if not found:
        raise FormatError(source, "no questions", QUESTION_CURE)
    return {name: Questions(tuple(own), source) for name, own in found.items()}


def as_excerpts(written: Json, source: str, line: int) -> tuple[Excerpt, ...]:
    """The excerpts of a question, at least one."""
    listed = (
        _loaded(written, list, source, line, QUESTION_CURE) if isinstance(written, str) else written
    )
    if not listed:
        problem = "a question without excerpts"
        raise FormatError(source, problem, "remove it: no chunk can answer it", line=line)
    return tuple(_excerpt(each, source, line) for each in listed)


def _excerpt(written: object, source: str, line: int) -> Excerpt:
    if not isinstance(written, dict):
        raise FormatError(
            source, f"'{shortened(str(written))}' is not an excerpt", QUESTION_CURE, line=line
        )
    keys = ("start_index", "end_index") if "start_index" in written else ("start", "end")
    content = written.get("content")
    start, end = _span(written, keys, source, line, QUESTION_CURE)
    return Excerpt(start, end, content if isinstance(content, str) else None, line)


def _loaded(written: str, kind: type, source: str, line: int, cure: str) -> Any:
    """A value of JSON, of a kind."""
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise FormatError(source, f"not JSON: '{shortened(written)}'", cure, line=line)
    return value


def _span(
    written: JsonObject, keys: tuple[str, str], source: str, line: int, cure: str = CHUNK_CURE
) -> Span:
    """Two offsets, the second beyond the first."""
    start, end = (written.get(key) for key in keys)
    if type(start) is not int or type(end) is not int:
        problem = f"{keys[0]} and {keys[1]} are not two whole numbers"
        raise FormatError(source, problem, cure, line=line)
    if not 0 <= start < end < LARGEST:
        problem = f"from {start} to {end}: it ends before it begins, or is empty or huge"
        raise FormatError(
            source, problem, "count characters from 0; the end is exclusive", line=line
        )
    return start, end
