"""Documents: words that never change, as they are shown and as they are compared; and names.

Names of people and documents can also name files and columns, each only once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from caesura.core.segmentation import NO_BREAK, Document, IntArray, Segmentation, Track
from caesura.errors import FormatError, UsageError, shortened
from caesura.tasks.transcript.report import written

MOST = 2_000_000
"""The most words of a document."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """The words of a document, as written and as compared, their times and speakers.

    Words are separated by spaces; those inside a word are no-break spaces. Words from the first to
    the last of one of the `cues` share its time: theirs are interpolated. `digest` is the hash of
    the words as they are compared.
    """

    name: str
    shown: str
    words: str
    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    cues: tuple[tuple[int, int], ...] = ()
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
            _cues(track) if is_timed else (),
            () if speaker is None else tuple(speaker.names),
            () if speaker is None else tuple(speaker.codes.tolist()),
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Pinned:
        """Restore what `asdict` returned."""
        listed = ("start", "end", "speakers", "turns")
        cues = tuple((int(first), int(last)) for first, last in values["cues"])
        pinned = cls(**{**values, "cues": cues, **{name: tuple(values[name]) for name in listed}})
        pinned._require_whole()
        return pinned

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
        ends = [at for cue in self.cues for at in cue]
        if ends != sorted(ends) or any(not 0 <= at < len(self.start) for at in ends):
            raise ValueError("cues that are not in order")

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

    def heard(self) -> tuple[list[int], list[int]]:
        """When each word begins and ends, as far as that is known: words of a cue, as the cue."""
        start, end = list(self.start), list(self.end)
        for first, last in self.cues:
            words = range(first, last + 1)
            start[first : last + 1] = [self.start[first] for _ in words]
            end[first : last + 1] = [self.end[last] for _ in words]
        return start, end

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


def _cues(track: Track) -> tuple[tuple[int, int], ...]:
    """The first and the last word of each stretch of words that share the time of a cue.

    Of words that their file calls interpolated, which are pieces of their own, a cue ends where the
    next does not follow at once.
    """
    if track.interpolated is None or track.piece is None or track.start is None:
        return ()
    shared, piece = track.interpolated, track.piece
    assert track.end is not None
    alone = np.bincount(piece)[piece] == 1
    follows = (piece[1:] == piece[:-1]) | (
        alone[1:] & alone[:-1] & (track.start[1:] == track.end[:-1])
    )
    goes_on = shared[1:] & shared[:-1] & follows
    first = np.flatnonzero(shared & ~np.append(False, goes_on))
    last = np.flatnonzero(shared & ~np.append(goes_on, False))
    return tuple(zip(first.tolist(), last.tolist(), strict=True))


def _unspaced(words: str) -> str:
    return words.replace(" ", "")


def _ends(words: str) -> IntArray:
    """How many characters of a text, without spaces, there are up to the end of each word."""
    return np.cumsum([len(word) for word in words.split(" ")])


LONGEST = 64
RESERVED = frozenset({"adjudicated", "aside", "guidelines", "log", "partial", "statement"})
"""What an export calls its own files and folders."""
_SUFFIXES = (".jsonl", ".json", ".md", ".txt", ".csv", ".tsv", ".zip")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
"""What is no file on Windows."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters without a glyph (Default_Ignorable_Code_Point, and the empty Braille pattern)."""


@lru_cache(4096)
def plain_name(name: str) -> str:
    """A name in NFC, without characters that nobody sees."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", name)).split())


def name_key(name: str) -> str:
    """What names have in common that would name the same file on some system.

    >>> name_key("Chloé") == name_key("CHLOE" + chr(0x301)) == name_key("Chloé. ")
    True
    """
    return unicodedata.normalize("NFC", plain_name(name).casefold()).rstrip(". ")


def checked_name(name: str) -> str:
    """A valid name of a document or a person, in NFC."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    is_plain = name.isprintable() and not set(name) & set('/\\:*?"<>|')
    if not name or len(name) > LONGEST or not is_plain or _INVISIBLE.search(name):
        raise UsageError(
            f"'{shortened(name)}' cannot be a name; use up to {LONGEST} letters, digits and spaces"
        )
    if name.startswith((".", "-")) or name.endswith("."):
        raise UsageError(f"a name may not begin with '.' or '-', or end with '.': '{name}'")
    return name


def require_no_file(name: str) -> None:
    """Raise an error if a person's name is that of a file or a folder of an export."""
    key = name_key(name)
    is_file = key.endswith(_SUFFIXES) or key in RESERVED or _DEVICES.fullmatch(key)
    if is_file:
        raise UsageError(f"'{name}' is what an export calls one of its files; choose another name")


def file_names(names: Sequence[str]) -> dict[str, str]:
    """Names of files for documents, whose own may have slashes; no two are the same.

    >>> file_names(["a", "../a", "b/c", "b?c", "A.", "con"])
    {'a': 'a', '../a': '_._a', 'b/c': 'b_c', 'b?c': 'b_c-2', 'A.': 'A-2', 'con': '_con'}
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        plain = re.sub(r'^\.|[/\\:*?"<>|]|[^\x20-\U0010ffff]', "_", _INVISIBLE.sub("", name))
        plain = (
            unicodedata.normalize("NFC", plain).encode()[:200].decode(errors="ignore").rstrip(". ")
        )
        plain = f"_{plain}" if not plain or _DEVICES.fullmatch(plain.casefold()) else plain
        at, own = 1, plain
        while name_key(own) in used:
            at += 1
            own = f"{plain}-{at}"
        used.add(name_key(own))
        found[name] = own
    return found
