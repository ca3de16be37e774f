"""Text: tokens and sentences against gold, jointly, and the treebank where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from caesura.align.characters import Runs
from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.treebank import AnnotatedText
from caesura.errors import CaesuraError, option
from caesura.formats import TextFile, TextOptions, parse_text, read_tokens, text_form, text_guess
from caesura.formats.equivalences import load
from caesura.io.files import size_of
from caesura.measures.joint import AlignedTexts, Blocks, Joint, JointCounts
from caesura.measures.treebank import Treebank
from caesura.run.cases import Case
from caesura.tasks.passages import Form, Passage, is_plain
from caesura.tasks.text_parts import TextPart, TextPartCounts, count_part, merge, plan, replan

MERGE = " ~~~ "
SHOWN = 40
AROUND = 6
SENTENCES = 10
MOST = 1000
HUGE = {"tokens": 2 << 20, "conllu": 16 << 20}
HEAD = 1 << 12


class DifferentTextsError(CaesuraError):
    """Two texts of which less than half can be aligned."""

    def __init__(self, system: Text, gold: Text, share: float) -> None:
        beginnings = [" ".join(text.tokens(0, 8))[:SHOWN] for text in (system, gold)]
        super().__init__(
            f"{system.source}: only {share:.0%} of the characters can be aligned with "
            f"{gold.source}: this one begins “{beginnings[0]}”, that one “{beginnings[1]}”; "
            f"check that they are the same text, or use {option('force')}"
        )


@dataclass(frozen=True, slots=True)
class Error:
    """A block that is not right, on both sides, and the gold tokens before and after a token's."""

    unit: str
    document: str
    system_place: str
    gold_place: str
    system: str
    gold: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextErrors:
    """Every block of a document that is not right, by system."""

    document: str
    errors: dict[str, tuple[Error, ...]]
    kind: Literal["errors"] = "errors"


