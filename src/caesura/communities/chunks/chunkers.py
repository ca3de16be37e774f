"""Chunkers that are run: built-in ones, third-party ones where they are installed, detectors.

A chunker is written `NAME`, `NAME:SIZE` or `NAME:SIZE:OVERLAP`, in characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

from caesura.communities.chunks.offsets import Chunks, Span
from caesura.core.marks import one_of
from caesura.errors import CaesuraError, UnknownNameError, UsageError

_SENTENCE = re.compile(one_of(".?!…") + r"""+["'”’»)\]]*\s+""")
_PARAGRAPH = re.compile(r"(?:\r?\n){2}")


def run(spec: str, text: str, source: str) -> Chunks:
    """The chunks that a chunker makes of a text.

    >>> run("fixed:4:1", "abcdefghi", "<text>").starts
    array([0, 3, 6])
    """
    name, _, written = spec.partition(":")
    if name in OWN or name in OUTSIDE:
        size, overlap = _numbers(spec, written)
        chunker = OWN[name] if name in OWN else _installed(name)
        spans: Iterable[Span] = chunker(text, size, overlap)
    else:
        from caesura.detect.sentences import split_text
        from caesura.detect.third_party import places

        ends = places(text, split_text(spec, text, source)).tolist()  # of a detector's sentences
        spans = pairwise(dict.fromkeys((0, *ends[:-1], len(text))))
    return Chunks.from_spans((s for s in spans if s[0] < s[1]), source)


def check(spec: str) -> None:
    """Raise an error if a chunker is unknown, is written wrongly, or needs a size."""
    name, _, written = spec.partition(":")
    if name in OWN or name in OUTSIDE:
        size, overlap = _numbers(spec, written)
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


def _numbers(spec: str, written: str) -> tuple[int, int]:
    """Size and overlap; 0 if they are not given."""
    parts = written.split(":") if written else []
    if len(parts) > 2 or not all(re.fullmatch(r"[0-9]{1,9}", each) for each in parts):
        raise UsageError(f"'{spec}' is not a chunker; write NAME:SIZE or NAME:SIZE:OVERLAP")
    size, overlap = [*map(int, parts), 0, 0][:2]
    if parts and (not size or overlap >= size):
        raise UsageError(f"'{spec}': the size must be at least 1, and larger than the overlap")
    return size, overlap


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
    splitter = module.RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, add_start_index=True
    )
    for each in splitter.create_documents([text]):
        start = each.metadata["start_index"]
        yield start, start + len(each.page_content)


def _semchunk(module: Any, text: str, size: int, _: int) -> Iterator[Span]:
    _, offsets = module.chunk(text, size, len, offsets=True)
    return ((start, end) for start, end in offsets)


def _chonkie(module: Any, text: str, size: int, _: int) -> Iterator[Span]:
    chunker = module.RecursiveChunker(tokenizer="character", chunk_size=size)
    return ((each.start_index, each.end_index) for each in chunker(text))


Chunker = Callable[[str, int, int], Iterable[Span]]
OWN: dict[str, Chunker] = {"fixed": fixed, "sentences": sentences, "paragraphs": paragraphs}
OUTSIDE: dict[str, tuple[str, str, Callable[..., Iterable[Span]]]] = {
    "langchain": ("langchain_text_splitters", "langchain-text-splitters", _langchain),
    "semchunk": ("semchunk", "semchunk", _semchunk),
    "chonkie": ("chonkie", "chonkie", _chonkie),
}
"""Third-party chunkers: the module, the package, and how it is called."""


def _installed(name: str) -> Chunker:
    place, package, call = OUTSIDE[name]
    try:
        module = import_module(place)
    except ImportError:
        raise CaesuraError(
            f"the chunker '{name}' is not installed; pip install {package}"
        ) from None
    return lambda text, size, overlap: call(module, text, size, overlap)
