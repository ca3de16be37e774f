"""Cuts: the places at which a huge transcript can be cut, the same in every version.

They are found by words that all versions have near where they should be, and lie where nothing
that is counted lies on both sides (see `blocks`).
"""

from __future__ import annotations

import mmap
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from caesura.core.segmentation import Document, Panel, Segmentation
from caesura.errors import FormatError
from caesura.formats import plain
from caesura.formats._shared.foreign import odd_suffix, signs_of_plain
from caesura.formats.transcripts import Tokens, by_content, by_suffix
from caesura.io.cwd import local
from caesura.io.files import Extract, is_utf8, size_of
from caesura.run.inputs import Case
from caesura.tasks.transcript.blocks import part, spans, straddled
from caesura.tasks.transcript.options import TranscriptOptions

Place = dict[str, int]
VIEWS = (1 << 13, 1 << 16, 1 << 20)
"""Bytes of one version that are looked at for a safe place."""
REACHES = (1 << 13, 1 << 16, 1 << 19, 1 << 22)
"""Bytes around its supposed place in which the same words are looked for in another version."""
SAME = 48
"""The number of words that must be the same."""
TRIED, HEAD, STEP = 500, 1 << 20, 1 << 24
SAMPLES, SAMPLE = 64, 1 << 16
_SLASHES = re.compile(rb"/+")
_UNSPACED = re.compile(
    rb"\xe0[\xb8-\xbf]|\xe1[\x80-\x82\x9e\x9f\xa5-\xaa\xac\xad]|[\xe3-\xe9]"
    rb"|\xea[\xa6\xa7\xa9-\xab]|\xef[\xa4-\xab\xbd\xbe]|\xf0[\xa0-\xbf]"
)
"""How UTF-8 begins the characters of `caesura.core.tokens.UNSPACED`, and some others."""
_HEAD, _TAIL = slice(HEAD), slice(-HEAD, None)


def form_of(path: str, input: str, tokens: Tokens = "words") -> str:
    """The form of a plain text that can be read in the middle; empty for anything else."""
    if input not in {"auto", "lines", "marks", "slashes"} or not is_utf8(path):
        return ""
    if tokens == "characters" or (tokens == "auto" and _has_unspaced(path)):
        return ""
    if input != "auto":
        return input
    head = Extract(path, 0, HEAD).read().decode(errors="replace").removeprefix("\ufeff")
    if by_suffix(path) or by_content(head) or not re.search(r"[^01\s]", head):
        return ""
    return _plain_form(path) if signs_of_plain(path, head) == odd_suffix(path) else ""


def _has_unspaced(path: str) -> bool:
    """Whether a file may have letters of scripts without spaces, of which each is a token."""
    with Path(local(path)).open("rb") as file:
        while block := file.read(STEP):
            if not block.isascii() and _UNSPACED.search(block):
                return True
    return False


def _plain_form(path: str) -> str:
    """What `plain.detect` returns for a text that is not binary, without reading it whole."""
    with Path(local(path)).open("rb") as file, _seen(file) as data:
        if _has_slashes(data):
            return "slashes"
        head, tail = (data[each].decode(errors="ignore") for each in (_HEAD, _TAIL))
        first = len(head[: len(head) - len(head.removeprefix("\ufeff").lstrip())].encode())
        last = len(data) - len(tail[len(tail.rstrip()) :].encode())
        is_lines = any(0 <= _find(data, each, first) < last for each in (b"\n", b"\r"))
    return "lines" if is_lines else "marks"


def _seen(file: BinaryIO) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _has_slashes(data: mmap.mmap) -> bool:
    """Whether slashes separate units somewhere, and are not all part of URLs."""
    at = _find(data, b"//", 0)
    while at >= 0:
        run = _SLASHES.match(data, at)
        stop = run.end() if run else at + 2
        before = data[max(0, at - 4) : at].decode(errors="replace")
        after = data[stop : stop + 4].decode(errors="replace")
        if plain.SLASHES.match(f"{before}//{after}", len(before)):
            return True
        at = _find(data, b"//", stop)
    return False


