"""Text of one document, read and counted: tokens and sentences jointly, and treebanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np

from caesura.core.row import Row
from caesura.core.score import BOUNDARY
from caesura.core.text import Text
from caesura.errors import SegmentationError, UnknownNameError, UsageError, option
from caesura.formats.equivalences import Equivalences, load
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextFile, TextOptions, parse_filled, parse_tokens
from caesura.measures.joint import AlignedTexts, Joint, TextMeasure
from caesura.measures.treebank import Treebank, TreebankCounts
from caesura.run.inputs import Case
from caesura.run.values import Analyzed, encoded, flat, items, refuse_path, tokens_of
from caesura.tasks import TASKS
from caesura.tasks._aligned_text import (
    Columns,
    block_ends,
    require_one_text,
    source_of,
    system_rows,
)
from caesura.tasks.text.options import TextTaskOptions

Tokens = Text | str | PathLike[str] | Iterable[object] | Analyzed
"""What has tokens and sentences: see `as_tokens`."""
GIVE_TOKENS = "give a list of lists of tokens, a text with one sentence per line, or a path"
MERGE = " ~~~ "
AROUND = 6
WORDS = "words"
MEASURES = TASKS["text"].measures


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
class TextTask(TextTaskOptions):
    """How text is read and scored; every option that can change a number.

    `sentences_only` are the systems whose tokens mean nothing. `blocks` changes no number: the
    counts are those of blocks of each text, which add up to it.
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

    @property
    def reading(self) -> TextOptions:
        """How texts are read."""
        table = load(self.equivalences)
        return TextOptions(self.input, self.units, table, self.normalize, self.encoding)

    def read(self, version: Any) -> TextFile:
        """Read a text, unless it is in memory."""
        return read_tokens(version, self.reading) if isinstance(version, str) else version

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self.count_and_read(case, reads=False)[0]

    def count_and_read(
        self, case: Case, *, reads: bool = True
    ) -> tuple[list[Row], list[TextErrors]]:
        """The rows of one document in every version and, with `reads`, what is not right."""
        ((reference, path),) = case.references.items()
        gold = self.read(path)
        rows = [Row(reference, case.document, "source", None, source_of(gold.text))]
        errors: dict[str, tuple[Error, ...]] = {}
        for name, path in case.systems.items():
            system = self.read(path)
            texts = None
            if self.algorithm == "blocks" or reads:
                texts = AlignedTexts.from_texts(system.text, gold.text)
            ends, columns = self._columns(system, gold, texts)
            # Columns of treebanks that are empty on either side, and trees that are flat.
            trees = sum(columns.get("treebank", ()), TreebankCounts.zero())
            likely = (key for key in trees.to_dict() if key.startswith(("empty_", "flat_")))
            signs = {key: 1 for key in likely if trees.holds(*key.rsplit("_", 1))}
            if name in self.sentences_only:
                columns["joint"] = [joint.without_tokens() for joint in columns["joint"]]
            rows += system_rows(case, name, source_of(system.text, signs), (ends, columns))
            if reads and texts is not None:
                wrong = _sentence_errors(texts, case.document)
                if name not in self.sentences_only:
                    wrong += _token_errors(texts, case.document)
                errors[name] = tuple(wrong)
        return rows, [TextErrors(document=case.document, errors=errors)]

    def _columns(self, system: TextFile, gold: TextFile, texts: AlignedTexts | None) -> Columns:
        """Where blocks end, which add up to the whole, and for each measure their counts.

        The paper's Algorithm 3 aligns texts itself and has no blocks.
        """
        ends = [0]
        edges = [np.array([0, side.text.sentence_ends.size]) for side in (system, gold)]
        if texts is None or self.algorithm == "literal":
            texts, joint = None, Joint(self.algorithm, self.equivalences, self.normalize or "none")
            columns: dict[str, Sequence[Any]] = {"joint": [joint.count(system.text, gold.text)]}
        else:
            require_one_text(texts, force=self.force)
            if self.blocks:
                points = block_ends(texts)
                edges = [texts.sentences.system[points], texts.sentences.gold[points]]
                ends = edges[1][1:].tolist()
            columns = {"joint": texts.parts(points) if self.blocks else [texts.counts]}
        if system.treebank is not None and gold.treebank is not None:
            surfaces = system.treebank.text, gold.treebank.text
            same = texts if texts and (texts.system, texts.gold) == surfaces else None
            runs = (same or AlignedTexts.from_texts(*surfaces)).runs
            columns["treebank"] = Treebank().count_parts(
                system.treebank, gold.treebank, runs, *edges
            )
        if texts is not None:
            for measure in MEASURES.counted(self.also):
                if issubclass(measure, TextMeasure):
                    further = measure.from_task(self)
                    columns[further.name] = list(further.count_parts(texts, *edges))
        return ends, columns


