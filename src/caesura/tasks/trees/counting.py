"""Trees of one document, read and counted: brackets, tags, tokens and sentences against gold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from caesura.core.arrays import even_edges
from caesura.core.row import Row
from caesura.errors import SegmentationError, UsageError, option
from caesura.io.files import read_utf8
from caesura.io.paths import stamp
from caesura.measures.joint import AlignedTexts, JointCounts
from caesura.run.inputs import Case
from caesura.run.values import encoded, refuse_path
from caesura.tasks._aligned_text import (
    Columns,
    block_ends,
    require_one_text,
    source_of,
    system_rows,
)
from caesura.tasks.trees.brackets import MatchedTrees, match
from caesura.tasks.trees.evalb import (
    EvalbFigures,
    EvalbLines,
    EvalbParameters,
    Figures,
    count_lines,
    load_parameters,
)
from caesura.tasks.trees.format import Trees, bracketed_lines, parse_forest, scored_trees
from caesura.tasks.trees.measures import BracketCounts, Brackets, count_blocks
from caesura.tasks.trees.options import TreesOptions

if TYPE_CHECKING:
    from caesura.output.report.trees import TreeError
    from caesura.tasks.trees.output import TreeErrors


@dataclass(frozen=True, slots=True)
class TreesTask(TreesOptions):
    """How trees are read and scored; every option that can change a number.

    `evalb` names parameters of evalb, by which brackets and tags are then counted. `blocks` changes
    no number: the counts are those of blocks of each text, which add up to it.
    """

    def __post_init__(self) -> None:
        Brackets(self.labels, self.keep_empty, self.algorithm)
        if self.parameters is None:
            return
        if (self.labels, self.keep_empty, self.algorithm) != ("cut", False, "blocks"):
            raise UsageError(
                f"{option('evalb', '…')} says itself what counts; drop {option('labels', '…')}, "
                f"{option('keep_empty')} and {option('algorithm', '…')}"
            )

    @property
    def parameters(self) -> EvalbParameters | None:
        """The parameters of evalb, if it is to be followed; a file that changes is read again."""
        return None if self.evalb is None else load_parameters(self.evalb, stamp(self.evalb))

    def read(self, version: Any) -> Trees:
        """Read trees, unless they are in memory."""
        if isinstance(version, Trees):
            return version
        path = fspath(version)
        return self.parsed(read_utf8(path, self.encoding), path)

    def parsed(self, data: bytes, source: str) -> Trees:
        """Read trees from UTF-8 bytes."""
        for_evalb = self.evalb is not None
        forest = parse_forest(data, source, is_loose=for_evalb)
        return scored_trees(
            forest, labels=self.labels, keep_empty=self.keep_empty, for_evalb=for_evalb
        )

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self.count_and_read(case, reads=False)[0]

    def count_and_read(
        self, case: Case, *, reads: bool = True
    ) -> tuple[list[Row], list[TreeErrors | EvalbFigures]]:
        """The rows of one document and, with `reads`, what differs, and what evalb prints."""
        if reads:
            from caesura.tasks.trees.output import TreeErrors, tree_errors

        ((reference, path),) = case.references.items()
        gold = self.read(path)
        rows = [Row(reference, case.document, "source", None, source_of(gold.text))]
        errors: dict[str, tuple[TreeError, ...]] = {}
        figures: dict[str, tuple[Figures, ...]] = {}
        for name, path in case.systems.items():
            system = self.read(path)
            texts = AlignedTexts.from_texts(system.text, gold.text)
            require_one_text(texts, force=self.force)
            matched, lines = match(system, gold, self.algorithm, texts), self._lines(system, gold)
            signs = {}
            if lines is not None:
                sizes = {
                    "evalb_errors": lines.counts().errors,
                    "more_lines": lines.surplus,
                    "fewer_lines": -lines.surplus,
                }
                signs = {sign: size for sign, size in sizes.items() if size > 0}
            blocks = self._blocks(matched) if lines is None else self._line_blocks(matched, lines)
            rows += system_rows(case, name, source_of(system.text, signs), blocks)
            if reads:
                errors[name] = tuple(tree_errors(matched, case.document))
            if reads and lines is not None:
                figures[name] = tuple(map(tuple, lines.figures[:, :-1].tolist()))
        read: list[TreeErrors | EvalbFigures] = []
        read += [TreeErrors(document=case.document, errors=errors)] if reads else []
        read += [EvalbFigures(document=case.document, lines=figures)] if figures else []
        return rows, read

    def _blocks(self, matched: MatchedTrees) -> Columns:
        """The counts of each measure, of the whole or of blocks that add up to it."""
        texts, edges, ends = matched.texts, None, [0]
        joints = [texts.counts]
        if self.blocks:
            points = block_ends(texts, sentences=1)
            edges = texts.sentences.system[points], texts.sentences.gold[points]
            ends, joints = edges[1][1:].tolist(), texts.parts(points)
        brackets, breakdown, empty = count_blocks(matched, edges)
        joint = [own + more for own, more in zip(joints, empty, strict=True)]
        return ends, {"brackets": brackets, "breakdown": breakdown, "joint": joint}

    def _line_blocks(self, matched: MatchedTrees, lines: EvalbLines) -> Columns:
        """As evalb counts; tokens and sentences are those of the whole, with the last block."""
        size = len(lines.figures)
        edges = even_edges(size, in_blocks=self.blocks)
        blocks = [slice(*pair) for pair in pairwise(edges.tolist())]
        joint = matched.texts.counts + count_blocks(matched)[2][0]
        return edges[1:].tolist() if self.blocks else [0], {
            "brackets": [lines.brackets(block) for block in blocks],
            "breakdown": lines.breakdowns(edges),
            "evalb": [lines.counts(block) for block in blocks],
            "joint": [*[JointCounts.zero()] * (len(blocks) - 1), joint],
        }

    def _lines(self, system: Trees, gold: Trees) -> EvalbLines | None:
        """What evalb counts in each line, if it is to be followed."""
        if self.parameters is None:
            return None
        assert system.forest is not None
        assert gold.forest is not None
        return count_lines(system.forest, gold.forest, self.parameters)

    def count_brackets(self, system: Trees, gold: Trees) -> BracketCounts:
        """Brackets and tags of one system against gold."""
        lines = self._lines(system, gold)
        if lines is not None:
            return lines.brackets()
        return count_blocks(match(system, gold, self.algorithm))[0][0]


def as_trees(value: object, *, task: TreesTask, source: str = "<trees>") -> Trees:
    """Convert a value to trees: a bracketed text, a tree as NLTK has it, a list of these, a path.

    >>> as_trees("(S (NP (PRP it)) (VP (VBD rained)))", task=TreesTask()).text
    <Text: 2 tokens, 1 sentence, brackets: it rained>
    """
    if isinstance(value, Trees | PathLike):
        return task.read(value)
    if isinstance(value, str):
        refuse_path(value, source)
        if "(" not in value and len(value.split()) == 1 and PurePath(value).suffix:
            raise SegmentationError(
                f"{source}: '{value}' is not a tree; if it is a path, give pathlib.Path('{value}')"
            )
    elif isinstance(value, bytes | bytearray):
        raise SegmentationError(f"{source}: bytes are not a tree; decode them: data.decode()")
    return task.parsed(encoded("\n".join(bracketed_lines(value, source)), source), source)
