"""Pk and WindowDiff as other programs count them, and agreement of coders by boundary similarity.

Programs differ in how wide a window is, how many there are, whether the end of the document is a
place for a boundary, and what is counted, sentences or words. NLTK 3: `nltk.metrics.segmentation`;
segeval 2: `segeval.pk` and `segeval.window_diff`; Choi's JBeeferman, with which the figures of Choi
(2000) were made.

The agreement is corrected for chance, as B-based κ and π: Fournier and Inkpen (2012), Segmentation
similarity and agreement; Fournier (2013), Evaluating text segmentation using boundary edit
distance; the coefficients as segeval computes them, after Artstein and Poesio (2008).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

import caesura
from caesura.align.versions import project
from caesura.core.batch import PanelBatch, Positions, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, GroupedCounts, Items, of_arrays, ratio, single
from caesura.core.measure import Cut, DocumentMeasure, PairMeasure, ReferenceMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import NO_BREAK, Document, Final, panel
from caesura.measures.edit import Edit
from caesura.measures.windows import Windows, count_windows

if TYPE_CHECKING:
    from caesura.core.json_values import Json


@dataclass(frozen=True, slots=True)
class ConventionCounts(Counts):
    """The windows that are errors, by program, and how many windows each has."""

    nltk_pk_errors: int
    nltk_windowdiff_errors: int
    nltk_windows: int
    segeval_pk_errors: int
    segeval_windowdiff_errors: int
    segeval_windows: int

    @property
    def pk_nltk(self) -> float:
        """Pk as in NLTK."""
        return ratio(self.nltk_pk_errors, self.nltk_windows)

    @property
    def windowdiff_nltk(self) -> float:
        """WindowDiff as in NLTK."""
        return ratio(self.nltk_windowdiff_errors, self.nltk_windows)

    @property
    def pk_segeval(self) -> float:
        """Pk as in segeval."""
        return ratio(self.segeval_pk_errors, self.segeval_windows)

    @property
    def windowdiff_segeval(self) -> float:
        """WindowDiff as in segeval."""
        return ratio(self.segeval_windowdiff_errors, self.segeval_windows)


@dataclass(frozen=True, slots=True)
class Conventions(PairMeasure[ConventionCounts]):
    """Pk and WindowDiff of NLTK and of segeval; k is as wide as they make it, if it is 0.

    NLTK takes a symbol for each item, a 1 where a unit ends after it; `final` says whether the last
    one is a 1, too.
    """

    name: ClassVar[str] = "conventions"
    counts: ClassVar[type[Counts]] = ConventionCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk_nltk", "Pk (NLTK)", "Pk as in NLTK: N - k + 1 windows over N symbols, the last "
              "item among them; k without a minimum.", "low"),
        Score("windowdiff_nltk", "WD (NLTK)", "WindowDiff as in NLTK: N - k + 1 windows over N "
              "symbols; k as in NLTK's Pk.", "low"),
        Score("pk_segeval", "Pk (segeval)", "Pk as in segeval: n - k windows.", "low"),
        Score("windowdiff_segeval", "WD (segeval)", "WindowDiff as in segeval: n - k windows.",
              "low"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"k": 0}

    k: int = 0
    final: Final = "drop"

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> ConventionCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        placed, wanted = (batch.positions(self.final, 1) for batch in (candidate, reference))
        # half the symbols for each 1 among them, rounded half to even
        k = np.rint(reference.lengths / (2.0 * np.maximum(1, wanted.sizes))).astype(np.int64)
        k = np.full_like(k, self.k) if self.k else k
        nltk = count_windows(placed, wanted, reference.lengths + 1, k)
        segeval = Windows(self.k).count_each(candidate, reference)
        return of_arrays(
            ConventionCounts,
            nltk.pk_errors,
            nltk.windowdiff_errors,
            nltk.windows,
            segeval.pk_errors,
            segeval.windowdiff_errors,
            segeval.windows,
        )


@dataclass(frozen=True, slots=True)
class ChoiCounts(Counts):
    """The windows over words that Choi's Pk counts as errors."""

    errors: int
    windows: int

    @property
    def score(self) -> float:
        """Windows in which only one of the two has a boundary / windows."""
        return ratio(self.errors, self.windows)


