"""Subtitles: blocks of lines, with times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from caesura.core.line_breaks import BLOCK_END, BREAKS, EOB, EOL, LINE_END
from caesura.core.segmentation import Document, IntArray
from caesura.errors import FormatError

_BARE = str.maketrans(LINE_END + BLOCK_END, "  ")
_MARKED = str.maketrans({LINE_END: " \ue000 ", BLOCK_END: " \ue001 "})


@dataclass(frozen=True, slots=True)
class SubtitleBlock:
    """What is on the screen at a time: its lines; `words` precede it, with or without letters."""

    lines: tuple[str, ...]
    words: int


@dataclass(frozen=True)
class Subtitles:
    """The text of subtitles in segments, such as sentences, with its breaks.

    `has_segments` says whether its segments are lines of a file, which those of another may
    correspond to.
    """

    segments: Sequence[str]
    source: str
    has_segments: bool

    @classmethod
    def from_document(cls, document: Document) -> Subtitles:
        """Take the text of a document that was read with its breaks."""
        raw = document.raw if document.written is None else document.written.raw
        if raw is None or not document.form.endswith(BREAKS):
            cure = f"give subtitles as SRT, WebVTT or text with {EOL} and {EOB}"
            raise FormatError(document.source, "no line and block breaks", cure)
        segments = raw.removesuffix("\n").split("\n")
        return cls(segments, document.source, document.form == BREAKS)

    @cached_property
    def bare(self) -> list[str]:
        """The segments without breaks."""
        return [" ".join(each.translate(_BARE).split()) for each in self.segments]

    @property
    def marked(self) -> list[str]:
        """The segments with words for breaks."""
        return [" ".join(each.translate(_MARKED).split()) for each in self.segments]

    @cached_property
    def breaks(self) -> IntArray:
        """The breaks of each segment."""
        found = [each.count(LINE_END) + each.count(BLOCK_END) for each in self.segments]
        return np.array(found, np.int64)

    @cached_property
    def words(self) -> IntArray:
        """The words of each segment: what is between white space."""
        return np.array([len(each.split()) for each in self.bare], np.int64)

    def places(self, length: int) -> IntArray:
        """About where the segments begin on an axis of some words."""
        return placed(np.cumsum(self.words) - self.words, int(self.words.sum()), length)

    @cached_property
    def blocks(self) -> list[SubtitleBlock]:
        """The blocks; where no break ends a segment, its last line goes on in the next."""
        found, words = [], 0
        for text in " ".join(self.segments).split(BLOCK_END):
            lines = (" ".join(line.split()) for line in text.split(LINE_END))
            block = SubtitleBlock(tuple(filter(None, lines)), words)
            if block.lines:
                found.append(block)
                words += sum(len(line.split()) for line in block.lines)
        return found

    def cut_as(self, pieces: Sequence[str]) -> Subtitles:
        """The same text in other segments; breaks go with what is before them."""
        joined = " ".join(self.segments)
        is_text = np.array([not each.isspace() for each in joined], np.bool_)
        sizes = [len("".join(piece.split())) for piece in pieces]
        cuts = np.searchsorted(np.cumsum(is_text), np.cumsum(sizes), side="right").tolist()
        edges = zip([0, *cuts[:-1]], [*cuts[:-1], len(joined)], strict=True)
        segments = [joined[a:b].strip(" ") for a, b in edges]
        return Subtitles(segments, self.source, has_segments=True)


def placed(before: IntArray, total: int, length: int) -> IntArray:
    """Numbers of words on an axis of another length."""
    return np.minimum(before * length // max(1, total), max(0, length - 1))
