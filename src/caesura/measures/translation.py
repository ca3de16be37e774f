"""BLEU, chrF and TER: counted by sacrebleu, sentence by sentence, and computed from sums.

Papineni et al. (2002), Popović (2015, 2017), Snover et al. (2006); Post (2018) for sacrebleu, which
tokenizes and counts. Its counts add, and the formulas here are those that it uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import NAN, Counts, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, View
from caesura.core.segmentation import IntArray
from caesura.errors import CaesuraError, UnknownNameError, brief, option

VIEWS: tuple[View, ...] = ("all", "document", "compare", "correlate")
ORDER, CHARACTERS, WORDS, BETA = 4, 6, 2, 2
NOTHING = -9999999999.0
"""What sacrebleu takes for the logarithm of 0."""


@dataclass(frozen=True, slots=True)
class BleuCounts(Counts):
    """Lengths of both sides, and n-grams of the system that match and that there are."""

    length: int
    reference: int
    right_1: int
    right_2: int
    right_3: int
    right_4: int
    total_1: int
    total_2: int
    total_3: int
    total_4: int

    @property
    def bleu(self) -> object:
        """BLEU with exponential smoothing, from 0 to 100."""
        precision, length = self.precisions, np.asarray(self.length)
        with np.errstate(divide="ignore"):
            logs = np.where(precision > 0, np.log(precision), NOTHING)
        score = self.penalty * np.exp(logs.sum(axis=0) / ORDER)
        return _plain(np.where((length > 0) | (np.asarray(self.reference) > 0), score, NAN))

    @property
    def precisions(self) -> Numeric:
        """The precisions of n-grams, from 0 to 100, smoothed where one is 0 and others are not.

        Arrays have shape (orders, …), as counts may be arrays themselves.
        """
        orders = range(1, ORDER + 1)
        right, total = (
            np.array(np.broadcast_arrays(*(getattr(self, f"{name}_{n}") for n in orders)), float)
            for name in ("right", "total")
        )
        there = np.logical_and.accumulate(total > 0, axis=0)
        is_none = there & (right == 0)
        halved = 2.0 ** np.cumsum(is_none, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(is_none, 100 / (halved * total), 100 * right / total)
        return np.where(there & right.any(axis=0), precision, 0.0)

    @property
    def penalty(self) -> object:
        """The brevity penalty."""
        length, reference = np.asarray(self.length, float), np.asarray(self.reference, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.where(length < reference, np.exp(1 - reference / length), 1.0)
        return np.where(length > 0, penalty, 0.0)


@dataclass(frozen=True, slots=True)
class ChrfCounts(Counts):
    """N-grams of characters (1 to 6) and of words (1 and 2): system's, reference's, matching."""

    system_1: int
    reference_1: int
    right_1: int
    system_2: int
    reference_2: int
    right_2: int
    system_3: int
    reference_3: int
    right_3: int
    system_4: int
    reference_4: int
    right_4: int
    system_5: int
    reference_5: int
    right_5: int
    system_6: int
    reference_6: int
    right_6: int
    word_system_1: int
    word_reference_1: int
    word_right_1: int
    word_system_2: int
    word_reference_2: int
    word_right_2: int

    @property
    def chrf(self) -> object:
        """ChrF, from 0 to 100."""
        return self._score(CHARACTERS)

    @property
    def chrf_plus(self) -> object:
        """ChrF++, which has n-grams of words, too."""
        return self._score(CHARACTERS + WORDS)

    def _score(self, orders: int) -> object:
        """The F-score of the mean precision and recall over the orders that both sides have.

        Arrays have shape (orders, …), as counts may be arrays themselves.
        """
        values = np.array(np.broadcast_arrays(*self.to_dict().values()), float)[: 3 * orders]
        system, reference, right = values[::3], values[1::3], values[2::3]
        there = (system > 0) & (reference > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                np.where(there, right / each, 0.0).sum(axis=0) / np.maximum(1, there.sum(axis=0))
                for each in (system, reference)
            )
            mean = (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
        known = np.where(precision + recall > 0, 100 * mean, 0.0)
        return _plain(np.where((system > 0).any(axis=0) | (reference > 0).any(axis=0), known, NAN))


@dataclass(frozen=True, slots=True)
class TerCounts(Counts):
    """Edits with shifts, and words of the reference, as TER has them."""

    edits: int
    words: int

    @property
    def ter(self) -> object:
        """Edits / words of the reference, from 0 to 100 or more."""
        return 100 * ratio(self.edits, self.words)


def _plain(value: Numeric) -> object:
    """An array, or a number where there is only one."""
    return value if value.ndim else float(value)


@dataclass(frozen=True, slots=True)
class TranslationMeasure(Measure):
    """A measure that sacrebleu counts."""

    kind: ClassVar[str] = "translation"
    is_optional: ClassVar[bool] = True

    tokenize: str = "13a"

    def metric(self) -> Any:
        """The metric of sacrebleu."""
        raise NotImplementedError

    @property
    def signature(self) -> str:
        """The signature of sacrebleu, for ours."""
        metric = self.metric()
        metric.num_refs = 1
        return str(metric.get_signature()).replace("|", ",")

    def count(self, system: Sequence[str], reference: Sequence[str]) -> object:
        """Count all segments."""
        return self.count_parts(system, reference, np.array([0, len(reference)]))[0]

    def count_parts(
        self, system: Sequence[str], reference: Sequence[str], edges: IntArray
    ) -> list[Any]:
        """Count between neighbouring numbers of segments."""
        values = self.statistics(system, reference)
        start = np.zeros((1, values.shape[1]), np.int64)
        sums = np.vstack((start, np.cumsum(values, axis=0)))[edges]
        return [self.counts(*row) for row in np.diff(sums, axis=0).tolist()]

    def statistics(self, system: Sequence[str], reference: Sequence[str]) -> IntArray:
        """The counts of each segment: segments × counts."""
        size = len(self.counts.__match_args__)
        found = self.metric()._extract_corpus_statistics(list(system), [list(reference)])
        return np.array(found, np.int64).reshape(len(reference), size)


@dataclass(frozen=True, slots=True)
class Bleu(TranslationMeasure):
    """BLEU, as sacrebleu computes it."""

    name: ClassVar[str] = "bleu"
    counts: ClassVar[type[Counts]] = BleuCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("bleu", "BLEU", "Geometric mean of n-gram precisions, with a penalty for short "
              "output (0–100).", views=(*VIEWS, "headline"), scale=100),
    )  # fmt: skip

    def metric(self) -> object:
        """The metric of sacrebleu."""
        bleu = _sacrebleu().BLEU
        if self.tokenize not in bleu.TOKENIZERS:
            raise UnknownNameError("tokenizer", self.tokenize, bleu.TOKENIZERS)
        try:
            return bleu(tokenize=self.tokenize, force=True)
        except (RuntimeError, ImportError, OSError) as problem:
            said = " ".join(str(problem).split()).rstrip(".")
            raise CaesuraError(
                f"the tokenizer {self.tokenize} of sacrebleu cannot be used: {brief(said)}; "
                f"install what it needs, or use another: {option('tokenize', '13a')}"
            ) from None


@dataclass(frozen=True, slots=True)
class Chrf(TranslationMeasure):
    """chrF and chrF++, as sacrebleu computes them."""

    name: ClassVar[str] = "chrf"
    counts: ClassVar[type[Counts]] = ChrfCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("chrf", "chrF", "F2 of character n-grams up to 6 (0–100).", views=VIEWS,
              scale=100),
        Score("chrf_plus", "chrF++", "F2 of character n-grams up to 6 and word n-grams up to 2 "
              "(0–100).", views=VIEWS, scale=100),
    )  # fmt: skip

    def metric(self) -> object:
        """The metric of sacrebleu."""
        return _sacrebleu().CHRF(word_order=WORDS)


@dataclass(frozen=True, slots=True)
class Ter(TranslationMeasure):
    """Translation edit rate with shifts, as sacrebleu computes it."""

    name: ClassVar[str] = "ter"
    counts: ClassVar[type[Counts]] = TerCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("ter", "TER", "Edits with shifts / reference words (0–100 or more).", "low", VIEWS,
              scale=100),
    )  # fmt: skip

    def metric(self) -> object:
        """The metric of sacrebleu."""
        return _sacrebleu().TER()


def is_installed() -> bool:
    """Whether sacrebleu is installed."""
    from importlib.util import find_spec

    return find_spec("sacrebleu") is not None


def _sacrebleu() -> Any:
    """The metrics of sacrebleu, imported when they are first used."""
    try:
        from sacrebleu import metrics
    except ImportError:
        raise CaesuraError(
            "BLEU, chrF and TER need sacrebleu; install it with pip install "
            "'caesura-eval[translation]'"
        ) from None
    return metrics
