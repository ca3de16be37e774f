"""Text: tokens and sentences against gold, jointly, and the treebank where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from caesura.align.characters import Runs
from caesura.core.counts import Counts
from caesura.core.row import Row
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.treebank_table import AnnotatedText
from caesura.errors import UnknownNameError, UsageError, option
from caesura.formats._shared.equivalences import load
from caesura.formats.text_file import TextFile, TextOptions
from caesura.formats.texts import parse_text, read_tokens, text_form, text_guess
from caesura.measures.joint import AlignedTexts, Blocks, Joint, JointCounts
from caesura.measures.treebank import Treebank
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.counting import Found, PairedTexts, block_ends
from caesura.tasks._aligned_text.passages import Form
from caesura.tasks.text.dictionary import read_dictionary
from caesura.tasks.text.options import TextTaskOptions

if TYPE_CHECKING:
    from caesura.tasks.text.word_diff import WordDiff
    from caesura.tasks.text.word_errors import WordErrors

MERGE = " ~~~ "
AROUND = 6
CLASSIC, WORDS, DIFF = FURTHER = "classic", "words", "diff"
"""The measures that are counted, and imported, where they are asked for by name."""


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

    HUGE: ClassVar[dict[str, int]] = {"tokens": 2 << 20, "conllu": 16 << 20}

    def __post_init__(self) -> None:
        for name in self.also:
            if name not in FURTHER:
                raise UnknownNameError("measure to add", name, FURTHER)
        if self.also and self.algorithm == "literal":
            raise UsageError(
                f"{option('also', self.also[0])} needs the alignment; drop "
                f"{option('algorithm', 'literal')}"
            )
        if self.dictionary is not None and not self._of_words:
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

    @property
    def is_whole(self) -> bool:
        """Whether texts must not be counted in parts."""
        is_alone = self.algorithm == "literal" or bool(self.also)
        return self.blocks or self.encoding is not None or is_alone

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
        self.require_one_text(system.text, gold.text, sum(parts, JointCounts.zero()))
        ours, theirs = alignment.sentences.system[points], alignment.sentences.gold[points]
        ends = theirs[1:].tolist()
        yield from (("joint", end, part) for end, part in zip(ends, parts, strict=True))
        if system.treebank is not None and gold.treebank is not None:
            runs = _surface_runs(system.treebank, gold.treebank, alignment)
            trees = Treebank().count_parts(system.treebank, gold.treebank, runs, ours, theirs)
            yield from (("treebank", end, part) for end, part in zip(ends, trees, strict=True))
        if CLASSIC in self.also:
            from caesura.tasks.text.classic import Classic

            classic = Classic.count_parts(alignment, ours, theirs)
            yield from ((CLASSIC, end, part) for end, part in zip(ends, classic, strict=True))
        for of_words in self._of_words:
            words = of_words.count_parts(alignment, (ours, theirs), self._words)
            yield from ((of_words.name, end, part) for end, part in zip(ends, words, strict=True))

    def _count_whole(
        self, system: TextFile, gold: TextFile, alignment: AlignedTexts | None
    ) -> Mapping[str, Counts]:
        """Count one system's text against gold, and its treebank if both have one."""
        measure = Joint(self.algorithm, self.equivalences, self.normalize or "none")
        joint = alignment.counts if alignment else measure.count(system.text, gold.text)
        self.require_one_text(system.text, gold.text, joint)
        found: dict[str, Counts] = {"joint": joint}
        if system.treebank is not None and gold.treebank is not None:
            runs = _surface_runs(system.treebank, gold.treebank, alignment)
            found["treebank"] = Treebank().count(system.treebank, gold.treebank, runs)
        if alignment is not None:
            if CLASSIC in self.also:
                from caesura.tasks.text.classic import Classic

                found[CLASSIC] = Classic().count(alignment)
            found |= {each.name: each().count(alignment, self._words) for each in self._of_words}
        return found

    @property
    def _of_words(self) -> list[type[WordErrors | WordDiff]]:
        """The measures of words that are asked for, which may use a dictionary."""
        if not {WORDS, DIFF}.intersection(self.also):
            return []
        from caesura.tasks.text.word_diff import WordDiff
        from caesura.tasks.text.word_errors import WordErrors

        return [measure for measure in (WordErrors, WordDiff) if measure.name in self.also]

    @property
    def _words(self) -> frozenset[str] | None:
        """The words of the dictionary, if there is one."""
        return None if self.dictionary is None else read_dictionary(self.dictionary, self.encoding)

    def form(self, path: str) -> Form[TextFile]:
        """How a file is read in parts."""
        name = self.form_name(path)
        return Form.from_name(name, partial(parse_text, form=name, options=self.reading))

    def form_name(self, path: str) -> str:
        """The form of a file."""
        return text_form(path) if self.input == "auto" else self.input

    def guess(self, path: str) -> dict[str, int]:
        """The sign of a text whose format is guessed."""
        return text_guess(path, self.input)

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