@dataclass(frozen=True, slots=True)
class Choi(DocumentMeasure):
    """Pk as in Choi's program: over words, where the items are sentences.

    k is half the mean reference unit in words, rounded half up, without a minimum. Where no words
    are known, every item counts as one. The boundaries of a candidate whose sentences differ are
    projected onto those of the reference.
    """

    name: ClassVar[str] = "choi"
    counts: ClassVar[type[Counts]] = ChoiCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk_choi", "Pk (Choi)", "Pk as in Choi's program: windows over the words of the "
              "sentences, k rounded half up.", "low", take="score"),
    )  # fmt: skip

    def count(self, candidate: Document, reference: Document) -> ChoiCounts:
        """Count one document against a reference."""
        ours, theirs = project(candidate, reference).document.segmentation, reference.segmentation
        if not theirs.length:
            return ChoiCounts(0, 0)
        sides = [each.boundaries for each in (ours, theirs)]
        worded = reference if reference.text else candidate
        if worded.text is not None and NO_BREAK in worded.text:
            before = np.cumsum([word.count(NO_BREAK) + 1 for word in worded.words])
            sides = [before[each] - 1 for each in sides]
        length, units = int(sides[1][-1]) + 1, theirs.boundaries.size
        k = (length + units) // (2 * units)
        placed, wanted = (Positions.from_one(each[:-1]) for each in sides)
        found = single(count_windows(placed, wanted, np.array([length]), np.array([k])))
        return ChoiCounts(found.pk_errors, found.windows)


FINE = 1 << 30
"""Shares are kept as whole numbers of 1/FINE, and of 1/FINE of that."""


@dataclass(frozen=True, slots=True)
class CoderCounts(GroupedCounts):
    """What coders share, and how many boundaries each has.

    `credit` and `pairs` are numerator and denominator of B over all pairs of coders, in n-ths of an
    edit. `marked` are the boundaries of each coder among `slots`, up to the last who has any.
    `shares` and `rests` are the sum of boundaries / slots over all `codings`, one for each of the
    `documents` and each coder.
    """

    credit: int
    pairs: int
    slots: int
    documents: int
    codings: int
    shares: int
    rests: int
    marked: tuple[int, ...]

    def items(self) -> dict[object, int]:
        """All counts, and those of each coder by number."""
        *plain, _ = self.__match_args__
        return {name: getattr(self, name) for name in plain} | dict(enumerate(self.marked))

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        *plain, _ = cls.__match_args__
        coders = [item for item, number in items.items() if item not in plain and np.any(number)]
        marked = tuple(items.get(coder, 0) for coder in range(max(coders, default=-1) + 1))
        return cls(**{name: items.get(name, 0) for name in plain}, marked=marked)

    @property
    def agreement(self) -> float:
        """B over all pairs of coders and all documents: the observed agreement."""
        return ratio(self.credit, self.pairs)

    @property
    def chance_of_each(self) -> float:
        """Expected agreement where each coder has their own share: the mean over pairs."""
        shares = [ratio(marked, self.slots) for marked in self.marked]
        products = sum(one * other for one, other in combinations(shares, 2))
        coders = ratio(self.codings, self.documents)
        return ratio(2 * products, coders * (coders - 1))

    @property
    def chance_of_all(self) -> float:
        """Expected agreement where all have one share: the mean over documents and coders."""
        shares = self.shares / FINE + self.rests / (FINE * FINE)
        mean = ratio(shares, self.codings)
        return mean * mean

    @property
    def kappa(self) -> float:
        """Fleiss' κ, of two coders Cohen's κ."""
        return _beyond(self.agreement, self.chance_of_each)

    @property
    def pi(self) -> float:
        """Fleiss' π, of two coders Scott's π."""
        return _beyond(self.agreement, self.chance_of_all)

    @property
    def bias(self) -> float:
        """Artstein and Poesio's bias of the annotators: how far the expected agreements differ."""
        return self.chance_of_all - self.chance_of_each


def _beyond(observed: float, chance: float) -> float:
    return ratio(observed - chance, 1 - chance)


