"""Documents of the studio: words that never change, as they are shown and as they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from caesura.core.segmentation import NO_BREAK, Document, IntArray, Segmentation, Track
from caesura.errors import FormatError
from caesura.tasks.transcript.report import written

MOST = 2_000_000
"""The most words of a document."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """The words of a document, as written and as compared, their times and speakers.

    Words are separated by spaces; those inside a word are no-break spaces. `digest` is the hash of
    the words as they are compared.
    """

    name: str
    shown: str
    words: str
    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    speakers: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()

    @classmethod
    def from_document(cls, name: str, document: Document, *, as_written: bool = False) -> Pinned:
        """Pin the words of a document; its boundaries are not taken.

        Words are shown without case and punctuation, which would tell where units end, unless they
        are shown `as_written`.
        """
        if document.text is None:
            raise FormatError(document.source, "has boundaries but no words", "give a transcript")
        if document.segmentation.length > MOST:
            problem = f"{document.segmentation.length:,} words"
            raise FormatError(document.source, problem, f"give parts of at most {MOST:,} words")
        track, speaker = document.track, document.track.speaker
        is_timed = track.start is not None and track.end is not None
        start, end = (track.start, track.end) if is_timed else (None, None)
        return cls(
            name,
            " ".join(word.replace(" ", NO_BREAK) for word in written(document))
            if as_written
            else document.text,
            document.text,
            () if start is None else tuple(start.tolist()),
            () if end is None else tuple(end.tolist()),
            () if speaker is None else tuple(speaker.names),
            () if speaker is None else tuple(speaker.codes.tolist()),
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Pinned:
        """Restore what `asdict` returned."""
        listed = ("start", "end", "speakers", "turns")
        found = cls(**{**values, **{name: tuple(values[name]) for name in listed}})
        found._require_whole()
        return found

    def _require_whole(self) -> None:
        sizes = {len(each) for each in (self.start, self.end, self.turns) if each}
        if not self.name or self.shown.count(" ") != self.words.count(" "):
            raise ValueError("words that are not those shown")
        if sizes - {self.length} or bool(self.start) != bool(self.end):
            raise ValueError("not as many times or speakers as words")
        if any(type(at) is not int for at in (*self.start, *self.end, *self.turns)):
            raise ValueError("times or speakers that are no numbers")
        if any(not -1 <= at < len(self.speakers) for at in self.turns):
            raise ValueError("speakers without names")

    @property
    def digest(self) -> str:
        """The hash of the words."""
        return sha256(self.words.encode()).hexdigest()

    @property
    def length(self) -> int:
        """The number of words."""
        return self.words.count(" ") + 1 if self.words else 0

    def document(self, segmentation: Segmentation) -> Document:
        """The words with somebody's boundaries."""
        return Document(segmentation, self.words, "words", self.name)

    def for_detectors(self) -> Document:
        """The words without boundaries, with their times and, if it is shown, punctuation."""
        alone = self.document(Segmentation.from_positions([], self.length))
        track = Track(np.array(self.start, np.int64), np.array(self.end, np.int64))
        raw = None if self.shown == self.words else self.shown
        return replace(alone, raw=raw, track=track if self.start else Track())

    def fitted(self, version: Document) -> Document:
        """A version with other tokens of the same text, such as its characters, on these words.

        A version of another text stays as it is. A boundary inside a word is an error.
        """
        tokens = version.text or ""
        if tokens == self.words or _unspaced(tokens) != _unspaced(self.words):
            return version
        own, segmentation = _ends(self.words), version.segmentation
        places = _ends(tokens)[segmentation.boundaries]
        at = np.searchsorted(own, places)
        inside = np.flatnonzero(own[at] != places)
        if inside.size:
            word = self.words.split(" ")[at[inside[0]]]
            raise FormatError(
                version.source,
                f"a boundary inside of '{word}', a word of {self.name}",
                "move it, or add the document again with characters as its tokens",
            )
        fitted = Segmentation.from_positions(at, self.length, segmentation.marks)
        return replace(self.document(fitted), source=version.source)


def _unspaced(words: str) -> str:
    return words.replace(" ", "")


def _ends(words: str) -> IntArray:
    """How many characters of a text, without spaces, there are up to the end of each word."""
    return np.cumsum([len(word) for word in words.split(" ")])
