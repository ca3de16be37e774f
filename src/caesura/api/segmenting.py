"""Segmenting one transcript: read, detect, write; plain text piece by piece."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np

from caesura.api.conversion import Conversion, Recording
from caesura.core.marks import one_of
from caesura.core.segmentation import Document
from caesura.core.tokens import has_unspaced, joined, tokenized
from caesura.detect import AUTO, BASELINES, Segmenter, is_network
from caesura.detect.detector import HALF, Cut, Detector, Threshold, ends_of, segment
from caesura.detect.sentences import (
    for_text,
    network,
    resolved,
    segmenter,
    split_text,
    unknown_words,
    without_blanks,
)
from caesura.detect.weights import FloatArray
from caesura.errors import FormatError, UsageError, option
from caesura.formats.detection import by_content, by_suffix, signs_of_plain
from caesura.formats.plain import parse, surfaces, words_by_line
from caesura.formats.registry import TIMED
from caesura.formats.script import to_document, to_words
from caesura.formats.transcripts import parse_scripts
from caesura.io.files import (
    BYTE_ORDER_MARKS,
    COMPRESSED,
    byte_order_mark,
    decode,
    read_pieces,
    require_encoding,
)
from caesura.io.paths import is_url

Decision = tuple[str, float, bool]
"""A word as it is written, the probability that a unit ends after it, and whether one does."""
LONGEST = 1 << 20
"""The most characters that can be one word of a stream."""
SENTENCE = ".?!"
"""The marks that end a sentence, which networks do not read."""
_TOLD = ("lines", "slashes", "binary")
_STREAMED = ("auto", "lines", "marks", "slashes")


@dataclass
class Seen:
    """What was seen on the way: words, those the detector does not know, and sentence marks.

    `signs` are those of the document, `taken` the detectors that `auto` took.
    """

    words: int = 0
    unknown: int = 0
    marks: int = 0
    signs: dict[str, int] = field(default_factory=dict)
    taken: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A detector and how it decides; networks say probabilities and take words as they come."""

    run: Segmenter
    network: Detector | None = None
    cut: Cut = HALF
    mean: float | None = None
    probabilities: bool = False
    sees_words: bool = True
    name: str = ""
    seen: Seen = field(default_factory=Seen)

    @classmethod
    def from_name(
        cls, name: str, threshold: float | None, mean: float | None, *, probabilities: bool
    ) -> Job:
        """Load a detector; only networks have probabilities."""
        if is_network(name):
            found = network(name)
            cut = found.cut if threshold is None else Threshold(threshold)
            return cls(found.segment, found, cut, mean, probabilities)
        if threshold is not None or mean is not None or probabilities:
            raise UsageError(
                f"'{name}' gives no probabilities; "
                "drop --threshold, --mean-length and --probabilities"
            )
        is_baseline = name.partition(":")[0] in BASELINES
        return cls(segmenter(name), sees_words=is_baseline, name=name)

    def pieces(self, path: str, conversion: Conversion) -> Iterable[str]:
        """The output in pieces, as soon as they are known."""
        encoding = conversion.encoding
        has_more = conversion.tier or conversion.rate or conversion.units != "auto"
        if not has_more and self._can_stream(path, conversion.to, conversion.input):
            rest = read_pieces(path)
            head = next(rest, b"")
            if conversion.input != "auto" or not self._is_timed(path, head, encoding):
                return self._streamed(path, chain([head], rest), encoding)
            return self._whole(_timed(path, head + b"".join(rest), conversion), conversion)
        return self._whole(conversion.read(path), conversion)

    def _is_timed(self, path: str, head: bytes, encoding: str | None) -> bool:
        """Whether what is streamed is not plain text; an error if it is in no format of ours."""
        used = require_encoding(encoding) or BYTE_ORDER_MARKS.get(byte_order_mark(head), "utf-8")
        text = head.decode(used, "replace").removeprefix("\ufeff")
        if by_content(text):
            return True
        self.seen.signs = signs_of_plain(path, text)
        return False

    def _can_stream(self, path: str, to: str, input: str) -> bool:
        """Plain words into lines, with no need to know all of them first."""
        is_plain = not (is_url(path) or by_suffix(path) or Path(path).suffix in COMPRESSED)
        return (
            self.network is not None
            and self.mean is None
            and to == "lines"
            and input in _STREAMED
            and is_plain
        )

    def _whole(self, recordings: list[Recording], conversion: Conversion) -> Iterator[str]:
        if self.probabilities:
            for each in recordings:
                yield from _table(self._told(each.document))
            return
        if conversion.to == "lines" and not (self.sees_words or self.network):
            documents = [each.document for each in recordings]
            if any(has_unspaced(document.raw or "") for document in documents):
                for document in documents:
                    yield from self._sentences(document.raw or "", document.source)
                return
        done = [Recording(each.name, self._segmented(each.document)) for each in recordings]
        if self.sees_words and conversion.to not in _TOLD:
            done = [replace(each, document=_bare(each.document, conversion.marks)) for each in done]
        yield replace(conversion, units="segments").write(done)

    def _sentences(self, text: str, source: str) -> Iterator[str]:
        """The sentences of a text without spaces, which has no words to put together again."""
        spec = for_text(self.name, text, len(text))
        self.seen.taken |= {spec: None} if spec != self.name else {}
        yield from (f"{each}\n" for each in split_text(spec, text, source))

    def _segmented(self, document: Document) -> Document:
        _require_text(document)
        if self.name.partition(":")[0] == AUTO:
            return self._chosen(document)
        if self.network is None:
            return replace(document, segmentation=self.run(document))
        odds = self._odds(document)
        found = segment(odds, self.cut, mean=self.mean)
        return replace(document, segmentation=found)

    def _chosen(self, document: Document) -> Document:
        """The document as `auto` segments it, which is noted."""
        spec = resolved(self.name, document)
        self.seen.taken[spec] = None
        if is_network(spec):
            self.seen.words += document.segmentation.length
            self.seen.unknown += unknown_words(spec, document)
        return replace(document, segmentation=segmenter(spec)(document))

    def _odds(self, document: Document) -> FloatArray:
        assert self.network is not None
        self.seen.signs |= document.signs
        text = without_blanks(document.raw or "", document.segmentation.length)
        self.seen.marks += len(_final(SENTENCE).findall(text))
        (words,) = self._noted([document.words])
        return self.network.probabilities(words)

    def _noted(self, pieces: Iterable[list[str]]) -> Iterator[list[str]]:
        """The same words, counted on the way."""
        assert self.network is not None
        for words in pieces:
            self.seen.words += len(words)
            self.seen.unknown += self.network.vocabulary.unknown(words)
            yield words

    def _marked(self, texts: Iterable[str]) -> Iterator[str]:
        """The same texts, their marks counted on the way."""
        for text in texts:
            self.seen.marks += len(_final(SENTENCE).findall(text))
            yield text

    def _told(self, document: Document) -> Iterable[Decision]:
        """Each word with its probability, and whether a unit ends."""
        _require_text(document)
        odds = self._odds(document)
        ends = np.zeros(len(odds), np.bool_)
        ends[segment(odds, self.cut, mean=self.mean).boundaries] = True
        return zip(to_words(document).texts, ends_of(odds).tolist(), ends.tolist(), strict=True)

    def _streamed(self, path: str, data: Iterable[bytes], encoding: str | None) -> Iterable[str]:
        decisions = self._decisions(self._marked(_texts(path, data, encoding)), path)
        return _table(decisions) if self.probabilities else _units(decisions)

    def _decisions(self, texts: Iterable[str], path: str) -> Iterator[Decision]:
        """The same for words that come piece by piece."""
        assert self.network is not None
        waiting: list[str] = []
        seen = False
        found = map(ends_of, self.network.stream(self._noted(_words(texts, waiting))))
        for chance, ends in self.cut.decide(found):
            seen = True
            words, waiting[: chance.size] = waiting[: chance.size], []
            yield from zip(words, chance.tolist(), ends.tolist(), strict=True)
        if not seen:
            raise FormatError(path, "no words", "give a file with the words of a transcript")


