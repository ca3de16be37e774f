"""Sigma: how good the breaks of subtitles are, beside the best that their words allow.

Karakanta, Buet, Cettolo and Yvon (2022), Evaluating subtitle segmentation for end-to-end generation
systems. BLEU is counted by sacrebleu, as in their tool, EvalSub.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from caesura.align.resegmentation import Resegmented
from caesura.core.arrays import Numeric
from caesura.core.counts import NAN, Counts, ratio
from caesura.core.measure import LineMeasure, PlacedCounts
from caesura.core.score import Score
from caesura.core.segmentation import Document
from caesura.core.subtitle_blocks import Subtitles
from caesura.errors import FormatError, number
from caesura.measures.translation import ORDER, Bleu, BleuCounts

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

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each line of the reference."""
        ours, theirs = paired(candidate, reference)
        with_breaks = Bleu().statistics(ours.marked, theirs.marked)
        without = Bleu().statistics(ours.bare, theirs.bare)
        columns = (*with_breaks.T, *without.T, ours.breaks, ours.words)
        return PlacedCounts(SigmaCounts(*columns), theirs.places(reference.segmentation.length))


def paired(candidate: Document, reference: Document) -> tuple[Subtitles, Subtitles]:
    """Subtitles of both sides in the same segments.

    Lines of two files of text correspond. Subtitles with times have no such lines: their words are
    put into the segments of the reference with the fewest edits.
    """
    ours, theirs = Subtitles.from_document(candidate), Subtitles.from_document(reference)
    if not (ours.has_segments and theirs.has_segments):
        found = Resegmented.from_lines(ours.bare, theirs.bare, "lower", "auto")
        return ours.cut_as(found.lines), theirs
    if len(ours.segments) != len(theirs.segments):
        raise FormatError(
            ours.source,
            f"{number(len(ours.segments), 'line')}, but {theirs.source} has "
            f"{number(len(theirs.segments), 'line')}",
            "give the same sentences on the same lines, with an empty line where there is none, or "
            "subtitles with times (SRT, WebVTT)",
        )
    return ours, theirs
