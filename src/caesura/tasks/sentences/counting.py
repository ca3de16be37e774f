"""Sentences: a text in the segments of a reference, counted segment by segment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from caesura.align.resegmentation import Resegmented
from caesura.align.wording import SAMPLE, Compared, is_han, level_of
from caesura.core.arrays import even_edges
from caesura.core.counts import Counts, ratio
from caesura.core.measure import Measure
from caesura.core.option import Read
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.score import Score, View
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, SegmentationError, UnknownNameError, number, option
from caesura.formats.text_files import lines_of, read_segments
from caesura.measures.translation import Bleu, Chrf, Ter, TranslationMeasure, is_installed
from caesura.run.inputs import Case
from caesura.run.values import refuse_path
from caesura.tasks.sentences.options import AUTO, NONE, UNITS, SentencesOptions

if TYPE_CHECKING:
    from caesura.output.report.segments import SegmentPairs

MAIN: tuple[View, ...] = ("all", "document", "compare", "headline", "correlate")
TRANSLATION: dict[str, type[TranslationMeasure]] = {kind.name: kind for kind in (Bleu, Chrf, Ter)}
"""The measures that sacrebleu counts."""
OTHERS = {"chrf++": ("chrf",), "wer": (), "cer": ()}
"""Other names of metrics, and those that are computed anyway."""
SPLITTING = ("zh", "char")
"""The tokenizers for scripts without spaces: Han, and those that zh leaves whole."""
SLOW, LONG = "ter", 150
"""The metric that takes minutes for a segment of hundreds of words, and from how many on."""
GUESSED = "the reference's segments"
GIVE = "give a list of lines, a text with one segment per line, or a path"


@dataclass(frozen=True, slots=True)
class SentenceCounts(Counts):
    """Segments, words and characters of the reference, and the edits between both sides."""

    segments: int
    words: int
    edits: int
    characters: int
    character_edits: int

    @property
    def wer(self) -> float:
        """Word edits / reference words."""
        return ratio(self.edits, self.words)

    @property
    def cer(self) -> float:
        """Character edits / reference characters."""
        return ratio(self.character_edits, self.characters)

    @property
    def score(self) -> float:
        """The word error rate."""
        return self.wer


@dataclass(frozen=True, slots=True)
class Sentences(Measure):
    """Word and character error rates of sentences, each against its reference segment."""

    name: ClassVar[str] = "sentences"
    kind: ClassVar[str] = "sentences"
    counts: ClassVar[type[Counts]] = SentenceCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("segments", "segments", "Reference segments.", None, ("all", "document"),
              is_count=True),
        Score("words", "words", "Words of the reference.", None, ("all", "document"),
              is_count=True),
        Score("edits", "edits", "Word insertions, deletions and substitutions.", None,
              ("all", "document"), is_count=True),
        Score("wer", "WER", "Word error rate: edits / words.", "low", MAIN),
        Score("cer", "CER", "Character error rate: character edits / characters.", "low", MAIN),
    )  # fmt: skip

    tokens: str = "lower"
    units: str = "auto"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "tokens": ("exact", "lower", "bare"),
        "units": ("auto", "words", "characters"),
    }

    def count(self, fitted: Resegmented) -> SentenceCounts:
        """Count the errors of all segments."""
        return self.count_parts(fitted, np.array([0, fitted.fit.cuts.size]))[0]

    @staticmethod
    def count_parts(fitted: Resegmented, edges: IntArray) -> list[SentenceCounts]:
        """Count between neighbouring numbers of segments."""
        errors, characters = fitted.character_edits
        words = np.array([stop - start for start, stop in fitted.full_spans()[1]], np.int64)
        columns = [words, fitted.full_edits, characters, errors]
        before = np.searchsorted(fitted.full, edges)
        sums = [edges, *(np.append(0, np.cumsum(column))[before] for column in columns)]
        return [SentenceCounts(*row) for row in np.diff(np.stack(sums)).T.tolist()]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencesTask(SentencesOptions):
    """Puts texts into segments and counts them."""

    def __post_init__(self) -> None:
        SentencesOptions.__post_init__(self)
        Sentences(self.tokens, self.units)
        for name in self.names:
            if name not in TRANSLATION:
                raise UnknownNameError("metric", name, (*TRANSLATION, *OTHERS))

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics of sacrebleu that are computed."""
        if self.metrics == AUTO:
            return tuple(TRANSLATION) if is_installed() else ()
        if self.metrics == NONE:
            return ()
        given = [name.strip().lower() for name in self.metrics.split(",")]
        return tuple(dict.fromkeys(name for one in given for name in OTHERS.get(one, (one,))))

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and how sacrebleu counts.

        Of a metric, that is its signature with each tokenizer that was used.
        """
        units = "+".join(form for form in read.forms if form in UNITS)
        used = [form for form in read.forms if form in SPLITTING]
        used += [SPLITTING[0]] if "characters" in read.forms and not used else []
        used += [] if used and "words" not in read.forms else ["13a"]
        signatures = {
            name: dict.fromkeys(
                self._measure(name, tokenizer).signature.replace(":", "=") for tokenizer in used
            )
            for name in self.names
        }
        return {
            "tokens": self.tokens,
            "units": units or self.units,
            "resegment": self.resegment,
            **{name: "+".join(of_metric) for name, of_metric in signatures.items()},
            "docs": read.documents,
        }

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[SegmentPairs]]:
        """The same, and every segment with its text."""
        pairs: list[SegmentPairs] = []
        return self._count(case, pairs), pairs

    def _count(self, case: Case, pairs: list[SegmentPairs] | None) -> list[Row]:
        """The rows of a document; `pairs`, if given, get the segments of each system."""
        ((reference, given),) = case.references.items()
        segments, source = self._lines(given, reference)
        if not any(segment.strip() for segment in segments):
            cure = "give a text with one segment per line"
            raise FormatError(source, "no reference segments", cure)
        text = "\n".join(segments)[:SAMPLE]
        units = level_of(text) if self.units == AUTO else self.units
        tokenizer = SPLITTING[not is_han(text)] if units == "characters" else "13a"
        is_noted = self.tokenize == AUTO and "bleu" in self.names and tokenizer in SPLITTING
        forms = [units, tokenizer] if is_noted else [units]
        rows = [Row(reference, case.document, SOURCE, None, _source(segments, forms, {}))]
        blocks = even_edges(len(segments), in_blocks=True)[1:].tolist() if self.blocks else [0]
        for system, given in case.systems.items():
            lines, source_of_lines = self._lines(given, system)
            fitted = self._fitted(lines, segments, source_of_lines, source)
            is_guessed = self.resegment == AUTO and fitted.fit.errors < 0
            # TER, which nobody asked for by name, would take too long.
            longest = max(stop - start for spans in fitted.full_spans() for start, stop in spans)
            is_slow = self.metrics == AUTO and SLOW in self.names and longest > LONG
            signs = {
                "guessed": int(is_guessed),
                "word_edits": int(fitted.full_edits.sum()),
                "word_total": len(fitted.reference),
                "long_segments": int(is_slow),
                "no_translation": int(self.metrics == AUTO and not is_installed()),
            }
            form = GUESSED if is_guessed else "segments"
            signs = {sign: size for sign, size in signs.items() if size}
            rows.append(Row(system, case.document, SOURCE, None, _source(lines, [form], signs)))
            names = [name for name in self.names if not (is_slow and name == SLOW)]
            rows += [
                Row(system, case.document, measure, reference, counts, block=block)
                for measure, of_blocks in self._counts(fitted, segments, names, tokenizer).items()
                for block, counts in zip(blocks, of_blocks, strict=True)
            ]
            if pairs is not None:
                pairs.append(segment_pairs(case.document, system, fitted, segments, self.tokens))
        return rows

    def _lines(self, given: Any, name: str) -> tuple[list[str], str]:
        """The lines of a version, and where they are from."""
        if isinstance(given, str):
            return read_segments(given, self.encoding), given
        return list(given), name

    def _fitted(
        self, lines: Sequence[str], segments: Sequence[str], source: str, reference: str
    ) -> Resegmented:
        """The lines in the segments, cut anew if that is needed."""
        is_same = len(lines) == len(segments)
        if self.resegment == "never" and not is_same:
            wanted = number(len(segments), "segment")
            raise FormatError(
                source,
                f"{number(len(lines), 'line')}, but {reference} has {wanted}",
                f"cut it into the same segments, or use {option('resegment', 'auto')}",
            )
        is_needed = self.resegment == "always" or not is_same
        fit = Resegmented.from_lines if is_needed else Resegmented.as_they_are
        return fit(lines, segments, self.tokens, self.units)

    def _counts(
        self, fitted: Resegmented, segments: Sequence[str], names: Sequence[str], tokenizer: str
    ) -> dict[str, Sequence[Counts]]:
        """The counts of each measure, block by block."""
        edges = even_edges(len(segments), in_blocks=self.blocks)
        counts: dict[str, Sequence[Counts]] = {Sentences.name: Sentences.count_parts(fitted, edges)}
        full = [" ".join(segments[at].split()) for at in fitted.full.tolist()]
        full_edges = np.searchsorted(fitted.full, edges)
        for name in names:
            measure = self._measure(name, tokenizer)
            counts[name] = measure.count_parts(fitted.full_lines, full, full_edges)
        return counts

    def _measure(self, name: str, auto: str) -> TranslationMeasure:
        """A measure with the tokenizer that was asked for, else with the one for the text."""
        return TRANSLATION[name](auto if self.tokenize == AUTO else self.tokenize)


def _source(lines: Sequence[str], forms: Sequence[str], signs: dict[str, int]) -> SourceCounts:
    words = sum(len(line.split()) for line in lines if line)
    return SourceCounts(1, words, len(lines), tuple(forms), signs)


def segment_pairs(
    document: str, system: str, fitted: Resegmented, segments: Sequence[str], tokens: Compared
) -> SegmentPairs:
    """Each reference segment of a document with what a system has there."""
    from caesura.output.report.segments import SegmentPair, SegmentPairs

    sizes = [stop - start for start, stop in fitted.segments]
    columns = zip(segments, fitted.lines, sizes, fitted.edits.tolist(), strict=True)
    return SegmentPairs(
        document=document,
        system=system,
        pairs=tuple(
            SegmentPair(reference=reference, system=line, words=words, edits=edits)
            for reference, line, words, edits in columns
        ),
        tokens=tokens,
        units="words" if fitted.reference.is_apart is None else "characters",
    )


def as_lines(value: object, *, encoding: str | None = None, source: str = "<text>") -> list[str]:
    r"""Convert a value to lines: a text, a list of lines, a path.

    >>> as_lines("it rained\nwe left"), as_lines(["it rained", "we left"])
    (['it rained', 'we left'], ['it rained', 'we left'])
    """
    if isinstance(value, PathLike):
        return read_segments(fspath(value), encoding)
    if isinstance(value, str):
        refuse_path(value, source)
        return lines_of(value)
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise SegmentationError(f"{source}: {value!r} is not a text; {GIVE}")
    lines = list(value)
    for at, line in enumerate(lines):
        if not isinstance(line, str):
            raise SegmentationError(f"{source}: line {at} is {line!r}, not a string; {GIVE}")
    return [" ".join(line.splitlines()) for line in lines]
