"""Text: tokens and sentences against gold, jointly, and the treebank where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np

from caesura.counts import Counts
from caesura.errors import CaesuraError
from caesura.files import size_of
from caesura.formats import TextFile, TextOptions, is_tokens, read_tokens
from caesura.formats.equivalences import load
from caesura.formats.tokens import parse_tokens
from caesura.measures.joint import Alignment, Blocks, Joint, JointCounts
from caesura.measures.treebank import Treebank
from caesura.rows import Row, SourceCounts
from caesura.segmentation import IntArray
from caesura.sources import Case
from caesura.tasks.pieces import (
    Counted,
    Map,
    Piece,
    count_piece,
    count_pieces,
    is_plain,
    plan,
)
from caesura.text import Text

MERGE = " ~~~ "
SHOWN = 40
AROUND = 6
SENTENCES = 10
MOST = 1000
HUGE = 64 << 20


class DifferentTextsError(CaesuraError):
    """Two texts of which less than half can be aligned."""

    def __init__(self, system: Text, gold: Text, share: float) -> None:
        beginnings = [" ".join(text.tokens(0, 8))[:SHOWN] for text in (system, gold)]
        super().__init__(
            f"{system.source}: only {share:.0%} of the characters can be aligned with "
            f"{gold.source}: this one begins “{beginnings[0]}”, that one “{beginnings[1]}”; "
            "check that they are the same text, or go on with --force"
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


@dataclass(frozen=True, slots=True)
class TextTask:
    """How text is read and scored; every option that can change a number.

    `blocks` changes none: the counts are those of parts of each text, which add up to it.
    """

    units: str = "tokens"
    equivalences: str = "quotes"
    algorithm: Literal["blocks", "literal"] = "blocks"
    normalize: str | None = None
    input: str = "auto"
    encoding: str | None = None
    force: bool = False
    blocks: bool = False

    def signature(self, forms: tuple[str, ...], documents: int) -> dict[str, object]:
        """The options, for the line that is printed beside the scores."""
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
        ((name, path),) = case.references.items()
        gold = self._read(path)
        rows = [Row(name, case.document, "source", None, _source(gold))]
        for system, place in case.systems.items():
            file = self._read(place)
            rows.append(Row(system, case.document, "source", None, _source(file)))
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self._counted(file, gold)
            ]
        return rows

    def _counted(self, system: TextFile, gold: TextFile) -> Iterator[tuple[str, int, Counts]]:
        """The counts of each measure, of the whole or of blocks that add up to it."""
        if not self.blocks or self.algorithm == "literal":
            for measure, counts in self.count_pair(system, gold).items():
                yield measure, 0, counts
            return
        alignment = Alignment.of(system.text, gold.text)
        points = block_ends(alignment)
        parts = alignment.parts(points)
        self._require_one_text(system.text, gold.text, sum(parts, JointCounts.zero()))
        ours, theirs = alignment.sentences.system[points], alignment.sentences.gold[points]
        ends = theirs[1:].tolist()
        yield from (("joint", end, part) for end, part in zip(ends, parts, strict=True))
        if system.treebank is not None and gold.treebank is not None:
            runs = Alignment.of(system.treebank.text, gold.treebank.text).runs
            trees = Treebank().count_parts(system.treebank, gold.treebank, runs, ours, theirs)
            yield from (("treebank", end, part) for end, part in zip(ends, trees, strict=True))

    def count_pair(self, system: TextFile, gold: TextFile) -> Mapping[str, Counts]:
        """Count one system's text against gold, and its treebank if both have one."""
        measure = Joint(self.algorithm, self.equivalences, self.normalize or "none")
        joint = measure.count(system.text, gold.text)
        self._require_one_text(system.text, gold.text, joint)
        if system.treebank is None or gold.treebank is None:
            return {"joint": joint}
        runs = Alignment.of(system.treebank.text, gold.treebank.text).runs
        treebank = Treebank().count(system.treebank, gold.treebank, runs)
        return {"joint": joint, "treebank": treebank}

    def pieces(self, case: Case) -> dict[str, list[Piece]]:
        """The pieces of each huge pair of files; nothing if they are counted whole.

        Only plain text can be read in the middle; CoNLL-U, blocks and Algorithm 3 need the whole.
        """
        paths = [*case.systems.values(), *case.references.values()]
        is_whole = self.blocks or self.algorithm == "literal" or self.encoding is not None
        if is_whole or min(map(size_of, paths)) < HUGE:
            return {}
        if not all(is_plain(path) and self._is_tokens(path) for path in paths):
            return {}
        return {
            name: plan(replace(case, systems={name: path}), self._parse)
            for name, path in case.systems.items()
        }

    def _is_tokens(self, path: str) -> bool:
        return self.input == "tokens" or (self.input == "auto" and is_tokens(path))

    def _parse(self, data: bytes, source: str) -> Text:
        how = load(self.equivalences)
        return parse_tokens(data, equivalences=how, normalize=self.normalize, source=source)

    def count_piece(self, piece: Piece) -> Counted:
        """Count one piece."""
        return count_piece(piece, self._parse)

    def count_pieces(self, case: Case, pieces: dict[str, list[Piece]], map: Map) -> list[Row]:
        """Count a document piece by piece."""
        counted = {each: count_pieces(own, self.count_piece, map) for each, own in pieces.items()}
        return self._from_pieces(case, counted)

    def _from_pieces(self, case: Case, counted: Mapping[str, JointCounts]) -> list[Row]:
        """The rows of a document whose pieces were counted."""
        ((gold, place),) = case.references.items()
        rows: list[Row] = []
        for system, joint in counted.items():
            if joint.aligned_share < 0.5 and not self.force:
                ours, theirs = (
                    self._parse(_head(path), path) for path in (case.systems[system], place)
                )
                raise DifferentTextsError(ours, theirs, joint.aligned_share)
            read = SourceCounts(1, joint.token_gold, joint.sentence_gold, ("tokens",))
            rows += [] if rows else [Row(gold, case.document, "source", None, read)]
            read = SourceCounts(1, joint.token_system, joint.sentence_system, ("tokens",))
            rows.append(Row(system, case.document, "source", None, read))
            rows.append(Row(system, case.document, "joint", gold, joint))
        return rows

    def errors(self, case: Case) -> Iterator[tuple[str, Error]]:
        """Every block that is not right, with the name of the system."""
        ((_, path),) = case.references.items()
        gold = self._read(path).text
        for system, place in case.systems.items():
            alignment = Alignment.of(self._read(place).text, gold)
            for error in _errors(alignment, case.document):
                yield system, error

    def _read(self, path: str) -> TextFile:
        options = TextOptions(
            self.input, self.units, load(self.equivalences), self.normalize, self.encoding
        )
        return read_tokens(path, options)

    def _require_one_text(self, system: Text, gold: Text, counts: JointCounts) -> None:
        aligned = self.algorithm == "literal" or self.force or counts.aligned_share >= 0.5
        if system.stream and gold.stream and not aligned:
            raise DifferentTextsError(system, gold, counts.aligned_share)


def _head(path: str) -> bytes:
    """The first lines of a file."""
    with Path(path).open("rb") as file:
        return b"".join(islice(file, 8))


def block_ends(alignment: Alignment) -> IntArray:
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
    return SourceCounts(1, text.token_ends.size, text.sentence_ends.size, (text.form,))


def _errors(alignment: Alignment, document: str) -> Iterator[Error]:
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