@dataclass(frozen=True, slots=True)
class TextTask:
    """How text is read and scored; every option that can change a number.

    `blocks` changes none: the counts are those of parts of each text, which add up to it.
    `sentences_only` are the systems whose tokens mean nothing.
    """

    units: str = "tokens"
    equivalences: str = "quotes"
    algorithm: Literal["blocks", "literal"] = "blocks"
    normalize: str | None = None
    input: str = "auto"
    encoding: str | None = None
    force: bool = False
    sentences_only: tuple[str, ...] = ()
    blocks: bool = False

    def signature(
        self,
        command: str,  # noqa: ARG002
        forms: Sequence[str],
        references: int,  # noqa: ARG002
        documents: int,
    ) -> dict[str, object]:
        """Every option that can change a score."""
        return {
            "units": self.units,
            "equivalences": self.equivalences,
            "algorithm": self.algorithm,
            "normalize": self.normalize or "none",
            "input": "+".join(forms),
            "docs": documents,
        }

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[TextErrors]]:
        """The same, and every block that is not right."""
        errors: dict[str, tuple[Error, ...]] = {}
        rows = self._count(case, errors)
        return rows, [TextErrors(document=case.document, errors=errors)]

    def _count(self, case: Case, errors: dict[str, tuple[Error, ...]] | None) -> list[Row]:
        ((name, path),) = case.references.items()
        gold = self._read(path)
        rows = [Row(name, case.document, "source", None, _source(gold))]
        for system, place in case.systems.items():
            file = self._read(place)
            rows.append(Row(system, case.document, "source", None, _source(file)))
            is_needed = self.algorithm == "blocks" or errors is not None
            alignment = AlignedTexts.from_texts(file.text, gold.text) if is_needed else None
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self._counted(
                    file, gold, None if self.algorithm == "literal" else alignment
                )
            ]
            if errors is not None and alignment is not None:
                found = _errors(alignment, case.document)
                is_kept = system not in self.sentences_only
                errors[system] = tuple(each for each in found if is_kept or each.unit != "token")
        return self._scored(rows)

    def _scored(self, rows: list[Row]) -> list[Row]:
        """The rows without the tokens of systems that place sentences only."""
        return [
            replace(row, counts=row.counts.without_tokens())
            if row.system in self.sentences_only and isinstance(row.counts, JointCounts)
            else row
            for row in rows
        ]

    def _counted(
        self, system: TextFile, gold: TextFile, alignment: AlignedTexts | None
    ) -> Iterator[tuple[str, int, Counts]]:
        """The counts of each measure, of the whole or of blocks that add up to it."""
        if not self.blocks or alignment is None:
            for measure, counts in self._count_pair(system, gold, alignment).items():
                yield measure, 0, counts
            return
        points = block_ends(alignment)
        parts = alignment.parts(points)
        self._require_one_text(system.text, gold.text, sum(parts, JointCounts.zero()))
        ours, theirs = alignment.sentences.system[points], alignment.sentences.gold[points]
        ends = theirs[1:].tolist()
        yield from (("joint", end, part) for end, part in zip(ends, parts, strict=True))
        if system.treebank is not None and gold.treebank is not None:
            runs = _surface_runs(system.treebank, gold.treebank, alignment)
            trees = Treebank().count_parts(system.treebank, gold.treebank, runs, ours, theirs)
            yield from (("treebank", end, part) for end, part in zip(ends, trees, strict=True))

    def _count_pair(
        self, system: TextFile, gold: TextFile, alignment: AlignedTexts | None
    ) -> Mapping[str, Counts]:
        """Count one system's text against gold, and its treebank if both have one."""
        measure = Joint(self.algorithm, self.equivalences, self.normalize or "none")
        joint = alignment.counts if alignment else measure.count(system.text, gold.text)
        self._require_one_text(system.text, gold.text, joint)
        if system.treebank is None or gold.treebank is None:
            return {"joint": joint}
        runs = _surface_runs(system.treebank, gold.treebank, alignment)
        treebank = Treebank().count(system.treebank, gold.treebank, runs)
        return {"joint": joint, "treebank": treebank}

    def plan(self, case: Case, size: int | None = None) -> list[TextPart]:
        """The parts of each huge pair of files; none if they are counted whole.

        Only plain files can be read in the middle; blocks and Algorithm 3 need the whole.
        """
        least = min(HUGE.values())
        if (case.weight if size is None else size) < 2 * least:
            return []
        paths = case.files
        is_whole = (
            not case.is_on_disk
            or self.blocks
            or self.algorithm == "literal"
            or self.encoding is not None
        )
        own = min(map(size_of, paths), default=0)
        if is_whole or own < least or not all(map(is_plain, paths)):
            return []
        if own < min(HUGE.get(self._form_name(path), own + 1) for path in paths):
            return []
        pairs = [replace(case, systems={name: path}) for name, path in case.systems.items()]
        return [part for pair in pairs for part in plan(pair, self._forms(pair))]

    def _forms(self, case: Case) -> tuple[Form, Form]:
        (system,), (gold,) = case.systems.values(), case.references.values()
        return self._form(system), self._form(gold)

    def _form(self, path: str) -> Form:
        name = self._form_name(path)
        return Form.from_name(name, partial(parse_text, form=name, options=self.reading))

    def _form_name(self, path: str) -> str:
        return text_form(path) if self.input == "auto" else self.input

    def count_part(self, part: TextPart) -> TextPartCounts:
        """Count one part."""
        return count_part(part, self._forms(part.case))

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
            ours, theirs = (
                Passage.from_range(path, 0, HEAD, self._form(path)).text
                for path in (own[0].case.systems[system], place)
            )
            self._require_one_text(ours, theirs, joint)
            signs = self._signs(own[0].case.systems[system], place, each)
            size = joint.token_gold, joint.sentence_gold
            read = SourceCounts(1, *size, (theirs.form,), signs[1])
            rows += [] if rows else [Row(gold, case.document, "source", None, read)]
            size = joint.token_system, joint.sentence_system
            read = SourceCounts(1, *size, (ours.form,), signs[0])
            rows.append(Row(system, case.document, "source", None, read))
            rows += [Row(system, case.document, name, gold, each) for name, each in counts.items()]
        return self._scored(rows)

    def _signs(
        self, system: str, gold: str, counted: Sequence[TextPartCounts]
    ) -> tuple[dict[str, int], ...]:
        """What was noticed of both files, given their parts."""
        unlike = np.sum([each.unlike for each in counted], axis=0).tolist()
        return tuple(
            text_guess(path, self.input) | ({"text_differs": size} if size else {})
            for path, size in zip((system, gold), unlike, strict=True)
        )

    @property
    def reading(self) -> TextOptions:
        """How texts are read."""
        table = load(self.equivalences)
        return TextOptions(self.input, self.units, table, self.normalize, self.encoding)

    def _read(self, version: Any) -> TextFile:
        return read_tokens(version, self.reading) if isinstance(version, str) else version

    def _require_one_text(self, system: Text, gold: Text, counts: JointCounts) -> None:
        aligned = self.algorithm == "literal" or self.force or counts.aligned_share >= 0.5
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