def _sentence_errors(texts: AlignedTexts, document: str) -> list[Error]:
    """Every block of sentences that is not right."""
    errors, blocks = [], texts.sentences
    for block in np.flatnonzero(~blocks.is_one_to_one).tolist():
        places, merged = [], []
        for text, edges in ((texts.system, blocks.system), (texts.gold, blocks.gold)):
            first, stop = edges[block : block + 2].tolist()
            start = int(text.sentence_ends[first - 1]) if first else 0
            spans = pairwise([start, *text.sentence_ends[first:stop].tolist()])
            places.append(text.place(start))
            merged.append(MERGE.join(" ".join(text.tokens(*span)) for span in spans))
        errors.append(Error("sentence", document, *places, *merged))
    return errors


def _token_errors(texts: AlignedTexts, document: str) -> list[Error]:
    """Every block of tokens that is not right, and the gold tokens around it."""
    system, gold, errors = texts.system, texts.gold, []
    wrong = np.flatnonzero(~texts.tokens.is_one_to_one | texts.is_altered)
    for block in wrong.tolist():
        ours, theirs = texts.units(block)
        if ours != theirs:
            start, stop = texts.tokens.gold[block : block + 2].tolist()
            places = system.place(int(texts.tokens.system[block])), gold.place(start)
            before = gold.tokens(max(0, start - AROUND), start)
            after = gold.tokens(stop, min(stop + AROUND, gold.token_ends.size))
            sides = MERGE.join(ours), MERGE.join(theirs)
            errors.append(
                Error("token", document, *places, *sides, " ".join(before), " ".join(after))
            )
    return errors


def as_tokens(
    value: Tokens,
    equivalences: Equivalences,
    normalize: str | None = None,
    *,
    source: str = "<tokens>",
) -> Text:
    """Convert a value to tokens and sentences.

    A text is one sentence per line with tokens separated by spaces; a list holds such lines, or
    lists of tokens.
    """
    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        refuse_path(value, source)
        data = encoded(value, source)
        return parse_tokens(data, equivalences=equivalences, normalize=normalize, source=source)
    if isinstance(value, PathLike):
        options = TextOptions(equivalences=equivalences, normalize=normalize)
        return read_tokens(fspath(value), options).text
    sentences = items(value, source, GIVE_TOKENS)
    if isinstance(sentences, np.ndarray):
        raise SegmentationError(f"{source}: numbers are not tokens; {GIVE_TOKENS}")
    lines = [
        # White space inside a token becomes filler.
        sentence
        if isinstance(sentence, str)
        else " ".join(re.sub(r"\s", "\0", token) for token in tokens_of(sentence, number, source))
        for number, sentence in enumerate(flat(sentences))
    ]
    data = encoded("\n".join(lines), source)
    return parse_filled(data, equivalences=equivalences, normalize=normalize, source=source)


def as_text(value: Tokens, *, task: TextTask, source: str) -> TextFile:
    """Convert a value to a text file in memory."""
    equivalences = task.reading.equivalences
    return TextFile(as_tokens(value, equivalences, task.normalize, source=source))
