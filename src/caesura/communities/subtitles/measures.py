"""Breaks of subtitles, Sigma, and whether subtitles can be read.

Karakanta, Buet, Cettolo and Yvon (2022), Evaluating subtitle segmentation for end-to-end generation
systems: Sigma, with BLEU counted by sacrebleu, as in their tool, EvalSub. Karakanta, Negri and
Turchi (2020), Is 42 the answer to everything in subtitling-oriented speech translation?; Papi et
al. (2023), Direct speech translation for automatic subtitling: characters per line and per second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from caesura.align.resegmentation import Resegmented
from caesura.core.arrays import Numeric, isin_sorted
from caesura.core.batch import SegmentationBatch, require_one_length_each
from caesura.core.counts import NAN, Counts, Matches, of_arrays, ratio
from caesura.core.line_breaks import BLOCK, BLOCK_END, BREAKS, EOB, EOL, LINE, LINE_END
from caesura.core.measure import LineMeasure, PairMeasure, PlacedCounts
from caesura.core.score import ALSO, Score, matches
from caesura.core.segmentation import Document, Final, IntArray, Track
from caesura.errors import FormatError, number
from caesura.measures.translation import ORDER, Bleu, BleuCounts, is_installed

_BARE = str.maketrans(LINE_END + BLOCK_END, "  ")
_MARKED = str.maketrans({LINE_END: " \ue000 ", BLOCK_END: " \ue001 "})


@dataclass(frozen=True)
class Subtitles:
    """The text of subtitles in segments, such as sentences, with its breaks.

    `has_segments` says whether its segments are lines of a file, which those of another may
    correspond to.
    """

    segments: Sequence[str]
    source: str
    has_segments: bool

    @classmethod
    def from_document(cls, document: Document) -> Subtitles:
        """Take the text of a document that was read with its breaks."""
        raw = document.raw if document.written is None else document.written.raw
        if raw is None or not document.form.endswith(BREAKS):
            cure = f"give subtitles as SRT, WebVTT or text with {EOL} and {EOB}"
            raise FormatError(document.source, "no line and block breaks", cure)
        segments = raw.removesuffix("\n").split("\n")
        return cls(segments, document.source, document.form == BREAKS)

    @cached_property
    def bare(self) -> list[str]:
        """The segments without breaks."""
        return [" ".join(each.translate(_BARE).split()) for each in self.segments]

    @property
    def marked(self) -> list[str]:
        """The segments with words for breaks."""
        return [" ".join(each.translate(_MARKED).split()) for each in self.segments]

    @property
    def breaks(self) -> IntArray:
        """The breaks of each segment."""
        breaks = [each.count(LINE_END) + each.count(BLOCK_END) for each in self.segments]
        return np.array(breaks, np.int64)

    @property
    def words(self) -> IntArray:
        """The words of each segment: what is between white space."""
        return np.array([len(each.split()) for each in self.bare], np.int64)

    @property
    def blocks(self) -> list[list[str]]:
        """The lines of each block; where no break ends a segment, its last line goes on."""
        blocks = " ".join(self.segments).split(BLOCK_END)
        lines = ([" ".join(line.split()) for line in block.split(LINE_END)] for block in blocks)
        return [own for block in lines if (own := [*filter(None, block)])]

    def cut_as(self, pieces: Sequence[str]) -> Subtitles:
        """The same text in other segments; breaks go with what is before them."""
        joined = " ".join(self.segments)
        is_text = np.array([not each.isspace() for each in joined], np.bool_)
        sizes = [len("".join(piece.split())) for piece in pieces]
        cuts = np.searchsorted(np.cumsum(is_text), np.cumsum(sizes), side="right").tolist()
        edges = zip([0, *cuts[:-1]], [*cuts[:-1], len(joined)], strict=True)
        segments = [joined[a:b].strip(" ") for a, b in edges]
        return Subtitles(segments, self.source, has_segments=True)


def places_of(words: IntArray, length: int) -> IntArray:
    """About where parts with some numbers of words begin on an axis of a length."""
    before: IntArray = np.cumsum(words) - words
    total = int(words.sum())
    return np.minimum(before * length // max(1, total), max(0, length - 1))


KINDS = {"eol": LINE, "eob": BLOCK}
"""What the breaks are called, and the types of their boundaries."""


@dataclass(frozen=True, slots=True)
class BreakCounts(Counts):
    """For both types breaks that match in place and type, and how many there are on either side."""

    eol_hits: int
    eol_found: int
    eol_wanted: int
    eob_hits: int
    eob_found: int
    eob_wanted: int

    @property
    def eol(self) -> Matches:
        """Line breaks."""
        return Matches.from_totals(self.eol_hits, self.eol_found, self.eol_wanted)

    @property
    def eob(self) -> Matches:
        """Block breaks."""
        return Matches.from_totals(self.eob_hits, self.eob_found, self.eob_wanted)


@dataclass(frozen=True, slots=True)
class Breaks(PairMeasure[BreakCounts]):
    """P, R and F1 of line breaks (`<eol>`) and of block breaks (`<eob>`)."""

    name: ClassVar[str] = "breaks"
    counts: ClassVar[type[Counts]] = BreakCounts
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        *matches("eol", "eol", "line breaks"),
        *matches("eob", "eob", "block breaks"),
    )

    final: Final = "drop"

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> BreakCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        sides = []
        for batch in (candidate, reference):
            positions, marks = batch.positions(self.final), batch.marks_at(self.final)
            sides.append((positions, np.full(positions.at.size, "") if marks is None else marks))
        numbers = []
        for kind in KINDS.values():
            ours, theirs = (positions.some(marks == kind) for positions, marks in sides)
            shared = ours.some(isin_sorted(ours.at, theirs.at))
            numbers += [shared.sizes, ours.sizes, theirs.sizes]
        return of_arrays(BreakCounts, *numbers)


SACREBLEU = "sacrebleu"


@dataclass(frozen=True, slots=True)
class SigmaCounts(Counts):
    """What BLEU counts with breaks as words (`br`) and without (`nb`); breaks and words.

    These are of the system. `words` are what is between white space.
    """

    br_length: int
    br_reference: int
    br_right_1: int
    br_right_2: int
    br_right_3: int
    br_right_4: int
    br_total_1: int
    br_total_2: int
    br_total_3: int
    br_total_4: int
    nb_length: int
    nb_reference: int
    nb_right_1: int
    nb_right_2: int
    nb_right_3: int
    nb_right_4: int
    nb_total_1: int
    nb_total_2: int
    nb_total_3: int
    nb_total_4: int
    breaks: int
    words: int

    def _bleu(self, which: str) -> BleuCounts:
        names = [field.name for field in fields(BleuCounts)]
        return BleuCounts(*(getattr(self, f"{which}_{name}") for name in names))

    @property
    def bleu_br(self) -> Numeric:
        """BLEU with breaks as words."""
        return self._bleu("br").bleu

    @property
    def bleu_nb(self) -> object:
        """BLEU without breaks."""
        return self._bleu("nb").bleu

    @property
    def alpha(self) -> object:
        """Breaks / words of the system."""
        return ratio(self.breaks, self.words)

    @property
    def bleu_bound(self) -> object:
        """BLEU_br+: with breaks as good as the words allow."""
        return self._bound(self.alpha)

    @property
    def sigma(self) -> object:
        """100 · BLEU_br / BLEU_br+."""
        return self._sigma(self.alpha)

    @property
    def sigma_13a(self) -> object:
        """Sigma with the words of alpha as BLEU tokenizes them."""
        return self._sigma(ratio(self.breaks, self.nb_length))

    def _sigma(self, alpha: object) -> object:
        return 100 * ratio(self.bleu_br, self._bound(alpha))

    def _bound(self, alpha: Numeric) -> Numeric:
        """The geometric mean of the precisions with perfect breaks, and the penalty of BLEU_br.

        It is undefined where one of them is 0, as where no word matches.
        """
        bare = self._bleu("nb")
        before: object = 100.0
        logs: Numeric = 0.0
        for n, precision in enumerate(bare.precisions, 1):
            best = ((1 - (n - 1) * alpha) * precision + n * alpha * before) / (1 + alpha)
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = logs + np.log(np.where(np.asarray(best) > 0, best, NAN))
            before = precision
        bound = self._bleu("br").penalty * np.exp(logs / ORDER)
        return bound if np.ndim(bound) else float(bound)


@dataclass(frozen=True, slots=True)
class Sigma(LineMeasure):
    """Sigma, BLEU with and without breaks, and alpha; breaks are words of a line."""

    name: ClassVar[str] = "sigma"
    counts: ClassVar[type[Counts]] = SigmaCounts
    needs: ClassVar[str] = SACREBLEU
    pairs_lines: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("sigma", "Sigma", "BLEU with breaks / the most that the words allow (0–100).",
              scale=100),
        Score("bleu_br", "BLEU_br", "BLEU with breaks as words (0–100).", scale=100),
        Score("bleu_nb", "BLEU_nb", "BLEU without breaks (0–100).", scale=100),
        Score("alpha", "alpha", "Breaks / words of the system.", None),
        Score("bleu_bound", "BLEU_br+", "BLEU_br with breaks as good as the words allow (0–100).",
              None, scale=100),
        Score("sigma_13a", "Sigma 13a", "Sigma with words as BLEU tokenizes them in alpha (0–100).",
              scale=100),
    )  # fmt: skip

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:  # noqa: ARG003
        """The version of BLEU."""
        return {"bleu": Bleu().signature.replace(":", "=") if is_installed() else ""}

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each line of the reference."""
        ours, theirs = paired(candidate, reference)
        with_breaks = Bleu().statistics(ours.marked, theirs.marked)
        without = Bleu().statistics(ours.bare, theirs.bare)
        columns = (*with_breaks.T, *without.T, ours.breaks, ours.words)
        return PlacedCounts(
            SigmaCounts(*columns), places_of(theirs.words, reference.segmentation.length)
        )