def _require_text(document: Document) -> None:
    if document.text is None:
        raise FormatError(document.source, "has boundaries but no words", "give the words")


def _bare(document: Document, marks: str) -> Document:
    """A document without the marks that ended its units before, where marks are what ends them."""
    return replace(document, raw=_final(marks).sub("", document.raw or "") or None)


@lru_cache(maxsize=8)
def _final(marks: str) -> re.Pattern[str]:
    """Marks at the end of a word."""
    return re.compile(rf"{one_of(marks)}+(?=[\"'”’»)\]]*(?:\s|$))")


def _texts(path: str, data: Iterable[bytes], encoding: str | None) -> Iterator[str]:
    """A text piece by piece, each of whole words."""
    kept = ""
    for piece, is_end in _decoded(path, data, encoding):
        kept += piece
        _require_words(kept, path)
        cut = len(kept) if is_end else max(kept.rfind(" "), kept.rfind("\n")) + 1
        if cut:
            yield kept[:cut]
            kept = kept[cut:]


def _decoded(path: str, data: Iterable[bytes], encoding: str | None) -> Iterator[tuple[str, bool]]:
    """A text piece by piece, without a byte-order mark, and whether each piece is the last."""
    decoder, has_begun = None, False
    for piece in chain(data, [b""]):
        decoder = decoder or _decoder(path, piece, encoding)
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as problem:
            decode(problem.object, path, problem.encoding)
            raise
        yield (text if has_begun else text.removeprefix("\ufeff")), not piece
        has_begun = has_begun or bool(text)


