"""Trees: brackets, tags, tokens and sentences of parses against gold ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Row
from caesura.core.segmentation import IntArray
from caesura.errors import UsageError, option
from caesura.io.files import read_utf8
from caesura.io.members import Stamp, stamp
from caesura.measures.joint import AlignedTexts, JointCounts
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.counting import MOST, Found, PairedTexts, block_ends
from caesura.tasks.trees.constituents import AlignedTrees
from caesura.tasks.trees.data import Forest, TreeFile
from caesura.tasks.trees.evalb_counts import EvalbCounts
from caesura.tasks.trees.evalb_lines import EvalbLines
from caesura.tasks.trees.evalb_pairs import EvalbPair
from caesura.tasks.trees.format import parse_forest, scored_trees
from caesura.tasks.trees.measures import (
    BracketCounts,
    Brackets,
    count_breakdown,
    count_parts,
    whole,
)
from caesura.tasks.trees.options import TreesOptions
from caesura.tasks.trees.parameter_file import load_parameters
from caesura.tasks.trees.parameters import EvalbParameters

if TYPE_CHECKING:
    from caesura.tasks.trees.tree_errors import TreeErrors


@dataclass(frozen=True, slots=True)
class TreesTask(PairedTexts[TreeFile], TreesOptions):
    """How trees are read and scored; every option that can change a number.

    `evalb` names parameters of evalb, by which brackets and tags are then counted.
    """

    def __post_init__(self) -> None:
        Brackets(self.labels, self.keep_empty, self.algorithm)
        if self.evalb is not None:
            _parameters(self.evalb)
            self._require_plain()

    def _require_plain(self) -> None:
        """Raise an error for options in whose place evalb has parameters."""
        own = (self.labels, self.keep_empty, self.algorithm)
        if own != ("cut", False, "blocks"):
            raise UsageError(
                f"{option('evalb', '…')} says itself what counts; drop {option('labels', '…')}, "
                f"{option('keep_empty')} and {option('algorithm', '…')}"
            )

    @property
    def parameters(self) -> EvalbParameters | None:
        """The parameters of evalb, if it is to be followed."""
        return None if self.evalb is None else _parameters(self.evalb)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[TreeErrors | EvalbLines]]:
        """The rows of one document, and every sentence whose brackets differ."""
        from caesura.tasks.trees.tree_errors import TreeErrors

        errors: dict[str, Any] = {}
        rows = self.counted(case, errors)
        lines = {name: each for name, (_, each) in errors.items() if each is not None}
        found = {name: each for name, (each, _) in errors.items()}
        kept: list[TreeErrors | EvalbLines] = [TreeErrors(document=case.document, errors=found)]
        kept += [EvalbLines(document=case.document, lines=lines)] if lines else []
        return rows, kept

    def count_pair(self, system: TreeFile, gold: TreeFile, alignment: AlignedTexts | None) -> Found:
        """The counts of each measure, of the whole or of blocks that add up to it."""
        assert alignment is not None
        joint = alignment.counts
        self.require_one_text(system.text, gold.text, joint)
        aligned = self._aligned(system, gold, alignment)
        if self.parameters is not None:
            (joint,) = _with_empty([joint], aligned, whole(aligned))
            yield from self._count_lines(system, gold, joint)
            return
        if not self.blocks:
            edges, ends, joints = whole(aligned), [0], [joint]
        else:
            points = block_ends(alignment, sentences=1)
            edges = alignment.sentences.system[points], alignment.sentences.gold[points]
            ends, joints = edges[1][1:].tolist(), alignment.parts(points)
        yield from _numbered("brackets", ends, count_parts(aligned, *edges))
        yield from _numbered("breakdown", ends, count_breakdown(aligned, *edges))
        yield from _numbered("joint", ends, _with_empty(joints, aligned, edges))

    def count_brackets(self, system: TreeFile, gold: TreeFile) -> BracketCounts:
        """Brackets and tags of one system against gold."""
        if self.evalb is not None:
            return self._pair(system, gold).counts.brackets()
        texts = AlignedTexts.from_texts(system.text, gold.text)
        aligned = self._aligned(system, gold, texts)
        return count_parts(aligned, *whole(aligned))[0]

    def _count_lines(self, system: TreeFile, gold: TreeFile, joint: JointCounts) -> Found:
        """Count as evalb does; tokens and sentences are those of the whole."""
        pair = self._pair(system, gold)
        number = min(MOST, max(1, pair.lines)) if self.blocks else 1
        edges = np.unique(np.round(np.linspace(0, pair.lines, number + 1)).astype(np.int64))
        for start, stop in pairwise(edges.tolist() if pair.lines else [0, 0]):
            block = stop if self.blocks else 0
            part = pair.counts.part(start, stop)
            yield "brackets", block, part.brackets()
            yield "breakdown", block, pair.breakdown(start, stop)
            yield "evalb", block, part.lines(pair.parameters.cutoff)
            yield "joint", block, joint if stop == pair.lines else JointCounts.zero()

    def noticed(self, system: TreeFile, gold: TreeFile, counts: Sequence[Counts]) -> dict[str, int]:
        """Lines that evalb does not count: errors, and those that one side has alone."""
        if system.forest is None or gold.forest is None:
            return {}
        surplus = system.forest.lines()[1] - gold.forest.lines()[1]
        signs = {
            "evalb_errors": sum(each.errors for each in counts if isinstance(each, EvalbCounts)),
            "more_lines": max(0, surplus),
            "fewer_lines": max(0, -surplus),
        }
        return {name: size for name, size in signs.items() if size}

    def _pair(self, system: TreeFile, gold: TreeFile) -> EvalbPair:
        parameters = self.parameters
        assert parameters is not None
        assert system.forest is not None
        assert gold.forest is not None
        return EvalbPair.from_forests(system.forest, gold.forest, parameters)

    def _aligned(self, system: TreeFile, gold: TreeFile, texts: AlignedTexts) -> AlignedTrees:
        return AlignedTrees(system.trees, gold.trees, texts, self.algorithm)

    def errors_of(
        self,
        system: str,  # noqa: ARG002
        document: str,
        alignment: AlignedTexts,
        files: tuple[TreeFile, TreeFile],
    ) -> tuple[object, ...]:
        """Every sentence whose brackets differ, and what evalb prints of each line."""
        from caesura.tasks.trees.tree_errors import tree_errors

        found = tuple(tree_errors(self._aligned(*files, alignment), document))
        lines = None if self.evalb is None else self._pair(*files).counts.rows()
        return found, lines

    def parsed(self, data: bytes, source: str) -> TreeFile:
        """Read trees from UTF-8 bytes."""
        return self._file(parse_forest(data, source, is_loose=self.evalb is not None))

    def _file(self, forest: Forest) -> TreeFile:
        trees = scored_trees(forest, labels=self.labels, keep_empty=self.keep_empty)
        kept = None if self.evalb is None else forest
        return TreeFile(trees.text, trees=trees, forest=kept)

    def read(self, version: Any) -> TreeFile:
        """Read trees, unless they are in memory."""
        if isinstance(version, TreeFile):
            return version
        return self.parsed(read_utf8(version, self.encoding), version)


def _numbered(measure: str, ends: Sequence[int], counts: Sequence[Counts]) -> Found:
    return ((measure, end, each) for end, each in zip(ends, counts, strict=True))


def _with_empty(
    joints: Sequence[JointCounts], aligned: AlignedTrees, edges: tuple[IntArray, IntArray]
) -> list[JointCounts]:
    """The counts of each part together with its sentences without tokens."""
    empty = aligned.empty(*edges).T.tolist()
    return [joint + JointCounts(*own, *[0] * 6) for joint, own in zip(joints, empty, strict=True)]


def _parameters(name: str) -> EvalbParameters:
    """The parameters of a name or file, which is read again if it has changed."""
    return _loaded(name, stamp(name))


@lru_cache(maxsize=8)
def _loaded(name: str, _: Stamp) -> EvalbParameters:
    return load_parameters(name)