def _surface_runs(
    system: AnnotatedText, gold: AnnotatedText, known: AlignedTexts | None
) -> Runs | None:
    """The equal runs of two treebanks, taken from an alignment of the same texts if that is one."""
    if known and (known.system, known.gold) == (system.text, gold.text):
        return known.runs
    return AlignedTexts.from_texts(system.text, gold.text).runs


def block_ends(alignment: AlignedTexts) -> IntArray:
    """Sync points of sentences that are about ten gold sentences apart, 1,000 blocks at most.

    From one to the next there are gold sentences; the first point is the beginning, the last the
    end.
    """
    gold = alignment.sentences.gold
    size = int(gold[-1])
    number = min(MOST, max(1, round(size / SENTENCES)))
    step = np.round(gold * number / max(1, size)).astype(np.int64)
    first = np.searchsorted(step, np.arange(1, number))
    inner = np.unique(first[(gold[first] > 0) & (gold[first] < size)])
    inner = inner[np.diff(gold[inner], prepend=0) > 0]
    return np.concatenate(([0], inner, [gold.size - 1]))


def _source(file: TextFile) -> SourceCounts:
    text = file.text
    size = text.token_ends.size, text.sentence_ends.size
    return SourceCounts(1, *size, (text.form,), text.signs)


def _errors(alignment: AlignedTexts, document: str) -> Iterator[Error]:
    system, gold = alignment.system, alignment.gold
    wrong = np.flatnonzero(~alignment.sentences.is_one_to_one)
    for ours, theirs in _ranges(alignment.sentences, wrong):
        first = [int(_first_token(text, at[0])) for text, at in ((system, ours), (gold, theirs))]
        yield Error(
            "sentence",
            document,
            system.place(first[0]),
            gold.place(first[1]),
            MERGE.join(_sentence(system, at) for at in range(*ours)),
            MERGE.join(_sentence(gold, at) for at in range(*theirs)),
        )
    wrong = np.flatnonzero(~alignment.tokens.is_one_to_one | alignment.is_altered)
    for ours, theirs in _ranges(alignment.tokens, wrong):
        left, right = system.tokens(*ours), gold.tokens(*theirs)
        if left != right:
            places = system.place(ours[0]), gold.place(theirs[0])
            around = _around(gold, *theirs)
            yield Error("token", document, *places, MERGE.join(left), MERGE.join(right), *around)


def _ranges(blocks: Blocks, which: IntArray) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    ours = zip(blocks.system[which].tolist(), blocks.system[which + 1].tolist(), strict=True)
    theirs = zip(blocks.gold[which].tolist(), blocks.gold[which + 1].tolist(), strict=True)
    return zip(ours, theirs, strict=True)


def _around(text: Text, start: int, stop: int) -> tuple[str, str]:
    before = text.tokens(max(0, start - AROUND), start)
    after = text.tokens(stop, min(stop + AROUND, text.token_ends.size))
    return " ".join(before), " ".join(after)


def _first_token(text: Text, sentence: int) -> int:
    return int(text.sentence_ends[sentence - 1]) if sentence else 0


def _sentence(text: Text, sentence: int) -> str:
    return " ".join(text.tokens(_first_token(text, sentence), int(text.sentence_ends[sentence])))