def paired(candidate: Document, reference: Document) -> tuple[Subtitles, Subtitles]:
    """Subtitles of both sides in the same segments.

    Lines of two files of text correspond. Subtitles with times have no such lines: their words are
    put into the segments of the reference with the fewest edits.
    """
    ours, theirs = Subtitles.from_document(candidate), Subtitles.from_document(reference)
    if not (ours.has_segments and theirs.has_segments):
        resegmented = Resegmented.from_lines(ours.bare, theirs.bare, "lower", "auto")
        return ours.cut_as(resegmented.lines), theirs
    if len(ours.segments) != len(theirs.segments):
        raise FormatError(
            ours.source,
            f"{number(len(ours.segments), 'line')}, but {theirs.source} has "
            f"{number(len(theirs.segments), 'line')}",
            "give the same sentences on the same lines, with an empty line where there is none, or "
            "subtitles with times (SRT, WebVTT)",
        )
    return ours, theirs


SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadingCounts(Counts):
    """Lines that are short enough, blocks with few enough lines, and blocks that last enough.

    `timed` are the blocks whose times are known.
    """

    short: int
    lines: int
    flat: int
    blocks: int
    slow: int
    timed: int

    @property
    def cpl_conformity(self) -> float:
        """Lines that are short enough / lines, from 0 to 100."""
        return 100 * ratio(self.short, self.lines)

    @property
    def lpb_conformity(self) -> float:
        """Blocks with few enough lines / blocks, from 0 to 100."""
        return 100 * ratio(self.flat, self.blocks)

    @property
    def cps_conformity(self) -> float:
        """Blocks that last long enough / blocks with times, from 0 to 100."""
        return 100 * ratio(self.slow, self.timed)


