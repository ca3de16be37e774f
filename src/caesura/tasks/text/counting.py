"""Text: tokens and sentences against gold, jointly, and the treebank where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from caesura.align.characters import Runs
from caesura.core.counts import Counts
from caesura.core.row import Row
from caesura.core.score import BOUNDARY
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.treebank_table import AnnotatedText
from caesura.errors import UnknownNameError, UsageError, option
from caesura.formats._shared.equivalences import load
from caesura.formats.texts import TextFile, TextOptions, read_tokens
from caesura.measures.joint import AlignedTexts, Blocks, Joint, JointCounts
from caesura.measures.text_measure import TextMeasure
from caesura.measures.treebank import Treebank, TreebankCounts
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.counting import Found, PairedTexts, block_ends, require_one_text
from caesura.tasks.text.measures import MEASURES
from caesura.tasks.text.options import TextTaskOptions

MERGE = " ~~~ "
AROUND = 6
CLASSIC, WORDS = "classic", "words"


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
class TextTask(PairedTexts[TextFile], TextTaskOptions):
    """How text is read and scored; every option that can change a number.

    `sentences_only` are the systems whose tokens mean nothing.
    """

    def __post_init__(self) -> None:
        for name in self.also:
            if name != BOUNDARY and (name in MEASURES.always or name not in MEASURES):
                known = (*MEASURES.asked_for, *MEASURES.added(), BOUNDARY)
                raise UnknownNameError("measure to add", name, known)
        if self.also and self.algorithm == "literal":
            raise UsageError(
                f"{option('also', self.also[0])} needs the alignment; drop "
                f"{option('algorithm', 'literal')}"
            )
        if self.dictionary is not None and WORDS not in self.also:
            raise UsageError(f"{option('dictionary', '…')} needs {option('also', WORDS)}")

    def count_and_read(self, case: Case) -> tuple[list[Row], list[TextErrors]]:
        """The rows of one document, and every block that is not right."""
        errors: dict[str, tuple[Error, ...]] = {}
        rows = self.counted(case, errors)
        return rows, [TextErrors(document=case.document, errors=errors)]

    @property
    def is_aligned(self) -> bool:
        """Whether counting needs texts that are aligned; Algorithm 3 aligns them itself."""
        return self.algorithm == "blocks"

    def errors_of(
        self,
        system: str,
        document: str,
        alignment: AlignedTexts,
        files: tuple[TextFile, TextFile],  # noqa: ARG002
    ) -> tuple[Error, ...]:
        """Every block of a document that is not right."""
        found = _errors(alignment, document)
        is_kept = system not in self.sentences_only
        return tuple(each for each in found if is_kept or each.unit != "token")

    def noticed(self, system: TextFile, gold: TextFile, counts: Sequence[Counts]) -> dict[str, int]:  # noqa: ARG002
        """Columns of treebanks that are empty on either side, and trees that are flat."""
        parts = [each for each in counts if isinstance(each, TreebankCounts)]
        whole = sum(parts, TreebankCounts.zero())
        signs = (each for each in whole.to_dict() if each.startswith(("empty_", "flat_")))
        return {sign: 1 for sign in signs if whole.holds(*sign.rsplit("_", 1))}

    def scored(self, rows: list[Row]) -> list[Row]:
        """The rows without the tokens of systems that place sentences only."""
        return [
            replace(row, counts=row.counts.without_tokens())
            if row.system in self.sentences_only and isinstance(row.counts, JointCounts)
            else row
            for row in rows
        ]

    def count_pair(self, system: TextFile, gold: TextFile, alignment: AlignedTexts | None) -> Found:
        """The counts of each measure, of the whole or of blocks that add up to it."""
        if not self.blocks or alignment is None:
            for measure, counts in self._count_whole(system, gold, alignment).items():
                yield measure, 0, counts
            return
        points = block_ends(alignment)
        parts = alignment.parts(points)
        require_one_text(alignment, force=self.force)
        ours, theirs = alignment.sentences.system[points], alignment.sentences.gold[points]
        ends = theirs[1:].tolist()
        yield from (("joint", end, part) for end, part in zip(ends, parts, strict=True))
        if system.treebank is not None and gold.treebank is not None:
            runs = _surface_runs(system.treebank, gold.treebank, alignment)
            trees = Treebank().count_parts(system.treebank, gold.treebank, runs, ours, theirs)
            yield from (("treebank", end, part) for end, part in zip(ends, trees, strict=True))
        for further in self._further:
            own = further.count_parts(alignment, ours, theirs)
            yield from ((further.name, end, part) for end, part in zip(ends, own, strict=True))

    def _count_whole(
        self, system: TextFile, gold: TextFile, alignment: AlignedTexts | None
    ) -> Mapping[str, Counts]:
        """Count one system's text against gold, and its treebank if both have one."""
        measure = Joint(self.algorithm, self.equivalences, self.normalize or "none")
        joint = alignment.counts if alignment else measure.count(system.text, gold.text)
        if alignment is not None:
            require_one_text(alignment, force=self.force)
        found: dict[str, Counts] = {"joint": joint}
        if system.treebank is not None and gold.treebank is not None:
            runs = _surface_runs(system.treebank, gold.treebank, alignment)
            found["treebank"] = Treebank().count(system.treebank, gold.treebank, runs)
        if alignment is not None:
            found |= {each.name: each.count(alignment) for each in self._further}
        return found

    @property
    def _further(self) -> list[TextMeasure]:
        """The measures that are counted, and imported, where they are asked for by name."""
        counted = MEASURES.counted(self.also)
        return [each.from_task(self) for each in counted if issubclass(each, TextMeasure)]

    @property
    def reading(self) -> TextOptions:
        """How texts are read."""
        table = load(self.equivalences)
        return TextOptions(self.input, self.units, table, self.normalize, self.encoding)

    def read(self, version: Any) -> TextFile:
        """Read a text, unless it is in memory."""
        return read_tokens(version, self.reading) if isinstance(version, str) else version


def _surface_runs(
    system: AnnotatedText, gold: AnnotatedText, known: AlignedTexts | None
) -> Runs | None:
    """The equal runs of two treebanks, taken from an alignment of the same texts if that is one."""
    if known and (known.system, known.gold) == (system.text, gold.text):
        return known.runs
    return AlignedTexts.from_texts(system.text, gold.text).runs


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