def _decoder(path: str, head: bytes, encoding: str | None) -> codecs.IncrementalDecoder:
    """What decodes a stream that begins with some bytes, a byte-order mark included."""
    mark = byte_order_mark(head)
    used = require_encoding(encoding) or BYTE_ORDER_MARKS.get(mark, "utf-8")
    name = codecs.lookup(used).name
    if name in ("utf-16", "utf-32") and head and not mark:
        orders = " or ".join(option("encoding", f"{name}-{order}") for order in ("le", "be"))
        raise FormatError(path, f"{name.upper()} without a byte-order mark", f"use {orders}")
    return codecs.getincrementaldecoder(used)()


def _require_words(text: str, path: str) -> None:
    """Raise an error for what cannot be words."""
    if "\0" in text:
        raise FormatError(path, "NUL bytes: not a text file", "give a text of words")
    if len(text) > LONGEST:
        problem = f"over {LONGEST:,} characters without a space or a line feed"
        raise FormatError(path, problem, "give a text of words")


def _words(texts: Iterable[str], waiting: list[str]) -> Iterator[list[str]]:
    """The words as they are compared; as they are written they wait for their turn."""
    for piece in texts:
        text = _without_lead(tokenized(piece), waiting)
        if not words_by_line(text).any():
            continue
        document = parse(text, "slashes" if "//" in text else "lines")
        written, words = surfaces(document.raw or ""), document.words
        waiting += written if len(written) == len(words) else words
        yield words


def _without_lead(text: str, waiting: list[str]) -> str:
    """A text without punctuation that stands alone at its start: the last word gets it."""
    while waiting and (first := text.split(maxsplit=1)) and not words_by_line(first[0]).any():
        waiting[-1] += f" {first[0]}"
        text = first[1] if len(first) > 1 else ""
    return text


def _units(decisions: Iterable[Decision]) -> Iterator[str]:
    unit: list[str] = []
    for word, _, ends in decisions:
        unit.append(word)
        if ends:
            yield joined(unit) + "\n"
            unit = []
    if unit:
        yield joined(unit) + "\n"


def _table(decisions: Iterable[Decision]) -> Iterator[str]:
    """A line for each word; the last ends a unit, whatever its probability."""
    last: Decision | None = None
    for decision in decisions:
        if last is not None:
            yield _row(*last)
        last = decision
    if last is not None:
        yield _row(*last[:2], 1)


def _row(word: str, chance: float, ends: int) -> str:
    return f"{word}\t{chance:.4f}\t{ends:d}\n"


def _timed(path: str, data: bytes, conversion: Conversion) -> list[Recording]:
    """The recordings of what turned out to be a timed format."""
    text = decode(data, path, conversion.encoding)
    form = by_content(text)
    units = TIMED[form].units if conversion.units == "auto" else conversion.units
    return [
        Recording(each.recording, to_document(each, units=units, marks=conversion.marks), each)
        for each in parse_scripts(text, path, form, conversion.of_format)
    ]