@dataclass(frozen=True, slots=True)
class ReadingLoad(LineMeasure):
    """The subtitles of the system that keep to limits; those of the reference are not looked at."""

    name: ClassVar[str] = "reading"
    counts: ClassVar[type[Counts]] = ReadingCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("cpl_conformity", "CPL", "Lines of at most 42 characters (max_cpl) / lines (0–100).",
              scale=100),
        Score("cps_conformity", "CPS", "Blocks of at most 21 characters per second (max_cps) / "
              "blocks with times (0–100).", scale=100),
        Score("lpb_conformity", "LPB", "Blocks of at most 2 lines (max_lines) / blocks (0–100).",
              scale=100),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"max_cpl": 1, "max_cps": 1, "max_lines": 1}

    max_cpl: int = 42
    max_cps: int = 21
    max_lines: int = 2

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:
        """The limits."""
        return {"cpl": options.max_cpl, "cps": options.max_cps, "lines": options.max_lines}

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each block of the system."""
        blocks = Subtitles.from_document(candidate).blocks
        sizes = [[len(line) for line in block] for block in blocks]
        short = [sum(size <= self.max_cpl for size in block) for block in sizes]
        lines = np.array([len(block) for block in blocks], np.int64)
        words = np.array([len(" ".join(block).split()) for block in blocks], np.int64)
        lasts = _durations(candidate, len(blocks))
        is_timed = lasts >= 0
        is_slow = is_timed & (SECOND * np.array([*map(sum, sizes)]) <= self.max_cps * lasts)
        columns = short, lines, lines <= self.max_lines, lines > 0, is_slow, is_timed
        counts = of_arrays(ReadingCounts, *(np.asarray(each, np.int64) for each in columns))
        return PlacedCounts(counts, places_of(words, reference.segmentation.length))


def _durations(document: Document, blocks: int) -> IntArray:
    """How long each block lasts, in microseconds; UNKNOWN where times are not known."""
    segmentation, track = document.segmentation, document.track
    unknown = np.full(blocks, Track.UNKNOWN)
    if track.start is None or track.end is None or segmentation.marks is None:
        return unknown
    last = segmentation.boundaries[segmentation.marks == BLOCK]
    if last.size != blocks:
        return unknown
    start, end = track.start[np.concatenate(([0], last[:-1] + 1))], track.end[last]
    return np.where((start == Track.UNKNOWN) | (end == Track.UNKNOWN), Track.UNKNOWN, end - start)
