"""Inter-annotator agreement, beyond chance.

Fleiss (1971), Measuring nominal scale agreement among many raters; Krippendorff (2011), Computing
Krippendorff's alpha-reliability; RGAR: see `wisebe`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.batch import PanelBatch
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.score import Score
from caesura.core.segmentation import Final, IntArray, Panel
from caesura.measures.axis import WORDS, Axis, Places
from caesura.measures.base import Cut, ReferenceMeasure


@dataclass(frozen=True, slots=True)
class AgreementCounts(Counts):
    """The ratings of m references at each slot, boundary or none.

    `ratings` = m · slots, of which `marked` are boundaries; `pairs` = slots · m · (m - 1), of
    which `agreeing` agree, all ordered. The `_some` fields are the same over the slots at which
    at least one reference has a boundary.
    """

    ratings: int
    marked: int
    pairs: int
    agreeing: int
    ratings_some: int
    pairs_some: int
    agreeing_some: int
    rgpb: int
    rgha: int

    @property
    def rgar(self) -> float:
        """RGPB / RGHA."""
        return ratio(self.rgpb, self.rgha)

    @property
    def fleiss_kappa(self) -> float:
        """Fleiss' κ over every slot."""
        return _kappa(self.ratings, self.marked, self.pairs, self.agreeing)

    @property
    def fleiss_kappa_boundaries(self) -> float:
        """Fleiss' κ over the slots at which some reference has a boundary."""
        return _kappa(self.ratings_some, self.marked, self.pairs_some, self.agreeing_some)

    @property
    def krippendorff_alpha(self) -> float:
        """Krippendorff's α, nominal: 1 - observed / expected disagreement."""
        mixed = 2 * self.marked * (self.ratings - self.marked)
        differing = self.pairs - self.agreeing
        return 1 - ratio(differing * self.ratings * (self.ratings - 1), self.pairs * mixed)

    @property
    def score(self) -> float:
        """Fleiss' κ."""
        return self.fleiss_kappa


@dataclass(frozen=True, slots=True)
class Agreement(ReferenceMeasure):
    """RGAR, Fleiss' κ and Krippendorff's α of the references; by time, RGAR only.

    κ and α need slots, which a clock does not have.
    """

    name: ClassVar[str] = "agreement"
    counts: ClassVar[type[Counts]] = AgreementCounts
    cut: ClassVar[Cut] = "anywhere"
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("rgar", "RGAR", "Shared boundaries / all that could be shared.", "high",
              ("agreement", "plot", "correlate")),
        Score("fleiss_kappa", "Fleiss κ", "Agreement beyond chance, over every word.", "high",
              ("agreement", "plot", "correlate"), has_time=False),
        Score("fleiss_kappa_boundaries", "κ at boundaries",
              "Fleiss' κ at places where any annotator has a boundary.", "high", ("agreement",),
              has_time=False),
        Score("krippendorff_alpha", "Krippendorff α", "1 - observed / expected disagreement.",
              "high", ("agreement", "plot", "correlate"), has_time=False),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS

    def count(self, panel: Panel) -> AgreementCounts:
        """Count the ratings of one transcript; nothing for fewer than two references."""
        places, slots = self.axis.places(panel, self.final), self.axis.slots(panel, self.final)
        return self._counts(places, len(panel), np.array([slots])).each()[0]

    def count_each(self, panel: PanelBatch) -> AgreementCounts:
        """Count many documents, on words."""
        places = WORDS.places_each(panel, self.final)
        return self._counts(places, len(panel), panel.places.slots(self.final))

    def _counts(self, places: Places, m: int, slots: IntArray) -> AgreementCounts:
        rgpb, rgha = places.agreement(m)
        if m < 2 or not self.axis.has_slots:
            none = np.zeros_like(rgpb)
            return of_arrays(AgreementCounts, *[none] * 7, rgpb, rgha)
        sizes, per_slot = places.positions.sizes, m * (m - 1)
        marked = places.positions.sums(places.votes)
        squares = places.positions.sums(places.votes * places.votes)
        agreeing = 2 * squares - 2 * m * marked + per_slot * sizes
        return of_arrays(
            AgreementCounts,
            m * slots,
            marked,
            per_slot * slots,
            agreeing + per_slot * (slots - sizes),
            m * sizes,
            per_slot * sizes,
            agreeing,
            rgpb,
            rgha,
        )


def _kappa(ratings: int, marked: int, pairs: int, agreeing: int) -> float:
    """(observed - chance) / (1 - chance), in whole numbers until the last division."""
    by_chance = marked**2 + (ratings - marked) ** 2
    return ratio(agreeing * ratings**2 - by_chance * pairs, pairs * (ratings**2 - by_chance))
