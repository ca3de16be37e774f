"""MEASURES: every measure by name. One module for each family."""

from caesura.measures.agreement import Agreement, AgreementCounts
from caesura.measures.boundary import (
    Boundary,
    BoundaryCounts,
    Consensus,
    Either,
    EitherCounts,
    Tolerant,
    TolerantCounts,
)
from caesura.measures.edit import Edit, EditCounts
from caesura.measures.marks import MarkCounts, Marks
from caesura.measures.windows import WindowCounts, Windows
from caesura.measures.wisebe import Wisebe, WisebeCounts

PairMeasure = Boundary | Tolerant | Marks | Windows | Edit
PanelMeasure = Wisebe | Consensus | Either
Measure = PairMeasure | PanelMeasure | Agreement

MEASURES: dict[str, type[Measure]] = {
    "wisebe": Wisebe,
    "boundary": Boundary,
    "marks": Marks,
    "tolerant": Tolerant,
    "consensus": Consensus,
    "either": Either,
    "windows": Windows,
    "edit": Edit,
    "agreement": Agreement,
}

__all__ = [
    "MEASURES",
    "Agreement",
    "AgreementCounts",
    "Boundary",
    "BoundaryCounts",
    "Consensus",
    "Edit",
    "EditCounts",
    "Either",
    "EitherCounts",
    "MarkCounts",
    "Marks",
    "Measure",
    "PairMeasure",
    "PanelMeasure",
    "Tolerant",
    "TolerantCounts",
    "WindowCounts",
    "Windows",
    "Wisebe",
    "WisebeCounts",
]
