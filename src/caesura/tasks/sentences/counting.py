"""Sentences: a text in the segments of a reference, scored segment by segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.align.resegmentation import Resegmented
from caesura.align.wording import SAMPLE, is_han, level_of
from caesura.core.arrays import Array
from caesura.core.counts import Counts
from caesura.core.option import Read
from caesura.core.row import Row, SourceCounts
from caesura.errors import FormatError, UnknownNameError, number, option
from caesura.formats._shared.segment_lines import read_segments
from caesura.measures.translation import Bleu, Chrf, Ter, TranslationMeasure, is_installed
from caesura.run.inputs import Case
from caesura.tasks.sentences.measures import Sentences
from caesura.tasks.sentences.options import AUTO, NONE, UNITS, SentencesOptions

if TYPE_CHECKING:
    from caesura.output.report.views.segments import SegmentPairs

MOST = 1000
"""The most blocks of a document."""
TRANSLATION: dict[str, type[TranslationMeasure]] = {each.name: each for each in (Bleu, Chrf, Ter)}
"""The measures that sacrebleu counts."""
OTHERS = {"chrf++": ("chrf",), "wer": (), "cer": ()}
"""Other names of metrics, and those that are computed anyway."""
SPLITTING = ("zh", "char")
"""The tokenizers for scripts without spaces: Han, and those that zh leaves whole."""
SLOW, LONG = "ter", 150
"""The metric that takes minutes for a segment of hundreds of words, and from how many on."""
GUESSED = "the reference's segments"


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
        every = [name.strip().lower() for name in self.metrics.split(",")]
        return tuple(dict.fromkeys(each for name in every for each in OTHERS.get(name, (name,))))

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and how sacrebleu counts."""
        units = "+".join(form for form in read.forms if form in UNITS)
        return {
            "tokens": self.tokens,
            "units": units or self.units,
            "resegment": self.resegment,
            **{name: self._signature(name, read.forms) for name in self.names},
            "docs": read.documents,
        }

    def _signature(self, name: str, forms: Sequence[str]) -> str:
        """The signatures of a metric, one for each tokenizer that was used."""
        used = [form for form in forms if form in SPLITTING]
        used += [SPLITTING[0]] if "characters" in forms and not used else []
        used += [] if used and "words" not in forms else ["13a"]
        told = [self._measure(name, each).signature for each in used]
        return "+".join(dict.fromkeys(each.replace(":", "=") for each in told))

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[SegmentPairs]]:
        """The same, and every segment with its text."""
        pairs: list[SegmentPairs] = []
        return self._count(case, pairs), pairs

    def _count(self, case: Case, pairs: list[SegmentPairs] | None) -> list[Row]:
        ((name, path),) = case.references.items()
        segments, source = self.read(path, name)
        if not any(segment.strip() for segment in segments):
            raise FormatError(
                source, "no reference segments", "give a text with one segment per line"
            )
        text = "\n".join(segments)[:SAMPLE]
        units = level_of(text) if self.units == AUTO else self.units
        tokenizer = SPLITTING[not is_han(text)] if units == "characters" else "13a"
        is_told = self.tokenize == AUTO and "bleu" in self.names and tokenizer in SPLITTING
        forms = (units, tokenizer) if is_told else (units,)
        rows = [Row(name, case.document, "source", None, _source(segments, forms))]
        for system, place in case.systems.items():
            lines, own = self.read(place, system)
            found = self.fitted(lines, segments, own, source)
            signs = _signs(found, is_guessed=self.resegment == AUTO)
            signs |= {"long_segments": 1} if self._is_long(found) else {}
            signs |= {} if self.metrics != AUTO or is_installed() else {"no_translation": 1}
            form = GUESSED if "guessed" in signs else "segments"
            rows.append(Row(system, case.document, "source", None, _source(lines, (form,), signs)))
            edges = self._edges(len(segments))
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self._counted(found, segments, tokenizer, edges)
            ]
            if pairs is not None:
                from caesura.tasks.sentences.report import segment_pairs

                pairs.append(segment_pairs(case.document, system, found, segments, self.tokens))
        return rows

    def _edges(self, segments: int) -> Array:
        """The segments at which blocks begin and end."""
        number = min(MOST, max(1, segments)) if self.blocks else 1
        return np.round(np.linspace(0, segments, number + 1)).astype(np.int64)

    def _counted(
        self, found: Resegmented, segments: Sequence[str], tokenizer: str, edges: Array
    ) -> Iterator[tuple[str, int, Counts]]:
        ends = edges[1:].tolist() if self.blocks else [0]
        full = [" ".join(segments[at].split()) for at in found.full.tolist()]
        full_edges = np.searchsorted(found.full, edges)
        parts: list[tuple[str, Sequence[Counts]]] = [
            ("sentences", Sentences.count_parts(found, edges))
        ]
        for name in self.names:
            if name == SLOW and self._is_long(found):
                continue
            measure = self._measure(name, tokenizer)
            parts.append((name, measure.count_parts(found.full_lines, full, full_edges)))
        for name, each in parts:
            yield from ((name, end, counts) for end, counts in zip(ends, each, strict=True))

    def _is_long(self, found: Resegmented) -> bool:
        """Whether TER, which nobody asked for by name, would take too long."""
        return self.metrics == AUTO and SLOW in self.names and _longest(found) > LONG

    def _measure(self, name: str, auto: str) -> TranslationMeasure:
        """A measure with the tokenizer that was asked for, else with the one for the text."""
        return TRANSLATION[name](auto if self.tokenize == AUTO else self.tokenize)

    def fitted(
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
        how = Resegmented.from_lines if is_needed else Resegmented.as_they_are
        return how(lines, segments, self.tokens, self.units)

    def read(self, version: Any, name: str) -> tuple[list[str], str]:
        """The lines of a version, and where they are from."""
        if isinstance(version, str):
            return read_segments(version, self.encoding), version
        return list(version), name


def _source(
    lines: Sequence[str], forms: tuple[str, ...], signs: Mapping[str, int] = MappingProxyType({})
) -> SourceCounts:
    words = sum(len(line.split()) for line in lines if line)
    return SourceCounts(1, words, len(lines), forms, signs)


def _longest(found: Resegmented) -> int:
    """The words of the longest segment, on either side."""
    ours, theirs = found.full_spans()
    return max(stop - start for start, stop in (*ours, *theirs))


def _signs(found: Resegmented, *, is_guessed: bool) -> dict[str, int]:
    """What is noticed of a text beside its reference; lines that fit are taken as they are."""
    signs = {
        "guessed": int(is_guessed and found.fit.errors < 0),
        "word_edits": int(found.full_edits.sum()),
        "word_total": len(found.reference),
    }
    return {name: size for name, size in signs.items() if size}