def _find(data: mmap.mmap, what: bytes, start: int) -> int:
    """Where something is next, or -1; what was looked at is let go, or it would count as held."""
    for begin in range(start - start % STEP, len(data), STEP):
        at = data.find(what, max(start, begin), begin + STEP + len(what) - 1)
        if at >= 0:
            return at
        if sys.platform != "win32":
            data.madvise(mmap.MADV_DONTNEED, begin, min(STEP, len(data) - begin))
    return -1


class Cutter:
    """Finds the places at which a transcript can be cut."""

    def __init__(self, case: Case, forms: Mapping[str, str], task: TranscriptOptions) -> None:
        self.case, self.forms, self.task = case, forms, task
        self.paths = {**case.references, **case.systems}
        self.first = next(iter(self.paths))
        self.ends = {name: size_of(path) for name, path in self.paths.items()}
        self.last = dict.fromkeys(self.paths, 0)
        self.reaches: Sequence[int] = REACHES

    def places(self, size: int) -> Iterator[Place]:
        """The beginning, cuts at about the given distance in bytes, and the end."""
        yield self.last
        end = self.ends[self.first]
        step = max(1, size * end // max(1, sum(self.ends.values())))
        target = step
        while target < end - step // 2:
            found = self._place(target)
            self.reaches = REACHES if found else REACHES[:-1]
            if found:
                self.last = found
                yield found
            target = step + (found[self.first] if found else target)
        yield self.ends

    def _place(self, target: int) -> Place | None:
        for size in VIEWS:
            views = self._views(target, size)
            place = self._safe(views) if views else None
            if place:
                return place
        return None

    def _views(self, target: int, size: int) -> dict[str, _View] | None:
        """What every version has after a place of the first: the same words."""
        ours = self._view(self.first, target, target + size)
        if ours is None:
            return None
        views = {self.first: ours}
        for name in list(self.paths)[1:]:
            found = self._like(ours, name, self._supposed(name, target), size)
            if found is None:
                return None
            views[name] = found
        return _of_one_length(views)

    def _supposed(self, name: str, target: int) -> int:
        """Where a version should be when the first is at a place, as even as they go."""
        here, end = self.last[self.first], self.ends[self.first]
        share = (target - here) / max(1, end - here)
        return self.last[name] + round(share * (self.ends[name] - self.last[name]))

    def _like(self, ours: _View, name: str, middle: int, size: int) -> _View | None:
        for reach in self.reaches:
            view = self._view(name, middle - reach, middle + reach + size)
            found = view.since(ours, reach / (2 * reach + size)) if view else None
            if found:
                return found
        return None

    def _view(self, name: str, start: int, stop: int) -> _View | None:
        extract = Extract(self.paths[name], max(0, start), min(stop, self.ends[name]))
        return _View.from_extract(extract.between_spaces(), self.forms[name], self.task.marks)

    def _safe(self, views: dict[str, _View]) -> Place | None:
        """The first place between the same words where nothing is cut in two."""
        found = {name: view.segmentation for name, view in views.items()}
        panel = Panel(tuple(found[name] for name in self.case.references))
        whole = list(spans([found[name] for name in self.case.systems], panel, self.task))
        places = np.flatnonzero(~straddled(panel.slots("keep"), whole))
        low, high = self._surrounded(panel)
        begins = {name: view.begins() for name, view in views.items()}
        for at in places[(places >= low) & (places < high)][:TRIED].tolist():
            starts = {name: each[at + 1] for name, each in begins.items()}
            if all(views[name].is_clear(start) for name, start in starts.items()):
                return {name: views[name].byte(start) for name, start in starts.items()}
        return None

    def _surrounded(self, panel: Panel) -> tuple[int, int]:
        """Between which words everything can be seen that a cut might split.

        On both sides there is a boundary of the references, whichever is left out, and so the
        nearest window; and the farthest boundaries that could match.
        """
        margin = max(self.task.tolerance, self.task.near)
        low, high = margin, panel.slots("drop") - margin
        several = range(len(panel) if len(panel) > 1 else 0)
        for each in (panel, *(panel.without(index) for index in several)):
            positions = each.positions("drop")
            if not positions.size:
                return 0, 0
            low, high = max(low, int(positions[0])), min(high, int(positions[-1]))
        return low, high


@dataclass(frozen=True, slots=True)
class _View:
    """Some words of a version, from `start` up to `stop`, and where they stand in the file."""

    document: Document
    form: str
    text: str
    byte_start: int
    start: int
    stop: int

    @classmethod
    def from_extract(cls, extract: Extract, form: str, marks: str) -> _View | None:
        """What an extract holds; None if that is not text with words."""
        try:
            text = extract.read().decode().replace("\r\n", " \n").replace("\r", "\n")
            document = plain.parse(text, form, marks=marks)
        except (UnicodeDecodeError, FormatError):
            return None
        return cls(document, form, text, extract.start, 0, document.segmentation.length)

    @property
    def words(self) -> str:
        return self.document.text or ""

    @property
    def segmentation(self) -> Segmentation:
        """The boundaries; that of the last word, which what follows would tell, left out."""
        return part(self.document.segmentation, self.start, self.stop - 1)

    def since(self, other: _View, share: float) -> _View | None:
        """From where on the words are those of another view, nearest to a share of this one."""
        wanted = " " + " ".join(other.words.split(" ", SAME)[:SAME]) + " "
        middle = round(len(self.words) * share)
        found = self.words.find(wanted, middle), self.words.rfind(wanted, 0, middle + len(wanted))
        places = [at for at in found if at >= 0]
        if not places:
            return None
        at = min(places, key=lambda at: abs(at - middle))
        return replace(self, start=self.words.count(" ", 0, at) + 1)

    def shown(self, words: int) -> str:
        """The first words that are seen."""
        return " ".join(self.words.split(" ")[self.start : self.start + words])

    def begins(self) -> list[int]:
        """Where the words begin in the text, with the punctuation before them."""
        text = self.text
        if self.form == "slashes":
            text = plain.SLASHES.sub(lambda run: " " * len(run[0]), text)
        found = list(re.finditer(r"\S+", text))
        is_word = plain.words_by_line("\n".join(each[0] for each in found)) > 0
        chosen = np.flatnonzero(is_word)[self.start : self.stop].tolist()
        return [found[at].start() for at in chosen]

    def is_clear(self, at: int) -> bool:
        """Whether a word begins at a place of the text, right after white space."""
        return at > 0 and self.text[at].isalnum() and self.text[at - 1] in " \n"

    def byte(self, at: int) -> int:
        """Where a place of the text lies in the file."""
        return self.byte_start + len(self.text[:at].encode())


def sampled(path: str, form: str, marks: str) -> tuple[int, int]:
    """The words and units of some parts of a file, evenly spread."""
    words, units, end = 0, 0, size_of(path)
    for start in range(0, end, max(SAMPLE, end // SAMPLES)):
        extract = Extract(path, start, min(start + SAMPLE, end)).between_spaces()
        view = _View.from_extract(extract, form, marks)
        if view:
            words += view.segmentation.slots()
            units += view.segmentation.positions().size
    return words, units


def _of_one_length(views: dict[str, _View]) -> dict[str, _View] | None:
    """The views up to where the shortest ends; None if the words are not the same up to there."""
    length = min(view.stop - view.start for view in views.values())
    if length <= SAME or len({view.shown(length) for view in views.values()}) > 1:
        return None
    return {name: replace(view, stop=view.start + length) for name, view in views.items()}