def _counts(members: Sequence[SegmentationBatch], near: int) -> CoderCounts:
    """Count the coders of many documents, each pair of them; the fields are arrays."""
    zeros = np.zeros(len(members[0]), np.int64)
    slots, several = members[0].slots(), len(members) > 1
    marked = [member.positions().sizes for member in members] if several else []
    credit, pairs = zeros, zeros
    for one, other in combinations(members, 2):
        edits = Edit(near).count_each(one, other)
        credit, pairs = credit + edits.pairs - edits.cost, pairs + edits.pairs
    documents = ((slots > 0) & several).astype(np.int64)
    whole, left = np.divmod(sum(marked, zeros) * FINE, np.maximum(1, slots))
    rests = left * FINE // np.maximum(1, slots)
    codings = documents * len(members)
    plain = credit, pairs, slots * several, documents, codings, whole, rests
    return CoderCounts.from_items(of_arrays(CoderCounts, *plain, marked).items())


@dataclass(frozen=True, slots=True)
class Coders(ReferenceMeasure[CoderCounts]):
    """B of all references, and Fleiss' κ and π based on it; `near` as for B (n_t)."""

    name: ClassVar[str] = "coders"
    counts: ClassVar[type[Counts]] = CoderCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = ALSO
    of_one_panel: ClassVar[tuple[str, ...]] = ("b_fleiss_kappa", "b_fleiss_pi", "b_bias")
    scores: ClassVar[tuple[Score, ...]] = (
        Score("b_agreement", "B of all", "Boundary similarity over all pairs of annotators.",
              views=("agreement",), take="agreement", has_time=False),
        Score("b_fleiss_kappa", "Fleiss κ (B)", "Fleiss' κ with B as observed agreement, each "
              "annotator with their own share of boundaries.", views=("agreement",), take="kappa",
              has_time=False),
        Score("b_fleiss_pi", "Fleiss π (B)", "Fleiss' π with B as observed agreement, all "
              "annotators with one share of boundaries.", views=("agreement",), take="pi",
              has_time=False),
        Score("b_bias", "bias (B)", "Expected agreement of π minus that of κ: how far the "
              "annotators' shares differ.", None, ("agreement",), take="bias", has_time=False),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"near": 1}

    near: int = 2

    def count_each(self, panel: PanelBatch) -> CoderCounts:
        """Count many documents."""
        return _counts(panel.members, self.near)


@dataclass(frozen=True, slots=True)
class CoderPairs(PairMeasure[CoderCounts]):
    """Cohen's κ and Scott's π of two references, based on B."""

    name: ClassVar[str] = "coder_pairs"
    counts: ClassVar[type[Counts]] = CoderCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = ALSO
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("b_cohen_kappa", "Cohen κ (B)", "Cohen's κ of two annotators with B as observed "
              "agreement.", views=("pair", "agreement"), take="kappa", of="references",
              has_time=False, keys=(("agreement", "b_cohen_kappa_mean"),)),
        Score("b_scott_pi", "Scott π (B)", "Scott's π of two annotators with B as observed "
              "agreement.", views=("pair", "agreement"), take="pi", of="references",
              has_time=False, keys=(("agreement", "b_scott_pi_mean"),)),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"near": 1}

    near: int = 2

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> CoderCounts:
        """Count many documents."""
        return _counts([candidate, reference], self.near)


OPTIONS = {"n_t": "near", "window_size": "k"}
"""Options of segeval, as they are called here."""


def segmentations(data: Json) -> Iterator[tuple[str, str, float, float]]:
    """Pk, WindowDiff, B and S of the test suites of segeval and NLTK."""
    for number, pair in enumerate(data["pairs"], 1):
        options = {OPTIONS[key]: value for key, value in pair["params"].items()}
        name = pair["metric"].replace("window_diff", "windowdiff")
        sides = [caesura.masses(pair[f"{side}_masses"]) for side in ("hypothesis", "reference")]
        found = getattr(caesura, name)(*sides, **options)
        yield f"segeval {number}", name, float(pair["expected"]), found.score
    for number, pair in enumerate(data["nltk"], 1):
        gold, ours = ([int(symbol) for symbol in pair[side]] + [1] for side in ("seg1", "seg2"))
        found = caesura.windowdiff(ours, gold, k=pair["k"])
        yield f"nltk {number}", "windowdiff", float(pair["expected"]), found.score


def coders(data: Json) -> Iterator[tuple[str, str, float, float]]:
    """Fleiss' κ and π and the bias, based on B, of segeval's samples."""
    for case in data["cases"]:
        panels = [panel([*map(caesura.masses, item.values())]) for item in case["items"].values()]
        total = sum((Coders().count(versions) for versions in panels), CoderCounts.zero())
        for key in ("kappa", "pi", "bias"):
            yield case["name"], key, float(case[key]), getattr(total, key)
