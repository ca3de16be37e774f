"""Paired texts: what tasks have in common that align a system's text with a gold text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.errors import CaesuraError, option
from caesura.formats.text_file import File, TextFile
from caesura.io.files import size_of
from caesura.measures.joint import AlignedTexts, JointCounts
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.options import AlignedOptions
from caesura.tasks._aligned_text.parts import (
    Further,
    TextPart,
    TextPartCounts,
    count_part,
    merge,
    plan,
    replan,
)
from caesura.tasks._aligned_text.passages import Form, Passage, is_plain

SHOWN = 40
SENTENCES = 10
MOST = 1000
HEAD = 1 << 12
Found = Iterator[tuple[str, int, Counts]]
"""What is counted of a pair: the measure, the block, the counts."""


class DifferentTextsError(CaesuraError):
    """Two texts of which less than half can be aligned."""

    def __init__(self, system: Text, gold: Text, share: float) -> None:
        beginnings = [" ".join(text.tokens(0, 8))[:SHOWN] for text in (system, gold)]
        super().__init__(
            f"{system.source}: only {share:.0%} of the characters can be aligned with "
            f"{gold.source}: this one begins “{beginnings[0]}”, that one “{beginnings[1]}”; "
            f"check that they are the same text, or use {option('force')}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTexts(AlignedOptions, Generic[File]):
    """A task whose documents are a system's text and a gold text.

    `blocks` changes no number: the counts are those of parts of each text, which add up to it.
    `HUGE` says from how many bytes on files of each form are counted in parts.
    """

    HUGE: ClassVar[dict[str, int]] = {}

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self.counted(case, None)

    def counted(self, case: Case, errors: dict[str, Any] | None) -> list[Row]:
        """The same; `errors` gets those of each system, if it is given."""
        ((name, path),) = case.references.items()
        gold = self.read(path)
        rows = [Row(name, case.document, "source", None, source(gold))]
        for system, place in case.systems.items():
            file = self.read(place)
            read = source(file, self.noticed(file, gold))
            rows.append(Row(system, case.document, "source", None, read))
            alignment = None
            if self.is_aligned or errors is not None:
                alignment = AlignedTexts.from_texts(file.text, gold.text)
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self.count_pair(
                    file, gold, alignment if self.is_aligned else None
                )
            ]
            if errors is not None and alignment is not None:
                errors[system] = self.errors_of(system, case.document, alignment, (file, gold))
        return self.scored(rows)

    @property
    def is_aligned(self) -> bool:
        """Whether counting needs texts that are aligned."""
        return True

    @property
    def is_whole(self) -> bool:
        """Whether texts must not be counted in parts."""
        return self.blocks or self.encoding is not None

    def read(self, version: object) -> File:
        """Read a text, unless it is in memory."""
        raise NotImplementedError

    def form(self, path: str) -> Form[File]:
        """How a file is read in parts."""
        raise NotImplementedError

    def form_name(self, path: str) -> str:
        """The form of a file."""
        raise NotImplementedError

    def noticed(self, system: File, gold: File) -> dict[str, int]:  # noqa: ARG002
        """What is noticed of a system's text beside the gold one."""
        return {}

    def guess(self, path: str) -> dict[str, int]:
        """What is noticed of a file by its name."""
        raise NotImplementedError

    def count_pair(self, system: File, gold: File, alignment: AlignedTexts | None) -> Found:
        """Count one system's text against gold."""
        raise NotImplementedError

    def errors_of(
        self,
        system: str,
        document: str,
        alignment: AlignedTexts,
        files: tuple[File, File],
    ) -> tuple[object, ...]:
        """What is wrong in a document."""
        raise NotImplementedError

    def scored(self, rows: list[Row]) -> list[Row]:
        """The rows of what is scored."""
        return rows

    @property
    def further(self) -> Further[File] | None:
        """What is counted of a part besides tokens and sentences, and not by them."""
        return None

    def plan(self, case: Case, size: int | None = None) -> list[TextPart]:
        """The parts of each huge pair of files; none if they are counted whole.

        Only plain files can be read in the middle; blocks need the whole.
        """
        least = min(self.HUGE.values())
        if (case.weight if size is None else size) < 2 * least:
            return []
        paths = case.files
        own = min(map(size_of, paths), default=0)
        is_whole = not case.is_on_disk or self.is_whole
        if is_whole or own < least or not all(map(is_plain, paths)):
            return []
        if own < min(self.HUGE.get(self.form_name(path), own + 1) for path in paths):
            return []
        pairs = [replace(case, systems={name: path}) for name, path in case.systems.items()]
        return [part for pair in pairs for part in plan(pair, self.forms(pair))]

    def forms(self, case: Case) -> tuple[Form[File], Form[File]]:
        """How both files are read."""
        (system,), (gold,) = case.systems.values(), case.references.values()
        return self.form(system), self.form(gold)

    def count_part(self, part: TextPart) -> TextPartCounts:
        """Count one part."""
        return count_part(part, self.forms(part.case), self.further)

    def replan(
        self, parts: Sequence[TextPart], counted: Sequence[TextPartCounts]
    ) -> list[TextPart]:
        """The parts, joined where one cannot stand alone; the last difference closed."""
        pairs = _by_system(parts, counted).values()
        return [part for pair in pairs for part in replan(*pair)]

    def merge(self, parts: Sequence[TextPart], counted: Sequence[TextPartCounts]) -> list[Row]:
        """The rows of a document whose parts were counted."""
        case = parts[0].case
        ((gold, place),) = case.references.items()
        rows: list[Row] = []
        for system, (own, each) in _by_system(parts, counted).items():
            counts: Mapping[str, Any] = merge(each)
            joint: JointCounts = counts["joint"]
            paths = own[0].case.systems[system], place
            ours, theirs = (
                Passage.from_range(path, 0, HEAD, self.form(path)).text for path in paths
            )
            self.require_one_text(ours, theirs, joint)
            signs = self._signs(paths, each)
            size = joint.token_gold, joint.sentence_gold
            read = SourceCounts(1, *size, (theirs.form,), signs[1])
            rows += [] if rows else [Row(gold, case.document, "source", None, read)]
            size = joint.token_system, joint.sentence_system
            read = SourceCounts(1, *size, (ours.form,), signs[0])
            rows.append(Row(system, case.document, "source", None, read))
            rows += [Row(system, case.document, name, gold, each) for name, each in counts.items()]
        return self.scored(rows)

    def _signs(
        self, paths: tuple[str, str], counted: Sequence[TextPartCounts]
    ) -> tuple[dict[str, int], ...]:
        """What was noticed of both files, given their parts."""
        sides = zip(*(each.signs for each in counted), strict=True)
        return tuple(
            self.guess(path) | sum((Counter(signs) for signs in side), Counter())
            for path, side in zip(paths, sides, strict=True)
        )

    def require_one_text(self, system: Text, gold: Text, counts: JointCounts) -> None:
        """Raise an error if two texts seem unrelated."""
        aligned = not self.is_aligned or self.force or counts.aligned_share >= 0.5
        if system.stream and gold.stream and not aligned:
            raise DifferentTextsError(system, gold, counts.aligned_share)


