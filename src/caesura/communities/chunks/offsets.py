"""Chunks of a text and excerpts that answer questions, by characters: files, values, chunkers.

Chunks are JSON lines. Questions are the CSV of Chroma's chunking evaluation: `question`,
`corpus_id` and `references`, a JSON list of excerpts with `content`, `start_index` and `end_index`.
A chunker, `NAME`, `NAME:SIZE` or `NAME:SIZE:OVERLAP`, in characters, is a built-in one, a
third-party one where it is installed, or a detector.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.marks import one_of
from caesura.core.segmentation import IntArray
from caesura.errors import (
    CaesuraError,
    FormatError,
    SegmentationError,
    UnknownNameError,
    UsageError,
    shortened,
)

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
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    excerpts: dict[str, list[tuple[Excerpt, ...]]] = {}
    limit = csv.field_size_limit(LONGEST_CELL)
    try:
        absent = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if absent:
            raise FormatError(source, f"no column {' or '.join(absent)}", QUESTION_CURE, line=1)
        for row in reader:
            name, line = row["corpus_id"], reader.line_num
            if not name or not row["references"]:
                problem = "a question without a document or excerpts"
                raise FormatError(source, problem, QUESTION_CURE, line=line)
            excerpts.setdefault(name, []).append(_excerpts(row["references"], source, line))
    except csv.Error as problem:
        line = reader.line_num
        raise FormatError(source, f"not CSV: {problem}", QUESTION_CURE, line=line) from None
    finally:
        csv.field_size_limit(limit)
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


_SENTENCE = re.compile(one_of(".?!…") + r"""+["'”’»)\]]*\s+""")
_PARAGRAPH = re.compile(r"(?:\r?\n){2}")


def run_chunker(spec: str, text: str, source: str) -> Chunks:
    """The chunks that a chunker makes of a text.

    >>> run_chunker("fixed:4:1", "abcdefghi", "<text>").starts
    array([0, 3, 6])
    """
    name, size, overlap = _parts(spec)
    if name in OWN or name in OUTSIDE:
        chunker = OWN[name] if name in OWN else _installed(name)
        spans: Iterable[Span] = chunker(text, size, overlap)
    else:
        from caesura.detect.sentences import split_text
        from caesura.detect.third_party import places

        ends = places(text, split_text(spec, text, source)).tolist()  # of a detector's sentences
        spans = pairwise(dict.fromkeys((0, *ends[:-1], len(text))))
    return Chunks.from_spans((s for s in spans if s[0] < s[1]), source)


def check_chunker(spec: str) -> None:
    """Raise an error if a chunker is unknown, is written wrongly, or needs a size."""
    name, size, overlap = _parts(spec)
    if name in OWN or name in OUTSIDE:
        if not size and name not in ("sentences", "paragraphs"):
            raise UsageError(f"the chunker '{name}' needs a size; write {name}:800")
        if overlap and name not in ("fixed", "langchain"):
            raise UsageError(f"the chunker '{name}' has no overlap; write {name}:{size}")
        if name in OUTSIDE:
            _installed(name)
        return
    from caesura.detect.sentences import segmenter

    try:
        segmenter(spec)
    except UnknownNameError:
        raise UnknownNameError("chunker", spec, [*OWN, *OUTSIDE, "best"]) from None


def _parts(spec: str) -> tuple[str, int, int]:
    """The name of a chunker, its size and its overlap; these are 0 of detectors and if absent."""
    name, _, written = spec.partition(":")
    if name not in OWN and name not in OUTSIDE:
        return name, 0, 0
    parts = written.split(":") if written else []
    if len(parts) > 2 or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise UsageError(f"'{spec}' is not a chunker; write NAME:SIZE or NAME:SIZE:OVERLAP")
    size, overlap = [*map(int, parts), 0, 0][:2]
    if parts and (not size or overlap >= size):
        raise UsageError(f"'{spec}': the size must be at least 1, and larger than the overlap")
    return name, size, overlap


def fixed(text: str, size: int, overlap: int) -> Iterator[Span]:
    """Chunks of one size; each begins `overlap` characters before the end of the one before it."""
    last = max(len(text) - overlap, 1)
    return ((start, min(start + size, len(text))) for start in range(0, last, size - overlap))


def sentences(text: str, size: int, _: int) -> Iterator[Span]:
    """Sentences, which end with a mark and white space; with a size, as many as fit into it."""
    return _packed(text, _SENTENCE, size)


def paragraphs(text: str, size: int, _: int) -> Iterator[Span]:
    """Paragraphs, which end with an empty line; with a size, as many as fit into it."""
    return _packed(text, _PARAGRAPH, size)


def _packed(text: str, end: re.Pattern[str], size: int) -> Iterator[Span]:
    """Neighbouring pieces together, up to a size; a longer piece stays whole."""
    start = before = 0
    for stop in (*(match.end() for match in end.finditer(text)), len(text)):
        if before > start and (not size or stop - start > size):
            yield start, before
            start = before
        before = stop
    yield start, before


def _langchain(module: Any, text: str, size: int, overlap: int) -> Iterator[Span]:
    """Chunks of langchain_text_splitters."""
    splitter = module.RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, add_start_index=True
    )
    for chunk in splitter.create_documents([text]):
        start = chunk.metadata["start_index"]
        yield start, start + len(chunk.page_content)


def _semchunk(module: Any, text: str, size: int, _: int) -> Iterator[Span]:
    """Chunks of semchunk."""
    _, offsets = module.chunk(text, size, len, offsets=True)
    return ((start, end) for start, end in offsets)


def _chonkie(module: Any, text: str, size: int, _: int) -> Iterator[Span]:
    """Chunks of chonkie."""
    chunker = module.RecursiveChunker(tokenizer="character", chunk_size=size)
    return ((chunk.start_index, chunk.end_index) for chunk in chunker(text))


Chunker = Callable[[str, int, int], Iterable[Span]]
OWN: dict[str, Chunker] = {"fixed": fixed, "sentences": sentences, "paragraphs": paragraphs}
OUTSIDE: dict[str, tuple[str, Callable[..., Iterable[Span]]]] = {
    "langchain": ("langchain-text-splitters", _langchain),
    "semchunk": ("semchunk", _semchunk),
    "chonkie": ("chonkie", _chonkie),
}
"""Third-party chunkers: the package, and how its module is called."""


def _installed(name: str) -> Chunker:
    package, call = OUTSIDE[name]
    try:
        module = import_module(package.replace("-", "_"))
    except ImportError:
        raise CaesuraError(
            f"the chunker '{name}' is not installed; pip install {package}"
        ) from None
    return partial(call, module)
