"""Inter-annotator agreement, beyond chance.

Fleiss (1971), Measuring nominal scale agreement among many raters; Krippendorff (2011), Computing
Krippendorff's alpha-reliability; where the number of raters varies, κ is that of Gwet (2014),
Handbook of inter-rater reliability; RGAR: see `wisebe`.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from caesura.core.batch import PanelBatch
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.measure import ReferenceMeasure
from caesura.core.panel_counts import PanelCounts
from caesura.core.score import Score
from caesura.core.segmentation import Final
from caesura.measures.geometry import WORDS, Axis, CellGrid


@dataclass(frozen=True, slots=True)
class AgreementCounts(PanelCounts):
    """The ratings of m references at each slot, boundary or none.

    `ratings` = m · slots, of which `marked` are boundaries; `pairs` = slots · m · (m - 1), of
    which `agreeing` agree, all ordered. The `_some` fields are the same over the slots at which
    at least one reference has a boundary. Where m differs, they are kept for each m.
    """

    sized: ClassVar[tuple[str, ...]] = (
        "ratings", "marked", "pairs", "agreeing", "ratings_some", "pairs_some", "agreeing_some",
    )  # fmt: skip

    ratings: int
    marked: int
    pairs: int
    agreeing: int
    ratings_some: int
    pairs_some: int
    agreeing_some: int
    rgpb: int
    rgha: int
    by_size: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        """The number of raters, if it is the same everywhere: pairs / ratings + 1."""
        if isinstance(self.pairs, int) and isinstance(self.ratings, int):
            return self.pairs // max(1, self.ratings) + 1  # of any length
        raters = np.asarray(self.pairs) // np.maximum(1, self.ratings) + 1
        return int(raters.max(initial=0))

    @property
    def rgar(self) -> float:
        """RGPB / RGHA."""
        return ratio(self.rgpb, self.rgha)

    @property
    def fleiss_kappa(self) -> float:
        """Fleiss' κ over every slot."""
        return self._kappa("ratings", "pairs", "agreeing")

    @property
    def fleiss_kappa_boundaries(self) -> float:
        """Fleiss' κ over the slots at which some reference has a boundary."""
        return self._kappa("ratings_some", "pairs_some", "agreeing_some")

    def _kappa(self, ratings: str, pairs: str, agreeing: str) -> float:
        """κ, (observed - chance) / (1 - chance), of means over slots.

        A slot weighs the same, however many rate it.
        """
        rated, marked = (self.scaled(name, lambda m: m) for name in (ratings, "marked"))
        paired, agreed = (self.scaled(name, lambda m: m * (m - 1)) for name in (pairs, agreeing))
        by_chance = marked**2 + (rated - marked) ** 2  # whole numbers until the last division
        return ratio(agreed * rated**2 - by_chance * paired, paired * (rated**2 - by_chance))

    @property
    def krippendorff_alpha(self) -> float:
        """Krippendorff's α, nominal: 1 - observed / expected disagreement.

        A rating weighs the same, and is paired with the others of its slot.
        """
        pairs, agreeing = (self.scaled(name, lambda m: m - 1) for name in ("pairs", "agreeing"))
        ratings, marked = (self.scaled(name, lambda _: 1) for name in ("ratings", "marked"))
        mixed = 2 * marked * (ratings - marked)
        return 1 - ratio((pairs - agreeing) * ratings * (ratings - 1), pairs * mixed)


@dataclass(frozen=True, slots=True)
class Agreement(ReferenceMeasure[AgreementCounts]):
    """RGAR, Fleiss' κ and Krippendorff's α of the references.

    κ and α need slots, which a clock does not have: there they are of the cells of a grid.
    """

    name: ClassVar[str] = "agreement"
    counts: ClassVar[type[Counts]] = AgreementCounts
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("rgar", "RGAR", "Shared boundaries / all that could be shared.", "high",
              ("agreement", "headline", "correlate")),
        Score("fleiss_kappa", "Fleiss κ", "Agreement beyond chance, over every word.", "high",
              ("agreement", "headline", "correlate")),
        Score("fleiss_kappa_boundaries", "κ at boundaries",
              "Fleiss' κ at places where any annotator has a boundary.", "high", ("agreement",)),
        Score("krippendorff_alpha", "Krippendorff α", "1 - observed / expected disagreement.",
              "high", ("agreement", "headline", "correlate")),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS
    grid: CellGrid | None = None

    def count_each(self, panel: PanelBatch) -> AgreementCounts:
        """Count the ratings of many documents; nothing for fewer than two references."""
        axis, m = self.axis.within(panel.places), len(panel)
        places = axis.places(panel, self.final)
        rgpb, rgha = places.agreement(m)
        if self.grid is not None:
            panel, axis = self.grid.panel(panel), WORDS
            places = axis.places(panel, self.final)
        slots = axis.slots(panel.places, self.final)
        if m < 2 or not axis.has_slots:
            none = np.zeros_like(rgpb)
            return of_arrays(AgreementCounts, *[none] * 7, rgpb, rgha)
        sizes, per_slot = places.positions.sizes, m * (m - 1)
        marked = places.positions.sums(places.votes)
        squares = places.positions.sums(places.votes * places.votes)
        agreeing = 2 * squares - 2 * m * marked + per_slot * sizes
        of_all = m * slots, marked, per_slot * slots, agreeing + per_slot * (slots - sizes)
        of_some = m * sizes, per_slot * sizes, agreeing  # slots, with a boundary of anybody
        return of_arrays(AgreementCounts, *of_all, *of_some, rgpb, rgha)