def _by_system(
    parts: Sequence[TextPart], counted: Sequence[TextPartCounts]
) -> dict[str, tuple[list[TextPart], list[TextPartCounts]]]:
    """The parts of each system, and what was counted of them."""
    found: dict[str, tuple[list[TextPart], list[TextPartCounts]]] = {}
    for part, each in zip(parts, counted, strict=True):
        (system,) = part.case.systems
        parts, counts = found.setdefault(system, ([], []))
        parts.append(part)
        counts.append(each)
    return found


def source(file: TextFile, noticed: Mapping[str, int] | None = None) -> SourceCounts:
    """What was read of a text, and noticed of it."""
    text = file.text
    size = text.token_ends.size, text.sentence_ends.size + text.signs.get("empty_trees", 0)
    return SourceCounts(1, *size, (text.form,), {**text.signs, **(noticed or {})})


def block_ends(alignment: AlignedTexts, sentences: int = SENTENCES) -> IntArray:
    """Sync points of sentences that are some gold sentences apart, 1,000 blocks at most.

    From one to the next there are gold sentences; the first point is the beginning, the last the
    end.
    """
    gold = alignment.sentences.gold
    size = int(gold[-1])
    number = min(MOST, max(1, round(size / sentences)))
    step = np.round(gold * number / max(1, size)).astype(np.int64)
    first = np.searchsorted(step, np.arange(1, number))
    inner = np.unique(first[(gold[first] > 0) & (gold[first] < size)])
    inner = inner[np.diff(gold[inner], prepend=0) > 0]
    return np.concatenate(([0], inner, [gold.size - 1]))
